"""Accelerators and names: what resolves, what is refused and why, and peaks that somebody states."""

from __future__ import annotations

import pytest

from dam_expert.physics import PhysicsError
from dam_expert.physics.hardware import Accelerator, Catalogue, normalized

GIB = 2**30

PLAIN = Accelerator(
    id="x100", name="Maker X100 80 GB", vendor="Maker", architecture="X", printed=("Maker X100", "X100 80GB"),
    peaks={"bf16": 300e12}, bandwidth_bytes_per_s=2e12, memory_bytes=80 * GIB,
)  # fmt: skip
SMALL = Accelerator(
    id="y10", name="Maker Y10 10 GB", vendor="Maker", architecture="Y", printed=("Maker Y10",),
    memory_bytes=10 * GIB, needs_memory=True,
)  # fmt: skip
CHIP = Accelerator(
    id="t3", name="Maker T3", vendor="Maker", architecture="T", peaks={"bf16": 120e12}, bandwidth_bytes_per_s=1e12,
    memory_bytes=32 * GIB, power_limit_w=200, framework_devices=2,
)  # fmt: skip
CATALOGUE = Catalogue([PLAIN, SMALL, CHIP], {"X100 mini": "a cut-down part"})


@pytest.mark.parametrize("name", ["x100", "Maker X100", "MAKER  X100 ", "X100 80GB", "Maker X100 80 GB"])
def test_id_name_and_printed_names_resolve(name):
    """Case and spaces do not matter; everything else does."""
    assert CATALOGUE.resolve(name) is PLAIN
    assert CATALOGUE.why_not(name) is None


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        pytest.param("Maker X100 MIG 1g.10gb", "MIG slice", id="MIG"),
        pytest.param("Maker X100 Laptop GPU", "laptop part", id="laptop"),
        pytest.param("Maker X100 ...", "cuts the name off", id="cut off"),
        pytest.param("Maker X100 Ti", "a different part from Maker X100 80 GB", id="Ti"),
        pytest.param("Maker X100 SUPER", "a different part from Maker X100 80 GB", id="Super"),
        pytest.param("Maker X100 D", "a different part from Maker X100 80 GB", id="D"),
        pytest.param("GRID X100-8Q", "virtual GPU", id="virtual"),
        pytest.param("gfx942", "numbers a chip", id="architecture"),
        pytest.param("", "no name was printed", id="empty"),
        pytest.param("x100 MINI", "a cut-down part", id="refused by name"),
        pytest.param("X100", "", id="id in other case resolves"),
        pytest.param("80 GB", "could be Maker X100 80 GB: the full printed name tells", id="part of a name"),
        pytest.param("Z9", "nothing is known of it", id="unknown"),
    ],
)
def test_nothing_similar_is_taken(name, reason):
    """A name that is not exactly known gives None, and the reason says how to give the numbers."""
    said = CATALOGUE.why_not(name)
    if not reason:
        assert (CATALOGUE.resolve(name), said) == (PLAIN, None)
        return
    assert CATALOGUE.resolve(name) is None
    assert reason in said
    assert said.endswith("give its dense peak and memory bandwidth with --set, or add it to a runbook")


def test_two_parts_with_one_name_need_the_memory():
    """Where another part prints the same name, only the memory tells; the full name does too."""
    assert CATALOGUE.resolve("Maker Y10") is None
    assert "the memory was not given" in CATALOGUE.why_not("Maker Y10")
    assert CATALOGUE.resolve("Maker Y10", memory_bytes=9.7 * GIB) is SMALL
    assert CATALOGUE.resolve("Maker Y10", memory_bytes=12 * GIB) is None
    assert "which is not that of Maker Y10 10 GB" in CATALOGUE.why_not("Maker Y10", memory_bytes=12 * GIB)
    assert CATALOGUE.resolve("Maker Y10 10 GB") is SMALL


def test_memory_of_a_slice_contradicts_the_name():
    """A device with an eighth of the memory is not the device that the name says."""
    assert CATALOGUE.resolve("Maker X100", memory_bytes=10 * GIB) is None
    assert CATALOGUE.resolve("Maker X100", memory_bytes=79.1 * GIB) is PLAIN


def test_names_shared_by_entries_are_shown_and_refused():
    """A name that two entries claim means neither."""
    both = Catalogue(
        [PLAIN, Accelerator(id="x101", name="X101", vendor="Maker", architecture="X", printed=("Maker X100",))]
    )
    assert both.shared_names() == {"maker x100": ("x100", "x101")}
    assert both.resolve("Maker X100") is None


@pytest.mark.parametrize(
    ("name", "form"), [("v5litepod-8", "v5litepod"), ("v4-32", "v4"), ("A100-SXM4-40GB", "a100-sxm4-40gb")]
)
def test_normalized(name, form):
    """Only the size of a TPU slice is dropped."""
    assert normalized(name) == form


def test_peak_and_ridge_are_unknown_where_not_stated():
    """No precision stands in for another."""
    assert PLAIN.peak("bf16") == 300e12
    assert PLAIN.ridge("bf16") == 150
    assert PLAIN.peak("fp8") is None
    assert PLAIN.ridge("fp8") is None
    assert SMALL.ridge("bf16") is None


@pytest.mark.parametrize("stated", [150e12, 300e12, 303e12], ids=["lower clock", "equal", "rounded"])
def test_a_dense_peak_is_accepted(stated):
    """A peak up to the catalogued one is taken as stated."""
    assert PLAIN.checked_peak("bf16", stated) == stated


def test_a_sparse_peak_used_as_dense_is_an_input_error():
    """Twice the dense peak is the rate with structured sparsity."""
    with pytest.raises(PhysicsError, match="a rate with structured sparsity used as dense: halve it"):
        PLAIN.checked_peak("bf16", 600e12)


def test_a_peak_above_the_roof_is_an_input_error():
    """Any other excess is the peak of something else."""
    with pytest.raises(PhysicsError, match="of another precision, of several devices"):
        PLAIN.checked_peak("bf16", 2400e12)


def test_a_peak_without_a_catalogued_one_is_taken():
    """Where nothing is known, nothing contradicts."""
    assert PLAIN.checked_peak("fp8", 600e12) == 600e12


def test_a_framework_device_is_a_part_of_the_chip():
    """Rates and memory are divided, intensities stay."""
    half = CHIP.per_framework_device()
    assert (half.peaks["bf16"], half.bandwidth_bytes_per_s, half.memory_bytes, half.power_limit_w) == (
        60e12,
        0.5e12,
        16 * GIB,
        100,
    )
    assert half.ridge("bf16") == CHIP.ridge("bf16")
    assert half.per_framework_device() is half
    assert PLAIN.per_framework_device() is PLAIN
    assert SMALL.per_framework_device().link_bytes_per_s is None
