"""The shape of the YAML files under ``knowledge/`` and ``rules/``, as frozen structs.

Every file is one mapping whose keys are the kinds below, each a list of entries: a file may hold any mixture.
These models check shape only; meaning (do the ids exist, do the units agree, can a rule decide) is checked
in :mod:`dam_expert.kb.check`. :mod:`dam_expert.kb.shapes` checks data against them, and makes the JSON Schema for
editors and the complaints about what does not fit; importing this module costs little, so that every start can.
"""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

from msgspec import Meta

from dam_expert.documents.kinds import Kind
from dam_expert.documents.vocabulary import Axis, Bottleneck, HypothesisStatus, Prior, ScopeKey, Term, Track
from dam_expert.kb.appendix_models import (
    AxisModel,
    FactModel,
    LawModel,
    RegionModel,
    ScorecardModel,
)
from dam_expert.kb.entry import ConditionTree, DottedName, Entry, Given, Ids, Name, Sources, Text, Variable


class BottleneckModel(Entry, frozen=True):
    """One row of the public list: what binds, its region (dominant axis first) and its iron-law term."""

    id: Bottleneck
    title: Text
    region: list[Axis]
    term: Term | None
    tracks: list[Track] | None = None
    """The tracks on which it binds, where the term does not say it."""


class ToolModel(Entry, frozen=True):
    """A tool that measures. ``trust`` settles disagreements: of two sources the more trusted wins."""

    id: Name
    title: Text
    axis: Axis | None = None
    trust: Annotated[int, Meta(ge=0, le=9)] = 2
    tool_map: dict[Axis, Literal["primary", "secondary"]] = {}
    """Its place in the appendix's table 6: primary for a quick look, secondary where that stays inconclusive."""
    vendors: list[Name] = []
    """The makers of the accelerators that it works with; none: it does not depend on the accelerator."""
    workloads: list[Name] = []
    """The kinds of job that it measures; none: any."""
    first_minute: Text | None = None
    """What one runs with it before suspecting anything: a command that only reads, and ends by itself."""
    note: Text | None = None


class ObtainModel(Entry, frozen=True, kw_only=True):
    """One way to obtain a measurement: an exact command, or what to do in words."""

    tool: Name | None = None
    command: Text | None = None
    how: Text | None = None
    effort_minutes: Annotated[float, Meta(ge=0, le=10_000)]
    disturbs: Text | None = None
    vendors: list[Name] = []
    """The makers of the accelerators on which it works, where its tool does not say so; none: any."""
    workloads: list[Name] = []
    """The kinds of work in which it can be taken, where its tool does not say so; none: any."""

    def __post_init__(self) -> None:
        if self.command is None and self.how is None:
            raise ValueError("needs a command or how")


class KindModel(Entry, frozen=True, kw_only=True):
    """What values of one kind can be at all, where a measurement does not say it of its own.

    ``probe`` stands for every measurement that decides as one. Numbers are in the canonical unit of the measurement.
    """

    id: Literal["duration", "rate", "bytes", "count", "ratio", "level", "setting", "probe"]
    range: Annotated[list[int | float], Meta(min_length=2, max_length=2)]
    """The least and the largest value."""
    whole: bool = False
    """Whether values are whole numbers."""
    source: Sources


class MeasurementModel(Entry, frozen=True):
    """A quantity the base knows. With a ``formula`` it is derived, and can still be observed directly."""

    id: Name
    title: Text
    kind: Kind
    unit: str = "1"
    """The canonical unit; empty for a setting whose values are words."""
    range: Given | None = None
    """What it can be; by default what its kind can."""
    whole: bool | None = None
    """Whether it is a whole number; by default what its kind says. An average of counts is none."""
    per: ScopeKey | None = None
    combine: Literal["mean", "max", "min", "sum"] = "mean"
    decides: Literal["share", "probe", "counter", "state"] | None = None
    weak: bool = False
    needs_tool: bool = False
    tolerance: Given = "10 %"
    """How far two equally trusted sources may differ, as a share of the larger, before the value is unknown."""
    words: dict[str, Given] = {}
    values: dict[str, Text] = {}
    """The words of a category, each with its meaning."""
    aliases: list[Text] = []
    question: Text | None = None
    obtain: list[ObtainModel] = []
    probe_of: Name | None = None
    """The lever that this probe tries: once the effect of the lever is known, so is this."""
    formula: Text | None = None
    track: Track | None = None
    """What kind of target it is when a target names it."""
    better: Literal["higher", "lower"] | None = None
    """Which way is an improvement; by default a rate is better higher, everything else lower."""
    source: list[Text] = []


class ScopedValue(Entry, frozen=True, kw_only=True):
    """One value of a threshold and the circumstances in which it holds; ``when`` reads raw measurements."""

    when: ConditionTree | None = None
    value: Given
    source: Sources


