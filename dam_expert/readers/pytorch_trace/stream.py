"""Decodes a Chrome trace event by event from a stream of blocks: bounded memory, and what is damaged is left out.

The file is cut between events, some megabytes at a time, and each piece is decoded into typed events. A piece that
does not parse is cut into single events, which are repaired where the damage is a known one (``NaN``, invalid
UTF-8, unescaped backslashes and control characters of old profilers) and counted where it is not. A file that ends
early gives every complete event.

>>> stream = EventStream(iter([b'{"deviceProperties":[{"id":0,"name":"GPU"}],"traceEvents":[{"ph":"X","name":"a"},'
...                            b'{"ph":"X","name":"b"},{"ph":"X","na']))
>>> [event.name for batch in stream.batches() for event in batch], stream.truncated, stream.header.devices
(['a', 'b'], True, {0: 'GPU'})
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from dam_expert.readers.source import DamageError

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECE_BYTES = 4 * 1024 * 1024
"""How much is decoded at a time."""

EVENT_BYTES = 64 * 1024 * 1024
"""A file with no event boundary in this much is not a trace."""

TAIL_BYTES = 1024 * 1024
"""How much of what follows the events is read: the header fields may stand there."""

_OPEN = re.compile(rb'"traceEvents"\s*:\s*\[')
_KEYS = rb"ph|name|cat|args|pid|tid|ts|dur|id|bp|s|sf|cname|tts|tdur"
_BOUNDARY = re.compile(rb'\}\s*,\s*(?=\{\s*"(?:' + _KEYS + rb')"\s*:)')
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[{}\[\]]', re.DOTALL)
_NOT_A_NUMBER = re.compile(rb"(?<=[:,\[\s])[-+]?(?:nan|inf|infinity)(?=\s*[,}\]])", re.IGNORECASE)
_BACKSLASH = re.compile(rb'\\(u[0-9a-fA-F]{4}|["\\/bfnrt]|)')
_CONTROL = re.compile(rb"[\x00-\x1f]")

Loose: TypeAlias = int | float | str | None


class Args(msgspec.Struct, gc=False):
    """The arguments of an event that are used; all others are skipped while decoding."""

    device: Loose = None
    correlation: Loose = None
    bytes: Loose = None
    collective: Any = msgspec.field(default=None, name="Collective name")
    group: Any = msgspec.field(default=None, name="Process Group Name")
    ranks: Any = msgspec.field(default=None, name="Process Group Ranks")


class Event(msgspec.Struct, gc=False):
    """One event. ``ts`` and ``dur`` are microseconds in every generation, whatever ``displayTimeUnit`` says."""

    ph: str = ""
    cat: str | None = None
    name: str | None = None
    pid: Loose = None
    tid: Loose = None
    ts: float | None = None
    dur: float | None = None
    args: Args | None = None


class _Device(msgspec.Struct, gc=False):
    id: int = -1
    name: str = ""


class _Distributed(msgspec.Struct, gc=False):
    rank: int | None = None
    world_size: int | None = None
    groups: int | None = msgspec.field(default=None, name="pg_count")


class _Fields(msgspec.Struct, gc=False):
    devices: list[_Device] = msgspec.field(default_factory=list, name="deviceProperties")
    distributed: _Distributed | None = msgspec.field(default=None, name="distributedInfo")


class Header:
    """The named fields around the events: device names, rank, world size, process groups; None where absent."""

    def __init__(self) -> None:
        self.devices: dict[int, str] = {}
        self.rank: int | None = None
        self.world_size: int | None = None
        self.groups: int | None = None

    def take(self, text: bytes) -> None:
        """Take what an object's text says; a text that does not parse says nothing."""
        try:
            fields = _FIELDS.decode(_repaired(text))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return
        self.devices |= {device.id: device.name for device in fields.devices}
        if fields.distributed is not None:
            self.rank = fields.distributed.rank
            self.world_size = fields.distributed.world_size
            self.groups = fields.distributed.groups


_FIELDS = msgspec.json.Decoder(_Fields, strict=False)
_BATCH = msgspec.json.Decoder(list[Event], strict=False)
_EVENT = msgspec.json.Decoder(Event, strict=False)


