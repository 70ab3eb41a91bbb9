"""What the language is told about names: kinds, units and what may decide. The knowledge base hands it in."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import Final, Protocol

import msgspec

from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.language.conditions import Tree

#: The values of a flag.
FLAG_WORDS: Final = frozenset({"true", "false"})


class Role(enum.StrEnum):
    """What an id stands for."""

    MEASUREMENT = "measurement"
    THRESHOLD = "threshold"
    SYMPTOM = "symptom"
    HYPOTHESIS = "hypothesis"
    BOTTLENECK = "bottleneck"
    LEVER = "lever"
    BROKEN = "broken"
    """Something with an error of its own: what refers to it cannot be judged and is not complained about."""


#: The kinds whose values are always words, and that whose values are where it has no unit.
_OF_WORDS: Final = (Kind.CATEGORY, Kind.FLAG)
_SETTING: Final = Kind.SETTING


class MeasuredName(msgspec.Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """A measurement as the language sees it. ``decides`` is None for one that never carries a confirmation."""

    id: str
    kind: Kind
    unit: str = "1"
    decides: str | None = None
    weak: bool = False
    """Whether it never carries a confirmation, not even as what another measurement is compared with."""
    words: Mapping[str, Interval] = msgspec.field(default_factory=dict)
    values: frozenset[str] = frozenset()

    @property
    def is_word(self) -> bool:
        """Whether its values are words rather than numbers."""
        return self.kind in _OF_WORDS or (self.kind is _SETTING and self.unit == "")

    @property
    def listed(self) -> frozenset[str]:
        """The words that it can be, in lower case; empty where any word will do, or where it is a number."""
        return FLAG_WORDS if self.kind is Kind.FLAG else self.values


class Alternative(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One value of a threshold and when it holds; without a condition it holds always."""

    when: Tree | None
    value: Interval


class ThresholdName(msgspec.Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """A named number as the language sees it: of its alternatives the first whose condition is true holds."""

    id: str
    kind: Kind
    unit: str
    decisive: bool
    alternatives: tuple[Alternative, ...]


class Names(Protocol):
    """Everything that can be named in a condition or formula."""

    def role(self, name: str) -> Role | None:
        """Return what the name stands for, or None for an unknown name."""

    def measured(self, name: str) -> MeasuredName:
        """Return the measurement of that name."""

    def threshold(self, name: str) -> ThresholdName:
        """Return the threshold of that name."""

    def hardware_units(self) -> Mapping[str, str]:
        """Return the figures that ``hardware.FIELD`` can name, each with its unit."""

    def known(self, *roles: Role) -> Iterable[str]:
        """Return all names with one of the roles, for suggestions."""
