"""The tests of the rules notice when a condition becomes another one."""

from __future__ import annotations

from truth.jobs import shipped
from truth.rule_mutants import chosen, mutants, survivors


def test_every_change_of_a_sanity_rule_is_noticed() -> None:
    """They stand between impossible values and a verdict: none of their mutants survives."""
    count, alive = survivors(shipped(), chosen(shipped(), 3, "sanity."))
    assert count > 60
    assert [(mutant.rule.id, mutant.change) for mutant in alive] == []


def test_nearly_every_change_of_a_rule_is_noticed() -> None:
    """Of a fixed choice over the whole base; the whole of it takes minutes and stands in docs/reliability.md."""
    count, alive = survivors(shipped(), chosen(shipped(), 30))
    assert len(alive) <= 0.1 * count


def test_a_rule_has_a_mutant_for_each_part() -> None:
    """Each comparison turned, doubled and halved, each condition and each exception dropped."""
    rule = shipped().rules["input.decode.confirm"]
    changes = [mutant.change for mutant in mutants(rule)]
    assert sum(change.startswith("turned round") for change in changes) == 5
    assert sum(change.startswith("doubled") for change in changes) == 5
    assert sum(change.startswith("halved") for change in changes) == 5
    assert sum(change.startswith("dropped") for change in changes) == 7
    assert changes[-1] == "without the exception host_cores_masked"
