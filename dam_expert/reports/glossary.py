"""What a report needs to know beside the diagnosis: how things are called, in one language, and how values are written.

The diagnosis document holds ids, canonical numbers and English texts; titles, units, kinds and translations are
knowledge. Without a glossary ids and plain numbers are shown, so that a stored diagnosis can be read without the
base that made it.

>>> Glossary(quantities={"input_gap_share": ("1", Kind.SHARE)}).value("input_gap_share", 0.457)
'45.7 %'
>>> Glossary().value("input_gap_share", (0.1, None))
'≥ 0.1'
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from dam_expert.documents.diagnosis import Extent, extent
from dam_expert.documents.formatting import format_value
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.reports.model import Quote
from dam_expert.reports.phrasing import prose
from dam_expert.reports.wording import Wording, load_wording

if TYPE_CHECKING:
    from dam_expert.documents.observations import Observation

#: Shares are exact to this many digits; the rest is left over from floating-point sums.
_DIGITS: Final = 9


def _no_ridge(_accelerator: str, _precision: str) -> float | None:
    return None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Glossary:
    """Names by id, and the words of one language. Ids that are missing are shown as they are."""

    titles: Mapping[str, str] = dataclasses.field(default_factory=dict)
    quantities: Mapping[str, tuple[str, Kind]] = dataclasses.field(default_factory=dict)
    """The unit and the kind of each measurement."""
    lessons: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """What each worked case teaches."""
    parts: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """By hypothesis the part of the budget that it is."""
    terms: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """By part of the budget its term of the iron law, where it has just one."""
    ridge: Callable[[str, str], float | None] = _no_ridge
    """The ridge of an accelerator in a precision, in FLOP/byte, where the catalogue knows it."""
    wording: Wording = dataclasses.field(default_factory=lambda: load_wording("en"))
    translations: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Texts of the base by their English original."""

    def say(self, key: str, **values: object) -> str:
        """Return one of the program's own phrases."""
        return self.wording.say(key, **values)

    def text(self, english: str) -> str:
        """Return a text of the base or a sentence of the engine in the language of the report, else as it is."""
        plain = prose(english)
        known = self.translations.get(plain)
        if known is not None or self.wording.language == "en":
            return known or plain
        return self.wording.retold(plain, self.text) or plain

    def quotes(self, english: Iterable[str]) -> tuple[Quote, ...]:
        """Return those texts that stay in English in the language of the report: citations, conditions of rules."""
        if self.wording.language == "en":
            return ()
        found = dict.fromkeys(prose(each) for each in english)
        return tuple(Quote(each) for each in found if each and self.text(each) == each)

    def sentence(self, english: str) -> str:
        """Return a text without its full stop, to stand inside a sentence."""
        return self.text(english).rstrip(".。")

    def title(self, measurement: str) -> str:
        """Return what a measurement is called."""
        known = self.titles.get(self._known(measurement))
        return measurement if known is None else self.text(known)

    def lesson(self, case: str) -> str:
        """Return what a worked case teaches, nothing where the base is not at hand."""
        known = self.lessons.get(case)
        return "" if known is None else self.text(known)

    def value(self, measurement: str, value: Extent | str) -> str:
        """Write a value of a measurement with its unit; ``unknown`` for none."""
        if isinstance(value, str):
            return value
        unit, kind = self.quantities.get(self._known(measurement), ("1", Kind.LEVEL))
        if measurement.endswith(".spread"):
            unit, kind = "1", Kind.RATIO
        return written(value, unit, kind, self.say("unknown"))

    def observed(self, each: Observation) -> str:
        """Write the value of an observation with its unit; ``unknown`` for none."""
        return self.value(each.measurement, each.value if isinstance(each.value, str) else extent(each.value))

    def share(self, value: Extent) -> str:
        """Write a share of the total in percent."""
        return share(value, self.say("unknown"))

    def factor(self, value: Extent) -> str:
        """Write a gain as a factor: 1.8× is 1.8 times faster."""
        return factor(value, self.say("unknown"))

    def duration(self, value: Extent) -> str:
        """Write a time."""
        return duration(value, self.say("unknown"))

    def minutes(self, effort: float) -> str:
        """Write an effort.

        >>> Glossary().minutes(0.5), Glossary().minutes(1), Glossary().minutes(90)
        ('under a minute', '1 minute', '1.5 hours')
        """
        if effort < 1:
            return self.say("effort.less")
        unit, number = ("minutes", effort) if effort < 60 else ("hours", effort / 60)
        return self.say(f"effort.{unit}.{'one' if number == 1 else 'many'}", n=f"{number:.3g}")

    def region(self, axes: Sequence[str]) -> str:
        """Name a region, the dominant axis first.

        >>> Glossary().region(["data", "machine"]), Glossary().region(["data"]), Glossary().region([])
        ('data, with machine', 'data', 'no axis')
        """
        names = {f"a{number}": self.say(f"axis.{axis}") for number, axis in enumerate(axes)}
        return self.say(f"region.{len(axes)}", **names)

    def bottleneck(self, bottleneck: str) -> str:
        """Name a bottleneck."""
        return self.say(f"bottleneck.{bottleneck}")

    def _known(self, column: str) -> str:
        """Return the measurement of a column; the dot in a runbook's id does not begin an aspect."""
        known = self.quantities.keys() | self.titles.keys()
        names = (column, column.partition("[")[0], column.partition("[")[0].rpartition(".")[0])
        return next((name for name in names if name in known), _bare(column))


def _bare(column: str) -> str:
    """Return the measurement a scope column belongs to: ``step_time.max`` and ``x[stage=decode]`` name ``x``."""
    return column.partition("[")[0].partition(".")[0]


def written(value: Extent, unit: str, kind: Kind, unknown: str = "unknown") -> str:
    """Write a number of the document with a unit; the word for unknown where nothing is known of it.

    >>> written((0.25, 0.5), "1", Kind.SHARE), written(None, "s", Kind.DURATION)
    ('25–50 %', 'unknown')
    """
    interval = as_interval(value)
    if interval is None or (math.isinf(interval.lo) and math.isinf(interval.hi)):
        return unknown
    return format_value(interval, unit=unit, kind=kind, binary=True).strip()


def share(value: Extent, unknown: str = "unknown") -> str:
    """Write a share of the total in percent; what is left of sums of rounded numbers, 1e-14, is nothing."""
    return written(round(value, _DIGITS) if isinstance(value, float) else value, "1", Kind.SHARE, unknown)


def factor(value: Extent, unknown: str = "unknown") -> str:
    """Write a gain as a factor: 1.8× is 1.8 times faster."""
    return written(value, "1", Kind.RATIO, unknown)


def duration(value: Extent, unknown: str = "unknown") -> str:
    """Write a time."""
    return written(value, "s", Kind.DURATION, unknown)


def as_interval(value: Extent) -> Interval | None:
    """Read a number of the document back: null ends are open, null is None."""
    if value is None:
        return None
    if isinstance(value, int | float):
        return Interval.point(value)
    low, high = value
    return Interval(-math.inf if low is None else low, math.inf if high is None else high)
