"""``dam batch``: counts, comparison with labels and with other runbooks, and whole diagnoses."""

from __future__ import annotations

import html.parser
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dam_expert.cli.group import dam

STARVED = {"input_gap_share": "40 %", "cached_pass_speedup": 1.02}
INCIDENTS = [
    {"id": "one", "x-team": "vision", "observations": STARVED, "planned_actions": ["faster_accelerator"]},
    {"id": "two", "x-team": "vision", "observations": {"input_gap_share": "30 %"}},
    {"id": "three", "x-team": "=nlp", "observations": {"step_time": 1, "framework": "jax"}},
]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(dam, ["batch", *map(str, arguments)], prog_name="dam")


@pytest.fixture(name="fleet")
def _fleet(tmp_path: Path) -> Path:
    path = tmp_path / "fleet.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in INCIDENTS), encoding="utf-8")
    return path


def test_counts(tmp_path: Path, fleet: Path) -> None:
    """Counts by bottleneck, status, free key and setting, what to measure and which plans are wasted."""
    result = run(fleet, "--summary", tmp_path / "s.json", "--by", "x-team", "--by", "framework", "-o", tmp_path / "o")
    assert result.exit_code == 0
    found = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))
    assert found["rows"] == 3
    assert found["bottleneck"] == {"input": 2, "open": 1}
    assert found["status"] == {"confirmed": 2, "undetermined": 1}
    assert found["by"]["x-team"] == {"vision": {"input": 2}, "=nlp": {"open": 1}}
    assert found["by"]["framework"] == {"(not stated)": {"input": 2}, "jax": {"open": 1}}
    assert found["wasted"] == {"faster_accelerator": 1}
    assert found["settles"]["input_gap_share"] == 1


def test_text_and_page(tmp_path: Path, fleet: Path) -> None:
    """The same counts as text on stdout, and as one page with its pictures inside and nothing to load."""
    shown = run(fleet, "--summary", "-", "-q").stdout
    assert "Binds most often: Input pipeline (2 of 2 named)" in shown
    assert "Named: 2 of 3 (66.7 %)" in shown
    run(fleet, "--summary", tmp_path / "s.html", "-q")
    page = (tmp_path / "s.html").read_text(encoding="utf-8")
    html.parser.HTMLParser().feed(page)
    assert page.count("<svg") > 1
    assert "http" not in page.replace('http-equiv="Content-Security-Policy"', "")


def test_one_piece_or_many(tmp_path: Path, fleet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts do not depend on how the input is cut."""
    run(fleet, "--summary", tmp_path / "a.json", "--by", "x-team", "-q")
    monkeypatch.setattr("dam_expert.batch.pieces.PIECE_BYTES", 50)
    run(fleet, "--summary", tmp_path / "b.json", "--by", "x-team", "-q")
    one, other = (json.loads((tmp_path / name).read_text(encoding="utf-8")) for name in ("a.json", "b.json"))
    assert one == other


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("l.csv", "id,accepts,hypothesis\none,input,\ntwo,host;queue,\nthree,host,\n"),
        ("l.json", '[{"id": "one", "accepts": ["input"]}, {"id": "two", "accepts": ["host", "queue"]},'
                   ' {"id": "three", "bottleneck": "host"}]'),
        ("l.yaml", "- {id: one, accepts: [input]}\n- {id: two, accepts: [host, queue]}\n"
                   "- {id: three, accepts: [host]}\n"),
        ("l.jsonl", '{"id": "one", "bottleneck": "input"}\n{"id": "two", "accepts": ["host", "queue"]}\n'
                    '{"id": "three", "accepts": ["host"]}\n'),
    ],
)  # fmt: skip
def test_labels(tmp_path: Path, fleet: Path, name: str, text: str) -> None:
    """What was confirmed is right or wrong by the label, and what is open by what its first question would decide."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    run(fleet, "--labels", tmp_path / name, "--summary", tmp_path / "s.json")
    found = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))["labels"]
    assert (found["labelled"], found["confirmed_right"], found["confirmed_wrong"], found["open"]) == (3, 1, 1, 1)
    assert found["wrong"] == ["two"]
    assert found["confusion"] == {"input": {"input": 1}, "host": {"input": 1, "open": 1}}
    assert found["asked"] == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- {id: one, accepts: [speed]}", "'speed' is no bottleneck"),
        ("- {accepts: [input]}", "label 1 has no id"),
        ("- {id: one}", "no bottleneck stands under 'accepts'"),
        ("- {id: one, accepts: [input]}\n- {id: one, accepts: [input]}", "'one' is labelled twice"),
        ("id: one", "a list of labels is expected"),
    ],
)
def test_labels_that_are_none(tmp_path: Path, fleet: Path, text: str, said: str) -> None:
    """A file of labels with a mistake ends the run before it begins."""
    (tmp_path / "l.yaml").write_text(text, encoding="utf-8")
    result = run(fleet, "--labels", tmp_path / "l.yaml", "-o", tmp_path / "o")
    assert (result.exit_code, said in result.stderr) == (3, True)
    assert not (tmp_path / "o").exists()


def test_what_another_runbook_moves(tmp_path: Path, fleet: Path) -> None:
    """Incidents that a runbook names otherwise are counted, with how and which."""
    book = tmp_path / "book"
    book.mkdir()
    about = "name: strict\nversion: 1.0.0\nlanguages: [en]\ndescription: No verdict on waiting for input.\n"
    (book / "runbook.yaml").write_text(about, encoding="utf-8")
    rule = "{id: input.wait.confirm_by_gap, field: status, to: test, because: it is tried out}"
    (book / "rules.yaml").write_text(f"set:\n  - {rule}\n", encoding="utf-8")
    result = run(fleet, "--against", book, "--summary", tmp_path / "s.json")
    assert result.exit_code == 0, result.stderr
    found = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))["moved"]
    assert found["count"] == 2
    assert found["bottleneck"] == {"input → open": 2}
    assert found["ids"] == ["one: input → open", "two: input → open"]


def test_whole_diagnoses(tmp_path: Path, fleet: Path) -> None:
    """--full adds the document that ``dam diagnose`` writes of the incident."""
    (tmp_path / "one.dam.json").write_text(json.dumps({"schema": "dam-incident/1", **INCIDENTS[0]}), encoding="utf-8")
    run(tmp_path / "one.dam.json", "-o", tmp_path / "o.jsonl", "--full")
    (row,) = map(json.loads, (tmp_path / "o.jsonl").read_text(encoding="utf-8").splitlines())
    single = CliRunner().invoke(dam, ["diagnose", str(tmp_path / "one.dam.json"), "-f", "json"])
    assert row["diagnosis"] == json.loads(single.stdout)
    assert run(fleet, "-o", tmp_path / "o.csv", "--full").exit_code == 2


def test_nothing_to_write(fleet: Path) -> None:
    """Neither rows nor counts: a usage error."""
    assert run(fleet).exit_code == 2
