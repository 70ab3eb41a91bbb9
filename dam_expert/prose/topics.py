"""What a report is about: the words that point at a component or phenomenon, weighed by where and how they stand.

The result is a weight from 0 to 1 per topic, relative to the strongest one; 0 where the report only rules it out.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from typing import TYPE_CHECKING

from dam_expert.prose.denials import is_fine, is_no_problem, is_part_denied, is_partly_full
from dam_expert.prose.features import is_in_use
from dam_expert.prose.passages import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.understood import Span
    from dam_expert.prose.vocabulary import Pointing, Vocabulary
    from dam_expert.prose.words import Mention


@dataclasses.dataclass(frozen=True, slots=True)
class Pointed:
    """A topic with its weight and the words that point at it, the first ones in the report."""

    topic: str
    weight: float
    spans: tuple[Span, ...]
    words: tuple[str, ...]


@dataclasses.dataclass(slots=True)
class TopicScale:
    """Gathers what sentence after sentence points at."""

    vocabulary: Vocabulary
    weights: dict[str, dict[int, float]] = dataclasses.field(default_factory=lambda: defaultdict(dict))
    against: dict[str, dict[int, float]] = dataclasses.field(default_factory=lambda: defaultdict(dict))
    """What is said not to be there: it counts against a topic as much as it would for it."""
    denied: set[str] = dataclasses.field(default_factory=set)
    spans: dict[str, list[Span]] = dataclasses.field(default_factory=lambda: defaultdict(list))
    words: dict[str, list[str]] = dataclasses.field(default_factory=lambda: defaultdict(list))

    def take(self, sentence: Sequence[Statement], place: float, span: Callable[[int, int], Span]) -> None:
        """Weigh the clauses of one sentence that stands at a place of this weight."""
        switched = any(each.has("switched") for each in sentence)
        for meaning, places in self.vocabulary.topics.find([each.words for each in sentence]):
            exceptions = self.vocabulary.exceptions.get(meaning.topic)
            if exceptions is not None and any(exceptions.find(sentence[at].words) for at, _ in places):
                continue
            if switched and len(places) == 1 and is_in_use(places[0][1], places[0][0], sentence, self.vocabulary):
                continue
            self._count(meaning, [(sentence[at], mention) for at, mention in places], place, span)

    def _count(
        self,
        meaning: Pointing,
        found: list[tuple[Statement, Mention[int]]],
        place: float,
        span: Callable[[int, int], Span],
    ) -> None:
        (statement, mention), weights = found[0], self.vocabulary.weights
        if any(each.excludes(own.first) or is_no_problem(each, own) for each, own in found):
            self.denied.add(meaning.topic)
            return
        if any(is_partly_full(each, own) for each, own in found):
            return
        denied = len(found) == 1 and is_fine(statement, mention)
        if len(found) > 1 and any(is_part_denied(each, own, [part for _, part in found]) for each, own in found):
            return
        size = sum(each.after - each.first for _, each in found)
        weight = place * (weights.hint if meaning.hint else 1.0) * (1.0 + weights.longer * (size - 1))
        if statement.is_question or statement.has("hedge"):
            weight *= weights.hedged
        known = (self.against if denied else self.weights)[meaning.topic]
        known[meaning.phrase] = max(known.get(meaning.phrase, 0.0), weight)
        if denied:
            return
        self.spans[meaning.topic] += [span(each.start, each.end) for _, each in found]
        self.words[meaning.topic] += [statement.text[each.start : each.end] for _, each in found]

    def pointed(self) -> Iterator[Pointed]:
        """Yield what the whole report points at, the strongest first, then what it rules out."""
        sums = {
            topic: max(0.0, sum(found.values()) - sum(self.against[topic].values()))
            for topic, found in self.weights.items()
        }
        most = max([self.vocabulary.weights.least, *sums.values()])
        for topic, weight in sorted(sums.items(), key=lambda each: (-each[1], each[0])):
            if topic not in self.denied and weight > 0 and weight / most >= self.vocabulary.weights.told:
                words = tuple(dict.fromkeys(self.words[topic]))
                yield Pointed(topic, weight / most, tuple(dict.fromkeys(self.spans[topic])), words)
        for topic in sorted(self.denied):
            yield Pointed(topic, 0.0, (), ())


def place_weight(kind: Kind, vocabulary: Vocabulary, *, leads: bool, largest: bool) -> float:
    """Return how much words in a passage of this kind count.

    ``leads``: it is the first under the title; ``largest``: it holds the largest time of its list.
    """
    weights = vocabulary.weights
    if kind is Kind.TITLE:
        return weights.title
    if kind is Kind.HEADING:
        return weights.heading
    if kind in (Kind.CODE, Kind.TABLE):
        return weights.code
    return weights.lead if leads else weights.largest if largest else weights.body
