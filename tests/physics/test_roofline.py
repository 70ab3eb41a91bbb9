"""The roofline: ridges, attainable rates, levels, mixtures, and points above the roof."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dam_expert.physics import PhysicsError, roofline

SOME = st.floats(1e-3, 1e15)


@pytest.mark.parametrize(
    ("peak", "bandwidth", "ridge"),
    [
        pytest.param(312e12, 2.039e12, 153.0, id="A100-SXM4-80GB"),
        pytest.param(989.4e12, 3.35e12, 295.3, id="H100 SXM"),
        pytest.param(148e12, 4.0e12, 37.0, id="H20"),
        pytest.param(165.2e12, 1.008e12, 163.9, id="RTX 4090 with fp32 accumulation"),
    ],
)
def test_ridges(peak, bandwidth, ridge):
    """Ridge points of common devices in bf16."""
    assert round(float(roofline.ridge_flop_per_byte(peak, bandwidth)), 1) == ridge


@given(SOME, SOME, SOME)
def test_attainable_is_under_both_roofs_and_meets_the_peak_at_the_ridge(intensity, peak, bandwidth):
    """The attainable rate is never above the peak or the slope, and at the ridge it is the peak."""
    rate = roofline.attainable_flops_per_s(intensity, peak, bandwidth)
    assert rate <= peak
    assert rate <= intensity * bandwidth
    ridge = roofline.ridge_flop_per_byte(peak, bandwidth)
    assert roofline.attainable_flops_per_s(ridge, peak, bandwidth) == pytest.approx(peak)


@given(SOME, SOME, SOME, SOME)
def test_attainable_grows_with_intensity(first, second, peak, bandwidth):
    """More operations per byte never lower the roof."""
    low, high = sorted((first, second))
    at = [roofline.attainable_flops_per_s(each, peak, bandwidth) for each in (low, high)]
    assert at[0] <= at[1]


@given(st.floats(0.01, 1), st.floats(1e-3, 1e4))
def test_gap_is_at_least_one(fraction, intensity):
    """The factor left to the roof is 1 or more, and the inverse of the share reached."""
    achieved = fraction * roofline.attainable_flops_per_s(intensity, 312e12, 2e12)
    assert roofline.gap_to_roof(achieved, intensity, 312e12, 2e12) >= 1
    assert roofline.roof_share(achieved, intensity, 312e12, 2e12) == pytest.approx(fraction)


def test_above_the_roof_is_an_input_error():
    """A rate above the roof names likely reasons, and in an array the point."""
    with pytest.raises(PhysicsError, match="lies above the roof") as caught:
        roofline.roof_share([10e12, 30e12], [10, 10], 312e12, 2e12)
    assert caught.value.argument == "achieved_flops_per_s[1]"
    assert "a peak of another precision" in caught.value.likely


def test_bound_by_side_of_the_ridge():
    """Below the ridge memory bounds, at and above it compute; unknown intensity stays unknown."""
    assert roofline.bound([10, 156, 400, np.nan], 312e12, 2e12).tolist() == ["memory", "compute", "compute", "unknown"]


def test_levels_with_their_own_traffic():
    """The level whose bandwidth allows least names the bound; without traffic a level bounds nothing."""
    bandwidths = {"hbm": 2e12, "l2": 5e12}
    assert roofline.attainable_over_levels(1e12, {"hbm": 1e10, "l2": 1e11}, bandwidths, 312e12) == (50e12, "l2")
    assert roofline.attainable_over_levels(1e12, {"hbm": 1e11, "l2": 1e11}, bandwidths, 312e12) == (20e12, "hbm")
    assert roofline.attainable_over_levels(1e12, {"hbm": 0}, bandwidths, 312e12) == (312e12, "compute")


def test_level_without_bandwidth_is_an_error():
    """Traffic at a level for which no bandwidth is stated cannot be judged."""
    with pytest.raises(PhysicsError, match="no bandwidth is stated"):
        roofline.attainable_over_levels(1e12, {"l1": 1}, {}, 312e12)


def test_mixed_precision_weighs_by_time():
    """Half of the operations in a format twice as fast give a peak 4/3 as high."""
    mixed = roofline.mixed_peak_flops_per_s({"bf16": 1, "fp8": 1}, {"bf16": 1e15, "fp8": 2e15})
    assert mixed == pytest.approx(4e15 / 3)


@pytest.mark.parametrize("peaks", [{"bf16": 1e15}, {"bf16": 1e15, "fp8": None}], ids=["absent", "unknown"])
def test_mixed_precision_without_a_stated_peak_is_an_error(peaks):
    """No peak of another precision stands in for a missing one."""
    with pytest.raises(PhysicsError, match="fp8: mixed precision without a stated peak"):
        roofline.mixed_peak_flops_per_s({"bf16": 1, "fp8": 1}, peaks)


def test_no_operations_have_no_peak():
    """An empty mixture is an error."""
    with pytest.raises(PhysicsError, match="no operations"):
        roofline.mixed_peak_flops_per_s({}, {})


def test_intensity():
    """Operations over bytes."""
    assert roofline.intensity_flop_per_byte(6, 2) == 3
