r"""What a file is that no reader understands, where that can be told, and what to do instead.

>>> from dam_expert.readers.source import Source
>>> looks_like(Source.of_bytes("x", b"SQLite format 3\x00")).what
'a SQLite database'
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dam_expert.readers.source import Source


@dataclasses.dataclass(frozen=True, slots=True)
class OtherKind:
    """A kind of file: ``what`` it is in words and the ``hint`` that says how to get something readable."""

    what: str
    hint: str


_EXPORT = "pass the output of a tool that 'dam doctor' lists, such as a profiler trace or 'nvidia-smi dmon'"
_UNPACK = "unpack it and pass the files in it"
_DMON = "run 'nvidia-smi dmon -s pucvmet -c 60' during the job and pass its output"
_QUERY = "run 'nvidia-smi --query-gpu=timestamp,index,name,utilization.gpu,memory.used,memory.total,power.draw,"
_QUERY += "enforced.power.limit,clocks.sm,clocks_event_reasons.active --format=csv -l 1' during the job"
_IOSTAT = "run 'iostat -x 1 30' during the job and pass its output"

_MAGIC = (
    (b"SQLite format 3\x00", OtherKind("a SQLite database", "if from Nsight Systems: 'nsys stats --format csv FILE'")),
    (
        b"NVIDIA Tegra Pro",
        OtherKind(
            "an Nsight Systems report",
            "run 'nsys export --type sqlite FILE' or 'nsys stats --format csv FILE' and pass what it writes",
        ),
    ),
    (b"NVR\x00", OtherKind("an Nsight Compute report", "run 'ncu --import FILE --csv --page details'")),
    (b"PK\x03\x04", OtherKind("a zip archive", _UNPACK)),
    (b"\x28\xb5\x2f\xfd", OtherKind("a zstd archive", _UNPACK)),
    (b"\xfd7zXZ\x00", OtherKind("an xz archive", _UNPACK)),
    (b"BZh", OtherKind("a bzip2 archive", _UNPACK)),
    (b"\x89PNG", OtherKind("an image", "pass the tool's text output instead of a screenshot")),
    (b"\xff\xd8\xff", OtherKind("an image", "pass the tool's text output instead of a screenshot")),
    (b"%PDF", OtherKind("a PDF", "pass the tool's own output")),
    (b"\x7fELF", OtherKind("a program", _EXPORT)),
    (b"PAR1", OtherKind("a Parquet file", _EXPORT)),
    (b"\x80\x02", OtherKind("a pickle", "pickles are never opened: export JSON or text")),
    (b"\x80\x03", OtherKind("a pickle", "pickles are never opened: export JSON or text")),
    (b"\x80\x04", OtherKind("a pickle", "pickles are never opened: export JSON or text")),
    (b"\x80\x05", OtherKind("a pickle", "pickles are never opened: export JSON or text")),
)

_OWN = "name them in a runbook (docs/runbooks.md: tools, format: prometheus) and pass its folder with --runbook"

_TEXT = (
    (
        r"(?m)^# (?:HELP [a-zA-Z_:][\w:]* "
        r"|TYPE [a-zA-Z_:][\w:]* (?:counter|gauge|histogram|summary|untyped|unknown)\s*$)",
        OtherKind("metrics of Prometheus that no reader knows", _OWN),
    ),
    (r"(?m)^(?:\d{4}/\d\d/\d\d [\d:.]+, )?(?:[\w .-]+, )*\d+ %, ", OtherKind("CSV without a header", _QUERY)),
    (r"(?m)^Linux \S+ \(.*CPU\)", OtherKind("another sysstat tool", _IOSTAT)),
    (r'"sysstat"\s*:', OtherKind("JSON of another sysstat tool", "run 'iostat -x -o JSON 1 30' during the job")),
    (
        r'(?m)^==PROF== (?:Connected to process \d|Profiling ")',
        OtherKind("the progress of Nsight Compute, without a metric", "run 'ncu --import FILE --csv --page details'"),
    ),
    (
        r'^\s*\[?\s*\{\s*"cols"\s*:\s*\[',
        OtherKind("another page of the TensorFlow profiler or XProf", "export its page of the input pipeline as JSON"),
    ),
    (
        r'^\[\s*\{[\s\S]{0,2000}"ph"\s*:|"traceEvents"',
        OtherKind("a Chrome trace of another tool", "export one with torch.profiler"),
    ),
)

PROSE = OtherKind("prose or another format", _EXPORT)

KINDS = tuple(dict.fromkeys([*(kind for _, kind in _MAGIC), *(kind for _, kind in _TEXT)]))
"""Every kind that can be told, once."""


def looks_like(source: Source) -> OtherKind | None:
    """Return what a source seems to be, or None where nothing is known."""
    for magic, kind in _MAGIC:
        if source.magic.startswith(magic):
            return kind
    if source.binary:
        return OtherKind("binary data", _EXPORT)
    for pattern, kind in _TEXT:
        if re.search(pattern, source.head[:16384]):
            return kind
    return PROSE if source.head.strip() else None
