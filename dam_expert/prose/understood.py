"""What was understood of a report: observations with the text that states them, and what stays a question."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dam_expert.documents.incident import Planned, Target, Tried
    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.prose.passages import Passage
    from dam_expert.readers.interface import Reading


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one line: ``line`` from 1, columns from 0, the end not included."""

    line: int
    start: int
    end: int


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One observation and where its words stand."""

    observation: Observation
    span: Span
    tentative: int = 0
    """How likely it is of what was tried, or of a part of the job: less tentative values outweigh it."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the report leaves open: an ambiguous value with its readings. ``hint`` says how to answer."""

    span: Span
    text: str
    hint: str


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """A report as understood. ``settings`` describe the job, ``findings`` its behaviour."""

    file: str
    title: str = ""
    target: Target | None = None
    settings: tuple[Finding, ...] = ()
    findings: tuple[Finding, ...] = ()
    tried: tuple[Tried, ...] = ()
    planned: tuple[Planned, ...] = ()
    questions: tuple[Question, ...] = ()
    readings: tuple[Reading, ...] = ()
    messages: tuple[Message, ...] = ()
    passages: tuple[Passage, ...] = ()
    marked: tuple[Span, ...] = ()
    """Every stretch of text that something was taken from."""
