r"""Transcripts: a session as text, what was typed behind ``> ``. Replayed, one gives itself again, byte for byte.

>>> typed("# language: zh\nWhat is missed?\n? target\n> unknown\n")
['unknown']
>>> language_of("# language: zh\n")
'zh'
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.messages import printable
from dam_expert.session.lines import converse

if TYPE_CHECKING:
    from collections.abc import Callable

    from dam_expert.session.conversation import Conversation
    from dam_expert.session.state import State

TYPED: Final = "> "
_LANGUAGE: Final = re.compile(r"^# language: (\w+)$", re.MULTILINE)


class Recorder:
    """Stands between a front and a conversation and keeps what was said and typed, in that order."""

    def __init__(self, language: str, read: Callable[[], str | None], say: Callable[[str], None]) -> None:
        self._read, self._say = read, say
        self._lines = [f"# language: {language}"]

    def read(self) -> str | None:
        """Return the next line of the front, and keep it."""
        line = self._read()
        if line is not None:
            self._lines.append(f"{TYPED}{printable(line)}".rstrip())
        return line

    def say(self, line: str) -> None:
        """Pass a line on to the front, and keep it."""
        self._lines.append(line)
        self._say(line)

    @property
    def text(self) -> str:
        """The transcript so far."""
        return "\n".join(self._lines) + "\n"


def typed(transcript: str) -> list[str]:
    """Return the lines that were typed."""
    lines = (line for line in transcript.splitlines() if line.startswith(TYPED.rstrip()))
    return [line.removeprefix(TYPED.rstrip()).removeprefix(" ") for line in lines]


def language_of(transcript: str) -> str | None:
    """Return the language that a transcript was begun in, or None where it does not say."""
    found = _LANGUAGE.search(transcript)
    return None if found is None else found[1]


def replayed(talk: Conversation, state: State, transcript: str) -> tuple[str, State]:
    """Type everything that a transcript typed; return the new transcript, and the state at its end."""
    waiting = typed(transcript)
    language = state.language or language_of(transcript) or "en"
    recorder = Recorder(language, lambda: waiting.pop(0) if waiting else None, lambda _: None)
    last = converse(talk, state, recorder.read, recorder.say, lambda _: None)
    return recorder.text, last
