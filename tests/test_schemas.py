"""The published JSON Schemas are those of the models, and every document the program writes is valid against them."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from dam_expert import diagnose, load_knowledge
from dam_expert.cli.pipeline import schema
from dam_expert.documents.incident import canonical
from dam_expert.engine.cases import stages_of
from dam_expert.kb.source import read_yaml
from dam_expert.kb.where import base_files, shipped_folders
from dam_expert.reports import to_json, to_yaml
from dam_expert.reports.comparing import compare

DOCS = Path(__file__).resolve().parent.parent / "docs" / "schemas"


def published(kind: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DOCS / f"{kind}.schema.json").read_text())
    return found


@pytest.mark.parametrize("kind", ["incident", "diagnosis", "comparison", "knowledge", "runbook"])
def test_the_published_schema_is_current(kind: str) -> None:
    """docs/schemas holds what ``dam kb schema`` prints, and it is a schema."""
    assert published(kind) == schema(kind)
    jsonschema.Draft202012Validator.check_schema(published(kind))


def test_every_shipped_file_is_valid() -> None:
    """An editor that knows the schema finds nothing wrong in the shipped base."""
    validator = jsonschema.Draft202012Validator(published("knowledge"))
    for path in base_files(shipped_folders()):
        document, _ = read_yaml(path)
        assert document is not None
        assert [error.message for error in validator.iter_errors(document.data)] == []


def test_every_field_says_what_it_means() -> None:
    """An editor shows a text for every key that it completes."""
    for kind in ("knowledge", "runbook"):
        found = published(kind)
        models = [found, *found["$defs"].values()]
        fields = [(name, field) for model in models for name, field in model.get("properties", {}).items()]
        assert [name for name, field in fields if "description" not in field] == []


def test_the_example_runbooks_are_valid() -> None:
    """So are the runbooks, each file of them."""
    validator = jsonschema.Draft202012Validator(published("runbook"))
    for path in sorted((DOCS.parent.parent / "runbooks").rglob("*.yaml")):
        document, _ = read_yaml(path)
        assert document is not None
        assert [error.message for error in validator.iter_errors(document.data)] == []


def test_what_is_written_is_valid() -> None:
    """The incidents and diagnoses of all cases follow their schemas."""
    base, _ = load_knowledge()
    assert base is not None
    incidents = jsonschema.Draft202012Validator(published("incident"))
    diagnoses = jsonschema.Draft202012Validator(published("diagnosis"))
    for case in base.cases.values():
        for incident, _ in stages_of(base, case):
            assert [e.message for e in incidents.iter_errors(canonical(incident, base.names))] == []
            assert [e.message for e in diagnoses.iter_errors(diagnose(base, incident).as_data())] == []


def test_comparisons_are_valid_as_json_and_as_yaml() -> None:
    """What ``dam compare`` writes of any two stages of a case follows its schema, read back from either format."""
    base, _ = load_knowledge()
    assert base is not None
    validator = jsonschema.Draft202012Validator(published("comparison"))
    for case in list(base.cases.values())[::3]:
        stages = [diagnose(base, incident) for incident, _ in stages_of(base, case)]
        for before, after in itertools.pairwise(stages):
            data = compare([before], [after], noise=0.03, chance=0.1).as_data()
            for written in (json.loads(to_json(data)), yaml.safe_load(to_yaml(data))):
                assert [error.message for error in validator.iter_errors(written)] == []
