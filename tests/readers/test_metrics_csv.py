"""CSV of Lightning, TensorBoard and W&B."""

from __future__ import annotations

import pytest
from readers.traces import codes, values
from readers.training_texts import METRICS_CSV, TENSORBOARD_CSV, WANDB_CSV

from dam_expert.readers.metrics_csv import MetricsCsvReader
from dam_expert.readers.source import Source


def read(text: str):
    source = Source.of_bytes("metrics.csv", text.encode())
    assert MetricsCsvReader().recognises(source)
    return MetricsCsvReader().read(source)


def test_sparse_rows_of_lightning():
    """An empty cell is unknown; percentages become shares."""
    assert values(read(METRICS_CSV)) == pytest.approx(
        {
            "workload_kind": "training",
            "input_wait_share": 0.4,
            "training_loss_early": 2.0,
            "training_loss": 1.5,
            "heldout_loss": 1.75,
            "learning_rate_late_share": 0.5,
        }
    )


def test_a_tensorboard_export_gives_the_time_between_steps():
    """The scalar has no name; the first row is warm-up."""
    assert values(read(TENSORBOARD_CSV)) == {"workload_kind": "training", "step_time": 0.5, "steps_captured": 20}


def test_a_wandb_export_names_the_run_before_the_metric():
    """MIN and MAX columns are passed over, NaN to the end diverges, system metrics belong to their device."""
    reading = read(WANDB_CSV)
    assert values(reading) == {"workload_kind": "training", "accelerator_utilization": 0.5, "loss_trend": "diverging"}
    (device,) = [found.scope for found in reading.observations if found.measurement == "accelerator_utilization"]
    assert device == (("device", "0"),)


@pytest.mark.parametrize(
    "header", ["a,b,c", "step,name", "epoch,loss", "loss is 2.0, step 5", "x" * 70000 + ",step,loss"]
)
def test_other_csv_is_left_to_others(header):
    """Without a step or a known metric a header is not recognised."""
    assert not MetricsCsvReader().recognises(Source.of_bytes("x", f"{header}\n1,2,3\n".encode()))


def test_rows_of_another_width_are_counted():
    """A row that is cut is not understood."""
    reading = read(METRICS_CSV + "0,60\n")
    assert reading.lines_not_understood == 1
    assert codes(reading) == {"lines-not-understood"}
