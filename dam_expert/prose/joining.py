"""From an understood report to the incident document, and to the messages about what stays open."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.documents.messages import Level, Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.incident import Incident
    from dam_expert.prose.understood import Understanding


def joined_with(incident: Incident, reports: Sequence[Understanding]) -> Incident:
    """Return an incident with what reports say beside it: what its own file states stays, and the rest is added."""
    for report in reports:
        pasted = [each for reading in report.readings for each in reading.observations]
        incident = dataclasses.replace(
            incident,
            title=incident.title or report.title,
            target=incident.target or report.target,
            workload=(*incident.workload, *(each.observation for each in report.settings)),
            observations=(*incident.observations, *(each.observation for each in report.findings), *pasted),
            planned=(*incident.planned, *report.planned),
            tried=(*incident.tried, *report.tried),
        )
    return incident


def said_of(report: Understanding) -> Iterator[Message]:
    """Yield what is to be said of a report: what ended it early, and its ambiguous values as questions."""
    yield from report.messages
    for reading in report.readings:
        yield from reading.messages
    for question in report.questions:
        yield Message(
            file=report.file,
            line=question.span.line,
            column=question.span.start + 1,
            level=Level.NOTE,
            text=question.text,
            hint=question.hint,
            code="ambiguous",
        )