class ThresholdModel(Entry, frozen=True, kw_only=True):
    """A named number. Basis ``read``: in the original; ``quoted``: by two who agree; a heuristic never decides."""

    id: Name
    title: Text
    kind: Kind
    unit: str = "1"
    grade: Literal["screening", "decisive"]
    basis: Literal["read", "quoted", "derived", "arithmetic", "heuristic"]
    value: Given | None = None
    source: list[Text] = []
    values: list[ScopedValue] = []
    scope: Text | None = None
    aliases: list[DottedName] = []
    """Earlier ids of the entry, which keep working."""

    def __post_init__(self) -> None:
        if (self.value is None) == (not self.values):
            raise ValueError("needs either a value with its source or a list of values by scope")
        if self.value is not None and not self.source:
            raise ValueError("a threshold needs a source")


class SymptomModel(Entry, frozen=True):
    """A named condition on measurements. ``track`` marks symptoms that tell what kind of target was missed."""

    id: Name
    title: Text
    when: ConditionTree
    track: Track | None = None
    fails: bool = False
    """Whether the job then does not do its work, so that a target that its metric meets is not met."""
    source: list[Text] = []
    aliases: list[DottedName] = []
    """Earlier ids of the entry, which keep working."""


class PartModel(Entry, frozen=True):
    """One part of a budget: the measurement that is its share. A waiting part is recovered whole when removed."""

    id: Name
    title: Text
    share: Name
    waiting: bool


class BudgetModel(Entry, frozen=True, kw_only=True):
    """How the time of a step or a request is divided; what no part explains is the residual."""

    id: Name
    title: Text
    of: Literal["step", "request"]
    total: Name
    statistic: Literal["mean"] = "mean"
    tolerance: Given = "2 %"
    parts: Annotated[list[PartModel], Meta(min_length=1)]


class WholeModel(Entry, frozen=True, kw_only=True):
    """A whole and its parts: where they take more than it has, none of the values decides.

    Whole and parts are formulas; a part that is not known counts as nothing, and one below zero too.
    """

    id: Name
    title: Text
    unit: str = "1"
    """The canonical unit of the whole and of each part."""
    whole: Text
    parts: Annotated[list[Text], Meta(min_length=1)]
    tolerance: Given = "10 %"
    """By how much of the whole the parts may exceed it: clocks and runs differ."""
    overlap: bool = False
    """Whether the parts may overlap: then each by itself is at most the whole."""
    because: Text
    limits: Text
    source: Sources


class HypothesisModel(Entry, frozen=True, kw_only=True):
    """A candidate cause. A child refines its parent and inherits its part or share, tracks, region and term."""

    id: Name
    title: Text
    bottleneck: Bottleneck
    parent: Name | None = None
    prior: Prior = "usual"
    statement: Text
    confirmed_by: Text
    falsified_by: Text
    region: list[Axis] | None = None
    term: Term | None = None
    tracks: list[Track] | None = None
    part: Name | None = None
    share: Text | None = None
    """A formula for the share of the total that it costs, where no budget part is it."""
    attained: Text | None = None
    """For work on the device: a formula for the reached share of the attainable rate; the rest is recoverable."""
    probe: Name | None = None
    """The cheapest measurement that could refute it."""
    controlled: list[Name] = []
    """For fit and quality: controlled comparisons that may confirm in place of the target's own improvement."""
    settles: bool = False
    """Whether nothing else binds where it is confirmed: nothing is missed."""
    source: list[Text] = []
    aliases: list[DottedName] = []
    """Earlier ids of the entry, which keep working."""


class LeverModel(Entry, frozen=True, kw_only=True):
    """An intervention: the iron-law variable it moves, what it works on, what it is wasted on, how to verify it."""

    id: Name
    title: Text
    moves: Variable
    overlaps: list[Axis] = []
    """The axes whose work it makes run at the same time, for levers that overlap."""
    works_on: Annotated[list[Name], Meta(min_length=1)]
    wasted_on: list[Name] = []
    """Bottlenecks or hypotheses on which it gains nothing."""
    sets: list[Name] = []
    """The settings that it changes; where others differ after it, what it did cannot be told."""
    ceiling: Text | None = None
    """A formula for the most it can gain; without one, the ceiling of the hypothesis it works on."""
    effort: Text | None = None
    how: Text
    framework: Name | None = None
    """The framework that ``how`` is written for; with another one in use ``how_elsewhere`` is shown."""
    figure: Literal["peak", "memory_bandwidth", "memory"] | None = None
    """The figure of a device that it raises: a device that is bought moves every lever of a figure that it raises."""
    how_elsewhere: Text | None = None
    verify_by: Text
    why_wasted: Text | None = None
    aliases: list[Text] = []
    source: list[Text] = []


class AntiPatternModel(Entry, frozen=True):
    """A way to act on the wrong axis, with a name."""

    id: Name
    title: Text
    lesson: Text
    source: list[Text] = []


class RuleTests(Entry, frozen=True):
    """Facts under which a rule must fire, must stay silent, or must be undecided."""

    fires: list[dict[str, Any]] = []
    silent: list[dict[str, Any]] = []
    undecided: list[dict[str, Any]] = []
    todo_fires: list[dict[str, Any]] = []
    todo_silent: list[dict[str, Any]] = []


