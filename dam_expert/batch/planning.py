"""From paths to pieces: what each file and folder is, in an order that depends on names alone."""

from __future__ import annotations

import dataclasses
import enum
import io
import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from dam_expert.batch.csv_cuts import header_of
from dam_expert.batch.pieces import (
    DOCUMENTS,
    Kind,
    Piece,
    line_pieces,
    opened,
    parquet_pieces,
    piece_bytes,
    record_pieces,
)
from dam_expert.batch.tables import fields_of, is_table_of_incidents
from dam_expert.documents.heads import is_incident
from dam_expert.documents.messages import Level, Message
from dam_expert.prose import is_report
from dam_expert.readers.declared import declared_readers
from dam_expert.readers.found_files import DEPTH, leads_out, left_alone, reason
from dam_expert.readers.parts import recogniser
from dam_expert.readers.registry import READERS
from dam_expert.readers.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import BinaryIO

    from dam_expert.kb.base import Base
    from dam_expert.readers.interface import Reader

STDIN: Final = "-"
#: Lines of a file that are looked at for an incident.
_FIRST_LINES: Final = 20
_LINES: Final = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
_RECORDS: Final = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
_STRUCTURED: Final = (".json", ".yaml", ".yml")
_SCHEMA: Final = b"dam-incident/"
_KEY: Final = re.compile(r"""(?m)(?:^[ \t]*(?:-[ \t]+)?|[{,]\s*)(["']?)(observations|title|body)\1\s*:""")


class What(enum.StrEnum):
    """What a file is: the kinds of incidents, a report in prose, the output of a tool, or nothing that is known."""

    LINES = "jsonl"
    RECORDS = "csv"
    PARQUET = "parquet"
    DOCUMENT = "document"
    REPORT = "report"
    OUTPUT = "output"
    OTHER = "other"


