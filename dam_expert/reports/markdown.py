"""The report as Markdown, for tickets and pull requests.

Whatever is text is escaped, so that a title from an input is never a heading, a link, a picture, HTML, or a mention of
somebody. What is to be pasted stands in fenced blocks, with a fence longer than any in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.messages import printable
from dam_expert.reports.model import Bar, Code, Line, Table, Tone

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dam_expert.reports.model import Item, Report, Section

_SPECIAL: Final = re.compile(r"[\\`*_{}\[\]<>|~&$]")
_AT_START: Final = re.compile(r"^(\s*)([#+\-=:>]|\d+(?=[.)](?:\s|$)))")
#: Trackers turn these into links and mentions after they have read the Markdown, escaped or not; a comment breaks them.
_LINKING: Final = re.compile(
    r"(?<=@)(?=\w)|(?<=#)(?=\d)|(?<=!)(?=\d)|(?<=:)(?=//)|(?<=www)(?=\.)|(?<=mailto)(?=:)", re.I
)
_BREAK: Final = "<!-- -->"
_STEP: Final = "  "


def to_markdown(report: Report, *, brief: bool = False, explain: bool = False) -> str:
    """Write a report: ``brief`` its three lines as a list, ``explain`` the whole proof as well."""
    if brief:
        return "".join(f"- {escaped(line)}\n" for line in report.brief)
    title = report.head.about or report.labels.name
    blocks = [f"# {escaped(title)}\n"]
    for section in report.sections + (report.details if explain else ()):
        blocks.append(f"## {escaped(section.title)}\n")
        blocks += _blocks(section, report)
    return "\n".join(blocks)


def escaped(text: str) -> str:
    r"""Return text in which nothing is Markdown.

    >>> print(escaped("# [x](http://a) *b* <script> @all"))
    \# \[x\](http:<!-- -->//a) \*b\* \<script\> @<!-- -->all
    """
    plain = _LINKING.sub("\0", " ".join(printable(text).split(" ")))
    special = _SPECIAL.sub(lambda found: f"\\{found[0]}", plain)
    started = _AT_START.sub(lambda found: f"{found[1]}{_started(found[2])}", special)
    return started.replace("\0", _BREAK)


def _started(sign: str) -> str:
    """Escape what would begin a heading, a list or a quotation; of a number its full stop is what counts."""
    return f"{sign}{_BREAK}" if sign[0].isdecimal() else f"\\{sign}"


def _blocks(section: Section, report: Report) -> Iterator[str]:
    """Yield paragraphs, tables and lists, each ending with a line end; what belongs together stays together."""
    for together in _groups(section.items):
        first = together[0]
        if isinstance(first, Bar):
            bars = [item for item in together if isinstance(item, Bar)]
            yield _bars(bars, report)
        elif isinstance(first, Table):
            yield _rows([first.header, *first.rows])
        elif isinstance(first, Line) and not first.mark and first.depth == 0:
            yield f"{_line(first)}\n"
        else:
            yield "".join(_listed(together))


def _groups(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Yield bars together, and the lines of a list together with what stands under them."""
    group: list[Item] = []
    for item in items:
        if not isinstance(item, Line | Bar | Code | Table):
            continue
        listed = isinstance(item, Code) or (isinstance(item, Line) and bool(item.mark or item.depth))
        joins = group and (
            (isinstance(item, Bar) and isinstance(group[0], Bar))
            or (listed and not isinstance(group[0], Bar | Table) and _is_listed(group[0]))
        )
        if group and not joins:
            yield group
            group = []
        group.append(item)
    if group:
        yield group


def _is_listed(item: Item) -> bool:
    return isinstance(item, Code) or (isinstance(item, Line) and bool(item.mark or item.depth))


def _listed(items: Iterable[Item]) -> Iterator[str]:
    """Yield a list: ordered where the marks are numbers; lines without a mark belong to the item above them."""
    inside = 0
    for item in items:
        if isinstance(item, Line) and item.mark:
            number = item.mark.rstrip(".").isdecimal()
            bullet = f"{item.mark} " if number else "- "
            sign = "" if number or item.mark == "-" else f"{escaped(item.mark)} "
            yield f"{_STEP * item.depth}{bullet}{sign}{_line(item)}\n"
            inside = len(_STEP) * item.depth + len(bullet)
        elif isinstance(item, Line):
            left = " " * max(inside, 0)
            yield f"\n{left}{_line(item)}\n" if inside else f"{_STEP * item.depth}- {_line(item)}\n"
        elif isinstance(item, Code):
            yield "\n" + "".join(f"{' ' * inside}{row}\n" for row in _fenced(item))


def _line(line: Line) -> str:
    text = escaped(line.text)
    return f"**{text}**" if line.tone in (Tone.STRONG, Tone.GOOD, Tone.BAD) and text else text


def _fenced(code: Code) -> Iterator[str]:
    longest = max((len(run) for run in re.findall(r"`{3,}", code.text)), default=2)
    fence = "`" * (longest + 1)
    yield f"{fence}{code.language}"
    yield from (printable(row) for row in code.text.splitlines() if row.strip())
    yield fence


def _bars(bars: Iterable[Bar], report: Report) -> str:
    labels = report.labels
    return _rows([(labels.part, labels.share), *((bar.label, bar.text) for bar in bars)])


def _rows(rows: Iterable[tuple[str, ...]]) -> str:
    """Write a table; the first row is its header, the first column is on the left, numbers are on the right."""
    lines = [f"| {' | '.join(escaped(cell) for cell in row)} |\n" for row in rows]
    columns = lines[0].count(" | ") + 1
    return lines[0] + f"|{'---|' * 1}{'---:|' * (columns - 1)}\n" + "".join(lines[1:])
