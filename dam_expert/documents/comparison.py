"""The comparison of two diagnoses, one before a change and one after it: the document that ``dam compare`` gives.

Numbers are written as in a diagnosis. A gain is a factor on the target, above 1 is better, whichever way the target
improves. Every list has a defined order, so that the same bytes in give the same bytes out.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from dam_expert.documents.diagnosis import Extent
from dam_expert.documents.vocabulary import DiagnosisStatus, HypothesisStatus

#: What can be said of the target. A difference is called only where it exceeds what the target varies by itself.
Outcome = Literal["better", "worse", "same", "unclear", "incomparable"]
#: How it is known what the target varies by itself: stated, from repeats, from a stated range, from single steps.
NoiseSource = Literal["given", "repeats", "range", "steps"]

SCHEMA_ID: Final = "dam-comparison/1"


class _Part(BaseModel):
    """A frozen part of the document; unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SideReport(_Part):
    """One of the two: what was diagnosed, from how many runs. ``binding`` is null where nothing is confirmed."""

    id: str | None
    title: str | None
    runs: int
    status: DiagnosisStatus
    binding: str | None
    claim: str
    """The title of the leading hypothesis; empty where there is none."""


class LevelReport(_Part):
    """The target of one side. ``noise`` is half the width of what it varies over, as a share of it; null: not known."""

    value: Extent
    noise: float | None
    source: NoiseSource | None


class MetricReport(_Part):
    """The target, or where none is common the total of the budget, on both sides."""

    metric: str
    higher_is_better: bool
    wanted: Extent
    before: LevelReport
    after: LevelReport
    gain: Extent
    chance: float | None
    """How often the repeats of two equal runs would lie apart as these do; null where there are no repeats."""


class PartChange(_Part):
    """One part of the budget on both sides; null where a side does not know it."""

    id: str
    title: str
    before_s: Extent
    after_s: Extent
    before_share: Extent
    after_share: Extent


class BudgetChange(_Part):
    """The budget on both sides."""

    of: str
    before_s: Extent
    after_s: Extent
    parts: list[PartChange]
    before_residual: Extent
    after_residual: Extent


class HypothesisChange(_Part):
    """A hypothesis that moved: its standing and its rank, from 1, on both sides; null where it is not there."""

    id: str
    title: str
    before: HypothesisStatus | None
    after: HypothesisStatus | None
    before_rank: int | None
    after_rank: int | None
    before_share: Extent
    after_share: Extent


class LocalGain(_Part):
    """What improved while the target did not: a part of the time, or a cause that is no longer confirmed."""

    kind: Literal["part", "cause"]
    id: str
    title: str
    saved_s: float | None


class Prediction(_Part):
    """What was said before: the ceiling of a lever, or of removing what bound. ``reached`` is the part of it."""

    lever: str | None
    title: str
    ceiling: Extent
    reached: float | None
    """The share of the time that could be saved that was saved; null where no difference could be called."""
    exceeded: bool


class SettingChange(_Part):
    """A setting or state that differs and may explain the change."""

    measurement: str
    before: Extent | str
    after: Extent | str


class Comparison(BaseModel):
    """What changed between two diagnoses, and whether that is more than noise."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    schema_id: Annotated[Literal["dam-comparison/1"], Field(alias="schema")] = SCHEMA_ID
    outcome: Outcome
    metric: MetricReport | None
    local_gains: list[LocalGain]
    prediction: Prediction | None
    budget: BudgetChange | None
    hypotheses: list[HypothesisChange]
    settings: list[SettingChange]
    before: SideReport
    after: SideReport

    def as_data(self) -> dict[str, Any]:
        """Return plain data in document order, as it is written to JSON and YAML."""
        return self.model_dump(mode="json", by_alias=True)


def comparison_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the document, generated from the models that write it."""
    schema = Comparison.model_json_schema(by_alias=True, mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": SCHEMA_ID, **schema}
