"""Values of the report's own metric in another case: ``tokens per s after: 9`` beside ``tokens per s: 2.5``.

Where one lever is all that the two cases differ by, their ratio is what trying it did. The lever stands in the label
(``throughput persistent workers: 9.5``), or in the sentence before (``With physical cores only:``) and the label says
no more than that it is after the change. Compared is with the metric's plain value, else with its value before or
without. Two levers, or a metric with two such values, compare nothing.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from dam_expert.documents.incident import Tried
from dam_expert.documents.intervals import Interval
from dam_expert.prose.words import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dam_expert.documents.observations import Origin
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Token

#: Words of a label that say no more than that something was changed, beside those for the present state.
_CHANGED: Final = frozenset({"fix", "fixed", "change", "changed", "patch", "patched", "applied"})
#: Words of a label that take a lever back.
_LACKING: Final = frozenset({"without", "no", "off", "disabled", "non"})


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One value of a metric, the words of its label beside the metric and levers, and the levers that it names."""

    measurement: str
    value: Interval
    words: frozenset[str]
    levers: frozenset[str]
    changed: bool
    origin: Origin


def case_of(
    measurement: str, value: Interval, rest: Sequence[Token], named: frozenset[str], origin: Origin, words: Vocabulary
) -> Case:
    """Return the case that a label states; ``named`` are the levers of the sentence before it."""
    mentions = words.levers.find(rest)
    inside = {place for mention in mentions for place in range(mention.first, mention.after)}
    levers = frozenset(mention.meaning for mention in mentions)
    others = {token.word for place, token in enumerate(rest) if place not in inside}
    stems = {mark: frozenset(stem(word) for word in words.words_of[mark]) for mark in ("now", "before")}
    before = others & (stems["before"] | frozenset(map(stem, _LACKING)))
    after = frozenset() if before else others & (stems["now"] | frozenset(map(stem, _CHANGED)))
    return Case(
        measurement=measurement,
        value=value,
        words=frozenset(others - after - before),
        levers=frozenset() if before else levers or (named if after else frozenset()),
        changed=bool(levers or after) and not before,
        origin=origin,
    )


def levers_of(sentence: Sequence[Statement], vocabulary: Vocabulary) -> frozenset[str]:
    """Return the levers that a sentence says were applied; a question, plan or condition applies none."""
    if not all(each.is_of_this_job for each in sentence):
        return frozenset()
    return frozenset(
        mention.meaning
        for each in sentence
        for mention in vocabulary.levers.find(each.words)
        if not each.negated(mention.first)
    )


def take_effects(collected: Collected) -> None:
    """Compare the cases of a report and take what a lever did to its metric as tried, instead of words for it."""
    effects: dict[str, list[tuple[Interval, Origin]]] = defaultdict(list)
    for case in collected.cases:
        base = _base(case, collected) if case.changed and len(case.levers) == 1 else None
        effect = None if base is None else _effect(case, base, collected.vocabulary)
        if effect is not None:
            effects[next(iter(case.levers))].append((effect, case.origin))
    for lever, found in effects.items():
        both = Interval(min(each.lo for each, _ in found), max(each.hi for each, _ in found))
        collected.tried[:] = [each for each in collected.tried if each.lever != lever]
        collected.tried.append(Tried(lever=lever, effect=both, origin=found[0][1]))


def _base(case: Case, collected: Collected) -> Interval | None:
    """Return the value of the same metric without the lever, or None where none or more than one is stated."""
    plain = [
        finding.observation.value
        for finding in collected.findings
        if finding.observation.measurement == case.measurement and not finding.observation.scope
    ]
    if plain and not case.words:
        return _only(value for value in plain if isinstance(value, Interval))
    return _only(
        other.value
        for other in collected.cases
        if other.measurement == case.measurement and not other.changed and other.words == case.words
    )


def _only(values: Iterable[Interval]) -> Interval | None:
    found = {(value.lo, value.hi): value for value in values}
    return next(iter(found.values())) if len(found) == 1 else None


def _effect(case: Case, base: Interval, vocabulary: Vocabulary) -> Interval | None:
    """Return the improvement as a factor above 1; only of metrics of time, for which a factor is a gain."""
    measurement = vocabulary.base.measurements[case.measurement]
    if measurement.model.track != "time" or min(case.value.lo, base.lo) <= 0.0:
        return None
    return case.value / base if measurement.higher_is_better else base / case.value
