"""The words of reports: ``knowledge/prose/*.yaml``, checked and ready to be found.

A file may hold any of these keys, and several files may hold the same one::

    aliases: [{measurement: step_time, names: [batch time], keys: [step]}]
    phrases: [{measurement: arrival_pattern, value: bursty, words: [bursty, "uneven + arrivals"]}]
    topics: [{measurement: suspected_loader, words: [data loader], hints: [epoch start]}]
    trials: [{measurement: local_files_speedup, names: [tmpfs, local ssd], against: [nfs], paired: false}]
    marks: {negation: [not, no], hedge: [maybe], ...}

``names`` are read anywhere, ``keys`` only left of a colon; ``a + b`` means both in one sentence. The words of
measurements and flags in the base itself (``aliases``) count as well.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Any, Final

import pydantic

from dam_expert.documents.kinds import Kind
from dam_expert.documents.messages import Level, Message, has_errors, suggestion
from dam_expert.kb.source import read_yaml
from dam_expert.kb.where import shipped_folders
from dam_expert.prose.combined import Combined
from dam_expert.prose.conditions import REMOVED, Conditions, conditions_of
from dam_expert.prose.described import descriptions_of
from dam_expert.prose.entries import MARKS, ConditionModel, PhraseModel, ProseFile, TrialModel, WeightsModel
from dam_expert.prose.heads import Heads, heads_of
from dam_expert.prose.tracks import gaps_of, gaps_of_levers
from dam_expert.prose.words import Phrases, places_of, significant, stem, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from dam_expert.documents.intervals import Interval
    from dam_expert.documents.vocabulary import Track
    from dam_expert.kb.base import Base, Measurement
    from dam_expert.prose.entries import (
        AliasModel,
        AmbiguousModel,
        ChangeModel,
        OfMeasurement,
        SharedModel,
        WholeModel,
    )
    from dam_expert.prose.words import Mention, Token

FOLDER: Final = "prose"


@dataclasses.dataclass(frozen=True, slots=True)
class Stated:
    """A value that a phrase states. ``parts`` of a phrase with ``+`` must all stand in one sentence."""

    measurement: str
    value: str
    phrase: int
    parts: int = 1


@dataclasses.dataclass(frozen=True, slots=True)
class Pointing:
    """A phrase that points at a topic."""

    topic: str
    phrase: int
    parts: int
    hint: bool


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Everything that the reading of prose knows, as phrases to be found."""

    base: Base
    names: Phrases[str]
    """Names of measurements, read anywhere; an empty one is that of something else."""
    range_words: Mapping[str, Phrases[Interval]]
    """By measurement, the words that stand for a range of it: low, idle, pegged."""
    keys: Phrases[str]
    """Names of measurements left of a colon, those read anywhere included."""
    statements: Combined[Stated]
    topics: Combined[Pointing]
    exceptions: Mapping[str, Phrases[bool]]
    """By flag or topic, the words that make its phrases speak of something else."""
    lacking: Phrases[str]
    """Words that say that the thing of a flag is not there, with the flag."""
    levers: Phrases[str]
    trials: Conditions
    """Names of levers, and of both kinds of probes beside a metric in a label: a lever, else the probe."""
    trial_words: Phrases[bool]
    """Words beside a metric or a change that only say of it what it is."""
    foreign_words: Phrases[bool]
    """Words beside them that may be of another machine, person, version or time."""
    against: Mapping[str, Phrases[bool]]
    """By lever or probe, the words of the side that it is compared with."""
    paired: frozenset[str]
    """Levers and probes that are compared with no plain value where a label names them by a trial."""
    references: Phrases[bool]
    gaps: frozenset[str]
    """Probes that tell which part of a gap in quality goes away."""
    gap_of: Mapping[str, str]
    """By lever, the one of them that its effect is told by."""
    changed: Phrases[ChangeModel]
    """What is made more or less by a lever."""
    verbs: Phrases[str]
    """The words that tell in which direction."""
    marks: Phrases[str]
    close_marks: Mapping[str, tuple[tuple[re.Pattern[str], str], ...]]
    """By their one word that is not small, marks that stand as they are written (*want to*), and what finds them."""
    taking_back: re.Pattern[str]
    """What a sentence that takes values back holds, at least."""
    wants: re.Pattern[str]
    """What makes the number right behind it a wanted one: *we want*."""
    words_of: Mapping[str, frozenset[str]]
    """The words of each mark, lower case."""
    heads: Heads
    """Headings, keys, labels and columns that say what values are of."""
    sampling: Phrases[bool]
    """Words of a label for how much of a job was looked at."""
    sides: Phrases[bool]
    """Words of a label for one side of a probe."""
    innocent: Phrases[bool]
    """Words that say nothing of where the values beside them come from."""
    pointing: re.Pattern[str]
    """Words that point at values of the report."""
    other_texts: re.Pattern[str]
    """Words that make a text something else than a report of a job."""
    target_words: frozenset[str]
    """Words of a label that say no more than that its value is the target of a metric."""
    of_comparisons: re.Pattern[str]
    """Words of a sentence that tells how the cases of a comparison differ."""
    families: Phrases[str]
    """What has statistics of its own: the measurement that some words beside a statistic name."""
    statistics: Phrases[str]
    """The words for a statistic: p99."""
    statistic_of: Mapping[tuple[str, str], str]
    """The measurement that is a statistic of another one."""
    weights: WeightsModel
    tracks: Mapping[str, Track]
    """The tracks of topics that tell one."""
    track_words: Phrases[Track]
    ambiguous: Phrases[AmbiguousModel]
    ambiguous_units: Mapping[str, AmbiguousModel]
    shared: tuple[tuple[SharedModel, Phrases[bool]], ...]
    """What may be per device or of all, each with the words that tell which."""
    wholes: Phrases[WholeModel]
    whole_questions: tuple[AmbiguousModel, ...]
    by_unit: Mapping[str, str]
    """The measurements that a unit names by itself."""

    def known_places(self, words: Sequence[Token], *named: Phrases[Any] | Conditions) -> set[int]:
        """Return the places of the words of a clause by which its names, statements and topics are found."""
        found: list[Mention[Any]] = [mention for phrases in named for mention in phrases.overlapping(words)]
        told = (*self.statements.find([words]), *self.topics.find([words]))
        return places_of((*found, *(mention for _, places in told for _, mention in places)))


