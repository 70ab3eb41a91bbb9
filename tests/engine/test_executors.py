"""experta, the bit program, counting and the reference agree on every base and incident, in whatever order it comes."""

from __future__ import annotations

import itertools
import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_bases import bases, incidents, observations, resolved
from reference import Reference

from dam_expert.documents.incident import Incident
from dam_expert.engine import _experta
from dam_expert.engine._experta import ExpertaExecutor
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.diagnose import written
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.engine.executor import Executor
from dam_expert.kb.base import Base
from dam_expert.language.program import Join, Node, Program, literal_truth

EXAMPLES = settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def run(base: Base, incident: dict[str, tuple[Any, ...]], executor: Executor) -> Evaluated:
    return evaluate(base, Incident(id="i", file="random", observations=observations(incident)), executor)


def fired(evaluated: Evaluated) -> dict[str, str]:
    return {firing.rule: firing.strength.value for firing in evaluated.firings}


@EXAMPLES
@given(base=bases(), incident=incidents())
def test_executors_agree_with_the_reference(base: dict[str, Any], incident: dict[str, tuple[Any, ...]]) -> None:
    """Experta, the bit program and counting fire the reference's rules at its strength, and give the same statuses."""
    expected = Reference(base, incident)
    compiled = resolved(base)
    for kind in (ExpertaExecutor, BitExecutor, CountingExecutor):
        executor: Executor = kind(compiled.program)
        evaluated = run(compiled, incident, executor)
        assert fired(evaluated) == expected.fired
        assert evaluated.standings.status == expected.statuses
        found = evaluated.node_truths()
        told = {name: literal_truth(literal, found).word for name, literal in compiled.program.symptoms.items()}
        assert told == expected.symptoms


@EXAMPLES
@given(base=bases(), incident=incidents(), seed=st.integers(0, 2**16))
def test_order_does_not_matter(base: dict[str, Any], incident: dict[str, tuple[Any, ...]], seed: int) -> None:
    """Rules, entries and facts in another order give the same evidence, statuses and fired rules."""
    shuffler = random.Random(seed)
    other = {section: shuffler.sample(entries, len(entries)) for section, entries in base.items()}
    turned = dict(shuffler.sample(list(incident.items()), len(incident)))
    first, second = resolved(base), resolved(other)
    before = run(first, incident, BitExecutor(first.program))
    after = run(second, turned, ExpertaExecutor(second.program))
    assert fired(before) == fired(after)
    assert dict(before.standings.status) == dict(after.standings.status)
    assert before.verdict == after.verdict


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(base=bases(), incident=incidents())
def test_unknown_never_fires_a_rule(base: dict[str, Any], incident: dict[str, tuple[Any, ...]]) -> None:
    """A rule that fires on part of the facts has a body that is true whatever the missing facts are, sanity aside."""
    monotone = {
        **base,
        "wholes": [],
        "rules": [rule | {"unless": []} for rule in base["rules"] if "ask" not in rule["then"]],
    }
    monotone["rules"] = [rule for rule in monotone["rules"] if not {"reject", "doubt"} & set(rule["then"])]
    compiled = resolved(monotone)
    complete = fired(run(compiled, incident, BitExecutor(compiled.program)))
    for missing in incident:
        partial = {name: value for name, value in incident.items() if name != missing}
        if missing.startswith("d"):
            continue  # without its observation a derived measurement falls back to its formula, another value
        assert set(fired(run(compiled, partial, BitExecutor(compiled.program)))) <= set(complete)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(base=bases(), incident=incidents())
def test_same_in_same_out(base: dict[str, Any], incident: dict[str, tuple[Any, ...]]) -> None:
    """The document of one incident is the same, byte for byte, from every executor and from a second run."""
    compiled = resolved(base)
    executors: list[Executor] = [kind(compiled.program) for kind in (ExpertaExecutor, BitExecutor, CountingExecutor)]
    texts = {
        written(run(compiled, incident, executor)).model_dump_json()
        for executor, _ in itertools.product(executors, range(2))
    }
    assert len(texts) == 1


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(base=bases(), incident=incidents())
def test_the_matcher_fires_what_the_one_of_experta_fires(
    base: dict[str, Any], incident: dict[str, tuple[Any, ...]]
) -> None:
    """The same rules at the same strength and the same symptoms as behind experta's own network."""
    compiled = resolved(base)
    with_own = ExpertaExecutor(compiled.program)
    ours = _experta._Memory.__matcher__
    _experta._Memory.__matcher__ = _experta._matchers.ReteMatcher
    try:
        with_experta = ExpertaExecutor(compiled.program)
    finally:
        _experta._Memory.__matcher__ = ours
    for _ in range(2):  # once more after a reset
        first, second = (run(compiled, incident, executor) for executor in (with_own, with_experta))
        assert fired(first) == fired(second)
        assert first.standings == second.standings
        assert first.leaf_truths == second.leaf_truths


def test_a_fact_that_is_taken_back_takes_back_what_rested_on_it() -> None:
    """A rule on the agenda goes with a fact it needs, and comes back with it; one on other facts stays."""
    leaf = Node(Join.LEAF)
    nodes = (leaf, leaf, Node(Join.ALL, ((0, True), (1, True))))
    executor = ExpertaExecutor(Program(nodes=nodes, symptoms={"both": (2, True), "one": (0, True)}, rules=()))
    memory, facts = executor._engine, executor._facts
    executor.begin()
    one, other = (facts.declared((position, True)) for position in (0, 1))
    memory.declare(one, other)
    on_both = [{"Node0Holds", "Node1Holds"}]
    assert waiting_to_fire(memory) == on_both
    memory.retract(other)
    assert waiting_to_fire(memory) == []
    memory.declare(facts.pattern((1, True)))
    assert waiting_to_fire(memory) == on_both
    executor.begin()
    assert waiting_to_fire(memory) == []


def waiting_to_fire(memory: Any) -> list[set[str]]:
    """Return what each activation on the agenda rests on."""
    return [{type(fact).__name__ for fact in activation.facts} for activation in memory.agenda.activations]
