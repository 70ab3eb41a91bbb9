"""Options that read quantities: what is understood, and the one line that each impossible value gets."""

from __future__ import annotations

import json

import pytest

H100 = ("--hardware", "h100-sxm5-80gb", "--precision", "bf16")
STEP = ("--compute-time", "60ms", "--data-time", "40ms")

REFUSED = {
    "negative": (("ironlaw", "--compute-time", "-3ms"), 2, "--compute-time: '-3ms' is below 0"),
    "not a number": (("ironlaw", "--latency", "nan"), 2, "--latency: 'nan' is not a quantity; write for example"),
    "infinite": (("ironlaw", "--latency", "1e999"), 2, "--latency: the number '1e999' is too large"),
    "range": (("ironlaw", "--latency", "1-2 ms"), 2, "--latency: '1-2 ms' is a range; a calculator takes one value"),
    "other unit": (("ironlaw", "--bytes", "3 ms"), 2, "--bytes: 'ms' measures s, but B is expected"),
    "empty": (("ironlaw", "--bytes", ""), 2, "--bytes: '' is not a quantity"),
    "beyond any computer": (("memory", "--parameters", "1e300"), 2,
                            "--parameters: '1e300' is larger than any quantity of a computer"),
    "factor": (("memory", "--parameters", "7X", "--capacity", "80GB"), 2,
               "--parameters: '7X' is a factor, but a number is expected; write for example '7B' or '7e9'"),
    "long": (("ironlaw", "--bytes", "9" * 500), 2, "--bytes: a value of 500 characters is not a quantity"),
    "percent": (("ironlaw", "--operations", "1", "--peak", "1", "--efficiency", "80"), 2,
                "--efficiency: 80 has two readings as a share: 80 % or a factor of 80"),
    "fraction": (("queue", "--arrivals", "1", "--service", "1", "--servers", "1.5"), 2,
                 "--servers: 1.5 is not a whole number of 1 or more"),
    "nothing": (("ironlaw",), 2, "terms: no term takes any time; give bytes and bandwidth"),
    "no bandwidth": (("ironlaw", "--bytes", "1GB"), 2, "too little to answer, the bandwidth missing"),
    "zero bandwidth": (("ironlaw", "--bytes", "1GB", "--bandwidth", "0"), 2, "--bandwidth: must be above 0"),
    "below the bound": (("ironlaw", *STEP, "--measured", "50ms"), 2,
                        "--measured: 0.05 s is less than the lower bound of the terms; bytes or operations overstated"),
    "unknown lever": (("ironlaw", *STEP, "--lever", "speed=2x"), 2, "--lever: 'speed=2x' is not VARIABLE=FACTOR"),
    "lever without factor": (("ironlaw", *STEP, "--lever", "peak=20 %"), 2, "--lever peak: '20 %' has two readings"),
    "zero lever": (("ironlaw", *STEP, "--lever", "peak=0"), 2, "peak: must be above 0"),
    "above the roof": (("roofline", *H100, "--intensity", "10", "--achieved", "60TFLOP/s"), 2,
                       "--achieved: 6e+13 FLOP/s lies above the roof; operations counted that were not executed"),
    "sparse peak": (("roofline", *H100, "--peak", "1979TFLOP/s"), 2,
                    "--peak: 1.979e+15 is 2 times the dense bf16 peak of NVIDIA H100 SXM5 80 GB, 9.894e+14; a rate "
                    "with structured sparsity used as dense: halve it"),
    "no such peak": (("roofline", "--hardware", "NVIDIA A100-SXM4-80GB", "--precision", "fp8"), 2,
                     "--precision: no dense fp8 peak of NVIDIA A100 SXM4 80 GB is known; known: fp64, "),
    "no operations": (("roofline", *H100, "--intensity", "0", "--achieved", "0"), 2,
                      "--operations: 'kernel' does no floating-point operation; a copy or a fill?"),
    "no ridge": (("roofline", "--peak", "1e-300", "--bandwidth", "1e30"), 2, "ridge: must be above 0"),
    "half a kernel": (("roofline", *H100, "--intensity", "10"), 2, "too little to answer, the kernel missing"),
    "no roofs": (("roofline", "--peak", "1TFLOP/s"), 2, "too little to answer, the roofs missing"),
    "mig slice": (("roofline", "--hardware", "NVIDIA A100-SXM4-80GB MIG 1g.10gb", "--precision", "bf16"), 3,
                  "--hardware: 'NVIDIA A100-SXM4-80GB MIG 1g.10gb' is not in the catalogue: a MIG slice has only a "
                  "part of the units and the memory of its device; give --peak and --bandwidth in its place"),
    "no model": (("memory", "--capacity", "80GB"), 2, "too little to answer, the size of the model missing"),
    "no device": (("memory", "--parameters", "7B"), 2, "too little to answer, the memory of the device missing"),
    "half of little": (("queue", "--arrivals", "1", "--service", "1", "--in-system", "2"), 2,
                       "--in-system: Little's law needs both; give the number in the system and the response"),
    "overflow": (("ironlaw", "--bytes", "1e30", "--bandwidth", "1e-308"), 2, "--data-time: inf is not finite"),
    "a pool": (("queue", "--arrivals", "1", "--service", "1", "--servers", "20000"), 2,
               "--servers: 20000 are more than 10000; so large a pool is not one queue"),
    "no arrivals": (("queue", "--arrivals", "0", "--service", "1"), 2, "--arrivals: must be above 0"),
    "half a run": (("scaling", "--parameters", "7B"), 2, "too little to answer, the training run missing"),
    "three that disagree": (("scaling", "--parameters", "7B", "--tokens", "1T", "--compute", "1e20"), 2,
                            "--compute: 1e+20 FLOP is not 6 x parameters x tokens; leave one of the three out"),
    "plot of a plan": (("scaling", "--parameters", "7B", "--tokens", "1T", "--plot", "a.svg"), 2,
                       "--plot, --at and --fit-up-to need a table of runs"),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "code", "said"), REFUSED.values(), ids=REFUSED)
