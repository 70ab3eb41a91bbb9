"""Syntax errors of YAML in plain words.

The parser names the grammar rule that failed; people need the line, what is wrong there, and what to write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.documents.messages import Level, Message

if TYPE_CHECKING:
    import yaml

#: What the parser says, what it means, what to do. The first whose text occurs is used.
_EXPLAINED = (
    ("mapping values are not allowed", "a second ': ' on one line", "put the value in quotes, or start a new line"),
    ("expected comment or line break", "'>' and '|' begin a block of text", "put the value in quotes"),
    ("could not find expected ':'", "a key without ':'", "write 'key: value', or put the text in quotes"),
    ("expected ',' or ']'", "a list in brackets is not closed", "add ',' or ']'"),
    ("expected ',' or '}'", "a mapping in braces is not closed", "add ',' or '}'"),
    ("did not find expected key", "this line does not fit the lines above", "align it with the keys of its block"),
    ("expected '-' indicator", "this line does not fit the list above", "begin it with '- ', or indent it"),
    ("found unexpected end of stream", "a quotation mark is not closed", "close it"),
    ("found unexpected document indicator", "a quotation mark is not closed", "close it"),
    ("block sequence entries are not allowed", "'- ' cannot stand here", "start a new line for the list"),
    ("found unknown escape character", "an unknown escape in double quotes", "use single quotes, or write '\\\\'"),
    ("found a tab character", "a tab cannot indent in YAML", "use spaces"),
    ("nesting", "the nesting is too deep", "flatten the document"),
)

_NEVER_CLOSED = ("expected ',' or ']'", "expected ',' or '}'", "found unexpected end of stream")


def syntax_message(error: yaml.MarkedYAMLError, *, file: str, text: str) -> Message:
    """Return the message for a syntax error of the parser, at the place where it was found."""
    problem = error.problem or error.context or "the YAML is malformed"
    opened = any(part in problem for part in _NEVER_CLOSED)  # said where it begins, not where the file ends
    mark = (error.context_mark if opened else None) or error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    said, hint = _explained(problem, _character(text, line, column))
    return Message(file=file, line=line, column=column, level=Level.ERROR, code="yaml-syntax", text=said, hint=hint)


def _explained(problem: str, character: str) -> tuple[str, str | None]:
    """Return the plain words and the hint for what the parser said."""
    if "cannot start any token" in problem:
        if character == "\t":
            return "a tab cannot indent in YAML", "use spaces"
        return f"'{character}' cannot begin a value", "put the value in quotes"
    for part, said, hint in _EXPLAINED:
        if part in problem:
            return said, hint
    return problem, None


def _character(text: str, line: int, column: int) -> str:
    """Return the character at a place; empty beyond the end."""
    lines = text.split("\n", line)
    found = lines[line - 1] if line <= len(lines) else ""
    return found[column - 1 : column]
