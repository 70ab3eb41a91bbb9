r"""Taking a source as lines or as one JSON value, and reading cells that carry thousands separators or time units.

>>> grouped("4,963,609,951.19"), grouped("1,5"), seconds("1m2.5s"), seconds("350µs"), seconds("N/A")
(4963609951.19, None, 62.5, 0.00035, None)
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import LARGEST
from dam_expert.readers.source import DamageError
from dam_expert.readers.text import clean, number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.readers.interface import Teller
    from dam_expert.readers.source import Source

JSON_BYTES = 256 * 1024**2
"""A JSON document that must be held as a whole is cut here."""

_GROUPED = re.compile(r"^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?(?!\d)")
_TIME_UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_TIME_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*(ns|us|µs|μs|ms|s|m|h)")
_TIMES = re.compile(rf"^(?:{_TIME_PART.pattern}\s*)+$")
_JSON_START = re.compile(r"[\[{]")


def each_line(source: Source, tell: Teller, messages: list[Message]) -> Iterator[tuple[int, str]]:
    """Yield (line number, cleaned text) of all that is good; what ends it early is added to the messages."""
    try:
        yield from source.lines()
    except DamageError as damage:
        messages.append(tell.warn(damage.code, damage.text, hint=damage.hint))


def text_of(source: Source, tell: Teller, messages: list[Message]) -> str:
    """Return the text of a source up to a bound; what ends it early is added to the messages."""
    return bounded_text(source, JSON_BYTES, tell, messages, hint="export a shorter time")


def bounded_text(
    source: Source, limit: int, tell: Teller, messages: list[Message], *, hint: str, said: str | None = None
) -> str:
    """Return the text of a source up to the block that passes a bound in bytes; what ends it is added to the messages.

    ``said`` and ``hint`` are what is told of a cut: that it was made, and what to do for a shorter text.
    """
    parts: list[bytes] = []
    held = 0
    try:
        for block in source.blocks():
            parts.append(block)
            held += len(block)
            if held > limit:
                text = said or f"only the first {limit >> 20} MiB are read"
                messages.append(tell.warn("too-large", text, hint=hint))
                break
    except DamageError as damage:
        messages.append(tell.warn(damage.code, damage.text, hint=damage.hint))
    text = b"".join(parts).decode("utf-8", "replace")
    return "\n".join(map(clean, text.split("\n"))) if _prefixed(source) else text


def _prefixed(source: Source) -> bool:
    r"""Whether a launcher or a container put something before each line of what is JSON.

    >>> from dam_expert.readers.source import Source
    >>> _prefixed(Source.of_bytes("x", b"0: {\n0: }\n")), _prefixed(Source.of_bytes("x", b'  {"a": 1}\n'))
    (True, False)
    """
    for raw, line in zip(source.head.split("\n"), source.head_lines, strict=False):
        if line:
            return line[0] in "[{" and raw.strip() != line
    return False


def first_json(text: str) -> object:
    r"""Return the first complete JSON object or array in a text that may have other lines around it, else None.

    >>> first_json("fio: warning [1]{ \n{\"a\": NaN}\nbye")
    {'a': None}
    """
    decoder = json.JSONDecoder(parse_constant=lambda _: None)
    looked_at = 0
    for start in _JSON_START.finditer(text):
        if looked_at > len(text):  # each start may be looked at to the end: a cut document would be read for ever
            break
        try:
            value, _ = decoder.raw_decode(text, start.start())
        except json.JSONDecodeError as error:
            looked_at += max(error.pos - start.start(), 1)
            continue
        except (ValueError, RecursionError):
            break
        if isinstance(value, dict) or (isinstance(value, list) and value and isinstance(value[0], dict)):
            return value
    return None


def objects(text: str) -> Iterator[dict[str, object]]:
    """Yield the JSON objects that stand one to a line; lines that are none are passed over."""
    decoder = json.JSONDecoder(parse_constant=lambda _: None)
    for line in text.split("\n"):
        if line.lstrip().startswith("{"):
            try:
                value, _ = decoder.raw_decode(line.strip())
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                yield value


def inside(value: object, *path: str) -> dict[str, object]:
    """Return the mapping under the keys, an empty one where something else or nothing is there.

    >>> inside({"a": {"b": {"c": 1}}}, "a", "b"), inside({"a": 3}, "a")
    ({'c': 1}, {})
    """
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def known(value: object) -> float | None:
    """Return a number of JSON or a number in a string, None for anything else, also for true and false.

    >>> known(3), known("4.5"), known(True), known("NaN"), known([1])
    (3.0, 4.5, None, None, None)
    """
    if isinstance(value, str):
        found = number(value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        found = float(value) if abs(value) < LARGEST else None
    else:
        return None
    return found if found is not None and abs(found) < LARGEST else None


def grouped(cell: str) -> float | None:
    """Return the number in a cell in which a comma separates thousands; a trailing unit is ignored."""
    text = cell.strip()
    found = _GROUPED.match(text)
    return known(text.replace(",", "") if found else text)


def seconds(cell: str) -> float | None:
    """Return a time that carries its units, in seconds; None for anything else, also for a bare number."""
    text = cell.strip()[:64]
    if not _TIMES.match(text):
        return None
    return sum(float(amount) * _TIME_UNITS[unit] for amount, unit in _TIME_PART.findall(text))
