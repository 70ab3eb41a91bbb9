"""From the text of a report to what it says: the one way through the parts of this package."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Final

from dam_expert.documents.incident import Target, Track
from dam_expert.documents.intervals import Interval
from dam_expert.documents.messages import Level, Message
from dam_expert.documents.observations import Basis, Origin
from dam_expert.prose.amounts import value_of
from dam_expert.prose.attempts import drop_other_tracks, read_attempts, read_verdict
from dam_expert.prose.collected import LIKELY, MAYBE, Collected
from dam_expert.prose.commands import without_commands
from dam_expert.prose.configured import read_options
from dam_expert.prose.denials import is_fine
from dam_expert.prose.emphasis import largest_times
from dam_expert.prose.enclosing import folded_head
from dam_expert.prose.forms import passages_of
from dam_expert.prose.hardware import read_hardware
from dam_expert.prose.inline import read_sentence
from dam_expert.prose.innocent import tells_a_difference
from dam_expert.prose.introduced import introduces_others
from dam_expert.prose.labelled import labelled_lines, read_labelled, take_labelled
from dam_expert.prose.labels import COLONS
from dam_expert.prose.levers import levers_named
from dam_expert.prose.logged import is_logged, logged_lines
from dam_expert.prose.own_labels import subject_of
from dam_expert.prose.passages import INDENTED, LINE_CHARACTERS, Kind
from dam_expert.prose.pasted import of_another_case, read_pasted
from dam_expert.prose.percentiles import family_named
from dam_expert.prose.probes import is_confounded, keep_values, probe_of, read_gain
from dam_expert.prose.purchases import read_purchases
from dam_expert.prose.sentences import by_sentence, statements
from dam_expert.prose.standing import with_standing
from dam_expert.prose.tables import table_labels
from dam_expert.prose.targets import proves_health
from dam_expert.prose.told_trials import keep_told, take_told_trials
from dam_expert.prose.topics import TopicScale, place_weight
from dam_expert.prose.twice import ask_of_contradictions, measured_twice
from dam_expert.prose.unclear import ask_of, doubt_shared
from dam_expert.prose.understood import Span, Understanding
from dam_expert.prose.variants import extremes_of, levers_of, take_effects
from dam_expert.prose.words import significant, stem, tokens
from dam_expert.readers.source import DamageError
from dam_expert.readers.text import without_escapes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.readers.source import Source

TOPICS: Final = "report_topics"
_ALLOCATION, _FITS = "allocation_state", "fits"
_HEADED: Final = (Kind.CODE, Kind.TABLE, Kind.QUOTE)
"""What the words right before it make something else of."""
_TWICE: Final = "two sections give different values, and it is not said which of them holds now"
_TWICE_ANSWER: Final = "keep the section that holds now, or head the other one 'Before'"
_OF_WHAT: Final = "it is not said of what, and in which unit"
_OF_WHAT_ANSWER: Final = "write the metric and the unit beside it: 'step time: 180 ms, wanted 110 ms'"
REPORT_BYTES: Final = 32 * 1024**2
"""How much of a report is read; a longer one is cut, and said."""


def read_report(source: Source, vocabulary: Vocabulary) -> Understanding:
    """Return what a report says. Never raises on what stands in it."""
    text, messages = _text(source)
    return understand_text(text, source.shown, vocabulary, messages)


def understand_text(text: str, file: str, vocabulary: Vocabulary, messages: tuple[Message, ...] = ()) -> Understanding:
    """Return what the text of a report says."""
    collected = Collected(file=file, vocabulary=vocabulary)
    scale = TopicScale(vocabulary)
    found = with_standing(passages_of(text), vocabulary)
    title = next((each for each in found if each.kind is Kind.TITLE), None)
    lead = next((each for each in found if each.kind in (Kind.TEXT, Kind.ITEM)), None)
    largest = largest_times(found, vocabulary)
    for name, passage in measured_twice(found, vocabulary):
        collected.ask(passage, 0, len(passage.text), f"{name}: {_TWICE}", _TWICE_ANSWER)
    collected.extremes = extremes_of(title.text, vocabulary) if title is not None else {}
    collected.subject = subject_of(title, lead)
    collected.differing = any(tells_a_difference(each, vocabulary) for each in found)
    before: Passage | None = None
    head: Passage | None = None
    for passage in _once(found):
        head = passage if passage.kind not in _HEADED else head
        if passage.kind in _HEADED and head is not None and introduces_others(head, vocabulary):
            passage = dataclasses.replace(passage, stranger=True)  # noqa: PLW2901
        weight = place_weight(passage.kind, vocabulary, leads=passage is lead, largest=id(passage) in largest)
        if passage.kind is Kind.CODE:
            _read_code(passage, before, collected, scale, weight)
        else:
            _read_passage(passage, collected, scale, weight)
        before = passage
    collected.drop_tentative()
    collected.drop_contradicted()
    doubt_shared(collected)
    take_told_trials(collected)
    take_effects(collected)
    _take_topics(scale, found, collected)
    target = _target(title, lead, collected, scale)
    _ask_of_bare_wishes(target, collected)
    drop_other_tracks(_track_of(target, vocabulary), collected)
    return Understanding(
        file=file,
        title=title.text if title else "",
        target=target,
        settings=tuple(collected.settings),
        findings=tuple(collected.findings),
        tried=tuple(collected.tried),
        planned=tuple(collected.planned),
        questions=tuple(collected.questions),
        readings=tuple(collected.readings),
        messages=messages,
        passages=tuple(found),
        marked=tuple(sorted(set(collected.marked))),
    )


def _once(found: list[Passage]) -> Iterator[Passage]:
    """Yield each passage once: what a thread quotes again says nothing more."""
    known: set[tuple[Kind, str, str]] = set()
    for passage in found:
        key = (passage.kind, passage.heading, passage.text)
        if key not in known:
            known.add(key)
            yield passage


def _text(source: Source) -> tuple[str, tuple[Message, ...]]:
    """Return the text of a source, bounded; what ends it early is a message."""
    parts: list[bytes] = []
    size = 0
    problem: tuple[str, str, str] | None = None
    try:
        for block in source.blocks():
            parts.append(block[: REPORT_BYTES - size])
            size += len(block)
            if size > REPORT_BYTES:
                hint = "pass the messages that describe the problem"
                problem = ("too-large", f"only the first {REPORT_BYTES >> 20} MiB of the report are read", hint)
                break
    except DamageError as damage:
        problem = (damage.code, damage.text, damage.hint)
    text = without_escapes(b"".join(parts).decode("utf-8", "replace"))
    cut = tuple(_cut(text, source.shown))
    if problem is None:
        return text, cut
    code, said, hint = problem
    return text, (Message(file=source.shown, level=Level.WARNING, code=code, text=said, hint=hint), *cut)


def _cut(text: str, file: str) -> Iterator[Message]:
    """Yield what is to be said of the first line that is longer than what is read of one."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line.rstrip()) > LINE_CHARACTERS:
            said = f"only the first {LINE_CHARACTERS} characters of a line are read; the rest of this one is not"
            hint = "break the line, or pass the output of a tool as a file of its own"
            yield Message(file=file, line=number, level=Level.NOTE, code="line-too-long", text=said, hint=hint)
            return


