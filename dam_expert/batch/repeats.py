"""Keys that a line of JSON holds twice: of two values one would be lost without a word.

The decoder keeps the last of them. Looking at every key costs more than decoding, so that first the colons behind keys
are counted: as long as there are as many of them as there are values, no key was lost.

>>> repeated_key(b'{"id": "a", "observations": {"step_time": 1, "step_time": 2}}')
'step_time'
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from dam_expert.batch.parts import Parts
from dam_expert.batch.plain import Document, Long

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_COLON = b'":'
_FIELDS = Document.__struct_fields__
_QUOTE, _POINTS, _OPENS = ord('"'), ord(":"), ord("{")


class _Repeated(Exception):  # noqa: N818  (not an error of the program: what is looked for was found)
    pass


def may_repeat(content: bytes | memoryview, documents: Sequence[Any], parts: Parts | None = None) -> bool:
    """Whether lines may hold a key twice, given what was decoded from them; False where they surely do not.

    Blanks before a colon, nulls and quotes within texts count as a doubt too, and so may colons within texts. ``parts``
    are those of the documents, where they are at hand.
    """
    found = np.frombuffer(content, np.uint8)
    points = found[1:] == _POINTS
    colons = np.count_nonzero(points & (found[:-1] == _QUOTE))
    if colons != np.count_nonzero(points) and _has_blanks(content):
        return True
    keys, mappings = (Parts(documents) if parts is None else parts).keys()
    free = bool(documents) and len(documents[0].__struct_fields__) > len(_FIELDS)
    if free or mappings != np.count_nonzero(found == _OPENS):
        keys = sum(map(_keys, documents))
    return bool(colons != keys)


def _has_blanks(content: bytes | memoryview) -> bool:
    """Whether there are blanks before a colon."""
    text = bytes(content)
    return any(blank in text for blank in (b" :", b"\t:", b"\r:"))


def repeated_key(text: bytes) -> str | None:
    """Return the first key that one mapping in a line holds twice, or None; also where it is no JSON."""
    try:
        json.loads(text, object_pairs_hook=_once)
    except _Repeated as found:
        return str(found)
    except (ValueError, RecursionError):
        return None
    return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Repeated(key)
            seen.add(key)
    return found


def _keys(document: Any) -> int:  # noqa: ANN401  (a document with free keys)
    """Return how many keys a decoded line had at least."""
    found = 0
    for name in _FIELDS:
        value = getattr(document, name)
        if value is None or value is msgspec.UNSET:
            continue
        found += 1
        if value.__class__ is dict:
            found += len(value)
            if not _USUAL.issuperset(map(type, value.values())):
                found += _inside(value.values())
        elif value.__class__ is list:
            found += _inside(value)
        elif isinstance(value, msgspec.Struct):
            found += _given(value)
    for name in document.__struct_fields__[len(Document.__struct_fields__) :]:
        if (value := getattr(document, name)) is not None:
            found += 1 + _free(value)
    return found


_USUAL = frozenset({float, bool, str})


def _inside(values: Iterable[Any]) -> int:
    return sum(_given(value) for value in values if isinstance(value, Long))


def _given(value: msgspec.Struct) -> int:
    found = 0
    for name in value.__struct_fields__:
        part = getattr(value, name)
        if isinstance(part, msgspec.Raw):
            content = bytes(part)
            found += bool(content) + (_free(msgspec.json.decode(content)) if _COLON in content else 0)
        elif part is not None and part != "":
            found += 1
    return found


def _free(value: object) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_free, value.values()))
    return sum(map(_free, value)) if isinstance(value, list) else 0
