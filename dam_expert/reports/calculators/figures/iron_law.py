"""The iron law as bars: the terms one after another and perfectly overlapped, before and after the levers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dam_expert.physics.iron_law import Term
from dam_expert.reports.calculators.figures.canvas import BLACK, BLUE, GREY, ORANGE, PALE, RED, canvas, content
from dam_expert.reports.calculators.words import spoken

if TYPE_CHECKING:
    from dam_expert.physics.answers.iron_law import Change, IronLaw
    from dam_expert.reports.calculators.words import Words

_COLORS = {Term.DATA_MOVEMENT: BLUE, Term.COMPUTE: ORANGE, Term.LATENCY: GREY}
_INK = {Term.DATA_MOVEMENT: "white", Term.COMPUTE: BLACK, Term.LATENCY: "white"}
_SCALES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_NARROW = 0.09
_ROOM = 1.18
_MOST_NAMED = 2


def iron_law_figure(answer: IronLaw, change: Change | None, ending: str, words: Words | None = None) -> bytes:
    """Draw the answer as ``svg`` or ``png``; with a change, what is after it stands below."""
    words = words or spoken()
    rows = [(words.say("picture.sequential"), answer, False), (words.say("picture.overlapped"), answer, True)]
    if change is not None:
        after = [(f"{words.say('picture.after')}\n{label}", change.after, hidden) for label, _, hidden in rows]
        rows = [(f"{words.say('picture.before')}\n{label}", law, hidden) for label, law, hidden in rows] + after
    figure, axes = canvas(9.0, 1.9 + 0.62 * len(rows), (0.18, 0.97, 0.76, 0.2))
    longest = max(law.sequential_s for _, law, _ in rows)
    if answer.measured is not None:
        longest = max(longest, answer.measured.seconds)
    size, unit = next(((size, unit) for size, unit in _SCALES if longest >= size), _SCALES[-1])
    axes.set(xlim=(0, longest * _ROOM / size), ylim=(len(rows) - 0.5, -0.5))
    axes.set_yticks(range(len(rows)), [label for label, _, _ in rows])
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(words.say("picture.time", unit=unit))
    axes.grid(visible=True, axis="x", color=PALE, linewidth=0.7)
    for place, (_, law, hidden) in enumerate(rows):
        _bar(axes, place, law, size, longest, words=words, is_overlapped=hidden)
    if answer.measured is not None:
        at = answer.measured.seconds / size
        axes.axvline(at, color=RED, linewidth=1.4, linestyle="--")
        told = words.say("picture.measured", time=words.seconds(answer.measured.seconds))
        axes.text(at, 1.01, told, color=RED, fontsize=9, ha="center",
                  va="bottom", transform=axes.get_xaxis_transform())  # fmt: skip
    title = words.say("picture.law", name=words.say(f"term.{answer.binding}"))
    figure.text(0.02, 0.94, title, fontweight="bold", fontsize=12, va="center")
    figure.text(0.98, 0.94, _said(change, words), fontsize=9, va="center", ha="right", color=GREY)
    _legend(figure, words)
    return content(figure, ending)


def _bar(
    axes: Any,  # noqa: ANN401
    place: int,
    law: IronLaw,
    size: float,
    longest: float,
    *,
    words: Words,
    is_overlapped: bool,
) -> None:
    """Draw the terms of one bar; overlapped, the smaller of data movement and compute is hidden by the larger."""
    start = 0.0
    hides = max(law.of(Term.DATA_MOVEMENT), law.of(Term.COMPUTE), key=lambda term: term.seconds).term
    for each in law.terms:
        if is_overlapped and each.term not in (hides, Term.LATENCY):
            continue
        axes.barh(place, each.seconds / size, left=start, height=0.56, color=_COLORS[each.term])
        if each.seconds > longest * _NARROW:
            axes.text(start + each.seconds / size / 2, place, words.seconds(each.seconds), ha="center", va="center",
                      fontsize=9, color=_INK[each.term])  # fmt: skip
        start += each.seconds / size
    total = law.bound_s if is_overlapped else law.sequential_s
    axes.text(start + longest / size * 0.012, place, words.seconds(total), ha="left", va="center", fontsize=9,
              fontweight="bold", color=BLACK)  # fmt: skip


def _said(change: Change | None, words: Words) -> str:
    """Return what the levers give; of more than two only how many there are."""
    if change is None:
        return ""
    levers = words.say("comma").join(f"{variable} × {factor:g}" for variable, factor in change.levers)
    what = levers if len(change.levers) <= _MOST_NAMED else words.say("picture.levers", n=len(change.levers))
    sequential, overlapped = words.times(change.sequential_gain), words.times(change.overlapped_gain)
    return words.say("picture.gain", what=what, sequential=sequential, overlapped=overlapped)


def _legend(figure: Any, words: Words) -> None:  # noqa: ANN401
    from matplotlib.patches import Patch

    handles = [Patch(color=color, label=words.say(f"term.{term}")) for term, color in _COLORS.items()]
    figure.legend(handles=handles, loc="upper left", bbox_to_anchor=(0.01, 0.915), ncols=3, frameon=False, fontsize=9)