def _read_code(
    passage: Passage, before: Passage | None, collected: Collected, scale: TopicScale, weight: float
) -> None:
    """Read a block between fences: a tool's output by its reader, else the settings in it and its lines of a log."""
    if passage.stranger or read_pasted(passage, before, collected):
        return
    if passage.language == INDENTED:
        _read_passage(dataclasses.replace(passage, kind=Kind.TEXT, language=""), collected, scale, weight)
        return
    read_options(passage, collected)
    read_labelled(passage, collected, only_settings=True)
    if of_another_case(before, collected):
        return
    for line in logged_lines(passage):
        for sentence in by_sentence(statements(line.text, collected.vocabulary)):
            scale.take(sentence, weight, functools.partial(collected.mark, line))
            read_sentence(sentence, line, collected)


def _read_passage(passage: Passage, collected: Collected, scale: TopicScale, weight: float) -> None:
    """Read what a person wrote, by its kind. Of what strangers write only its topics count."""
    told = list(statements(without_commands(passage.text), collected.vocabulary))
    if passage.stranger:
        for sentence in by_sentence(told):
            scale.take(sentence, weight, functools.partial(collected.mark, passage))
    else:
        _read_own(passage, told, collected, scale, weight)


def _read_own(
    passage: Passage, told: Sequence[Statement], collected: Collected, scale: TopicScale, weight: float
) -> None:
    """Read what somebody wrote who knows the job. ``told`` are the clauses of the passage."""
    vocabulary = collected.vocabulary
    collected.tentative = MAYBE if passage.kind is Kind.TEXT else 0  # an option in a sentence may be one that was tried
    read_options(passage, collected, told)
    collected.tentative = 0
    ask_of(passage, collected)
    collected.family = _family(passage, collected)
    has_labels = passage.kind is Kind.TABLE
    if has_labels:
        for name, value in table_labels(passage.text, vocabulary.words_of["before"], vocabulary.words_of["now"]):
            take_labelled(name, value, (passage, 0, len(passage.text)), collected)
    cases = len(collected.cases)
    tried_here = folded_head(passage.heading) in vocabulary.heads.tried
    if passage.kind in (Kind.ITEM, Kind.TEXT):
        read_labelled(passage, collected)
    of_a_change = passage.kind is Kind.ITEM and any(case.changed for case in collected.cases[cases:])
    if passage.kind in (Kind.ITEM, Kind.TEXT, Kind.TITLE):
        read_hardware(passage, told, collected)
        has_labels = next(labelled_lines(passage), None) is not None and passage.kind is Kind.ITEM
    for sentence in by_sentence(told):
        scale.take(sentence, weight, functools.partial(collected.mark, passage))
        read_verdict(sentence, passage, collected)
        if passage.kind is Kind.HEADING:
            collected.applied, collected.pending = frozenset(), ()
            continue
        tried = len(collected.tried)
        named = levers_named(sentence, vocabulary, collected.values)
        read_attempts(sentence, named, passage, collected)
        read_purchases(sentence, passage, collected)
        collected.confounded = collected.confounded or is_confounded(sentence, named)
        probe, whole = None, False
        if not has_labels:
            collected.applied = levers_of(sentence, named, vocabulary, tried=tried_here)
            collected.applied_in = frozenset(stem(token.word) for each in sentence for token in each.words)
            probe = probe_of(sentence, collected.applied, collected)
            whole = keep_told(sentence, passage, collected)
        collected.tentative = LIKELY if probe is not None or len(collected.tried) > tried else 0
        before = len(collected.findings)
        gained = (probe is not None and read_gain(probe, sentence, passage, collected)) or whole
        settings = len(collected.settings)
        if not of_a_change:  # *step time benchmark off: 2 s* says nothing of the job as it is
            read_sentence(sentence, passage, collected, numbers=not (has_labels or gained))
        if tried_here and collected.applied:  # *p99 with chunked prefill* says nothing of the job as it is
            del collected.settings[settings:]
        if probe is not None and not gained:
            keep_values(probe, before, sentence, passage, collected)
        elif len(collected.findings) - before > 1 and not is_logged(sentence):
            ask_of_contradictions(before, collected)
        collected.tentative = 0


