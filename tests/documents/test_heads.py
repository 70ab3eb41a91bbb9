"""Telling the project's own documents from other files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dam_expert.documents.heads import HEAD, declares, head_of, is_incident

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("slow.dam.yaml", "", True),
        ("slow.yaml", "schema: dam-incident/1\n", True),
        ("slow.json", '{\n  "schema": "dam-incident/1"', True),
        ("slow.yaml", "# note\n\nschema: dam-incident/1\n", True),
        ("trace.json", '{"schemaVersion": 1, "traceEvents": []', False),
        ("run.json", '{"schema": "dam-diagnosis/1"', False),
    ],
)
def test_an_incident_is_known_by_name_or_head(name: str, head: str, expected: bool) -> None:
    """The name suffices; else the line that declares the schema."""
    assert is_incident(name, head) is expected


def test_only_the_head_is_looked_at(tmp_path: Path) -> None:
    """A declaration further down is content, and bytes that are no text do no harm."""
    file = tmp_path / "run.json"
    file.write_bytes(b"\xff" + b" " * HEAD + b'\n{"schema": "dam-diagnosis/1"}')
    assert not declares(head_of(file), "dam-diagnosis")
    assert not declares(file.read_text("latin-1"), "dam-diagnosis")
