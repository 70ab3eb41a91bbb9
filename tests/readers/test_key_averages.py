"""Tables of key_averages with the columns of several versions."""

from __future__ import annotations

import pytest
from readers.traces import codes, values
from readers.training_texts import KEY_AVERAGES

from dam_expert.readers.key_averages import KeyAveragesReader
from dam_expert.readers.source import Source

HEAD = "Name    Self CPU %      Self CPU   CPU total %     CPU total  CPU time avg"


def read(text: str):
    source = Source.of_bytes("table.txt", text.encode())
    assert KeyAveragesReader().recognises(source)
    return KeyAveragesReader().read(source)


def test_shares_are_of_the_steps():
    """Loader, calls, collectives and copies over the steps; device time bounds the busy share from above."""
    reading = read(KEY_AVERAGES)
    assert values(reading) == {
        "step_marks": "true",
        "device_side": "true",
        "loader_mode": "multi_process",
        "step_time": 0.05,
        "steps_captured": 4,
        "input_wait_share": 0.1,
        "input_wait_time": 0.005,
        "sync_time_share": 0.05,
        "launch_time_share": 0.1,
        "kernels_per_step": 1000,
        "device_busy_share": (0.0, 0.4),
        "communication_share": 0.15,
        "copy_share": 0.05,
    }
    assert reading.lines_not_understood == 0


def test_device_time_beyond_the_steps_bounds_nothing():
    """Where overlapping streams add up to more than the steps, nothing is told of the busy share."""
    assert "device_busy_share" not in values(read(KEY_AVERAGES.replace("total: 80.000ms", "total: 260.000ms")))


@pytest.mark.parametrize("device", ["XPU", "PRIVATEUSE1", "MTIA"])
def test_columns_follow_the_device(device):
    """Other devices name the columns after themselves."""
    found = values(read(KEY_AVERAGES.replace("Self CUDA", f"Self {device}").replace("CUDA t", f"{device} t")))
    assert found["device_busy_share"] == (0.0, 0.4)


def test_a_table_of_the_host_says_nothing_of_a_device():
    """Without device columns the device side is absent, not idle."""
    text = f"{HEAD}    # of Calls\n  ProfilerStep*   10.00%   2.000ms   100.00%   8.000ms   2.000ms   4\n"
    assert values(read(text)) == {"step_marks": "true", "device_side": "false", "step_time": 0.002, "steps_captured": 4}


def test_without_steps_there_are_no_shares():
    """A table that lists no steps says so."""
    reading = read(f"{HEAD}    # of Calls\n  aten::mm   10.00%   2.000ms   100.00%   8.000ms   2.000ms   4\n")
    assert values(reading) == {"device_side": "false"}
    assert codes(reading) == {"no-steps"}


def test_rows_of_one_name_by_shape_are_added():
    """Grouped by input shape, a name has several rows."""
    row = "  ProfilerStep*   10.00%   2.000ms   100.00%   8.000ms   2.000ms   4   [[], [4, 3]]\n"
    assert values(read(f"{HEAD}    # of Calls    Input Shapes\n{row}{row}"))["steps_captured"] == 8


def test_a_second_table_of_the_profile_adds_nothing():
    """The same profile sorted in two ways is one profile."""
    assert values(read(KEY_AVERAGES + KEY_AVERAGES)) == values(read(KEY_AVERAGES))


def test_cut_rows_are_counted():
    """A row that ends early is not understood; a header without rows says so."""
    assert read(KEY_AVERAGES + "  aten::mm   10.00%   2.0\n").lines_not_understood == 1
    assert codes(read(f"{HEAD}    # of Calls\n")) == {"no-rows"}


def test_tables_without_calls():
    """Before 2020 the columns were fewer, and their names longer."""
    text = "Name      Self CPU total %  Self CPU total   CPU total %      CPU total        CPU time avg\n"
    reading = read(text + "addmm     32.32%            543.135us        32.69%           549.362us        549.362us\n")
    assert reading.lines_not_understood == 0
    assert values(reading) == {"device_side": "false"}


def test_names_that_are_cut_at_their_beginning():
    """What is left of a name still tells a loader and a collective."""
    whole, cut = (
        "enumerate(DataLoader)#_MultiProcessingDataLoaderIter....",
        "...#_MultiProcessingDataLoaderIter.__next__",
    )
    text = KEY_AVERAGES.replace(whole, cut)
    assert values(read(text))["loader_mode"] == "multi_process"
    assert values(read(text))["input_wait_share"] == values(read(KEY_AVERAGES))["input_wait_share"]
