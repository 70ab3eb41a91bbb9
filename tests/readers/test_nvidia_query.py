"""Query CSV in the shapes that drivers and users give it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dam_expert.readers.nvidia_query import NvidiaQueryReader
from dam_expert.readers.source import Source

QUERY = """\
timestamp, name, index, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W], \
enforced.power.limit [W], clocks.current.sm [MHz], clocks.max.sm [MHz], clocks_throttle_reasons.active, \
pcie.link.gen.current, pcie.link.gen.max, pcie.link.width.current
2026/11/29 10:00:00.000, NVIDIA A100, 0, 0 %, 0 MiB, 40960 MiB, 50.00 W, 400.00 W, 210 MHz, 1410 MHz, 0x1, 1, 4, 4
2026/11/29 10:00:01.000, NVIDIA A100, 0, 100 %, 20480 MiB, 40960 MiB, 400.00 W, 400.00 W, 1200 MHz, 1410 MHz, \
0x0000000000000024, 4, 4, 16
"""


def told(text: str) -> dict[tuple[str, str], float]:
    """Return points by measurement and device."""
    source = Source.of_bytes("gpu", text.encode())
    reader = NvidiaQueryReader()
    assert reader.recognises(source)
    points = [each for each in reader.read(source).observations if not isinstance(each.value, str)]
    return {(each.measurement, "".join(owner for _, owner in each.scope)): each.value.lo for each in points}


def test_query_fields_become_means_of_the_series():
    """Units come from the header or the cell, ratios are taken per sample."""
    found = told(QUERY)
    assert found["accelerator_utilization", "0"] == 0.5
    assert found["device_memory_used", "0"] == 10240 * 2.0**20
    assert found["device_memory_used_share", "0"] == 0.25
    assert found["power_share", "0"] == pytest.approx(0.5625)
    assert found["power_limit", "0"] == 400.0
    assert found["sm_clock_max", "0"] == 1.41e9
    assert found["power_capped_share", "0"] == 0.5
    assert found["thermal_slowdown_share", "0"] == 0.5
    assert found["hw_slowdown_share", "0"] == 0.0


def test_the_link_is_judged_under_load_only():
    """An idle link clocks down: only the busy sample counts."""
    found = told(QUERY)
    assert (found["pcie_link_gen", "0"], found["pcie_link_width", "0"]) == (4, 16)
    idle = told("\n".join(QUERY.splitlines()[:2]))
    assert not [name for name, _ in idle if name.startswith("pcie")]


@pytest.mark.parametrize(
    ("text", "used"),
    [
        pytest.param("index, memory.used [MiB]\n0, 512\n", 2.0**29, id="nounits"),
        pytest.param("memory.used [MiB], uuid\n512 MiB, GPU-1\n", 2.0**29, id="by uuid"),
        pytest.param("pid noise\nindex, memory.used [MiB]\n\n0, 512 MiB\n", 2.0**29, id="text before"),
        pytest.param(
            "index, memory.used [MiB]\n0, 512 MiB\nindex, memory.used [MiB]\n0, 512 MiB\n", 2.0**29, id="twice"
        ),
    ],
)
def test_query_forms(text, used):
    """Units in the header alone, other ids, noise before and a repeated header are understood."""
    assert next(value for (name, _), value in told(text).items() if name == "device_memory_used") == used


@pytest.mark.parametrize("cell", ["[N/A]", "[Requested functionality has been deprecated]", "[Unknown Error]", ""])
def test_a_sentence_in_a_numeric_cell_is_unknown(cell):
    """Unknown is absent, never 0."""
    assert told(f"index, utilization.gpu [%]\n0, {cell}\n") == {("device_count", ""): 1}


@pytest.mark.parametrize(("word", "share"), [("Active", 1.0), ("Not Active", 0.0), ("[N/A]", None)])
def test_single_reason_columns(word, share):
    """Reasons are also read from their own columns, under new and old names."""
    text = "index, memory.used [MiB], clocks_event_reasons.hw_slowdown, clocks_throttle_reasons.sw_power_cap\n"
    found = told(text + f"0, 1 MiB, {word}, {word}\n")
    assert found.get(("hw_slowdown_share", "0")) == share
    assert found.get(("power_capped_share", "0")) == share


@pytest.mark.parametrize(
    "text",
    [
        "98 %, 1024 MiB\n97 %, 1024 MiB\n",
        "pid, process_name, used_gpu_memory [MiB]\n1, a, 5 MiB\n",
        "step, loss\n1, 2\n",
    ],
)
def test_other_tables_are_not_claimed(text):
    """Without a header of known fields nothing says what a column is."""
    assert not NvidiaQueryReader().recognises(Source.of_bytes("x", text.encode()))


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, len(QUERY)), by=st.binary(max_size=8))
def test_damaged_text_never_raises(at, by):
    """Any bytes in the middle give a reading."""
    text = QUERY.encode()
    NvidiaQueryReader().read(Source.of_bytes("x", text[:at] + by + text[at + len(by) :]))
