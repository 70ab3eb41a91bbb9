"""The words of the calculators in one language, and how they write what is nothing or has no bound.

Their phrases stand in ``reports/wording/calculators``, apart from those of reports: neither is read for the other.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from dam_expert.documents.kinds import Kind
from dam_expert.reports.glossary import written
from dam_expert.reports.wording import language_named, load_wording

if TYPE_CHECKING:
    from dam_expert.reports.wording import Wording

_NOTHING = 1.005  # what three digits would write as 1
_NONE: Mapping[str, str] = {}


def is_nothing(gain: float) -> bool:
    """Whether a gain would be written as a factor of 1.

    >>> is_nothing(1.004), is_nothing(1.01), is_nothing(float("inf"))
    (True, False, False)
    """
    return abs(gain - 1) < _NOTHING - 1


@dataclasses.dataclass(frozen=True, slots=True)
class Words:
    """The phrases of one language. ``translations`` are texts of the base by their English original.

    >>> english = spoken("en")
    >>> english.seconds(0.0123), english.times(1.0), english.times(float("inf")), english.at_most(1.62)
    ('12.3 ms', 'nothing', 'no bound', 'at most 1.62×')
    """

    wording: Wording
    translations: Mapping[str, str] = dataclasses.field(default_factory=lambda: _NONE)

    def say(self, key: str, **values: object) -> str:
        """Return a phrase with its places filled."""
        return self.wording.say(key, **values)

    def text(self, english: str) -> str:
        """Return a name that an answer gives in English, or a text of the base; what nobody translated as it is."""
        known = self.translations.get(english)
        if known is not None or self.wording.language == "en":
            return known or english
        return self.wording.retold(english, self.text) or english

    def span(self, low: object, high: object) -> str:
        """Write a range by its ends."""
        return self.say("range", low=low, high=high)

    def seconds(self, value: float) -> str:
        """Write a time; ``without end`` for infinity."""
        return self.say("endless") if math.isinf(value) else written(value, "s", Kind.DURATION)

    def times(self, value: float) -> str:
        """Write a gain as a factor: ``nothing`` for 1, ``no bound`` for infinity."""
        if math.isinf(value):
            return self.say("no_bound")
        return self.say("nothing") if is_nothing(value) else written(value, "1", Kind.RATIO)

    def at_most(self, value: float) -> str:
        """Write the most that something gives."""
        return self.times(value) if is_nothing(value) else self.say("at_most", gain=self.times(value))


def spoken(language: str = "en", translations: Mapping[str, str] = _NONE) -> Words:
    """Return the words of a language. Raises KeyError for one that there are no phrases for."""
    return Words(load_wording(language_named(language), "calculators"), translations)