_TAKING_BACK: Final = frozenset({"wrong", "unreal", "retracts", "elsewhere", "real"})
_NO_WEIGHTS: Final = WeightsModel(
    title=1, lead=1, body=1, heading=1, code=1, largest=1, hint=1, longer=0, hedged=1, least=1, told=0
)


def load_vocabulary(base: Base, folder: Path | None = None) -> tuple[Vocabulary, list[Message]]:
    """Return the vocabulary of the shipped folder, or of another; what is wrong in it is left out and said."""
    home = folder or next(iter(shipped_folders(("knowledge",)))) / FOLDER
    messages: list[Message] = []
    files: list[ProseFile] = []
    for path in sorted(home.glob("*.yaml")):
        shown = f"knowledge/{FOLDER}/{path.name}"
        document, problems = read_yaml(path, file=shown)
        messages += problems
        if document is None or has_errors(problems):
            continue
        try:
            files.append(ProseFile.model_validate(document.data or {}))
        except pydantic.ValidationError as error:
            for detail in error.errors():
                place = [step for step in detail["loc"] if isinstance(step, str | int)]
                messages.append(document.message(place, code="wrong-vocabulary", text=detail["msg"]))
            continue
        messages += _unknown(files[-1], base, shown)
    return _built(base, _merged(files)), messages


def _is_left_alone(alias: str) -> bool:
    """Whether one word of several is left without the small ones: *even arrivals* would be found in *arrivals*."""
    words = tokens(alias)
    return len(words) > 1 and len(significant(words)) <= 1


