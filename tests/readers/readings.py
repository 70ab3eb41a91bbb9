"""Short ways to say what a reader told of a text, for the tests."""

from __future__ import annotations

from typing import Any

from dam_expert.readers.gather import read_one
from dam_expert.readers.interface import Reading
from dam_expert.readers.source import Source


def reading(text: str | bytes, name: str = "pasted") -> Reading:
    """Return the reading of the reader that recognises the text first."""
    data = text.encode() if isinstance(text, str) else text
    found, message = read_one(Source.of_bytes(name, data))
    assert message is None, message
    assert found is not None
    return found


def told(found: Reading) -> dict[Any, Any]:
    """Return values by measurement, or by measurement and owner where there is one: points as numbers."""
    return {
        (each.measurement, each.scope[0][1]) if each.scope else each.measurement: (
            each.value if isinstance(each.value, str) or each.value is None else each.value.lo
        )
        for each in found.observations
    }


def codes(found: Reading) -> set[str]:
    """Return the codes of its messages."""
    return {message.code for message in found.messages}
