"""The simple and the advanced profiler of Lightning."""

from __future__ import annotations

import pytest
from readers.traces import codes, values
from readers.training_texts import LIGHTNING, LIGHTNING_ADVANCED, LIGHTNING_OLD

from dam_expert.readers.lightning import LightningProfilerReader
from dam_expert.readers.source import Source


def read(text: str):
    source = Source.of_bytes("fit.txt", text.encode())
    assert LightningProfilerReader().recognises(source)
    return LightningProfilerReader().read(source)


def test_the_wait_is_divided_by_the_epoch():
    """Actions nest: percentages are not added, bars in names do no harm."""
    reading = read(LIGHTNING)
    assert values(reading) == pytest.approx(
        {
            "workload_kind": "training",
            "step_time": 0.125,
            "steps_captured": 16,
            "epoch_time": 1.0,
            "input_wait_time": 0.1,
            "input_wait_share": 0.8,
            "host_transfer_share": 0.02,
            "checkpoint_time_share": 0.05,
        }
    )
    assert reading.lines_not_understood == 0


def test_older_names_and_columns():
    """Before 1.6 the wait has another name and calls are not counted."""
    found = values(read(LIGHTNING_OLD))
    assert (found["input_wait_share"], found["step_time"], found["steps_captured"]) == (0.25, 1.0, 10)


def test_advanced_actions_do_not_nest():
    """The advanced profiler takes an inner action out of the outer one, and slows down: shares only."""
    assert values(read(LIGHTNING_ADVANCED)) == {
        "workload_kind": "training",
        "loader_mode": "multi_process",
        "input_wait_share": 0.6,
    }


def test_a_report_of_validation_holds_no_steps():
    """Other entry points of the trainer have reports as well."""
    text = LIGHTNING.replace("run_training", "run_other")
    reading = read(text)
    assert values(reading) == {}
    assert codes(reading) == {"no-steps"}
