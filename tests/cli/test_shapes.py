"""Kernels by their shapes, caches beside the memory, and what kernels reach in practice."""

from __future__ import annotations

import json

import pytest

A100 = ("roofline", "--hardware", "a100-sxm4-80gb", "--dtype", "bf16")


def answer(run, *arguments):
    result = run(*A100, *arguments, "-f", "json")
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


@pytest.mark.parametrize(
    ("arguments", "operations", "bytes_moved"),
    [
        (("--gemm", "8192x4096x1024"), 2 * 8192 * 4096 * 1024, 2 * (8192 * 1024 + 1024 * 4096 + 8192 * 4096)),
        (("--attention", "heads=32,kv_heads=8,queries=1,keys=8192"), 4 * 32 * 8192 * 128, 33570816),
        (("--convolution", "in=64,out=64,height=56,width=56"), 231211008, 2 * (2 * 64 * 56 * 56 + 64 * 64 * 9)),
        (("--decode", "parameters=8.03B"), 2 * 8.03e9, 2 * 8.03e9),
    ],
    ids=["gemm", "attention", "convolution", "decode"],
)
def test_a_shape_gives_its_work_and_the_least_time(run, arguments, operations, bytes_moved):
    """Without a time the roofs say how fast it can be: the work over the attainable rate."""
    found = answer(run, *arguments)["expected"][0]
    assert (found["operations"], found["bytes_moved"]) == (operations, bytes_moved)
    attainable = min(312e12, operations / bytes_moved * 2.039e12)
    assert found["least_time_s"] == pytest.approx(operations / attainable)


def test_a_shape_with_a_time_is_a_kernel(run):
    """The time makes it a point under its roof."""
    point = answer(run, "--gemm", "8192x8192x8192", "--time", "4ms")["points"][0]
    assert point["roof_share"] == pytest.approx(2 * 8192**3 / 4e-3 / 312e12)
    assert point["bound"] == "compute"


def test_the_cache_with_the_lowest_roof_binds(run):
    """Traffic at the L2 that takes longer than that at the memory makes the L2 the roof."""
    kernel = ("--operations", "16GFLOP", "--bytes", "4GB", "--time", "10ms", "--level-bytes", "l2=60GB")
    point = answer(run, *kernel)["points"][0]
    assert point["bound"] == "l2"
    assert point["attainable_flops_per_s"] == pytest.approx(16e9 / 60e9 * 7.22e12)
    page = run(*A100, *kernel).stdout
    assert "the bandwidth of l2 binds" in page.replace("\n    ", "")


def test_a_stated_level_stands_in_for_an_unknown_one(run):
    """A device without a known cache takes its bandwidth from the option."""
    found = run(
        "roofline", "--peak", "312TFLOP/s", "--bandwidth", "2TB/s", "--level", "l1=10TB/s", "--operations", "1GFLOP",
        "--bytes", "1GB", "--time", "1ms", "--level-bytes", "l1=8GB", "-f", "json",
    )  # fmt: skip
    point = json.loads(found.stdout)["points"][0]
    assert (point["bound"], point["attainable_flops_per_s"]) == ("l1", pytest.approx(1e9 / 8e9 * 10e12))


def test_a_kernel_in_the_practical_range_is_told_so(run):
    """At 87 % of the bandwidth a better kernel gains little, which the page says with the range."""
    page = run(*A100, "--operations", "16GFLOP", "--bytes", "16GB", "--time", "9ms").stdout
    said = " ".join(page.split())
    assert "good kernels reach 80 % to 93 %: a better kernel gains little" in said
    assert "a higher peak is wasted" in said
    assert "neither roof holds it back" not in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--gemm", "8x8"), "--gemm: '8x8' is not MxNxK"),
        (("--gemm", "8x8x8", "--decode", "parameters=1B"), "one shape at a time"),
        (("--attention", "heads=3"), "--attention: queries, keys missing"),
        (("--attention", "heads=3,tails=4"), "'tails=4' is not NAME=NUMBER"),
        (("--level", "l9=1TB/s"), "--level: 'l9=1TB/s' does not begin with one of l1, l2, l3"),
        (
            ("--level-bytes", "l1=1GB", "--operations", "1GFLOP", "--bytes", "1GB", "--time", "1s"),
            "--level l1: no",
        ),
    ],
)
def test_a_shape_that_is_none_ends_with_what_to_write(run, arguments, said):
    """Each mistake ends with exit code 2 and one line."""
    result = run(*A100, *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize("given", ["7X", "7x", "abc"])
def test_a_count_says_how_counts_are_written(run, given):
    """A factor is no number of parameters, and the hint shows one."""
    result = run("memory", "--parameters", given, "--capacity", "80GiB")
    assert result.exit_code == 2
    assert "write for example '7B' or '7e9'" in result.stderr


def test_the_picture_marks_what_a_shape_can_reach(run, tmp_path):
    """A shape without a time is drawn on its roof, under its name."""
    target = tmp_path / "roof.svg"
    assert run(*A100, "--gemm", "64x4096x4096", "--plot", str(target)).exit_code == 0
    assert "gemm 64x4096x4096" in target.read_text(encoding="utf-8")
