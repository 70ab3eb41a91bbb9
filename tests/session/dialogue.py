"""Dialogues for tests: lines in, lines out."""

from __future__ import annotations

import functools

from dam_expert import load_knowledge
from dam_expert.documents.incident import Incident
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.kb.base import Base
from dam_expert.session.conversation import Conversation
from dam_expert.session.lines import converse
from dam_expert.session.state import State

#: Chooses the first entry point and passes over the numbers of its target.
TRAINING = ("1", "unknown")
#: States a target with both of its numbers.
STEP = "step time is 400 ms, wanted 200 ms"


@functools.cache
def base() -> Base:
    found, _ = load_knowledge()
    assert found is not None
    return found


@functools.cache
def conversation(language: str = "en") -> Conversation:
    return Conversation(base(), BitExecutor(base().program), language)


def begun() -> State:
    return State(incident=Incident(id="t", file="t.dam.yaml"))


def dialogue(*lines: str, state: State | None = None, language: str = "en") -> tuple[State, list[str], list[State]]:
    """Hold a dialogue; return the last state, what was said, and every state that was saved."""
    waiting = list(lines)
    said: list[str] = []
    saved: list[State] = []
    last = converse(
        conversation(language),
        state or begun(),
        lambda: waiting.pop(0) if waiting else None,
        said.append,
        saved.append,
    )
    return last, said, saved
