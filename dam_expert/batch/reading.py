"""From pieces to entries: the incidents of a piece, in the order of the input; what cannot be read is an error."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from dam_expert.batch.csv_cuts import CELL_CHARACTERS, records
from dam_expert.batch.entries import Entry, entry, entry_of, unnamed
from dam_expert.batch.pieces import LINE_BYTES, Kind
from dam_expert.batch.tables import document_of, fields_of
from dam_expert.documents.messages import printable
from dam_expert.kb.source import read_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dam_expert.batch.pieces import Piece
    from dam_expert.documents.incident import Incident
    from dam_expert.documents.messages import Message
    from dam_expert.kb.base import Base
    from dam_expert.kb.source import SourceDocument

_DECODER = msgspec.json.Decoder()

#: Reads files as one incident, as ``dam diagnose`` does.
Understand: TypeAlias = "Callable[[Base, Sequence[str]], tuple[Incident, Sequence[Message]]]"


def entries_of(base: Base, piece: Piece, understand: Understand) -> Iterator[Entry]:
    """Yield the entries of a piece. Raises OSError where the input went away meanwhile."""
    match piece.kind:
        case Kind.RECORDS:
            yield from _records(base, piece)
        case Kind.DOCUMENTS:
            for path in piece.paths:
                yield from _document(base, path)
        case Kind.RUN:
            yield _run(base, piece, understand)


def line_entry(base: Base, text: bytes, path: str, number: int) -> tuple[Entry, Any]:
    """Read one line of JSON the long way; also return its data, None where it is no JSON."""
    if len(text) > LINE_BYTES:
        return broken(path, number, f"a line of {len(text) >> 20} MiB is no incident"), None
    try:
        data: Any = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return broken(path, number, f"this line is not JSON: {printable(str(error))} [syntax]"), None
    return entry_of(base, data, path, number), data


def broken(path: str, line: int, error: str) -> Entry:
    """Return the row of a line that cannot be read."""
    return Entry(id=unnamed(path, line), source=f"{path}:{line}", error=error)


def _records(base: Base, piece: Piece) -> Iterator[Entry]:
    delimiter, *titles = piece.header
    fields, _ = fields_of(base, titles, piece.path)
    text = piece.content().decode("utf-8", "replace")
    line = piece.line
    for cells in records(text, delimiter):
        at = line
        line += 1 + sum(cell.count("\n") for cell in cells)
        longest = max(map(len, cells), default=0)
        if longest > CELL_CHARACTERS:
            said = f"a cell of {longest} characters is no value; a quote that nothing closes takes in what follows"
            yield broken(piece.path, at, f"{said} [long-cell]")
        elif len(cells) > len(fields):
            said = f"{len(cells)} cells under {len(fields)} columns; a comma in a value needs quotes"
            yield broken(piece.path, at, f"{said} [wrong-width]")
        elif any(cell.strip() for cell in cells):
            yield entry_of(base, document_of(fields, cells), piece.path, at)


def _document(base: Base, path: str) -> Iterator[Entry]:
    """Yield the incidents of a YAML or JSON file: one, or a list of them."""
    document, messages = read_yaml(Path(path), first_counts=False)
    if document is None:
        error = "; ".join(message.text for message in messages[:1]) or "it cannot be read"
        yield Entry(id=Path(path).name.split(".")[0], source=path, error=error, messages=tuple(messages))
        return
    items = document.data if isinstance(document.data, list) else None
    if items is None:
        yield _placed(base, document, (), messages)
    for number in range(len(items or ())):
        yield _placed(base, document, (number,), messages)


def _placed(base: Base, document: SourceDocument, within: tuple[int, ...], before: Sequence[Message]) -> Entry:
    data: Any = document.data
    for step in within:
        data = data[step]
    return entry_of(
        base,
        data,
        document.file,
        document.place(within)[0] if within else None,
        place=(
            lambda path: document.origin((*within, *path)),
            lambda path, key: document.place((*within, *path), key=key),
        ),
        before=before,
    )


def _run(base: Base, piece: Piece, understand: Understand) -> Entry:
    """Read a file or folder as one incident, named after it unless an incident file in it states an id."""
    incident, messages = understand(base, piece.paths[1:] or piece.paths)
    name = Path(piece.path).resolve().name.split(".")[0]
    named = dataclasses.replace(incident, id=name) if incident.id == "incident" and name else incident
    return entry(named, messages, piece.path)
