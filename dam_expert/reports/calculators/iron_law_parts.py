"""The iron law of several phases, and of an observed step, as pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports.calculators.words import spoken
from dam_expert.reports.glossary import duration, factor, share
from dam_expert.reports.model import Bar, Line, Section, Tone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.physics.answers.iron_law import IronLaw
    from dam_expert.physics.answers.step_parts import Part, StepParts
    from dam_expert.reports.calculators.words import Words


def phase_sections(found: Sequence[tuple[str, IronLaw]], words: Words | None = None) -> tuple[Section, ...]:
    """Return the page of phases that run one after another: each with its terms, and the bounds of all."""
    words = words or spoken()
    total = sum(answer.sequential_s for _, answer in found)
    bound = sum(answer.bound_s for _, answer in found)
    bars = []
    for name, answer in found:
        part = answer.sequential_s / total
        told = words.say("phases.bar", name=words.say(f"term.{answer.binding}"))
        text = f"{words.seconds(answer.sequential_s):>8}{words.say('comma')}{told}"
        bars.append(Bar(label=name, low=part, high=part, text=text))
    largest, heaviest = max(found, key=lambda each: each[1].bound_s)
    gain = words.at_most(total / bound)
    bounds = words.say("phases.total", total=words.seconds(total), bound=words.seconds(bound), gain=gain)
    first = words.say("phases.largest", phase=largest, name=words.say(f"term.{heaviest.binding}"))
    return (
        Section(
            id="phases", title=words.say("phases.title"), items=(Line(first, tone=Tone.STRONG), *bars, Line(bounds))
        ),
    )


def part_sections(answer: StepParts, words: Words | None = None) -> tuple[Section, ...]:
    """Return the page of an observed step; the titles of its parts are texts of the base."""
    words = words or spoken()
    bars = [
        Bar(label=words.text(each.title), low=each.share[0], high=each.share[1], text=share(each.share))
        for each in answer.parts
    ]
    low, high = answer.residual
    bars.append(Bar(label=words.say("parts.residual"), low=low, high=high, text=share(answer.residual)))
    time = answer.total_s
    total = [] if time is None else [Line(words.say("parts.total", time=duration(time)))]
    gains = [Line(_gain(each, words), mark="-") for each in answer.parts if each.share[1] > 0]
    note = Line(words.say("parts.note"), tone=Tone.FAINT)
    return (
        Section(id="parts", title=words.say("parts.title"), items=(*total, *bars)),
        Section(id="levers", title=words.say("parts.levers"), items=(*gains, note)),
    )


def _gain(each: Part, words: Words) -> str:
    title, terms = words.text(each.title), _terms(each.terms, words)
    if each.gain is None:
        return words.say("parts.roof", title=title, terms=terms)
    low, high = each.gain
    return words.say("parts.gain", title=title, terms=terms, gain=factor(low if low == high else (low, high)))


def _terms(terms: Sequence[str], words: Words) -> str:
    """Name the terms that a part may belong to."""
    said = ""
    for term in terms:
        name = words.say(f"term.{term}")
        said = words.say("parts.or", first=said, second=name) if said else name
    return said or words.say("parts.no_term")
