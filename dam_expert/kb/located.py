"""Entries of knowledge files together with the place where they are written."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Generic, TypeVar

from dam_expert.documents.messages import Level

if TYPE_CHECKING:
    from dam_expert.documents.messages import Message
    from dam_expert.kb.entry import Entry
    from dam_expert.kb.source import SourceDocument
    from dam_expert.language.parsing import Complaint, Path

E = TypeVar("E", bound="Entry", covariant=True)


@dataclasses.dataclass(frozen=True, slots=True)
class Located(Generic[E]):
    """One entry, the document that holds it and the path inside that document.

    ``edits`` are the parts that a runbook changed, each with the place where it says so.
    """

    entry: E
    document: SourceDocument
    path: Path
    edits: tuple[tuple[Path, SourceDocument, Path], ...] = ()

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
        """Return a message at a path inside the entry; a path that does not exist falls back to what encloses it."""
        for part, document, path in reversed(self.edits):
            if inside[: len(part)] == part:
                rest = inside[len(part) :]
                return document.message((*path, *rest), text=text, code=code, hint=hint, level=level)
        return self.document.message((*self.path, *inside), text=text, code=code, hint=hint, level=level)

    def complaint(self, complaint: Complaint) -> Message:
        """Return the message of a complaint whose path starts at the entry."""
        return self.message(complaint.text, complaint.code, *complaint.path, hint=complaint.hint)
