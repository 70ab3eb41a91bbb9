"""Failed validations of a source document as messages with file, line and column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.documents.problems import KnownFields, Path, problems_of

if TYPE_CHECKING:
    import pydantic

    from dam_expert.documents.messages import Message
    from dam_expert.kb.source import SourceDocument


def messages_from(
    error: pydantic.ValidationError, document: SourceDocument, prefix: Path, known_fields: KnownFields
) -> list[Message]:
    """Return a message for every problem that pydantic found in the part of a document at ``prefix``.

    ``known_fields`` gives the possible keys at a path below the prefix (``problems.fields_of(Model)``); a misspelt
    key is answered with the nearest. The messages are in the order of the document.
    """
    data = document.data
    for step in prefix:
        data = data[step]
    messages = [
        document.message(
            (*prefix, *problem.path), code=problem.code, text=problem.text, hint=problem.hint, key=problem.at_key
        )
        for problem in problems_of(error, data, known_fields)
    ]
    return sorted(messages, key=lambda message: message.sort_key())
