"""Values of the report's own metric in another case: ``tokens per s after: 9`` beside ``tokens per s: 2.5``.

Where one lever is all that the two cases differ by, their ratio is what trying it did. The lever stands in the label
(``throughput persistent workers: 9.5``), or in the sentence before (``With physical cores only:``) and the label says
no more than that it is after the change. Compared is with the metric's plain value, else with its value before or
without, or with that of the side that a trial names (``it per s tmpfs`` beside ``it per s nfs``). Two levers, or a
metric with two such values, compare nothing. A case at one size (``after bs1``) is compared with the case of that size,
else with the plain value where that covers the size. ``speedup with cuda graphs: 1.8`` is such a ratio by itself.

Of a metric of quality, the part of its gap to the value that is to be reached (``accuracy one gpu: 71``) is taken that
went away. A probe that no lever tries takes the ratio or part as its own value.

Only where both values stand by themselves, or under a heading of what was tried, does the ratio decide: elsewhere the
words around them may be of another machine, and it is said.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from dam_expert.documents.incident import Effect, Tried
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.observations import Basis
from dam_expert.kb.base import probes_of_levers
from dam_expert.prose.attempted_values import with_changed_values
from dam_expert.prose.labels import without_neutral
from dam_expert.prose.own_labels import improvement, is_own
from dam_expert.prose.sizes import sizes_of
from dam_expert.prose.tracks import all_told_by, told_by
from dam_expert.prose.words import places_of, significant, stem, tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Mention, Phrases, Token

#: Words of a label that say no more than that something was changed, beside those for the present state.
_CHANGED: Final = frozenset({"fix", "fixed", "change", "changed", "patch", "patched", "applied"})
#: Words of a label that take a lever back.
_LACKING: Final = frozenset({"without", "no", "off", "disabled", "non"})
RATIO: Final = "speedup"
"""The measurement of a case whose value is a ratio already."""
#: Names both sides of a comparison, and denies nothing.
_BOTH: Final = re.compile(r"\bwith(?:\s?/\s?|\s+(?:and|or)\s+)without\s+$", re.IGNORECASE)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One value of a metric, the words of its label beside the metric and levers, and the levers that it names."""

    measurement: str
    value: Interval
    words: frozenset[str]
    sizes: frozenset[tuple[str, float]]
    """Settings with the value that the label names: batch 1."""
    levers: frozenset[frozenset[str]]
    """What was applied: of each the levers or probes that its words may name."""
    changed: bool
    plainly: bool
    """Whether only the sentence before it says that it was."""
    rest: tuple[Token, ...]
    place: tuple[Passage, int, int]
    named: frozenset[frozenset[str]] = frozenset()
    """What the sentence before it says was applied."""


def case_of(
    measurement: str, value: Interval, rest: Sequence[Token], place: tuple[Passage, int, int], collected: Collected
) -> Case:
    """Return the case that a label states; the sentence before it may name what was applied.

    Under a heading of what was tried, after a sentence that names one change, a label is that of the changed case where
    it says nothing else, or takes up words of that sentence.
    """
    words = collected.vocabulary
    named = all_told_by(measurement, collected.applied, words)
    sizes, rest = sizes_of(rest, words)
    inside, levers = _applied(rest, words, measurement, tried=place[0].attempted)
    levers = _as_named(levers, named)
    others = _told([token for place, token in enumerate(rest) if place not in inside], words)
    if place[0].attempted and len(named) == 1 and not levers:
        others = _beside_the_sentence(others, is_own(measurement), collected)
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
        plainly=plainly_named and not (levers or after),
        rest=tuple(rest),
        place=place,
        named=named,
    )


def told_case(measurement: str, value: Interval, key: str, place: tuple[Passage, int, int]) -> Case:
    """Return the case that a sentence tells of a lever or probe; it is said, and decides nothing."""
    passage, start, end = place
    return Case(
        measurement=measurement,
        value=value,
        words=frozenset(),
        sizes=frozenset(),
        levers=frozenset({frozenset({key})}),
        changed=True,
        plainly=False,
        rest=(),
        place=(dataclasses.replace(passage, plain=False, attempted=False), start, end),
    )


def _beside_the_sentence(others: set[str], own: bool, collected: Collected) -> set[str]:
    """Return the words of a label without those that the sentence before it says of the change.

    A label of the report's own keeps the words that the report is about: they name what was measured.
    """
    kept = others & collected.subject if own else set()
    free = others - kept
    return kept if free & collected.applied_in else others


