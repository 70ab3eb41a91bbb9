"""Phrases of which every part must stand in one sentence, such as ``slower + after + upgrade``.

Common parts ("time", "step") belong to hundreds of phrases. Each phrase is looked up by its rarest part alone, and the
others only asked for: the work follows what a sentence says, not how many phrases share its words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from dam_expert.prose.words import Phrases, significant, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dam_expert.prose.words import Mention, Token


class Meaning(Protocol):
    """What a phrase stands for: ``phrase`` numbers it, ``parts`` counts what must stand together."""

    @property
    def phrase(self) -> int: ...  # noqa: D102 - said above
    @property
    def parts(self) -> int: ...  # noqa: D102


_M = TypeVar("_M", bound=Meaning)


class Combined(Generic[_M]):
    """A set of phrases of one or more parts with their meanings, given part by part."""

    def __init__(self, entries: Iterable[tuple[str, _M]]) -> None:
        numbers: dict[tuple[str, ...], int] = {}
        texts: list[tuple[str, int]] = []
        parts: dict[int, set[int]] = defaultdict(set)
        meanings: dict[int, _M] = {}
        for text, meaning in entries:
            words = tuple(token.word for token in significant(tokens(text)))
            if not words:
                continue
            if words not in numbers:
                numbers[words] = len(numbers)
                texts.append((text, numbers[words]))
            parts[meaning.phrase].add(numbers[words])
            meanings[meaning.phrase] = meaning
        uses = Counter(part for own in parts.values() for part in own)
        self._parts = Phrases(texts)
        self._by_rarest: dict[int, list[tuple[_M, frozenset[int]]]] = defaultdict(list)
        for phrase, own in parts.items():
            if len(own) >= meanings[phrase].parts:
                rarest = min(own, key=lambda part: (uses[part], part))
                self._by_rarest[rarest].append((meanings[phrase], frozenset(own)))

    def find(self, clauses: Sequence[Sequence[Token]]) -> list[tuple[_M, list[tuple[int, Mention[int]]]]]:
        """Return the phrases of which a sentence holds every part, in the order of the text.

        Each comes with the first mention of each part and the number of its clause.
        """
        present: dict[int, tuple[int, int, Mention[int]]] = {}
        for clause, words in enumerate(clauses):
            for mention in self._parts.overlapping(words):
                present.setdefault(mention.meaning, (len(present), clause, mention))
        found = []
        for part in present:
            for meaning, own in self._by_rarest.get(part, ()):
                if own <= present.keys():
                    places = sorted(present[each] for each in own)
                    found.append((places[0][0], meaning.phrase, meaning, [(at, mention) for _, at, mention in places]))
        found.sort(key=lambda each: each[:2])
        return [(meaning, places) for _, _, meaning, places in found]
