"""The words of reports: ``knowledge/prose/*.yaml``, checked and ready to be found.

A file may hold any of these keys, and several files may hold the same one::

    aliases: [{measurement: step_time, names: [batch time], keys: [step]}]
    phrases: [{measurement: arrival_pattern, value: bursty, words: [bursty, "uneven + arrivals"]}]
    topics: [{measurement: suspected_loader, words: [data loader], hints: [epoch start]}]
    marks: {negation: [not, no], hedge: [maybe], ...}

``names`` are read anywhere, ``keys`` only left of a colon; ``a + b`` means both in one sentence. The words of
measurements and flags in the base itself (``aliases``) count as well.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Annotated, Final, Literal, get_args

import pydantic
from pydantic import BaseModel, ConfigDict, Field

from dam_expert.documents.kinds import Kind
from dam_expert.documents.messages import Level, Message, has_errors, suggestion
from dam_expert.documents.vocabulary import Track
from dam_expert.kb.source import read_yaml
from dam_expert.kb.where import shipped_folders
from dam_expert.prose.combined import Combined
from dam_expert.prose.words import Phrases, significant, stem, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from dam_expert.documents.intervals import Interval
    from dam_expert.kb.base import Base, Measurement

FOLDER: Final = "prose"

#: What marks a clause or a word: how its statements are to be taken.
Mark = Literal[
    "negation",  # turns what follows it into its opposite
    "exclusion",  # says of what it stands beside that it is not the cause
    "hedge",  # makes a statement a guess
    "condition",  # speaks of what would be or should be
    "reference",  # the number beside it is wanted, expected, or that of something else
    "wants",  # as written: the number right behind it is wanted
    "bound",  # stands between a wish and its number
    "varies",  # of two numbers with "from" and "to" none is the older one
    "elsewhere",  # speaks of other people, machines or examples
    "values_ahead",  # points at the values that follow
    "values_named",  # names the values of the report, wherever they stand
    "unreal",  # says of a whole report or of its values that they are no measurement of a job as it is
    "wrong",  # says of what it points at that it is not so
    "retracts",  # takes values of the report back by itself
    "corrects",  # does so at the beginning of a sentence
    "real",  # before a measurement: another value than the one that was given
    "measures",  # in a heading: below it stands what was measured
    "forwarded",  # begins what somebody else wrote
    "origin",  # labels where the values of a list come from, or what they are worth
    "small",  # the small end of a setting
    "large",  # its large end
    "remark",  # begins a note about the values around it
    "tried",  # an action was taken
    "helped",
    "nothing",
    "worse",
    "compared_better",  # an effect, if something was tried
    "compared_same",
    "compared_worse",
    "planned",  # an action is intended
    "neutral",  # says nothing of a measurement that it stands beside in a label
    "statistic",  # which value of many a label speaks of
    "contrast",  # begins a clause that says something else
    "total",  # a time that is no part of another one
    "before",  # heads the column of an earlier or other state in a table
    "now",  # heads the column of the present state
]
MARKS: Final[tuple[str, ...]] = get_args(Mark)

Words = Annotated[list[Annotated[str, Field(min_length=1, max_length=120)]], Field(max_length=400)]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _OfMeasurement(_Entry):
    measurement: str


class AliasModel(_OfMeasurement):
    """More names of a measurement that has a number or a word as its value."""

    names: Words = []
    keys: Words = []
    units: Words = []
    """Units that name the measurement by themselves: what is given in them is no other one."""


class PhraseModel(_OfMeasurement):
    """Words that state a value of a category, setting or flag."""

    value: str | bool
    words: Words


class TopicModel(_OfMeasurement):
    """Words that show what a report is about; hints count less than words."""

    words: Words = []
    hints: Words = []
    track: Track | None = None
    """The track of a report that is about this more than anything else, and names no metric."""


class AmbiguousModel(_Entry):
    """A name or unit with several readings: it becomes a question, never a value."""

    words: Words = []
    units: Words = []
    question: Annotated[str, Field(min_length=1, max_length=300)]
    answer: Annotated[str, Field(min_length=1, max_length=300)]


class ExceptionModel(_OfMeasurement):
    """Words that make a phrase of a flag or topic speak of something else, in the same clause."""

    words: Words


class PresumedModel(_OfMeasurement):
    """Words that state a phrase's value only where the report states none of some other measurements."""

    words: Words
    unless: Words