class Planner:
    """Cuts inputs into pieces. Messages are said through ``say`` as they come up, each once.

    ``given`` says what all files are. ``without`` is the output of an earlier run: in a folder it is no input. A large
    file is cut so that ``jobs`` processes get as much of it each.
    """

    def __init__(
        self,
        base: Base,
        say: Callable[[Message], None],
        *,
        given: What | None = None,
        without: Path | None = None,
        jobs: int = 1,
    ) -> None:
        self.base = base
        self.say = say
        self.given = given
        self.jobs = jobs
        self._without = without.resolve() if without is not None else None
        self._declared: Sequence[Reader] = declared_readers(base.layers.tools, base.measurements)
        self._seen: set[tuple[int, int]] = set()
        self._home = Path()

    def pieces(self, paths: Sequence[str], stdin: BinaryIO) -> Iterator[Piece]:
        """Yield the pieces of all paths in order."""
        for path in paths:
            if path == STDIN:
                yield from self._stream(stdin)
                continue
            try:
                yield from self._path(Path(path), 0)
            except OSError as error:
                code, text, hint = reason(error)
                self._warn(path, code, text, hint)

    def _path(self, path: Path, depth: int) -> Iterator[Piece]:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            identity = (found.st_dev, found.st_ino)
            self._home = path.resolve() if depth == 0 else self._home
            if leads_out(path, self._home):
                self.say(left_alone(path))
            elif identity not in self._seen:  # a link back into a folder above ends here
                self._seen.add(identity)
                yield from self._folder(path, depth)
        elif stat.S_ISREG(found.st_mode) or depth == 0:
            yield from self._file(path, self.given or self.what(path, alone=True))
        else:
            self._warn(str(path), "not-a-file", "it is a pipe, socket or device", "save the content to a file first")

    def _file(self, path: Path, what: What) -> Iterator[Piece]:
        """Yield the pieces of one file."""
        name = str(path)
        if what is What.PARQUET:
            yield from self._parquet(name)
        elif what in (What.LINES, What.RECORDS):
            stream, unpacked = opened(path)
            with stream:
                size = None if unpacked is not None else piece_bytes(path.stat().st_size, self.jobs)
                yield from self._cut(name, stream, what, keep=unpacked is not None, size=size)
            if unpacked is not None and unpacked.damage is not None:
                self._warn(name, unpacked.damage.code, unpacked.damage.text, unpacked.damage.hint)
        elif what is What.DOCUMENT:
            yield Piece(kind=Kind.DOCUMENTS, paths=(name,), weight=path.stat().st_size)
        else:
            yield Piece(kind=Kind.RUN, paths=(name,), weight=path.stat().st_size)

    def _cut(self, name: str, stream: BinaryIO, what: What, *, keep: bool, size: int | None = None) -> Iterator[Piece]:
        if what is What.LINES:
            yield from line_pieces(name, stream, keep=keep, size=size)
            return
        for number, piece in enumerate(record_pieces(name, stream, keep=keep, size=size)):
            if number == 0:
                self._tell_columns(piece.header[1:], name)
            yield piece

    def _parquet(self, name: str) -> Iterator[Piece]:
        from dam_expert.batch.arrow import parquet_titles

        try:
            self._tell_columns(parquet_titles(name), name)
            yield from parquet_pieces(name, self.jobs)
        except ValueError as error:  # also pyarrow's own errors
            self._warn(name, "unreadable", f"it is no Parquet file that can be read: {error}", "write it again")

    def _tell_columns(self, titles: Sequence[str], name: str) -> None:
        for message in fields_of(self.base, titles, name)[1]:
            self.say(message)

    def _folder(self, folder: Path, depth: int) -> Iterator[Piece]:
        """Yield what is in a folder: each incident and report by itself, the tool outputs together as one incident.

        Outputs beside one incident file or report belong to it, as in ``dam diagnose``; beside several incident files
        nothing says whose they are.
        """
        if depth > DEPTH:
            self._warn(str(folder), "too-deep", f"folders are entered {DEPTH} deep", "pass this folder by itself")
            return
        files, folders = _inside(folder)
        files = [file for file in files if file.resolve() != self._without]
        kinds = {file: self.what(file) for file in files}
        outputs = [file for file in files if kinds[file] is What.OUTPUT]
        weight = sum(file.stat().st_size for file in outputs)
        told = sum(kind in (What.DOCUMENT, What.REPORT) for kind in kinds.values())
        if outputs and told <= 1 and not any(kind in _TABLES for kind in kinds.values()):
            yield Piece(kind=Kind.RUN, paths=(str(folder),), weight=weight)
            return
        for file in files:
            if kinds[file] is What.OTHER:
                text = "it is no incident, report or output that is known: not used"
                self._warn(str(file), "not-recognised", text, "leave it, or pass it by itself", Level.WARNING)
        if outputs and not any(kind in _STATED for kind in kinds.values()):
            yield Piece(kind=Kind.RUN, paths=(str(folder), *map(str, outputs)), weight=weight)
            outputs = []
        for file in outputs:
            text = "the folder holds several incidents, and nothing says whose output this is: not used"
            self._warn(str(file), "whose-output", text, "put the outputs of one incident into a folder of their own")
        yield from _joined(
            piece for file in files if kinds[file] not in _IN_RUNS for piece in self._file(file, kinds[file])
        )
        for inner in folders:
            yield from self._path(inner, depth + 1)

    def what(self, path: Path, *, alone: bool = False) -> What:
        """Return what a file is, by its name and the beginning of its content. Raises OSError.

        JSON and YAML that nothing knows are incidents that cannot be read where they were named, not in a folder.
        """
        name = path.name.casefold()
        if name.endswith(".parquet"):
            return What.PARQUET
        source = Source.of_path(path)
        if name.endswith(_LINES) and _is_lines_of_incidents(source.head):
            return What.LINES
        if is_incident(path.name, source.head):
            return What.LINES if _has_several_lines(source.head) else What.DOCUMENT
        is_structured = name.endswith(_STRUCTURED) and not _is_issue(source.head)
        if name.endswith(_STRUCTURED) and _SCHEMA.decode() in source.head:
            return What.DOCUMENT
        if is_structured and "observations" in _keys(source.head):
            return What.LINES if _has_several_lines(source.head) else What.DOCUMENT
        if name.endswith(_RECORDS) and self._is_table(source):
            return What.RECORDS
        if not is_structured and is_report(source):
            return What.REPORT
        if recogniser(source, (*self._declared, *READERS)) is not None:
            return What.OUTPUT
        if is_structured and alone:
            return What.DOCUMENT
        return What.LINES if name.endswith(_LINES) else What.OTHER

    def _is_table(self, source: Source) -> bool:
        _, titles, _ = header_of(io.BytesIO(source.head.encode()))
        if not is_table_of_incidents(self.base, titles):
            return False
        own = {"id", "target_metric", "target metric", "target.metric"} & {title.casefold() for title in titles}
        return bool(own) or recogniser(source, (*self._declared, *READERS)) is None

    def _stream(self, stdin: BinaryIO) -> Iterator[Piece]:
        """Yield the pieces of standard input; lines and records are not held in memory."""
        head = _Ahead(stdin)
        what = self.given or self._what_stream(head.peeked)
        if what in (What.LINES, What.RECORDS):
            yield from self._cut("<stdin>", head, what, keep=True)  # type: ignore[arg-type]
            return
        self._warn("<stdin>", "not-recognised", "this stream is neither JSON lines nor CSV", "pass a file or a folder")

    def _what_stream(self, head: bytes) -> What | None:
        text = head.decode("utf-8", "replace")
        if text.lstrip().startswith("{"):
            return What.LINES
        titles = header_of(io.BytesIO(head))[1]
        return What.RECORDS if is_table_of_incidents(self.base, titles) else None

    def _warn(self, file: str, code: str, text: str, hint: str, level: Level = Level.ERROR) -> None:
        self.say(Message(file=file, level=level, code=code, text=text, hint=hint))


