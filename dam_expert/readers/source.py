r"""One input of a reader: a file, standard input or bytes in memory, opened with bounds on everything.

The content is offered as UTF-8 blocks or as cleaned lines. Compression is recognised by its magic bytes and UTF-16
by its byte order mark or zero pattern, never by name. What is damaged
raises :class:`DamageError` after all that was good.

>>> source = Source.of_bytes("pasted", b"\xef\xbb\xbf\x1b[1mDevice\x1b[0m\r\nsda\r\n")
>>> list(source.lines())
[(1, 'Device'), (2, 'sda')]
"""

from __future__ import annotations

import codecs
import contextlib
import dataclasses
import io
import zlib
from typing import TYPE_CHECKING

from dam_expert.documents.files import line_end_of, open_file
from dam_expert.readers.text import clean, is_plain, stripped, without_escapes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import BinaryIO

HEAD_BYTES = 64 * 1024
"""How much of a source is looked at to recognise it."""

BLOCK_BYTES = 1024 * 1024
"""How much is read at a time."""

LINE_CHARACTERS = 64 * 1024
"""A longer line is cut: no text format here has one, so it is a file without line ends."""

SOURCE_BYTES = 16 * 1024**3
"""Decompressed bytes after which a source is cut off. Larger than the traces that people can open elsewhere."""

BOMB_BYTES = 64 * 1024**2
BOMB_RATIO = 200
"""Deflate reaches 1032:1 on zeros, profiler traces 15 to 60:1. Beyond this ratio a source is a bomb."""

_GZIP = b"\x1f\x8b"
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class DamageError(Exception):
    """The rest of a source cannot be read. What came before is good. ``code`` and ``hint`` go into the message."""

    def __init__(self, code: str, text: str, hint: str) -> None:
        super().__init__(text)
        self.code, self.text, self.hint = code, text, hint


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A named content. ``shown`` is the name in messages; ``head`` is its first 64 KiB decoded, escapes stripped."""

    shown: str
    path: Path | None = None
    data: bytes | None = None
    head: str = ""
    head_lines: tuple[str, ...] = ()
    """The lines of the head, cleaned: every reader that recognises looks at them."""
    head_text: str = ""
    """The same lines as one text, for patterns over several of them."""
    magic: bytes = b""
    """The first bytes as they are, decompressed."""
    empty: bool = False
    damage: DamageError | None = None
    """What ended the head early."""
    watch: Callable[[int], None] | None = None
    """Is told how many bytes of the file were taken, each time that some were."""
    binary: bool = False
    """Whether the head holds bytes that no text has."""

    @classmethod
    def of_bytes(cls, shown: str, data: bytes) -> Source:
        """Return a source over bytes in memory."""
        return _with_head(cls(shown=shown, data=data))

    @classmethod
    def of_path(cls, path: Path, shown: str | None = None) -> Source:
        """Return a source over a file. Raises OSError when it cannot be opened."""
        return _with_head(cls(shown=shown or str(path), path=path))

    def blocks(self) -> Iterator[bytes]:
        """Yield the content as UTF-8, decompressed, without byte order mark. Raises DamageError where good ends."""
        raw = _decompressed(self._open() if self.watch is None else _Watched(self._open(), self.watch))
        first = next(raw, b"")
        encoding = _utf16(first)
        if encoding is None:
            yield from _with_line_feeds(first.removeprefix(codecs.BOM_UTF8), raw)
            return
        decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        yield decoder.decode(first).removeprefix("\ufeff").encode("utf-8", "replace")
        for block in raw:
            yield decoder.decode(block).encode("utf-8", "replace")

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield (line number, cleaned text) without blank lines. Raises DamageError at the end of the good."""
        number = 0
        for lines, plain in self._split():
            cleaned = stripped if plain else clean
            for line in lines:
                number += 1
                text = cleaned(line)
                if text:
                    yield number, text

    def _split(self) -> Iterator[tuple[list[str], bool]]:
        """Yield lines of about one block together, and whether nothing in them but prefixes is to be stripped."""
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        rest = ""
        damage: DamageError | None = None
        try:
            for block in self.blocks():
                text = rest + decoder.decode(block)
                *whole, rest = text.split("\n")
                while len(rest) > LINE_CHARACTERS:
                    whole.append(rest[:LINE_CHARACTERS])
                    rest = rest[LINE_CHARACTERS:]
                yield whole, is_plain(text)
        except DamageError as stop:
            damage = stop
        if rest:
            yield [rest], False
        if damage is not None:
            raise damage

    def _open(self) -> BinaryIO:
        return io.BytesIO(self.data or b"") if self.path is None else open_file(self.path)


