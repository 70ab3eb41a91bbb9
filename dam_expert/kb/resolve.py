"""Turns the entries of all files into one base: every reference resolved, every condition read and compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from dam_expert.documents.kinds import Kind
from dam_expert.documents.messages import Level, Message, suggestion
from dam_expert.kb.base import (
    ENGINE_ANTI_PATTERNS,
    ENGINE_THRESHOLDS,
    Base,
    Budget,
    Lever,
    Measurement,
    Rule,
    Whole,
    folded,
    packed,
)
from dam_expert.kb.carried import check_references, scorecard_rows
from dam_expert.kb.naming import expect, names_of, read_measurement, read_threshold, unique
from dam_expert.kb.reading import Problems
from dam_expert.kb.trees import derived_measurements, hypothesis_tree, measurements_behind
from dam_expert.language.conditions import Standing, Symptom, Tree, columns, leaves
from dam_expert.language.names import Role
from dam_expert.language.program import RuleSource, Stage, compile_program

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dam_expert.kb import models
    from dam_expert.kb.base import BaseNames
    from dam_expert.kb.located import Located
    from dam_expert.physics.hardware import Catalogue

#: The role that each verb's id must have; flag names an anti-pattern, which no condition can name.
VERB_ROLES: Final[dict[str, Role | None]] = {
    "reject": Role.MEASUREMENT,
    "doubt": Role.MEASUREMENT,
    "suggest": Role.HYPOTHESIS,
    "support": Role.HYPOTHESIS,
    "weaken": Role.HYPOTHESIS,
    "refute": Role.HYPOTHESIS,
    "confirm": Role.HYPOTHESIS,
    "flag": None,
    "recommend": Role.LEVER,
    "warn": Role.LEVER,
    "ask": Role.MEASUREMENT,
}
_STAGE_OF_VERB: Final = {
    **dict.fromkeys(("reject", "doubt"), Stage.SANITY),
    **dict.fromkeys(("suggest", "support", "weaken", "refute", "confirm"), Stage.EVIDENCE),
    **dict.fromkeys(("flag", "recommend", "warn", "ask"), Stage.ADVICE),
}


def resolve(
    sections: Mapping[str, Sequence[Located[Any]]], fingerprint: str, catalogue: Catalogue, broken: Iterable[str] = ()
) -> tuple[Base, list[Message]]:
    """Return the base and every problem found. With errors the base lacks what they concern and must not be used.

    ``broken`` are the ids of entries that could not be read: what refers to them is not complained about as well.
    """
    problems = Problems()
    resolver = _Resolver(unique(sections, problems), broken, problems)
    return resolver.base(fingerprint, catalogue), problems.messages


class _Resolver:
    """Holds the entries, the names and the problems while a base is put together."""

    def __init__(
        self, sections: Mapping[str, Sequence[Located[Any]]], broken: Iterable[str], problems: Problems
    ) -> None:
        self.sections = sections
        self.problems = problems
        self.by_id: dict[str, dict[str, Any]] = {}
        self.broken = frozenset(broken)
        self.names: BaseNames = names_of(sections, self.broken)

    def entries(self, section: str) -> dict[str, Any]:
        if section not in self.by_id:
            self.by_id[section] = {located.entry.id: located.entry for located in self.sections[section]}
        return self.by_id[section]

    def is_lost(self, located: Located[Any]) -> bool:
        """Whether what refers to an entry cannot be judged, since a part of it could not be read."""
        return bool(located.doubts) and located.entry.id in self.broken

    def base(self, fingerprint: str, catalogue: Catalogue) -> Base:
        measurements = self.measurements()
        thresholds = {
            located.entry.id: threshold
            for located in self.sections["thresholds"]
            if (threshold := read_threshold(located, self.names, self.problems)) is not None
            and not self.is_lost(located)
        }
        for threshold in thresholds.values():
            self.names.define_threshold(threshold.name)
        complete, order = derived_measurements(self.sections["measurements"], measurements, self.names, self.problems)
        budgets = self.budgets()
        parts = {part.id: budget.model.id for budget in budgets.values() for part in budget.model.parts}
        hypotheses = hypothesis_tree(
            self.sections["hypotheses"], self.entries("bottlenecks"), parts, self.names, self.problems
        )
        trees = self.symptoms()
        rules = {rule.id: rule for located in self.sections["rules"] if (rule := self.rule(located, trees)) is not None}
        self.engine_needs()
        check_references(self.sections, self.problems)
        return Base(
            axes=self.entries("axes"),
            bottlenecks=self.entries("bottlenecks"),
            tools=self.entries("tools"),
            kinds=self.entries("kinds"),
            measurements=complete,
            derived_order=order,
            thresholds=thresholds,
            symptoms=self.entries("symptoms"),
            symptom_trees=trees,
            budgets=budgets,
            wholes=self.wholes(complete),
            hypotheses=hypotheses,
            levers=self.levers(),
            anti_patterns=self.entries("anti_patterns"),
            rules=rules,
            cases=self.entries("cases"),
            regions=self.entries("regions"),
            laws=self.entries("laws"),
            scorecard=scorecard_rows(self.sections["scorecard"], self.names, self.problems),
            facts=self.entries("facts"),
            entry_points=self.entry_points(),
            places={located.entry.id: located.place for entries in self.sections.values() for located in entries},
            program=compile_program(trees, [_source(rule) for rule in rules.values()]),
            fingerprint=fingerprint,
            names=self.names,
            catalogue=catalogue,
        )

    def measurements(self) -> dict[str, Measurement]:
        found = {}
        for located in self.sections["measurements"]:
            measurement = read_measurement(located, self.problems, self.entries("kinds"))
            if not self.is_lost(located):
                self.names.define_measured(measurement.name, located.entry.aliases)
            found[measurement.id] = measurement
            for index, way in enumerate(located.entry.obtain):
                if way.tool is not None and way.tool not in self.entries("tools"):
                    hint = suggestion(way.tool, self.entries("tools"))
                    self.problems.say(
                        located, f"there is no tool '{way.tool}'", "unknown-id", "obtain", index, "tool", hint=hint
                    )
            lever = located.entry.probe_of
            if lever is not None and lever not in self.entries("levers"):
                hint = suggestion(lever, self.entries("levers"))
                self.problems.say(located, f"there is no lever '{lever}'", "unknown-id", "probe_of", hint=hint)
        self.aliases("measurements")
        self.aliases("levers")
        return found

    def aliases(self, section: str) -> None:
        """Say which aliases could mean two entries: the loser would silently never be found."""
        owners = {folded(name): name for name in self.entries(section)}
        for located in self.sections[section]:
            for index, alias in enumerate(located.entry.aliases):
                owner = owners.setdefault(folded(alias), located.entry.id)
                if owner != located.entry.id:
                    text = f"the alias '{alias}' already means '{owner}'"
                    self.problems.say(located, text, "duplicate-alias", "aliases", index)

    def budgets(self) -> dict[str, Budget]:
        found = {}
        parts: set[str] = set()
        for located in self.sections["budgets"]:
            model = located.entry
            known = expect(located, model.total, Role.MEASUREMENT, self.names, self.problems, "total")
            if known and self.names.measured(model.total).kind is not Kind.DURATION:
                self.problems.say(located, f"'{model.total}' is not a duration", "wrong-kind", "total")
            for index, part in enumerate(model.parts):
                at = ("parts", index)
                if part.id in parts:
                    self.problems.say(located, f"a budget part '{part.id}' exists already", "duplicate-id", *at, "id")
                parts.add(part.id)
                known = expect(located, part.share, Role.MEASUREMENT, self.names, self.problems, *at, "share")
                if known and self.names.measured(part.share).kind is not Kind.SHARE:
                    self.problems.say(located, f"'{part.share}' is not a share", "wrong-kind", *at, "share")
            tolerance = self.problems.quantity(located, model.tolerance, "1", Kind.SHARE, "tolerance")
            found[model.id] = Budget(model=model, tolerance=tolerance.hi if tolerance else 0.0, place=located.place)
        return found

    def wholes(self, measurements: Mapping[str, Measurement]) -> dict[str, Whole]:
        found = {}
        for located in self.sections["wholes"]:
            model = located.entry
            tolerance = self.problems.quantity(located, model.tolerance, "1", Kind.SHARE, "tolerance")
            whole = self.problems.formula(located, model.whole, self.names, model.unit, "whole")
            parts = [
                self.problems.formula(located, part, self.names, model.unit, "parts", index)
                for index, part in enumerate(model.parts)
            ]
            if whole is not None and tolerance is not None and None not in parts:
                read = tuple(part for part in parts if part is not None)
                found[model.id] = Whole(
                    model=model,
                    whole=whole,
                    parts=read,
                    reads=tuple(measurements_behind(formula, measurements) for formula in (whole, *read)),
                    tolerance=tolerance.hi,
                    place=located.place,
                )
        return found

    def symptoms(self) -> dict[str, Tree]:
        trees = {}
        for located in self.sections["symptoms"]:
            tree = self.problems.condition(located, located.entry.when, self.names, "when")
            if tree is not None and self.reads_symptom(located, tree, "a symptom"):
                tree = None
            if tree is not None:
                trees[located.entry.id] = tree
        return trees

    def reads_symptom(self, located: Located[Any], tree: Tree, what: str) -> bool:
        named = [leaf.id for leaf in leaves(tree) if isinstance(leaf, Symptom)]
        for name in named:
            text = f"{what} reads measurements only, not the symptom '{name}'"
            self.problems.say(located, text, "later-stage", "when", hint="write its condition out")
        return bool(named)

    def levers(self) -> dict[str, Lever]:
        found = {}
        for located in self.sections["levers"]:
            model = located.entry
            for index, name in enumerate(model.works_on):
                expect(located, name, Role.HYPOTHESIS, self.names, self.problems, "works_on", index)
            for index, name in enumerate(model.wasted_on):
                if self.names.role(name) is not Role.BOTTLENECK:
                    expect(located, name, Role.HYPOTHESIS, self.names, self.problems, "wasted_on", index)
            for index, name in enumerate(model.sets):
                expect(located, name, Role.MEASUREMENT, self.names, self.problems, "sets", index)
            ceiling = None
            if model.ceiling is not None:
                ceiling = self.problems.formula(located, model.ceiling, self.names, "1", "ceiling")
            found[model.id] = Lever(model=model, ceiling=ceiling, place=located.place)
        return found

    def entry_points(self) -> dict[str, models.EntryPointModel]:
        for located in self.sections["entry_points"]:
            for key, given in located.entry.settings.items():
                if expect(located, key, Role.MEASUREMENT, self.names, self.problems, "settings", key):
                    self.problems.value(located, given, key, self.names, "settings", key)
            for index, name in enumerate(located.entry.ask):
                expect(located, name, Role.MEASUREMENT, self.names, self.problems, "ask", index)
            if located.entry.metric is not None:
                expect(located, located.entry.metric, Role.MEASUREMENT, self.names, self.problems, "metric")
        return self.entries("entry_points")

    def rule(self, located: Located[models.RuleModel], trees: Mapping[str, Tree]) -> Rule | None:
        model = located.entry
        conclusions = list(self.conclusions(located))
        self.consistent(located, conclusions)
        stages = {_STAGE_OF_VERB[verb] for verb, _ in conclusions}
        if len(stages) != 1:
            text = "a rule concludes something" if not stages else "a rule's verbs belong to one stage"
            self.problems.say(located, text, "no-conclusion" if not stages else "mixed-stages", "then")
        stage = max(stages, default=Stage.ADVICE)
        tree = self.problems.condition(located, model.when, self.names, "when", advice=stage is Stage.ADVICE)
        unless = [self.exception(located, name, index, stage, trees) for index, name in enumerate(model.unless)]
        group = model.group
        if group is not None and not expect(located, group, Role.MEASUREMENT, self.names, self.problems, "group"):
            group = None
        if tree is None or len(stages) != 1:
            return None
        if stage is Stage.SANITY and self.reads_symptom(located, tree, "a sanity rule"):
            return None
        if any(isinstance(leaf, Symptom) and leaf.id not in trees for leaf in leaves(tree)):
            return None  # the symptom itself has been complained about
        return Rule(
            id=model.id,
            status=model.status,
            written=packed(model),
            stage=stage,
            when=tree,
            unless=tuple(exception for exception in unless if exception is not None),
            conclusions=tuple(conclusions),
            group=group or _first_measurement(tree, trees) or model.id,
            place=located.place,
        )

    def conclusions(self, located: Located[models.RuleModel]) -> Iterator[tuple[str, str]]:
        for verb, role in VERB_ROLES.items():
            ids = getattr(located.entry.then, verb)
            for name in [] if ids is None else [ids] if isinstance(ids, str) else ids:
                if role is not None:
                    expect(located, name, role, self.names, self.problems, "then", verb)
                elif name not in self.entries("anti_patterns"):
                    hint = suggestion(name, self.entries("anti_patterns"))
                    self.problems.say(
                        located, f"there is no anti-pattern '{name}'", "unknown-id", "then", verb, hint=hint
                    )
                yield verb, name

    def consistent(self, located: Located[models.RuleModel], conclusions: Sequence[tuple[str, str]]) -> None:
        """Say which ids a rule speaks of twice: of a hypothesis one thing follows, not two."""
        said: dict[str, str] = {}
        for verb, name in conclusions:
            if name in said:
                twice = f"'{verb}'" if said[name] == verb else f"'{said[name]}' and '{verb}'"
                text = f"the rule concludes {twice} of '{name}'" + (" twice" if said[name] == verb else " at once")
                self.problems.say(located, text, "two-conclusions", "then", verb)
            said[name] = verb

    def exception(
        self, located: Located[models.RuleModel], name: str, index: int, stage: Stage, trees: Mapping[str, Tree]
    ) -> Tree | None:
        if stage is Stage.ADVICE and " is " in name:
            tree = self.problems.condition(located, name, self.names, "unless", index, advice=True)
            if tree is not None and not isinstance(tree, Standing):
                text = f"an exception is a symptom or 'H is confirmed', not '{name}'"
                self.problems.say(located, text, "not-a-condition", "unless", index, hint="make it a symptom")
                return None
            return tree
        known = expect(located, name, Role.SYMPTOM, self.names, self.problems, "unless", index)
        return Symptom(name) if known and name in trees else None

    def engine_needs(self) -> None:
        """Say which of the thresholds and anti-patterns that the verdict itself uses are missing or have a scope."""
        for located in self.sections["thresholds"]:
            if located.entry.id in ENGINE_THRESHOLDS and located.entry.value is None:
                text = f"the verdict needs one value of '{located.entry.id}', whatever the scope"
                self.problems.say(located, text, "engine-needs", "values")
        for section, needed in (("thresholds", ENGINE_THRESHOLDS), ("anti_patterns", ENGINE_ANTI_PATTERNS)):
            for name in needed:
                if name not in self.entries(section) and name not in self.broken:
                    text = f"the verdict needs '{name}' among the {section.replace('_', '-')}"
                    self.problems.messages.append(
                        Message(file="knowledge", level=Level.ERROR, text=text, code="engine-needs")
                    )


def _first_measurement(tree: Tree, trees: Mapping[str, Tree]) -> str | None:
    """Return the first measurement of a body, looking into symptoms."""
    for leaf in leaves(tree):
        if isinstance(leaf, Symptom):
            inner = _first_measurement(trees[leaf.id], trees)
            if inner is not None:
                return inner
        for column in columns(leaf):
            return column.measurement
    return None


def _source(rule: Rule) -> RuleSource:
    decided = tuple(name for verb, name in rule.conclusions if verb in ("confirm", "refute"))
    return RuleSource(
        id=rule.id, stage=rule.stage, when=rule.when, unless=rule.unless, decides=rule.decides, hypotheses=decided
    )
