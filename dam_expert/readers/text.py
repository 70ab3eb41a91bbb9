r"""Stripping what terminals, launchers and chat windows put around a tool's text, and reading its cells.

>>> clean("2026-11-29T10:00:00.123Z [rank6]: \x1b[4msda\x1b[0m   1,5\r")
'sda   1,5'
>>> number("[N/A]"), number("98 %"), number("1,5", decimal_comma=True)
(None, 98.0, 1.5)
"""

from __future__ import annotations

import re

from dam_expert.documents.intervals import LARGEST

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_OTHER_BLANKS = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u200b": None, "\ufeff": None, "\r": None})
_PREFIXES = (
    re.compile(
        r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\s+(?:std(?:out|err) [FP](?: |$))?(?=\s*\S|$)"
    ),
    re.compile(  # mpirun --tag-output, with --timestamp-output, and with the job of Open MPI 5
        r"^(?:\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})?\[[\w.@-]{1,80},\d+\]<std(?:out|err|diag)>:\s?"
    ),
    re.compile(r"^\[(?:rank|default)\d+\]:\s?"),  # torchrun
    re.compile(r"^(?:(?:worker|node)[-_]?)?\d{1,6}: (?=\s*\S)"),  # srun -l; pdsh, as DeepSpeed calls its hosts
    re.compile(r"^\[\d{1,6}\] (?=\s*\S)(?!.{3,90}['°]C, )"),  # mpiexec -prepend-rank; in gpustat it is the device
    re.compile(r"^\[pod/[\w.-]{1,253}/[\w.-]{1,63}\] ?(?=\s*\S)"),  # kubectl logs --prefix
    re.compile(r"^\([\w.]+ pid=\d+(?:, ip=[\d.]+)?\)\s?"),  # Ray
    re.compile(r"^(?:>\s?)+(?=\s*\S)"),  # a quoted mail or comment
)
_MAY_BEGIN = frozenset("[(>`~0123456789wn")
"""What a prefix or a fence begins with."""

_FENCE = re.compile(r"^(?:```|~~~)[\w+-]*$")
_NUMBER = re.compile(r"^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z%°/]{0,8})$")
_DECIMAL_COMMA = re.compile(r"^[+-]?\d+,\d+$")

ADDRESS = re.compile(r"https?://([\w.-]{1,200}(?::\d{1,5})?)")
"""The server that a command or comment names."""

WHOLE_DIGITS = 30
"""Whole numbers of fewer digits are below :data:`LARGEST`."""


def is_plain(text: str) -> bool:
    """Whether a text holds no escape code, carriage return or unusual blank."""
    return text.isascii() and "\x1b" not in text and "\r" not in text


def without_escapes(text: str) -> str:
    """Return text without terminal escape codes, carriage returns, zero-width and unusual blanks."""
    if text.isascii() and "\x1b" not in text:
        return text.replace("\r", "")
    return _ESCAPE.sub("", text).translate(_OTHER_BLANKS)


def clean(line: str) -> str:
    """Return one line as the tool printed it: launcher prefixes, quoting, fences and indentation are gone."""
    return stripped(without_escapes(line))


def stripped(line: str) -> str:
    """Return :func:`clean` of a line that holds no escape code, carriage return or unusual blank."""
    text = line.strip()
    if (text[:1] not in _MAY_BEGIN and "]<std" not in text) or not text:
        return text
    if text[0].isdecimal() and text[10:11] != "T" and ": " not in text[1:9]:
        return text  # the row of a table: neither a time stamp nor the number of a task
    for prefix in _PREFIXES * 2:  # launchers nest in any order
        text = prefix.sub("", text, count=1)
    text = text.strip()
    return "" if _FENCE.match(text) else text


def number(cell: str, *, decimal_comma: bool = False) -> float | None:
    """Return the number in a cell, a trailing unit ignored. Every spelling of "not available" is None, never 0.

    >>> [number(cell) for cell in ("-", "N/A", "[Requested functionality has been deprecated]", "nan", "")]
    [None, None, None, None, None]
    """
    if cell.isdecimal() and cell.isascii() and len(cell) < WHOLE_DIGITS:
        return float(cell)
    text = cell.strip()
    if decimal_comma and (match := re.match(r"^([+-]?\d+),(\d+.*)$", text)):
        text = f"{match[1]}.{match[2]}"
    found = _NUMBER.match(text)
    if found is None:
        return None
    value = float(found[1])
    return value if abs(value) < LARGEST else None


def uses_decimal_comma(cells: list[str]) -> bool:
    """Whether a row is written with decimal commas: some cell is, and none has a decimal point.

    >>> uses_decimal_comma(["sda", "1,50", "3"]), uses_decimal_comma(["1.50", "3"])
    (True, False)
    """
    return any(_DECIMAL_COMMA.match(cell) for cell in cells)
