r"""``perf report --stdio``: where the processor's samples fall, by program, library and symbol.

Rows below the percentage limit are missing, so a share is at least what the rows say and at most that plus the rest.

>>> from dam_expert.readers.source import Source
>>> raw = b'''# Overhead  Command  Shared Object         Symbol
... # ........  .......  ....................  ............................
... #
...     60.00%  python3  libpython3.11.so.1.0  [.] _PyEval_EvalFrameDefault
...     30.00%  python3  [kernel.kallsyms]     [k] copy_user'''
>>> {found.measurement: found.value for found in PerfReportReader().read(Source.of_bytes("p", raw)).observations}[
...     "cycles_kernel_share"]
Interval(lo=0.3, hi=0.4)
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.lines import read_lines
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_HEADER = re.compile(r"^#\s*(?:Children\s+Self|Overhead)\s+.*Symbol")
_BY_LIBRARY = re.compile(r"^#\s*(?:Children\s+Self|Overhead)\s+(?:Command\s+)?Shared Object$")
_LIBRARY_ROW = re.compile(r"^([\d.]{1,8})%\s+(?:([\d.]{1,8})%\s+)?(?:\S.{0,40}?\s+)?(\S{1,200})$")
_ROW = re.compile(r"^([\d.]{1,8})%\s+(?:([\d.]{1,8})%\s+)?(?:(\S.{0,400}?)\s+)?\[([.kguHx])\]\s+\S")
GROUPS = {
    "cycles_interpreter_share": re.compile(r"\b(?:lib)?python[23]?(?:\.\d+)?", re.IGNORECASE),
    "cycles_decode_share": re.compile(
        r"jpeg|libpng|libwebp|libtiff|opencv|cv2|_imaging|libav|swscale|sndfile|libz\b|libz\.|zstd|lz4|snappy|imgproc",
        re.IGNORECASE,
    ),
}
"""The parts of samples that are told, by the names of their libraries."""


@dataclasses.dataclass(frozen=True, slots=True)
class PerfReportReader:
    """Reads the text report of ``perf``, with or without call graphs."""

    tool: str = "perf"
    title: str = "perf report"
    versions: str = "linux-perf 5 and 6: perf report --stdio"

    def recognises(self, source: Source) -> bool:
        """Whether a comment line names the columns of such a report."""
        return any(_HEADER.match(line) or _BY_LIBRARY.match(line) for line in source.head_lines)

    def read(self, source: Source) -> Reading:
        """Return bounds on the parts of samples in the interpreter, the operating system and decoding libraries."""
        return read_lines(source, self.tool, _Samples())


@dataclasses.dataclass(slots=True)
class _Samples:
    """Own time summed by group; call graphs below a row are passed over."""

    spent: dict[str, float] = dataclasses.field(default_factory=dict)
    listed: float = 0.0
    first: int | None = None
    header: bool = False
    libraries: bool = False
    """Whether a column names the library of a row."""
    symbols: bool = True
    """Whether a column names the symbol of a row; else the library is the last."""

    def take(self, line: int, text: str) -> bool:
        if text.startswith("#"):
            if _HEADER.match(text) or _BY_LIBRARY.match(text):
                self.header, self.libraries = True, "Shared Object" in text
                self.symbols = _BY_LIBRARY.match(text) is None
            return True
        row = (_ROW if self.symbols else _LIBRARY_ROW).match(text)
        if row is None or not self.header:
            return not re.match(r"^\d+(?:\.\d+)?%\s", text)
        own = number(row[2] or row[1])
        if own is None:
            return True
        self.first = self.first or line
        self.listed += own / 100.0
        library = "".join((row[3] or "").split()[-1:])
        kernel = row[4] == "k" if self.symbols else library.startswith(("[kernel", "[k]", "[guest.kernel"))
        group = "cycles_kernel_share" if kernel else group_of(library)
        if group is not None:
            self.spent[group] = self.spent.get(group, 0.0) + own / 100.0
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        if self.first is None:
            return
        rest = max(1.0 - self.listed, 0.0)
        for group in (*GROUPS, "cycles_kernel_share") if self.libraries else ("cycles_kernel_share",):
            least = round(min(self.spent.get(group, 0.0), 1.0), 6)
            bounds = Interval(least, max(round(min(least + rest, 1.0), 6), least))
            detail = "own time of the listed rows, and the rest at most"
            yield tell.observe(group, bounds, line=self.first, detail=detail)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if self.first is None:
            yield tell.warn("no-rows", "the report has a header and no rows", hint="record for longer")
        elif not self.libraries:
            text = "the rows name no library: decoding and the interpreter are not told apart"
            yield tell.note("no-libraries", text, hint="run 'perf report --stdio --sort comm,dso,symbol'")


def group_of(library: str) -> str | None:
    """Return the group of a library by its name, None for one of no group.

    >>> group_of("libpython3.11.so.1.0"), group_of("libjpeg.so.62"), group_of("libc.so.6")
    ('cycles_interpreter_share', 'cycles_decode_share', None)
    """
    return next((name for name, pattern in GROUPS.items() if pattern.search(library)), None)