def _unknown(file: ProseFile, base: Base, shown: str) -> Iterator[Message]:
    """Yield a message for each measurement or value that the base does not have."""
    entries: tuple[OfMeasurement, ...] = (
        *file.aliases,
        *file.phrases,
        *file.topics,
        *file.trials,
        *file.conditions,
        *file.exceptions,
        *file.lacking,
    )
    for entry in entries:
        known = base.measurements.get(entry.measurement)
        text = hint = None
        if known is None:
            text = f"no measurement is called '{entry.measurement}'"
            hint = suggestion(entry.measurement, base.measurements)
        elif isinstance(entry, PhraseModel):
            allowed = base.names.categories(entry.measurement)
            if allowed and _word(entry.value) not in allowed:
                text = f"'{entry.value}' is not a value of {entry.measurement}"
                hint = suggestion(_word(entry.value), allowed)
        if text is not None:
            yield Message(file=shown, level=Level.ERROR, text=text, hint=hint, code="wrong-vocabulary")
    for change in file.changes:
        for lever in filter(None, (change.raised, change.lowered)):
            if lever not in base.levers:
                text, hint = f"no lever is called '{lever}'", suggestion(lever, base.levers)
                yield Message(file=shown, level=Level.ERROR, text=text, hint=hint, code="wrong-vocabulary")
    yield from _unknown_statistics(file, base, shown)
    for topic in file.topics:
        for part in (part for phrase in (*topic.words, *topic.hints) for part in phrase.split(" + ")):
            left = significant(tokens(part))
            if len(part.split()) > 1 and len(left) < 2:
                text = f"'{part}' is found wherever '{left[0].word if left else ''}' stands: the rest are small words"
                yield Message(file=shown, level=Level.WARNING, text=text, code="small-words")


def _unknown_statistics(file: ProseFile, base: Base, shown: str) -> Iterator[Message]:
    for own in (own for family in file.percentiles for own in family.statistics.values()):
        if own not in base.measurements:
            text, hint = f"no measurement is called '{own}'", suggestion(own, base.measurements)
            yield Message(file=shown, level=Level.ERROR, text=text, hint=hint, code="wrong-vocabulary")


def _word(value: str | bool) -> str:
    return value if isinstance(value, str) else str(value).lower()


def _merged(files: Sequence[ProseFile]) -> ProseFile:
    """Return what several files hold as one file; the first weights count."""
    held: dict[str, Any] = {}
    for name in ProseFile.model_fields:
        for value in (getattr(file, name) for file in files):
            if isinstance(value, list):
                held[name] = [*held.get(name, ()), *value]
            elif isinstance(value, dict):
                known = held.setdefault(name, {})
                known |= {key: [*known.get(key, ()), *words] for key, words in value.items()}
            elif held.get(name) is None:
                held[name] = value
    return ProseFile.model_construct(**held)


def _names(file: ProseFile, aliases: list[AliasModel], known: Mapping[str, Measurement]) -> list[tuple[str, str]]:
    """Return the names that are read anywhere with what they mean: nothing, where they are those of something else."""
    names = [(name, entry.measurement) for entry in aliases for name in entry.names]
    names += [
        (alias, name)
        for name, measurement in known.items()
        if measurement.model.kind is not Kind.FLAG
        for alias in (name.replace("_", " "), *measurement.model.aliases)
    ]
    taboo = {word.casefold() for entry in file.ambiguous for word in entry.words}
    names = [(name, meaning) for name, meaning in names if name.casefold() not in taboo]
    names += [(other, "") for other in file.others]
    return names


def _lever_names(base: Base) -> list[tuple[str, str]]:
    """Return the names of the levers; one that small words alone tell apart is none."""
    return [
        (alias, name)
        for name, lever in base.levers.items()
        for alias in (name.replace("_", " "), *lever.model.aliases)
        if not _is_left_alone(alias)
    ]


def _exceptions(file: ProseFile, known: Mapping[str, Measurement]) -> dict[str, Phrases[bool]]:
    """Return by measurement the words that make a phrase speak of something else."""
    return {
        entry.measurement: Phrases((word, True) for word in entry.words)
        for entry in file.exceptions
        if entry.measurement in known
    }


def _conditions(file: ProseFile, known: Mapping[str, Measurement]) -> list[tuple[str, ConditionModel]]:
    """Return the things of conditions by their lever or probe, and those that only look like one."""
    found = [
        (known[entry.measurement].model.probe_of or entry.measurement, entry)
        for entry in file.conditions
        if entry.measurement in known
    ]
    return [*found, ("", ConditionModel(measurement="", things=file.other_things))]


