"""Transcripts of sessions on the shipped base: each replays to itself.

    python tests/session/transcribed.py      says again what the sessions say now

What was typed stays; what is said is that of the program and the knowledge as they are. Read the difference.
"""

from __future__ import annotations

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

from session.dialogue import base

from dam_expert.documents.incident import Incident
from dam_expert.engine._experta import ExpertaExecutor
from dam_expert.session.conversation import Conversation
from dam_expert.session.state import State
from dam_expert.session.transcript import language_of, replayed

FOLDER = Path(__file__).with_name("transcripts")
TRANSCRIPTS = sorted(FOLDER.glob("*.txt"))


def said_now(path: Path) -> tuple[str, State]:
    """Return a transcript as the session speaks it now, and the state at its end."""
    transcript = path.read_text(encoding="utf-8")
    talk = Conversation(base(), ExpertaExecutor(base().program), language_of(transcript) or "en")
    return replayed(talk, State(incident=Incident(id=path.stem, file=f"{path.stem}.dam.yaml")), transcript)


if __name__ == "__main__":
    for each in TRANSCRIPTS:
        each.write_text(said_now(each)[0], encoding="utf-8")
