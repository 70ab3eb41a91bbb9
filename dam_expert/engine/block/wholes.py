"""Parts that take more than their whole has, row by row: what :mod:`dam_expert.engine.wholes` finds in one incident."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dam_expert.engine.block.words import Words, of_rows

if TYPE_CHECKING:
    from dam_expert.engine.block.known import Known
    from dam_expert.engine.block.spans import Bools, Floats, Places, Span
    from dam_expert.kb.base import Base, Whole


def exceeded(base: Base, known: Known) -> dict[str, Words]:
    """Return by measurement where it belongs to a whole that its parts exceed."""
    found: dict[str, Words] = {}
    for whole in base.wholes.values():
        for names, rows in zip(whole.reads, _exceeding(whole, known), strict=False):
            words = of_rows(rows, known.size)
            for name in names:
                found[name] = found[name] | words if name in found else words
    return found


def _exceeding(whole: Whole, known: Known) -> list[Places]:
    """Return in which rows the whole is exceeded, and each part is one of those that do; nothing where none is."""
    limit = known.present_value_of(whole.whole)
    parts = [known.present_value_of(part) for part in whole.parts] if limit.rows.size else []
    if not any(part.rows.size for part in parts):
        return []
    room = np.maximum(limit.hi, 0.0) * (1.0 + whole.tolerance)
    taken = np.zeros(len(room))
    takes: list[Bools] = []
    for part in parts:
        least = _least(part, limit.rows)
        takes.append(least > (room if whole.model.overlap else 0.0))
        taken += np.maximum(least, 0.0)
    beyond = np.logical_or.reduce(takes) if whole.model.overlap else taken > room
    return [limit.rows[rows] for rows in (beyond, *(beyond & each for each in takes))] if beyond.any() else []


def _least(span: Span, rows: Places) -> Floats:
    """Return the lower ends in some rows, of what is unknown less than anything."""
    if not span.rows.size:
        return np.full(len(rows), -np.inf)
    at = np.minimum(np.searchsorted(span.rows, rows), len(span.rows) - 1)
    return np.where(span.rows[at] == rows, span.lo[at], -np.inf)
