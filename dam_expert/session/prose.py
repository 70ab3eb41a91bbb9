"""Answers in free words: what they state is taken, and said as it was understood."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.answering import is_han
from dam_expert.documents.diagnosis import extent
from dam_expert.documents.intervals import Interval
from dam_expert.prose.levers import levers_in
from dam_expert.prose.report import understand_text
from dam_expert.prose.words import significant, tokens
from dam_expert.reports.model import Line
from dam_expert.session.speech import holds_any, spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.incident import Incident, Target
    from dam_expert.documents.observations import Observation
    from dam_expert.prose import Understanding, Vocabulary
    from dam_expert.reports import Glossary
    from dam_expert.reports.model import Item

SESSION: Final = "session"
#: Fewer words, or fewer letters where words are not parted by blanks, are a slip in an answer and no description.
_LEAST_WORDS: Final = 3
_LEAST_LETTERS: Final = 5
_SHOWN: Final = 6
_CLAUSES: Final = re.compile(r"[,;](?=\s)|[.!?](?=\s|$)|[，。；！？\n]")


def is_prose(text: str) -> bool:
    """Whether an answer is long enough to be a description in words.

    >>> is_prose("the workers wait for the disk"), is_prose("45 %"), is_prose("训练时显卡空闲")
    (True, False, True)
    """
    words = re.findall(r"[^\W\d_]{2,}", text)
    han = sum(map(is_han, text))
    return len(words) >= _LEAST_WORDS or han >= _LEAST_LETTERS


def read_words(vocabulary: Vocabulary, text: str) -> Understanding | None:
    """Return what a description states; None where it is none, or nothing in it was understood."""
    if not is_prose(text):
        return None
    report = understand_text(text, SESSION, vocabulary)
    done = _done(vocabulary, text)
    report = dataclasses.replace(report, tried=tuple(one for one in report.tried if one.lever in done))
    return report if holds_something(report) else None


def _done(vocabulary: Vocabulary, text: str) -> frozenset[str]:
    """Return the levers that a text says were pulled: their own clause tells an act, or what an act gave.

    A line typed at a question is mostly a complaint: that one device is slow tells of no change to one device.
    """
    acts = spoken("answer.acted")
    return frozenset(
        mention.meaning
        for clause in _CLAUSES.split(text)
        if holds_any(clause, acts)
        for mention in levers_in(significant(tokens(clause)), clause, vocabulary)
    )


def holds_something(report: Understanding) -> bool:
    """Whether anything was understood of a report."""
    return bool(report.settings or report.findings or report.tried or report.planned or report.readings)


def with_report(incident: Incident, report: Understanding) -> Incident:
    """Return the incident with what a report says, in place of what the session was told of the same things."""
    settings = tuple(one.observation for one in report.settings)
    found = tuple(one.observation for one in report.findings)
    found = tuple(one for one in found if not _pointed_before(incident, one))
    found += tuple(one for reading in report.readings for one in reading.observations)
    named = {one.measurement for one in (*settings, *found)}

    def others(told: tuple[Observation, ...]) -> tuple[Observation, ...]:
        return tuple(one for one in told if one.measurement not in named or one.origin.file != SESSION)

    return dataclasses.replace(
        incident,
        target=incident.target or report.target,
        workload=(*others(incident.workload), *settings),
        observations=(*others(incident.observations), *found),
        answers=tuple(pair for pair in incident.answers if pair[0] not in named),
        planned=(*incident.planned, *report.planned),
        tried=(*incident.tried, *report.tried),
    )


def _pointed_before(incident: Incident, found: Observation) -> bool:
    """Whether words pointed more strongly there before: what is told of something else takes nothing of that away."""
    if found.given or not isinstance(found.value, Interval):
        return False
    before = [one.value for one in incident.observations if one.measurement == found.measurement and not one.given]
    return any(isinstance(value, Interval) and value.lo > found.value.lo for value in before)


def states_something(report: Understanding) -> bool:
    """Whether a report states more than the direction that its words point in."""
    found = any(one.observation.given for one in (*report.settings, *report.findings))
    return found or bool(report.tried or report.planned or report.questions or report.readings)


def without_measurement(report: Understanding, name: str) -> Understanding:
    """Return a report without the values of one measurement."""
    return dataclasses.replace(
        report, findings=tuple(one for one in report.findings if one.observation.measurement != name)
    )


def target_lines(words: Glossary, target: Target) -> Iterator[Line]:
    """Say what is missed, as far as it is known."""
    metric = target.metric or ""
    known = {
        name: words.value(metric, extent(value))
        for name, value in (("actual", target.actual), ("wanted", target.wanted))
        if value is not None
    }
    if known:
        yield Line(words.say(f"missed.{'_'.join(known)}", metric=words.title(metric), **known))


def understood_items(words: Glossary, report: Understanding) -> Iterator[Item]:
    """Yield what was understood, one line for each value: it can be corrected by ``change``."""
    stated = [one.observation for one in (*report.settings, *report.findings) if one.observation.given]
    others = (*report.tried, *report.planned, *report.questions)
    yield Line(words.say("session.understood" if stated or others else "session.understood_direction"))
    if report.target is not None and report.target.metric is not None:
        yield from target_lines(words, report.target)
    for one in stated[:_SHOWN]:
        text = words.say("joined", label=words.title(one.measurement), text=words.observed(one))
        yield Line(f"{text} ({words.say(f'basis.{one.basis}')}) [{one.measurement}]", mark="-")
    if len(stated) > _SHOWN:
        yield Line(words.say("session.more_causes", n=len(stated) - _SHOWN), mark="-")
    for attempt in report.tried:
        yield Line(words.say("session.noted.tried", lever=attempt.lever), mark="-")
    for plan in report.planned:
        yield Line(words.say("session.noted.planned", lever=plan.lever), mark="-")
    for question in report.questions[:_SHOWN]:
        yield Line(f"{question.text}; {question.hint}", mark="?")
