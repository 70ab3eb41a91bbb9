"""One further figure that contradicts a cause keeps it from being confirmed; one that stands beside it does not."""

from __future__ import annotations

import fnmatch
from typing import Any

import pytest
from truth.beside import ALREADY, BESIDE
from truth.contradictions import ALREADY_TOO, BY_MECHANISM, NOT_CLEARED
from truth.innocent import INNOCENT, SAYS_NOTHING
from truth.jobs import diagnosed, evaluated, job, shipped
from truth.test_beside import assert_changes_nothing, assert_excludes

from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import columns
from dam_expert.language.expressions import measurements_of


@pytest.mark.parametrize("name", BY_MECHANISM)
def test_a_cause_is_not_confirmed_beside_what_contradicts_it(name: str) -> None:
    """Two ways to measure one thing, a limit, nothing of what it takes, a state without its mechanism."""
    assert_excludes(BY_MECHANISM[name])


@pytest.mark.parametrize(
    ("name", "probe"), [(name, probe) for name, (_, probes) in ALREADY_TOO.items() for probe in probes]
)
def test_a_probe_of_what_is_already_so_confirms_nothing(name: str, probe: str) -> None:
    assert_changes_nothing(probe, **{name: ALREADY_TOO[name][0]})


@pytest.mark.parametrize("name", NOT_CLEARED)
def test_a_cause_is_not_refuted_beside_what_it_takes(name: str) -> None:
    """A mistaken refutation sends the reader elsewhere as surely as a mistaken confirmation."""
    hypothesis, facts, further = NOT_CLEARED[name]
    assert evaluated(job(facts)).standings.status[hypothesis] == "refuted"
    assert evaluated(job({**facts, **further})).standings.status[hypothesis] not in ("refuted", "confirmed")


@pytest.mark.parametrize(("hypothesis", "facts"), INNOCENT)
def test_a_right_confirmation_is_not_silenced(hypothesis: str, facts: dict[str, Any]) -> None:
    """The figures of the same table, at values that go together with the cause."""
    assert evaluated(job(facts)).standings.status[hypothesis] == "confirmed"


def judged() -> set[str]:
    """Return every measurement of which the base or a table says what it excludes."""
    base = shipped()
    found = {*ALREADY, *ALREADY_TOO}
    for beside in (*BESIDE.values(), *BY_MECHANISM.values()):
        found |= set(beside.facts)
    for rule in base.rules.values():
        if rule.conclusions[0][0] in ("reject", "doubt", "confirm", "refute"):
            for tree in (rule.when, *rule.unless):
                for leaf in expanded_leaves(tree, base.symptom_trees):
                    found |= {column.measurement for column in columns(leaf)}
    for whole in base.wholes.values():
        found |= set().union(*whole.reads)
    for budget in base.budgets.values():
        found |= {part.share for part in budget.model.parts}
    return found | {
        name for name, one in base.measurements.items() if one.formula and set(measurements_of(one.formula)) <= found
    }


def test_of_every_measurement_it_is_said_what_it_excludes() -> None:
    """A measurement that is new to the base is judged: what contradicts it is declared, or why nothing does."""
    patterns = [pattern for names in SAYS_NOTHING.values() for pattern in names]
    unjudged = [
        name
        for name in shipped().measurements
        if name not in judged() and not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
    ]
    assert unjudged == []
    names = set(shipped().measurements)
    assert [pattern for pattern in patterns if not fnmatch.filter(names, pattern)] == []


H100 = {"accelerator": "NVIDIA H100 80GB HBM3", "precision": "bf16"}


@pytest.mark.parametrize(
    ("facts", "because"),
    [
        ({**H100, "device_flops_rate": "2000 TFLOP/s"}, "No device does more operations per second"),
        ({**H100, "device_power": "1200 W"}, "No device takes, or is allowed, clearly more power"),
        ({**H100, "peak_memory": "120 GB"}, "holds no more than its memory"),
        ({**H100, "nvlink_rx_rate": "800 GB/s"}, "carry no more in one direction"),
        ({"sm_clock": "2.4 GHz", "sm_clock_max": "1.98 GHz"}, "No clock is above the highest"),
    ],
)
def test_more_than_the_hardware_can_is_said_with_its_reason(facts: dict[str, Any], because: str) -> None:
    """A figure above what the catalogue says of the device decides nothing, and the report says why."""
    assert any(because in warning for warning in diagnosed(facts).warnings)


@pytest.mark.parametrize(
    "facts",
    [
        {**H100, "device_flops_rate": "700 TFLOP/s", "device_power": "700 W", "peak_memory": "79 GB"},
        {**H100, "nvlink_rx_rate": "400 GB/s", "sm_clock": "1.98 GHz", "sm_clock_max": "1.98 GHz"},
    ],
)
def test_what_the_hardware_can_is_not_questioned(facts: dict[str, Any]) -> None:
    assert diagnosed(facts).warnings == []