def test_impossible_input_is_one_line(run, arguments, code, said):
    """Input that cannot be ends with one line on stderr: the option, what is wrong, and the likely reason."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (code, "", 1)
    assert result.stderr.startswith(f"dam: {said}")


UNDERSTOOD = {
    "decimal prefix": ("--bytes", "16.06GB", 16.06e9),
    "binary prefix": ("--bytes", "1 GiB", 2.0**30),
    "bare number": ("--bytes", "2e9", 2e9),
    "about": ("--bytes", "2_000", 2000.0),
}


@pytest.mark.parametrize(("option", "text", "value"), UNDERSTOOD.values(), ids=UNDERSTOOD)
def test_quantities(run, option, text, value):
    """A quantity is read with its unit; a bare number is in the canonical one."""
    result = run("ironlaw", option, text, "--bandwidth", "1 B/s", "-f", "json")
    assert json.loads(result.stdout)["sequential_s"] == value


def test_escapes_do_not_reach_the_terminal(run):
    """Control characters of an argument are spelt out in the message."""
    said = run("hardware", "\x1b[2J").stderr
    assert "\x1b" not in said
    assert "nothing is known of it" in said


def test_a_time_without_a_unit_is_said_to_be_seconds(run):
    """Beside the answer it is said how a bare time was read; with --quiet, of 0 and with a unit nothing is."""
    said = "mind: --service: 12 is read as 12 s; write '12 ms' if that is meant\n"
    assert run("queue", "--arrivals", "60", "--service", "12").stderr == said
    for arguments in (("--service", "12", "-q"), ("--service", "12s"), ("--service", "12ms", "--timeout", "0")):
        assert run("queue", "--arrivals", "60/s", *arguments).stderr == ""
