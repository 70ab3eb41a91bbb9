"""From the events of the YAML parser to plain data with the place of every key and value.

Events are consumed one by one without recursion, so that nesting and aliases are bounded here and nowhere else.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, TypeAlias

import yaml

from dam_expert.documents.messages import Level, Message
from dam_expert.kb.scalars import Scalar, ScalarError, resolved

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_DEPTH = 64
MAX_NODES = 500_000  # aliases count with all that they stand for

Data: TypeAlias = Any  # dict[str, Data] | list[Data] | Scalar; recursive aliases do not survive pydantic and mypy

_TAG = "tag:yaml.org,2002:"
_TEXT_TAGS = frozenset({"!", _TAG + "str"})
_SCALAR_TAGS: dict[str, tuple[type, ...]] = {
    _TAG + "int": (int,),
    _TAG + "float": (int, float),
    _TAG + "bool": (bool,),
    _TAG + "null": (type(None),),
}
_CONTAINER_TAGS = frozenset({None, "!", _TAG + "map", _TAG + "seq"})


@dataclasses.dataclass(slots=True)
class Place:
    """Where a value stands (from 1), where its keys stand, and the places of what it holds."""

    line: int
    column: int
    keys: dict[str, tuple[int, int]] = dataclasses.field(default_factory=dict)
    children: dict[str | int, Place] = dataclasses.field(default_factory=dict)


#: What scalars hold, which nothing is ever put into.
_NO_KEYS: dict[str, tuple[int, int]] = {}
_NO_CHILDREN: dict[str | int, Place] = {}


@dataclasses.dataclass(slots=True)
class _Made:
    """A finished value: its data and place, how many nodes it stands for and how deep it goes."""

    data: Data
    place: Place
    size: int = 1
    height: int = 0
    is_key: bool = True
    """Whether it may be the key of a mapping."""


@dataclasses.dataclass(slots=True)
class _Open:
    """A list or mapping that is being filled."""

    data: list[Data] | dict[str, Data]
    place: Place
    anchor: str | None
    size: int = 1
    height: int = 0
    key: str | None = None
    waits_for_value: bool = False
    again: str | None = None
    """The key that stood here before and whose second value comes next."""
    doubtful: set[str] = dataclasses.field(default_factory=set)
    """Keys that stand here twice with different values."""


class Refused(Exception):  # noqa: N818  (not an error of the program: the document is refused)
    """The document cannot be used at all; carries the message."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.text)
        self.message = message


class _FullError(Exception):
    """As many values as are read have been read."""


