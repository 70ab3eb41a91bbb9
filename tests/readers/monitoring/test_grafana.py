"""Panels of Grafana as CSV."""

from __future__ import annotations

import pytest
from readers.said import codes, read, values

from dam_expert.readers.monitoring.grafana import GrafanaReader
from dam_expert.readers.source import Source


def test_series_are_known_by_metric_name_or_legend():
    """Names fix the scale, legends have units in the cells."""
    text = 'Time,"vllm:kv_cache_usage_perc{engine=""0""}",GPU utilization,Disk\n1,0.5,40%,7\n2,0.7,60%,7\n'
    reading = read(GrafanaReader(), text)
    assert values(reading) == {
        "kv_cache_usage": 0.6,
        "accelerator_utilization": 0.5,
        "workload_kind": "serving",
    }
    assert codes(reading) == {"unknown-series"}


def test_percentiles_lie_between_those_shown():
    """The percentile of all requests is none of the percentiles of parts, and not their mean."""
    text = (
        '"Time";"TTFT p99";"E2E latency 0.5"\n"2026-01-01 10:00:00";"500 ms";"2 s"\n"2026-01-01 10:01:00";"1.5 s";""\n'
    )
    found = values(read(GrafanaReader(), text))
    assert found == {"time_to_first_token_p99": (0.5, 1.5), "request_p50": 2.0, "workload_kind": "serving"}


@pytest.mark.parametrize("cells", [("0.4", "0.6"), ("3", "4 s")], ids=["a share or percent", "seconds for a share"])
def test_a_share_without_a_unit_is_left_out(cells):
    """0.4 may be 40 % or 0.4 %: unknown, with a message."""
    reading = read(GrafanaReader(), "Time,GPU util\n" + "".join(f"1,{cell}\n" for cell in cells))
    assert not reading.observations
    assert {"no-unit", "no-samples"} <= codes(reading)


def test_values_above_one_are_percent():
    """A share beyond one and a half can only be percent."""
    assert values(read(GrafanaReader(), "Time,GPU util\n1,1\n2,99\n")) == {"accelerator_utilization": 0.5}


def test_several_series_of_one_kind_are_told_apart():
    """Each device of a panel keeps its own values."""
    found = values(read(GrafanaReader(), "Time,GPU 0 gpu util,GPU 1 gpu util\n1,10%,90%\n2,undefined,90%\n"))
    assert found == {"accelerator_utilization[0]": 0.1, "accelerator_utilization[1]": 0.9}


def test_other_tables_are_left_alone():
    """A table over time without a known series is not claimed."""
    assert not GrafanaReader().recognises(Source.of_bytes("x", b"Time,Disk space\n1,2\n"))
