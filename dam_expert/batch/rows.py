"""Rows: what was concluded of the incidents of a piece, as columns."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.engine.block.evaluating import DIAGNOSIS, Ends, evaluate_block
from dam_expert.engine.block.incidents import block_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from dam_expert.batch.entries import Entry
    from dam_expert.engine.block.evaluating import BlockVerdict
    from dam_expert.engine.block.incidents import Block
    from dam_expert.kb.base import Base

NEXT: Final = 3
"""How many hypotheses stand behind the binding one in a compact row."""

NONE: Final = -1
"""The code of no status and of no hypothesis."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Columns with one row an incident. Codes are places in ``DIAGNOSIS`` and in the hypotheses of the base."""

    ids: list[str]
    sources: list[str]
    errors: dict[int, str]
    """By row what went wrong; such a row may still have a verdict on what was readable."""
    status: npt.NDArray[np.int8]
    binding: npt.NDArray[np.int32]
    following: npt.NDArray[np.int32]
    """The next hypotheses in rank behind the binding one (rows by NEXT)."""
    share: Ends
    ceiling: Ends
    verdict: BlockVerdict | None
    """Everything that the block concluded, of the rows of ``diagnosed``."""
    block: Block | None
    diagnosed: npt.NDArray[np.int64]
    """Which rows have a verdict, in order: row ``diagnosed[i]`` is row ``i`` of the block."""

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.ids)


def rows_of(base: Base, entries: Sequence[Entry]) -> Rows:
    """Diagnose entries as one block; those without an incident become rows without a verdict."""
    size = len(entries)
    diagnosed = np.array([row for row, entry in enumerate(entries) if entry.incident is not None], np.int64)
    incidents = [entry.incident for entry in entries if entry.incident is not None]
    block = block_of(base, incidents) if incidents else None
    verdict = None if block is None else evaluate_block(base, block, ranked=NEXT + 1)
    status, binding = np.full(size, NONE, np.int8), np.full(size, NONE, np.int32)
    following = np.full((size, NEXT), NONE, np.int32)
    share, ceiling = _unknown(size), _unknown(size)
    if verdict is not None:
        status[diagnosed], binding[diagnosed] = verdict.diagnosis, verdict.binding
        following[diagnosed] = next_in_rank(verdict)
        for whole, part in ((share, verdict.share), (ceiling, verdict.ceiling)):
            whole.lo[diagnosed], whole.hi[diagnosed] = part.lo, part.hi
    return Rows(
        ids=[entry.id for entry in entries],
        sources=[entry.source for entry in entries],
        errors={row: entry.error for row, entry in enumerate(entries) if entry.error is not None},
        status=status,
        binding=binding,
        following=following,
        share=share,
        ceiling=ceiling,
        verdict=verdict,
        block=block,
        diagnosed=diagnosed,
    )


def next_in_rank(verdict: BlockVerdict) -> npt.NDArray[np.int32]:
    """Return the first hypotheses in rank without the binding one, row by row."""
    is_other = verdict.first != verdict.binding[:, None]
    order = np.argsort(~is_other, axis=1, kind="stable")[:, :NEXT]
    return np.take_along_axis(verdict.first, order, axis=1)


def status_word(code: int) -> str | None:
    """Return the status of a diagnosis in words, None where there is no diagnosis."""
    return None if code == NONE else DIAGNOSIS[code]


def _unknown(size: int) -> Ends:
    return Ends(np.full(size, np.nan), np.full(size, np.nan))
