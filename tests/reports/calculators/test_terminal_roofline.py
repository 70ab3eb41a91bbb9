"""The roofline of characters: within its width, every kernel on or under a roof."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert.physics.answers.roofline import Kernel, Roof, roofline
from dam_expert.reports.calculators.terminal_roofline import drawn

MEMORY = Roof(name="memory", rate=2.039e12, source="x")
PEAKS = [Roof(name="bf16", rate=312e12, source="x"), Roof(name="fp32", rate=19.5e12, source="x")]


def with_kernels(*places):
    kernels = [
        Kernel(name=f"k{n}", intensity=i, achieved_flops_per_s=min(312e12, i * 2.039e12) * share, precision="bf16")
        for n, (i, share) in enumerate(places)
    ]
    return roofline("A100", MEMORY, PEAKS, kernels)


@given(st.lists(st.tuples(st.floats(1e-3, 1e6), st.floats(1e-4, 1.0)), max_size=30), st.integers(40, 78))
def test_it_stays_within_its_width(places, width):
    """Whatever is drawn, no row is wider than asked for, and the number of rows is the same."""
    rows = drawn(with_kernels(*places), width)
    assert max(len(row) for row in rows) <= width
    assert len(rows) == 19


@pytest.mark.parametrize(
    ("intensity", "share"), [(1.0, 1.0), (1000.0, 0.5), (10.0, 0.01)], ids=["roof", "right", "low"]
)
def test_a_kernel_is_a_letter(intensity, share):
    """A single kernel appears once, as the letter a."""
    marks = [
        row.partition("│")[2].replace("bf16", "").replace("fp32", "").replace("memory", "")
        for row in drawn(with_kernels((intensity, share)))
    ]
    assert "".join(marks).count("a") == 1


def test_kernels_in_one_place():
    """Kernels that fall on one another are a star; the list below tells them apart."""
    assert sum(row.partition("│")[2].count("*") for row in drawn(with_kernels((10.0, 0.1), (10.0, 0.1)))) == 1


def test_a_kernel_without_work_is_not_drawn():
    """A rate of 0 has no place on a logarithmic axis."""
    assert drawn(with_kernels((10.0, 0.0)))[0].count("a") == 0
