r"""The rows of sysstat's text tools (mpstat, pidstat, sar): when a row was printed, and which column each cell is of.

A row begins with a time of 12 or 24 hours, seconds since 1970 (``-H``) or, at the end, with the word for *Average* in
the language of the user. A first report whose header and rows carry one time covers the time since boot.

>>> stamped("12:06:39 PM   0   1  0.05")
('12:06:39 PM', '0   1  0.05')
>>> stamped("Durchschn.:   all   75,19"), stamped("# Time  UID  PID"), stamped("usr nice")
(('average', 'all   75,19'), ('Time', 'UID  PID'), ('', 'usr nice'))
"""

from __future__ import annotations

import dataclasses
import re

from dam_expert.readers.text import number

BANNER = re.compile(r"^Linux \S+ \([^()]*\)[^()]*\((\d{1,6}) CPU\)")
AVERAGE = "average"

_STAMP = re.compile(  # the times of some forty locales, as strftime's %X writes them
    r"^(?:(?P<clock>(?:(?:UTC|GMT|[A-Z]{1,3}T|[^\x00-\x7f]{1,6}) )?"
    r"\d{1,2}(?:[:.时時]|시 )\d\d(?:[:.分]|분 )\d\d[秒초]?(?: (?:[AP]M|[^\x00-\x7f]{1,12}))?"
    r"(?: (?:UTC|GMT|[A-Z]{1,3}T))?|\d{9,11})|#\s*(?P<head>Time)"
    r"|(?P<average>[^\s:]{2,20}[:：]))\s+(?=\S)"
)


@dataclasses.dataclass(slots=True)
class Header:
    """The columns in force: the time that their header carries, and their names as printed."""

    stamp: str = ""
    columns: list[str] = dataclasses.field(default_factory=list)

    def row(self, rest: str) -> dict[str, str] | None:
        """Return the cells of a row by column; the last column may hold blanks. None where they do not fit."""
        cells = rest.split(None, len(self.columns) - 1) if self.columns else []
        return dict(zip(self.columns, cells, strict=True)) if cells and len(cells) == len(self.columns) else None


def stamped(text: str) -> tuple[str, str]:
    """Return what a row begins with (a time, ``Time``, ``average`` or nothing) and the rest of it."""
    found = _STAMP.match(text)
    if found is None:
        return "", text
    stamp = found["clock"] or found["head"] or AVERAGE
    return stamp, text[found.end() :]


def cell(row: dict[str, str], *names: str) -> float | None:
    """Return the number under the first name that the row has, with decimal comma or point; -1 means unknown."""
    for name in names:
        if name in row:
            value = number(row[name], decimal_comma=True)
            return None if value is None or value < 0 else value
    return None
