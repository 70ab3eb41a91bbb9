"""Values that were decoded into numbers, on their way into the columns of a block: sorted first, then looked at.

By measurement all values are usual, or the few measurements in which one is not take the way of any other values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dam_expert.batch.coded import word_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from dam_expert.batch.coded import Values
    from dam_expert.batch.loading import Batch
    from dam_expert.engine.block.spans import Floats, Places


def add_numbered(batch: Batch, given: Sequence[Values], words: Sequence[str | bool | None], *, alone: bool) -> None:
    """Add values to a batch; ``words`` are those that NaN stands for, and ``alone`` says that no others were added."""
    codes, owners, numbers = (np.concatenate(part) for part in zip(*given, strict=True))
    if not codes.size:
        return
    counts = np.bincount(codes)
    present = np.flatnonzero(counts)
    counts = counts[present]
    ends = np.cumsum(counts)
    starts = ends - counts
    order = np.argsort(codes, kind="stable")  # 16 bits are sorted by counting
    owners, numbers = owners[order], numbers[order]
    usual = batch.loader.are_usual(present, starts, ends, numbers)
    if not alone or _repeats(owners, starts):
        usual[:] = False
    codes = np.repeat(present.astype(np.int32), counts)
    if not usual.all():
        rest = np.repeat(~usual, counts)
        _add_others(batch, codes[rest], owners[rest], numbers[rest], words)
        kept = ~rest
        codes, owners, numbers = codes[kept], owners[kept], numbers[kept]
    batch.states[owners] = True
    batch.entries.add_sorted(codes, owners, numbers)


def _repeats(owners: Places, starts: Places) -> bool:
    """Whether any document has two values of one measurement; those of each are in the order of documents."""
    again = owners[1:] <= owners[:-1]
    again[starts[1:] - 1] = False
    return bool(again.any())


def _add_others(
    batch: Batch,
    codes: npt.NDArray[np.int32],
    owners: Places,
    numbers: Floats,
    words: Sequence[str | bool | None],
) -> None:
    """Add values of which some are words, or numbers that their measurements cannot have."""
    spelt = np.isnan(numbers)
    if spelt.any():
        said, whose = (codes, owners) if spelt.all() else (codes[spelt], owners[spelt])
        meant = batch.loader.meanings.of_words(said, word_numbers(numbers[spelt]), words)
        batch.add_meanings(said, whose, meant)
    are_numbers = ~spelt
    if are_numbers.any():
        batch.add_numbers(codes[are_numbers], owners[are_numbers], numbers[are_numbers])
