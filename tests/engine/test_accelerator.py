"""Figures of the accelerator in use."""

from __future__ import annotations

import pytest

from dam_expert import load_knowledge
from dam_expert.documents.incident import incident_from
from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis, Origin
from dam_expert.engine.accelerator import columns_of, figure, lacking
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.cells import Cell
from dam_expert.engine.diagnose import diagnose
from dam_expert.physics.hardware import Accelerator, Catalogue


def part(name, **more):
    return Accelerator(id=name, name=name, vendor="v", architecture="a", **more)


CATALOGUE = Catalogue(
    [
        part("plain", memory_bytes=80e9, memory_usable_bytes=70e9, bandwidth_bytes_per_s=2e12, peaks={"bf16": 1e15}),
        part("small", printed=("Twin",), memory_bytes=40e9, bandwidth_bytes_per_s=1e12, needs_memory=True, peaks={}),
        part("large", printed=("Twin",), memory_bytes=80e9, bandwidth_bytes_per_s=2e12, needs_memory=True, peaks={}),
        part(
            "double",
            framework_devices=2,
            memory_bytes=80e9,
            bandwidth_bytes_per_s=2e12,
            peaks={"bf16": 1e15},
            power_limit_w=500.0,
        ),
    ]
)


def known(**values):
    def cell_of(column):
        value = values.get(column.measurement)
        if value is None:
            return None
        return Cell(value=value if isinstance(value, str) else Interval.point(value), basis=Basis.TOOL, decisive=True)

    return cell_of


@pytest.mark.parametrize(
    ("values", "field", "expected"),
    [
        pytest.param({"accelerator": "plain"}, "memory_bandwidth", 2e12, id="by name"),
        pytest.param({"accelerator": "plain"}, "memory", 70e9, id="usable memory before that on the label"),
        pytest.param({"accelerator": "plain", "precision": "bf16"}, "peak", 1e15, id="by precision"),
        pytest.param({"accelerator": "plain", "precision": "bf16"}, "ridge", 500, id="the ridge"),
        pytest.param({"accelerator": "plain"}, "peak", None, id="no precision"),
        pytest.param({"accelerator": "plain", "precision": "fp8"}, "peak", None, id="a precision without a peak"),
        pytest.param({"accelerator": "plain", "precision": "sloppy"}, "peak", None, id="no such precision"),
        pytest.param({"accelerator": "plain"}, "link_bandwidth", None, id="a figure that is not published"),
        pytest.param({"accelerator": "plainer"}, "memory", None, id="nothing similar"),
        pytest.param({}, "memory", None, id="no name"),
        pytest.param({"accelerator": "Twin"}, "memory_bandwidth", None, id="two of one name"),
        pytest.param(
            {"accelerator": "Twin", "device_memory_total": 39e9}, "memory_bandwidth", 1e12, id="told apart by memory"
        ),
        pytest.param({"accelerator": "double"}, "memory_bandwidth", 1e12, id="one of its devices"),
        pytest.param({"accelerator": "double"}, "power_limit", 250, id="and its part of the power"),
    ],
)
def test_figures(values, field, expected):
    """Of what a framework calls one device; unknown where anything is unclear."""
    found = figure(CATALOGUE, known(**values), field)
    assert found == (None if expected is None else Interval.point(expected))


@pytest.mark.parametrize(
    ("values", "field", "expected"),
    [
        pytest.param({}, "memory", ["accelerator"], id="the name first"),
        pytest.param({}, "peak", ["accelerator", "precision"], id="and the precision"),
        pytest.param({"accelerator": "plain"}, "peak", ["device_memory_total", "precision"], id="what may be missing"),
        pytest.param({"accelerator": "Twin"}, "memory", ["device_memory_total"], id="the memory of a twin"),
        pytest.param({"accelerator": "plain"}, "memory", [], id="nothing"),
    ],
)
def test_what_an_unknown_figure_waits_for(values, field, expected):
    """Only columns that are unknown, and nothing where the figure is known."""
    assert [column.measurement for column in lacking(CATALOGUE, known(**values), field)] == expected


def test_what_a_figure_depends_on():
    """The precision only where it matters."""
    assert [str(column) for column in columns_of("ridge")] == ["accelerator", "device_memory_total", "precision"]
    assert [str(column) for column in columns_of("memory")] == ["accelerator", "device_memory_total"]


@pytest.mark.parametrize(
    ("name", "told"), [("NVIDIA GeForce RTX 4090 Laptop GPU", True), ("NVIDIA A100-SXM4-80GB", False)]
)
def test_a_device_that_is_not_in_the_catalogue_is_told_where_it_matters(name, told):
    """With an intensity to compare, an unmatched accelerator is named with how to give its figure."""
    base, _ = load_knowledge()
    data = {"schema": "dam-incident/1", "environment": {"accelerator": name, "precision": "bf16"}}
    for observations in ({"arithmetic_intensity": 40}, {}):
        incident, _ = incident_from({**data, "observations": observations}, base.names, lambda _: Origin(file="x"))
        warnings = diagnose(base, incident, executor=BitExecutor(base.program)).warnings
        assert any("--set ridge_intensity" in text for text in warnings) is (told and bool(observations))
