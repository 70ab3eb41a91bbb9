"""Runs commands over a pipeline that is put in the place of readers, base and engine."""

from __future__ import annotations

import types

import pytest
from click.testing import CliRunner
from sample_diagnoses import CONFIRMED, glossary_in

from dam_expert.cli import authoring, pipeline
from dam_expert.cli.group import dam


@pytest.fixture(name="run")
def _run():
    """Return a function that runs ``dam`` with arguments and gives click's result."""
    runner = CliRunner(env={"LC_ALL": "C.UTF-8", "DAM_TRACEBACK": "1"})  # a mistake of the program fails the test
    return lambda *arguments, **options: runner.invoke(dam, list(arguments), prog_name="dam", **options)


@pytest.fixture(name="stage")
def _stage(monkeypatch):
    """Put fixed answers in the place of the lower layers; tests change them on the namespace."""
    stage = types.SimpleNamespace(diagnosis=CONFIRMED, messages=(), given=None, lines=[])

    def understand(base, paths, settings, *, no_input):
        stage.given = (paths, settings, no_input)
        return types.SimpleNamespace(messages=stage.messages)

    monkeypatch.setattr(pipeline, "load_base", lambda *_: "base")
    monkeypatch.setattr(pipeline, "understand", understand)
    monkeypatch.setattr(pipeline, "diagnose", lambda base, understood: stage.diagnosis)
    monkeypatch.setattr(pipeline, "glossary", lambda base, language: glossary_in(language))
    monkeypatch.setattr(pipeline, "course", lambda base, understood: [])
    monkeypatch.setattr(authoring, "tell_eased", lambda base: None)
    monkeypatch.setattr(authoring, "near_misses", lambda base, understood: [])
    monkeypatch.setattr(pipeline, "observation_lines", lambda base, understood, language: stage.lines)
    monkeypatch.setattr(pipeline, "incident_data", lambda base, understood: {"schema": "dam-incident/1"})
    return stage
