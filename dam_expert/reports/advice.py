"""What to do first, what would be wasted, what to measure next, and plans that contradict the diagnosis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports.model import Code, Line, Quote, Section, Tone
from dam_expert.reports.phrasing import capital, is_python

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.diagnosis import Diagnosis, LeverAdvice, NextMeasurement
    from dam_expert.reports.glossary import Glossary
    from dam_expert.reports.model import Item

_SHOWN = 3
#: The anti-pattern of work on what does not bind: it holds only as far as what leads is proven.
_WASTED = "wasted_action"


def acting(diagnosis: Diagnosis) -> list[LeverAdvice]:
    """Return the levers that work on the leading constraint, in the order of the diagnosis."""
    return [lever for lever in diagnosis.levers if lever.effect == "works"]


def block(command: str, depth: int = 0) -> Code:
    """Return a command as what it is: lines for a shell, or Python to be put into a program."""
    return Code(command.strip("\n"), "python" if is_python(command) else "sh", depth)


def first_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Name the interventions that work, with ceiling, effort, how to do and how to verify them."""
    items: list[Item] = []
    for place, lever in enumerate(acting(diagnosis)[:_SHOWN], start=1):
        items.append(Line(words.text(lever.title), mark=f"{place}.", tone=Tone.STRONG))
        items.append(Line(_gain(lever, words), depth=1))
        if lever.planned:
            items.append(Line(words.say("lever.planned", action=lever.planned), depth=1))
        if lever.how:
            items.append(Line(words.text(lever.how), depth=1))
        if lever.verify_by:
            items.append(Line(words.say("lever.verify", how=words.text(lever.verify_by)), depth=1))
    if items and is_open(diagnosis):
        items.append(Line(words.say("lever.open")))
    title = "title.levers_open" if is_open(diagnosis) else "title.levers"
    title = words.say(title if diagnosis.status == "confirmed" else "title.levers_unproven")
    return Section(id="levers", title=title, items=tuple(items))


def is_open(diagnosis: Diagnosis) -> bool:
    """Whether what binds is proven and which of its causes it is is not: its ceiling is that of all of them."""
    return diagnosis.binding is not None and diagnosis.binding.depth == "bottleneck"


def _gain(lever: LeverAdvice, words: Glossary) -> str:
    gain = words.say("lever.no_gain")
    if lever.ceiling is not None:
        gain = words.say("lever.gain", factor=words.factor(lever.ceiling))
    return words.say("lever.effort", gain=gain, effort=words.text(lever.effort)) if lever.effort else f"{gain}."


def wasted_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Name the interventions that would gain nothing here, and why; those that are planned come first."""
    wasted = [lever for lever in diagnosis.levers if lever.effect == "wasted"]
    wasted.sort(key=lambda lever: lever.planned is None)
    items: list[Item] = []
    for lever in wasted[:_SHOWN]:
        title = words.text(lever.title)
        if lever.planned:
            title = words.say("wasted.planned", title=title)
        tone = Tone.BAD if lever.planned else Tone.PLAIN
        items.append(Line(words.say("joined", label=title, text=words.text(lever.why)), mark="-", tone=tone))
    if len(wasted) > _SHOWN:
        items.append(_more(len(wasted) - _SHOWN, words))
    title = words.say("title.wasted_unproven" if _unproven(diagnosis) else "title.wasted")
    return Section(id="wasted", title=title, items=tuple(items))


def _unproven(diagnosis: Diagnosis) -> bool:
    """Whether what leads is only likely, so that nothing may be called wasted without an if."""
    return diagnosis.binding is None and diagnosis.status not in ("no_fault", "resolved")


def _more(number: int, words: Glossary) -> Line:
    return Line(words.say("more", n=number), tone=Tone.FAINT)


def unknown_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Name what is not known and would decide, with the exact command that tells."""
    items: list[Item] = []
    for place, step in enumerate(diagnosis.next_measurements[:_SHOWN], start=1):
        items += _measurement(place, step, words)
    more = len(diagnosis.next_measurements) - _SHOWN
    if more > 0:
        items.append(_more(more, words))
    return Section(id="unknown", title=words.say("title.unknown"), items=tuple(items))


def _measurement(place: int, step: NextMeasurement, words: Glossary) -> Iterator[Item]:
    name = words.say("measure.name", title=words.title(step.measurement), effort=words.minutes(step.effort_minutes))
    yield Line(name, mark=f"{place}.", tone=Tone.STRONG)
    yield Line(capital(words.text(step.why)), depth=1)
    for way in step.commands:
        if way.command:
            yield block(way.command, depth=1)
        if way.how:
            yield Line(words.text(way.how), depth=1)
    if step.disturbs:
        yield Line(words.say("measure.disturbs", what=words.text(step.disturbs)), depth=1)
    yield Line(words.say("measure.then", measurement=step.measurement), depth=1, tone=Tone.FAINT)


def anti_pattern_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Name planned actions that contradict the diagnosis; the action is quoted from the incident."""
    return _contradicting("anti_patterns", diagnosis, words, tried=False)


def attempt_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Name actions that were tried and contradict the diagnosis: nobody plans them."""
    return _contradicting("attempts", diagnosis, words, tried=True)


def _contradicting(name: str, diagnosis: Diagnosis, words: Glossary, *, tried: bool) -> Section:
    items: list[Item] = []
    for each in diagnosis.anti_patterns:
        if each.tried is not tried:
            continue
        text = words.say("joined", label=each.action, text=words.text(each.title))
        because = capital(words.text(each.because))
        if each.id == _WASTED and _unproven(diagnosis):
            because = words.say("anti_pattern.unproven", because=because)
        quotes = (Quote(each.action, ""),) if each.action else ()
        items += [Line(text, mark="!", tone=Tone.BAD, quotes=quotes), Line(because, depth=1)]
    return Section(id=name, title=words.say(f"title.{name}"), items=tuple(items))


def following_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Say what binds once the constraint that binds now is gone: confirmed ones, else the likeliest that is left."""
    if diagnosis.binding is None:
        return Section(id="following", title="", items=())
    items = [
        Line(words.say("following.confirmed", title=words.text(each.title), share=words.share(each.share)), mark="-")
        for each in diagnosis.secondary[:_SHOWN]
    ]
    now = diagnosis.binding.bottleneck
    left = [each for each in diagnosis.hypotheses if each.bottleneck != now and each.status == "supported"]
    if not items and left:
        items = [Line(words.say("following.supported", title=words.sentence(left[0].title)), mark="-")]
    return Section(id="following", title=words.say("title.following"), items=tuple(items))
