"""How people write values: decimal commas, and numbers whose unit is left out.

>>> plainly_written("2,5 giây"), plainly_written("1,234 s"), plainly_written("180 mili giây")
('2.5 giây', '1,234 s', '180 ms')
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from dam_expert.session.errors import AnswerError

#: A comma that parts no thousands: any other number of digits than three stands behind it.
_DECIMAL_COMMA: Final = re.compile(
    r"(?<![\d.,])(\d+),(\d{1,2}|\d{4,})(?![\d,])(?!\.\d)|(?<![\d.,])(0),(\d{3})(?![\d,])"
)
_MILLISECONDS: Final = re.compile(r"\bmili[\s-]?giây\b", re.IGNORECASE)
_BARE: Final = re.compile(r"[\s\d.,_~≈<>≥≤=+–—-]*[1-9][\s\d.,_–—-]*")
#: Units that one and the same number is given in: which one is meant is asked, never guessed.
_WRITTEN_IN: Final = {
    "s": ("ms", "s"),
    "B": ("MB", "GB"),
    "B/s": ("MB/s", "GB/s"),
    "FLOP": ("GFLOP", "TFLOP"),
    "FLOP/s": ("GFLOP/s", "TFLOP/s"),
    "Hz": ("MHz", "GHz"),
}


def plainly_written(text: str) -> str:
    """Return a text with its decimal commas as points; a comma that may part thousands stays, to be asked about."""
    plain = unicodedata.normalize("NFC", text)
    plain = _DECIMAL_COMMA.sub(lambda found: f"{found[1] or found[3]}.{found[2] or found[4]}", plain)
    return _MILLISECONDS.sub("ms", plain)


def refuse_bare(text: str, unit: str) -> None:
    """Refuse a number without a unit where it is usual in several. Raises AnswerError, with the number in each."""
    given = text.strip()
    usual = _WRITTEN_IN.get(unit)
    if usual is not None and _BARE.fullmatch(given):
        first, second = (f"{given} {each}" for each in usual)
        raise AnswerError("session.problem.bare", given=given, first=first, second=second)
