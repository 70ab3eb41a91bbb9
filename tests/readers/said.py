"""What the tests of the readers say about a reading: values by measurement, codes of messages, damage that is tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dam_expert.documents.intervals import Interval
from dam_expert.documents.messages import Message
from dam_expert.readers.source import Source

if TYPE_CHECKING:
    from dam_expert.readers.interface import Reader, Reading


def read(reader: Reader, content: str | bytes, *, name: str = "pasted.txt") -> Reading:
    """Read content that the reader must recognise."""
    source = Source.of_bytes(name, content.encode() if isinstance(content, str) else content)
    assert reader.recognises(source)
    return reader.read(source)


def values(reading: Reading) -> dict[str, Any]:
    """Return points rounded to nine digits, words as they are, bounds as pairs; scoped ones under ``id[member]``."""
    found: dict[str, Any] = {}
    for each in reading.observations:
        value: Any = each.value
        if isinstance(value, Interval):
            value = round(value.lo, 9) if value.is_point else (round(value.lo, 9), round(value.hi, 9))
        scope = ",".join(member for _, member in each.scope)
        found[f"{each.measurement}[{scope}]" if scope else each.measurement] = value
    return found


def codes(reading: Reading) -> set[str]:
    """Return the codes of the messages."""
    return {message.code for message in reading.messages}


def survives(reader: Reader, content: bytes) -> None:
    """Read damaged content: whatever it is, only observations with finite lower bounds and messages come out."""
    source = Source.of_bytes("damaged", content)
    if not reader.recognises(source):
        return
    reading = reader.read(source)
    assert all(isinstance(message, Message) for message in reading.messages)
    assert reading.observations or reading.messages
    for each in reading.observations:
        assert isinstance(each.value, str) or (each.value is not None and abs(each.value.lo) < float("inf"))
