"""The roofline: rate over intensity, both logarithmic, with named roofs, ridges, and kernels sized by share of time."""

from __future__ import annotations

import math
import string
from typing import TYPE_CHECKING, Any

from dam_expert.reports.calculators.figures.canvas import BLACK, BLUE, GREY, ORANGE, PALE, canvas, content, name
from dam_expert.reports.calculators.page import amount, part
from dam_expert.reports.calculators.words import is_nothing, spoken

if TYPE_CHECKING:
    from dam_expert.physics.answers.roofline import Point, Roofline
    from dam_expert.reports.calculators.words import Words

_WIDTH, _HEIGHT = 10.0, 5.6
_BOUND = {"memory": BLUE, "compute": ORANGE}
_SMALLEST, _LARGEST = 130.0, 1500.0
_MOST_IN_KEY = 12
_NAME = 48
_ROOM, _ROOM_ALONE = 0.6, 1.6  # decades left of the least intensity


def roofline_figure(answer: Roofline, ending: str, words: Words | None = None) -> bytes:
    """Draw the answer as ``svg`` or ``png``. Kernels are lettered circles; the key beside them says what each is."""
    words = words or spoken()
    has_key = bool(answer.points)
    figure, axes = canvas(_WIDTH, _HEIGHT, (0.135, 0.64 if has_key else 0.97, 0.90, 0.17))
    left, right, bottom, top = _ranges(answer)
    axes.set(xscale="log", yscale="log", xlim=(left, right), ylim=(bottom, top))
    axes.set_xlabel(words.say("picture.intensity"))
    axes.set_ylabel(words.say("picture.rate"))
    axes.set_title(words.say("roofline.title", device=name(words.text(answer.device))), loc="left", fontweight="bold")
    axes.grid(visible=True, which="major", color=PALE, linewidth=0.7)
    _ticks(axes)
    _roofs(axes, answer, words)
    by_size = sorted(enumerate(answer.points), key=lambda each: -(each[1].time_share or 0.0))
    for number, point in by_size:  # small circles last, so that none is hidden
        _point(axes, point, number)
    for each in answer.expected:  # a shape alone: what the roofs allow it, on its roof
        axes.scatter([each.intensity], [each.attainable_flops_per_s], s=_SMALLEST, facecolor="white",
                     edgecolor=_BOUND.get(each.bound, BLUE), linewidth=1.8, zorder=3, clip_on=False)  # fmt: skip
        axes.text(each.intensity * 1.25, each.attainable_flops_per_s * 0.8, name(each.name)[:_NAME], ha="left",
                  va="top", fontsize=8.5, color=BLACK)  # fmt: skip
    if has_key:
        _key(figure, answer, words)
    figure.text(0.135, 0.03, _sources(answer, words), fontsize=7.5, color=GREY)
    return content(figure, ending)


def _ticks(axes: Any) -> None:  # noqa: ANN401
    """Write the decades with prefixes: 10 TFLOP/s, not a power of ten."""
    from matplotlib.ticker import FuncFormatter

    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: amount(value, "FLOP/s")))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def _ranges(answer: Roofline) -> tuple[float, float, float, float]:
    """Return whole decades around all ridges and points, with one to spare below the highest peak."""
    kernels = [point.kernel for point in answer.points]
    across = [ridge.intensity for ridge in answer.ridges] + [each.intensity for each in answer.expected]
    across += [each.intensity for each in kernels if each.intensity > 0]
    highest = max(peak.rate for peak in answer.peaks)
    reached = [each.achieved_flops_per_s for each in kernels if each.achieved_flops_per_s > 0]
    room = _ROOM if kernels else _ROOM_ALONE
    left = 10.0 ** math.floor(math.log10(min(across)) - room)
    right = 10.0 ** math.ceil(math.log10(max(across)) + 0.3)
    lowest = min([*reached, left * 10 * answer.bandwidth.rate])
    return left, right, 10.0 ** math.floor(math.log10(lowest) - 0.5), highest * 4


