"""The report model: sections of items in reading order, with no opinion on how they are drawn.

Whatever a picture shows stands in the lines, bars or tables beside it as well, so that a renderer may leave it out.

>>> Section(id="verdict", title="Verdict", items=(Line("input binds", tone=Tone.STRONG),)).items[0].text
'input binds'
"""

from __future__ import annotations

import dataclasses
import enum
from typing import Literal, TypeAlias

from dam_expert.reports.pictures import Course, Roof, Terms, Tree


class Tone(enum.StrEnum):
    """How a line is meant; a renderer may colour it, and loses nothing where it cannot."""

    PLAIN = "plain"
    STRONG = "strong"
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"
    FAINT = "faint"


@dataclasses.dataclass(frozen=True, slots=True)
class Quote:
    """A stretch of a line in a language of its own; ``language`` is empty where it is the input's, whatever that is."""

    text: str
    language: Literal["en", ""] = "en"


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """One paragraph. ``mark`` stands before it (``1.``, ``-``); ``depth`` counts the levels it is indented by.

    ``verbatim``: a row of a drawing or of aligned columns, so never broken. ``quotes`` are what is not in the language
    of the report: citations, conditions of rules, messages of readers, words of the input.
    """

    text: str
    mark: str = ""
    depth: int = 0
    tone: Tone = Tone.PLAIN
    verbatim: bool = False
    quotes: tuple[Quote, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Code:
    """Text to be pasted, so never broken and never reworded; ``sh`` is for a shell, ``python`` for a program."""

    text: str
    language: Literal["sh", "python"]
    depth: int = 0


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One share drawn to scale: filled to ``low``, shaded to ``high``; both None where the share is unknown.

    ``leads`` marks the part that binds.
    """

    label: str
    low: float | None
    high: float | None
    text: str
    leads: bool = False


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of cells under a header; the first cell of a row names it. ``tones`` has one tone per row."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    tones: tuple[Tone, ...]


Item: TypeAlias = Line | Code | Bar | Table | Terms | Roof | Tree | Course


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A titled part of the report; ``id`` is stable across languages and formats."""

    id: str
    title: str
    items: tuple[Item, ...]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A labelled sentence of the head of a report, with what explains it or is to be pasted for it."""

    label: str
    text: str
    note: str = ""
    code: Code | None = None
    aside: str = ""
    """What the three lines of a brief report say here as well; a page says it beside the verdict."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What is read first: ``verdict`` with its status, the ``facts`` that weigh it, and ``steps``: what to do."""

    about: str
    """The title of the incident, as it was given; empty where there is none."""
    verdict: Point
    claim: str
    """The verdict in the fewest words, for a heading."""
    tone: Tone
    detail: str
    """What the heading leaves out; empty where the facts say it."""
    facts: tuple[Point, ...]
    steps: tuple[Point, ...]
    warnings: tuple[str, ...] = ()
    """What is planned and should not be done, or what is no gain though it looks like one."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The words a renderer itself needs."""

    language: str
    name: str
    """What kind of document it is, for the title of a page."""
    joined: str
    """How a label and a text are joined, with the places ``{label}`` and ``{text}``."""
    sentences: str
    """How two sentences are put behind each other, with the places ``{first}`` and ``{more}``."""
    part: str
    share: str
    sources: str
    appendix: str


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What is to be said, ready to be drawn. ``sections`` leave out what does not apply.

    ``details`` (proof, observations, versions) are drawn only on request, or where they can be folded.
    """

    labels: Labels
    head: Head
    sections: tuple[Section, ...]
    details: tuple[Section, ...]

    @property
    def brief(self) -> tuple[str, ...]:
        """The head as one line each: the verdict, and what to do."""
        lines = []
        for point in (self.head.verdict, *self.head.steps):
            behind = " ".join(point.code.text.split()) if point.code else point.note
            said = self.labels.joined.format(label=point.text, text=behind) if behind else point.text
            said = self.labels.sentences.format(first=said, more=point.aside) if point.aside else said
            lines.append(self.labels.joined.format(label=point.label, text=said))
        return tuple(lines)
