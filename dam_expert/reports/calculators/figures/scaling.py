"""The scaling fit: losses over size with the fitted law, its band, the floor, and what was predicted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dam_expert.reports.calculators.figures.canvas import BLACK, BLUE, GREY, ORANGE, PALE, RED, canvas, content
from dam_expert.reports.calculators.page import count, part
from dam_expert.reports.calculators.words import spoken

if TYPE_CHECKING:
    from dam_expert.physics.answers.scaling import Fit
    from dam_expert.reports.calculators.words import Words

_ROOM = 0.08


def scaling_figure(answer: Fit, over: str, ending: str, words: Words | None = None) -> bytes:
    """Draw the fit as ``svg`` or ``png``; past the fitted range the curve is dashed."""
    words = words or spoken()
    figure, axes = canvas(9.0, 5.4, (0.09, 0.97, 0.88, 0.12))
    law, band = answer.law, answer.band
    sizes = np.asarray(answer.sizes)
    losses = np.asarray(answer.losses)
    is_fitted = (sizes >= law.smallest) & (sizes <= law.largest)
    axes.set_xscale("log")
    axes.fill_between(band.sizes, band.lower, band.upper, color=BLUE, alpha=0.15, linewidth=0,
                      label=words.say("picture.band", level=part(band.confidence)))  # fmt: skip
    inside = np.geomspace(law.smallest, law.largest, 100)
    axes.plot(inside, law.curve(inside), color=BLUE, linewidth=1.8, label=_law(answer, over, words))
    _past(axes, answer, words)
    axes.scatter(sizes[is_fitted], losses[is_fitted], color=BLACK, s=32, zorder=3, label=words.say("picture.fitted"))
    if not is_fitted.all():
        axes.scatter(sizes[~is_fitted], losses[~is_fitted], s=42, facecolor="white", edgecolor=RED,
                     linewidth=1.6, zorder=3, label=words.say("picture.held_out"))  # fmt: skip
    for number, each in enumerate(answer.predictions):
        axes.errorbar([each.size], [each.loss], yerr=[[each.loss - each.lower], [each.upper - each.loss]], fmt="D",
                      color=ORANGE, markersize=6, capsize=4, zorder=4,
                      label="" if number else words.say("picture.predicted"))  # fmt: skip
        told = words.say("picture.at", loss=f"{each.loss:.3g}", size=count(each.size))
        axes.annotate(told, (each.size, each.upper), xytext=(0, 6),
                      textcoords="offset points", ha="center", va="bottom", fontsize=9)  # fmt: skip
    axes.axhline(law.floor, color=GREY, linewidth=0.9, linestyle=":")
    floor = words.say("picture.floor", loss=f"{law.floor:.3g}")
    axes.annotate(floor, (1.0, law.floor), xycoords=("axes fraction", "data"), xytext=(-4, 3),
                  textcoords="offset points", ha="right", va="bottom", fontsize=9, color=GREY)  # fmt: skip
    _frame(axes, answer, over, words)
    return content(figure, ending)


def _past(axes: Any, answer: Fit, words: Words) -> None:  # noqa: ANN401
    """Draw the curve outside the fitted range, dashed."""
    law, band = answer.law, answer.band
    label = words.say("picture.past")
    for first, last in ((band.sizes[0], law.smallest), (law.largest, band.sizes[-1])):
        if last > first * 1.001:
            beyond = np.geomspace(first, last, 50)
            axes.plot(beyond, law.curve(beyond), color=BLUE, linewidth=1.6, linestyle="--", label=label)
            label = ""


def _law(answer: Fit, over: str, words: Words) -> str:
    """Write the law; only English words can stand beside mathematics, whose font has no other letters."""
    law = answer.law
    if words.wording.language != "en":
        constants = {"floor": law.floor, "coefficient": law.coefficient, "exponent": law.exponent}
        written = {name: f"{value:.3g}" for name, value in constants.items()}
        return words.say("scaling.law", of=words.say(f"size.{over}"), **written)
    return f"{law.floor:.3g} + {law.coefficient:.3g} × {over}$^{{-{law.exponent:.3g}}}$"


def _frame(axes: Any, answer: Fit, over: str, words: Words) -> None:  # noqa: ANN401
    highest = max([*answer.losses, *(each.upper for each in answer.predictions), float(answer.band.upper.max())])
    lowest = min([*answer.losses, answer.law.floor, *(each.lower for each in answer.predictions)])
    room = (highest - lowest) * _ROOM
    axes.set_ylim(lowest - room, highest + room)
    axes.set_xlabel(words.say(f"picture.size.{over}"))
    axes.set_ylabel(words.say("picture.loss"))
    axes.set_title(
        words.say("picture.scaling", of=words.say(f"size.{over}"), n=len(answer.sizes)), loc="left", fontweight="bold"
    )
    axes.grid(visible=True, color=PALE, linewidth=0.7)
    axes.legend(frameon=False, fontsize=9, loc="upper right")
