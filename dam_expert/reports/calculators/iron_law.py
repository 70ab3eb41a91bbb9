"""The iron law as a page: the terms, which binds, what overlap and each lever give at most, what is wasted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dam_expert.reports.calculators.page import part
from dam_expert.reports.calculators.words import is_nothing, spoken
from dam_expert.reports.model import Bar, Line, Section, Tone
from dam_expert.reports.phrasing import capital

if TYPE_CHECKING:
    from dam_expert.physics.answers.iron_law import Change, IronLaw, Measured, TermShare
    from dam_expert.reports.calculators.words import Words


def sections(answer: IronLaw, change: Change | None = None, words: Words | None = None) -> tuple[Section, ...]:
    """Return the page of a step, and of what levers would do to it."""
    words = words or spoken()
    found = [_terms(answer, words), _gains(answer, words)]
    if answer.measured is not None:
        found.insert(1, _measured(answer.measured, words))
    if change is not None:
        found.append(_change(answer, change, words))
    return tuple(found)


def binds(answer: IronLaw, words: Words | None = None) -> str:
    """Return the sentence that names the binding term."""
    words = words or spoken()
    name = capital(words.say(f"term.{answer.binding}"))
    share = part(answer.of(answer.binding).share)
    if answer.margin == 1:
        return words.say("law.equal", name=name, share=share)
    alone = math.isinf(answer.margin)
    ahead = words.say("law.only") if alone else words.say("law.ahead", gain=words.times(answer.margin))
    return words.say("law.binds", name=name, share=share, ahead=ahead)


def _terms(answer: IronLaw, words: Words) -> Section:
    bars = [
        Bar(
            label=words.say(f"term.{each.term}"),
            low=each.share,
            high=each.share,
            text=f"{words.seconds(each.seconds):>8}  {part(each.share):>6}",
        )
        for each in answer.terms
    ]
    total, bound = words.seconds(answer.sequential_s), words.seconds(answer.bound_s)
    bounds = words.say("law.total", total=total, bound=bound, gain=words.at_most(answer.overlap_gain))
    first = Line(binds(answer, words), tone=Tone.STRONG)
    return Section(id="terms", title=words.say("law.title"), items=(first, *bars, Line(bounds)))


def _measured(measured: Measured, words: Words) -> Section:
    items = [Line(words.say("law.measured", time=words.seconds(measured.seconds)))]
    if measured.unexplained_s > 0:
        time, share = words.seconds(measured.unexplained_s), part(measured.unexplained_s / measured.seconds)
        items.append(Line(words.say("law.unexplained", time=time, share=share), tone=Tone.WARNING))
    elif measured.overlap_achieved is not None:
        items.append(Line(words.say("law.achieved", share=part(measured.overlap_achieved))))
    items.append(Line(words.say("law.left", gain=words.at_most(measured.gain_left))))
    return Section(id="measured", title=words.say("law.measured.title"), items=tuple(items))


def _gains(answer: IronLaw, words: Words) -> Section:
    ranked = sorted(answer.terms, key=lambda each: (-each.overlapped_gain, -each.sequential_gain))
    lines = [Line(_gain(each, words), mark="-", tone=_tone(each)) for each in ranked if each.seconds > 0]
    return Section(id="levers", title=words.say("law.levers"), items=tuple(lines))


def _tone(each: TermShare) -> Tone:
    return Tone.FAINT if is_nothing(each.overlapped_gain) else Tone.PLAIN


def _gain(each: TermShare, words: Words) -> str:
    name, lever = words.say(f"term.{each.term}"), words.say(f"lever.{each.term}")
    sequential, overlapped = words.times(each.sequential_gain), words.times(each.overlapped_gain)
    if is_nothing(each.overlapped_gain):
        return words.say("law.hidden", name=name, lever=lever, sequential=sequential)
    return words.say("law.gain", name=name, lever=lever, sequential=sequential, overlapped=overlapped)


def _change(before: IronLaw, change: Change, words: Words) -> Section:
    after = change.after
    sequential, overlapped = words.times(change.sequential_gain), words.times(change.overlapped_gain)
    what = words.say("comma").join(f"{variable} × {factor:g}" for variable, factor in change.levers)
    items = [Line(words.say("law.change", what=what, sequential=sequential, overlapped=overlapped))]
    for key, law in (("law.before", before), ("law.after", after)):
        times = (f"{words.say(f'term.{each.term}')} {words.seconds(each.seconds)}" for each in law.terms)
        bounds = words.span(words.seconds(law.bound_s), words.seconds(law.sequential_s))
        items.append(Line(words.say(key, terms=words.say("comma").join(times), bounds=bounds), mark="-"))
    if is_nothing(change.overlapped_gain):
        items.append(Line(words.say("law.unchanged"), tone=Tone.WARNING))
    elif after.binding is not before.binding:
        items.append(Line(words.say("law.then", name=words.say(f"term.{after.binding}"))))
    return Section(id="change", title=words.say("law.change.title"), items=tuple(items))
