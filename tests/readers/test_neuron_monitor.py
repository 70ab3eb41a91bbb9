"""neuron-monitor reports, one per line or one spread over lines."""

from __future__ import annotations

import json

import pytest
from readers.traces import codes
from readers.training_texts import NEURON

from dam_expert.readers.neuron_monitor import NeuronMonitorReader
from dam_expert.readers.source import Source


def read(text: str):
    source = Source.of_bytes("neuron.json", text.encode())
    assert NeuronMonitorReader().recognises(source)
    return NeuronMonitorReader().read(source)


def told(text: str) -> dict[tuple[str, str], float]:
    return {
        (each.measurement, "".join(owner for _, owner in each.scope)): each.value.lo for each in read(text).observations
    }


def test_reports_become_means_per_core():
    """Utilisation is in percent; a counter that a core lacks is unknown."""
    assert told(NEURON) == pytest.approx(
        {
            ("accelerator_utilization", "0"): 0.8,
            ("device_flops_rate", "0"): 2e13,
            ("utilization_samples", "0"): 2,
            ("accelerator_utilization", "1"): 0.1,
            ("utilization_samples", "1"): 1,
            ("device_memory_used", ""): 1024,
            ("device_count", ""): 2,
        }
    )


def test_a_report_spread_over_lines():
    """A formatter may have spread one report."""
    first = json.loads(NEURON.split("\n", 1)[0])
    assert told(json.dumps(first, indent=1)) == told(json.dumps(first))


def test_an_idle_host_says_so():
    """No runtime, no core."""
    assert codes(read('{"neuron_runtime_data": []}')) == {"no-samples"}


@pytest.mark.parametrize("core", ["²", "٣", "1234567", "", "-1", "0x1"])
def test_a_core_that_is_no_number_is_passed_over(core):
    """A key that only looks like a number of a core names none, and nothing fails on it."""
    counters = {"period": 1, "neuroncores_in_use": {core: {"neuroncore_utilization": 50.0}, "0": {}}}
    report = {"neuron_runtime_data": [{"report": {"neuroncore_counters": counters}}]}
    assert not [found for found in read(json.dumps(report)).observations if found.scope == (("core", core),)]
