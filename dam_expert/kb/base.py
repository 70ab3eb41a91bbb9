"""The knowledge base as it stands in memory: checked, resolved, compiled and immutable."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Final

import msgspec

from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.vocabulary import Axis, Bottleneck, Term, Track
from dam_expert.kb import appendix_models, models
from dam_expert.kb.layers import NO_LAYERS
from dam_expert.language.conditions import Column, Tree, columns, leaves
from dam_expert.language.expressions import Formula
from dam_expert.language.names import MeasuredName, Role, ThresholdName
from dam_expert.language.program import Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from dam_expert.documents.observations import Observation
    from dam_expert.kb.layers import Layers
    from dam_expert.language.program import Program
    from dam_expert.physics.hardware import Catalogue

#: The figures of an accelerator that formulas can name, with their units.
HARDWARE_UNITS: Final[Mapping[str, str]] = {
    "peak": "FLOP/s",
    "ridge": "FLOP/B",
    "memory": "B",
    "memory_bandwidth": "B/s",
    "link_bandwidth": "B/s",
    "power_limit": "W",
}

#: Thresholds that the verdict itself uses; a base must define them.
NO_EFFECT: Final = "no_effect"
CLEAR_EFFECT: Final = "clear_effect"
WORTH_RECOVERING: Final = "worth_recovering"
ENGINE_THRESHOLDS: Final = (NO_EFFECT, CLEAR_EFFECT, WORTH_RECOVERING)

#: A threshold that the columns use where a base defines it: what rests on fewer readings never decides.
ENOUGH_SAMPLES: Final = "enough_samples"
#: The chance of naming a cause below which a session asks no further, where a base defines it.
WORTH_ASKING: Final = "worth_asking"

#: A measurement that the target itself gives where it states that it is met.
TARGET_ACHIEVEMENT: Final = "target_achievement"
#: The measurement that says by how much a target of quality is missed.
QUALITY_GAP: Final = "quality_gap"

#: The kinds whose values change while a job runs, so that one reading is an instant; installed memory does not.
_OVER_TIME: Final = frozenset({Kind.SHARE, Kind.RATIO, Kind.RATE, Kind.DURATION, Kind.LEVEL, Kind.COUNT})

#: Anti-patterns that the verdict itself finds.
ACTING_BEFORE_DIAGNOSING: Final = "acting_before_diagnosing"
WASTED_ACTION: Final = "wasted_action"
ENGINE_ANTI_PATTERNS: Final = (ACTING_BEFORE_DIAGNOSING, WASTED_ACTION)


class Measurement(msgspec.Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """A measurement with its numbers read. ``formula`` is set on derived ones."""

    model: models.MeasurementModel
    name: MeasuredName
    range: Interval | None
    whole: bool
    tolerance: float
    formula: Formula | None
    place: str

    @property
    def id(self) -> str:
        """Its id."""
        return self.model.id

    @property
    def higher_is_better(self) -> bool:
        """Whether an improvement raises it."""
        return self.model.better == "higher" if self.model.better else self.model.kind is Kind.RATE

    @property
    def has_direction(self) -> bool:
        """Whether it is known which way is better: of a target in anything else nobody knows whether it is met."""
        model = self.model
        return model.better is not None or model.track is not None or model.kind in (Kind.RATE, Kind.DURATION)

    def improvement(self, before: Interval, after: Interval) -> Interval:
        """Return by which factor it became better; raises ArithmeticError where one of both may be 0."""
        return after / before if self.higher_is_better else before / after

    def reaches(self, actual: Interval, wanted: Interval) -> bool:
        """Whether what is reaches what is wanted for certain."""
        return actual.lo >= wanted.lo if self.higher_is_better else actual.hi <= wanted.hi

    def is_as_good(self, value: Interval, other: Interval) -> bool:
        """Whether the worst of a value is as good as the best of another."""
        return value.lo >= other.hi if self.higher_is_better else value.hi <= other.lo

    @property
    def is_obtainable(self) -> bool:
        """Whether a person can be asked for it."""
        return bool(self.model.obtain)


class Threshold(msgspec.Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """A named number with its alternatives by scope."""

    model: models.ThresholdModel
    name: ThresholdName
    place: str

    def scope_columns(self) -> Iterator[Column]:
        """Yield the columns that say which of its values holds."""
        for alternative in self.name.alternatives:
            for leaf in () if alternative.when is None else leaves(alternative.when):
                yield from columns(leaf)

    def source_of(self, value: Interval) -> list[str]:
        """Return the source of the alternative that has this value."""
        if self.model.source:
            return list(self.model.source)
        for alternative, scoped in zip(self.name.alternatives, self.model.values, strict=True):
            if alternative.value == value:
                return list(scoped.source)
        return []


class Budget(msgspec.Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """A budget with its tolerance read."""

    model: models.BudgetModel
    tolerance: float
    place: str


class Whole(msgspec.Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """A whole and its parts with their formulas read."""

    model: models.WholeModel
    whole: Formula
    parts: tuple[Formula, ...]
    reads: tuple[tuple[str, ...], ...]
    """The measurements that the whole reads, and then each part, with those that derived ones are made of."""
    tolerance: float
    place: str

    @property
    def id(self) -> str:
        """Its id."""
        return self.model.id


class Hypothesis(msgspec.Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """A candidate cause with everything that it inherits resolved. ``ancestors`` begin with the parent."""

    model: models.HypothesisModel
    ancestors: tuple[str, ...]
    children: tuple[str, ...]
    region: tuple[Axis, ...]
    term: Term | None
    tracks: frozenset[Track]
    part: str | None
    share: Formula | None
    attained: Formula | None
    controlled: frozenset[str]
    """Measurements that are controlled comparisons for it or for an ancestor."""
    place: str

    @property
    def id(self) -> str:
        """Its id."""
        return self.model.id

    @property
    def bottleneck(self) -> Bottleneck:
        """The bottleneck it belongs to."""
        return self.model.bottleneck

    @property
    def root(self) -> str:
        """The root of its tree; itself if it is one."""
        return self.ancestors[-1] if self.ancestors else self.model.id


class Lever(msgspec.Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """An intervention with its ceiling formula read."""

    model: models.LeverModel
    ceiling: Formula | None
    place: str


class ScorecardRow(msgspec.Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """A row of the scorecard with its two conditions read."""

    model: appendix_models.ScorecardModel
    investigate: Tree
    strong: Tree
    place: str


class Rule(msgspec.Struct, frozen=True, array_like=True, kw_only=True, dict=True):
    """A rule with its condition read. ``conclusions`` are (verb, id), in the order they are written."""

    id: str
    status: str
    """That of the entry: draft, test, stable or deprecated."""
    written: msgspec.Raw
    """The entry as MessagePack. Most of it are texts and tests, which hardly any rule of a diagnosis is asked for."""
    stage: Stage
    when: Tree
    unless: tuple[Tree, ...]
    conclusions: tuple[tuple[str, str], ...]
    group: str
    place: str

    @functools.cached_property
    def model(self) -> models.RuleModel:
        """The entry."""
        return _rule_models().decode(self.written)

    @property
    def decides(self) -> bool:
        """Whether it confirms or refutes."""
        return any(verb in ("confirm", "refute") for verb, _ in self.conclusions)


def packed(model: models.RuleModel) -> msgspec.Raw:
    """Return an entry as a rule keeps it."""
    return msgspec.Raw(msgspec.msgpack.encode(model))


@functools.cache
def _rule_models() -> msgspec.msgpack.Decoder[models.RuleModel]:
    return msgspec.msgpack.Decoder(models.RuleModel)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Base:
    """Everything a diagnosis needs. Mappings are in the order of the ids' definition."""

    axes: Mapping[str, appendix_models.AxisModel]
    bottlenecks: Mapping[str, models.BottleneckModel]
    tools: Mapping[str, models.ToolModel]
    kinds: Mapping[str, models.KindModel]
    """What values of a kind can be, where a measurement does not say it."""
    measurements: Mapping[str, Measurement]
    derived_order: tuple[str, ...]
    """Derived measurements, each after those its formula reads."""
    thresholds: Mapping[str, Threshold]
    symptoms: Mapping[str, models.SymptomModel]
    symptom_trees: Mapping[str, Tree]
    budgets: Mapping[str, Budget]
    wholes: Mapping[str, Whole]
    """Wholes that their parts cannot exceed, beside the budgets."""
    hypotheses: Mapping[str, Hypothesis]
    levers: Mapping[str, Lever]
    anti_patterns: Mapping[str, models.AntiPatternModel]
    rules: Mapping[str, Rule]
    cases: Mapping[str, models.CaseModel]
    regions: Mapping[str, appendix_models.RegionModel]
    laws: Mapping[str, appendix_models.LawModel]
    scorecard: Mapping[str, ScorecardRow]
    facts: Mapping[str, appendix_models.FactModel]
    entry_points: Mapping[str, models.EntryPointModel]
    places: Mapping[str, str]
    program: Program
    fingerprint: str
    names: BaseNames
    catalogue: Catalogue
    layers: Layers = NO_LAYERS
    """The runbooks that were laid over it."""
    old_ids: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Ids of earlier versions, each with the entry that they mean today."""

    def constant(self, threshold: str) -> float:
        """Return the value of one of the engine's own thresholds, which hold without conditions."""
        return self.thresholds[threshold].name.alternatives[-1].value.mid

    @property
    def enough_samples(self) -> float:
        """Return from how many readings a value may decide; 0 where the base does not say."""
        return self.constant(ENOUGH_SAMPLES) if ENOUGH_SAMPLES in self.thresholds else 0.0

    @property
    def worth_asking(self) -> float:
        """Return from which chance of naming a cause another question is asked; 0 where the base does not say."""
        return self.constant(WORTH_ASKING) if WORTH_ASKING in self.thresholds else 0.0

    def rests_on_few(self, observation: Observation) -> bool:
        """Whether a value rests on so few readings that it shows an instant and not the job."""
        measurement = self.measurements.get(observation.measurement)
        if observation.samples is None or measurement is None or measurement.model.kind not in _OVER_TIME:
            return False
        return observation.samples < self.enough_samples

    def current(self, name: str) -> str:
        """Return the id that a name means today: itself, unless it is one of an earlier version."""
        return self.old_ids.get(name, name)


