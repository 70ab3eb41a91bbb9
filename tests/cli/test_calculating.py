"""What the calculator commands share: worked examples word for word, values from an incident, pictures."""

from __future__ import annotations

import json
import re
import sys
import types
from pathlib import Path

import pytest
from documented import ROOT

from dam_expert.cli import calculating
from dam_expert.cli.failure import Exit
from dam_expert.cli.group import CALCULATORS
from dam_expert.documents.intervals import Interval

GOLDEN = Path(__file__).parent / "golden"
KERNELS, RUNS = (str(ROOT / "examples" / "calculators" / name) for name in ("kernels.csv", "runs.csv"))
A100, H100 = "NVIDIA A100-SXM4-80GB", "h100-sxm5-80gb"
STEP = ("ironlaw", "--compute-time", "60ms", "--data-time", "40ms", "--latency", "5ms")

#: The test vectors and the worked checkpoint answers, by the golden file of their page.
WORKED = {
    "ironlaw-balanced": (*STEP, "--measured", "85ms", "--lever", "bandwidth=2x"),
    "ironlaw-dominated": ("ironlaw", "--compute-time", "60ms", "--data-time", "5ms", "--latency", "5ms"),
    "ironlaw-decode": ("ironlaw", "--bytes", "16.06GB", "--hardware", A100),
    "roofline-a100": ("roofline", "--hardware", A100, "--precision", "bf16"),
    "roofline-kernels": ("roofline", KERNELS, "--hardware", H100, "--precision", "bf16"),
    "memory-7b": ("memory", "--parameters", "7B", "--capacity", "80GiB", "--fragmentation", "0", "--headroom", "0"),
    "memory-gpt3": ("memory", "--parameters", "175B", "--layers", "96", "--hidden", "12288", "--heads", "96",
                    "--sequence", "2048", "--stage", "3", "--shards", "1024", "--capacity", "80GiB",
                    "--fragmentation", "0", "--headroom", "0"),
    "memory-cache": ("memory", "--serve", "--parameters", "8.03B", "--layers", "32", "--kv-heads", "8", "--head-size",
                     "128", "--sequence", "8192", "--batch", "64", "--hardware", A100),
    "queue-batch-1": ("queue", "--arrivals", "60/s", "--service", "12ms"),
    "queue-batch-16": ("queue", "--arrivals", "60/s", "--service", "20ms", "--batch", "16", "--target", "100ms"),
    "queue-timeout": ("queue", "--arrivals", "60/s", "--service", "20ms", "--batch", "16", "--timeout", "10ms",
                      "--target", "100ms"),
    "queue-unstable": ("queue", "--arrivals", "400/s", "--service", "12ms"),
    "queue-load-80": ("queue", "--arrivals", "0.8/s", "--service", "1s"),
    "scaling-chinchilla": ("scaling", "--parameters", "70B", "--tokens", "1.4T"),
    "scaling-fit": ("scaling", RUNS, "--fit-up-to", "1B", "--at", "7B"),
    "hardware-a100": ("hardware", A100),
}  # fmt: skip


@pytest.mark.parametrize("name", WORKED)
def test_worked_examples(run, name):
    """Each worked example prints its page as it stands in the golden file, within 80 columns and without escapes."""
    result = run(*WORKED[name])
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert max(len(line) for line in result.stdout.splitlines()) <= 80
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize("name", WORKED)
def test_documents(run, name):
    """Each answer is also a document that names its schema; YAML and JSON hold the same."""
    from dam_expert.kb.source import read_yaml

    document = json.loads(run(*WORKED[name], "-f", "json").stdout)
    assert re.fullmatch(r"dam-(ironlaw|roofline|memory|queue|scaling-plan|scaling-fit|hardware)/1", document["schema"])
    parsed, problems = read_yaml(run(*WORKED[name], "-f", "yaml").stdout, file="x.yaml")
    assert (parsed.data, problems) == (document, [])


@pytest.mark.parametrize("command", CALCULATORS, ids=lambda command: command.name)
def test_help_has_examples(run, command):
    """The help of every calculator ends with examples."""
    printed = run(command.name, "--help").stdout
    assert printed.split("Examples:")[1].count(f"dam {command.name}") >= 4


