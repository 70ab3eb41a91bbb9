"""CSV tables of the calculators: headers with units, missing values, and every problem with its place."""

from __future__ import annotations

import json

import pytest

ROOFS = ("--peak", "312TFLOP/s", "--bandwidth", "2.039TB/s")


@pytest.fixture(name="table")
def _table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(content, name="t.csv"):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return write


SAME = {
    "commas": "name,operations,bytes,time [us]\nx,1e9,1e9,1000\n",
    "semicolons": "name;operations;bytes;time\nx;1 GFLOP;1 GB;1000 us\n",
    "tabs": "kernel\tFLOPs\tdram bytes\tduration (ms)\nx\t1e9\t1e9\t1\n",
    "byte order mark": "\ufeffname,operations,bytes,time\nx,1e9,1e9,1e-3\n\n",
    "own unit": "name,operations,bytes,time [ms]\nx,1e9,1e9,1000 us\n",
}


@pytest.mark.parametrize("content", SAME.values(), ids=SAME)
def test_spellings_of_one_table(run, table, content):
    """Separators, aliases of columns and units in header or cell do not matter."""
    document = json.loads(run("roofline", table(content), *ROOFS, "-f", "json").stdout)
    kernel = document["points"][0]["kernel"]
    assert (kernel["name"], kernel["intensity"], kernel["time_s"]) == ("x", 1.0, 1e-3)


BROKEN = {
    "unknown column": ("operations,bytes,time,speed\n1,1,1,1\n", "t.csv:1: error: no column is called 'speed'"),
    "misspelt column": ("operations,byte,time\n1,1,1\n", "t.csv:1: error: no column is called 'byte'; did you"),
    "twice": ("operations,bytes,time,time\n1,1,1,1\n", "t.csv:1: error: the column 'time' stands twice"),
    "missing column": ("operations,bytes\n1,1\n", "t.csv:1: error: the column 'time' is missing"),
    "missing value": ("operations,bytes,time\n1,n/a,1\n", "t.csv:2: error: bytes is not given"),
    "no rows": ("operations,bytes,time\n", "t.csv:1: error: has no rows"),
    "negative": ("operations,bytes,time\n1,-1,1\n", "t.csv:2: error: bytes: '-1' is below 0"),
    "word": ("operations,bytes,time\n1,much,1\n", "t.csv:2: error: bytes: 'much' is not a quantity"),
    "too many cells": ("operations,bytes,time\n1,1,1,1\n", "t.csv:2: error: has 4 cells under 3 columns"),
    "binary": (b"operations,bytes,time\n\x00\n", "t.csv: error: is not text"),
    "encoding": (b"operations,bytes,time\n\xff\xff,1,1\n", "t.csv: error: is not UTF-8"),
    "above the roof": ("name,operations,bytes,time\nhot,9e15,1e12,1\n", "dam: t.csv:2: hot: --achieved: 9e+15"),
    "no peak": ("operations,bytes,time,precision\n1,1,1,fp8\n", "dam: t.csv:2: line 2: precision: 'line 2'"),
    "zero time": ("operations,bytes,time\n1,1,0\n", "dam: t.csv:2: line 2: --time: must be above 0"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "said"), BROKEN.values(), ids=BROKEN)
def test_problems_have_places(run, table, content, said):
    """A broken table ends with exit code 3 and one line per problem, file and line first."""
    result = run("roofline", table(content), *ROOFS)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (3, "", 1)
    assert result.stderr.startswith(said)


def test_all_problems_at_once(run, table):
    """Every bad cell is reported in one pass, up to twenty."""
    rows = "1,x,1\n" * 25
    result = run("roofline", table(f"operations,bytes,time\n{rows}"), *ROOFS)
    lines = result.stderr.splitlines()
    assert (lines[0].split(":")[1], lines[19].split(":")[1], lines[20]) == (
        "2",
        "21",
        "dam: 5 more problems in the table",
    )


def test_a_missing_file(run, table):
    """A table that is not there is one line."""
    table("")
    said = "nowhere.csv: error: cannot be read: No such file or directory [table]\n"
    assert run("roofline", "nowhere.csv", *ROOFS).stderr == said