def _roofs(axes: Any, answer: Roofline, words: Words) -> None:  # noqa: ANN401
    left, right = axes.get_xlim()
    bottom, top = axes.get_ylim()
    bandwidth = answer.bandwidth.rate
    last = max(ridge.intensity for ridge in answer.ridges)
    axes.plot([left, last], [left * bandwidth, last * bandwidth], color=BLACK, linewidth=1.8)
    box = axes.get_position()
    across = box.width * _WIDTH / math.log10(right / left)
    upwards = box.height * _HEIGHT / math.log10(top / bottom)
    start = max(left, bottom / bandwidth) * 1.25
    axes.text(
        start, start * bandwidth * 1.18, f"{words.text(answer.bandwidth.name)} {amount(bandwidth, 'B/s')}",
        rotation=math.degrees(math.atan2(upwards, across)), rotation_mode="anchor", ha="left", va="bottom", fontsize=9,
    )  # fmt: skip
    for peak, ridge in zip(answer.peaks, answer.ridges, strict=True):
        axes.plot([ridge.intensity, right], [peak.rate, peak.rate], color=BLACK, linewidth=1.8)
        told = words.say("picture.peak", name=name(words.text(peak.name)), rate=amount(peak.rate, "FLOP/s"))
        axes.text(right, peak.rate * 1.1, told,
                  ha="right", va="bottom", fontsize=9)  # fmt: skip
        axes.plot([ridge.intensity] * 2, [bottom, peak.rate], color=GREY, linewidth=0.9, linestyle=":")
        told = words.say("picture.ridge", intensity=f"{ridge.intensity:.0f} FLOP/byte")
        axes.text(ridge.intensity * 1.06, bottom * 1.3, told,
                  rotation=90, ha="left", va="bottom", fontsize=8, color=GREY)  # fmt: skip


def _letter(number: int) -> str:
    return string.ascii_lowercase[number] if number < len(string.ascii_lowercase) else ""


def _point(axes: Any, point: Point, number: int) -> None:  # noqa: ANN401
    """Draw a kernel, and the way that is left up to its roof."""
    kernel, color = point.kernel, _BOUND.get(point.bound, BLUE)
    if kernel.intensity <= 0 or kernel.achieved_flops_per_s <= 0:
        return
    size = _SMALLEST + (_LARGEST - _SMALLEST) * (point.time_share or 0.0)
    axes.plot([kernel.intensity] * 2, [kernel.achieved_flops_per_s, point.attainable_flops_per_s],
              color=color, linewidth=1.2, linestyle="--")  # fmt: skip
    axes.scatter([kernel.intensity], [kernel.achieved_flops_per_s], s=size, color=color, edgecolor="white",
                 linewidth=1.0, alpha=0.9, zorder=3, clip_on=False)  # fmt: skip
    axes.text(kernel.intensity, kernel.achieved_flops_per_s, _letter(number), color="white", ha="center",
              va="center_baseline", fontsize=9, fontweight="bold", zorder=4)  # fmt: skip


def _key(figure: Any, answer: Roofline, words: Words) -> None:  # noqa: ANN401
    """Write what each letter is beside the picture: the names never cover each other or a roof."""
    shown = answer.points[:_MOST_IN_KEY]
    figure.text(0.665, 0.875, words.say("picture.most_first"), fontsize=9, color=GREY)
    row = 0.84
    for number, point in enumerate(shown):
        color = _BOUND.get(point.bound, BLUE)
        figure.text(0.665, row - 0.018, _letter(number), fontsize=10, fontweight="bold", color=color)
        figure.text(0.685, row - 0.018, name(words.text(point.kernel.name)), fontsize=9.5, color=BLACK)
        figure.text(0.685, row - 0.046, _said(point, words), fontsize=8, color=GREY)
        row -= 0.06
    if len(answer.points) > len(shown):
        figure.text(
            0.685, row - 0.018, words.say("picture.more", n=len(answer.points) - len(shown)), fontsize=8, color=GREY
        )
    figure.text(0.665, 0.105, words.say("picture.dashed"), fontsize=8, color=GREY)
    figure.text(0.665, 0.075, words.say("picture.blue"), fontsize=8, color=BLUE)
    figure.text(0.665, 0.045, words.say("picture.orange"), fontsize=8, color="#9a6a00")
    if any(point.time_share is not None for point in answer.points):
        figure.text(0.665, 0.015, words.say("picture.area"), fontsize=8, color=GREY)


def _said(point: Point, words: Words) -> str:
    on_roof = is_nothing(point.gap)
    gap = words.say("picture.on_roof") if on_roof else words.say("picture.below", gain=words.times(point.gap))
    gap = words.say("picture.idle") if math.isinf(point.gap) else gap
    return gap if point.time_share is None else words.say("picture.share", share=part(point.time_share), gap=gap)


def _sources(answer: Roofline, words: Words) -> str:
    told = dict.fromkeys([*(peak.source for peak in answer.peaks), answer.bandwidth.source])
    return words.say("picture.sources", sources="; ".join(map(words.text, told)))
