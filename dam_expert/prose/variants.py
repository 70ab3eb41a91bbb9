"""Values of the report's own metric in another case: ``tokens per s after: 9`` beside ``tokens per s: 2.5``.

Where one lever is all that the two cases differ by, their ratio is what trying it did. The lever stands in the label
(``throughput persistent workers: 9.5``), or in the sentence before (``With physical cores only:``) and the label says
no more than that it is after the change. Compared is with the metric's plain value, else with its value before or
without. Two levers, or a metric with two such values, compare nothing. A case at one size (``after bs1``) is compared
with the case of that size, else with the plain value where that covers the size.

Only where both values stand by themselves, or under a heading of what was tried, does the ratio decide: elsewhere the
words around them may be of another machine, and it is said.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from dam_expert.documents.incident import Tried
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.observations import Basis
from dam_expert.prose.levers import levers_in
from dam_expert.prose.words import significant, stem, tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Token

#: Words of a label that say no more than that something was changed, beside those for the present state.
_CHANGED: Final = frozenset({"fix", "fixed", "change", "changed", "patch", "patched", "applied"})
#: Words of a label that take a lever back.
_LACKING: Final = frozenset({"without", "no", "off", "disabled", "non"})
BATCH: Final = "batch_size"
_JOINED: Final = re.compile(r"^(?:bs|batch)(\d{1,6})$")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One value of a metric, the words of its label beside the metric and levers, and the levers that it names."""

    measurement: str
    value: Interval
    words: frozenset[str]
    sizes: frozenset[tuple[str, float]]
    """Settings with the value that the label names: batch 1."""
    levers: frozenset[str]
    changed: bool
    place: tuple[Passage, int, int]


def case_of(
    measurement: str,
    value: Interval,
    rest: Sequence[Token],
    named: frozenset[str],
    place: tuple[Passage, int, int],
    words: Vocabulary,
) -> Case:
    """Return the case that a label states; ``named`` are the levers of the sentence before it.

    Under a heading of what was tried, after such a sentence, a plain label is that of the changed case.
    """
    sizes, rest = _sizes(rest, words)
    mentions = words.levers.find(rest)
    inside = {place for mention in mentions for place in range(mention.first, mention.after)}
    levers = frozenset(mention.meaning for mention in mentions)
    others = {token.word for place, token in enumerate(rest) if place not in inside}
    stems = {mark: frozenset(stem(word) for word in words.words_of[mark]) for mark in ("now", "before")}
    before = others & (stems["before"] | frozenset(map(stem, _LACKING)))
    after = frozenset() if before else others & (stems["now"] | frozenset(map(stem, _CHANGED)))
    plainly_named = place[0].attempted and bool(named) and not others
    changed = bool(levers or after or plainly_named) and not before
    return Case(
        measurement=measurement,
        value=value,
        words=frozenset(others - after - before),
        sizes=sizes,
        levers=(levers or named) if changed else frozenset(),
        changed=changed,
        place=place,
    )


def _sizes(rest: Sequence[Token], words: Vocabulary) -> tuple[frozenset[tuple[str, float]], list[Token]]:
    """Return the settings that a label names with a number, ``batch 1`` or ``bs1``, and its other words."""
    sizes: set[tuple[str, float]] = set()
    left: list[Token] = []
    waiting = list(rest)
    while waiting:
        token = waiting.pop(0)
        joined = _JOINED.match(token.word)
        if joined:
            sizes.add((BATCH, float(joined[1])))
            continue
        number = waiting[0].word if waiting else ""
        names = [mention.meaning for mention in words.keys.overlapping([token])]
        settings = [name for name in names if _is_sized(name, words)]
        if settings and number.isascii() and number.isdigit():
            sizes.add((settings[0], float(number)))
            waiting.pop(0)
        else:
            left.append(token)
    return frozenset(sizes), left


def levers_of(sentence: Sequence[Statement], vocabulary: Vocabulary) -> frozenset[str]:
    """Return the levers that a sentence says were applied; a question, plan or condition applies none."""
    if not all(each.is_of_this_job for each in sentence):
        return frozenset()
    return frozenset(
        mention.meaning
        for each in sentence
        for mention in levers_in(each.words, each.text, vocabulary)
        if not each.negated(mention.first)
    )


def _is_sized(name: str, words: Vocabulary) -> bool:
    return words.base.names.kind(name) is Kind.SETTING and bool(words.base.measurements[name].model.unit)


