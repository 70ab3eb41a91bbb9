"""``dam batch``: inputs of every kind, outputs of every kind, exit codes, and what ends a run."""

from __future__ import annotations

import contextlib
import csv
import gzip
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dam_expert.cli.group import dam

GOOD = {"id": "good", "observations": {"input_gap_share": "40 %", "cached_pass_speedup": 1.02}, "x-team": "vision"}


def run(*arguments: object, given: bytes = b"") -> Result:
    return CliRunner().invoke(dam, ["batch", *map(str, arguments)], input=given, prog_name="dam")


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def records(path: Path) -> list[dict]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(name="lines")
def _lines(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    broken = [
        '{"id": "odd", "observations": {"nope": 1, "input_gap_share": 0.1}}',
        "{broken",
        "",
        "7",
        '{"id": "bare"}',
    ]
    path.write_text("\n".join([json.dumps(GOOD), *broken]) + "\n", encoding="utf-8")
    return path


def test_a_bad_incident_is_a_row_with_its_error(tmp_path: Path, lines: Path) -> None:
    """Every incident has its row in input order, a bad one with what is wrong, and the exit code says so."""
    result = run(lines, "-o", tmp_path / "out.jsonl")
    assert result.exit_code == 3
    assert "5 incidents, 4 of them with an error" in result.stderr
    found = rows(tmp_path / "out.jsonl")
    assert [row["id"] for row in found] == ["good", "odd", "in-3", "in-5", "bare"]
    assert [row["source"].rpartition(":")[2] for row in found] == ["1", "2", "3", "5", "6"]
    assert [row["status"] is None for row in found] == [False, False, True, True, True]
    assert found[0]["error"] is None
    assert "nope" in found[1]["error"]
    assert "not JSON" in found[2]["error"]


def test_good_ones_exit_with_0(tmp_path: Path) -> None:
    """Without an error the exit code is 0, and --quiet says nothing."""
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps(GOOD), encoding="utf-8")
    result = run(path, "-o", tmp_path / "out.jsonl", "-q")
    assert (result.exit_code, result.stderr, result.stdout) == (0, "", "")
    (row,) = rows(tmp_path / "out.jsonl")
    assert row["hypothesis"] == "input_wait"
    assert row["bottleneck"] == "input"
    assert row["axes"] == ["data", "machine"]
    assert row["share"] == 0.4
    assert row["ceiling"] == pytest.approx(1 / 0.6)
    assert len(row["next"]) == 3


def test_all_kinds_of_tables_give_the_same(tmp_path: Path) -> None:
    """JSONL, gzip, JSON, YAML, CSV and Parquet of the same incidents give the same verdicts."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    text = json.dumps(GOOD)
    (tmp_path / "a.jsonl").write_text(text + "\n", encoding="utf-8")
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "c.json").write_text(json.dumps([{"schema": "dam-incident/1", **GOOD}]), encoding="utf-8")
    yaml = "schema: dam-incident/1\nid: good\nobservations: {input_gap_share: 40 %, cached_pass_speedup: 1.02}\n"
    (tmp_path / "d.dam.yaml").write_text(yaml, encoding="utf-8")
    (tmp_path / "e.csv").write_text("id,input_gap_share [%],cached_pass_speedup\ngood,40,1.02\n", encoding="utf-8")
    table = arrow.table({"id": ["good"], "input_gap_share": [0.4], "cached_pass_speedup": [1.02]})
    parquet.write_table(table, tmp_path / "f.parquet")
    inputs = sorted(path for path in tmp_path.iterdir() if path.is_file())
    result = run(*inputs, "-o", tmp_path / "out" / "x.jsonl")
    assert result.exit_code == 2
    assert result.stderr.startswith("dam: cannot write")
    result = run(tmp_path, "-o", tmp_path / "x.jsonl")
    assert (result.exit_code, result.stderr) == (0, "dam: 6 incidents\n")
    found = rows(tmp_path / "x.jsonl")
    assert [Path(row["source"]).name.split(".")[0] for row in found] == ["a", "b", "c", "d", "e", "f"]
    assert {json.dumps({**row, "source": ""}) for row in found} == {json.dumps({**found[0], "source": ""})}


@pytest.mark.parametrize(
    ("name", "text", "errors"),
    [
        ("x.json", json.dumps([{**GOOD, "id": "a"}, {**GOOD, "id": "b"}]), [False, False]),
        ("x.json", json.dumps([GOOD, {"id": "odd", "observations": {"nope": 1}}, 7]), [False, True, True]),
        ("x.yaml", "- id: a\n  observations: {input_gap_share: 40 %}\n- 7\n", [False, True]),
        ("x.json", json.dumps([GOOD, GOOD])[:-20], [True]),
        ("x.yaml", "- id: a\n  observations: {input_gap_share: 40 %\n", [True]),
        ("x.yaml", "The accelerators wait for the loader most of the time.\n\nWe added workers.\n", [True]),
    ],
)
def test_documents_need_no_schema(tmp_path: Path, name: str, text: str, errors: list[bool]) -> None:
    """JSON and YAML are documents, each item a row, a broken one with its error: they are never read as prose."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    result = run(tmp_path / name, "-o", tmp_path / "out.jsonl")
    assert result.exit_code == (3 if any(errors) else 0)
    assert [row["error"] is not None for row in rows(tmp_path / "out.jsonl")] == errors


