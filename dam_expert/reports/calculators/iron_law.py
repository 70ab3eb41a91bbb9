"""The iron law as a page: the terms, which binds, what overlap and each lever give at most, what is wasted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dam_expert.physics.iron_law import Term
from dam_expert.reports.calculators.page import at_most, part, seconds, times
from dam_expert.reports.model import Bar, Line, Section, Tone

if TYPE_CHECKING:
    from dam_expert.physics.answers.iron_law import Change, IronLaw, Measured, TermShare

NAMES = {Term.DATA_MOVEMENT: "data movement", Term.COMPUTE: "compute", Term.LATENCY: "latency"}
_LEVERS = {
    Term.DATA_MOVEMENT: "fewer bytes or more bandwidth",
    Term.COMPUTE: "fewer operations, a higher peak or better efficiency",
    Term.LATENCY: "fewer launches and synchronisations, less serial depth",
}


def sections(answer: IronLaw, change: Change | None = None) -> tuple[Section, ...]:
    """Return the page of a step, and of what levers would do to it."""
    found = [_terms(answer), _gains(answer)]
    if answer.measured is not None:
        found.insert(1, _measured(answer, answer.measured))
    if change is not None:
        found.append(_change(answer, change))
    return tuple(found)


def binds(answer: IronLaw) -> str:
    """Return the sentence that names the binding term."""
    name = NAMES[answer.binding]
    name = name[0].upper() + name[1:]
    share = part(answer.of(answer.binding).share)
    if answer.margin == 1:
        return f"{name} binds together with an equal term: {share} of the sum each."
    ahead = "the only term" if math.isinf(answer.margin) else f"{times(answer.margin)} the next term"
    return f"{name} binds: {share} of the sum, {ahead}."


def _terms(answer: IronLaw) -> Section:
    bars = [
        Bar(
            label=NAMES[each.term],
            low=each.share,
            high=each.share,
            text=f"{seconds(each.seconds):>8}  {part(each.share):>6}",
        )
        for each in answer.terms
    ]
    total = (
        f"One after another {seconds(answer.sequential_s)}; with data movement and compute perfectly overlapped at "
        f"least {seconds(answer.bound_s)}. Overlap alone gives {at_most(answer.overlap_gain)}."
    )
    return Section(id="terms", title="Iron law", items=(Line(binds(answer), tone=Tone.STRONG), *bars, Line(total)))


def _measured(answer: IronLaw, measured: Measured) -> Section:
    items = [Line(f"Measured {seconds(measured.seconds)}.")]
    if measured.unexplained_s > 0:
        unexplained = seconds(measured.unexplained_s)
        items.append(
            Line(
                f"{unexplained} ({part(measured.unexplained_s / measured.seconds)}) lie beyond the sum of the terms: "
                "waits that are no term here, or a lower efficiency or bandwidth than stated.",
                tone=Tone.WARNING,
            )
        )
    elif measured.overlap_achieved is not None:
        items.append(Line(f"That is {part(measured.overlap_achieved)} of the overlap that is possible."))
    items.append(Line(f"Perfect overlap can still give {at_most(measured.gain_left)} on it."))
    return Section(id="measured", title="Against the measured time", items=tuple(items))


def _gains(answer: IronLaw) -> Section:
    ranked = sorted(answer.terms, key=lambda each: (-each.overlapped_gain, -each.sequential_gain))
    lines = [Line(_gain(each), mark="-", tone=_tone(each)) for each in ranked if each.seconds > 0]
    return Section(id="levers", title="What removing a term would give at most", items=tuple(lines))


def _tone(each: TermShare) -> Tone:
    return Tone.FAINT if times(each.overlapped_gain) == "nothing" else Tone.PLAIN


def _gain(each: TermShare) -> str:
    said = f"{NAMES[each.term]} ({_LEVERS[each.term]}): {times(each.sequential_gain)} one after another"
    if times(each.overlapped_gain) == "nothing":
        return f"{said}; wasted where the two overlap, since the other one hides it"
    return f"{said}, {times(each.overlapped_gain)} overlapped"


def _change(before: IronLaw, change: Change) -> Section:
    after = change.after
    gains = f"{times(change.sequential_gain)} one after another, {times(change.overlapped_gain)}"
    what = ", ".join(f"{variable} × {factor:g}" for variable, factor in change.levers)
    items = [Line(f"{what} gives {gains} overlapped.")]
    for title, law in (("before", before), ("after", after)):
        terms = ", ".join(f"{NAMES[each.term]} {seconds(each.seconds)}" for each in law.terms)
        items.append(Line(f"{title}: {terms}; {seconds(law.bound_s)} to {seconds(law.sequential_s)}", mark="-"))
    if times(change.overlapped_gain) == "nothing":
        items.append(Line("Wasted where the terms overlap: the binding term is unchanged.", tone=Tone.WARNING))
    elif after.binding is not before.binding:
        items.append(Line(f"After it {NAMES[after.binding]} binds."))
    return Section(id="change", title="With the levers", items=tuple(items))
