"""The roofline as a page: the roofs and ridges, a picture of characters, and each kernel with its gap and its worth."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dam_expert.reports.calculators.page import amount, part
from dam_expert.reports.calculators.terminal_roofline import MARKS, drawn
from dam_expert.reports.calculators.words import is_nothing, spoken
from dam_expert.reports.model import Line, Section, Tone
from dam_expert.reports.phrasing import capital

if TYPE_CHECKING:
    from dam_expert.physics.answers.roofline import Expected, Point, Roof, Roofline
    from dam_expert.reports.calculators.words import Words

_MAIN = ("memory", "compute")


def sections(answer: Roofline, near: float, width: int = 78, words: Words | None = None) -> tuple[Section, ...]:
    """Return the page. From the share ``near`` of its attainable rate on, a kernel counts as being on its roof."""
    words = words or spoken()
    roofs = [_roof(answer.bandwidth, words)]
    for peak, ridge in zip(answer.peaks, answer.ridges, strict=True):
        name, rate, source = words.text(peak.name), amount(peak.rate, "FLOP/s"), words.text(peak.source)
        meets = f"{ridge.intensity:.1f} FLOP/byte"
        roofs.append(Line(words.say("roofline.peak", name=name, rate=rate, ridge=meets, source=source)))
    roofs += [_roof(level, words) for level in answer.levels]
    picture = [Line(row, verbatim=True) for row in drawn(answer, width, words)]
    title = words.say("roofline.title", device=words.text(answer.device))
    found = [
        Section(id="roofs", title=title, items=tuple(roofs)),
        Section(id="picture", title=words.say("roofline.picture"), items=tuple(picture)),
    ]
    if answer.points:
        lines = [line for number, point in enumerate(answer.points) for line in _kernel(number, point, near, words)]
        found.append(Section(id="kernels", title=words.say("roofline.kernels"), items=tuple(lines)))
    if answer.expected:
        lines = [line for number, each in enumerate(answer.expected) for line in _expected(number, each, words)]
        found.append(Section(id="expected", title=words.say("roofline.expected"), items=tuple(lines)))
    return tuple(found)


def _roof(roof: Roof, words: Words) -> Line:
    rate, source = amount(roof.rate, "B/s"), words.text(roof.source)
    return Line(words.say("roofline.rate", name=words.text(roof.name), rate=rate, source=source))


def _expected(number: int, each: Expected, words: Words) -> list[Line]:
    title = words.say(
        "roofline.shape",
        name=each.name,
        precision=words.text(each.precision),
        intensity=f"{each.intensity:.3g} FLOP/byte",
        operations=amount(each.operations, "FLOP"),
        bytes=amount(each.bytes_moved, "B"),
    )
    rate, time = amount(each.attainable_flops_per_s, "FLOP/s"), words.seconds(each.least_time_s)
    told = words.say("roofline.allowed", rate=rate, time=time, **_advice(each.bound, words))
    least = Line(words.say("roofline.least"), depth=1)
    return [Line(title, mark=MARKS[number], tone=Tone.STRONG), Line(told, depth=1), least]


def _kernel(number: int, point: Point, near: float, words: Words) -> list[Line]:
    kernel = point.kernel
    title = words.say(
        "roofline.kernel",
        name=words.text(kernel.name),
        precision=words.text(kernel.precision),
        intensity=f"{kernel.intensity:.3g} FLOP/byte",
        rate=amount(kernel.achieved_flops_per_s, "FLOP/s"),
        attainable=amount(point.attainable_flops_per_s, "FLOP/s"),
    )
    mark = MARKS[number] if number < len(MARKS) else "-"
    lines = [Line(title, mark=mark, tone=Tone.STRONG), Line(_verdict(point, near, words), depth=1)]
    if point.time_share is not None and point.ceiling is not None and kernel.time_s is not None:
        told = {"time": words.seconds(kernel.time_s), "share": part(point.time_share)}
        told["faster"], key = _faster(point.ceiling, words), "roofline.worth"
        usual = point.practical_ceiling
        if usual is not None and words.times(usual) != words.times(point.ceiling):
            told["usual"], key = _faster(usual, words), "roofline.worth_usual"
        lines.append(Line(words.say(key, **told), depth=1))
    return lines


def _faster(gain: float, words: Words) -> str:
    return words.say("roofline.no_faster") if is_nothing(gain) else words.say("roofline.faster", gain=words.times(gain))


def _verdict(point: Point, near: float, words: Words) -> str:
    share = part(point.roof_share)
    usual = "" if point.reached is None else words.span(part(point.reached[0]), part(point.reached[1]))
    if point.roof_share >= (near if point.reached is None else min(near, point.reached[0])):
        told = {"share": share, **_advice(point.bound, words)}
        return (
            words.say("roofline.on_roof_usual", usual=usual, **told) if usual else words.say("roofline.on_roof", **told)
        )
    endless = math.isinf(point.gap)
    gap = words.say("roofline.idle") if endless else words.say("roofline.gap", gain=words.times(point.gap))
    gap = words.say("roofline.gap_usual", gap=gap, usual=usual) if usual else gap
    return words.say("roofline.below", share=share, gap=gap, where=capital(_on("where", point.bound, words)))


def _advice(bound: str, words: Words) -> dict[str, str]:
    """Return where a kernel lies, what can help it there, and what would be wasted."""
    works = capital(_on("works", bound, words))
    wasted = words.say(f"wasted.{bound if bound in _MAIN else 'level'}")
    return {"where": _on("where", bound, words), "works": works, "wasted": wasted}


def _on(what: str, bound: str, words: Words) -> str:
    """Return a phrase on a bound: one of the two roofs, or the level of a cache."""
    return words.say(f"{what}.{bound}") if bound in _MAIN else words.say(f"{what}.level", level=bound)
