"""Tables and metrics that a runbook declares are read without Python."""

from __future__ import annotations

import pytest

from dam_expert.documents.messages import Level
from dam_expert.kb.load import load_knowledge
from dam_expert.kb.overlay_models import ToolMappingModel
from dam_expert.readers.declared import declared_readers
from dam_expert.readers.gather import gather
from dam_expert.readers.source import Source

MEASUREMENTS = load_knowledge()[0].measurements


def reader_of(**declared):
    model = ToolMappingModel(**{"unit": "s", "measurement": "queue_time", "format": "csv", **declared})
    (reader,) = declared_readers([("team", model)], MEASUREMENTS)
    return reader


def read(text, **declared):
    reader = reader_of(**declared)
    source = Source.of_bytes("x", text.encode())
    assert reader.recognises(source)
    return reader.read(source)


def values(reading):
    return [(found.measurement, found.scope, round(found.value.lo, 9)) for found in reading.observations]


@pytest.mark.parametrize(
    ("text", "declared", "expected"),
    [
        pytest.param("wait\n1\n3\n", {}, [((), 2.0)], id="the mean of a column"),
        pytest.param("a;wait\nx;1,5\n", {}, [((), 1.5)], id="semicolons and decimal commas"),
        pytest.param("a\twait\nx\t250\n", {"unit": "ms"}, [((), 0.25)], id="tabs, and a unit"),
        pytest.param("# made by us\nwait\n1\n", {}, [((), 1.0)], id="a comment above the header"),
        pytest.param("wait\n1\n\nN/A\n3\n", {}, [((), 2.0)], id="what is not available is left out"),
        pytest.param('"wait"\n"1"\n', {}, [((), 1.0)], id="quoted cells"),
    ],
)
def test_tables(text, declared, expected):
    """A column of a table is read in the canonical unit."""
    assert values(read(text, match="wait", **declared)) == [("queue_time", *each) for each in expected]


def test_a_member_for_each_row():
    """Rows are told apart by the column that names the member, in the scope of the measurement."""
    reading = read("gpu,stall\n0,1\n1,3\n0,2\n", match="stall", measurement="step_time", per="gpu")
    assert values(reading) == [("step_time", (("rank", "0"),), 1.5), ("step_time", (("rank", "1"),), 3.0)]


@pytest.mark.parametrize(
    ("text", "match", "expected"),
    [
        pytest.param("wait 2\n", "wait", [2.0], id="a gauge"),
        pytest.param("wait 2 1700000000000\n", "wait", [2.0], id="with a time"),
        pytest.param('wait{a="x"} 2\nwait{a="y"} 4\n', "wait", [3.0], id="all series"),
        pytest.param('wait{a="x"} 2\nwait{a="y"} 4\n', 'wait{a="y"}', [4.0], id="the series of a label"),
        pytest.param("wait_sum 6\nwait_count 3\n", "wait", [2.0], id="a summary"),
        pytest.param('wait{quantile="0.9"} 9\nwait_sum 6\nwait_count 3\n', "wait", [2.0], id="quantiles are no mean"),
        pytest.param(
            'wait_sum{a="x"} 6\nwait_sum{a="y"} 0\nwait_count{a="x"} 1\nwait_count{a="y"} 2\n',
            "wait",
            [2.0],
            id="over series",
        ),
        pytest.param("wait_sum 6\nwait_count 0\n", "wait", [], id="nothing counted yet"),
        pytest.param("# TYPE wait gauge\nwait NaN\n", "wait", [], id="not a number"),
    ],
)
def test_metrics(text, match, expected):
    """A metric is read as a gauge, or as the mean of a summary or histogram."""
    reading = read(text, match=match, format="prometheus")
    assert [found.value.lo for found in reading.observations] == expected
    assert bool(reading.messages) is not bool(expected)


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        ("waiting\n1\n", {"match": "wait"}),
        ("", {"match": "wait"}),
        ("waiting 1\n", {"match": "wait", "format": "prometheus"}),
        ("plain words about wait\n", {"match": "wait", "format": "prometheus"}),
    ],
)
def test_what_is_not_recognised(text, declared):
    """A table without the column and an export without the metric are left to others."""
    assert not reader_of(**declared).recognises(Source.of_bytes("x", text.encode()))


def test_an_impossible_value_is_rejected():
    """A value that the measurement cannot have is shown with what the tool said."""
    (found,) = read("busy\n140\n", match="busy", measurement="instance_busy_share", unit="%").observations
    assert (found.value, found.given) == (None, "140.0 %")
    assert found.complaint


def test_cells_that_are_no_numbers():
    """Cells that do not parse are counted."""
    (message,) = read("wait\n1\nfast\n", match="wait").messages
    assert (message.code, message.level) == ("lines-not-understood", Level.WARNING)


def test_beside_other_readers(tmp_path):
    """A declared reader reads what no other knows, and the file is then not called unknown."""
    (tmp_path / "own.csv").write_text("wait\n1\n", encoding="utf-8")
    gathered = gather([tmp_path], also=[reader_of(match="wait")])
    assert [found.measurement for found in gathered.observations] == ["queue_time"]
    assert (gathered.messages, gathered.unread) == ((), ())