def test_all_outputs_say_the_same(tmp_path: Path, lines: Path) -> None:
    """CSV and Parquet hold the rows of the JSON lines, flat."""
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in ("out.jsonl", "out.csv", "out.parquet"):
        assert run(lines, "-o", tmp_path / name, "--rules").exit_code == 3
    lined = rows(tmp_path / "out.jsonl")
    flat = records(tmp_path / "out.csv")
    stored = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    for line, record, row in zip(lined, flat, stored, strict=True):
        assert line["id"] == record["id"] == row["id"]
        assert line["hypothesis"] == (record["hypothesis"] or None) == row["hypothesis"]
        assert line["share"] == (float(record["share_low"]) if record["share_low"] else None) == row["share_low"]
        assert " ".join(line["axes"]) == record["axes"] == (row["axes"] or "")
        assert " ".join(line["rules"]) == record["rules"] == row["rules"]
        assert line["next"] == [row[f"next_{n}"] for n in (1, 2, 3) if row[f"next_{n}"]]


def test_a_formula_stays_text_in_a_sheet(tmp_path: Path) -> None:
    """A text that a spreadsheet would run is marked as text in CSV, wherever it comes from."""
    path = tmp_path / "in.jsonl"
    names = ["=HYPERLINK(1)", "+1", "-1", "@x", "\t=1", "fine"]
    path.write_text("\n".join(json.dumps({**GOOD, "id": name}) for name in names), encoding="utf-8")
    run(path, "-o", tmp_path / "out.csv")
    found = [row["id"] for row in records(tmp_path / "out.csv")]
    assert found == [*(f"'{name}" for name in names[:-1]), "fine"]


def test_streams(tmp_path: Path) -> None:
    """Standard input is JSON lines or CSV, by what stands in it; rows go to stdout as they come."""
    result = run("-", "-o", "-", given=json.dumps(GOOD).encode())
    assert (result.exit_code, json.loads(result.stdout)["source"]) == (0, "<stdin>:1")
    result = run("-", "-o", "-", "-f", "csv", given=b"id,input_gap_share\na,40 %\n")
    assert (result.exit_code, result.stdout.splitlines()[1].split(",")[1]) == (0, "<stdin>:2")
    result = run("-", "-o", "-", given=b"something else entirely")
    assert result.exit_code == 3
    assert "neither JSON lines nor CSV" in result.stderr


def test_folders(tmp_path: Path) -> None:
    """Each incident file is one incident, and so is each folder with tool outputs, with its incident file if any."""
    example = Path(__file__).resolve().parents[2] / "examples" / "starved-accelerator"
    runs = tmp_path / "runs"
    for name in ("first", "second"):
        (runs / name).mkdir(parents=True)
        for file in example.iterdir():
            if name == "second" or not file.name.endswith(".dam.yaml"):
                (runs / name / file.name).write_bytes(file.read_bytes())
    for name in ("a", "b"):
        text = "schema: dam-incident/1\nobservations: {input_gap_share: 40 %}\n"
        (runs / f"{name}.dam.yaml").write_text(text, encoding="utf-8")
    (runs / "loop").symlink_to(runs)
    (runs / "notes.bin").write_bytes(b"\x00\x01")
    result = run(runs, "-o", tmp_path / "x.jsonl")
    assert "notes.bin: warning: it is no incident, report or output that is known" in result.stderr
    found = rows(tmp_path / "x.jsonl")
    assert [row["id"] for row in found] == ["a", "b", "first", "starved-accelerator"]
    assert [Path(row["source"]).name for row in found] == ["a.dam.yaml", "b.dam.yaml", "first", "second"]
    single = CliRunner().invoke(dam, ["diagnose", str(runs / "first"), "-f", "json"])
    assert json.loads(single.stdout)["binding"]["hypothesis"] == found[2]["hypothesis"]


