"""Keys that a line of JSON holds twice: of two values one would be lost without a word.

The decoder keeps the last of them. Looking at every key costs more than decoding, so that first the colons behind keys
are counted: as long as there are as many of them as there are values, no key was lost.

>>> repeated_key(b'{"id": "a", "observations": {"step_time": 1, "step_time": 2}}')
'step_time'
"""

from __future__ import annotations

import json
import operator
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from dam_expert.batch.plain import Document, Long, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_COLON = b'":'
_SCHEMA = b'"schema":'
_FIELDS = tuple(name for name in Document.__struct_fields__ if name != "schema_")
_PARTS = operator.attrgetter(*_FIELDS)
_OF_TARGET = operator.attrgetter(*Target.__struct_fields__)
_QUOTE, _POINTS, _BLANKS, _OPENS = ord('"'), ord(":"), (ord(" "), ord("\t"), ord("\r")), ord("{")


class _Repeated(Exception):  # noqa: N818  (not an error of the program: what is looked for was found)
    pass


def may_repeat(content: bytes, documents: Sequence[Any]) -> bool:
    """Whether lines may hold a key twice, given what was decoded from them; False where they surely do not.

    Blanks before a colon, nulls and quotes within texts count as a doubt too.
    """
    found = np.frombuffer(content, np.uint8)
    before = found[:-1][found[1:] == _POINTS]
    if any((before == blank).any() for blank in _BLANKS):
        return True
    schemas = content.count(_SCHEMA)
    keys = int(np.count_nonzero(before == _QUOTE)) - schemas
    return schemas > len(documents) or keys != _usual(documents, int(np.count_nonzero(found == _OPENS)))


def _usual(documents: Sequence[Any], mappings: int) -> int:
    """Return how many keys decoded lines had at least, looked at closely only where they hold more than is usual."""
    if documents and len(documents[0].__struct_fields__) > 1 + len(_FIELDS):
        return sum(map(_keys, documents))
    keys, opened = 0, len(documents)
    for document in documents:
        parts = _PARTS(document)
        keys += len(parts) - parts.count(None)
        target = document.target
        if target is not None:
            given = _OF_TARGET(target)
            keys += len(given) - given.count(None)
            opened += 1
        for section in (document.workload, document.environment, document.observations):
            if section.__class__ is dict:
                keys += len(section)
                opened += 1
    return keys if opened == mappings else sum(map(_keys, documents))


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
    """Return how many keys a decoded line had at least, without that of its schema."""
    found = 0
    for name in _FIELDS:
        value = getattr(document, name)
        if value is None:
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
