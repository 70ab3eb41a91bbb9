"""The roofline as a page: the roofs and ridges, a picture of characters, and each kernel with its gap and its worth."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dam_expert.reports.calculators.page import amount, part, seconds, times
from dam_expert.reports.calculators.terminal_roofline import MARKS, drawn
from dam_expert.reports.model import Line, Section, Tone

if TYPE_CHECKING:
    from dam_expert.physics.answers.roofline import Expected, Point, Roofline

_WASTED = {"memory": "a higher peak", "compute": "more memory bandwidth"}
_WORKS = {
    "memory": "fewer bytes (fusion, lower precision, reuse by batching) or more bandwidth",
    "compute": "fewer operations, lower precision or a higher peak",
}


def sections(answer: Roofline, near: float, width: int = 78) -> tuple[Section, ...]:
    """Return the page. From the share ``near`` of its attainable rate on, a kernel counts as being on its roof."""
    roofs = [Line(f"{answer.bandwidth.name}: {amount(answer.bandwidth.rate, 'B/s')} ({answer.bandwidth.source})")]
    for peak, ridge in zip(answer.peaks, answer.ridges, strict=True):
        meets = f"meets the memory roof at {ridge.intensity:.1f} FLOP/byte"
        roofs.append(Line(f"{peak.name}: {amount(peak.rate, 'FLOP/s')} dense, {meets} ({peak.source})"))
    roofs += [Line(f"{level.name}: {amount(level.rate, 'B/s')} ({level.source})") for level in answer.levels]
    picture = [Line(row, verbatim=True) for row in drawn(answer, width)]
    found = [
        Section(id="roofs", title=f"Roofline of {answer.device}", items=tuple(roofs)),
        Section(id="picture", title="Rate over intensity", items=tuple(picture)),
    ]
    if answer.points:
        found.append(
            Section(
                id="kernels",
                title="Kernels",
                items=tuple(
                    line for number, point in enumerate(answer.points) for line in _kernel(number, point, near)
                ),
            )
        )
    if answer.expected:
        lines = [line for number, each in enumerate(answer.expected) for line in _expected(number, each)]
        found.append(Section(id="expected", title="What the roofs allow", items=tuple(lines)))
    return tuple(found)


def _expected(number: int, each: Expected) -> list[Line]:
    title = f"{each.name} ({each.precision}): {each.intensity:.3g} FLOP/byte, "
    title += f"{amount(each.operations, 'FLOP')} and {amount(each.bytes_moved, 'B')}"
    can = f"At most {amount(each.attainable_flops_per_s, 'FLOP/s')}, so at least {seconds(each.least_time_s)}; "
    told = f"{can}{_where(each.bound)}. {_capital(_works(each.bound))} can help; {_wasted(each.bound)} is wasted."
    note = "The bytes are the least that the shape needs, every operand moved once: real kernels move more."
    return [Line(title, mark=MARKS[number], tone=Tone.STRONG), Line(told, depth=1), Line(note, depth=1)]


def _kernel(number: int, point: Point, near: float) -> list[Line]:
    kernel = point.kernel
    mark = MARKS[number] if number < len(MARKS) else "-"
    title = f"{kernel.name} ({kernel.precision}): {kernel.intensity:.3g} FLOP/byte, "
    title += f"{amount(kernel.achieved_flops_per_s, 'FLOP/s')} of {amount(point.attainable_flops_per_s, 'FLOP/s')}"
    lines = [Line(title, mark=mark, tone=Tone.STRONG), Line(_verdict(point, near), depth=1)]
    if point.time_share is not None and point.ceiling is not None and kernel.time_s is not None:
        alone = f"{seconds(kernel.time_s)}, {part(point.time_share)} of the time"
        most = f"{alone}; on the roof the whole would be at most {_faster(point.ceiling)}"
        if point.practical_ceiling is not None and times(point.practical_ceiling) != times(point.ceiling):
            most += f", at what kernels reach in practice {_faster(point.practical_ceiling)}"
        lines.append(Line(f"{most}.", depth=1))
    return lines


def _faster(factor: float) -> str:
    said = times(factor)
    return "no faster" if said == "nothing" else f"{said} as fast"


def _verdict(point: Point, near: float) -> str:
    where = _where(point.bound)
    usual = f"{part(point.reached[0])} to {part(point.reached[1])}" if point.reached is not None else ""
    if point.roof_share >= (near if point.reached is None else min(near, point.reached[0])):
        told = f"{part(point.roof_share)} of its roof"
        told += f", and good kernels reach {usual}: a better kernel gains little" if usual else ""
        return f"{told}; {where}. {_capital(_works(point.bound))} can help; {_wasted(point.bound)} is wasted."
    gap = "it does nothing" if math.isinf(point.gap) else f"a gap of {times(point.gap)}"
    gap += f" (good kernels reach {usual})" if usual else ""
    return (
        f"{part(point.roof_share)} of its roof, {gap}: neither roof holds it back yet, so a better kernel, fewer "
        f"stalls or fewer launches come first. {_capital(where)} in the end."
    )


def _where(bound: str) -> str:
    said = {"memory": "below the ridge: memory bandwidth binds", "compute": "above the ridge: compute binds"}
    return said.get(bound, f"the bandwidth of {bound} binds, before that of the memory")


def _works(bound: str) -> str:
    return _WORKS.get(bound, f"fewer bytes through {bound} (larger tiles, reuse in registers and shared memory)")


def _wasted(bound: str) -> str:
    return _WASTED.get(bound, "more memory bandwidth or a higher peak")


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