def _told(rest: Sequence[Token], words: Vocabulary) -> set[str]:
    """Return the words of a label that are not neutral."""
    return {token.word for token in without_neutral(rest, words)}


def _applied(
    rest: Sequence[Token], words: Vocabulary, metric: str, *, tried: bool
) -> tuple[set[int], frozenset[frozenset[str]]]:
    """Return the places of words that name levers or probes, and for each such stretch what it may name.

    Left out is what the metric cannot tell of; ``tried`` tells whether they stand under a heading of what was tried.
    """
    stretches: dict[int, set[str]] = defaultdict(set)
    inside: set[int] = set()
    for mention in words.trials.tried(rest) if tried else words.trials.find(rest):
        key = told_by(metric, mention.meaning, words)
        if key is not None:
            stretches[mention.first].add(key)
            inside |= set(range(mention.first, mention.after))
    return inside, _as_one(stretches.values())


def _as_named(levers: frozenset[frozenset[str]], named: frozenset[frozenset[str]]) -> frozenset[frozenset[str]]:
    """Return what a label names, of what its words may mean only what the sentence before it names as well."""
    if len(levers) != 1 or len(named) != 1:
        return levers
    common = next(iter(levers)) & next(iter(named))
    return frozenset({common}) if common else levers


def _as_one(stretches: Iterable[set[str]]) -> frozenset[frozenset[str]]:
    """Return what was applied, once where all stretches of words may name the same: *one socket, membind*."""
    found = frozenset(map(frozenset, stretches))
    common = frozenset.intersection(*found) if found else frozenset()
    return frozenset({common}) if common else found


def levers_of_label(words: Sequence[Token], vocabulary: Vocabulary) -> frozenset[frozenset[str]]:
    """Return the levers or probes that a label names, for each stretch of its words what it may name."""
    stretches: dict[int, set[str]] = defaultdict(set)
    for mention in vocabulary.trials.find(words):
        stretches[mention.first].add(mention.meaning)
    return _as_one(stretches.values())


def levers_of(
    sentence: Sequence[Statement], named: Sequence[Sequence[Mention[str]]], vocabulary: Vocabulary, *, tried: bool
) -> frozenset[frozenset[str]]:
    """Return what a sentence says was applied, of each the levers or probes that it may be.

    ``named`` are the levers that each clause names; ``tried`` tells that it stands under a heading of what was tried.
    A question, plan or condition applies none.
    """
    if not all(each.is_of_this_job for each in sentence):
        return frozenset()
    stretches: dict[tuple[int, int], set[str]] = defaultdict(set)
    for at, (each, levers) in enumerate(zip(sentence, named, strict=True)):
        found = vocabulary.trials.tried(each.words) if tried else vocabulary.trials.find(each.words)
        trials = [
            trial for trial in found if not any(_is_of_another(trial, lever, found, vocabulary) for lever in levers)
        ]
        changed = [
            mention
            for mention in levers
            if all(mention.after <= other.first or other.after <= mention.first for other in trials)
        ]
        for mention in (*trials, *changed):
            if not each.negated(mention.first) or _BOTH.search(each.text, each.clause.start, mention.start):
                stretches[at, mention.first].add(mention.meaning)
                if tried:
                    stretches[at, mention.first].update(_gaps_inside(mention, each, vocabulary))
    return _as_one(stretches.values())