def _directions(file: ProseFile) -> Phrases[str]:
    """Return the words that tell in which direction something was changed, or that it was taken away."""
    removed = [(word, REMOVED) for word in file.states.get(REMOVED, ())]
    return Phrases([*removed, *((word, verb) for verb in ("raise", "lower") for word in file.verbs.get(verb, ()))])


def _against(trials: Sequence[tuple[str, TrialModel | ConditionModel]]) -> dict[str, Phrases[bool]]:
    """Return by lever or probe the words of the side that it is compared with."""
    words: dict[str, list[str]] = {}
    for key, entry in trials:
        words.setdefault(key, []).extend(entry.against if isinstance(entry, TrialModel) else entry.things)
    return {key: Phrases((word, True) for word in own) for key, own in words.items()}


def _families(file: ProseFile, names: Sequence[tuple[str, str]]) -> Phrases[str]:
    """Return the words beside a statistic that name what it is of."""
    return Phrases(
        (name, entry.of)
        for entry in file.percentiles
        for name in (*entry.names, *(alias for alias, meaning in names if meaning == entry.of))
    )


def _statistic_of(file: ProseFile, known: Mapping[str, Measurement]) -> dict[tuple[str, str], str]:
    """Return by what it is of and its name the measurement that a statistic is."""
    return {
        (entry.of, name): own for entry in file.percentiles for name, own in entry.statistics.items() if own in known
    }


def _built(base: Base, file: ProseFile) -> Vocabulary:
    known = base.measurements
    aliases = [entry for entry in file.aliases if entry.measurement in known]
    names = _names(file, aliases, known)
    flags = {name for name, measurement in known.items() if measurement.model.kind is Kind.FLAG}
    flag_names = [(alias, name) for name in flags for alias in (name.replace("_", " "), *known[name].model.aliases)]
    keys = [(key, entry.measurement) for entry in aliases for key in entry.keys]
    marks = [(word, mark) for mark, words in file.marks.items() for word in words]
    levers = _lever_names(base)
    trials = [(known[entry.measurement].model.probe_of or entry.measurement, entry) for entry in _trials(file, known)]
    named = [*levers, *((name, key) for key, entry in trials for name in entry.names)]
    conditions = _conditions(file, known)
    return Vocabulary(
        base=base,
        names=Phrases(dict.fromkeys(names)),
        range_words={name: Phrases(each.name.words.items()) for name, each in known.items() if each.name.words},
        keys=Phrases(dict.fromkeys([*(pair for pair in names if pair[1]), *keys, *flag_names])),
        statements=Combined(_statements(file, known, flags)),
        topics=Combined(_pointings(file, known)),
        exceptions=_exceptions(file, known),
        lacking=Phrases((word, entry.measurement) for entry in file.lacking for word in entry.words),
        levers=Phrases(levers),
        trials=conditions_of(named, conditions, file.states.items(), descriptions_of(base, _directions(file))),
        trial_words=Phrases((word, True) for word in file.trial_words),
        foreign_words=Phrases((word, True) for word in file.foreign_words),
        against=_against([*trials, *conditions]),
        paired=frozenset(key for key, entry in trials if entry.paired),
        gaps=gaps_of(base),
        gap_of=gaps_of_levers(base),
        references=Phrases((word, True) for word in file.references),
        changed=Phrases((name, entry) for entry in file.changes for name in entry.objects),
        verbs=Phrases((word, verb) for verb, words in file.verbs.items() for word in words),
        marks=Phrases(pair for pair in dict.fromkeys(marks) if not _is_left_alone(pair[0]) and pair[1] != "wants"),
        close_marks=_close_marks(marks),
        taking_back=_any_of(word for word, mark in marks if mark in _TAKING_BACK),
        wants=_any_of(word for word, mark in marks if mark == "wants"),
        words_of={mark: frozenset(word.casefold() for word, own in marks if own == mark) for mark in MARKS},
        sampling=Phrases((word, True) for word in file.sampling_words),
        sides=Phrases((word, True) for word in file.side_words),
        heads=heads_of(file),
        innocent=Phrases((word, True) for words in file.innocent_words.values() for word in words),
        pointing=_any_of(word for word in file.pointing_words),
        other_texts=_any_of(word for word in file.other_texts),
        target_words=frozenset(word for word in file.target_words),
        of_comparisons=_any_of(word for word in file.comparison_words),
        families=_families(file, names),
        statistics=Phrases((word, name) for name, words in file.statistic_words.items() for word in words),
        statistic_of=_statistic_of(file, known),
        weights=file.weights or _NO_WEIGHTS,
        track_words=Phrases([(word, track) for track, words in file.tracks.items() for word in words]),
        ambiguous=Phrases((word, entry) for entry in file.ambiguous for word in entry.words),
        ambiguous_units={unit: entry for entry in file.ambiguous for unit in entry.units},
        shared=tuple((entry, Phrases((word, True) for word in entry.words)) for entry in file.shared),
        wholes=Phrases((name, entry) for entry in file.wholes for name in entry.names),
        whole_questions=tuple(entry for entry in file.whole_questions),
        by_unit={folded_unit(unit): entry.measurement for entry in aliases for unit in entry.units},
        tracks={entry.measurement: entry.track for entry in file.topics if entry.track},
    )


