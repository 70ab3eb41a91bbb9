"""The diagnosis: the document that comes out, as pydantic models with a published JSON Schema.

Numbers that are known only to a range are written as ``[lo, hi]``, exact ones as a number, unknown ones as null.
Shares are fractions of 1, times are seconds, gains are factors (1.8 = 1.8 times faster). Every list has a
defined order, so that the same bytes in give the same bytes out.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from dam_expert.documents.intervals import Interval
from dam_expert.documents.vocabulary import (
    Axis,
    Bottleneck,
    DiagnosisStatus,
    EvidenceVerb,
    HypothesisStatus,
    Term,
    Track,
)

#: A number, the two ends of a range, or null where it is unknown.
Extent = float | tuple[float | None, float | None] | None

SCHEMA_ID: Final = "dam-diagnosis/1"


def extent(interval: Interval | None) -> Extent:
    """Write an interval as the document does; an end at infinity becomes null, and so does a value there.

    >>> extent(Interval(0.1, 0.4)), extent(Interval.point(0.25)), extent(None)
    ((0.1, 0.4), 0.25, None)
    """
    if interval is None or abs(interval.mid) == float("inf"):
        return None
    if interval.is_point:
        return _rounded(interval.lo)
    ends = [_rounded(end) if abs(end) != float("inf") else None for end in (interval.lo, interval.hi)]
    return (ends[0], ends[1])


def _rounded(value: float) -> float:
    """Keep 9 significant digits: enough for people, and independent of the order of summation."""
    return float(f"{value:.9g}")


class _Part(BaseModel):
    """A frozen part of the document; unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class IncidentReference(_Part):
    """Which incident was diagnosed."""

    id: str | None
    title: str | None
    source: list[str]


class TargetReport(_Part):
    """The target as it stands: ``metric`` is a measurement of the base, or the words of the incident."""

    metric: str
    actual: Extent
    wanted: Extent
    higher_is_better: bool


class Binding(_Part):
    """The one constraint that binds: named only when a measurement that could have refuted it confirmed it."""

    hypothesis: str
    title: str
    bottleneck: Bottleneck
    axes: list[Axis]
    term: Term | None
    depth: Literal["cause", "bottleneck"]
    share: Extent
    recoverable: Extent
    ceiling: Extent


class AxisStatus(_Part):
    """The best status among the hypotheses in which an axis is dominant, with that hypothesis' share."""

    axis: Axis
    status: HypothesisStatus
    hypothesis: str | None
    share: Extent


class Evidence(_Part):
    """One fired rule for or against a hypothesis. ``because`` is the rule's own reason."""

    rule: str
    strength: EvidenceVerb
    measurements: list[str]
    because: str
    on_trial: bool = False


class HypothesisReport(_Part):
    """One hypothesis as it stands; ``open`` lists the measurements whose absence leaves a decisive rule undecided."""

    id: str
    title: str
    parent: str | None
    bottleneck: Bottleneck
    axes: list[Axis]
    status: HypothesisStatus
    score: int
    share: Extent
    recoverable: Extent
    ceiling: Extent
    evidence_for: Annotated[list[Evidence], Field(alias="for")]
    against: list[Evidence]
    open: list[str]

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Command(_Part):
    """One way to obtain a measurement."""

    tool: str | None
    command: str | None
    how: str | None


class NextMeasurement(_Part):
    """What to measure next. ``decides`` names the hypotheses that its value could confirm or refute."""

    measurement: str
    question: str
    commands: list[Command]
    effort_minutes: float
    disturbs: str | None
    decides: list[str]
    why: str


class LeverAdvice(_Part):
    """An intervention that works on the leading constraint, or would be wasted on it. ``ceiling`` bounds its gain.

    ``planned`` holds the words of the incident where it is planned.
    """

    id: str
    title: str
    effect: Literal["works", "wasted"]
    ceiling: Extent
    effort: str | None
    how: str | None
    verify_by: str | None
    why: str
    planned: str | None = None


class AntiPatternReport(_Part):
    """A planned or tried action that contradicts the leading constraint, or any action before a diagnosis.

    ``tried``: it was done already, and nobody plans it.
    """

    id: str
    title: str
    action: str
    because: str
    tried: bool = False


class BudgetPart(_Part):
    """One part of the step or request; parts do not overlap."""

    id: str
    title: str
    seconds: Extent
    share: Extent
    recoverable: Extent


class BudgetReport(_Part):
    """Where the time goes. ``residual`` is what no part explains; ``contradiction`` says why a budget is not used."""

    id: str
    of: str
    total_s: Extent
    statistic: str
    parts: list[BudgetPart]
    residual: Extent
    contradiction: str | None = None


class ScorecardRow(_Part):
    """One row of the appendix's scorecard: a screening signal, never a grade."""

    metric: str
    axis: Axis
    value: Extent | str
    reading: Literal["investigate", "between", "strong", "unknown"]


class ObservationReport(_Part):
    """One observation as it was understood, or one value that is not used and why."""

    measurement: str
    value: Extent | str
    given: str | None
    basis: str
    scope: dict[str, str]
    origin: str
    tool: str | None
    detail: str | None
    reason: str | None = None


class ProofThreshold(_Part):
    """A named threshold as it was used, with its source and where it is defined."""

    id: str
    value: Extent
    grade: Literal["screening", "decisive"]
    source: list[str]
    place: str


class ProofNode(_Part):
    """A condition with its truth; leaves carry the value, what it was compared with and the observations behind it."""

    text: str
    truth: Literal["true", "false", "unknown"]
    decisive: bool = False
    value: Extent | str = None
    threshold: ProofThreshold | None = None
    observations: list[str] = []
    children: list[ProofNode] = []


class ProofStep(_Part):
    """One fired rule: what it concluded, from which conditions, and where it is written."""

    rule: str
    title: str
    stage: str
    conclusions: list[str]
    strength: Literal["full", "reduced"]
    because: str
    place: str
    source: list[str]
    conditions: ProofNode
    unless: list[ProofNode] = []


class Versions(_Part):
    """What made this diagnosis: the program, the knowledge (a hash of its content) and the runbooks laid over it."""

    program: str
    knowledge: str
    runbooks: list[str] = []


class Diagnosis(BaseModel):
    """What binds, with the proof, the ceiling of each fix and what would be wasted; or what to measure next."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_id: Annotated[Literal["dam-diagnosis/1"], Field(alias="schema")] = SCHEMA_ID
    incident: IncidentReference
    target: TargetReport | None = None
    status: DiagnosisStatus
    track: Track
    binding: Binding | None
    secondary: list[Binding]
    axes: list[AxisStatus]
    hypotheses: list[HypothesisReport]
    next_measurements: list[NextMeasurement]
    levers: list[LeverAdvice]
    anti_patterns: list[AntiPatternReport]
    budget: BudgetReport | None
    scorecard: list[ScorecardRow]
    similar_cases: list[str]
    observations: list[ObservationReport]
    rejected: list[ObservationReport]
    unread: list[str]
    proof: list[ProofStep]
    exhausted: bool
    warnings: list[str]
    versions: Versions

    def as_data(self) -> dict[str, Any]:
        """Return plain data in document order, as it is written to JSON and YAML."""
        return self.model_dump(mode="json", by_alias=True)


def diagnosis_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the document, generated from the models that write it."""
    schema = Diagnosis.model_json_schema(by_alias=True, mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "dam-diagnosis/1", **schema}
