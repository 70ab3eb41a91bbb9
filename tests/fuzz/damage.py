"""Damage that knows the structure of its victim: lines, cells, numbers and JSON values, as well as bytes."""

from __future__ import annotations

import gzip
import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

ABSENT = ("N/A", "[N/A]", "-", "", "[Not Supported]", "nan", "NaN", "None", "--", "<not supported>", "Unknown", "null")
ODD = (*ABSENT, "0", "-1", "1e999", "-1e308", "9" * 40, "18446744073709551615", "1,5", "1.234.567", "٣", "0x7f", "true")
_NUMBER = re.compile(rb"(?<![\w.])-?\d+(?:\.\d+)?")
_ZERO = re.compile(rb"(?<![\w.])(?<!\d[,:])0+(?:[.,]0+)?(?![\w.:])(?!,\d)")
_CELL = re.compile(rb"[^\s,|:]+")


def damaged(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Return a seed with one to five kinds of damage, one upon the other."""
    data = chance.choice(seeds)
    for _ in range(chance.randint(1, 5)):
        data = chance.choice(_WAYS)(chance, data, seeds)
    return data[:1_000_000]


def without_zeros(data: bytes) -> bytes:
    """Return data in which no number is 0: where a sample goes missing, the mean of the others is then none either."""
    return _ZERO.sub(lambda found: found[0].replace(b"0", b"7"), data)


def without_a_number(chance: random.Random, data: bytes) -> bytes | None:
    """Return data in which one number is not available, None without a number outside of quotes and words."""
    found = list(_NUMBER.finditer(data))
    if not found:
        return None
    number = chance.choice(found)
    return data[: number.start()] + chance.choice(ABSENT).encode() + data[number.end() :]


def _cut(chance: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return data[: chance.randint(0, len(data))]


def _begin(chance: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return data[chance.randint(0, len(data)) :]


def _flip(chance: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    flipped = bytearray(data)
    for _number in range(chance.randint(1, 20) if data else 0):
        flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
    return bytes(flipped)


def _number(chance: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Put odd values in the place of one number, or of many."""
    part = chance.choice((0.02, 0.5, 1.0))
    return _NUMBER.sub(lambda found: chance.choice(ODD).encode() if chance.random() < part else found[0], data)


def _cells(chance: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Swap two cells of a line."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    cells = list(_CELL.finditer(lines[at]))
    if len(cells) < 2:
        return data
    one, two = sorted(chance.sample(cells, 2), key=lambda cell: cell.start())
    line = lines[at]
    lines[at] = line[: one.start()] + two[0] + line[one.end() : two.start()] + one[0] + line[two.end() :]
    return b"\n".join(lines)


def _lines(chance: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Drop, repeat, swap or shuffle lines."""
    lines = data.split(b"\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    way = chance.randrange(4)
    if way == 0:
        del lines[at : at + chance.randint(1, 5)]
    elif way == 1:
        lines[at:at] = lines[at : at + 3] * chance.choice((1, 3, 200))
    elif way == 2:
        lines[at], lines[other] = lines[other], lines[at]
    else:
        chance.shuffle(lines)
    return b"\n".join(lines)


def _splice(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Put a piece of another input in the middle."""
    other = chance.choice(seeds)
    begin, at = chance.randint(0, len(other)), chance.randint(0, len(data))
    return data[:at] + other[begin : begin + chance.randint(0, 5000)] + data[at:]


def _dressed(chance: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Put around lines what terminals, launchers and editors put there."""
    way = chance.randrange(7)
    if way == 0:
        return data.replace(b"\n", b"\r\n")
    if way == 1:
        return b"\xef\xbb\xbf" + data
    if way == 2:
        return data.decode("utf-8", "replace").encode("utf-16")
    if way == 3:
        return b"\n".join(b"[rank0]: " + line for line in data.split(b"\n"))
    if way == 4:
        return data.replace(b" ", b" \x1b[31m", 50)
    if way == 5:
        return data.replace(b"\n", b"")
    return gzip.compress(data)[: None if chance.random() < 0.5 else chance.randint(0, 2000)]


def _nested(chance: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Change one value of a JSON document, or bury it deeply."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return data
    places = _places(document)[:5000]
    if not places:
        return data
    holder, key = chance.choice(places)
    holder[key] = chance.choice((None, -1, 1e308, "", "N/A", [], {}, [[]], True, "9" * 50, 2**70, [1]))
    if chance.random() < 0.1:
        return b"[" * 3000 + json.dumps(document).encode()
    return json.dumps(document).encode()


def _places(document: Any) -> list[tuple[Any, Any]]:
    found, todo = [], [document]
    while todo and len(found) < 5000:
        value = todo.pop()
        inside = (
            list(value.items())
            if isinstance(value, dict)
            else list(enumerate(value))
            if isinstance(value, list)
            else []
        )
        for key, each in inside:
            found.append((value, key))
            todo.append(each)
    return found


_WAYS: tuple[Callable[[random.Random, bytes, Sequence[bytes]], bytes], ...] = (
    _cut,
    _begin,
    _flip,
    _number,
    _number,
    _cells,
    _lines,
    _splice,
    _dressed,
    _nested,
)
