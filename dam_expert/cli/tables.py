"""CSV tables for the calculators: a header names the columns, values have units, every problem has its place.

``time``, ``time [us]`` and ``time (us)`` name one column; a unit in the header is that of its bare numbers.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dam_expert.cli import inputs
from dam_expert.cli.amounts import number, said
from dam_expert.cli.failure import Exit, Failure
from dam_expert.documents.files import line_end_of, open_file
from dam_expert.documents.messages import Level, Message, suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dam_expert.cli.amounts import Amount

_MOST_BYTES, _MOST_ROWS, _MOST_SHOWN = 16 * 1024 * 1024, 10_000, 20
_HEADER = re.compile(r"\s*(.*?)\s*(?:[\[(]\s*(.*?)\s*[\])])?\s*$")
_MISSING = frozenset({"", "-", "n/a", "na", "nan", "null", "none", "not available", "[n/a]", "[not supported]"})


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column that a calculator reads: its type (None for words), whether each row needs it, and its other names."""

    amount: Amount | None
    is_needed: bool = False
    aliases: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The values of one row by column; what is not available is left out."""

    place: str
    words: Mapping[str, str]
    numbers: Mapping[str, float]


def is_table(path: str, columns: Mapping[str, Column]) -> bool:
    """Whether a file is a table of this calculator: named .csv or .tsv, with a header that names a needed column."""
    if Path(path).suffix.lower() not in {".csv", ".tsv"}:
        return False
    try:
        with open_file(Path(path)) as file:
            head = file.read(65536)
        end = line_end_of(head) or b"\n"
        first = head.partition(end)[0].decode("utf-8-sig", "replace")
    except OSError:
        return True  # the table reader says why it cannot be opened
    named = {_known(each, columns)[0] for each in _cells(first, _separator(first))}
    return any(name in named for name, column in columns.items() if column.is_needed or name != "name")


def read_table(path: str, columns: Mapping[str, Column]) -> list[Row]:
    """Return the rows of a table. Raises Failure with every problem in it, unknown columns among them."""
    text = _text(path)
    lines = text.splitlines() or [""]
    separator = _separator(lines[0])
    try:
        records = list(csv.reader(io.StringIO(text), delimiter=separator))
    except csv.Error as error:
        raise _failed([_message(path, 1, f"is not a CSV table: {error}")]) from error
    if len(records) - 1 > _MOST_ROWS:
        raise _failed([_message(path, None, f"has more than {_MOST_ROWS} rows", "give the largest ones")])
    head, problems = _head(path, records[0] if records else [], columns)
    rows = []
    for line, record in enumerate(records[1:], start=2):
        if any(cell.strip() for cell in record):
            rows.append(_row(path, line, record, head, columns, problems))
    if not rows and not problems:
        problems.append(_message(path, 1, "has no rows", f"columns: {', '.join(columns)}"))
    if problems:
        raise _failed(problems)
    return rows


def _text(path: str) -> str:
    try:
        content = sys.stdin.buffer.read(_MOST_BYTES + 1) if path == "-" else _content(Path(path))
    except OSError as error:
        raise _failed([_message(path, None, f"cannot be read: {error.strerror or error}")]) from error
    if len(content) > _MOST_BYTES:
        raise _failed([_message(path, None, "is larger than 16 MiB", "give the largest kernels or runs")])
    if b"\0" in content:
        raise _failed([_message(path, None, "is not text", "save it as CSV in UTF-8")])
    end = line_end_of(content)
    try:
        return (content if end is None else content.replace(end, b"\n")).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _failed([_message(path, None, "is not UTF-8", "save it as CSV in UTF-8")]) from error


def _content(path: Path) -> bytes:
    inputs.note_used([path])
    with open_file(path) as file:
        return file.read(_MOST_BYTES + 1)


def _separator(header: str) -> str:
    return max(",;\t", key=header.count)


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line.strip("\r\n")], delimiter=separator), [])
    except csv.Error:
        return []  # no header of a table


def _known(cell: str, columns: Mapping[str, Column]) -> tuple[str | None, str, str | None]:
    """Return the column that a header cell names or None, the name as written, and the unit behind it."""
    match = _HEADER.match(cell)
    written, unit = (match[1], match[2]) if match else (cell, None)
    folded = re.sub(r"[\s-]+", "_", written.strip().casefold())
    found = next((name for name, column in columns.items() if folded in (name, *column.aliases)), None)
    return found, written, unit


def _head(
    path: str, cells: Sequence[str], columns: Mapping[str, Column]
) -> tuple[list[tuple[str, str | None]], list[Message]]:
    head: list[tuple[str, str | None]] = []
    problems = []
    for cell in cells:
        name, written, unit = _known(cell, columns)
        if name is None:
            hint = suggestion(written, columns) or f"columns: {', '.join(columns)}"
            problems.append(_message(path, 1, f"no column is called '{written[:40]}'", hint))
        elif any(name == other for other, _ in head):
            problems.append(_message(path, 1, f"the column '{name}' stands twice"))
        head.append((name or "", unit))
    for name, column in columns.items():
        if column.is_needed and not problems and all(name != other for other, _ in head):
            problems.append(_message(path, 1, f"the column '{name}' is missing"))
    return head, problems


def _row(
    path: str,
    line: int,
    record: Sequence[str],
    head: Sequence[tuple[str, str | None]],
    columns: Mapping[str, Column],
    problems: list[Message],
) -> Row:
    words, numbers = {}, {}
    if len(record) > len(head):
        problems.append(_message(path, line, f"has {len(record)} cells under {len(head)} columns"))
    for (name, unit), cell in zip(head, record, strict=False):
        text, column = cell.strip(), columns.get(name)
        if column is None or text.casefold() in _MISSING:
            continue
        if column.amount is None:
            words[name] = text
            continue
        try:
            numbers[name] = _number(text, unit, column.amount)
        except ValueError as error:
            problems.append(_message(path, line, f"{name}: {said(error)}"))
    for name, column in columns.items():
        told = name in words or name in numbers or any(problem.line in (1, line) for problem in problems)
        if column.is_needed and not told:
            problems.append(_message(path, line, f"{name} is not given"))
    return Row(place=f"{path}:{line}", words=words, numbers=numbers)


def _number(text: str, unit: str | None, amount: Amount) -> float:
    is_bare = unit is not None and re.fullmatch(r"[-+.\deE]+", text)
    return number(f"{text} {unit}" if is_bare else text, amount.unit, amount.kind)


def _message(path: str, line: int | None, text: str, hint: str | None = None) -> Message:
    return Message(file=path, line=line, level=Level.ERROR, text=text, hint=hint, code="table")


def _failed(problems: Sequence[Message]) -> Failure:
    more = len(problems) - _MOST_SHOWN
    text = f"{more} more problems in the table" if more > 0 else ""
    return Failure(Exit.INVALID, text, problems[:_MOST_SHOWN])
