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
Starts: TypeAlias = dict[tuple[str, int], tuple[int, int]]

_ENTRY = 2
"""How many containers are open where an entry of a knowledge file begins: its mapping of lists, and the list."""
_ABSENT = object()


def quick_data(next_event: Callable[[], yaml.Event]) -> tuple[dict[str, Data], Starts] | None:
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


def _fill(root: dict[str, Data], next_event: Callable[[], yaml.Event], starts: Starts) -> bool:
    """Fill the outermost mapping until it ends; say whether nothing in it needs a closer look.

    One loop with as little as can be in it: a base has a hundred thousand events.
    """
    scalar_event, mapping_start, sequence_start = yaml.ScalarEvent, yaml.MappingStartEvent, yaml.SequenceStartEvent
    held: list[tuple[Any, Any]] = []  # what is open around the innermost container, each with its key
    data: Any = root
    key: Any = _ABSENT
    count = 0
    while True:
        event = next_event()
        kind = type(event)
        if kind is scalar_event:
            value = event.value
            if event.tag is not None or event.anchor is not None:
                return False
            if event.implicit[0]:
                try:
                    value = resolved(value)
                except ScalarError:
                    return False
            count += 1
            if key is None:
                data.append(value)
            elif key is not _ABSENT:
                data[key] = value
                key = _ABSENT
            elif type(value) is str and value not in data:
                key = value
            else:
                return False
        elif kind is mapping_start or kind is sequence_start:
            if event.tag is not None or event.anchor is not None or key is _ABSENT or len(held) > MAX_DEPTH - 2:
                return False
            inner: Any = {} if kind is mapping_start else []
            if key is None:
                if len(held) == _ENTRY - 1:
                    mark = event.start_mark
                    starts[held[0][1], len(data)] = mark.line + 1, mark.column + 1
                data.append(inner)
            else:
                data[key] = inner
            held.append((data, key))
            data, key = inner, None if kind is sequence_start else _ABSENT
        elif isinstance(event, yaml.CollectionEndEvent):
            count += 1
            if count >= MAX_NODES:
                return False
            if not held:
                return True
            data, key = held.pop()
            if key is not None:
                key = _ABSENT
        else:
            return False
