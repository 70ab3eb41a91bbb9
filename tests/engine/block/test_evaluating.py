"""A block of incidents gives, row by row, what each incident gives alone."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_bases import bases, incidents, observations, resolved

from dam_expert.documents.incident import Incident
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.block.evaluating import DIAGNOSIS, BlockVerdict, evaluate_block
from dam_expert.engine.block.incidents import block_of
from dam_expert.engine.block.judging import STATUS_WORDS
from dam_expert.engine.evaluate import Evaluated, evaluate


def row(found: BlockVerdict, index: int, rules: list[str]) -> dict[str, Any]:
    names = found.names
    binding = int(found.binding[index])
    return {
        "status": {name: STATUS_WORDS[found.status[index, column]] for column, name in enumerate(names)},
        "score": {name: int(found.score[index, column]) for column, name in enumerate(names)},
        "diagnosis": DIAGNOSIS[found.diagnosis[index]],
        "binding": None if binding < 0 else names[binding],
        "first": [names[column] for column in found.first[index]],
        "fired": {
            rules[position]: strength
            for strength, which in (("full", found.full), ("reduced", found.reduced))
            for position in found.rules(which)[index]
        },
    }


def nothing_past_the_end(found: BlockVerdict) -> bool:
    """Whether words say nothing of rows behind the last one, where a rule would seem to have fired."""
    firing = found.fired.firing
    words = [*(word for both in firing.answers().values() for word in both), *found.full.values()]
    return not any((word & ~firing.full).any() for word in words)


def alone(evaluated: Evaluated) -> dict[str, Any]:
    return {
        "status": dict(evaluated.standings.status),
        "score": dict(evaluated.standings.score),
        "diagnosis": evaluated.verdict.status,
        "binding": evaluated.verdict.binding,
        "first": list(evaluated.verdict.ranked[:4]),
        "fired": {firing.rule: firing.strength.value for firing in evaluated.firings},
    }


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(base=bases(rich=True), drawn=st.lists(incidents(), min_size=1, max_size=9))
def test_a_block_equals_its_incidents(base: dict[str, Any], drawn: list[dict[str, tuple[Any, ...]]]) -> None:
    """Statuses, scores, rankings, bindings and fired rules are the same, whoever else is in the block."""
    compiled = resolved(base)
    alike = [Incident(id=str(i), file="random", observations=observations(one)) for i, one in enumerate(drawn)]
    found = evaluate_block(compiled, block_of(compiled, alike))
    rules = [rule.id for rule in compiled.program.rules]
    assert nothing_past_the_end(found)
    executor = BitExecutor(compiled.program)
    for index, incident in enumerate(alike):
        assert row(found, index, rules) == alone(evaluate(compiled, incident, executor))