class ThenModel(Entry, frozen=True):
    """What a rule concludes: verbs with one id or several."""

    reject: Ids | None = None
    doubt: Ids | None = None
    suggest: Ids | None = None
    support: Ids | None = None
    weaken: Ids | None = None
    refute: Ids | None = None
    confirm: Ids | None = None
    flag: Ids | None = None
    recommend: Ids | None = None
    warn: Ids | None = None
    ask: Ids | None = None


class RuleModel(Entry, frozen=True, kw_only=True):
    """One rule with its own tests."""

    id: DottedName
    title: Text
    status: Literal["draft", "test", "stable", "deprecated"] = "stable"
    when: ConditionTree
    unless: list[Text] = []
    then: ThenModel
    group: Name | None = None
    """The evidence group of the score; by default the first measurement of the body."""
    because: Text
    limits: Text | None = None
    source: Sources
    aliases: list[DottedName] = []
    """Earlier ids of the entry, which keep working."""
    replaced_by: DottedName | None = None
    """Of a deprecated rule: the rule to use instead."""
    tests: RuleTests = RuleTests()


class ExpectModel(Entry, frozen=True):
    """What a diagnosis must say. Only what is given is compared; lists must be contained."""

    status: Literal["resolved", "conflicting", "confirmed", "no_fault", "supported", "undetermined"] | None = None
    binding: Name | None = None
    bottleneck: Bottleneck | None = None
    depth: Literal["cause", "bottleneck"] | None = None
    hypotheses: dict[Name, HypothesisStatus] = {}
    first: list[Name] = []
    """One of these is ranked first among the hypotheses."""
    axes: dict[Axis, HypothesisStatus] = {}
    next: list[Name] = []
    """One of these is the first next measurement."""
    works: list[Name] = []
    wasted: list[Name] = []
    anti_patterns: list[Name] = []


class StageModel(Entry, frozen=True, kw_only=True):
    """One stage of a case: what is observed on top of the incident and earlier stages, and what must follow."""

    title: Text
    add: dict[str, Any] = {}
    expect: ExpectModel


class CaseModel(Entry, frozen=True):
    """A worked incident: the diagnosis it must give before and after the deciding measurement."""

    id: DottedName
    title: Text
    story: Text
    lesson: Text
    incident: dict[str, Any]
    stages: Annotated[list[StageModel], Meta(min_length=1)]
    source: Sources


class TombstoneModel(Entry, frozen=True, kw_only=True):
    """An id that is gone, so that it is never used again: what took its place, since when, and why."""

    id: DottedName
    replaced_by: DottedName | None = None
    since: datetime.date
    because: Text


class EntryPointModel(Entry, frozen=True):
    """How a guided session begins: a symptom in plain words, the track of its target, and what to ask first."""

    id: Name
    title: Text
    track: Track
    settings: dict[Name, Given] = {}
    """What the choice says of the job."""
    metric: Name | None = None
    """The measurement that such a target is usually stated in, to be asked for."""
    ask: list[Name] = []
    aliases: list[Text] = []
    source: list[Text] = []


class KnowledgeFile(Entry, frozen=True):
    """One file under ``knowledge/`` or ``rules/``."""

    axes: list[AxisModel] = []
    bottlenecks: list[BottleneckModel] = []
    tools: list[ToolModel] = []
    kinds: list[KindModel] = []
    measurements: list[MeasurementModel] = []
    thresholds: list[ThresholdModel] = []
    symptoms: list[SymptomModel] = []
    budgets: list[BudgetModel] = []
    wholes: list[WholeModel] = []
    hypotheses: list[HypothesisModel] = []
    levers: list[LeverModel] = []
    anti_patterns: list[AntiPatternModel] = []
    rules: list[RuleModel] = []
    cases: list[CaseModel] = []
    tombstones: list[TombstoneModel] = []
    regions: list[RegionModel] = []
    laws: list[LawModel] = []
    scorecard: list[ScorecardModel] = []
    facts: list[FactModel] = []
    entry_points: list[EntryPointModel] = []


#: The kinds of entry, in the order in which a base is printed.
SECTIONS: tuple[str, ...] = KnowledgeFile.__struct_fields__

#: The model of one entry of each kind.
ENTRY_MODELS: dict[str, type[Entry]] = {
    "axes": AxisModel,
    "bottlenecks": BottleneckModel,
    "tools": ToolModel,
    "kinds": KindModel,
    "measurements": MeasurementModel,
    "thresholds": ThresholdModel,
    "symptoms": SymptomModel,
    "budgets": BudgetModel,
    "wholes": WholeModel,
    "hypotheses": HypothesisModel,
    "levers": LeverModel,
    "anti_patterns": AntiPatternModel,
    "rules": RuleModel,
    "cases": CaseModel,
    "tombstones": TombstoneModel,
    "regions": RegionModel,
    "laws": LawModel,
    "scorecard": ScorecardModel,
    "facts": FactModel,
    "entry_points": EntryPointModel,
}

#: The modules in which the fields of entries are explained.
MODEL_MODULES: tuple[str, ...] = tuple(sorted({model.__module__ for model in ENTRY_MODELS.values()}))
