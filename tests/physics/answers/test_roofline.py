"""Kernels under roofs: bound, gap, what closing it is worth, and what is refused."""

from __future__ import annotations

import pytest

from dam_expert.physics.answers.roofline import Kernel, Roof, kernel, roofline
from dam_expert.physics.errors import PhysicsError

MEMORY = Roof(name="memory", rate=2.039e12, source="x")
PEAK = Roof(name="bf16", rate=312e12, source="x")


def test_points_are_ranked_by_what_they_are_worth():
    """A long kernel with a gap comes before a short one with a larger gap, and its ceiling follows from both."""
    long, short = kernel("long", "bf16", 1e14, 1e11, 0.9), kernel("short", "bf16", 1e12, 1e9, 0.1)
    answer = roofline("A100", MEMORY, [PEAK], [short, long])
    assert [point.kernel.name for point in answer.points] == ["long", "short"]
    first = answer.points[0]
    assert first.bound == "compute"
    assert first.time_share == pytest.approx(0.9)
    assert first.ceiling == pytest.approx(1 / (1 - 0.9 * (1 - 1e14 / 0.9 / 312e12)))


def test_a_rate_without_a_time():
    """Where one time is unknown so is every share of the time, and no ceiling is claimed."""
    known = kernel("a", "bf16", 1e12, 1e9, 0.1)
    unknown = Kernel(name="b", intensity=10.0, achieved_flops_per_s=1e12, precision="bf16")
    points = roofline("A100", MEMORY, [PEAK], [known, unknown]).points
    assert [(point.time_share, point.ceiling) for point in points] == [(None, None), (None, None)]


def test_no_work_at_all():
    """A kernel that computes nothing has an endless gap."""
    idle = Kernel(name="idle", intensity=1.0, achieved_flops_per_s=0.0, precision="bf16")
    assert roofline("A100", MEMORY, [PEAK], [idle]).points[0].gap == float("inf")


def test_another_precision_needs_its_peak():
    """No peak stands in for that of another precision."""
    with pytest.raises(PhysicsError, match="runs in fp8, of which no peak is stated"):
        roofline("A100", MEMORY, [PEAK], [kernel("a", "fp8", 1.0, 1.0, 1.0)])
