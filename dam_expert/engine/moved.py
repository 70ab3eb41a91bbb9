"""Which verdicts move between two bases: the same incidents, diagnosed with each."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.diagnose import diagnose

if TYPE_CHECKING:
    from dam_expert.documents.diagnosis import Diagnosis
    from dam_expert.documents.incident import Incident
    from dam_expert.kb.base import Base


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The verdict of one incident in short: its status, what binds or is first, what to measure next."""

    status: str
    cause: str | None
    next: str | None

    def __str__(self) -> str:
        return f"{self.status} {self.cause or '-'} (next: {self.next or '-'})"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One incident with its verdict under both bases."""

    incident: str
    before: Verdict
    after: Verdict

    @property
    def moves(self) -> bool:
        """Whether the verdict is another."""
        return self.before != self.after


def verdict_of(base: Base, incident: Incident) -> Verdict:
    """Return the verdict of an incident under a base."""
    return _short(diagnose(base, incident, executor=CountingExecutor(base.program)))


def _short(diagnosis: Diagnosis) -> Verdict:
    first = diagnosis.hypotheses[0].id if diagnosis.hypotheses else None
    following = diagnosis.next_measurements[0].measurement if diagnosis.next_measurements else None
    cause = diagnosis.binding.hypothesis if diagnosis.binding is not None else first
    return Verdict(status=diagnosis.status, cause=cause, next=following)
