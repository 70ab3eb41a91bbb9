r"""Reading YAML and JSON files: plain data, the place of every key and value, and problems as messages.

The meaning is that of YAML 1.2 (``scalars``). A file is bounded in bytes, nesting and aliases, so that a hostile one
costs no more than an honest one.

>>> document, messages = read_yaml("- id: a\n  when: 1e3\n", file="rules/a.yaml")
>>> document.data, document.place((0, "when"))
([{'id': 'a', 'when': 1000.0}], (2, 9))
"""

from __future__ import annotations

import codecs
import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from dam_expert.documents.files import NotAFileError, open_file
from dam_expert.documents.messages import Level, Message
from dam_expert.documents.observations import Origin
from dam_expert.kb.nodes import Builder, Data, Place, Refused
from dam_expert.kb.quick import Starts, quick_data
from dam_expert.kb.recovery import MOST, MOST_READ, without_entry
from dam_expert.kb.syntax import syntax_message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_BYTES = 16 * 1024 * 1024

_FORBIDDEN: re.Pattern[str] = yaml.reader.Reader.NON_PRINTABLE  # what YAML 1.2.2, 5.1 does not allow
_ESCAPED_PAIR = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_LINE_ENDS = {0x85: "\\x85", 0x2028: "\\u2028", 0x2029: "\\u2029"}
_MARKS = {codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16", codecs.BOM_UTF32_BE: "UTF-32"}


class _Places:
    """Where everything in a document stands, found in its text when it is first asked for."""

    def __init__(self, text: str, starts: Starts) -> None:
        self._text = text
        self._starts = starts
        self._root: Place | None = None

    def start(self, path: Sequence[str | int]) -> tuple[int, int] | None:
        """Return line and column of an entry; None for what is none."""
        return self._starts.get((path[0], path[1])) if len(path) == 2 else None

    @property
    def root(self) -> Place:
        """The place of the document."""
        if self._root is None:
            made = Builder("").build(_events(self._text))
            self._root = Place(1, 1) if made is None else made[1]
        return self._root


@dataclasses.dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document that was read: its plain data (to be left unchanged), and where everything in it stands."""

    file: str
    data: Data
    places: Place | _Places
    aside: tuple[str, ...] | None = None
    """The ids of entries that were put aside for their syntax, where all could be seen."""

    def place(self, path: Sequence[str | int], *, key: bool = False) -> tuple[int, int]:
        """Return line and column, from 1, of a value or of its key.

        A path that does not exist gives the nearest enclosing place: a missing key is reported at its mapping.
        """
        places = self.places
        if isinstance(places, _Places):
            start = None if key else places.start(path)
            if start is not None:
                return start
        at = places.root if isinstance(places, _Places) else places
        for depth, step in enumerate(path):
            if key and depth == len(path) - 1 and isinstance(step, str) and step in at.keys:
                return at.keys[step]
            inner = at.children.get(step)
            if inner is None:
                break
            at = inner
        return at.line, at.column

    def data_at(self, path: Sequence[str | int]) -> Data:
        """Return what stands at a path, or None where nothing does."""
        return inside(self.data, path)

    def origin(self, path: Sequence[str | int]) -> Origin:
        """Return file and line of a value, as observations keep them."""
        return Origin(file=self.file, line=self.place(path)[0])

    def message(
        self,
        path: Sequence[str | int],
        *,
        code: str,
        text: str,
        hint: str | None = None,
        level: Level = Level.ERROR,
        key: bool = False,
    ) -> Message:
        """Return a message about a value of this document, or about its key."""
        line, column = self.place(path, key=key)
        return Message(file=self.file, line=line, column=column, level=level, code=code, text=text, hint=hint)


def inside(data: Data, path: Sequence[str | int]) -> Data:
    """Return what stands at a path of some data, or None where nothing does."""
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def read_yaml(
    source: Path | str, *, file: str | None = None, entries: bool = False, first_counts: bool = True
) -> tuple[SourceDocument | None, list[Message]]:
    """Read a file (a Path) or a text (a str) as YAML or JSON; never raises for what is in it.

    With ``entries`` a syntax error costs a list of entries the one that holds it, and not the file.

    ``file`` is the name used in messages. The document is None where nothing could be used; where one is returned
    beside errors, what they concern is left out of its data and the rest stands. Of a key that stands twice the first
    value counts; unless ``first_counts``, neither of two that differ does.
    """
    name = file if file is not None else str(source) if isinstance(source, Path) else "<text>"
    try:
        text = _text(_content(source, name), name) if isinstance(source, Path) else _checked(source, name)
        quick = _quickly(text, name) if entries else None
        if quick is not None:
            return quick, []
        document, messages = _parsed(text, name, first_counts=first_counts)
    except Refused as refused:
        return None, [refused.message]
    return _parsed_on(text, name, messages) if document is None and entries else (document, messages)


def _parsed_on(text: str, file: str, messages: list[Message]) -> tuple[SourceDocument | None, list[Message]]:
    """Put entries with errors of syntax aside until the rest can be read; none of it where that leads nowhere."""
    first, said, names = messages, list(messages), []
    for _ in range(min(MOST, MOST_READ // max(len(text), 1))):
        errors = [each for each in messages if each.code == "yaml-syntax" and each.line is not None]
        aside = without_entry(text, errors[-1].line or 1) if errors else None
        if aside is None or aside.text == text:
            return None, first
        text = aside.text
        names.append(aside.id)
        document, messages = _parsed(text, file, first_counts=True)
        said += [each for each in messages if each not in said]
        if document is not None:
            seen = tuple(name for name in names if name is not None)
            return dataclasses.replace(document, aside=seen if len(seen) == len(names) else None), said
    return None, first


def _quickly(text: str, file: str) -> SourceDocument | None:
    """Return a document of entries in which nothing needs a closer look; None for any other."""
    try:
        found = quick_data(yaml.CSafeLoader(_as_yaml(text)).get_event)
    except yaml.YAMLError:
        return None
    return None if found is None else SourceDocument(file, found[0], _Places(text, found[1]))


def _events(text: str) -> Iterator[yaml.Event]:
    return iter(yaml.CSafeLoader(_as_yaml(text)).get_event, None)


def _parsed(text: str, file: str, *, first_counts: bool) -> tuple[SourceDocument | None, list[Message]]:
    builder = Builder(file, first_counts=first_counts)
    try:
        made = builder.build(_events(text))
    except Refused:
        return None, builder.messages
    except yaml.MarkedYAMLError as error:
        return None, [*builder.messages, syntax_message(error, file=file, text=text)]
    if made is None:
        return None, [*builder.messages, _message(file, "empty", "the document is empty")]
    return SourceDocument(file, *made), builder.messages


def _as_yaml(text: str) -> str:
    """Rewrite what JSON and YAML read differently: surrogate pairs, and the line ends that only YAML knows."""
    if text.lstrip()[:1] not in {"{", "["}:
        return text
    return _ESCAPED_PAIR.sub(_joined, text.translate(_LINE_ENDS))


def _joined(pair: re.Match[str]) -> str:
    high, low = int(pair[1], 16) - 0xD800, int(pair[2], 16) - 0xDC00
    return f"\\U{0x10000 + (high << 10) + low:08x}"


def _message(
    file: str, code: str, text: str, hint: str | None = None, *, line: int | None = None, column: int | None = None
) -> Message:
    return Message(file=file, line=line, column=column, level=Level.ERROR, code=code, text=text, hint=hint)


def _content(path: Path, file: str) -> bytes:
    """Return the bytes of a regular file of bounded size. Raises Refused."""
    try:
        with open_file(path) as stream:
            content = stream.read(MAX_BYTES + 1)
    except NotAFileError as error:
        raise Refused(_message(file, "not-a-file", error.text, "name a file")) from None
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Refused(_message(file, "unreadable", f"the file cannot be read: {said}")) from None
    if len(content) > MAX_BYTES:
        raise Refused(_message(file, "too-large", f"the file is larger than {MAX_BYTES >> 20} MiB", "split it"))
    return content


def _text(content: bytes, file: str) -> str:
    """Decode UTF-8, with or without a byte order mark. Raises Refused."""
    for mark, encoding in _MARKS.items():
        if content.startswith(mark):
            raise Refused(_message(file, "encoding", f"the file is {encoding}", "save it as UTF-8"))
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return _checked(content.decode("utf-8"), file)
    except UnicodeDecodeError as error:
        before = content[: error.start]
        if b"\x00" in content:
            raise Refused(_message(file, "binary", "this is a binary file, not YAML")) from None
        line, column = before.count(b"\n") + 1, len(before.rsplit(b"\n", 1)[-1].decode("utf-8")) + 1
        said = f"byte 0x{content[error.start]:02x} is not UTF-8 text"
        raise Refused(_message(file, "encoding", said, "save the file as UTF-8", line=line, column=column)) from None


def _checked(text: str, file: str) -> str:
    """Refuse characters that no YAML file may hold. Raises Refused."""
    if len(text) > MAX_BYTES:
        raise Refused(_message(file, "too-large", f"the text is larger than {MAX_BYTES >> 20} MiB", "split it"))
    found = _FORBIDDEN.search(text)
    if found is None:
        return text
    if "\x00" in text:
        raise Refused(_message(file, "binary", "this is a binary file, not YAML"))
    before = text[: found.start()]
    line, column = before.count("\n") + 1, len(before.rsplit("\n", 1)[-1]) + 1
    said = f"the control character U+{ord(found.group()):04X} is not allowed"
    raise Refused(_message(file, "control-character", said, "remove it", line=line, column=column))
