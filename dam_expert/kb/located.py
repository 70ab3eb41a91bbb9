"""Entries of knowledge files together with the place where they are written."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Generic, TypeVar

from dam_expert.documents.messages import Level
from dam_expert.kb.entry import LOST
from dam_expert.language.leaves import BROKEN_REFERENCE

if TYPE_CHECKING:
    from dam_expert.documents.messages import Message
    from dam_expert.kb.entry import Entry
    from dam_expert.kb.source import SourceDocument
    from dam_expert.language.parsing import Complaint, Path

E = TypeVar("E", bound="Entry", covariant=True)

#: Fields on which the meaning of others rests: where one is not as its author wrote it, only names are judged.
_BEARING = frozenset(("kind", "unit", "bottleneck"))
#: Codes of what is wrong whatever the rest of an entry says.
_STANDING = frozenset(
    (
        "advice-only", "changed-twice", "closed-list", "duplicate-alias", "duplicate-id", "id-stays", "not-a-column",
        "not-a-condition", "not-a-formula", "not-a-status", "not-disabled", "old-id", "other-namespace", "removed-id",
        "reserved-id", "too-deep", "two-conclusions", "unknown-aspect", "unknown-field", "unknown-id", "unknown-scope",
        "unknown-target", "unknown-value",
    )
)  # fmt: skip


@dataclasses.dataclass(frozen=True, slots=True)
class Located(Generic[E]):
    """One entry, the document that holds it and the path inside that document.

    ``edits`` are the parts that a runbook changed, each with the place where it says so; likewise misspelt keys.
    """

    entry: E
    document: SourceDocument
    path: Path
    edits: tuple[tuple[Path, SourceDocument, Path], ...] = ()
    doubts: tuple[Path, ...] = ()
    """The paths of what is not as its author wrote it, in an entry of which only a part could be read."""

    @property
    def place(self) -> str:
        """Where the entry begins, as ``file:line``; the runbook's place where it replaces the entry or its number."""
        document, path = self.document, self.path
        for part, edited, at in self.edits:
            if part in ((), ("value",)):
                document, path = edited, at
        return f"{document.file}:{document.place(path)[0]}"

    def message(
        self, text: str, code: str, *inside: str | int, hint: str | None = None, level: Level = Level.ERROR
    ) -> Message:
        """Return a message at a path inside the entry; a path that does not exist falls back to what encloses it.

        What only follows from a mistake that has been said has the code of broken references, and is left out.
        """
        if self.doubts and follows(self.doubts, f"{text}{hint or ''}", code, inside):
            code = BROKEN_REFERENCE
        for part, document, path in reversed(self.edits):
            if inside[: len(part)] == part:
                rest = inside[len(part) :]
                return document.message((*path, *rest), text=text, code=code, hint=hint, level=level)
        return self.document.message((*self.path, *inside), text=text, code=code, hint=hint, level=level)

    def complaint(self, complaint: Complaint) -> Message:
        """Return the message of a complaint whose path starts at the entry."""
        return self.message(complaint.text, complaint.code, *complaint.path, hint=complaint.hint)


def follows(doubts: tuple[Path, ...], text: str, code: str, inside: Path) -> bool:
    """Whether a complaint about an entry with mistakes may only follow from them."""
    if LOST in text or any(inside[: len(path)] == path for path in doubts):
        return True
    if code in _STANDING:
        return False
    return any(path[: len(inside)] == inside for path in doubts) or any(path[0] in _BEARING for path in doubts)
