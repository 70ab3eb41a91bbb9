"""The state of reading one document: what is known from outside, and the messages so far."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, TypeAlias

from dam_expert.documents.messages import Level, Message
from dam_expert.documents.observations import Origin
from dam_expert.documents.problems import Path, Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from dam_expert.documents.incident_values import Vocabulary

#: Where a value stands: its file, and the line where that is known.
OriginOf: TypeAlias = "Callable[[Path], Origin]"
#: Line and column, from 1, of a value, or of its key where the second argument is true.
PlaceOf: TypeAlias = "Callable[[Path, bool], tuple[int, int]]"


class Reading:
    """Collects messages at their places while a document is read with the vocabulary of the base."""

    def __init__(self, vocabulary: Vocabulary, origin_of: OriginOf, place_of: PlaceOf | None = None) -> None:
        self.vocabulary = vocabulary
        self.messages: list[Message] = []
        self._origin_of = origin_of
        self._place_of = place_of

    def say(self, problem: Problem, level: Level = Level.ERROR) -> None:
        """Keep a message about a problem, with line and column where they are known."""
        origin = self._origin_of(problem.path)
        line, column = self._place_of(problem.path, problem.at_key) if self._place_of else (origin.line, None)
        self.messages.append(
            Message(
                file=origin.file,
                line=line,
                column=column,
                level=level,
                code=problem.code,
                text=problem.text,
                hint=problem.hint,
            )
        )

    def origin(self, path: Path, stated: object = None) -> Origin:
        """Return where a value comes from: as stated under ``source``, else where it stands.

        A text is a remark on the place in the document; a mapping may name another file.
        """
        here = self._origin_of(path)
        if isinstance(stated, str):
            return Origin(file=here.file, line=here.line, detail=stated)
        if not isinstance(stated, dict):
            return here
        elsewhere = stated.get("file")
        return Origin(
            file=elsewhere or here.file,
            line=stated.get("line") if elsewhere else here.line,
            tool=stated.get("tool"),
            detail=stated.get("detail"),
        )

    def moment(self, given: str | None, path: Path) -> str | None:
        """Return a time as given if it is one of ISO 8601; else None, and a message."""
        if given is None:
            return None
        try:
            datetime.datetime.fromisoformat(given)
        except ValueError:
            text = f"'{given[:40]}' is not a time"
            self.say(Problem(path=(*path, "when"), code="wrong-value", text=text, hint="write '2025-03-01T14:30:00Z'"))
            return None
        return given