def _gaps_inside(mention: Mention[str], statement: Statement, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the probes of gaps that words inside of others name: *unquantised* in *the unquantised model*."""
    for each in vocabulary.trials.overlapping(statement.words):
        if each.meaning in vocabulary.gaps and mention.first <= each.first and each.after <= mention.after:
            yield each.meaning


def _is_of_another(
    trial: Mention[str], lever: Mention[str], trials: Sequence[Mention[str]], vocabulary: Vocabulary
) -> bool:
    """Whether the words of a condition are those of another lever, alone or with more: *a larger prefetch factor*."""
    measurement = vocabulary.base.measurements.get(trial.meaning)
    own = trial.meaning if measurement is None else measurement.model.probe_of
    if own in (None, lever.meaning) or trial.first < lever.first or lever.after < trial.after:
        return False
    longer = lever.after - lever.first > trial.after - trial.first
    return longer or any(each.first == trial.first and each.meaning == lever.meaning for each in trials)


def take_effects(collected: Collected) -> None:
    """Compare the cases of a report and take what a lever did to its metric as tried, instead of words for it.

    Where more than one thing was changed between two cases, neither they nor words tell what one of them did.
    """
    if collected.confounded:
        collected.tried[:] = [each for each in collected.tried if each.effect is Effect.NOTHING]
        return
    if collected.differing:
        return
    collected.cases[:] = with_changed_values(collected)
    effects: dict[str, list[tuple[Interval, Case, bool]]] = defaultdict(list)
    told = {(case.measurement, case.levers) for case in collected.cases if case.changed and not case.plainly}
    for case in collected.cases:
        if len(case.levers) != 1 or (case.plainly and (case.measurement, case.levers) in told):
            continue
        for key in sorted(next(iter(case.levers))):
            base = _base(case, key, collected) if _is_matter(case, collected) else None
            effect = None if base is None else _effect(case, key, base[0], collected)
            if base is not None and effect is not None:
                effects[key].append((effect, case, base[1] and _stands(case.place[0])))
    for key, known in effects.items():
        found = _of_the_job(_named_before_own(known), collected)
        both = Interval(min(each.lo for each, _, _ in found), max(each.hi for each, _, _ in found))
        _take(key, both, found[0][1], _decides(found), collected)


def _is_matter(case: Case, collected: Collected) -> bool:
    """Whether what a case is of is what the report is about; a metric that the base knows is.

    Where the report gives no value of any such metric, what its own labels name is all there is.
    """
    if not is_own(case.measurement) or case.words & collected.subject:
        return True
    measurements = collected.vocabulary.base.measurements
    return all(measurements[each.observation.measurement].model.track is None for each in collected.findings)


def _named_before_own(found: list[tuple[Interval, Case, bool]]) -> list[tuple[Interval, Case, bool]]:
    """Return the effects on metrics of the base where there are any: its labels may say the same once more."""
    named = [each for each in found if not is_own(each[1].measurement)]
    return named or found


def _take(key: str, effect: Interval, case: Case, decides: bool, collected: Collected) -> None:
    """Take an effect as that of a lever that was tried, or as the value of a probe; else as said of such a probe."""
    measurements, (passage, start, end) = collected.vocabulary.base.measurements, case.place
    if key in measurements:
        standing = dataclasses.replace(passage, plain=decides)
        collected.state(standing, start, end, key, effect, Basis.REPORTED, "ratio of two cases")
        return
    if decides:
        collected.tried[:] = [each for each in collected.tried if each.lever != key]
        collected.tried.append(Tried(lever=key, effect=effect, origin=collected.origin(passage, start)))
        return
    for name in probes_of_levers(collected.vocabulary.base).get(key, ()):
        collected.state(passage, start, end, name, effect, Basis.SAID, "ratio of two cases")


def _decides(found: list[tuple[Interval, Case, bool]]) -> bool:
    """Whether effects stand by themselves; what is said beside them must say the same.

    Of the same metric it must be as large, of another one as much a gain or loss.
    """
    standing = [(effect, case.measurement) for effect, case, stands in found if stands]
    if not standing:
        return False
    low, high = min(each.lo for each, _ in standing), max(each.hi for each, _ in standing)
    return all(
        any(low <= effect.lo and effect.hi <= high for _, name in standing if name == case.measurement)
        or (all(name != case.measurement for _, name in standing) and _agree(effect, Interval(low, high)))
        for effect, case, stands in found
        if not stands
    )


def _agree(one: Interval, other: Interval) -> bool:
    """Whether two factors are both gains or both losses."""
    return min(one.lo, other.lo) >= 1.0 or max(one.hi, other.hi) <= 1.0


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


def _base(case: Case, key: str, collected: Collected) -> tuple[Interval, bool] | None:
    """Return the value that a case is compared with, and whether it stands; None for none or more than one."""
    if case.measurement == RATIO:
        return Interval.point(1.0), True
    words = collected.vocabulary
    others = [
        other
        for other in collected.cases
        if other is not case and other.measurement == case.measurement and other.sizes == case.sizes
        if not _is_said_again(other, case)
    ]
    against = words.against.get(key)
    sides = [other for other in others if against is not None and _left_of(other, against, words) == case.words]
    if sides or key in words.paired:
        return _only((side.value, _stands(side.place[0])) for side in sides)
    unchanged = [other for other in others if not other.changed]
    cases = [(other.value, _stands(other.place[0])) for other in unchanged if other.words == case.words]
    plain = [
        (value, finding.span.line in collected.standing)
        for value, finding in collected.given(case.measurement)
        if not finding.observation.scope and not finding.tentative
    ]
    if plain and not case.words and (not case.sizes or (not cases and _covered(case, collected))):
        return _only(plain)
    return _only(cases or [(other.value, _stands(other.place[0])) for other in _nearest(case, unchanged, collected)])


def _is_said_again(other: Case, case: Case) -> bool:
    """Whether a case is the other one in the same words, with the same change or value: it is no other side of it."""
    same = [token.word for token in other.rest] == [token.word for token in case.rest]
    return (other.changed and other.levers == case.levers) or (same and other.value == case.value)


def _nearest(case: Case, others: Sequence[Case], collected: Collected) -> list[Case]:
    """Return the cases that say more than a label of the changed one: of what the report is about (*on four GPUs*).

    A label of the report's own may leave out any word of the other, where there is but one such.
    """
    more = [other for other in others if case.words < other.words]
    about = [other for other in more if other.words - case.words <= collected.subject]
    return about or (more if is_own(case.measurement) else [])


def _left_of(case: Case, phrases: Phrases[bool], words: Vocabulary) -> frozenset[str] | None:
    """Return the words of a case beside phrases that it holds, and those for a state; None where it holds none."""
    inside = places_of(phrases.find(case.rest))
    left = _told([token for at, token in enumerate(case.rest) if at not in inside], words)
    states = {stem(word) for mark in ("now", "before") for word in words.words_of[mark]} - set(map(stem, _LACKING))
    return frozenset(left - states) if inside else None


def _covered(case: Case, collected: Collected) -> bool:
    """Whether the settings of the job include the sizes that a case names."""
    values = {each.observation.measurement: each.observation.value for each in collected.settings}
    return all(
        isinstance(value := values.get(setting), Interval) and value.lo <= size <= value.hi
        for setting, size in case.sizes
    )


def _only(values: Iterable[tuple[Interval, bool]]) -> tuple[Interval, bool] | None:
    """Return the only value, and whether it stands; of several the one that stands, where the others hold it."""
    found: dict[tuple[float, float], tuple[Interval, bool]] = {}
    for value, stands in values:
        known = found.get((value.lo, value.hi))
        found[value.lo, value.hi] = (value, stands or (known is not None and known[1]))
    if len(found) < 2:
        return next(iter(found.values()), None)
    standing = [value for value, stands in found.values() if stands]
    if len(standing) != 1 or any(each.lo > standing[0].lo or each.hi < standing[0].hi for each, _ in found.values()):
        return None
    return standing[0], True


def _effect(case: Case, key: str, base: Interval, collected: Collected) -> Interval | None:
    """Return the improvement as a factor above 1 for metrics of time, as the part of the gap for those of quality."""
    measurements = collected.vocabulary.base.measurements
    of_a_gap = key in collected.vocabulary.gaps
    if case.measurement == RATIO:
        return None if of_a_gap else case.value
    if is_own(case.measurement):
        return None if of_a_gap else improvement(case.measurement, base, case.value)
    measurement = measurements[case.measurement]
    if of_a_gap and measurement.model.track == "quality":
        return _part_of_gap(case, base, collected)
    if of_a_gap or measurement.model.track != "time" or min(case.value.lo, base.lo) <= 0.0:
        return None
    return measurement.improvement(base, case.value)


def _part_of_gap(case: Case, base: Interval, collected: Collected) -> Interval | None:
    """Return which part of the way from the value before to the one to be reached was gone."""
    words = collected.vocabulary
    reached = [
        (other.value, True)
        for other in collected.cases
        if other.measurement == case.measurement and _left_of(other, words.references, words) == case.words
    ]
    wanted = collected.wanted.get(case.measurement)
    goal = _only([*reached, *([] if wanted is None else [(wanted.value, True)])])
    if goal is None or not all(each.is_point for each in (goal[0], base, case.value)):
        return None
    better = words.base.measurements[case.measurement].higher_is_better
    gap = goal[0].lo - base.lo
    if gap == 0.0 or (gap > 0.0) is not better:
        return None
    part = (case.value.lo - base.lo) / gap
    return Interval.point(min(part, 1.0)) if part >= 0.0 else None
