"""The way from paths to a diagnosis: what holds it up, and what it says on the way."""

from __future__ import annotations

import types

import click
import pytest

from dam_expert.cli import pipeline
from dam_expert.cli.failure import Exit, Failure
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.messages import Level, Message

STEP_TIME = types.SimpleNamespace(
    id="step_time", model=types.SimpleNamespace(title="Step time", unit="s", kind=Kind.DURATION)
)
BASE = types.SimpleNamespace(measurements={"step_time": STEP_TIME})


def _target(**given):
    whole = {"metric": "step_time", "actual": None, "wanted": None, **given}
    return types.SimpleNamespace(incident=types.SimpleNamespace(target=types.SimpleNamespace(**whole)))


@pytest.mark.parametrize(
    ("given", "sentences"),
    [
        pytest.param(
            {"actual": Interval.point(0.177), "wanted": Interval.point(0.11)},
            ["Step time is 177 ms, wanted 110 ms."],
            id="both",
        ),
        pytest.param({"wanted": Interval.point(0.11)}, ["Step time, wanted 110 ms."], id="wanted alone"),
        pytest.param({"actual": Interval(0.1, 0.2)}, ["Step time is 100–200 ms."], id="actual alone"),
        pytest.param({"metric": None}, [], id="nothing"),
        pytest.param({"metric": "fun", "wanted": Interval.point(3)}, ["fun, wanted 3."], id="unknown metric"),
    ],
)
def test_missed(given, sentences):
    """The target is one sentence, and what it does not state is left out."""
    assert pipeline.missed(BASE, _target(**given)) == sentences


def test_no_target():
    """An incident without a target says nothing of one."""
    understood = types.SimpleNamespace(incident=types.SimpleNamespace(target=None))
    assert pipeline.missed(BASE, understood) == []


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
