"""How people write values: decimal commas, and numbers whose unit is left out.

>>> plainly_written("2,5 giây"), plainly_written("1,234 s"), plainly_written("180 mili giây")
('2.5 giây', '1,234 s', '180 ms')
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from dam_expert.documents.figures import in_figures
from dam_expert.documents.kinds import Kind
from dam_expert.session.errors import AnswerError

#: A comma that parts no thousands: any other number of digits than three stands behind it.
_DECIMAL_COMMA: Final = re.compile(
    r"(?<![\d.,])(\d+),(\d{1,2}|\d{4,})(?![\d,])(?!\.\d)|(?<![\d.,])(0),(\d{3})(?![\d,])"
)
_MILLISECONDS: Final = re.compile(r"\bmili[\s-]?giây\b", re.IGNORECASE)
_TENTHS: Final = re.compile(r"(?:[一两二三四五六七八九][到至]?)?[一两二三四五六七八九]成半?(?![本功员为绩])")
_PART_OF_TIME: Final = re.compile(
    r"(?:\b(?:half|a (?:third|quarter) of) (?:a|an) (?:second|minute|hour|day)"
    r"|半个?(?:秒|分钟|小时)|\bnửa (?:giây|phút|giờ))(?!\w)",
    re.IGNORECASE,
)
_PER_SECOND: Final = re.compile(
    r"每秒\s*(\d[\d.,]*[kKM]?)\s*(?:张|个|条)?\s*(图|样本|请求|词元|tokens?)片?", re.IGNORECASE
)
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


def fractions_written(text: str) -> str:
    """Return a sentence with its tenths, and its parts of a unit, as hedged figures.

    >>> fractions_written("利用率只有三成，目标四成半"), fractions_written("latency is half a second")
    ('利用率只有~30 %，目标~45 %', 'latency is ~0.5 second')
    >>> fractions_written("利用率只有六七成"), fractions_written("利用率只有六到七成")
    ('利用率只有~60 to 70 %', '利用率只有~60 to 70 %')
    """
    plain = _PER_SECOND.sub(r"\1 \2/秒", text)
    plain = _TENTHS.sub(lambda found: _hedged(found[0], Kind.SHARE), plain)
    return _PART_OF_TIME.sub(lambda found: _hedged(found[0], Kind.DURATION), plain)


def _hedged(text: str, kind: Kind) -> str:
    figures = in_figures(text, kind)
    return text if figures is None else figures.replace("about ", "~")


def refuse_bare(text: str, unit: str) -> None:
    """Refuse a number without a unit where it is usual in several. Raises AnswerError, with the number in each."""
    given = text.strip()
    usual = _WRITTEN_IN.get(unit)
    if usual is not None and _BARE.fullmatch(given):
        first, second = (f"{given} {each}" for each in usual)
        raise AnswerError("session.problem.bare", given=given, first=first, second=second)
