"""dmon in the shapes that drivers and users give it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from readers.traces import codes

from dam_expert.readers.nvidia_dmon import NvidiaDmonReader
from dam_expert.readers.source import Source

DMON = """\
# gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk     fb  rxpci  txpci pviol tviol
# Idx      W      C      C      %      %    MHz    MHz     MB   MB/s   MB/s     %  bool
    0    600     50     40     80     10   2619   1980   1024    100     50    10     0
    1    100     40      -      0      0   2619    345     10      0      0     0     0
    0    700     52     41    100     20   2619   1000   1024    300     50    30     1
    1    100     40      -     50      0   2619    345     10      0      0     0     0
"""


def told(text: str) -> dict[tuple[str, str], float]:
    """Return points by measurement and device."""
    source = Source.of_bytes("gpu", text.encode())
    reader = NvidiaDmonReader()
    assert reader.recognises(source)
    points = [each for each in reader.read(source).observations if not isinstance(each.value, str)]
    return {(each.measurement, "".join(owner for _, owner in each.scope)): each.value.lo for each in points}


def test_dmon_rows_become_means_and_percentiles_per_device():
    """Interleaved rows are kept apart by device."""
    found = told(DMON)
    assert found["accelerator_utilization", "0"] == pytest.approx(0.9)
    assert found["accelerator_utilization_p10", "0"] == pytest.approx(0.82)
    assert found["accelerator_utilization_p90", "0"] == pytest.approx(0.98)
    assert found["accelerator_utilization", "1"] == pytest.approx(0.25)
    assert found["memory_controller_utilization", "0"] == pytest.approx(0.15)
    assert found["device_power", "0"] == 650.0
    assert found["device_memory_used", "0"] == 2.0**30
    assert found["sm_clock", "0"] == 1.49e9
    assert found["pcie_rx_rate", "0"] == 2e8
    assert found["power_capped_share", "0"] == pytest.approx(0.2)
    assert found["thermal_slowdown_share", "0"] == 0.5
    assert found["utilization_samples", "0"] == 2
    assert found["device_count", ""] == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("#Time        gpu  sm  mem\n#HH:MM:SS    Idx   %    %\n", " 10:00:00     0  70    7", id="-o T"),
        pytest.param(
            "#Date       Time        gpu   mem   sm\n#YYYYMMDD   HH:MM:SS    Idx     %    %\n",
            " 20261129   10:00:00      0     7   70",
            id="-o DT, other order",
        ),
        pytest.param("0: # gpu  sm  mem\n0: # Idx   %    %\n", "0:     0  70    7", id="srun -l"),
        pytest.param("worker-0: # gpu  sm  mem\nworker-0: # Idx   %    %\n", "worker-0:     0  70    7", id="pdsh"),
        pytest.param("[pod/w-0/t] # gpu sm mem\n[pod/w-0/t] # Idx % %\n", "[pod/w-0/t]   0  70   7", id="kubectl"),
        pytest.param(
            "# gpu  sm  enc\n# Idx   %    %\n    0  70    0\n# gpu  mem sm\n", "    0  7  70", id="new header"
        ),
    ],
)
def test_dmon_columns_are_found_by_header(before, after):
    """Order, dates, prefixes and a header that changes do not matter."""
    found = told(before + after)
    assert found["accelerator_utilization", "0"] == pytest.approx(0.7)
    assert found["memory_controller_utilization", "0"] == pytest.approx(0.07)


def test_a_dash_is_unknown():
    """With MIG on, utilisation is unknown while power is known."""
    found = told("# gpu  pwr  sm\n# Idx    W   %\n    0  432   -\n")
    assert found == {("device_power", "0"): 432.0, ("device_count", ""): 1}


def test_rows_that_do_not_fit_are_counted():
    """A cycle that is cut in the middle costs one line."""
    reading = NvidiaDmonReader().read(Source.of_bytes("dmon", (DMON + "    0    6").encode()))
    assert reading.lines_not_understood == 1
    assert codes(reading) == {"lines-not-understood"}
    assert reading.messages[0].line == 7


def test_pmon_is_not_told():
    """The table per process is another tool."""
    assert not NvidiaDmonReader().recognises(Source.of_bytes("x", b"# gpu   pid  type   sm   mem   command\n"))


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, len(DMON)), by=st.binary(max_size=8))
def test_damaged_text_never_raises(at, by):
    """Any bytes in the middle give a reading."""
    text = DMON.encode()
    NvidiaDmonReader().read(Source.of_bytes("x", text[:at] + by + text[at + len(by) :]))
