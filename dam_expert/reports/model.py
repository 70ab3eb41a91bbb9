"""The report model: sections of lines and bars, in reading order, with no opinion on how they are drawn.

>>> Section(id="verdict", title="Verdict", items=(Line("input binds", tone=Tone.STRONG),)).items[0].text
'input binds'
"""

from __future__ import annotations

import dataclasses
import enum


class Tone(enum.StrEnum):
    """How a line is meant; a renderer may colour it, and loses nothing where it cannot."""

    PLAIN = "plain"
    STRONG = "strong"
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"
    FAINT = "faint"


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """One paragraph. ``mark`` stands before it (``1.``, ``-``, ``$``); ``verbatim``: to be pasted, so never broken."""

    text: str
    mark: str = ""
    depth: int = 0
    tone: Tone = Tone.PLAIN
    verbatim: bool = False


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One share drawn to scale: filled to ``low``, shaded to ``high``; both None where the share is unknown."""

    label: str
    low: float | None
    high: float | None
    text: str


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A titled part of the report; ``id`` is stable across languages and formats."""

    id: str
    title: str
    items: tuple[Line | Bar, ...]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a diagnosis says, ready to be drawn.

    ``brief`` holds its three lines; ``sections`` leave out what does not apply; ``details`` (proof, observations,
    versions) are drawn only on request.
    """

    brief: tuple[Line, Line, Line]
    sections: tuple[Section, ...]
    details: tuple[Section, ...]