def take_effects(collected: Collected) -> None:
    """Compare the cases of a report and take what a lever did to its metric as tried, instead of words for it."""
    effects: dict[str, list[tuple[Interval, Case, bool]]] = defaultdict(list)
    for case in collected.cases:
        base = _base(case, collected) if case.changed and len(case.levers) == 1 else None
        effect = None if base is None else _effect(case, base[0], collected.vocabulary)
        if base is not None and effect is not None:
            effects[next(iter(case.levers))].append((effect, case, base[1] and _stands(case.place[0])))
    for lever, known in effects.items():
        found = _of_the_job(known, collected)
        both = Interval(min(each.lo for each, _, _ in found), max(each.hi for each, _, _ in found))
        if _decides(found):
            collected.tried[:] = [each for each in collected.tried if each.lever != lever]
            origin = collected.origin(*found[0][1].place[:2])
            collected.tried.append(Tried(lever=lever, effect=both, origin=origin))
            continue
        for name, measurement in collected.vocabulary.base.measurements.items():
            if measurement.model.probe_of == lever:
                collected.state(*found[0][1].place, name, both, Basis.SAID, "ratio of two cases")


def _decides(found: list[tuple[Interval, Case, bool]]) -> bool:
    """Whether effects stand by themselves; what is said beside them must say the same."""
    standing = [effect for effect, _, stands in found if stands]
    said = [effect for effect, _, stands in found if not stands]
    return bool(standing) and all(
        min(each.lo for each in standing) <= effect.lo and effect.hi <= max(each.hi for each in standing)
        for effect in said
    )


def _stands(passage: Passage) -> bool:
    return passage.plain or passage.attempted


def _of_the_job(found: list[tuple[Interval, Case, bool]], collected: Collected) -> list[tuple[Interval, Case, bool]]:
    """Return the effects at the size that the title speaks of (*at small batch*), where it speaks of one; else all."""
    for setting, extreme in collected.extremes.items():
        sizes = [size for _, case, _ in found for name, size in case.sizes if name == setting]
        if sizes:
            wanted = (setting, extreme(sizes))
            return [each for each in found if wanted in each[1].sizes]
    return found


def extremes_of(title: str, vocabulary: Vocabulary) -> dict[str, Callable[[Iterable[float]], float]]:
    """Return the settings of which a title names the small or the large end: *latency at small batch*."""
    words = significant(tokens(title))
    ends: dict[str, Callable[[Iterable[float]], float]] = {"small": min, "large": max}
    return {
        name.meaning: ends[mark.meaning]
        for mark in vocabulary.marks.overlapping(words)
        if mark.meaning in ends
        for name in vocabulary.keys.find(words[mark.after :])
        if name.first == 0 and vocabulary.base.names.kind(name.meaning) is Kind.SETTING
    }


def _base(case: Case, collected: Collected) -> tuple[Interval, bool] | None:
    """Return the value of the same metric without the lever, and whether it stands; None for none or more than one."""
    cases = [
        (other.value, _stands(other.place[0]))
        for other in collected.cases
        if other.measurement == case.measurement
        and not other.changed
        and (other.words, other.sizes) == (case.words, case.sizes)
    ]
    plain = [
        (finding.observation.value, finding.span.line in collected.standing)
        for finding in collected.findings
        if finding.observation.measurement == case.measurement and not finding.observation.scope
        if isinstance(finding.observation.value, Interval)
    ]
    if plain and not case.words and (not case.sizes or (not cases and _covered(case, collected))):
        return _only(plain)
    return _only(cases)


def _covered(case: Case, collected: Collected) -> bool:
    """Whether the settings of the job include the sizes that a case names."""
    values = {each.observation.measurement: each.observation.value for each in collected.settings}
    return all(
        isinstance(value := values.get(setting), Interval) and value.lo <= size <= value.hi
        for setting, size in case.sizes
    )


def _only(values: Iterable[tuple[Interval, bool]]) -> tuple[Interval, bool] | None:
    found: dict[tuple[float, float], tuple[Interval, bool]] = {}
    for value, stands in values:
        known = found.get((value.lo, value.hi))
        found[value.lo, value.hi] = (value, stands or (known is not None and known[1]))
    return next(iter(found.values())) if len(found) == 1 else None


def _effect(case: Case, base: Interval, vocabulary: Vocabulary) -> Interval | None:
    """Return the improvement as a factor above 1; only of metrics of time, for which a factor is a gain."""
    measurement = vocabulary.base.measurements[case.measurement]
    if measurement.model.track != "time" or min(case.value.lo, base.lo) <= 0.0:
        return None
    return case.value / base if measurement.higher_is_better else base / case.value
