"""Transcripts replay byte for byte: what is said, and the diagnosis at their end."""

from __future__ import annotations

from pathlib import Path

import pytest
from session.dialogue import conversation, dialogue
from session.transcribed import TRANSCRIPTS, said_now

from dam_expert.documents.incident import Incident
from dam_expert.session.state import State
from dam_expert.session.transcript import Recorder, language_of, replayed, typed

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_transcript_replays_to_itself(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was typed gives what was said, in its language; tests/session/transcribed.py writes them anew."""
    monkeypatch.chdir(ROOT)
    said, state = said_now(path)
    assert said == path.read_text(encoding="utf-8")
    again, state_again = replayed(conversation(language_of(said) or "en"), begun(path), said)
    assert again == said
    first, second = (conversation().diagnosis(one).model_dump_json() for one in (state, state_again))
    assert first == second


def begun(path: Path) -> State:
    return State(incident=Incident(id=path.stem, file=f"{path.stem}.dam.yaml"))


def test_they_are_held_in_three_languages() -> None:
    """Each language has a session of its own; one is resolved, one stops with what can be said without values."""
    texts = [path.read_text(encoding="utf-8") for path in TRANSCRIPTS]
    assert {language_of(text) for text in texts} == {"en", "zh", "vi"}
    assert any("The target is reached." in text for text in texts)
    assert any("things could be measured. 'quit' stops here" in text for text in texts)


def test_what_is_recorded_is_what_is_replayed() -> None:
    """A recorded dialogue, a paste and hostile letters included, is a transcript that replays to itself."""
    lines = [
        "1",
        "unknown",
        "<<<",
        "# gpu    sm   mem",
        "# Idx     %     %",
        "    0    20    10",
        ">>>",
        "a\x1b[31m",
        "why",
    ]
    waiting = list(lines)
    recorder = Recorder("en", lambda: waiting.pop(0) if waiting else None, lambda _: None)
    while recorder.read() is not None:
        pass
    assert "\x1b" not in recorder.text
    assert typed(recorder.text)[:2] == ["1", "unknown"]
    path = Path("t")
    first, _ = replayed(conversation(), begun(path), recorder.text)
    assert replayed(conversation(), begun(path), first)[0] == first


def test_a_transcript_without_a_language_is_english() -> None:
    """The line that names it may be missing."""
    text, _ = replayed(conversation(), begun(Path("t")), "> 1\n")
    assert text.startswith("# language: en\n")
    assert [line for line in text.splitlines()[1:] if line != "> 1"] == dialogue("1")[1]
