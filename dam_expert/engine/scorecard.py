"""The scorecard: what the appendix's table 7 reads from an incident. Screening signals, never grades."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.documents.diagnosis import ScorecardRow, extent
from dam_expert.documents.intervals import Interval
from dam_expert.engine.columns import bare
from dam_expert.engine.leaves import tree_truth
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from typing import Literal

    from dam_expert.engine.columns import Columns
    from dam_expert.kb.base import ScorecardRow as Row


def scorecard(columns: Columns) -> list[ScorecardRow]:
    """Return every row of the base in its order; one whose measurement is missing reads ``unknown``."""
    return [_row(row, columns) for row in columns.base.scorecard.values()]


def _row(row: Row, columns: Columns) -> ScorecardRow:
    cell = columns.cell(bare(row.model.measurement))
    value = None if cell is None else cell.value
    return ScorecardRow(
        metric=row.model.id,
        axis=row.model.axis,
        value=extent(value) if isinstance(value, Interval) else value,
        reading=_reading(row, columns),
    )


def _reading(row: Row, columns: Columns) -> Literal["investigate", "between", "strong", "unknown"]:
    """Return what the row says; a strong signal outweighs what was found before it."""
    strong = tree_truth(row.strong, columns)
    investigate = tree_truth(row.investigate, columns)
    if strong is Truth.TRUE:
        return "strong"
    if investigate is Truth.TRUE:
        return "investigate"
    return "between" if investigate is Truth.FALSE and strong is Truth.FALSE else "unknown"
