"""A further fact that excludes a hypothesis keeps it from being confirmed, whatever else speaks for it.

To the facts of every test in which a rule confirms, every fact of a table is added that cannot hold beside what is
confirmed; one of the two is wrong then, and nobody knows which.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import pytest
from truth.beside import ALREADY, BESIDE, NEEDED, Beside
from truth.jobs import evaluated, in_block, job, shipped

from dam_expert.engine.block.judging import CONFIRMED

if TYPE_CHECKING:
    from collections.abc import Iterator


@functools.cache
def confirming() -> list[tuple[str, str, dict[str, Any]]]:
    """Return each rule that confirms, what it confirms and the facts of each of its tests."""
    return [
        (rule.id, hypothesis, facts)
        for rule in shipped().rules.values()
        if rule.model.status == "stable"
        for verb, hypothesis in rule.conclusions
        if verb == "confirm"
        for facts in rule.model.tests.fires
    ]


def is_probe(name: str) -> bool:
    measurement = shipped().measurements.get(name)
    return measurement is not None and measurement.model.decides == "probe"


def excluded(beside: Beside) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the facts with which a hypothesis would be confirmed beside what excludes it."""
    base = shipped()
    for rule, hypothesis, facts in confirming():
        family = {hypothesis, *base.hypotheses[hypothesis].ancestors}
        touched = not beside.of or any(name in facts for name in beside.of)
        stated = any(name in facts and str(facts[name]) != str(value) for name, value in beside.facts.items())
        compared = not beside.probed and any(is_probe(name) for name in facts)
        if family & set(beside.excludes) and touched and not (stated or compared or set(beside.beyond) & set(facts)):
            yield rule, hypothesis, {**facts, **beside.facts}


def left(beside: Beside) -> dict[str, set[str]]:
    """Return what is confirmed all the same, each with the rules whose tests show it."""
    cases = list(excluded(beside))
    assert cases, "nothing is left to exclude"
    verdict = in_block(job(facts) for _, _, facts in cases)
    numbers = {name: number for number, name in enumerate(verdict.names)}
    found: dict[str, set[str]] = {}
    for row, (rule, hypothesis, _) in enumerate(cases):
        if verdict.status[row][numbers[hypothesis]] == CONFIRMED:
            found.setdefault(hypothesis, set()).add(rule)
    return found


def assert_excludes(beside: Beside) -> None:
    """Nothing is confirmed but what is argued for in the table, and all of that."""
    found = left(beside)
    assert {each: rules for each, rules in found.items() if each not in beside.but} == {}
    assert set(beside.but) <= set(found), "no longer confirmed: take them out of the table"


def assert_changes_nothing(probe: str, **already: Any) -> None:
    """Without the fact that there was nothing to change a probe confirms; beside it, it does not."""
    tried = {probe: 1.4, **NEEDED.get(probe, {})}
    assert "confirmed" in evaluated(job(tried)).standings.status.values()
    assert "confirmed" not in evaluated(job({**tried, **already})).standings.status.values()


@pytest.mark.parametrize("name", BESIDE)
def test_what_a_fact_excludes_is_not_confirmed_beside_it(name: str) -> None:
    """Only what is argued for in the table, and all of that."""
    assert_excludes(BESIDE[name])


@pytest.mark.parametrize(
    ("name", "probe"), [(name, probe) for name, (_, probes) in ALREADY.items() for probe in probes]
)
def test_a_probe_that_could_change_nothing_confirms_nothing(name: str, probe: str) -> None:
    assert_changes_nothing(probe, **{name: ALREADY[name][0]})