class BaseNames:
    """The names of a base: what the language asks, and what incident documents ask of their vocabulary."""

    def __init__(self) -> None:
        self._roles: dict[str, Role] = {}
        self._measured: dict[str, MeasuredName] = {}
        self._thresholds: dict[str, ThresholdName] = {}
        self._aliases: dict[str, str] = {}
        self._tools: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        roles: Mapping[str, Role],
        aliases: Mapping[str, str],
        measurements: Mapping[str, Measurement],
        thresholds: Mapping[str, Threshold],
        tools: Iterable[models.ToolModel],
    ) -> BaseNames:
        """Return the names of entries that are there already, with all that they are called by."""
        names = cls()
        names._roles = dict(roles)
        names._aliases = dict(aliases)
        names._measured = {name: each.name for name, each in measurements.items()}
        names._thresholds = {name: each.name for name, each in thresholds.items()}
        names.define_tools(tools)
        return names

    @property
    def roles(self) -> dict[str, Role]:
        """What each name stands for."""
        return self._roles

    @property
    def aliases(self) -> dict[str, str]:
        """The measurement that each folded name means."""
        return self._aliases

    def define(self, name: str, role: Role) -> None:
        """Make a name known in its role."""
        self._roles[name] = role

    def define_measured(self, measured: MeasuredName, aliases: Iterable[str]) -> None:
        """Make a measurement known under its id and its aliases; an alias never hides an id."""
        self.define(measured.id, Role.MEASUREMENT)
        self._measured[measured.id] = measured
        for alias in (measured.id, *aliases):
            self._aliases.setdefault(folded(alias), measured.id)

    def define_old(self, name: str, measurement: str) -> None:
        """Let documents go on to name a measurement by an id of an earlier version."""
        self._aliases.setdefault(folded(name), measurement)

    def define_threshold(self, threshold: ThresholdName) -> None:
        """Make a threshold known."""
        self.define(threshold.id, Role.THRESHOLD)
        self._thresholds[threshold.id] = threshold

    def define_tools(self, tools: Iterable[models.ToolModel]) -> None:
        """Make the tools known that values may come from, by id and title."""
        self._tools = frozenset(folded(name) for tool in tools for name in (tool.id, tool.title))

    def is_source(self, name: str) -> bool:
        """Whether a text names a tool, or a lever that was tried: nothing else measures."""
        return folded(name) in self._tools or self._roles.get(name) is Role.LEVER

    def role(self, name: str) -> Role | None:
        """Return what a name stands for, or None."""
        return self._roles.get(name)

    def measured(self, name: str) -> MeasuredName:
        """Return a measurement. Raises KeyError for another name."""
        return self._measured[name]

    def threshold(self, name: str) -> ThresholdName:
        """Return a threshold. Raises KeyError for another name."""
        return self._thresholds[name]

    def hardware_units(self) -> Mapping[str, str]:
        """Return the figures of the catalogue that formulas can name, each with its unit."""
        return HARDWARE_UNITS

    def known(self, *roles: Role) -> list[str]:
        """Return all names with one of the roles."""
        return [name for name, role in self._roles.items() if role in roles]

    def resolve(self, name: str) -> str | None:
        """Return the measurement that an id or alias names, whatever its case, spaces and dashes, or None."""
        return name if name in self._measured else self._aliases.get(folded(name))

    def unit(self, measurement: str) -> str | None:
        """Return the canonical unit, or None where values are words."""
        measured = self._measured[measurement]
        return None if measured.is_word else measured.unit

    def kind(self, measurement: str) -> Kind:
        """Return the kind."""
        return self._measured[measurement].kind

    def words(self, measurement: str) -> Mapping[str, Interval]:
        """Return the words that stand for ranges."""
        return self._measured[measurement].words

    def categories(self, measurement: str) -> frozenset[str]:
        """Return the words of a category; empty where any word will do."""
        return self._measured[measurement].values

    def known_ids(self) -> list[str]:
        """Return the ids of all measurements."""
        return list(self._measured)


@functools.lru_cache(maxsize=8)
def probes_of_levers(base: Base) -> Mapping[str, tuple[str, ...]]:
    """Return by lever the probes that trying it stands for, in the order of the base."""
    found: dict[str, list[str]] = {}
    for measurement in base.measurements.values():
        if measurement.model.probe_of is not None:
            found.setdefault(measurement.model.probe_of, []).append(measurement.id)
    return {lever: tuple(probes) for lever, probes in found.items()}


def folded(name: str) -> str:
    """Return a name as aliases are compared: lower case, with spaces, dashes and dots as underscores.

    >>> folded("GPU-Util"), folded("data time")
    ('gpu_util', 'data_time')
    """
    return "_".join(name.casefold().replace("-", " ").replace("_", " ").replace(".", " ").split())
