"""What a plain scalar of YAML means: the core schema of YAML 1.2.2, section 10.3, and nothing else.

``1e3`` is a number and ``0o17`` is 15; ``yes``, ``on``, dates and ``1:30`` are text.

>>> [resolved(text) for text in ("1e3", "0o17", "yes", "2024-01-01", "1:30", "~")]
[1000.0, 15, 'yes', '2024-01-01', '1:30', None]
"""

from __future__ import annotations

import math
import re
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | bool | None

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_FLAGS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_MAX_DIGITS = 400  # more cannot be a float, and Python refuses to read integers of some thousand digits
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SPECIAL = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")

_LIKE_A_NUMBER = re.compile(r"[0-9a-fA-FxoiInN.+-]+\Z")
"""Nothing in it that no number has: of most texts that begin with a digit, such as ``40 %``, one look is enough."""


class ScalarError(ValueError):
    """A number that no float can hold."""


def resolved(text: str) -> Scalar:
    """Return the value of an unquoted scalar. Raises ScalarError for a number too large to be kept.

    >>> resolved("1e999")
    Traceback (most recent call last):
    dam_expert.kb.scalars.ScalarError: the number 1e999 is too large
    """
    if text in _NULL:
        return None
    if text in _FLAGS:
        return _FLAGS[text]
    if text[0].isalpha():  # most scalars are words
        return text
    return _number(text)


def _number(text: str) -> Scalar:
    """Return a number, or the text where it is none."""
    if not _LIKE_A_NUMBER.match(text):
        return text
    integer = _INTEGER.fullmatch(text)
    octal, hexadecimal = _OCTAL.fullmatch(text), _HEXADECIMAL.fullmatch(text)
    if integer or octal or hexadecimal:
        if len(text) > _MAX_DIGITS:
            raise ScalarError(f"a number of {len(text)} digits is too large")
        return int(text) if integer else int(text, 0)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if math.isinf(number):
            shown = text if len(text) <= 40 else f"{text[:40]}…"
            raise ScalarError(f"the number {shown} is too large")
        return number
    if _SPECIAL.fullmatch(text):
        return float(text.replace(".", "", 1))
    return text