class SharedModel(_Entry):
    """Measurements that on several devices may be per device or of all, and the words that tell which."""

    measurements: Words
    counts: Words
    """The settings that say how many devices there are."""
    words: Words
    question: Annotated[str, Field(min_length=1, max_length=300)]
    answer: Annotated[str, Field(min_length=1, max_length=300)]


class WholeModel(_Entry):
    """A measurement of what is in use, if there is one, and that of what there is: *44 of 46 GB*."""

    part: str = ""
    whole: str
    names: Words


class WeightsModel(_Entry):
    """How much a word counts towards its topic, by where it stands and how it is said."""

    title: float
    lead: float
    body: float
    heading: float
    code: float
    largest: float
    """A labelled time that is the largest of its list."""
    hint: float
    longer: float
    """What each further word of a phrase adds: a longer one says more surely what is meant."""
    hedged: float
    least: float
    """Weight of the strongest topic below which even that one is not sure."""
    told: float
    """The part of the strongest below which a topic is not worth telling."""


class ProseFile(_Entry):
    """One file of ``knowledge/prose``."""

    aliases: list[AliasModel] = []
    others: Words = []
    """Names that hold that of a measurement and mean something else: their numbers are no value of it."""
    phrases: list[PhraseModel] = []
    topics: list[TopicModel] = []
    marks: dict[Mark, Words] = {}
    plain_headings: Words = []
    """Headings under which a bare list of values is what was measured of this job, and nothing else."""
    neutral_headings: Words = []
    """Headings that say nothing of the sections below them."""
    plain_columns: Words = []
    """Heads of a column of values as they are."""
    name_columns: Words = []
    """Heads of a column of names."""
    tried_headings: Words = []
    """Headings under which stands what was tried on this job, and what it gave."""
    tracks: dict[Track, Words] = {}
    """Words that show what kind of target is missed, where no metric is named."""
    exceptions: list[ExceptionModel] = []
    presumed: list[PresumedModel] = []
    ambiguous: list[AmbiguousModel] = []
    shared: list[SharedModel] = []
    wholes: list[WholeModel] = []
    whole_questions: list[AmbiguousModel] = []
    """What is asked where a part of something is given, and not of what."""
    weights: WeightsModel | None = None


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
    presumed: tuple[tuple[PresumedModel, Phrases[bool]], ...]
    """What is stated only where the report names nothing against it, each with its words."""
    levers: Phrases[str]
    marks: Phrases[str]
    wants: re.Pattern[str]
    """What makes the number right behind it a wanted one: *we want*."""
    words_of: Mapping[str, frozenset[str]]
    """The words of each mark, lower case."""
    plain_headings: frozenset[str]
    """Headings of lists that hold what was measured of this job, lower case."""
    tried_headings: frozenset[str]
    """Headings of what was tried, lower case."""
    neutral_headings: frozenset[str]
    """Headings that say nothing of the sections below them, lower case."""
    plain_columns: frozenset[str]
    """Heads of a column of values as they are, lower case."""
    name_columns: frozenset[str]
    """Heads of a column of names, lower case."""
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
    return _built(base, files), messages


def _is_left_alone(alias: str) -> bool:
    """Whether one word of several is left without the small ones: *even arrivals* would be found in *arrivals*."""
    words = tokens(alias)
    return len(words) > 1 and len(significant(words)) == 1


def _unknown(file: ProseFile, base: Base, shown: str) -> Iterator[Message]:
    """Yield a message for each measurement or value that the base does not have."""
    entries: tuple[_OfMeasurement, ...] = (*file.aliases, *file.phrases, *file.topics, *file.exceptions, *file.presumed)
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
    for topic in file.topics:
        for part in (part for phrase in (*topic.words, *topic.hints) for part in phrase.split(" + ")):
            left = significant(tokens(part))
            if len(part.split()) > 1 and len(left) < 2:
                text = f"'{part}' is found wherever '{left[0].word if left else ''}' stands: the rest are small words"
                yield Message(file=shown, level=Level.WARNING, text=text, code="small-words")


def _word(value: str | bool) -> str:
    return value if isinstance(value, str) else str(value).lower()


