"""The parts of many plain documents, each part as a column: what is asked of every document is asked of the columns."""

from __future__ import annotations

import dataclasses
import itertools
import operator
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from dam_expert.batch.plain import Document, Target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.engine.block.spans import Bools, Places

_OF_DOCUMENT: Final = operator.attrgetter(*Document.__struct_fields__)
_OF_TARGET: Final = operator.attrgetter(*Target.__struct_fields__)
_SECTIONS: Final = ("workload", "environment", "observations")
_IS_MAPPING: Final = frozenset({dict})


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """What is missed, by the documents that state it; None where a target does not say something."""

    stated: Bools
    metric: Sequence[str | None] = ()
    wanted: Sequence[float | str | None] = ()
    actual: Sequence[float | str | None] = ()
    track: Sequence[str | None] = ()

    @property
    def keys(self) -> int:
        """How many keys the targets have."""
        return sum(map(_given, (self.metric, self.wanted, self.actual, self.track)))


class Rest:
    """What stands beside the values of documents, until all of them are there."""

    def __init__(self) -> None:
        self.schemas: list[object] = []
        self.plans: list[list[str] | None] = []
        self._targets: list[Targets] = []

    def add(self, parts: Parts) -> None:
        """Add what stands beside the values of the next documents."""
        self.schemas += parts.columns["schema_"]
        self.plans += parts.columns["planned_actions"]
        self._targets.append(parts.targets)

    def targets(self) -> Targets:
        """Return the targets of all documents."""
        found = {
            name: list(itertools.chain.from_iterable(getattr(each, name) for each in self._targets))
            for name in Target.__struct_fields__
        }
        return Targets(stated=np.concatenate([each.stated for each in self._targets]), **found)


class Parts:
    """Documents by their parts. ``columns`` has each part under its name, with None in the rows that have it not."""

    def __init__(self, documents: Sequence[Any]) -> None:
        self.size = len(documents)
        values = zip(*map(_OF_DOCUMENT, documents), strict=True) if documents else itertools.repeat(())
        self.columns: dict[str, Sequence[Any]] = dict(zip(Document.__struct_fields__, values, strict=False))
        self.targets = targets_of(self.columns["target"])

    def keys(self) -> tuple[int, int]:
        """Return how many keys the documents have, and how many mappings at least."""
        keys = sum(map(_given, self.columns.values())) + self.targets.keys
        mappings = self.size + len(self.targets.metric)
        for name in _SECTIONS:
            found = [section for section in self.columns[name] if section.__class__ is dict]
            keys += sum(map(len, found))
            mappings += len(found)
        return keys, mappings

    def flattened(self, first: int) -> tuple[list[str], list[Any], Places]:
        """Return the names and values of all sections, and whose they are, counted from ``first``."""
        sections, owners = self.sections(first)
        if _IS_MAPPING.issuperset(map(type, sections)):
            values = itertools.chain.from_iterable(map(dict.values, sections))
            return list(itertools.chain.from_iterable(sections)), list(values), owners
        keys: list[str] = []
        given: list[Any] = []
        for section in sections:
            is_mapping = section.__class__ is dict
            keys += section if is_mapping else [item.measurement for item in section]
            given += section.values() if is_mapping else section
        return keys, given, owners

    def sections(self, first: int) -> tuple[list[Any], Places]:
        """Return the sections in which something stands, and by value whose it is, counted from ``first``."""
        found: list[Any] = []
        places: list[Places] = []
        for name in _SECTIONS:
            column = self.columns[name]
            if all(column):
                found += column
                places.append(np.arange(first, first + self.size))
            elif any(column):
                filled = [place for place, section in enumerate(column) if section]
                found += [column[place] for place in filled]
                places.append(np.array(filled, np.intp) + first)
        if not found:
            return found, np.zeros(0, np.intp)
        counts = np.fromiter(map(len, found), np.intp, len(found))
        return found, np.repeat(np.concatenate(places), counts)


def _given(column: Sequence[object]) -> int:
    if all(column):  # what is not given is false, and asking that costs a fifth of comparing
        return len(column)
    nothing = column.count(None)
    return len(column) - nothing - (column.count(msgspec.UNSET) if nothing < len(column) else 0)


def targets_of(column: Sequence[Target | None]) -> Targets:
    """Return the targets of documents as columns."""
    given = [target for target in column if target is not None]
    stated = np.ones(len(column), bool)
    if len(given) < len(column):
        stated[:] = [target is not None for target in column]
    if not given:
        return Targets(stated=stated)
    metric, wanted, actual, track = zip(*map(_OF_TARGET, given), strict=True)
    return Targets(stated=stated, metric=metric, wanted=wanted, actual=actual, track=track)
