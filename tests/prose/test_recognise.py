"""Which texts are taken for reports."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from documented import ROOT

from dam_expert.cli.group import dam
from dam_expert.prose import is_report
from dam_expert.readers.source import Source


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# Slow\n\nThe loader waits for the disk.\n\n```\n# gpu  sm\n    0  35\n```\n", id="Markdown"),
        pytest.param("From: a@b.c\nTo: d@e.f\nSubject: slow\n\nIt is slow.\n", id="mail"),
        pytest.param("[10:00] ana: it is slow\n[10:01] ben: why?\n", id="chat"),
        pytest.param('{"title": "slow", "body": "it is slow"}', id="issue export"),
        pytest.param(
            "| metric | value |\n|---|---|\n| step time | 2 s |\n| GPU utilization | 30 % |\n", id="a table alone"
        ),
        pytest.param("Our training is slow and the GPU is idle for most of the time.\n", id="one sentence"),
        pytest.param("训练速度很慢，显卡大部分时间空闲。\n", id="Chinese"),
        pytest.param("Huấn luyện rất chậm và GPU không có việc để làm.\n", id="Vietnamese"),
    ],
)
def test_reports(text):
    """What a person wrote is a report, in any of the forms and languages."""
    assert is_report(Source.of_bytes("x", text.encode()))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("gpu,util\n0,35\n1,40\n", id="CSV"),
        pytest.param("# gpu  sm\n# Idx   %\n    0  35\n    0  37\n", id="dmon"),
        pytest.param('{"traceEvents": [{"ph": "X", "name": "a"}]}', id="trace"),
        pytest.param("2026-01-01 10:00:00 | INFO | trainer: iter 10 loss 0.5\n" * 4, id="log"),
        pytest.param("#!/bin/sh\n# this runs the training on all of our nodes\nsrun python train.py\n", id="script"),
        pytest.param("\x00\x01\x02", id="binary"),
    ],
)
def test_others(text):
    """Tool output, logs, scripts and data are none."""
    assert not is_report(Source.of_bytes("x", text.encode()))


def test_documents_of_a_repository(tmp_path):
    """A README beside tool outputs describes no incident."""
    path = tmp_path / "README.md"
    path.write_text("# Project\n\nThis is how to train the model on two nodes.\n")
    assert not is_report(Source.of_path(path))


@pytest.mark.parametrize(
    "arguments", [("diagnose",), ("diagnose", "--format", "markdown"), ("read",), ("read", "--format", "yaml")]
)
def test_what_was_concluded_once_is_no_report(arguments):
    """The outputs of this program, kept beside the inputs, are read as no report by the next call."""
    made = CliRunner().invoke(dam, [*arguments, str(ROOT / "examples" / "starved-accelerator"), "-q"])
    assert made.exit_code == 0
    assert not is_report(Source.of_bytes("kept.txt", made.stdout.encode()))
