"""What is gathered while a report is read: findings with their spans, questions, attempts."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.prose.understood import Finding, Question, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dam_expert.documents.incident import Effect, Planned, Tried
    from dam_expert.documents.observations import Scope, Value
    from dam_expert.prose.amounts import Amount
    from dam_expert.prose.attempts import Applied
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.told_trials import Told
    from dam_expert.prose.variants import Case
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.readers.interface import Reading

TOOL: Final = "report"
MAYBE, LIKELY = 1, 2
RANGE: Final = "word for a range"
"""The reading of a word for a range, which any number of the same measurement outweighs."""
_GIVEN: Final = 120
_MOST: Final = 5000
"""Findings and questions of one report that are kept: more is no report."""


@dataclasses.dataclass(frozen=True, slots=True)
class Wanted:
    """What a metric should be, and where the report says so.

    ``plainly``: it stands by itself, with no word beside it that may be of another case.
    """

    value: Interval
    span: Span
    plainly: bool = False


@dataclasses.dataclass(slots=True)
class Collected:
    """The findings of one report so far."""

    file: str
    vocabulary: Vocabulary
    findings: list[Finding] = dataclasses.field(default_factory=list)
    settings: list[Finding] = dataclasses.field(default_factory=list)
    questions: list[Question] = dataclasses.field(default_factory=list)
    tried: list[Tried] = dataclasses.field(default_factory=list)
    planned: list[Planned] = dataclasses.field(default_factory=list)
    readings: list[Reading] = dataclasses.field(default_factory=list)
    wanted: dict[str, Wanted] = dataclasses.field(default_factory=dict)
    """What a metric should be, by measurement."""
    wishes: list[tuple[Amount, Span]] = dataclasses.field(default_factory=list)
    """What should be, of no metric that is named beside it, and where it stands; without a unit where nothing tells."""
    family: str = ""
    """What the heading, or the words above a list, name that has statistics: a bare *p99* is one of it."""
    unit: str = ""
    """The unit of the metric that was stated last, as written: a bare wish is one of it."""
    cases: list[Case] = dataclasses.field(default_factory=list)
    """Values of a metric in another case than that of the report."""
    told: list[Told] = dataclasses.field(default_factory=list)
    """Trials that a sentence tells from beginning to end."""
    confounded: bool = False
    """Whether the report says that more than one thing was changed between two of its cases."""
    differing: bool = False
    """Whether a sentence tells of a difference between runs: what their values are compared by is not known then."""
    extremes: dict[str, Callable[[Iterable[float]], float]] = dataclasses.field(default_factory=dict)
    """Settings of which the title speaks of the small or the large end."""
    standing: set[int] = dataclasses.field(default_factory=set)
    """Lines of values that stand by themselves."""
    tentative: int = 0
    """How likely what is read now is of what was tried, or of a part of the job: not, maybe, or likely."""
    tracks: dict[str, frozenset[str]] = dataclasses.field(default_factory=dict)
    """By lever that was tried, the tracks of the metrics that are named with its effect."""
    pending: tuple[Applied, ...] = ()
    """What the last sentence applied without an effect: the next one may tell it."""
    verdict: Effect | None = None
    """What the words above a list say of all that was tried in it."""
    applied: frozenset[frozenset[str]] = frozenset()
    """What the last sentence applied, for the labels that follow it: of each the levers or probes that it may be."""
    applied_in: frozenset[str] = frozenset()
    """The words of that sentence: a label below it may repeat some of them."""
    subject: frozenset[str] = frozenset()
    """The words that the report is about: those of its title and its first sentence."""
    marked: list[Span] = dataclasses.field(default_factory=list)
    lacking: set[str] = dataclasses.field(default_factory=set)
    """What is said of a thing that the job does not have."""
    values: dict[str, float] = dataclasses.field(default_factory=dict)
    """The settings that are known as one number, as stated first."""
    _known: set[tuple[str, Scope, str, Basis]] = dataclasses.field(default_factory=set)

    def state(
        self,
        passage: Passage,
        start: int,
        end: int,
        measurement: str,
        value: Value,
        basis: Basis,
        reading: str,
        *,
        scope: Scope = (),
    ) -> None:
        """Take one value, stated from ``start`` to ``end`` of a passage; ``reading`` says how it was understood.

        What is not a setting and does not stand by itself is said, whatever ``basis`` its form has.
        """
        is_setting = self.vocabulary.base.names.kind(measurement) is Kind.SETTING
        if passage.second_hand or not (is_setting or passage.plain):
            basis = Basis.SAID
        key = (measurement, scope, repr(value), basis)
        if key in self._known or len(self.findings) + len(self.settings) >= _MOST:
            return
        self._known.add(key)
        span = self.mark(passage, start, end)
        if passage.plain:
            self.standing.add(span.line)
        observation = Observation(
            measurement=measurement,
            value=value,
            origin=Origin(file=self.file, line=span.line, tool=TOOL, detail=reading),
            basis=basis,
            scope=scope,
            given=" ".join(passage.text[start:end].split())[:_GIVEN],
        )
        if is_setting and isinstance(value, Interval) and value.lo == value.hi:
            self.values.setdefault(measurement, value.lo)
        finding = Finding(observation=observation, span=span, tentative=LIKELY if reading == RANGE else self.tentative)
        (self.settings if is_setting else self.findings).append(finding)

    def state_at(self, span: Span, topic: str, weight: float, reading: str) -> None:
        """Take the weight of a topic; its words were marked when they were found."""
        origin = Origin(file=self.file, line=span.line, tool=TOOL, detail=reading)
        value = Interval.point(round(weight, 2))
        observation = Observation(measurement=topic, value=value, origin=origin, basis=Basis.SAID)
        self.findings.append(Finding(observation=observation, span=span))

    def given(self, metric: str) -> list[tuple[Interval, Finding]]:
        """Return the values of a metric so far, each with its finding."""
        return [
            (each.observation.value, each)
            for each in self.findings
            if each.observation.measurement == metric and isinstance(each.observation.value, Interval)
        ]

    def drop_tentative(self) -> None:
        """Take back what may be of an attempt or of a part of the job where the report says what is."""
        for found in (self.settings, self.findings):
            least: dict[tuple[str, Scope], int] = {}
            for each in found:
                key = (each.observation.measurement, each.observation.scope)
                least[key] = min(least.get(key, each.tentative), each.tentative)
            found[:] = [
                each for each in found if each.tentative == least[each.observation.measurement, each.observation.scope]
            ]

    def drop_contradicted(self) -> None:
        """Take back what words say both is and is not, and what is said of a thing that the report does not have."""
        flags = {
            (each.observation.measurement, each.observation.value)
            for each in self.findings
            if each.observation.basis is Basis.SAID and isinstance(each.observation.value, str)
        }
        both = {name for name, value in flags if value == "true" and (name, "false") in flags}
        self.findings[:] = [
            each
            for each in self.findings
            if each.observation.basis is not Basis.SAID or each.observation.measurement not in both | self.lacking
        ]

    def ask(self, passage: Passage, start: int, end: int, text: str, hint: str) -> None:
        """Take an ambiguity as a question."""
        self.ask_at(self.mark(passage, start, end), text, hint)

    def ask_at(self, span: Span, text: str, hint: str) -> None:
        """Take an ambiguity of a place that was marked before; the same question is asked once."""
        if len(self.questions) < _MOST and all(each.text != text for each in self.questions):
            self.questions.append(Question(span=span, text=text, hint=hint))

    def mark(self, passage: Passage, start: int, end: int) -> Span:
        """Remember a stretch of text as understood; over several lines, each of them; without blanks before."""
        start += len(passage.text[start:end]) - len(passage.text[start:end].lstrip())
        first, column = passage.place(start)
        last, until = passage.place(max(start, end - 1))
        if first == last:
            span = Span(first, column, until + 1)
            self.marked.append(span)
            return span
        for line, piece_start, piece_end in _lines(passage, start, end):
            self.marked.append(Span(line, piece_start, piece_end))
        return Span(first, column, column + 1)

    def discuss(self, measurement: str, unit: str) -> None:
        """Remember in which unit a metric was given: a bare wish that follows is one of it."""
        if self.vocabulary.base.measurements[measurement].model.track is not None:
            self.unit = unit

    def want(self, passage: Passage, start: int, end: int, measurement: str, value: Interval) -> None:
        """Take what a metric should be; the first such value counts."""
        self.wanted.setdefault(measurement, Wanted(value, self.mark(passage, start, end)))

    def wish(self, passage: Passage, amount: Amount) -> None:
        """Take what should be, of no metric that is named beside it."""
        span = self.mark(passage, amount.start, amount.end)
        self.wishes.append((amount if amount.unit else dataclasses.replace(amount, unit=self.unit), span))

    def origin(self, passage: Passage, offset: int) -> Origin:
        """Return the place of a character, for what is no observation."""
        return Origin(file=self.file, line=passage.place(offset)[0], tool=TOOL)


def _lines(passage: Passage, start: int, end: int) -> list[tuple[int, int, int]]:
    """Return line, first and last column of each line of a stretch."""
    found = []
    at = start
    for line in passage.text[start:end].split("\n"):
        if line:
            number, column = passage.place(at)
            found.append((number, column, column + len(line)))
        at += len(line) + 1
    return found