class EventStream:
    """Reads a trace once. ``header``, ``truncated``, ``unreadable`` and ``damage`` are final after ``batches``."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self.header = Header()
        self.truncated = False
        self.unreadable = 0
        self.damage: DamageError | None = None
        self._blocks = blocks
        self._ended = False

    def batches(self) -> Iterator[list[Event]]:
        """Yield the events in file order, some thousand at a time."""
        buffer = self._until_events()
        closed = buffer is None
        buffer = buffer or b""
        while not closed:
            buffer = self._filled(buffer, PIECE_BYTES)
            cut = _last_boundary(buffer)
            if cut is None:
                if self._ended or len(buffer) > EVENT_BYTES:
                    break
                buffer = self._filled(buffer, len(buffer) + PIECE_BYTES)
                continue
            batch, closed, rest = self._decoded(buffer, cut + 1)
            yield batch
            buffer = rest + buffer[cut + 1 :] if closed else _after_comma(buffer[cut + 1 :])
        if not closed:
            batch, closed, buffer = self._decoded(buffer, len(buffer))
            yield batch
        self.truncated = not closed
        self._take_tail(buffer)

    def _until_events(self) -> bytes | None:
        """Read up to the events and take the header; None where there are none."""
        buffer = b""
        while True:
            found = _OPEN.search(buffer)
            if found is not None:
                self.header.take(buffer[: found.start()].rstrip().removesuffix(b",") + b"}")
                return buffer[found.end() :]
            if buffer.lstrip()[:1] == b"[":
                return buffer.lstrip()[1:]
            if self._ended or len(buffer) > EVENT_BYTES:
                return None
            buffer = self._filled(buffer, len(buffer) + 1)

    def _filled(self, buffer: bytes, size: int) -> bytes:
        """Return the buffer with blocks added until it has the size or the source ends."""
        if len(buffer) >= size or self._ended:
            return buffer
        parts, length = [buffer], len(buffer)
        while length < size and not self._ended:
            try:
                block = next(self._blocks, None)
            except DamageError as damage:
                self.damage, block = damage, None
            if block is None:
                self._ended = True
            else:
                parts.append(block)
                length += len(block)
        return b"".join(parts)

    def _decoded(self, buffer: bytes, end: int) -> tuple[list[Event], bool, bytes]:
        """Return the events of the beginning of a buffer, whether the array ends in it, and what follows that end."""
        try:
            array = b"".join((b"[", memoryview(buffer)[:end], b"]"))  # megabytes: copied once
            return _BATCH.decode(array), False, b""
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return self._decoded_singly(buffer[:end])

    def _decoded_singly(self, piece: bytes) -> tuple[list[Event], bool, bytes]:
        events: list[Event] = []
        start = 0
        bounds = [found.start() + 1 for found in _BOUNDARY.finditer(piece)]
        for end in [*bounds, len(piece)]:
            text = _after_comma(piece[start:end])
            event = _single(text)
            if event is None:
                objects, closed_at = _objects(text)
                decoded = [_single(each) for each in objects]
                events += [each for each in decoded if each is not None]
                if closed_at is not None:
                    return events, True, text[closed_at:] + piece[end:]
                self.unreadable += end != len(piece) or None in decoded
            else:
                events.append(event)
            start = end
        return events, False, b""

    def _take_tail(self, buffer: bytes) -> None:
        text = self._filled(buffer, TAIL_BYTES).strip()
        if text.startswith(b","):
            self.header.take(b"{" + text[1:])


def _single(text: bytes) -> Event | None:
    for attempt in (text, None):
        try:
            return _EVENT.decode(_repaired(text) if attempt is None else attempt)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
    return None


def _repaired(text: bytes) -> bytes:
    """Return JSON text with the damage of old profilers mended; sound text is unchanged in meaning."""
    text = text.decode("utf-8", "replace").encode()
    text = _NOT_A_NUMBER.sub(b"null", _CONTROL.sub(b" ", text))
    return _BACKSLASH.sub(lambda found: found[0] if found[1] else b"\\\\", text)


def _after_comma(text: bytes) -> bytes:
    return text.lstrip().removeprefix(b",").lstrip()


def _last_boundary(buffer: bytes) -> int | None:
    """Return the position of the last brace that closes an event before another one, or None."""
    window = 64 * 1024
    while True:
        start = max(len(buffer) - window, 0)
        found = [each.start() for each in _BOUNDARY.finditer(buffer, start)]
        if found:
            return found[-1]
        if start == 0:
            return None
        window *= 8


def _objects(text: bytes) -> tuple[list[bytes], int | None]:
    """Return the complete objects at the outermost level and, if their array is closed, where what follows begins."""
    objects: list[bytes] = []
    depth = start = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in (b"{", b"["):
            start = start if depth else token.start()
            depth += 1
        elif mark in (b"}", b"]"):
            if depth == 0:
                return objects, token.end() if mark == b"]" else None
            depth -= 1
            if depth == 0:
                objects.append(text[start : token.end()])
    return objects, None