def _family(passage: Passage, collected: Collected) -> str:
    """Return what the items of a list below a passage are statistics of, if the passage heads one and names it."""
    if passage.kind is Kind.ITEM:
        return collected.family
    heads = passage.kind is Kind.HEADING or passage.text.rstrip().endswith(COLONS)
    return family_named(passage.text, collected.vocabulary) if heads else ""


def _take_topics(scale: TopicScale, found: list[Passage], collected: Collected) -> None:
    """Take what the report is about as observations, said."""
    if not found:
        return
    first = found[0]
    topics = list(scale.pointed())
    if topics:
        collected.state_at(Span(first.line, 0, 0), TOPICS, len(topics), "topics counted")
    for each in topics:
        words = ", ".join(each.words[:5])
        reading = f"words of the report: {words}" if words else "ruled out in the report"
        collected.state_at(each.spans[0] if each.spans else Span(first.line, 0, 0), each.topic, each.weight, reading)


def _target(title: Passage | None, lead: Passage | None, collected: Collected, scale: TopicScale) -> Target | None:
    """Return what is missed: the metric that the title names, else the one with a wanted value; else only the track.

    Where of the title's metric nothing is wanted and of another one is, that one is missed. What words say is reached
    (*92 %, our goal was 90 %, so quality is fine*) is not what the report is about; where the title names it, its basis
    keeps it from proving health.
    """
    vocabulary = collected.vocabulary
    metrics = [] if title is None else list(vocabulary.names.find(significant(tokens(title.text))))
    named = [each.meaning for each in metrics if each.meaning]
    named = [name for name in named if vocabulary.base.measurements[name].model.track]
    missed = [
        name
        for name, wanted in collected.wanted.items()
        if vocabulary.base.measurements[name].model.track and not _is_said_to_be_met(name, wanted.value, collected)
    ]
    first = next((name for name in named if name in missed), None)
    metric = first or next(iter(missed), None) or (named[0] if named else _metric_wished(collected))
    if metric is not None and metric not in collected.wanted and not collected.given(metric) and _has_failed(collected):
        return Target(track=Track.FIT, origin=_origin_of_target(title, (), collected))
    if metric is None:
        track = _track(title, lead, vocabulary, scale)
        return None if track is None else Target(track=Track(track), origin=_origin_of_target(title, (), collected))
    given = collected.given(metric)
    actual = [(value, each.observation.basis) for value, each in given]
    value, basis = next((each for each in actual if each[1] is not Basis.SAID), actual[0]) if actual else (None, None)
    wanted = collected.wanted.get(metric)
    wish = _wish(metric, collected) if wanted is None else wanted.value
    spans = [span for _, span in collected.wishes] if wanted is None else [wanted.span]
    spans = [*(spans if wish is not None else ()), *(each.span for _, each in given)]
    if value is not None and wish is not None and vocabulary.base.measurements[metric].reaches(value, wish):
        basis = basis if proves_health(metric, wish, collected) else Basis.SAID
    return Target(
        metric=metric,
        wanted=wish,
        actual=value,
        unit=vocabulary.base.names.unit(metric) if wish is not None or actual else None,
        basis=basis or Basis.REPORTED,
        origin=_origin_of_target(title, spans, collected),
    )


