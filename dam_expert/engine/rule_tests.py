"""Runs the tests that rules carry, through the whole pipeline, and tells what came out differently.

``fires``: the rule fired at full strength. ``silent``: its body is false or an exception is true. ``undecided``: its
body is unknown. ``todo_fires`` and ``todo_silent`` record known misses: they are reported when they come true.
Between them the tests of a rule hold values on both sides of each of its numeric limits, strictly within a factor of 2.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING

from dam_expert.documents.messages import Level, Message
from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.coverage import Coverage
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.engine.rule_runs import limits_of, run_all
from dam_expert.language.conditions import Limit, Number, Operator, leaf_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dam_expert.documents.intervals import Interval
    from dam_expert.kb.base import Base, Rule


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """One test of a rule. ``found`` is what happened: fires, reduced, silent or undecided."""

    __test__ = False  # not a test of this project, whatever pytest thinks of the name

    rule: str
    kind: str
    number: int
    found: str
    problems: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether it went as the rule's author says; a known miss passes as long as it is one."""
        if self.problems:
            return False
        return (
            self.found != self.kind.removeprefix("todo_") if self.kind.startswith("todo_") else self.found == self.kind
        )


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class TestReport:
    """The results of all tests, the messages about those that failed, and the coverage that they reached."""

    __test__ = False

    results: tuple[TestResult, ...]
    messages: tuple[Message, ...]
    coverage: Coverage


def run_rule_tests(base: Base) -> TestReport:
    """Run every test of every rule and return what came of it."""
    coverage = Coverage(base)
    results: list[TestResult] = []
    messages: list[Message] = []
    executor = CountingExecutor(base.program)
    for rule, runs in itertools.groupby(run_all(base, coverage), key=lambda run: run.rule):
        seen: dict[str, list[Interval]] = {}
        for run in runs:
            result = TestResult(rule=rule.id, kind=run.kind, number=run.number, found=run.found, problems=run.problems)
            results.append(result)
            for column, value in run.values.items():
                seen.setdefault(str(column), []).append(value)
            if not result.passed:
                drafts = rule.status == "draft"
                messages.append(_failure(rule, result, evaluate(base, run.incident, executor, drafts=drafts)))
        messages += _unbracketed(base, rule, seen)
    return TestReport(results=tuple(results), messages=tuple(messages), coverage=coverage)


def _failure(rule: Rule, result: TestResult, evaluated: Evaluated) -> Message:
    file, _, line = rule.place.rpartition(":")
    name = f"{result.rule} {result.kind}[{result.number}]"
    if result.problems:
        text, code = f"{name}: {'; '.join(result.problems)}", "test-facts"
    elif result.kind.startswith("todo_"):
        text, code = f"{name}: the known miss is gone: make it a test", "test-passes-now"
    else:
        text, code = f"{name}: expected {result.kind}, got {result.found}: {_why(rule, evaluated)}", "test-failed"
    return Message(file=file, line=int(line), level=Level.ERROR, text=text, code=code)


def _why(rule: Rule, evaluated: Evaluated) -> str:
    """Return the leaves of the body and the exceptions with their truths, as the rule reads them."""
    from dam_expert.engine.proof import step

    told = step(evaluated, rule, "full")
    parts = []
    todo = [told.conditions, *told.unless]
    while todo:
        node = todo.pop(0)
        if node.children:
            todo = [*node.children, *todo]
        else:
            value = "" if node.value is None else f" (is {node.value})"
            parts.append(f"{node.text}{value} {node.truth}")
    return ", ".join(parts)


def _unbracketed(base: Base, rule: Rule, seen: Mapping[str, list[Interval]]) -> Iterator[Message]:
    """Yield a message for each limit that the tests do not approach from both sides."""
    if rule.status == "draft":
        return
    file, _, line = rule.place.rpartition(":")
    for leaf in limits_of(rule):
        values = seen.get(str(leaf.column), [])
        limits = (
            [alternative.value for alternative in base.thresholds[leaf.operand.threshold].name.alternatives]
            if isinstance(leaf.operand, Limit)
            else [leaf.operand.value]
            if isinstance(leaf.operand, Number)
            else []
        )
        measurement = base.measurements.get(leaf.column.measurement)
        step = 1.0 if measurement is not None and measurement.whole else 0.0
        sides = [side for limit in limits if (side := _missing_side(values, limit, leaf.operator, step)) is not None]
        if limits and len(sides) == len(limits):
            text = (
                f"{rule.id}: no test has a value of {leaf.column} {sides[0]} '{leaf_text(leaf)}' within a factor of 2"
            )
            yield Message(file=file, line=int(line), level=Level.ERROR, text=text, code="unbracketed")


def _missing_side(values: list[Interval], limit: Interval, operator: Operator, step: float) -> str | None:
    """Return the side of a limit on which no value lies strictly within a factor of 2, or None.

    Of whole numbers, which have a ``step`` of 1, the nearest does as well, and the limit itself on its own side.
    """
    if limit.lo <= 0.0:
        return None
    below = any(limit.lo / 2.0 < value.hi < limit.lo or limit.lo - step <= value.hi < limit.lo for value in values)
    above = any(limit.hi < value.lo < limit.hi * 2.0 or limit.hi < value.lo <= limit.hi + step for value in values)
    if step and any(value == limit for value in values):
        own_side_is_above = operator in (Operator.AT_LEAST, Operator.LESS)
        above, below = above or own_side_is_above, below or not own_side_is_above
    if below and above:
        return None
    return "below" if not below else "above"
