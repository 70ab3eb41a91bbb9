"""The limits of the calculators: read alone, with sources, and refused as a whole where the file is wrong."""

from __future__ import annotations

from documented import ROOT

from dam_expert.kb.limits import load_limits

NEEDED = {
    "near_the_roof",
    "memory_headroom",
    "training_fragmentation",
    "serving_fragmentation",
    "working_load",
    "flow_tolerance",
    "extrapolation_reach",
    "flattening_residuals",
    "data_starved",
}


def test_shipped_limits():
    """Every limit that a calculator asks for is there, with a source."""
    limits, messages = load_limits(ROOT / "knowledge")
    assert messages == []
    assert set(limits) == NEEDED
    assert all(limit.source for limit in limits.values())


def test_heuristics_are_marked():
    """A limit without a published source says so."""
    limits, _ = load_limits(ROOT / "knowledge")
    heuristic = {name for name, limit in limits.items() if limit.is_heuristic}
    assert heuristic == {"flow_tolerance", "extrapolation_reach", "flattening_residuals", "data_starved"}


def test_a_broken_file(tmp_path):
    """A value that cannot be read leaves no limits, and a message with its place."""
    text = "thresholds:\n  - {id: a, title: A, kind: share, grade: screening, basis: read, value: 140 %, source: [x]}\n"
    (tmp_path / "physics.yaml").write_text(text, encoding="utf-8")
    limits, messages = load_limits(tmp_path)
    assert limits == {}
    assert [(each.line, each.text.split(",")[0]) for each in messages] == [(2, "'140 %' is above 100 %")]


def test_a_missing_file(tmp_path):
    """A folder without the file gives no limits and one message."""
    limits, messages = load_limits(tmp_path)
    assert (limits, len(messages)) == ({}, 1)
