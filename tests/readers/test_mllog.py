"""MLPerf logs."""

from __future__ import annotations

from readers.traces import codes, values
from readers.training_texts import MLLOG

from dam_expert.readers.mllog import MllogReader
from dam_expert.readers.source import Source


def read(text: str):
    source = Source.of_bytes("result.txt", text.encode())
    assert MllogReader().recognises(source)
    return MllogReader().read(source)


def test_run_time_statistics_and_settings():
    """The run lasts from run_start to run_stop."""
    assert values(read(MLLOG)) == {
        "workload_kind": "training",
        "training_time": 60.0,
        "global_batch_size": 1024,
        "throughput": 500.0,
        "step_time": 2.0,
    }


def test_an_unfinished_run_has_no_run_time():
    """Without run_stop the run time is unknown."""
    reading = read(MLLOG.replace("run_stop", "x"))
    assert "training_time" not in values(reading)
    assert codes(reading) == {"unfinished"}


def test_a_broken_line_is_counted():
    """A line whose JSON is cut is not understood."""
    assert read(MLLOG + ':::MLLOG {"key": ').lines_not_understood == 1
