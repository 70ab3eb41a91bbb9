"""What the tests of the readers say about a reading: values by measurement, codes of messages, damage that is tried."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import yaml
from shared_files import ROOT

from dam_expert.documents.intervals import Interval
from dam_expert.documents.messages import Message
from dam_expert.kb.where import base_files
from dam_expert.readers.source import Source

if TYPE_CHECKING:
    from dam_expert.readers.interface import Reader, Reading


def read(reader: Reader, content: str | bytes, *, name: str = "pasted.txt") -> Reading:
    """Read content that the reader must recognise."""
    source = Source.of_bytes(name, content.encode() if isinstance(content, str) else content)
    assert reader.recognises(source)
    return in_the_base(reader.read(source))


@functools.cache
def base_ids() -> tuple[dict[str, bool], frozenset[str]]:
    """Return every measurement of the base with whether its values are words, and every tool."""
    measurements: dict[str, bool] = {}
    tools: set[str] = set()
    for path in base_files([ROOT / "knowledge"]):
        document = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        for each in document.get("measurements") or []:
            words = each["kind"] in {"category", "flag"} or (each["kind"] == "setting" and each.get("unit") == "")
            measurements[each["id"]] = words
        tools |= {each["id"] for each in document.get("tools") or []}
    return measurements, frozenset(tools)


def in_the_base(reading: Reading) -> Reading:
    """Return the reading, whose measurements and tools the base must know, words and numbers where they belong."""
    measurements, tools = base_ids()
    for each in reading.observations:
        assert each.measurement in measurements
        assert each.value is None or isinstance(each.value, str) == measurements[each.measurement], each.measurement
        assert each.origin.tool in tools
    return reading


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
