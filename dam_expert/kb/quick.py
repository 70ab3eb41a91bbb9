"""The plain data of a document as nearly all are: keys that are text and stand once, no anchors, no tags.

It gives what :class:`dam_expert.kb.nodes.Builder` gives, and leaves every other document to it. Nothing is written down
of where keys and values stand but where the entries of a knowledge file begin: that is asked of every entry, all other
places only where there is something to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import yaml

from dam_expert.kb.nodes import MAX_DEPTH, MAX_NODES, Data
from dam_expert.kb.scalars import ScalarError, resolved

if TYPE_CHECKING:
    from collections.abc import Callable

#: Line and column, from 1, by the key of a list and the place in it.
Starts: TypeAlias = dict[tuple[str | int, str | int], tuple[int, int]]

_ENTRY = 2
"""How many containers are open where an entry of a knowledge file begins: its mapping of lists, and the list."""
_ABSENT = object()


def quick_data(next_event: Callable[[], Any]) -> tuple[dict[str, Data], Starts] | None:
    """Return the data and where entries begin; None for a document that needs a closer look. Raises parser errors."""
    starts: Starts = {}
    for expected in (yaml.StreamStartEvent, yaml.DocumentStartEvent, yaml.MappingStartEvent):
        event = next_event()
        if type(event) is not expected:
            return None
    root: dict[str, Data] = {}
    if event.anchor is not None or event.tag is not None or not _fill(root, next_event, starts):
        return None
    next_event()  # the end of the document
    return (root, starts) if type(next_event()) is yaml.StreamEndEvent else None


def _fill(root: dict[str, Data], next_event: Callable[[], Any], starts: Starts) -> bool:
    """Fill the outermost mapping until it ends; say whether nothing in it needs a closer look.

    One loop with as little as can be in it: a base has a hundred thousand events. ``key`` is the one that waits for its
    value, None in a list, and ``_ABSENT`` in a mapping where the next scalar is a key.
    """
    scalar_event, ends = yaml.ScalarEvent, (yaml.MappingEndEvent, yaml.SequenceEndEvent)
    around: list[tuple[Any, Any]] = []  # what is open around the innermost container, each with its key
    data: Any = root
    key: Any = _ABSENT
    for _ in range(MAX_NODES):
        event = next_event()
        kind = type(event)
        if kind is scalar_event:
            value = _plain(event)
            if key is None and value is not _ABSENT:
                data.append(value)
            elif key is not _ABSENT and value is not _ABSENT:
                data[key] = value
                key = _ABSENT
            elif type(value) is str and value not in data:
                key = value
            else:
                return False
        elif kind in ends:
            if not around:
                return True
            data, key = around.pop()
            key = None if key is None else _ABSENT
        else:
            inner = None if key is _ABSENT or len(around) > MAX_DEPTH - 2 else _begun(event)
            if inner is None:
                return False
            if key is None:
                if len(around) == _ENTRY - 1:
                    starts[around[0][1], len(data)] = event.start_mark.line + 1, event.start_mark.column + 1
                data.append(inner)
            else:
                data[key] = inner
            around.append((data, key))
            data, key = inner, None if type(inner) is list else _ABSENT
    return False


def _plain(event: yaml.ScalarEvent) -> object:
    """Return the value of a scalar; ``_ABSENT`` for one that needs a closer look."""
    if event.tag is not None or event.anchor is not None:
        return _ABSENT
    try:
        return resolved(event.value) if event.implicit[0] else event.value
    except ScalarError:
        return _ABSENT


def _begun(event: Any) -> Data:  # noqa: ANN401  # the kind of event is what is asked
    """Return the container that an event begins; None where it begins none, or one that needs a closer look."""
    kind = type(event)
    if kind not in (yaml.MappingStartEvent, yaml.SequenceStartEvent):
        return None
    if event.tag is not None or event.anchor is not None:
        return None
    return {} if kind is yaml.MappingStartEvent else []
