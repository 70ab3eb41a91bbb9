"""The kinds of measurement, and which of them hold numbers."""

from __future__ import annotations

import enum


class Kind(enum.StrEnum):
    """What sort of quantity a measurement is; it decides how values are read, written and checked."""

    SHARE = "share"
    """A part of a whole, 0 to 1; written in percent."""
    DURATION = "duration"
    RATE = "rate"
    BYTES = "bytes"
    COUNT = "count"
    RATIO = "ratio"
    """A factor; of a probe, above 1 is better."""
    LEVEL = "level"
    """A physical reading with a unit of its own: temperature, power."""
    CATEGORY = "category"
    FLAG = "flag"
    """The words ``true`` or ``false``."""
    SETTING = "setting"
    """A key of target, workload or environment: a number if it declares a unit, else a word."""
