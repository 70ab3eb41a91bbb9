"""Parts that take more than their whole has, row by row: what :mod:`dam_expert.engine.wholes` finds in one incident."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dam_expert.engine.block.words import Words, packed

if TYPE_CHECKING:
    from dam_expert.engine.block.known import Known
    from dam_expert.engine.block.spans import Bools
    from dam_expert.kb.base import Base, Whole


def exceeded(base: Base, known: Known) -> dict[str, Words]:
    """Return by measurement where it belongs to a whole that its parts exceed."""
    found: dict[str, Words] = {}
    for whole in base.wholes.values():
        for names, rows in zip(whole.reads, _exceeding(whole, known), strict=False):
            words = packed(rows)
            for name in names:
                found[name] = found[name] | words if name in found else words
    return found


def _exceeding(whole: Whole, known: Known) -> list[Bools]:
    """Return in which rows the whole is exceeded, and each part is one of those that do; nothing where none is."""
    limit = known.present_value_of(whole.whole)
    if not limit.rows.size:
        return []
    room = np.full(known.size, np.inf)
    room[limit.rows] = np.maximum(limit.hi, 0.0) * (1.0 + whole.tolerance)
    taken = np.zeros(known.size)
    takes: list[Bools] = []
    for part in whole.parts:
        span = known.present_value_of(part)
        takes.append(np.zeros(known.size, bool))
        takes[-1][span.rows] = span.lo > (room[span.rows] if whole.model.overlap else 0.0)
        taken[span.rows] += np.maximum(span.lo, 0.0)
    beyond = np.logical_or.reduce(takes) if whole.model.overlap else taken > room
    return [beyond, *(beyond & each for each in takes)] if beyond.any() else []
