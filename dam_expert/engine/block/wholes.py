"""Parts that take more than their whole has, row by row: what :mod:`dam_expert.engine.wholes` finds in one incident."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dam_expert.engine.block.spans import Span, Standing
from dam_expert.engine.block.words import Words, of_rows
from dam_expert.language.expressions import Constant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.engine.block.known import Known
    from dam_expert.engine.block.spans import Places
    from dam_expert.kb.base import Base, Whole
    from dam_expert.language.expressions import Formula


def exceeded(base: Base, known: Known) -> dict[str, Words]:
    """Return by measurement where it belongs to a whole that its parts exceed."""
    found: dict[str, Words] = {}
    standing = Standing(known.size)
    for whole in base.wholes.values():
        for names, rows in zip(whole.reads, _exceeding(whole, known, standing), strict=False):
            words = of_rows(rows, known.size)
            for name in names:
                found[name] = found[name] | words if name in found else words
    return found


def _exceeding(whole: Whole, known: Known, standing: Standing) -> list[Places]:
    """Return in which rows the whole is exceeded, and each part is one of those that do; nothing where none is."""
    parts = [known.present_value_of(part) for part in whole.parts]
    if not any(part.rows.size for part in parts):
        return []
    limit = _limit(whole.whole, parts, known)
    if not limit.rows.size:
        return []
    room = np.maximum(limit.hi, 0.0) * (1.0 + whole.tolerance)
    standing.among(limit.rows)
    seen = [standing.seen(part) for part in parts]
    if whole.model.overlap:
        found = [part.rows[part.lo > room[part.rows]] for part in seen]
        beyond = np.unique(np.concatenate(found))
    else:
        taken = np.zeros(len(room))
        for part in seen:
            taken[part.rows] += np.maximum(part.lo, 0.0)
        exceeds = taken > room
        beyond = np.flatnonzero(exceeds)
        found = [part.rows[exceeds[part.rows] & (part.lo > 0.0)] for part in seen] if beyond.size else []
    return [limit.rows[places] for places in (beyond, *found)] if beyond.size else []


def _limit(whole: Formula, parts: Sequence[Span], known: Known) -> Span:
    """Return the whole where it can be exceeded: one that is the same in every row, only where a part is known."""
    if not isinstance(whole, Constant):
        return known.present_value_of(whole)
    some = np.logical_or.reduce([part.known(known.size) for part in parts if part.rows.size])
    rows = np.flatnonzero(some)
    value = np.full(len(rows), whole.value)
    return Span(rows, value, value)
