"""A report with what was understood of it marked: for a reader who wants to see what was taken from where."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dam_expert.documents.observations import Observation
    from dam_expert.prose.understood import Span, Understanding

OPEN: Final = "⟦"
CLOSE: Final = "⟧"
_LONGEST: Final = 400
"""Characters of one line that are shown."""


def marked_report(report: Understanding, told: Callable[[Observation], str]) -> Iterator[str]:
    """Yield the lines of a report with understood words between brackets, and below each what was taken from it.

    ``told`` writes one observation. A line without brackets gave nothing; the last line counts both.
    """
    spans: dict[int, list[Span]] = defaultdict(list)
    for span in report.marked:
        spans[span.line].append(span)
    notes = _notes(report, told)
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
    yield f"      {understood} of {lines} lines gave something"


def _notes(report: Understanding, told: Callable[[Observation], str]) -> dict[int, list[str]]:
    notes: dict[int, list[str]] = defaultdict(list)
    for finding in (*report.settings, *report.findings):
        observation = finding.observation
        notes[finding.span.line].append(f"{told(observation)} ({observation.basis}; {observation.origin.detail})")
    for reading in report.readings:
        for observation in reading.observations:
            notes[observation.origin.line or 1].append(f"{told(observation)} ({observation.basis}; {reading.tool})")
    for tried in report.tried:
        notes[tried.origin.line or 1].append(f"tried: {tried.lever}, {tried.effect}")
    for planned in report.planned:
        notes[planned.origin.line or 1].append(f"planned: {planned.lever}")
    for question in report.questions:
        notes[question.span.line].append(f"question: {question.text}; {question.hint}")
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