class _Watched:
    """A file that tells how much of it is read."""

    def __init__(self, file: BinaryIO, watch: Callable[[int], None]) -> None:
        self._file, self._watch = file, watch

    def read(self, size: int) -> bytes:
        block = self._file.read(size)
        self._watch(len(block))
        return block

    def close(self) -> None:
        self._file.close()


def _with_head(source: Source) -> Source:
    """Return the source with its head filled in; a damaged head is as long as it is good."""
    head = b""
    damage = None
    try:
        for block in source.blocks():
            head += block
            if len(head) >= HEAD_BYTES:
                break
    except DamageError as stop:
        damage = stop
    text = head[:HEAD_BYTES].decode("utf-8", "replace")
    binary = "\x00" in text or text.count("\ufffd") > len(text) // 20 + 1
    plain = without_escapes(text)
    lines = tuple(map(stripped, plain.split("\n")))
    return dataclasses.replace(
        source,
        head=plain,
        head_lines=lines,
        head_text="\n".join(lines),
        magic=head[:16],
        empty=not head,
        damage=damage,
        binary=binary,
    )


def _with_line_feeds(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    """Yield blocks with line feeds in the place of what ends lines where that is something else."""
    end = line_end_of(first)
    if end is None:
        yield first
        yield from rest
        return
    held = first
    for block in rest:  # an end may lie across two blocks
        whole = held + block
        held = whole[-len(end) + 1 :] if len(end) > 1 else b""
        yield whole[: len(whole) - len(held)].replace(end, b"\n")
    yield held.replace(end, b"\n")


def _utf16(first: bytes) -> str | None:
    """Return the UTF-16 encoding of a content (as PowerShell redirection writes it), or None for any other."""
    if first[:2] in _UTF16:
        return _UTF16[first[:2]]
    sample = first[:200]
    if len(sample) >= 8 and b"\x00" in sample:
        if not any(sample[0::2]):
            return "utf-16-be"
        if not any(sample[1::2]):
            return "utf-16-le"
    return None


def _decompressed(file: BinaryIO | _Watched) -> Iterator[bytes]:
    """Yield blocks of a plain or gzip file, within the bounds of this module."""
    with contextlib.closing(file):
        first = file.read(BLOCK_BYTES)
        blocks = _inflated(first, file) if first.startswith(_GZIP) else _plain(first, file)
        total = 0
        for block in blocks:
            total += len(block)
            if total > SOURCE_BYTES:
                raise DamageError(
                    "too-large", f"only the first {SOURCE_BYTES >> 30} GiB are read", "capture fewer steps"
                )
            yield block


def _plain(first: bytes, file: BinaryIO | _Watched) -> Iterator[bytes]:
    while first:
        yield first
        first = file.read(BLOCK_BYTES)


def _inflated(first: bytes, file: BinaryIO | _Watched) -> Iterator[bytes]:
    """Yield the decompressed content of a gzip file, member after member."""
    unpack = zlib.decompressobj(wbits=31)
    taken = given = 0
    pending = first
    try:
        while pending:
            block = unpack.decompress(pending, BLOCK_BYTES)
            taken += len(pending) - len(unpack.unconsumed_tail) - len(unpack.unused_data)
            given += len(block)
            yield block
            if given > BOMB_BYTES and given > BOMB_RATIO * max(taken, 1):
                raise DamageError(
                    "too-large", "it expands without end, like a decompression bomb", "unpack and look at it"
                )
            pending = unpack.unconsumed_tail
            if unpack.eof:
                pending = unpack.unused_data or file.read(BLOCK_BYTES)
                if not pending.startswith(_GZIP):  # the end, or padding after the last member
                    return
                unpack = zlib.decompressobj(wbits=31)
            pending = pending or file.read(BLOCK_BYTES)
        yield unpack.flush()
    except zlib.error as error:
        raise DamageError(
            "truncated", "the compressed data is damaged; what came before is used", "copy it again"
        ) from error
    if not unpack.eof:
        raise DamageError("truncated", "the compressed file ends early; what came before is used", "copy it again")
