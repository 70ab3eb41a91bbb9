"""Lines whose names and words are decoded straight into numbers.

A value of most documents is a number or one of a few words under one of some hundred names. Names and words that
occurred before are members of enumerations that are floats: those of names are the numbers of their measurements, those
of words are NaN, which JSON cannot say, with the number of the word in its bits. So whole sections become arrays
without a look at their values. A line in which anything else stands is read as :mod:`dam_expert.batch.plain` reads it,
and what is new in it is learnt.
"""

from __future__ import annotations

import enum
import struct
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import numpy as np

from dam_expert.batch.meanings import UNKNOWN
from dam_expert.batch.plain import made_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy.typing as npt

    from dam_expert.batch.loading import Loader
    from dam_expert.batch.parts import Parts
    from dam_expert.engine.block.spans import Floats, Places

_WORDS: Final = 4096
"""Names and words that are learnt; more is no vocabulary but data."""

_LONGEST: Final = 100
"""Characters of a word; what is longer is a text, which hardly occurs twice."""

_LESSONS: Final = 64
"""How often something is learnt at most: each time takes as long as some thousand incidents."""

_FLAGS: Final[dict[bool, int]] = {True: 1, False: 2}
"""The numbers of what is no word."""

_NAN: Final = 0x7FF8000000000000
_NUMBER: Final = np.uint64(0xFFFFFFFF)


class _Member(float, enum.Enum):
    """A text as a float. The text is what is compared with, the float what it becomes; members are told by identity."""

    def __new__(cls, text: str, number: float) -> _Member:
        """Return a member for a text."""
        made = float.__new__(cls, number)
        made._value_ = text
        return made

    __hash__ = object.__hash__
    __eq__ = object.__eq__


class Values(NamedTuple):
    """Values of sections: by value its measurement, its document, and the number or NaN with the number of a word."""

    codes: npt.NDArray[np.uint16]
    owners: Places
    numbers: Floats


class CodedDecoder:
    """Decodes lines of which every name and word is known; ``words`` are those by their number."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._names = {m.id: number for number, m in enumerate(loader.measurements)}
        self.words: list[str | bool | None] = [None, *_FLAGS]
        self._numbers: dict[str, int] = {}
        self._flags = False
        """Whether flags that are no words occurred: to tell them from 0 and 1 takes a look at both."""
        self._free: tuple[str, ...] = ()
        self._left = _LESSONS
        self._decoder: msgspec.json.Decoder[Any] | None = None

    def lines(self, content: bytes | memoryview, free: tuple[str, ...]) -> list[Any] | None:
        """Decode lines, with some free keys; None where something in them is not known or not plain."""
        if not self._left:
            return None
        if self._decoder is None or free != self._free:
            self._free = free
            self._make()
        try:
            return None if self._decoder is None else self._decoder.decode_lines(content)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    def learn(self, documents: Iterable[Any]) -> None:
        """Learn the names and words of plain documents that could not be decoded."""
        known = len(self._names) + len(self._numbers)
        for document in documents:
            for section in (document.workload, document.environment, document.observations):
                for name, value in section.items() if section.__class__ is dict else ():
                    if name not in self._names and (code := self._loader.codes[name]) != UNKNOWN:
                        self._names[name] = code
                    if value.__class__ is str and self._is_new(value):
                        self._numbers[value] = len(self.words)
                        self.words.append(value)
                    elif value.__class__ is bool and not self._flags:
                        self._flags, self._decoder = True, None
        if known < len(self._names) + len(self._numbers) and len(self._names) < _WORDS:
            self._decoder = None
        self._left -= 1

    def _is_new(self, word: str) -> bool:
        return word not in self._numbers and len(word) <= _LONGEST and len(self._numbers) < _WORDS

    def values(self, parts: Parts, first: int) -> Values:
        """Return the values of documents that were decoded here, of which the first has that number."""
        sections, owners = parts.sections(first)
        size = len(owners)
        codes = _floats(chain.from_iterable(sections), size).astype(np.uint16)
        if not self._flags:
            return Values(codes, owners, _floats(chain.from_iterable(map(dict.values, sections)), size))
        given = list(chain.from_iterable(map(dict.values, sections)))
        numbers = _floats(given, size)
        for place in np.flatnonzero((numbers == 0.0) | (numbers == 1.0)).tolist():
            if given[place].__class__ is bool:
                numbers[place] = _nan(_FLAGS[given[place]])
        return Values(codes, owners, numbers)

    def _make(self) -> None:
        names, words = _members("Name", self._names), _members("Word", {w: _nan(n) for w, n in self._numbers.items()})
        value: Any = float | None
        if self._flags:
            value |= bool
        section: Any = dict.__class_getitem__((names, value | words if self._numbers else value)) | None
        fields = dict.fromkeys(("workload", "environment", "observations"), section)
        self._decoder = msgspec.json.Decoder(made_line(self._free, fields))


def word_numbers(numbers: Floats) -> npt.NDArray[np.int64]:
    """Return the numbers of the words in NaN; what is no word but not known at all has the number 0."""
    return (numbers.view(np.uint64) & _NUMBER).astype(np.int64)


def _floats(given: Iterable[float | None], size: int) -> Floats:
    """Return floats as an array, None as NaN; packing takes a third of the time of ``np.fromiter``."""
    values = list(given)
    try:
        return np.frombuffer(bytearray(struct.pack(f"{size}d", *values)))
    except struct.error:
        return np.fromiter(values, float, size)


def _nan(number: int) -> float:
    found: float = struct.unpack("<d", struct.pack("<Q", _NAN | number))[0]
    return found


def _members(name: str, numbers: Mapping[str, float]) -> Any:  # noqa: ANN401  (an enumeration)
    members: Any = {f"m{place}": item for place, item in enumerate(numbers.items())}
    return _Member(name, members)
