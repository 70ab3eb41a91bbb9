r"""py-spy: the text and JSON of ``dump`` (one instant) and the three formats of ``record`` (samples over time).

An instant decides nothing; it names the thread that holds the interpreter lock and what the main thread does. A
recording gives shares of samples. Without ``--idle`` it holds no waiting threads, so no share of a wait is told.

>>> from dam_expert.readers.source import Source
>>> raw = b'''Process 7: python train.py
... Thread 7 (idle): "MainThread"
...     _try_get_data (torch/utils/data/dataloader.py:1251)
...     <module> (train.py:13)
... Thread 8 (active+gil): "loader"
...     decode (data.py:4)'''
>>> [found.value for found in PySpyReader().read(Source.of_bytes("dump.txt", raw)).observations]
['input_wait', 'input_work']
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.py_spy.dump import dumped_json, dumped_text, instant
from dam_expert.readers.py_spy.record import chrome_samples, raw_samples, shares, speedscope_samples
from dam_expert.readers.text import clean
from dam_expert.readers.whole import whole_text

if TYPE_CHECKING:
    from dam_expert.readers.source import Source

CONTENT_BYTES = 64 * 1024**2
"""A quarter of an hour of a hundred samples per second fits in this; more is cut."""

_DUMP = re.compile(r'^Thread (?:0x[0-9A-Fa-f]+|\d+) \((?:active|idle|gil|active\+gil|idle\+gil)\)(?:: "|$)')
_RAW = re.compile(
    r"^(?:[^;]{1,400} \([^;()]{1,300}:\d{1,9}\)|thread \(\w+\)[^;]{0,100}|process \d+:[^;]{1,500}).* \d{1,12}$"
)


@dataclasses.dataclass(frozen=True, slots=True)
class PySpyReader:
    """Reads dumps and recordings of py-spy."""

    tool: str = "py_spy"
    title: str = "py-spy dump or recording"
    versions: str = "py-spy 0.3 and 0.4: dump as text and JSON, raw, speedscope, chrometrace"

    def recognises(self, source: Source) -> bool:
        """Whether the head has the shape of one of the formats."""
        return bool(_format(source))

    def read(self, source: Source) -> Reading:
        """Return the lock holder and the main thread's state of a dump, or the shares of a recording."""
        tell, kind = Teller(file=source.shown, tool=self.tool), _format(source)
        if not kind:
            return tell.reading(messages=(tell.warn("no-values", "it is no output of py-spy"),))
        text, messages = whole_text(source, CONTENT_BYTES, tell)
        if kind.startswith("dump"):
            threads, odd = dumped_text(text) if kind == "dump text" else dumped_json(text)
            told, count = tuple(instant(threads, tell)), len(threads)
        else:
            samples, odd = {"raw": raw_samples, "speedscope": speedscope_samples, "chrome": chrome_samples}[kind](text)
            told, count = tuple(shares(samples, tell, whole=not odd)), len(samples)
        messages += tell.not_understood(odd, count + odd, first=None)
        if not told:
            hint = "record during slow steps: py-spy record --threads --format raw --output stacks.txt --pid PID"
            messages.append(tell.warn("no-values", f"its {count} stacks tell nothing of who works", hint=hint))
        return tell.reading(
            observations=told,
            messages=tuple(messages),
            lines_read=count + odd,
            lines_not_understood=odd,
        )


def _format(source: Source) -> str:
    """Return which of the formats a source has, or nothing."""
    head = source.head_text.lstrip()
    if head.startswith("{") and "speedscope.app/file-format-schema" in head:
        return "speedscope"
    if head.startswith("[") and re.search(r'"cat"\s*:\s*"py-spy"', head):
        return "chrome"
    if head.startswith("[") and '"owns_gil"' in head and '"frames"' in head:
        return "dump JSON"
    lines = [text for line in head.split("\n", 400) if (text := clean(line))]
    if any(_DUMP.match(line) for line in lines):
        return "dump text"
    return "raw" if lines and not head.startswith(("{", "[")) and _RAW.match(lines[0]) else ""
