"""Observations: one value of one measurement, with how it is known and where it came from.

Readers, sessions, incident files and free text all end here; the engine starts here.
"""

from __future__ import annotations

import dataclasses
import enum
from typing import TypeAlias

from dam_expert.documents.intervals import Interval

#: A numeric value in the canonical unit of its measurement, or the word of a category
#: (flags are the words ``true`` and ``false``).
Value: TypeAlias = Interval | str

#: Who a value belongs to: ``(("device", "0"), ("stage", "decode"))``, sorted by name. Empty: the whole job.
Scope: TypeAlias = tuple[tuple[str, str], ...]


class Basis(enum.StrEnum):
    """How a value is known, best first."""

    TOOL = "tool"
    """Read from a tool's output."""
    REPORTED = "reported"
    """A number that a person, a file or a table gives for a named measurement."""
    SAID = "said"
    """Words, hedged, second-hand or doubted."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where a value was found. ``line`` counts from 1; ``tool`` names the reader; ``detail``: how it was derived."""

    file: str
    line: int | None = None
    tool: str | None = None
    detail: str | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One value of a measurement. ``when`` orders observations of one thing at several times (ISO 8601 or None).

    ``complaint`` is set when the value as given cannot be one of the measurement (a share of 140 %, a word in
    the place of a number): the value is then None, and the observation is listed under *rejected*.
    """

    measurement: str
    value: Value | None
    origin: Origin
    basis: Basis = Basis.TOOL
    scope: Scope = ()
    when: str | None = None
    samples: int | None = None
    """On how many readings, requests, launches or the like the value rests; None where that is not said."""
    given: str | None = None
    """The value as it was written, kept for the reader of a report."""
    complaint: str | None = None
