"""The incident as values: what is known about a job that misses its target, after reading and before reasoning."""

from __future__ import annotations

import dataclasses
import enum
from typing import TYPE_CHECKING, Protocol

from dam_expert.documents.observations import Basis

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from dam_expert.documents.intervals import Interval
    from dam_expert.documents.kinds import Kind
    from dam_expert.documents.observations import Observation, Origin

SCHEMA = "dam-incident/1"


class Vocabulary(Protocol):
    """What the knowledge base knows of measurements, as far as reading an incident needs it."""

    def resolve(self, name: str) -> str | None:
        """Return the id for an id or alias, whatever its case, spaces and underscores; None if it is not known."""

    def unit(self, measurement: str) -> str | None:
        """Return the canonical unit, or None where values are words."""

    def kind(self, measurement: str) -> Kind:
        """Return the kind, which decides how values are read."""

    def words(self, measurement: str) -> Mapping[str, Interval]:
        """Return the words that stand for ranges of values (low, idle, pegged)."""

    def categories(self, measurement: str) -> Collection[str]:
        """Return the words a category may be; empty where any word will do."""

    def is_source(self, name: str) -> bool:
        """Whether a text names what values come from: a tool, or a lever that was tried."""

    def known_ids(self) -> Iterable[str]:
        """Return every id, for suggestions."""


class Track(enum.StrEnum):
    """What the target is about."""

    TIME = "time"
    COST = "cost"
    FIT = "fit"
    QUALITY = "quality"


class Effect(enum.StrEnum):
    """What a tried action did, where no ratio is known."""

    HELPED = "helped"
    NOTHING = "nothing"
    WORSE = "worse"


class Absence(enum.StrEnum):
    """Why a measurement has no value."""

    UNKNOWN = "unknown"
    CANNOT_MEASURE = "cannot_measure"
    NOT_APPLICABLE = "not_applicable"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is missed. Values are in ``unit``: that of the metric, or where the metric is not known, their own.

    ``metric`` is the id of a measurement, or free text where the base knows none of this name. ``basis`` is how
    ``actual`` is known: what words alone say is reached proves nothing. ``origin`` is where it is stated, None where
    the incident was made without a text.
    """

    metric: str | None = None
    wanted: Interval | None = None
    actual: Interval | None = None
    track: Track | None = None
    unit: str | None = None
    basis: Basis = Basis.REPORTED
    origin: Origin | None = dataclasses.field(default=None, compare=False)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """An action that somebody intends: the id of a lever, or words to be matched against the levers."""

    lever: str
    origin: Origin


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """An action that was tried. ``effect`` is the factor on the target (above 1 is better), a word, or not known."""

    lever: str
    effect: Interval | Effect | None
    origin: Origin


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Intervention:
    """A change made while diagnosing, with what was measured before and after it; ``kept`` None: not decided yet."""

    lever: str
    origin: Origin
    before: tuple[Observation, ...] = ()
    after: tuple[Observation, ...] = ()
    kept: bool | None = None
    when: str | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """An incident. ``file`` is where it was read, ``source`` where it comes from (a link, a ticket), if stated.

    ``answers`` are the measurements that could not be had, by id. ``extras`` are the ``x-`` keys of the document,
    each with its value as JSON, kept so that writing the document loses nothing.
    """

    id: str
    file: str
    title: str = ""
    source: str | None = None
    target: Target | None = None
    workload: tuple[Observation, ...] = ()
    environment: tuple[Observation, ...] = ()
    observations: tuple[Observation, ...] = ()
    planned: tuple[Planned, ...] = ()
    tried: tuple[Tried, ...] = ()
    interventions: tuple[Intervention, ...] = ()
    answers: tuple[tuple[str, Absence], ...] = ()
    extras: tuple[tuple[str, str], ...] = ()

    @property
    def settings(self) -> tuple[Observation, ...]:
        """What describes the job rather than its behaviour: workload and environment."""
        return self.workload + self.environment
