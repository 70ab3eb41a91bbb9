"""``dam read``: what was understood, as lines or as an incident document."""

from __future__ import annotations

import json


def test_lines_are_escaped(run, stage):
    """Each observation is one line, with control characters spelt out."""
    stage.lines = ["a = 1 (tool, x\x1b[2J.txt)", "b = 2"]
    assert run("read", "run/").stdout == "a = 1 (tool, x\\x1b[2J.txt)\nb = 2\n"


def test_document(run, stage):
    """As JSON it is the incident document."""
    assert json.loads(run("read", "run/", "-f", "json").stdout) == {"schema": "dam-incident/1"}
