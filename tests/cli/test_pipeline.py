"""The way from paths to a diagnosis: what holds it up, and what it says on the way."""

from __future__ import annotations

import types

import click
import pytest

from dam_expert.cli import pipeline
from dam_expert.cli.failure import Exit, Failure
from dam_expert.documents.messages import Level, Message

BASE = types.SimpleNamespace(measurements={})


def test_an_installation_without_the_base(monkeypatch):
    """A base that is not there is a message, not a traceback."""

    def missing(**_):
        raise FileNotFoundError("the shipped base is missing")

    monkeypatch.setattr("dam_expert.kb.load.load_knowledge", missing)
    with pytest.raises(Failure) as caught:
        pipeline.load_base()
    assert (caught.value.exit_code, str(caught.value.messages[0])) == (
        Exit.INVALID,
        "dam_expert: error: the shipped base is missing [base-missing]",
    )


def test_a_base_with_errors_gives_the_errors_alone(monkeypatch):
    """Warnings on the base are for its authors; who diagnoses sees only what makes it unusable."""
    found = [Message(file="a", level=level, text="x", code="y") for level in Level]
    monkeypatch.setattr("dam_expert.kb.load.load_knowledge", lambda **_: (None, found))
    with pytest.raises(Failure) as caught:
        pipeline.load_base()
    assert [message.level for message in caught.value.messages] == [Level.ERROR]


def test_the_keyboard_is_not_waited_for(monkeypatch):
    """With --no-input a dash on a terminal is refused instead of waiting."""
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    with pytest.raises(click.UsageError, match="would wait for the keyboard"):
        pipeline.understand(BASE, ["-"], [], no_input=True)