def test_output_file(run, tmp_path):
    """With -o the page goes into the file and nothing to stdout."""
    file = tmp_path / "page.txt"
    assert run(*STEP, "-o", str(file)).stdout == ""
    assert file.read_text(encoding="utf-8") == run(*STEP).stdout


PICTURES = {
    "ironlaw": (
        (*STEP, "--measured", "85ms", "--lever", "bandwidth=2x"),
        ["Iron law: compute binds", "time of one step (ms)", "measured 85 ms", "one after another", "105 ms", "latency",
         "gain of bandwidth × 2: one after another 1.24×, overlapped nothing"],
    ),
    "roofline": (
        WORKED["roofline-kernels"],
        ["Roofline of NVIDIA H100 SXM5 80 GB", "arithmetic intensity (FLOP/byte)", "memory 3.35 TB/s",
         "bf16 peak 989 TFLOP/s dense", "fp32 peak 66.9 TFLOP/s dense", "ridge 295 FLOP/byte", "ridge 20 FLOP/byte",
         "attention forward", "24.1 % of the time, 5.22× below its roof",
         "peak and bandwidth: catalogue: NVIDIA H100 SXM5 80 GB"],
    ),
    "scaling": (
        WORKED["scaling-fit"],
        ["Scaling law over parameters, 12 runs", "held-out loss", "95 % band of the fit (bootstrap)", "runs held out",
         "1.9 at 7 B", "floor 1.75", "past the fitted range"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "labels"), PICTURES.values(), ids=PICTURES)
def test_pictures(run, tmp_path, arguments, labels):
    """A picture has its title, units, names and sources as text, and the same answer gives the same bytes."""
    pytest.importorskip("matplotlib", reason="pictures need the extra 'plots'")
    first, second, bitmap = (tmp_path / name for name in ("a.svg", "b.svg", "c.png"))
    for file in (first, second, bitmap):
        assert run(*arguments, "--plot", str(file)).exit_code == 0
    drawn = first.read_text(encoding="utf-8")
    assert [label for label in labels if label not in drawn] == []
    assert first.read_bytes() == second.read_bytes()
    assert bitmap.read_bytes().startswith(b"\x89PNG")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.svg", "b.svg", "c.png"]


def test_pictures_without_matplotlib(run, tmp_path, monkeypatch):
    """Without matplotlib the message says how to install the extra, and nothing is written."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = run(*STEP, "--plot", str(tmp_path / "bars.svg"))
    said = "dam: --plot needs matplotlib, which is not installed: pip install 'dam-expert[plots]'\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", said)
    assert list(tmp_path.iterdir()) == []


def test_pictures_have_two_formats(run):
    """Another ending than .svg and .png is refused before anything is drawn."""
    assert run(*STEP, "--plot", "bars.pdf").stderr == "dam: --plot: 'bars.pdf' does not end in .svg or .png\n"


def observed_as(monkeypatch, cells, **more):
    """Put an evaluated incident with these cells in the place of reading one."""
    names = {name: types.SimpleNamespace(value=value) for name, value in cells.items()}
    columns = types.SimpleNamespace(cell=lambda column: names.get(column.measurement))
    base = types.SimpleNamespace(measurements=names, hypotheses=more.pop("hypotheses", {}))
    found = types.SimpleNamespace(columns=columns, base=base, **more)
    monkeypatch.setattr(calculating, "evaluated", lambda *_, **__: found)


def test_values_of_an_incident(run, monkeypatch):
    """What an incident states takes the place of options; options win where both speak."""
    cells = {
        "accelerator": A100,
        "precision": "bf16",
        "arithmetic_intensity": Interval.point(100.0),
        "mfu": Interval(0.3, 0.5),
    }
    observed_as(monkeypatch, cells)
    document = json.loads(run("roofline", "run/", "-f", "json").stdout)
    point = document["points"][0]
    assert point["kernel"]["name"] == "the whole step, from its MFU"
    assert (point["kernel"]["achieved_flops_per_s"], point["bound"]) == (0.4 * 312e12, "memory")
    peaks = json.loads(run("roofline", "run/", "--precision", "fp32", "-f", "json").stdout)["peaks"]
    assert [(peak["name"], peak["rate"]) for peak in peaks] == [("fp32", 19.5e12)]


def test_open_values_are_unknown(run, monkeypatch):
    """A value that is open on one side does not stand for a number."""
    observed_as(monkeypatch, {"offered_rate": Interval(10.0, float("inf")), "compute_time": Interval.point(0.012)})
    result = run("queue", "run/")
    assert result.exit_code == 2
    assert result.stderr.startswith("dam: too little to answer, the arrivals or the service time missing")


def test_parts_of_an_observed_step(run, monkeypatch):
    """An observed step is shown by its exposed parts, each with the terms that its hypotheses know."""
    part = types.SimpleNamespace
    declared = [part(id="gap", waiting=True), part(id="kernel", waiting=False), part(id="unseen", waiting=True)]
    budget = part(
        budget=part(model=part(parts=declared)),
        total=Interval.point(0.2),
        residual=Interval(0.1, 0.1),
        contradiction=None,
        parts=[
            part(id="kernel", title="Device computing", share=Interval.point(0.4)),
            part(id="gap", title="Idle for input", share=Interval.point(0.5)),
            part(id="unseen", title="Unseen", share=None),
        ],
    )
    hypotheses = {
        "a": part(part="gap", term="data_movement"),
        "b": part(part="kernel", term="compute"),
        "c": part(part="kernel", term="data_movement"),
    }
    observed_as(monkeypatch, {}, hypotheses=hypotheses, shares=part(leading=budget))
    assert run("ironlaw", "run/").stdout == (
        "Where the step went\n"
        "  Total 200 ms.\n"
        "  Idle for input        ████████████············  50 %\n"
        "  Device computing      ██████████··············  40 %\n"
        "  explained by no part  ██······················  10 %\n"
        "\n"
        "What removing a part would give at most\n"
        "  - Idle for input (data movement): 2×\n"
        "  - Device computing (compute or data movement): up to its distance from the\n"
        "    roof, see 'dam roofline'\n"
        "  Exposed time only: what runs beside something else gains nothing when removed.\n"
    )


def test_no_budget(run, monkeypatch):
    """Without a budget there is one line with what would give one."""
    observed_as(monkeypatch, {}, shares=types.SimpleNamespace(leading=None))
    result = run("ironlaw", "run/")
    assert (result.exit_code, result.stderr.count("\n")) == (3, 1)
    assert "a profiler trace gives it" in result.stderr


def test_memory_never_fits_while_parts_are_not_counted(run):
    """Without the shape of the model the states alone say nothing of whether it fits, only whether it cannot."""
    small = run("memory", "--parameters", "1B", "--capacity", "80GB").stdout
    assert "Not known: what is counted leaves" in small
    assert "Not counted: activations; give --layers --hidden --heads --sequence." in small
    assert "full recomputation: not known, activations not counted" in small
    assert "Does not fit" in run("memory", "--parameters", "70B", "--capacity", "80GB").stdout


def test_memory_where_not_even_one_fits(run):
    """A batch of zero is said in words; the size of a head follows from the hidden size and the heads."""
    said = run("memory", "--serve", "--parameters", "70B", "--capacity", "80GB", "--layers", "80", "--hidden", "8192",
               "--heads", "64", "--kv-heads", "8", "--sequence", "8192").stdout  # fmt: skip
    assert "Not even one fits (sequences at once)." in said
    assert "key-value cache" in said


def test_hardware_of_a_runbook(run, tmp_path):
    """A device that a runbook adds is known to the calculators by the name that a tool prints."""
    (tmp_path / "runbook.yaml").write_text(
        "name: team\nversion: 1.0.0\ndescription: A team.\nadd:\n  accelerators:\n    - {id: team.x1, name: X1, "
        "vendor: Ours, printed: [OURS X1], peaks: {bf16: 100 TFLOP/s}, memory: 32 GiB, bandwidth: 1 TB/s, "
        "source: [data sheet]}\n",
        encoding="utf-8",
    )
    assert run("hardware", "OURS X1").exit_code == Exit.INVALID
    shown = run("hardware", "OURS X1", "--runbook", str(tmp_path))
    assert (shown.exit_code, "ridge" in shown.stdout, "data sheet" in shown.stdout) == (0, True, True)
    ridge = run("roofline", "--hardware", "OURS X1", "--precision", "bf16", "--runbook", str(tmp_path)).stdout
    assert "meets the memory roof at 100.0 FLOP/byte" in ridge
