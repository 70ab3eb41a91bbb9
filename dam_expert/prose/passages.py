r"""A report cut into passages: title, headings, paragraphs, list items, tables, quotes and blocks of code.

Markdown, mail, chat and plain text have the same shape once cut into lines, and each passage keeps where each of its
characters stands. One pass over the lines, each bounded in length: linear in the size of the report.

>>> [(each.kind.value, each.text) for each in passages("# Slow\n\nIt waits.\n\n- workers: 0\n```\nvmstat\n```\n")]
[('title', 'Slow'), ('text', 'It waits.'), ('item', 'workers: 0'), ('code', 'vmstat')]
"""

from __future__ import annotations

import bisect
import dataclasses
import enum
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

LINE_CHARACTERS = 4000
"""Characters of one line that are looked at: prose is written in shorter ones."""
PARAGRAPH_LINES = 200
"""A longer paragraph is taken in pieces, so that the work per sentence stays bounded."""

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})\s*([\w.+-]{0,30})")
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.{1,400}?)\s*#*$")
_BOLD_LINE = re.compile(r"^\s*(?:\*\*|__)([^*_]{1,100})(?:\*\*|__)\s*:?\s*$")
_UNDERLINE = re.compile(r"^ {0,3}(?:={3,}|-{3,})\s*$")
_ITEM = re.compile(r"^\s{0,40}(?:[-*+•‣·]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_QUOTE = re.compile(r"^\s{0,3}(?:>\s?)+")
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_RULE_ROW = re.compile(r"^[\s|:+-]+$")
_TAG = re.compile(r"</?(?:details|summary|br|p|b|i|pre|code|sub|sup)\s*/?>", re.IGNORECASE)
_FOLD = re.compile(r"</?(?:details|summary)\b", re.IGNORECASE)
_UNFOLD = re.compile(r"</details\s*>", re.IGNORECASE)
_BOLD_LEVEL = 7
"""A line in bold heads what follows inside of any heading."""
_TITLE_CHARACTERS = 160
_INDENTED = re.compile(r"(?: {4}|\t)\s*(?=\S)")
INDENTED = "indented"
"""The language of a block that is set off by its indentation alone: it may be words as well as output."""

FRONT_MATTER = "front matter"
"""The language of a key that stands ahead of a whole text."""


class Kind(enum.StrEnum):
    """What a passage is in the report."""

    TITLE = "title"
    HEADING = "heading"
    TEXT = "text"
    ITEM = "item"
    QUOTE = "quote"
    CODE = "code"
    TABLE = "table"


HEADS: Final = (Kind.TITLE, Kind.HEADING)
"""What begins a section."""


@dataclasses.dataclass(frozen=True, slots=True)
class Piece:
    """From ``offset`` of a passage's text on, characters stand in ``line`` (from 1) from ``column`` (from 0) on."""

    offset: int
    line: int
    column: int


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One stretch of a report that belongs together.

    ``heading`` is the one it stands under. ``second_hand``: somebody else than the reporter wrote it. ``plain``: no
    words stand around it that could make something else of its values.
    """

    kind: Kind
    text: str
    pieces: tuple[Piece, ...]
    heading: str = ""
    language: str = ""
    second_hand: bool = False
    stranger: bool = False
    """Whoever wrote it need not know the job: a comment of another account below a public issue."""
    plain: bool = False
    attempted: bool = False
    """It stands under a heading of what was tried, and nothing there speaks of others, wishes or guesses."""
    trial: bool = False
    """It is all that stands under a heading of what was tried, and may tell a trial from beginning to end."""
    level: int = 0
    """Of a heading, how deep it stands: 1 the highest; 0 where the form of the report has none."""
    indent: int = 0
    """Of a list item, how far in it begins."""
    aside: bool = False
    """It is folded away or still to be done: nothing that was measured of this job as it is."""

    @property
    def line(self) -> int:
        """The line in which it begins."""
        return self.pieces[0].line

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of one of its characters."""
        piece = self.pieces[bisect.bisect_right(self.pieces, offset, key=lambda each: each.offset) - 1]
        return piece.line, piece.column + offset - piece.offset


@dataclasses.dataclass(slots=True)
class _Cutter:
    """The passages so far, and the one that is being gathered."""

    done: list[Passage] = dataclasses.field(default_factory=list)
    kind: Kind | None = None
    lines: list[tuple[int, int, str]] = dataclasses.field(default_factory=list)
    heading: str = ""
    language: str = ""
    titled: bool = False
    second_hand: bool = False
    level: int = 0
    indent: int = 0
    folded: bool = False
    aside: bool = False

    def add(self, kind: Kind, line: int, column: int, text: str, *, joins: bool = True) -> None:
        """Take a line into the current passage, or begin another."""
        if self.kind is not kind or not joins or len(self.lines) >= PARAGRAPH_LINES:
            self.close()
        self.kind = kind
        self.lines.append((line, column, text))

    def close(self) -> None:
        """End the current passage."""
        if self.kind is None:
            return
        pieces, parts, offset = [], [], 0
        for line, column, text in self.lines:
            pieces.append(Piece(offset, line, column))
            parts.append(text)
            offset += len(text) + 1
        passage = Passage(
            kind=self.kind,
            text="\n".join(parts),
            pieces=tuple(pieces),
            heading=self.heading,
            language=self.language if self.kind is Kind.CODE else "",
            second_hand=self.second_hand or self.kind is Kind.QUOTE,
            level=self.level if self.kind in HEADS else 0,
            indent=self.indent if self.kind is Kind.ITEM else 0,
            aside=self.folded or (self.aside and self.kind is Kind.ITEM),
        )
        self.kind, self.lines = None, []
        if passage.text.strip():
            self.done.append(passage)

    def head(self, line: int, column: int, text: str, level: int) -> None:
        """Take a heading; the first of a report is its title."""
        self.close()
        self.level = level
        self.add(Kind.HEADING if self.titled or self.done else Kind.TITLE, line, column, text)
        self.close()
        self.titled = True
        self.heading = text


def passages(
    text: str | Iterable[str], *, first_line: int = 1, titled: bool = False, second_hand: bool = False
) -> list[Passage]:
    """Return the passages of a text in order. ``titled``: its title is known already."""
    lines = text.split("\n") if isinstance(text, str) else text
    cutter = _Cutter(titled=titled, second_hand=second_hand)
    fence = ""
    in_comment = False
    for number, raw in enumerate(lines, first_line):
        line = raw[:LINE_CHARACTERS].rstrip()
        if fence:
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                cutter.close()
                fence = ""
            else:
                cutter.lines.append((number, 0, line))
            continue
        if in_comment or line.lstrip().startswith("<!--"):
            in_comment = "-->" not in line
            continue
        opening = _FENCE.match(line)
        if opening:
            cutter.close()
            fence, cutter.language, cutter.kind = opening[1], opening[2].lower(), Kind.CODE
            continue
        if _goes_on_indented(cutter, line):
            cutter.language, cutter.kind = INDENTED, Kind.CODE
            cutter.lines.append((number, 0, line))
            continue
        if cutter.kind is Kind.CODE:
            cutter.close()
        _take(cutter, number, line)
    cutter.close()
    return _with_title(cutter.done, titled)


def _goes_on_indented(cutter: _Cutter, line: str) -> bool:
    """Whether a line begins or continues a block set off by indentation; under an item it belongs to that."""
    if cutter.kind is Kind.CODE:
        return _INDENTED.match(line) is not None and len(cutter.lines) < PARAGRAPH_LINES
    of_item = bool(cutter.done) and cutter.done[-1].kind is Kind.ITEM
    starts = cutter.kind is None and bool(cutter.done) and not of_item and _INDENTED.match(line) is not None
    return starts and not (_ITEM.match(line) or _QUOTE.match(line.lstrip()))


def _take(cutter: _Cutter, number: int, line: str) -> None:
    """Take one line outside of code."""
    if "<" in line:
        if _FOLD.search(line):
            cutter.close()
            cutter.folded = _UNFOLD.search(line) is None
        line = _TAG.sub(lambda tag: " " * len(tag[0]), line).rstrip()
    if not line.strip():
        cutter.close()
        return
    heading = _HEADING.match(line) or _BOLD_LINE.match(line)
    if heading:
        group = 2 if heading.re is _HEADING else 1
        level = len(heading[1]) if group == 2 else _BOLD_LEVEL
        cutter.head(number, heading.start(group), heading[group], level)
    elif _UNDERLINE.match(line):
        _underlined(cutter, 1 if "=" in line else 2)
    elif _ROW.match(line):
        if not _RULE_ROW.match(line):
            cutter.add(Kind.TABLE, number, 0, line)
    elif quote := _QUOTE.match(line):
        cutter.add(Kind.QUOTE, number, quote.end(), line[quote.end() :])
    elif item := _ITEM.match(line):
        cutter.close()
        cutter.indent, cutter.aside = len(line) - len(line.lstrip()), "[ ]" in item[0]
        cutter.add(Kind.ITEM, number, item.end(), line[item.end() :], joins=False)
    else:
        indent = len(line) - len(line.lstrip())
        kind = Kind.ITEM if cutter.kind is Kind.ITEM and indent >= 2 else Kind.TEXT
        cutter.add(kind, number, indent, line[indent:])


def _underlined(cutter: _Cutter, level: int) -> None:
    """Take the line under a heading, or a rule between passages."""
    if cutter.kind is Kind.TEXT and len(cutter.lines) == 1:
        line, column, text = cutter.lines.pop()
        cutter.kind = None
        cutter.head(line, column, text, level)
    else:
        cutter.close()


#: How a mail begins; what it is about follows.
_SALUTATION = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|你好|您好|chào|xin chào|kính gửi)\b[^.:：。]{0,40}"
    r"|(?:各位|大家|你|您)[^.:：。]{0,12}好[^.:：。]{0,8}",
    re.IGNORECASE,
)


def _with_title(found: list[Passage], titled: bool) -> list[Passage]:
    """Make a short first line the title of a report that has none."""
    if not titled and len(found) > 1 and _SALUTATION.fullmatch(found[0].text.strip()):
        return [found[0], *_with_title(found[1:], titled)]
    if not titled and found and found[0].kind is Kind.TEXT:
        first = found[0]
        alone = len(first.pieces) == 1 and len(first.text) <= _TITLE_CHARACTERS and len(found) > 1
        if alone:
            return [dataclasses.replace(first, kind=Kind.TITLE), *found[1:]]
    return found
