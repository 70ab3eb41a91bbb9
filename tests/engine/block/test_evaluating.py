"""A block of incidents gives, row by row, what each incident gives alone."""

from __future__ import annotations

from typing import Any

from block_rows import alone, row
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_bases import bases, incidents, observations, resolved

from dam_expert.documents.incident import Incident
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.block.evaluating import BlockVerdict, evaluate_block
from dam_expert.engine.block.incidents import block_of
from dam_expert.engine.evaluate import evaluate


def nothing_past_the_end(found: BlockVerdict) -> bool:
    """Whether words say nothing of rows behind the last one, where a rule would seem to have fired."""
    firing = found.fired.firing
    words = [*(word for both in firing.answers().values() for word in both), *found.full.values()]
    return not any((word & ~firing.full).any() for word in words)


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