def _origin_of_target(title: Passage | None, spans: Iterable[Span], collected: Collected) -> Origin:
    """Return where a report says what is missed: beside the wanted value, else the actual one, else in its title."""
    line = next((span.line for span in spans), 1 if title is None else title.line)
    return Origin(file=collected.file, line=line)


def _is_said_to_be_met(metric: str, wanted: Interval, collected: Collected) -> bool:
    """Whether all that is said of a metric reaches what is wanted, and nothing better than words shows it."""
    given = collected.given(metric)
    measurement = collected.vocabulary.base.measurements[metric]
    return bool(given) and all(
        each.observation.basis is Basis.SAID and measurement.reaches(value, wanted) for value, each in given
    )


def _wish(metric: str, collected: Collected) -> Interval | None:
    """Return the one wanted number without a name that can be a value of a metric, or None."""
    measurement = collected.vocabulary.base.measurements[metric]
    read = [
        value_of(amount, measurement) for amount, _ in collected.wishes if amount.unit or measurement.model.unit == "1"
    ]
    values = {each[0] for each in read if each is not None}
    return values.pop() if len(values) == 1 else None


def _has_failed(collected: Collected) -> bool:
    """Whether an allocation is stated to have failed, by itself: then a metric in name only is not what is missed."""
    return any(
        each.observation.measurement == _ALLOCATION
        and each.observation.value != _FITS
        and each.observation.basis is not Basis.SAID
        for each in collected.findings
    )


def _track_of(target: Target | None, vocabulary: Vocabulary) -> str | None:
    """Return the track of what is missed, that of its metric where it has one."""
    if target is None:
        return None
    metric = vocabulary.base.measurements.get(target.metric or "")
    if metric is not None:
        return metric.model.track
    return None if target.track is None else str(target.track)


def _ask_of_bare_wishes(target: Target | None, collected: Collected) -> None:
    """Ask of what a wanted number without a unit is, where nothing before it tells."""
    if target is None or target.wanted is None:
        for amount, span in collected.wishes:
            if not amount.unit:
                collected.ask_at(span, f"{amount.text} is wanted: {_OF_WHAT}", _OF_WHAT_ANSWER)


def _metric_wished(collected: Collected) -> str | None:
    """Return the one metric of the report that a wanted number without a name can be a value of, or None."""
    known = collected.vocabulary.base.measurements
    stated = dict.fromkeys(each.observation.measurement for each in collected.findings)
    metrics = [name for name in stated if known[name].model.track and _wish(name, collected) is not None]
    return metrics[0] if len(metrics) == 1 else None


def _track(title: Passage | None, lead: Passage | None, vocabulary: Vocabulary, scale: TopicScale) -> str | None:
    """Return the track that the first words of a report show, the title before the lead; else that of its topic."""
    for passage in (title, lead):
        for statement in () if passage is None else statements(passage.text, vocabulary):
            for mention in vocabulary.track_words.find(statement.words):
                if not is_fine(statement, mention):
                    return mention.meaning
    strongest = next((each.topic for each in scale.pointed() if each.weight > 0), None)
    return vocabulary.tracks.get(strongest or "")