_TABLES: Final = frozenset({What.LINES, What.RECORDS, What.PARQUET})
_STATED: Final = _TABLES | {What.DOCUMENT}
_IN_RUNS: Final = frozenset({What.OUTPUT, What.OTHER})


class _Ahead:
    """A stream whose beginning was looked at."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.peeked = stream.read(64 * 1024)
        self._left = self.peeked

    def read(self, size: int) -> bytes:
        """Read as a stream does."""
        taken, self._left = self._left[:size], self._left[size:]
        return taken + self._stream.read(size - len(taken)) if len(taken) < size else taken

    def readline(self, size: int) -> bytes:
        """Read one line as a stream does."""
        end = self._left.find(b"\n") + 1
        if end:
            return self.read(end)
        head, self._left = self._left, b""
        return head + self._stream.readline(size)


def _inside(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the visible files and folders of a folder by name."""
    entries = sorted((entry for entry in os.scandir(folder) if not entry.name.startswith(".")), key=lambda e: e.name)
    files = [folder / entry.name for entry in entries if entry.is_file()]
    return files, [folder / entry.name for entry in entries if entry.is_dir()]


def _joined(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Put documents that follow each other into one piece, up to a number of them."""
    held: list[Piece] = []
    for piece in pieces:
        if piece.kind is Kind.DOCUMENTS and len(held) < DOCUMENTS:
            held.append(piece)
            continue
        yield from _one(held)
        held = [piece] if piece.kind is Kind.DOCUMENTS else []
        if not held:
            yield piece
    yield from _one(held)


def _one(held: list[Piece]) -> Iterator[Piece]:
    if held:
        paths = tuple(piece.path for piece in held)
        yield dataclasses.replace(held[0], paths=paths, weight=sum(piece.weight for piece in held))


def _is_lines_of_incidents(head: str) -> bool:
    r"""Whether one of the first lines holds an incident; a damaged one costs its own row, not the file.

    >>> _is_lines_of_incidents('[]\n{"id": "a", "observations": {}}\n'), _is_lines_of_incidents('{"loss": 1}\n')
    (True, False)
    """
    lines = [line.strip() for line in head.lstrip("\ufeff").split("\n") if line.strip()][:_FIRST_LINES]
    return any(line.startswith("{") and (_SCHEMA.decode() in line or '"observations"' in line) for line in lines)


def _keys(head: str) -> list[str]:
    """Return which of the keys that tell incidents from issues stand in JSON or YAML, in order."""
    return [match[2] for match in _KEY.finditer(head)]


def _is_issue(head: str) -> bool:
    """Whether JSON or YAML holds issues: title and body, and no observations but in a body.

    >>> _is_issue('[{"title": "Slow", "body": "observations: it waits"}]'), _is_issue('[{"observations": {}}]')
    (True, False)
    """
    keys = _keys(head)
    before = keys[: keys.index("body")] if "body" in keys else ["observations"]
    return "title" in keys and "observations" not in before


def _has_several_lines(head: str) -> bool:
    """Whether a text is one JSON document a line, rather than one document."""
    first, _, rest = head.lstrip("\ufeff \t\r\n").partition("\n")
    if not (first.startswith("{") and rest.lstrip().startswith("{")):
        return False
    try:
        return isinstance(msgspec.json.decode(first.encode()), dict)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return False
