"""What a report misses: its metric, and how the actual value is known."""

from __future__ import annotations

import pytest

from dam_expert.documents.incident import Incident
from dam_expert.engine.diagnose import diagnose
from dam_expert.prose import joined_with


@pytest.mark.parametrize(
    ("title", "metric", "track"),
    [
        ("OOM error after 30 epochs", None, "fit"),
        ("Slow GPU usage rate", None, "time"),
        ("Severe performance drop with 30 users", None, "time"),
        ("GPUs sit idle and all CPU cores are busy", None, "time"),
    ],
)
def test_words_of_a_title_that_are_no_metric(read, title, metric, track):
    """*Error*, *rate* and *performance* alone name no metric of quality or time, and idle devices no bill."""
    target = read(f"# {title}\n\nIt happens in training, on one A100.\n").target
    assert (None if target is None else target.metric) == metric
    assert target is None or str(target.track) == track


@pytest.mark.parametrize(
    ("text", "basis"),
    [
        ("# p99 latency\n\nThe p99 latency is 180 ms, our target was 500 ms.\n", "said"),
        ("# p99 latency\n\n## Measured\n\n- p99 latency: 180 ms\n- target p99 latency: 500 ms\n", "reported"),
    ],
)
def test_how_the_actual_value_is_known(base, read, text, basis):
    """What words say is reached keeps its basis, and proves no health."""
    report = read(text)
    assert str(report.target.basis) == basis
    diagnosis = diagnose(base, joined_with(Incident(id="a", file="a"), [report]))
    assert (diagnosis.status == "no_fault") is (basis == "reported")


def test_a_line_of_its_own_is_the_line_that_is_shown(read):
    """A sentence behind a line break stands in its own line, also where all of it was understood."""
    report = read("The loader is slow.\nIt has 8 workers.\nI raised num_workers to 16, no effect.\n")
    found = {each.observation.measurement: each.observation.origin.line for each in report.findings}
    assert found["more_workers_speedup"] == 3
    assert [each.origin.line for each in report.tried] == [3]