def test_what_cannot_be_written(tmp_path: Path, lines: Path) -> None:
    """A full disk, a folder and a missing folder end in one line and leave nothing behind."""
    for output in (tmp_path / "no" / "x", tmp_path, Path("/dev/full")):
        result = run(lines, "-o", output)
        assert result.exit_code == 2
        assert result.stderr.splitlines()[-1].startswith("dam: cannot write")
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_an_output_is_no_input(tmp_path: Path, lines: Path) -> None:
    """No input is overwritten, and the output of an earlier run into the same folder is not read."""
    before = lines.read_bytes()
    result = run(lines, "-o", lines)
    assert (result.exit_code, lines.read_bytes()) == (2, before)
    assert "it is an input of this command" in result.stderr
    for _ in range(2):
        run(tmp_path, "-o", tmp_path / "out.jsonl")
        assert len(rows(tmp_path / "out.jsonl")) == 5


def test_a_missing_input_is_told(tmp_path: Path, lines: Path) -> None:
    """An input that is not there is an error, and the others are done all the same."""
    result = run(tmp_path / "nowhere", lines, "-o", tmp_path / "x.jsonl")
    assert result.exit_code == 3
    assert "nowhere: error: there is no such file or folder" in result.stderr
    assert len(rows(tmp_path / "x.jsonl")) == 5


def test_killed_and_resumed(tmp_path: Path) -> None:
    """A run killed with -9 leaves no output; with --resume it ends with each row once, and only of the same run."""
    many = tmp_path / "many.jsonl"
    many.write_text("".join(json.dumps({**GOOD, "id": f"i{n}"}) + "\n" for n in range(3_000)), encoding="utf-8")
    code = "from dam_expert.batch import pieces; pieces.PIECE_BYTES = 20_000; from dam_expert.cli import main; main()"
    command = [sys.executable, "-c", code, "batch", str(many), "-o", str(tmp_path / "out.jsonl")]
    journal = tmp_path / ".out.jsonl.dam-journal"
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while not (journal.exists() and journal.read_bytes().count(b"\n") > 2):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "out.jsonl").exists()
    before = journal.read_bytes().count(b"\n") - 1
    other = subprocess.run([*command, "--resume", "--rules"], capture_output=True, text=True, check=False)
    assert (other.returncode, "of another run" in other.stderr) == (2, True)
    again = subprocess.run([*command, "--resume"], capture_output=True, text=True, check=False)
    assert (again.returncode, again.stderr) == (0, "dam: 3000 incidents\n")
    assert before > 0
    assert [row["id"] for row in rows(tmp_path / "out.jsonl")] == [f"i{n}" for n in range(3_000)]
    assert not journal.exists()


def test_progress_on_a_terminal(tmp_path: Path) -> None:
    """On a terminal the incidents so far, their rate and the time left are shown, and cleared at the end."""
    many = tmp_path / "many.jsonl"
    many.write_text("".join(json.dumps({**GOOD, "id": f"i{n}"}) + "\n" for n in range(3_000)), encoding="utf-8")
    code = "from dam_expert.batch import pieces; pieces.PIECE_BYTES = 20_000; from dam_expert.cli import main; main()"
    command = [sys.executable, "-c", code, "batch", str(many), "-o", str(tmp_path / "out.jsonl")]
    ours, its = pty.openpty()
    with subprocess.Popen(command, stderr=its, env={**os.environ, "TERM": "xterm", "COLUMNS": "120"}) as process:
        os.close(its)
        shown = b""
        with contextlib.suppress(OSError):  # how a terminal tells that nobody writes to it any more
            while part := os.read(ours, 65_536):
                shown += part
        os.close(ours)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert process.returncode == 0
    assert re.search(r"[1-9]\d* incidents, [\d,]+/s .* \d+% 0:00:0\d", text)
    assert text.endswith("dam: 3000 incidents\r\n")
