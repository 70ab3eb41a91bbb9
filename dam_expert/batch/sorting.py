"""Values of many incidents, as they come, sorted into the columns of a block."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from dam_expert.documents.observations import Basis

if TYPE_CHECKING:
    import numpy.typing as npt

    from dam_expert.batch.loading import Loader
    from dam_expert.batch.meanings import Meaning
    from dam_expert.engine.block.incidents import Filler
    from dam_expert.engine.block.spans import Bools, Floats, Places


class Entries:
    """Values of measurements, to be sorted into columns: numbers and words, each as codes, owners, ends and marks."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader
        self._runs: dict[bool, list[tuple[Any, ...]]] = {False: [], True: []}
        self._singles: list[tuple[int, int, Meaning, Basis]] = []
        self._sorted: list[tuple[bool, bool, list[Any]]] = []

    def add(
        self,
        codes: npt.NDArray[np.int32],
        owners: Places,
        lo: Floats,
        *,
        decisive: Bools,
        hi: Floats | None = None,
        words: bool = False,
    ) -> None:
        """Add values that no tool gave; of words ``lo`` is the code."""
        if codes.size:
            self._runs[words].append((codes, owners, lo, lo if hi is None else hi, decisive, np.zeros(len(lo), bool)))

    def add_one(self, code: int, owner: int, found: Meaning, basis: Basis) -> None:
        """Add one value with its own basis."""
        self._singles.append((code, owner, found, basis))

    def repeated(self, filler: Filler, size: int) -> Bools:
        """Sort the values; return which owners have two of one measurement."""
        self._collect_singles(filler)
        seen = np.zeros(size, bool)
        for words, runs in self._runs.items():
            if not runs:
                continue
            columns = [np.concatenate(parts) if len(parts) > 1 else parts[0] for parts in zip(*runs, strict=True)]
            order = _by_code(columns[0])
            keys = columns[0][order].astype(np.int64) * size + columns[1][order]
            if (keys[1:] <= keys[:-1]).any():  # values of several forms, or one twice
                order = order[np.argsort(keys, kind="stable")]
                keys = np.sort(keys)
                seen[keys[1:][keys[1:] == keys[:-1]] % max(size, 1)] = True
            points = all(run[2] is run[3] for run in runs)
            self._sorted.append((words, points, [column[order] for column in columns]))
        return seen

    def fill(self, filler: Filler, rows: Places, kept: Bools) -> None:
        """Put the values of the owners that are kept into the block, after they were sorted."""
        for words, points, columns in self._sorted:
            if not kept.all():
                chosen = kept[columns[1]]
                columns = [column[chosen] for column in columns]  # noqa: PLW2901
            codes, owners, lo, hi, decisive, by_tool = columns
            places = rows[owners]
            starts = np.flatnonzero(np.diff(codes, prepend=-1)).tolist()
            for start, end in itertools.pairwise([*starts, len(codes)]):
                column, low = self.loader.columns[codes[start]], lo[start:end]
                marks = decisive[start:end], by_tool[start:end]
                if words:
                    filler.add_words(column, places[start:end], low, *marks)
                else:
                    filler.add_numbers(column, places[start:end], low, low if points else hi[start:end], *marks)

    def _collect_singles(self, filler: Filler) -> None:
        for words in (False, True):
            chosen = [single for single in self._singles if (single[2].word is not None) == words]
            if not chosen:
                continue
            codes = np.array([code for code, *_ in chosen], np.int32)
            found = [meaning for *_, meaning, _ in chosen]
            by_tool = np.array([basis is Basis.TOOL for *_, basis in chosen], bool)
            known = by_tool | (
                np.array([basis is Basis.REPORTED for *_, basis in chosen], bool) & ~self.loader.needs_tool[codes]
            )
            lo = np.array([each.lo if each.word is None else filler.code(each.word) for each in found], float)
            hi = np.array([each.hi for each in found], float)
            owners = np.array([owner for _, owner, *_ in chosen], np.intp)
            self._runs[words].append(
                (codes, owners, lo, lo if words else hi, known & ~self.loader.weak[codes], by_tool)
            )


def _by_code(codes: npt.NDArray[np.int32]) -> Places:
    """Return the order by code; of equal ones as they came (16 bits are sorted by counting)."""
    return np.argsort(codes.astype(np.uint16), kind="stable")
