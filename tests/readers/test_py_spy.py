"""Dumps and recordings of py-spy."""

from __future__ import annotations

import pytest
from readers.traces import codes, values
from readers.training_texts import CHROME, DUMP, DUMP_JSON, RAW, RAW_WORKER, SPEEDSCOPE

from dam_expert.readers.py_spy import PySpyReader
from dam_expert.readers.py_spy.stacks import Stack
from dam_expert.readers.source import Source


def read(text: str):
    source = Source.of_bytes("stacks", text.encode())
    assert PySpyReader().recognises(source)
    return PySpyReader().read(source)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        pytest.param(DUMP, {"main_thread_state": "input_wait", "lock_holder": "input_work"}, id="text with locals"),
        pytest.param(DUMP_JSON, {"main_thread_state": "compile", "lock_holder": "compile"}, id="JSON"),
        pytest.param(
            RAW, {"stack_input_share": 0.2, "stack_compile_share": 0.2, "stack_main_share": 0.6}, id="collapsed lines"
        ),
        pytest.param(
            RAW_WORKER,
            {
                "stack_input_share": 1.0,
                "stack_compile_share": 0.0,
                "stack_main_share": 0.0,
                "decode_share_of_worker": (0.7, 1.0),
            },
            id="a worker; waiting for orders is not busy",
        ),
        pytest.param(
            SPEEDSCOPE,
            {"stack_input_share": 0.5, "stack_compile_share": 0.0, "stack_main_share": 0.5},
            id="speedscope",
        ),
        pytest.param(
            CHROME, {"stack_input_share": 0.6, "stack_compile_share": 0.0, "stack_main_share": 0.4}, id="Chrome trace"
        ),
    ],
)
def test_formats(text, known):
    """Each format tells who works."""
    assert values(read(text)) == known


def test_what_is_odd_is_counted():
    """A sample that points beyond the frames, and a thread without frames."""
    assert read(SPEEDSCOPE).lines_not_understood == 1
    assert read(DUMP.replace("    poll (selectors.py:415)\n", "")).lines_not_understood == 1


def test_an_idle_main_thread_in_unknown_code_says_nothing():
    """One instant of sleep in a script has no meaning."""
    reading = read('Thread 7 (idle): "MainThread"\n    <module> (busy.py:13)\n')
    assert values(reading) == {}
    assert codes(reading) == {"no-values"}


def test_nothing_of_the_command_line_is_echoed():
    """Command lines and arguments stay where they are."""
    reading = read(DUMP)
    assert "secret" not in repr(reading)


@pytest.mark.parametrize(
    ("frames", "activity"),
    [
        pytest.param(
            ("<module> (a.py)", "barrier (torch/distributed/distributed_c10d.py)"), "collective_wait", id="barrier"
        ),
        pytest.param(("<module> (a.py)", "synchronize (torch/cuda/__init__.py)"), "device_wait", id="synchronise"),
        pytest.param(("<module> (a.py)", "save (torch/serialization.py)"), "checkpoint", id="save"),
        pytest.param(("<module> (a.py)", "evaluate (train.py)"), "logging", id="evaluate"),
        pytest.param(("<module> (a.py)", "fetch (torch/utils/data/_utils/fetch.py)"), "input_work", id="fetch"),
        pytest.param(("<module> (a.py)", "loads (json/__init__.py)"), "python", id="anything else"),
    ],
)
def test_activities(frames, activity):
    """Functions and files on the stack say what it does."""
    assert Stack(frames=frames).activity == activity
