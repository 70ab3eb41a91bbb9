"""Failed validations of a source document as messages with file, line and column."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dam_expert.documents.messages import Message
    from dam_expert.documents.problems import Path, Problem
    from dam_expert.kb.source import SourceDocument


def messages_of(problems: Iterable[Problem], document: SourceDocument, prefix: Path) -> list[Message]:
    """Return a message for every problem of the part of a document at ``prefix``, in the order of the document."""
    messages = [
        document.message(
            (*prefix, *problem.path), code=problem.code, text=problem.text, hint=problem.hint, key=problem.at_key
        )
        for problem in problems
    ]
    return sorted(messages, key=lambda message: message.sort_key())
