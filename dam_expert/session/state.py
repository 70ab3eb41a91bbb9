"""States, questions and replies: plain values."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from dam_expert.documents.incident import Incident
    from dam_expert.reports.model import Item

#: Questions that are not measurements: the missed target, what an intervention did, and what comes after a verdict.
TARGET: Final = "target"
EFFECT: Final = "effect"
NEXT: Final = "next"

_EXTRA: Final = "x-session"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked. ``id`` is a measurement or one of the special questions; ``how`` are the ways to find out."""

    id: str
    text: str
    how: tuple[Item, ...] = ()
    """The commands to paste, what they cost, and what the answer could settle."""
    takes: str = ""
    """What may be answered, in a few words."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What is said to an answer, the next question if there is one, and whether it ends here."""

    items: tuple[Item, ...] = ()
    question: Question | None = None
    again: bool = False
    """Whether the question stands as before: it was shown already."""
    ended: bool = False


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Where a session stands. ``past`` holds the states that ``undo`` and ``back`` return to, the latest last."""

    incident: Incident
    language: str | None = None
    """The language it is held in; None: that of the front."""
    skipped: tuple[str, ...] = ()
    """Special questions that the person passed over."""
    entry: str | None = None
    """The entry point that was chosen."""
    wanted: str | None = None
    """The measurement that the person asked to be asked for."""
    pending_lever: str | None = None
    """The lever whose effect is being asked."""
    told: tuple[str, ...] = ()
    """The measurements that were given a value since the last change that was kept: asked again, they tell no more."""
    why_level: int = 0
    notes: tuple[str, ...] = ()
    turns: tuple[tuple[str, str], ...] = ()
    """What was asked and what was answered, for the transcript."""
    past: tuple[State, ...] = ()
    earlier: tuple[str, ...] = ()
    """The steps back from the first of these to states of earlier sittings, the latest last; see ``past``."""

    def changed(self, *, turn: tuple[str, str] | None = None, **changes: object) -> State:
        """Return a state with changes, from which this one can be returned to."""
        turns = self.turns if turn is None else (*self.turns, turn)
        made: State = dataclasses.replace(self, **changes)  # type: ignore[arg-type]  # names of our own fields
        return dataclasses.replace(made, turns=turns, past=self.way_back, why_level=0)

    @property
    def way_back(self) -> tuple[State, ...]:
        """The states that can be returned to from the one that follows this one."""
        return (*self.past, dataclasses.replace(self, past=(), earlier=()))

    def kept(self) -> State:
        """Return what is worth keeping on disk: all but the way back and how often *why* was asked."""
        return dataclasses.replace(self, past=(), earlier=(), why_level=0)


def saved_extras(state: State, back: tuple[str, ...] = ()) -> tuple[tuple[str, str], ...]:
    """Return the extras of the incident document with what the session itself must remember.

    ``back`` are the steps back to earlier states.
    """
    kept = {
        "language": state.language,
        "skipped": list(state.skipped),
        "entry": state.entry,
        "wanted": state.wanted,
        "pending_lever": state.pending_lever,
        "told": list(state.told),
        "notes": list(state.notes),
        "turns": [list(turn) for turn in state.turns],
        "back": list(back),
    }
    others = tuple(pair for pair in state.incident.extras if pair[0] != _EXTRA)
    text = json.dumps({name: value for name, value in kept.items() if value}, sort_keys=True, ensure_ascii=False)
    return tuple(sorted((*others, (_EXTRA, text))))


def resumed(incident: Incident) -> State:
    """Return the state that a saved incident holds; a plain incident begins a session."""
    text = dict(incident.extras).get(_EXTRA)
    try:
        kept = json.loads(text) if text is not None else {}
        return State(
            incident=incident,
            language=_text(kept.get("language")),
            skipped=tuple(map(str, kept.get("skipped", ()))),
            entry=_text(kept.get("entry")),
            wanted=_text(kept.get("wanted")),
            pending_lever=_text(kept.get("pending_lever")),
            told=tuple(map(str, kept.get("told", ()))),
            notes=tuple(map(str, kept.get("notes", ()))),
            turns=tuple((str(asked), str(given)) for asked, given in kept.get("turns", ())),
            earlier=tuple(map(str, kept.get("back", ()))),
        )
    except (ValueError, TypeError, AttributeError):
        return State(incident=incident)  # somebody edited the note to ourselves: nothing of the incident is lost


def _text(value: object) -> str | None:
    return None if value is None else str(value)
