"""Words of a text as they are compared: lower case, light English endings gone, each Chinese character by itself.

>>> [token.word for token in tokens("GPU utilisation is 35 %, num_workers=0")]
['gpu', 'utilisation', 'is', '35', 'num', 'worker', '0']
>>> [token.word for token in tokens("显存不足")]
['显', '存', '不', '足']
>>> [token.word for token in tokens("换成本地盘")]
['换成', '本', '地', '盘']
"""

from __future__ import annotations

import bisect
import dataclasses
import functools
import re
import unicodedata
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: The ending of *the server's* is no word; that of *steps/s* is one.
_POSSESSIVE = re.compile(r"(?<=[^\W\d_])['’]s\b")
#: A verb that ends on 成 is one word: in 换成本地盘 nothing is said of 成本.
_TOKEN = re.compile(r"[换改变切转]成|[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
#: Behind such a mark another clause begins; inside of numbers and names (3.1, tf.data) there is none. A colon before a
#: number parts a label from its value.
_CLAUSE_MARK = re.compile(r"[,;.](?=\s)|:(?=\s+[^\s\d])|[、，。；：]")
_LONGEST = 60
"""A longer run of letters is no word (a hash, an encoded blob)."""
_SHORTEST_STEM = 4
_SHORTEST_PLURAL = 4
"""A shorter word on -s is an abbreviation (TPS, bus), no plural."""
_NOT_PLURAL = ("ss", "is")
_LATIN_US = 4
"""A longer word on -us (status, bonus) is no plural."""
_FILLERS = """
    a an the of to is are was were be been being its it this that these those our my your their his we i you they
    has have had do does did very really quite just only even still also there here
"""
#: Words that say nothing about what is spoken of; phrases match across them.
FILLERS = frozenset(_FILLERS.split())

_T = TypeVar("_T")


@dataclasses.dataclass(frozen=True, slots=True)
class Token:
    """One word of a text: as it is compared, and where it stands. ``clause`` counts the clause marks before it."""

    word: str
    start: int
    end: int
    clause: int = 0


@functools.lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return a word as it is compared.

    >>> stem("workers"), stem("GPUs"), stem("loss"), stem("starved"), stem("stalls")
    ('worker', 'gpu', 'loss', 'starv', 'stall')
    """
    text = word.casefold()
    if not text.isascii() or text.isdigit():
        return text
    if text.endswith(("ing", "ings", "ed", "ies")) and len(text) > _SHORTEST_STEM + 2:
        for ending in ("ings", "ing", "ied", "ies", "ed"):
            if text.endswith(ending):
                base = text.removesuffix(ending) + ("y" if ending in ("ied", "ies") else "")
                return base[:-1] if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "sl" else base
    latin = text.endswith("us") and len(text) > _LATIN_US
    if len(text) >= _SHORTEST_PLURAL and text.endswith("s") and not text.endswith(_NOT_PLURAL) and not latin:
        text = text[:-1]
    if len(text) > _SHORTEST_STEM and text.endswith("e"):
        return text[:-1]
    return text


@functools.lru_cache(maxsize=32)
def tokens(text: str) -> tuple[Token, ...]:
    """Return the words of a text in order; a passage is looked at several times, one after the other."""
    plain = unicodedata.normalize("NFC", text)
    if len(plain) != len(text):
        plain = text  # positions must stay those of the text
    plain = _POSSESSIVE.sub("  ", plain)
    marks = [match.start() for match in _CLAUSE_MARK.finditer(plain)]
    return tuple(
        Token(stem(match[0]), match.start(), match.end(), bisect.bisect(marks, match.start()))
        for match in _TOKEN.finditer(plain)
        if match.end() - match.start() <= _LONGEST
    )


def significant(found: Iterable[Token]) -> list[Token]:
    """Return the words that are not mere fillers."""
    return [token for token in found if token.word not in FILLERS]


@dataclasses.dataclass(frozen=True, slots=True)
class Mention(Generic[_T]):
    """A phrase that was found, with what it stands for, in characters and in words of the text."""

    meaning: _T
    start: int
    end: int
    first: int
    after: int


def places_of(mentions: Iterable[Mention[Any]]) -> set[int]:
    """Return the places of the words that some mentions hold."""
    return {place for mention in mentions for place in range(mention.first, mention.after)}


class Phrases(Generic[_T]):
    """A set of phrases with their meanings, found in a text in time linear in its length; none across a clause mark.

    >>> phrases = Phrases([("data loader", "loader"), ("loader", "any")])
    >>> [found.meaning for found in phrases.find(tokens("The data-loaders wait"))]
    ['loader']
    """

    def __init__(self, entries: Iterable[tuple[str, _T]]) -> None:
        self._by_words: dict[tuple[str, ...], list[_T]] = {}
        sizes: dict[str, set[int]] = {}
        for phrase, meaning in entries:
            words = tuple(token.word for token in significant(tokens(phrase)))
            known = self._by_words.setdefault(words, []) if words else []
            if words and meaning not in known:
                known.append(meaning)
                sizes.setdefault(words[0], set()).add(len(words))
        #: The lengths of the phrases that begin with a word, the longest first.
        self._sizes = {word: tuple(sorted(found, reverse=True)) for word, found in sizes.items()}

    def __iter__(self) -> Iterator[tuple[tuple[str, ...], _T]]:
        """Yield the words of each phrase with each of its meanings."""
        return ((words, meaning) for words, meanings in self._by_words.items() for meaning in meanings)

    def find(self, words: Sequence[Token]) -> list[Mention[_T]]:
        """Return the mentions of a text's significant words, the longest at each place, none inside another."""
        sizes = self._sizes
        plain = tuple([token.word for token in words])
        found: list[Mention[_T]] = []
        if sizes.keys().isdisjoint(plain):
            return found
        after = 0
        for place, word in enumerate(plain):
            own = sizes.get(word)
            if own is None or place < after:
                continue
            for size in own:
                meanings = self._by_words.get(plain[place : place + size])
                if meanings is not None and _together(words, place, size):
                    after = place + size
                    start, end = words[place].start, words[after - 1].end
                    found += [Mention(meaning, start, end, place, after) for meaning in meanings]
                    break
        return found

    def overlapping(self, words: Sequence[Token]) -> list[Mention[_T]]:
        """Return every mention, also those that lie inside of longer ones."""
        sizes = self._sizes
        plain = tuple([token.word for token in words])
        found: list[Mention[_T]] = []
        if sizes.keys().isdisjoint(plain):
            return found
        for place, word in enumerate(plain):
            own = sizes.get(word)
            if own is None:
                continue
            for size in reversed(own):
                meanings = self._by_words.get(plain[place : place + size])
                if meanings is not None and _together(words, place, size):
                    start, end = words[place].start, words[place + size - 1].end
                    found += [Mention(meaning, start, end, place, place + size) for meaning in meanings]
        return found


def _together(words: Sequence[Token], place: int, size: int) -> bool:
    """Whether so many words stand at a place, in one clause: *slow, GPU idle* tells of no slow device."""
    return place + size <= len(words) and words[place].clause == words[place + size - 1].clause