def _close_marks(marks: Iterable[tuple[str, str]]) -> dict[str, tuple[tuple[re.Pattern[str], str], ...]]:
    """Return by their one word that is not small the marks that must stand as they are written."""
    found: dict[str, list[tuple[re.Pattern[str], str]]] = {}
    for words, mark in dict.fromkeys(marks):
        if _is_left_alone(words) and mark != "wants":
            for token in significant(tokens(words)):
                found.setdefault(token.word, []).append((_any_of([words]), mark))
    return {word: tuple(own) for word, own in found.items()}


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Return what finds any of some words as they are written, the longest first; nothing where there are none."""
    longest_first = sorted(set(words), key=lambda word: (-len(word), word))
    begin = re.escape(
        "".join(sorted({letter for word in longest_first for letter in word[0].upper() + word[0].lower()}))
    )
    whole = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?=[{begin}])(?<![A-Za-z])(?:{whole})(?![A-Za-z])" if whole else "(?!)", re.IGNORECASE)


def _trials(file: ProseFile, known: Mapping[str, Measurement]) -> list[TrialModel]:
    return [entry for entry in file.trials if entry.measurement in known]


def folded_unit(unit: str) -> str:
    """Return a unit as it is compared: ``tokens per second`` and ``Tokens/s`` are the same.

    >>> folded_unit("tokens per second") == folded_unit("Tokens/s")
    True
    """
    above, _, below = re.sub(r"\s+per\s+", "/", unit.casefold().strip()).partition("/")
    below = "s" if below in ("s", "sec", "second") else stem(below)
    counted = stem(above.strip())
    return f"{'s' if counted in ('sec', 'second') else counted}/{below}" if below else stem(above)


def _statements(
    file: ProseFile, known: Mapping[str, Measurement], flags: Iterable[str]
) -> Iterator[tuple[str, Stated]]:
    """Yield the parts of every phrase that states a value."""
    number = 0
    for entry in file.phrases:
        for words in entry.words if entry.measurement in known else ():
            number += 1
            parts = words.split(" + ")
            for part in parts:
                yield part, Stated(entry.measurement, _word(entry.value), number, len(parts))
    for name in sorted(flags):
        for alias in known[name].model.aliases:
            number += 1
            parts = alias.split(" + ")
            for part in parts:
                yield part, Stated(name, "true", number, len(parts))


def _pointings(file: ProseFile, known: Mapping[str, Measurement]) -> Iterator[tuple[str, Pointing]]:
    """Yield the parts of every phrase that points at a topic."""
    number = 0
    for entry in file.topics:
        for words, hint in ((entry.words, False), (entry.hints, True)):
            for phrase in words if entry.measurement in known else ():
                number += 1
                parts = phrase.split(" + ")
                for part in parts:
                    yield part, Pointing(entry.measurement, number, len(parts), hint)