class Builder:
    """Builds one document from parser events. Problems that leave the rest usable are collected in ``messages``.

    Of a key that stands twice the first value counts; unless ``first_counts``, neither of two that differ does.
    """

    def __init__(self, file: str, *, first_counts: bool = True) -> None:
        self._first_counts = first_counts
        self.messages: list[Message] = []
        self._file = file
        self._open: list[_Open] = []
        self._anchors: dict[str, _Made | None] = {}
        self._root: _Made | None = None
        self._nodes = self._copied = 0

    def build(self, events: Iterable[yaml.Event]) -> tuple[Data, Place] | None:
        """Return data and place of the first document, None where there is none. Raises Refused or a parser error."""
        try:
            self._take(events)
        except _FullError:
            self._close()
        return (self._root.data, self._root.place) if self._root else None

    def _take(self, events: Iterable[yaml.Event]) -> None:
        documents = 0
        for event in events:
            if type(event) is yaml.ScalarEvent and self._takes(event):
                continue
            if isinstance(event, yaml.StreamEndEvent):
                break
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._say(event, "several-documents", "a second document begins here", "use one file for each")
                    break
            elif isinstance(event, yaml.ScalarEvent):
                self._finish(self._scalar(event), event.anchor, event)
            elif isinstance(event, yaml.AliasEvent):
                self._finish(self._alias(event), None, event)
            elif isinstance(event, yaml.SequenceStartEvent | yaml.MappingStartEvent):
                self._begin(event)
            elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
                self._end(event)

    def _takes(self, event: yaml.ScalarEvent) -> bool:
        """Take a scalar as nearly all are, without anchor and tag; say whether nothing about it needs a closer look.

        It does by itself what :meth:`_scalar`, :meth:`_finish` and :meth:`_attach` do, in a third of the time: a base
        has some sixty thousand of them.
        """
        mark = event.start_mark
        if event.tag is not None or event.anchor is not None or mark is None:
            return False
        if not self._open or self._nodes >= MAX_NODES:
            return False
        parent = self._open[-1]
        value: Scalar = event.value
        if event.implicit[0]:
            try:
                value = resolved(event.value)
            except ScalarError:
                return False
        data, line, column = parent.data, mark.line + 1, mark.column + 1
        if isinstance(data, list):
            parent.place.children[len(data)] = Place(line, column, _NO_KEYS, _NO_CHILDREN)
            data.append(value)
        elif parent.waits_for_value:
            parent.waits_for_value = False
            if parent.key is not None:
                data[parent.key] = value
                parent.place.children[parent.key] = Place(line, column, _NO_KEYS, _NO_CHILDREN)
            elif parent.again is not None and data[parent.again] != value:
                parent.doubtful.add(parent.again)
        elif isinstance(value, str) and value not in data:
            parent.waits_for_value, parent.key = True, value
            parent.place.keys[value] = (line, column)
        else:
            return False
        parent.size += 1
        self._nodes += 1
        return True

    def _close(self) -> None:
        """Finish what is open: items of the outermost open list that are whole stay, the one at the end is dropped."""
        lists = [depth for depth, each in enumerate(self._open) if isinstance(each.data, list)]
        del self._open[lists[0] + 1 if lists else 1 :]
        while self._open:
            done = self._open.pop()
            self._drop_doubtful(done)
            self._attach(_Made(done.data, done.place, done.size, done.height + 1, is_key=False), None)

    def _say(self, event: yaml.Event, code: str, text: str, hint: str | None = None) -> Message:
        line, column = _where(event)
        message = Message(file=self._file, line=line, column=column, level=Level.ERROR, code=code, text=text, hint=hint)
        self.messages.append(message)
        return message

    def _refuse(self, event: yaml.Event, code: str, text: str, hint: str | None = None) -> Refused:
        return Refused(self._say(event, code, text, hint))

    def _scalar(self, event: yaml.ScalarEvent) -> _Made:
        """Return the value of a scalar, by its quotes, tag and text."""
        place = Place(*_where(event))
        if event.tag is None:
            plain = event.implicit[0]
            return _Made(self._resolved(event) if plain else event.value, place)
        if event.tag in _TEXT_TAGS:
            return _Made(event.value, place)
        types = _SCALAR_TAGS.get(event.tag)
        if types is None:
            self._say(event, "unknown-tag", f"the tag '{_short(event.tag)}' is not known", "remove it")
            return _Made(event.value, place)
        data = self._resolved(event)
        if type(data) not in types:
            self._say(event, "wrong-type", f"'{event.value}' is not what its tag '{_short(event.tag)}' says")
        return _Made(data, place)

    def _resolved(self, event: yaml.ScalarEvent) -> Scalar:
        try:
            return resolved(event.value)
        except ScalarError as error:
            self._say(event, "number-too-large", str(error))
            return None

    def _alias(self, event: yaml.AliasEvent) -> _Made:
        """Return what an alias stands for, at the place of the alias."""
        if event.anchor not in self._anchors:
            self._say(event, "unknown-anchor", f"no anchor is called '&{event.anchor}' before this", None)
            return _Made(None, Place(*_where(event)))
        target = self._anchors[event.anchor]
        if target is None:
            raise self._refuse(event, "alias-loop", f"'*{event.anchor}' contains itself", "write the value out")
        line, column = _where(event)
        place = Place(line, column, target.place.keys, target.place.children)
        return dataclasses.replace(target, place=place)

    def _begin(self, event: yaml.SequenceStartEvent | yaml.MappingStartEvent) -> None:
        if event.tag not in _CONTAINER_TAGS:
            self._say(event, "unknown-tag", f"the tag '{_short(event.tag)}' is not known", "remove it")
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        if len(self._open) >= MAX_DEPTH:
            raise self._refuse(event, "too-deep", f"more than {MAX_DEPTH} levels of nesting", "flatten the document")
        data: list[Data] | dict[str, Data] = {} if isinstance(event, yaml.MappingStartEvent) else []
        self._open.append(_Open(data, Place(*_where(event)), event.anchor))

    def _end(self, event: yaml.Event) -> None:
        done = self._open.pop()
        self._drop_doubtful(done)
        made = _Made(done.data, done.place, done.size, done.height + 1, is_key=False)
        self._finish(made, done.anchor, event)

    def _finish(self, made: _Made, anchor: str | None, event: yaml.Event) -> None:
        """Put a finished value where it belongs."""
        if anchor is not None:
            self._anchors[anchor] = made
        copied = made.size if isinstance(event, yaml.AliasEvent) else 0
        self._nodes, self._copied = self._nodes + max(copied, 1), self._copied + copied
        if self._nodes > MAX_NODES and self._copied > MAX_NODES // 2:
            text = f"more than {MAX_NODES} values, aliases written out"
            raise self._refuse(event, "too-large", text, "split the file")
        if self._nodes > MAX_NODES:
            self._say(event, "too-large", f"more than {MAX_NODES} values: the rest is not read", "split the file")
            raise _FullError
        if len(self._open) + made.height > MAX_DEPTH:
            raise self._refuse(event, "too-deep", f"more than {MAX_DEPTH} levels of nesting", "flatten the document")
        self._attach(made, event)

    def _attach(self, made: _Made, event: yaml.Event | None) -> None:
        if not self._open:
            self._root = made
            return
        parent = self._open[-1]
        parent.size += made.size
        parent.height = max(parent.height, made.height)
        if isinstance(parent.data, list):
            parent.place.children[len(parent.data)] = made.place
            parent.data.append(made.data)
        elif parent.waits_for_value:
            self._put(parent, parent.data, made)
        elif event is not None:
            self._take_key(parent, parent.data, made, event)

    def _take_key(self, parent: _Open, data: dict[str, Data], made: _Made, event: yaml.Event) -> None:
        """Remember the key of the value that comes next; a value without a usable key is left out."""
        parent.waits_for_value, parent.key, parent.again = True, None, None
        if not made.is_key:
            self._say(event, "key-not-text", "a list or mapping cannot be a key")
            return
        key = made.data
        if not isinstance(key, str):
            key = event.value if isinstance(event, yaml.ScalarEvent) else str(key)
            self._say(event, "key-not-text", f"the key {key or 'null'} is not text", f"write '{key}' in quotes")
        if key in data:
            line = parent.place.keys[key][0]
            self._say(event, "duplicate-key", f"the key '{key}' stands here twice", f"it is first on line {line}")
            parent.again = key
            return
        parent.key = key
        parent.place.keys[key] = (made.place.line, made.place.column)

    def _put(self, parent: _Open, data: dict[str, Data], made: _Made) -> None:
        parent.waits_for_value = False
        if parent.key is not None:
            data[parent.key] = made.data
            parent.place.children[parent.key] = made.place
        elif parent.again is not None and data[parent.again] != made.data:
            parent.doubtful.add(parent.again)

    def _drop_doubtful(self, done: _Open) -> None:
        """Leave out what was said twice and differently, where nobody knows which is meant."""
        if isinstance(done.data, dict) and not self._first_counts:
            for key in done.doubtful:
                del done.data[key]


def _where(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


def _short(tag: str | None) -> str:
    return (tag or "").replace(_TAG, "!!")
