"""Running the tests of rules as one block: the same as one evaluation each."""

from __future__ import annotations

import dataclasses

import msgspec

from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.coverage import Coverage
from dam_expert.engine.evaluate import evaluate
from dam_expert.engine.rule_runs import KINDS, limits_of, outcome, run_all
from dam_expert.kb.base import packed
from dam_expert.kb.load import load_knowledge

#: Evaluating all tests one by one takes a minute; every so-manieth is of every family.
_EVERY = 23


def test_a_block_of_tests_is_the_same_as_one_evaluation_each():
    """What the rule did and the values it compared, for tests of the whole shipped base."""
    base, _ = load_knowledge()
    executor = BitExecutor(base.program)
    compiled = {rule.id: rule for rule in base.program.rules}
    runs = run_all(base, Coverage(base))
    assert len(runs) > 1000
    for run in runs[::_EVERY]:
        evaluated = evaluate(base, run.incident, executor)
        numbers = {leaf.column: evaluated.columns.number(leaf.column) for leaf in limits_of(run.rule)}
        name = f"{run.rule.id} {run.kind}[{run.number}]"
        assert (name, run.found) == (name, outcome(evaluated, compiled[run.rule.id]))
        assert (name, run.values) == (name, {column: value for column, value in numbers.items() if value is not None})


def test_a_block_covers_what_its_evaluations_cover():
    """Rules that fired and truths of leaves, seen from a block and from the same incidents one by one."""
    base, _ = load_knowledge()
    kept = set(list(base.rules)[::40])
    small = dataclasses.replace(
        base, rules={name: rule if name in kept else _untested(rule) for name, rule in base.rules.items()}
    )
    together, apart = Coverage(base), Coverage(base)
    runs = run_all(small, together)
    executor = BitExecutor(base.program)
    for run in runs:
        apart.see(evaluate(base, run.incident, executor))
    assert together.fired == apart.fired
    assert together.leaves() == apart.leaves()


def _untested(rule):
    none = rule.model.tests.changed(**{kind: [] for kind in KINDS})
    return msgspec.structs.replace(rule, written=packed(rule.model.changed(tests=none)))
