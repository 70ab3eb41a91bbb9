"""Ending well: the cause with its levers, or the best shortlist with what could not be measured; no whole report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.reports.advice import acting
from dam_expert.reports.causes import ranking_section, why_section
from dam_expert.reports.model import Line, Tone
from dam_expert.reports.verdict import verdict_section
from dam_expert.session.answers import absence_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.diagnosis import Diagnosis, HypothesisReport, LeverAdvice
    from dam_expert.kb.base import Base
    from dam_expert.reports import Glossary
    from dam_expert.reports.model import Item
    from dam_expert.session.state import State

_LEVERS: Final = 2
_WASTED: Final = 3
_MISSING: Final = 5
_NAMED: Final = 3
#: So many answers in a row without a value are a moment to say what is known by then.
_ROW: Final = 5


def ending(words: Glossary, diagnosis: Diagnosis) -> tuple[Item, ...]:
    """Return what is said when a verdict is reached, or when nothing is left to measure."""
    items: list[Item] = [Line(""), *verdict_section(diagnosis, words).items]
    if diagnosis.binding is not None:
        items += _what_to_do(diagnosis, words)
    elif diagnosis.status == "no_fault":
        items += [item for item in why_section(diagnosis, words).items if isinstance(item, Line)][:_WASTED]
    elif diagnosis.status != "resolved":
        items += _shortlist(diagnosis, words)
    return (*items, Line(words.say("session.whole_report"), tone=Tone.FAINT))


def _what_to_do(diagnosis: Diagnosis, words: Glossary) -> Iterator[Item]:
    """Yield the levers that work, each with its ceiling and how to verify it, and what would be wasted."""
    levers = acting(diagnosis)
    for place, lever in enumerate(levers[:_LEVERS], 1):
        yield Line(_named(lever, words), mark=f"{place}.", tone=Tone.STRONG)
        if lever.how:
            yield Line(words.text(lever.how), depth=1)
        if lever.verify_by:
            yield Line(words.say("lever.verify", how=words.text(lever.verify_by)), depth=1)
    if len(levers) > _LEVERS:
        more = words.say("semicolon").join(
            f"{place}. {words.sentence(one.title)}" for place, one in enumerate(levers, 1) if place > _LEVERS
        )
        yield Line(words.say("session.more_levers", titles=more), tone=Tone.FAINT)
    wasted = sorted((one for one in diagnosis.levers if one.effect == "wasted"), key=lambda one: one.planned is None)
    if wasted:
        titles = words.say("semicolon").join(words.sentence(one.title) for one in wasted[:_WASTED])
        yield Line(words.say("joined", label=words.say("title.wasted"), text=titles), tone=Tone.WARNING)


def _named(lever: LeverAdvice, words: Glossary) -> str:
    known = lever.ceiling is not None
    gain = words.say("step.at_most", factor=words.factor(lever.ceiling)) if known else words.say("step.no_gain")
    parts = [gain, words.text(lever.effort)] if lever.effort else [gain]
    return words.say("session.lever", lever=words.sentence(lever.title), gain=words.say("comma").join(parts))


def lost_for_now(base: Base, state: State) -> bool:
    """Whether the last answers, five or ten or so in a row, were all that it is not known."""
    row = 0
    for asked, given in reversed(state.turns):
        if asked not in base.measurements or absence_in(base, asked, given) is None:
            break
        row += 1
    return row > 0 and row % _ROW == 0


def shortlist_so_far(words: Glossary, diagnosis: Diagnosis) -> Iterator[Item]:
    """Yield what can be said while more is asked: what is proven, what else is likely, and that one may stop here."""
    proven = [one for one in diagnosis.hypotheses if one.status == "confirmed"]
    likely = [one for one in diagnosis.hypotheses if one.status == "supported" or _is_nearer(one)]
    named = False
    for key, ones in (("session.so_far_proven", proven), ("session.so_far", likely)):
        titles = words.say("semicolon").join(words.sentence(one.title) for one in ones[:_NAMED])
        if titles:
            named = True
            yield Line(words.say(key, titles=titles))
    if not named:
        yield Line(words.say("session.so_far_nothing"))
    yield Line(words.say("session.may_stop", n=len(diagnosis.next_measurements)), tone=Tone.FAINT)


def _is_nearer(one: HypothesisReport) -> bool:
    return one.status not in ("confirmed", "refuted") and one.score > 0


def _shortlist(diagnosis: Diagnosis, words: Glossary) -> Iterator[Item]:
    """Yield the causes that are left, and what was not to be had that would have told them apart."""
    yield from ranking_section(diagnosis, words).items
    missing = list(dict.fromkeys(name for one in diagnosis.hypotheses if one.status != "refuted" for name in one.open))
    if missing:
        titles = words.say("semicolon").join(words.title(name) for name in missing[:_MISSING])
        more = len(missing) - _MISSING
        key = "session.missing_more" if more > 0 else "session.missing"
        yield Line(words.say(key, titles=titles, n=more) if more > 0 else words.say(key, titles=titles))