def _built(base: Base, files: list[ProseFile]) -> Vocabulary:
    known = base.measurements
    aliases = [entry for file in files for entry in file.aliases if entry.measurement in known]
    names = [(name, entry.measurement) for entry in aliases for name in entry.names]
    names += [
        (alias, name)
        for name, measurement in known.items()
        if measurement.model.kind is not Kind.FLAG
        for alias in (name.replace("_", " "), *measurement.model.aliases)
    ]
    unclear = [entry for file in files for entry in file.ambiguous]
    taboo = {word.casefold() for entry in unclear for word in entry.words}
    names = [(name, meaning) for name, meaning in names if name.casefold() not in taboo]
    names += [(other, "") for file in files for other in file.others]
    flags = {name for name, measurement in known.items() if measurement.model.kind is Kind.FLAG}
    flag_names = [(alias, name) for name in flags for alias in (name.replace("_", " "), *known[name].model.aliases)]
    keys = [(key, entry.measurement) for entry in aliases for key in entry.keys]
    marks = [(word, mark) for file in files for mark, words in file.marks.items() for word in words]
    levers = [
        (alias, name)
        for name, lever in base.levers.items()
        for alias in (name.replace("_", " "), *lever.model.aliases)
        if not _is_left_alone(alias)
    ]
    weights = next((file.weights for file in files if file.weights is not None), _NO_WEIGHTS)
    return Vocabulary(
        base=base,
        names=Phrases(dict.fromkeys(names)),
        range_words={
            name: Phrases(measurement.name.words.items())
            for name, measurement in known.items()
            if measurement.name.words
        },
        keys=Phrases(dict.fromkeys([*(pair for pair in names if pair[1]), *keys, *flag_names])),
        statements=Combined(_statements(files, known, flags)),
        topics=Combined(_pointings(files, known)),
        exceptions={
            entry.measurement: Phrases((word, True) for word in entry.words)
            for file in files
            for entry in file.exceptions
            if entry.measurement in known
        },
        presumed=tuple(
            (entry, Phrases((word, True) for word in entry.words)) for file in files for entry in file.presumed
        ),
        levers=Phrases(levers),
        marks=Phrases(dict.fromkeys(marks)),
        wants=_any_of(word for word, mark in marks if mark == "wants"),
        words_of={mark: frozenset(word.casefold() for word, own in marks if own == mark) for mark in MARKS},
        plain_headings=frozenset(heading.casefold() for file in files for heading in file.plain_headings),
        tried_headings=frozenset(heading.casefold() for file in files for heading in file.tried_headings),
        neutral_headings=frozenset(heading.casefold() for file in files for heading in file.neutral_headings),
        plain_columns=frozenset(head.casefold() for file in files for head in file.plain_columns),
        name_columns=frozenset(head.casefold() for file in files for head in file.name_columns),
        weights=weights,
        track_words=Phrases(
            [(word, track) for file in files for track, words in file.tracks.items() for word in words]
        ),
        ambiguous=Phrases((word, entry) for entry in unclear for word in entry.words),
        ambiguous_units={unit: entry for entry in unclear for unit in entry.units},
        shared=tuple((entry, Phrases((word, True) for word in entry.words)) for file in files for entry in file.shared),
        wholes=Phrases((name, entry) for file in files for entry in file.wholes for name in entry.names),
        whole_questions=tuple(entry for file in files for entry in file.whole_questions),
        by_unit={folded_unit(unit): entry.measurement for entry in aliases for unit in entry.units},
        tracks={entry.measurement: entry.track for file in files for entry in file.topics if entry.track},
    )


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Return what finds any of some words as they are written, the longest first; nothing where there are none."""
    longest_first = sorted(set(words), key=lambda word: (-len(word), word))
    return re.compile(
        "|".join(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])" for word in longest_first) or "(?!)", re.I
    )


def folded_unit(unit: str) -> str:
    """Return a unit as it is compared: ``tokens per second`` and ``Tokens/s`` are the same.

    >>> folded_unit("tokens per second") == folded_unit("Tokens/s")
    True
    """
    above, _, below = re.sub(r"\s+per\s+", "/", unit.casefold().strip()).partition("/")
    below = "s" if below in ("s", "sec", "second") else stem(below)
    return f"{stem(above.strip())}/{below}" if below else stem(above)


def _statements(
    files: list[ProseFile], known: Mapping[str, Measurement], flags: Iterable[str]
) -> Iterator[tuple[str, Stated]]:
    """Yield the parts of every phrase that states a value."""
    number = 0
    for file in files:
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


def _pointings(files: list[ProseFile], known: Mapping[str, Measurement]) -> Iterator[tuple[str, Pointing]]:
    """Yield the parts of every phrase that points at a topic."""
    number = 0
    for file in files:
        for entry in file.topics:
            for words, hint in ((entry.words, False), (entry.hints, True)):
                for phrase in words if entry.measurement in known else ():
                    number += 1
                    parts = phrase.split(" + ")
                    for part in parts:
                        yield part, Pointing(entry.measurement, number, len(parts), hint)
