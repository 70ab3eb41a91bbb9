"""Facts, laws and regions name entries that exist; a scorecard reads measurements."""

from __future__ import annotations

from pathlib import Path

from dam_expert.kb.load import load_knowledge

BASE = """\
thresholds:
  - {id: half, title: Half, kind: share, grade: screening, basis: heuristic, value: 50 %, source: [x]}
measurements:
  - {id: idle, title: Idle, kind: share}
symptoms:
  - {id: much, title: Much, when: idle > half}
"""


def complaints(folder: Path, text: str) -> list[str]:
    (folder / "base.yaml").write_text(BASE + text, encoding="utf-8")
    _, messages = load_knowledge([folder])
    return [
        f"{message.line}: {message.text} [{message.code}]" for message in messages if message.code != "engine-needs"
    ]


def test_a_fact_that_nothing_carries(tmp_path: Path) -> None:
    """A fact without an entry, or with one that does not exist, is an error at its place."""
    facts = "facts:\n  - {id: fact_001, section: a, states: A thing., carried_by: []}\n"
    assert complaints(tmp_path, facts)[0].startswith("8: ")
    facts = "facts:\n  - {id: fact_001, section: a, states: A thing., carried_by: [idel]}\n"
    assert complaints(tmp_path, facts) == ["8: nothing has the id 'idel' [unknown-id]"]


def test_a_region_and_a_law_name_entries(tmp_path: Path) -> None:
    """The ids under techniques and under a law are checked like any reference."""
    regions = (
        "regions:\n  - {id: r, title: R, axes: [data], question: What?, source: [x],"
        " techniques: [{title: T, ids: [idle, nothing]}]}\n"
        "laws:\n  - {id: l, title: L, statement: S., ids: [nothing], source: [x]}\n"
    )
    assert complaints(tmp_path, regions) == [
        "8: nothing has the id 'nothing' [unknown-id]",
        "10: nothing has the id 'nothing' [unknown-id]",
    ]


def test_a_scorecard_reads_measurements(tmp_path: Path) -> None:
    """A symptom in a condition of the scorecard, or an unknown measurement, is an error."""
    row = (
        "scorecard:\n  - {id: s, title: S, axis: data, measurement: idel, definition: D., scope: All., source: [x],"
        " investigate: much, strong: idle < half}\n"
    )
    assert complaints(tmp_path, row) == [
        "8: there is no measurement 'idel' [unknown-id]",
        "8: the scorecard reads measurements only, not the symptom 'much' [later-stage]",
    ]
