"""Dumps and recordings of py-spy."""

from __future__ import annotations

import json

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
            {"stack_input_share": 0.5, "stack_main_share": 0.5},
            id="speedscope; a sample was lost, which may have compiled",
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


def _events(*events: tuple[str, str, int], **more: object) -> str:
    """Return a trace of begins and ends of frames at times; ``more`` replaces fields of the last event."""
    found: list[dict[str, object]] = [
        {"args": {"filename": "/x/d.py"}, "cat": "py-spy", "name": name, "ph": phase, "pid": 1, "tid": 1, "ts": time}
        for phase, name, time in events
    ]
    return json.dumps([*found[:-1], {**found[-1], **more}])


NESTED = [("B", "<module>", 0), ("B", "decode", 10), ("E", "decode", 60), ("E", "<module>", 100)]


def test_a_thread_is_called_what_the_trace_calls_it() -> None:
    """Newer versions name each thread ahead of its first frame, in an event without a time."""
    name = {"args": {"filename": "", "name": "7: pin_memory"}, "cat": "py-spy", "name": "thread_name", "ph": "M"}
    events = [{**name, "pid": 1, "tid": 1, "ts": 0}, *json.loads(_events(*NESTED))]
    reading = read(json.dumps(events))
    assert values(reading)["stack_input_share"] == 1.0
    assert reading.lines_not_understood == 0


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param({"ph": ["B"]}, id="a list for the kind of event"),
        pytest.param({"ph": {"B": 1}}, id="a mapping for it"),
        pytest.param({"ts": None}, id="no time"),
        pytest.param({"tid": "-"}, id="no thread"),
        pytest.param({"name": "other"}, id="the end of another frame"),
    ],
)
def test_behind_an_odd_event_no_stack_is_known(odd: dict[str, object]) -> None:
    """What runs is known as long as each begin and end is; the time before it counts, and no part of it is 0."""
    reading = read(_events(*NESTED[:3], **odd))
    assert values(reading) == {"stack_main_share": 1.0}
    assert reading.lines_not_understood == 1
    assert codes(reading) == {"lines-not-understood"}
