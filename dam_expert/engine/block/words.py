"""Rows as bits: 64 rows a word, the first row in the lowest bit."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.engine.block.spans import Bools, Places

Words: TypeAlias = npt.NDArray[np.uint64]


def packed(rows: Bools) -> Words:
    """Pack a mask over a block."""
    octets = np.packbits(rows, bitorder="little")
    missing = -len(octets) % 8
    return (np.concatenate([octets, np.zeros(missing, np.uint8)]) if missing else octets).view(np.uint64)


def unpacked(words: Words, size: int) -> Bools:
    """Return bits as a mask over a block."""
    return np.unpackbits(words.view(np.uint8), count=size, bitorder="little").view(bool)


def of_rows(rows: Places, size: int) -> Words:
    """Return bits with a one for each of some rows."""
    mask = np.zeros((size + 63) // 64 * 64, bool)
    mask[rows] = True
    return np.packbits(mask, bitorder="little").view(np.uint64)


def of_masks(rows: Places, masks: Sequence[Bools], size: int) -> list[Words]:
    """Return bits with a one for each of some rows that is set in a mask over them; mask by mask."""
    laid_out = np.zeros((len(masks), (size + 63) // 64 * 64), bool)
    for line, mask in zip(laid_out, masks, strict=True):
        line[rows] = mask
    return list(np.packbits(laid_out, axis=1, bitorder="little").view(np.uint64))


def none(size: int) -> Words:
    """Return bits that are all zero."""
    return np.zeros((size + 63) // 64, np.uint64)


def every(size: int) -> Words:
    """Return bits with a one for every row; those past the end are zero, so that bits can be counted."""
    words = np.full((size + 63) // 64, np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64)
    if size % 64:
        words[-1] = np.uint64((1 << (size % 64)) - 1)
    return words


def some(words: Words) -> bool:
    """Whether there is any row; in a third of the time of ``words.any()``."""
    return bool(np.count_nonzero(words))


def count(words: Words) -> int:
    """Return how many rows there are."""
    return int(np.bitwise_count(words).sum())
