"""trainer_state.json of versions 4 and 5, whole and cut."""

from __future__ import annotations

import json

import pytest
from readers.traces import codes, values
from readers.training_texts import HF_STATE

from dam_expert.readers.hf_state import HfTrainerStateReader
from dam_expert.readers.source import Source


def read(text: str):
    source = Source.of_bytes("trainer_state.json", text.encode())
    assert HfTrainerStateReader().recognises(source)
    return HfTrainerStateReader().read(source)


def test_rows_with_a_runtime_are_differenced():
    """The first row, with the warm-up, is left out of the step time."""
    assert values(read(HF_STATE)) == pytest.approx(
        {
            "workload_kind": "training",
            "step_time": 0.5,
            "steps_captured": 100,
            "throughput": 11.0,
            "batch_size": 8,
            "training_loss_early": 2.0,
            "training_loss": 1.5,
            "learning_rate_late_share": 0.2,
            "heldout_loss": 1.75,
        }
    )


def test_without_runtimes_the_summary_counts():
    """Version 4 has a runtime in the last row only."""
    state = json.loads(HF_STATE)
    for row in state["log_history"][:3]:
        del row["train_runtime"]
    found = values(read(json.dumps(state)))
    assert found["step_time"] == pytest.approx(1 / 1.375)
    assert "steps_captured" not in found


def test_a_cut_file_gives_its_complete_rows():
    """A file that ends in the third row holds two."""
    reading = read(HF_STATE[: HF_STATE.index('"epoch": 1.0') + 30])
    assert codes(reading) == {"truncated"}
    assert values(reading)["training_loss"] == 1.8


@pytest.mark.parametrize("history", ["[]", "{}", "[1, null]", '[{"loss": true}]'])
def test_a_state_without_training_rows_says_so(history):
    """What holds no loss and no summary gives a message."""
    assert codes(read(f'{{"log_history": {history}}}')) == {"no-rows"}
