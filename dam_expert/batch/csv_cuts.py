"""Where records of a CSV file end, without parsing it: a line end ends a record where the quotes so far are even."""

from __future__ import annotations

import csv
import io
import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

_HEADER_BYTES = 1024 * 1024
_RECORD_BYTES = 64 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_LIMIT = threading.Lock()

CELL_CHARACTERS: Final = 131_072
"""A longer cell is no value of an incident."""


def header_of(stream: BinaryIO) -> tuple[bytes, tuple[str, ...], str]:
    """Take the first record from a stream: its bytes, its fields and the delimiter (comma, semicolon or tab)."""
    head = b""
    while head.count(b'"') % 2 or not head.endswith(b"\n"):
        more = stream.readline(_HEADER_BYTES)
        head += more
        if not more or len(head) >= _HEADER_BYTES:
            break
    text = head.removeprefix(_BOM).decode("utf-8", "replace")
    delimiter = max(",;\t", key=text.count)
    return head, tuple(field.strip() for field in records(text, delimiter)[0]) if text.strip() else (), delimiter


def records(text: str, delimiter: str) -> list[list[str]]:
    """Return the records of a text; a blank line is a record without fields."""
    try:
        return _parsed(text, delimiter)
    except csv.Error:  # a cell above the limit, which holds for the whole process
        with _LIMIT:
            before = csv.field_size_limit(max(len(text), CELL_CHARACTERS))
            try:
                return _parsed(text, delimiter)
            finally:
                csv.field_size_limit(before)


def _parsed(text: str, delimiter: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)) or [[]]


def record_cuts(stream: BinaryIO, head: bytes, size: int) -> Iterator[tuple[int, int, bytes]]:
    """Yield (first byte, first line, bytes) of runs of whole records behind the header, each about ``size`` long."""
    start, line, rest = len(head), 1 + head.count(b"\n"), b""
    while True:
        block = stream.read(size)
        content = rest + block
        if not content:
            return
        cut = _last_end(content) if block else len(content)
        if not cut and len(content) > _RECORD_BYTES:
            cut = content.rfind(b"\n") + 1  # a quote that opens nothing, as in 19" rack
        if not cut:
            rest = content
            continue
        whole, rest = content[:cut], content[cut:]
        yield start, line, whole
        start, line = start + cut, line + whole.count(b"\n")


def _last_end(content: bytes) -> int:
    """Return where the last whole record ends; 0 where none does."""
    at = content.rfind(b"\n")
    quotes = content.count(b'"', 0, at + 1)
    while at >= 0 and quotes % 2:
        before = content.rfind(b"\n", 0, at)
        quotes -= content.count(b'"', before + 1, at + 1)
        at = before
    return at + 1
