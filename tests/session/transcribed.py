"""Transcripts of sessions on the shipped base: each replays to itself.

    PYTHONPATH=. python tests/session/transcribed.py      says again what the sessions say now

What was typed stays; what is said is that of the program and the knowledge as they are. Read the difference.
"""

from __future__ import annotations

from pathlib import Path

from dam_expert import load_knowledge
from dam_expert.documents.incident import Incident
from dam_expert.engine._experta import ExpertaExecutor
from dam_expert.session.conversation import Conversation
from dam_expert.session.state import State
from dam_expert.session.transcript import language_of, replayed

FOLDER = Path(__file__).with_name("transcripts")
TRANSCRIPTS = sorted(FOLDER.glob("*.txt"))


def said_now(path: Path) -> tuple[str, State]:
    """Return a transcript as the session speaks it now, and the state at its end."""
    base, _ = load_knowledge()
    assert base is not None
    transcript = path.read_text(encoding="utf-8")
    talk = Conversation(base, ExpertaExecutor(base.program), language_of(transcript) or "en")
    return replayed(talk, State(incident=Incident(id=path.stem, file=f"{path.stem}.dam.yaml")), transcript)


if __name__ == "__main__":
    for each in TRANSCRIPTS:
        each.write_text(said_now(each)[0], encoding="utf-8")
