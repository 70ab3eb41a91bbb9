"""A report with what was understood of it marked: for a reader who wants to see what was taken from where."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from dam_expert.documents.diagnosis import extent
from dam_expert.documents.kinds import Kind
from dam_expert.reports.glossary import written

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.incident import Target
    from dam_expert.documents.intervals import Interval
    from dam_expert.documents.observations import Observation
    from dam_expert.prose import Understanding
    from dam_expert.prose.understood import Span
    from dam_expert.reports.glossary import Glossary

OPEN: Final = "⟦"
CLOSE: Final = "⟧"
_LONGEST: Final = 400
"""Characters of one line that are shown."""


def told(each: Observation, words: Glossary) -> str:
    """Write an observation as measurement and value."""
    scope = "".join(f"[{name}={member}]" for name, member in each.scope)
    return f"{each.measurement}{scope} = {words.observed(each)}"


def told_target(target: Target, words: Glossary, place: str) -> str:
    """Write what is missed: its metric, what it is and should be, and where it is stated; nothing of a mere track."""
    metric = target.metric
    if metric is None:
        return ""

    def value(known: Interval | None) -> str:
        if known is None:
            return words.say("unknown")
        if metric in words.quantities:
            return words.value(metric, extent(known))
        return written(extent(known), target.unit or "1", Kind.LEVEL)

    actual, wanted = value(target.actual), value(target.wanted)
    basis = words.say(f"basis.{target.basis}")
    return words.say("read.target", metric=metric, actual=actual, wanted=wanted, basis=basis, origin=place)


def marked_report(report: Understanding, words: Glossary) -> Iterator[str]:
    """Yield the lines of a report with understood words between brackets, and below each what was taken from it.

    A line without brackets gave nothing; the last line counts both.
    """
    spans: dict[int, list[Span]] = defaultdict(list)
    for span in report.marked:
        spans[span.line].append(span)
    notes = _notes(report, words)
    lines = understood = 0
    for passage in report.passages:
        ends = [piece.offset - 1 for piece in passage.pieces[1:]] + [len(passage.text)]
        for piece, end in zip(passage.pieces, ends, strict=True):
            text = passage.text[piece.offset : end]
            if not text.strip():
                continue
            own = [(span.start - piece.column, span.end - piece.column) for span in spans[piece.line]]
            lines += 1
            understood += bool(own)
            yield f"{piece.line:5} | {_bracketed(text[:_LONGEST], own)}"
            for note in notes.pop(piece.line, ()):
                yield f"      > {note}"
    yield f"      {words.say('read.count', n=understood, lines=lines)}"


def _notes(report: Understanding, words: Glossary) -> dict[int, list[str]]:
    notes: dict[int, list[str]] = defaultdict(list)

    def note(each: Observation, detail: str | None) -> str:
        basis = words.say(f"basis.{each.basis}")
        return words.say("read.note", value=told(each, words), basis=basis, detail=words.text(str(detail)))

    for finding in (*report.settings, *report.findings):
        notes[finding.span.line].append(note(finding.observation, finding.observation.origin.detail))
    for reading in report.readings:
        for each in reading.observations:
            notes[each.origin.line or 1].append(note(each, reading.tool))
    for tried in report.tried:
        notes[tried.origin.line or 1].append(words.say("read.tried", lever=tried.lever, effect=tried.effect))
    for planned in report.planned:
        notes[planned.origin.line or 1].append(words.say("read.planned", lever=planned.lever))
    target = report.target
    if target is not None and target.origin is not None and target.metric is not None:
        notes[target.origin.line or 1].append(told_target(target, words, str(target.origin)))
    for question in report.questions:
        text, hint = words.text(question.text), words.text(question.hint)
        notes[question.span.line].append(words.say("read.question", text=text, hint=hint))
    return notes


def _bracketed(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text with brackets around stretches; those that touch or overlap become one.

    >>> _bracketed("the loader waits", [(4, 10), (8, 16)])
    'the ⟦loader waits⟧'
    """
    joined: list[list[int]] = []
    for start, end in sorted((max(0, start), min(len(text), end)) for start, end in spans):
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(end, joined[-1][1])
        elif start < end:
            joined.append([start, end])
    for start, end in reversed(joined):
        text = f"{text[:start]}{OPEN}{text[start:end]}{CLOSE}{text[end:]}"
    return text
