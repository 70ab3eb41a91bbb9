r"""Stacks that ``perf`` sampled: ``perf script``, and the same folded into a line for each stack, as for flame graphs.

Where a sample fell is its innermost frame: the first of ``perf script``, the last of a folded line. Folded stacks mark
frames of the operating system with ``_[k]`` where the tool that folded them was told to; without the mark that part is
unknown. A folded frame has no library: what its name does not tell may belong to any group.

>>> from dam_expert.readers.source import Source
>>> raw = b"python;main;_PyEval_EvalFrameDefault 60\npython;main;deflate;[libz.so.1] 30\npython;do_syscall_64_[k] 10\n"
>>> reading = PerfStacksReader().read(Source.of_bytes("out.folded", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations]
[('cycles_interpreter_share', 0.6), ('cycles_decode_share', 0.3), ('cycles_kernel_share', 0.1)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import known
from dam_expert.readers.lines import any_line, read_lines
from dam_expert.readers.perf_report import GROUPS, group_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_FOLDED = re.compile(r"^[^;\s][^;]{0,200};(?:[^;]{1,1000};)*([^;]{1,1000}) (\d{1,15})$")
_SAMPLE = re.compile(
    r"^\S.{0,60}?\s+-?\d{1,9}(?:/-?\d{1,9})?\s+(?:\[\d{1,5}\]\s+)?(?:\d{1,12}\.\d{3,9}:\s+)?(?:(\d{1,18})\s+)?"
    r"[\w:./-]+:\s*$"
)
_FRAME = re.compile(r"^[0-9a-f]{1,16} (.{1,1000}) \(([^()]{1,400}|\[[^\]]{1,200}\][^()]{0,200})\)$")
_IN_KERNEL = re.compile(r"^\[(?:kernel|guest\.kernel|k)|\.ko\b|vmlinux")
_MARK = "_[k]"
_SYMBOL = re.compile(r"^_?Py[A-Z_]|^_PyEval|\[(?:lib)?python")
KERNEL = "cycles_kernel_share"


@dataclasses.dataclass(frozen=True, slots=True)
class PerfStacksReader:
    """Reads ``perf script`` and folded stacks."""

    tool: str = "perf"
    title: str = "perf script or folded stacks"
    versions: str = "linux-perf 4 to 6: perf script; stackcollapse of FlameGraph"

    def recognises(self, source: Source) -> bool:
        """Whether a line heads a sample of ``perf script``, or the first lines are all folded stacks."""
        if any_line(source, _SAMPLE) and any_line(source, _FRAME):
            return True
        first = [line for line in source.head_lines[:20] if line]
        return len(first) > 1 and all(_FOLDED.match(line) for line in first[:-1])

    def read(self, source: Source) -> Reading:
        """Return the parts of samples in the interpreter, in decoding libraries and in the operating system."""
        return read_lines(source, self.tool, _Stacks())


@dataclasses.dataclass(slots=True)
class _Stacks:
    """Samples by where they fell; ``waiting`` is the weight of a sample whose first frame is still to come."""

    spent: dict[str, float] = dataclasses.field(default_factory=dict)
    total: float = 0.0
    marked: bool = False
    waiting: float | None = None
    first: int | None = None
    untold: float = 0.0
    """Weight of folded stacks whose innermost frame tells no group."""
    lost: bool = False
    """Whether a line was not understood: the samples it may hold are unknown, and none of a group is no zero."""

    def take(self, line: int, text: str) -> bool:
        if sample := _SAMPLE.match(text):
            self.waiting, self.marked = known(sample[1] or "1"), True
            self.lost = self.lost or self.waiting is None
        elif frame := _FRAME.match(text):
            if self.waiting is not None:
                inside = bool(_IN_KERNEL.search(frame[2]))
                self._add(line, KERNEL if inside else group_of(f"{frame[2]} {frame[1]}"), self.waiting)
            self.waiting = None
        elif folded := _FOLDED.match(text):
            self.marked = self.marked or _MARK in text
            leaf = folded[1]
            named = "cycles_interpreter_share" if _SYMBOL.search(leaf) else group_of(leaf)
            weight = known(folded[2])
            if weight is None:
                self.lost = True
                return False
            self._add(line, KERNEL if leaf.endswith(_MARK) else named, weight)
            if named is None and not leaf.endswith(_MARK) and not leaf.startswith("["):
                self.untold += weight
        elif not text.startswith("#"):
            self.lost = self.lost or bool(text.strip())
            return False
        return True

    def _add(self, line: int, group: str | None, weight: float) -> None:
        self.first = self.first or line
        self.total += weight
        if group is not None:
            self.spent[group] = self.spent.get(group, 0.0) + weight

    def observations(self, tell: Teller) -> Iterator[Observation]:
        if self.total <= 0.0:
            return
        for group in (*GROUPS, *((KERNEL,) if self.marked else ())):
            share, detail = self.spent.get(group, 0.0) / self.total, "innermost frames, by samples"
            most = share if group == KERNEL else min(share + self.untold / self.total, 1.0)
            if self.lost and share == 0.0:
                continue
            yield tell.observe(group, Interval(share, most), line=self.first, detail=detail)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if self.total <= 0.0:
            yield tell.warn("no-samples", "it holds no sample", hint="record for longer")
