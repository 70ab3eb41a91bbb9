"""Parts that take more than their whole has: one of the values is of another run, time or device, and none decides."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, TypeAlias

from dam_expert.language.expressions import measurements_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dam_expert.engine.columns import Columns
    from dam_expert.kb.base import Base, Whole


def exceeded(base: Base, columns: Columns) -> dict[str, str]:
    """Return the measurements of wholes that their parts exceed, each with the first such whole.

    A part that is unknown counts as nothing, and so does what is older than the last change: what is known of the
    others is then all the more too much.
    """
    found: dict[str, str] = {}
    known = columns.known
    by_measurement = _reads(base)
    maybe = {each[0]: each for name in known.intersection(by_measurement) for each in by_measurement[name]}
    for place in sorted(maybe):
        _, whole, read, read_by_parts = maybe[place]
        if not known.issuperset(read) or not any(map(known.issuperset, read_by_parts)):
            continue
        limit = columns.present_value_of(whole.whole)
        if limit is None:
            continue
        room = max(limit.hi, 0.0) * (1.0 + whole.tolerance)
        parts = zip(map(columns.present_value_of, whole.parts), whole.reads[1:], strict=True)
        taking = [(value.lo, names) for value, names in parts if value is not None and value.lo > 0.0]
        too_much = [[one] for one in taking] if whole.model.overlap else [taking]
        for several in too_much:
            if sum(taken for taken, _ in several) > room:
                for name in itertools.chain(whole.reads[0], *(names for _, names in several)):
                    found.setdefault(name, whole.id)
    return found


#: A whole with its place in the base, what it reads, and what each of its parts reads: of others nothing can be told.
_Reading: TypeAlias = tuple[int, "Whole", frozenset[str], tuple[frozenset[str], ...]]


@functools.lru_cache(maxsize=8)
def _reads(base: Base) -> Mapping[str, Sequence[_Reading]]:
    """Return the wholes by a measurement without which nothing exceeds them: of the whole, or else of each part."""
    found: dict[str, list[_Reading]] = {}
    for place, whole in enumerate(base.wholes.values()):
        read = frozenset(measurements_of(whole.whole))
        parts = tuple(frozenset(measurements_of(part)) for part in whole.parts)
        for needed in [read] if read else parts:
            found.setdefault(min(needed, default=""), []).append((place, whole, read, parts))
    return found
