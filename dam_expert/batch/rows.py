"""Rows: what was concluded of the incidents of a block, as columns."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.engine.block.evaluating import DIAGNOSIS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from dam_expert.batch.entries import Entry
    from dam_expert.engine.block.evaluating import BlockVerdict, Ends
    from dam_expert.engine.block.spans import Bools
    from dam_expert.kb.base import Base

NEXT: Final = 3
"""How many hypotheses stand behind the binding one in a compact row."""

NONE: Final = -1
"""The code of no status and of no hypothesis."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Columns with one row an incident. Codes are places in ``DIAGNOSIS`` and in the hypotheses of the base."""

    ids: Sequence[str]
    sources: Sequence[str]
    errors: dict[int, str]
    """By row what went wrong; such a row may still have a verdict on what was readable."""
    diagnosed: Bools
    """Which rows have a verdict."""
    status: npt.NDArray[np.int8]
    binding: npt.NDArray[np.int32]
    likely: npt.NDArray[np.int32]
    """The leading hypothesis of a row in which none binds and this one is supported."""
    following: npt.NDArray[np.int32]
    """The next hypotheses in rank behind the binding one (rows by NEXT)."""
    share: Ends
    ceiling: Ends
    verdict: BlockVerdict
    """Everything that the block concluded; of rows that are not diagnosed it means nothing."""
    free: list[dict[str, str]]
    """By row the values of its free keys; empty where no row has any."""
    entry: Callable[[int], Entry]
    """Reads one row the long way."""

    def statuses(self) -> list[str | None]:
        """Return the status of the diagnosis of each row, None where there is no diagnosis."""
        return [status_word(code) for code in self.status.tolist()]

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.ids)


def rows_from(
    verdict: BlockVerdict,
    ids: Sequence[str],
    sources: Sequence[str],
    errors: dict[int, str],
    diagnosed: Bools,
    free: list[dict[str, str]],
    entry: Callable[[int], Entry],
) -> Rows:
    """Return the rows of a block that was evaluated."""
    supported = diagnosed & (verdict.diagnosis == DIAGNOSIS.index("supported"))
    following = np.where(diagnosed[:, None], next_in_rank(verdict), np.int32(NONE))
    return Rows(
        ids=ids,
        sources=sources,
        errors=errors,
        diagnosed=diagnosed,
        status=np.where(diagnosed, verdict.diagnosis, np.int8(NONE)),
        binding=np.where(diagnosed, verdict.binding, np.int32(NONE)),
        likely=np.where(supported, verdict.leading, np.int32(NONE)),
        following=following,
        share=verdict.share,
        ceiling=verdict.ceiling,
        verdict=verdict,
        free=free,
        entry=entry,
    )


def next_in_rank(verdict: BlockVerdict) -> npt.NDArray[np.int32]:
    """Return the first hypotheses in rank without the binding one, row by row."""
    first = verdict.first
    gone = np.zeros(len(first), bool)
    columns = []
    for place in range(NEXT):
        gone |= first[:, place] == verdict.binding
        columns.append(np.where(gone, first[:, place + 1], first[:, place]))
    return np.column_stack(columns)


def status_word(code: int) -> str | None:
    """Return the status of a diagnosis in words, None where there is no diagnosis."""
    return None if code == NONE else DIAGNOSIS[code]


def likely_of(rows: Rows, base: Base) -> list[str | None]:
    """Return by row the hypothesis that is likely and not proven, None where there is none."""
    names = list(base.hypotheses)
    return [names[place] if place >= 0 else None for place in rows.likely.tolist()]
