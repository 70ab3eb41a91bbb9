"""Parts that take more than their whole has: one of the values is of another run, time or device, and none decides."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dam_expert.engine.columns import Columns
    from dam_expert.kb.base import Base


def exceeded(base: Base, columns: Columns) -> dict[str, str]:
    """Return the measurements of wholes that their parts exceed, each with the first such whole.

    A part that is unknown counts as nothing, and so does what is older than the last change: what is known of the
    others is then all the more too much.
    """
    found: dict[str, str] = {}
    for whole in base.wholes.values():
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