def test_mixed_precision(run, table):
    """Each kernel lies under the roof of its own precision."""
    content = "name,operations,bytes,time,precision\na,1e13,1e10,0.1,bf16\nb,1e12,1e10,0.1,fp32\n"
    arguments = ("--hardware", "NVIDIA A100-SXM4-80GB", "--precision", "bf16", "-f", "json")
    points = json.loads(run("roofline", table(content), *arguments).stdout)["points"]
    assert {each["kernel"]["name"]: each["attainable_flops_per_s"] for each in points} == {"a": 312e12, "b": 19.5e12}


def test_phases(run, table):
    """Phases of a step run one after another, each with its own terms; options fill what rows leave out."""
    content = "name,bytes,operations,latency\nload,2e9,,1 ms\nstep,,312e10,\n"
    result = run("ironlaw", table(content), "--bandwidth", "1GB/s", "--peak", "312TFLOP/s")
    assert result.stdout == (
        "Iron law by phase\n"
        "  The largest phase is load: data movement binds it.\n"
        "  load    ████████████████████████       2 s, data movement binds\n"
        "  step    ························     10 ms, compute binds\n"
        "  One after another 2.01 s; with overlap inside each phase at least 2.01 s.\n"
        "  Overlap alone gives nothing.\n"
    )


def test_stages(run, table):
    """Means of stages that follow each other add up; the heaviest is named."""
    content = "name,arrivals,service,servers\ntokenise,60,2 ms,1\nmodel,60/s,12 ms,\n"
    assert run("queue", table(content)).stdout == (
        "Queues by stage\n"
        "  Mean response 45.1 ms, most of it at model (waiting for a server).\n"
        "  tokenise  █·······················  2.27 ms, load 0.12\n"
        "  model     ███████████████████████·  42.9 ms, load 0.72, above the working load\n"
    )


RUNS = "parameters,tokens,loss\n" + "".join(
    f"{n:g},{20 * n:g},{1.7 + 400 * n**-0.34:.9f}\n" for n in (1e7, 1e8, 1e9, 1e10)
)


def test_the_size_of_a_fit_is_chosen(run, table):
    """Where a table has several sizes the one to fit over is asked for, and it makes the law."""
    name = table(RUNS)
    assert "choose with --over" in run("scaling", name).stderr
    law = json.loads(run("scaling", name, "--over", "parameters", "-f", "json").stdout)["law"]
    assert [round(law[each], 3) for each in ("floor", "coefficient", "exponent")] == [1.7, 400.0, 0.34]


def test_a_curve_is_not_a_set_of_runs(run, table):
    """Thousands of points of one loss curve are refused: the fit is over finished runs."""
    name = table("tokens,loss\n" + "".join(f"{n},2\n" for n in range(1, 1002)))
    assert run("scaling", name).stderr.startswith("dam: t.csv: more than 1000 runs; give the last loss of each run")


def test_far_extrapolation_is_refused(run, table):
    """More than ten times past the fitted range nothing is predicted."""
    result = run("scaling", table(RUNS), "--over", "parameters", "--at", "200G")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(
        "dam: t.csv: --at: 2e+11 lies outside 1e+06 to 1e+11, the fitted range and 10 times"
    )


def test_names_cannot_act_on_a_terminal(run, table):
    """Control characters and markup of a name are shown, not obeyed."""
    content = "name,operations,bytes,time\n\x1b[31m[bold]x,1e9,1e9,1\n"
    printed = run("roofline", table(content), *ROOFS).stdout
    assert "\\x1b[31m[bold]x" in printed
    assert "\x1b" not in printed


@pytest.mark.parametrize("end", ["\r", "\u2028", "\r\n"])
def test_whatever_ends_lines_ends_rows(run, tmp_path, end):
    """A table whose lines end otherwise than with a line feed is read alike."""
    path = tmp_path / "stages.csv"
    path.write_bytes(end.join(["name,arrivals,service", "a,60/s,12ms", ""]).encode())
    assert "a" in run("queue", str(path)).stdout


def test_a_table_that_is_none_is_one_line(run, tmp_path):
    """Carriage returns amid cells are no reason for more than a line."""
    path = tmp_path / "stages.csv"
    path.write_bytes(b"name,arrivals,service\na\rb,60/s,12ms\n")
    result = run("queue", str(path))
    assert (result.exit_code, "Traceback" in result.stderr) == (3, False)
