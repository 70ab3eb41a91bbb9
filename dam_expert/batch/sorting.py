"""Values of many incidents, as they come, sorted into the columns of a block."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dam_expert.documents.observations import Basis

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from dam_expert.batch.loading import Loader
    from dam_expert.batch.meanings import Meaning
    from dam_expert.engine.block.incidents import Filler
    from dam_expert.engine.block.spans import Bools, Floats, Places


class _Run(NamedTuple):
    """Values as they were added. Without marks each decides as its measurement says, and no tool gave it."""

    codes: npt.NDArray[np.int32]
    owners: Places
    lo: Floats
    hi: Floats
    decisive: Bools | None
    by_tool: Bools | None


class Entries:
    """Values of measurements, to be sorted into columns: numbers and words, each as codes, owners, ends and marks."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader
        self._runs: dict[bool, list[_Run]] = {False: [], True: []}
        self._singles: list[tuple[int, int, Meaning, Basis]] = []
        self._sorted: list[tuple[bool, _Run]] = []
        self._columns: list[tuple[int, Places, Floats]] = []

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added."""
        return not (self._singles or any(self._runs.values()))

    def add_column(self, code: int, owners: Places, lo: Floats) -> None:
        """Add numbers of one measurement by owner; no others of it may be added, nor any twice."""
        self._columns.append((code, owners, lo))

    def add_sorted(self, codes: npt.NDArray[np.int32], owners: Places, lo: Floats) -> None:
        """Add numbers by measurement and owner; no others of these measurements may be added, nor any twice."""
        if codes.size:
            self._sorted.append((False, _Run(codes, owners, lo, lo, None, None)))

    def add(
        self,
        codes: npt.NDArray[np.int32],
        owners: Places,
        lo: Floats,
        *,
        decisive: Bools | None = None,
        hi: Floats | None = None,
        words: bool = False,
    ) -> None:
        """Add values that no tool gave; of words ``lo`` is the code."""
        if codes.size:
            self._runs[words].append(_Run(codes, owners, lo, lo if hi is None else hi, decisive, None))

    def add_one(self, code: int, owner: int, found: Meaning, basis: Basis) -> None:
        """Add one value with its own basis."""
        self._singles.append((code, owner, found, basis))

    def repeated(self, filler: Filler, size: int) -> Bools:
        """Sort the values; return which owners have two of one measurement."""
        self._collect_singles(filler)
        seen = np.zeros(size, bool)
        for words, runs in self._runs.items():
            if _are_columns(runs):
                self._sorted += [(words, run) for run in runs]
            elif runs:
                self._sorted.append((words, self._in_order(runs, seen)))
        return seen

    def _in_order(self, runs: list[_Run], seen: Bools) -> _Run:
        """Return the values of runs by measurement and owner; note in ``seen`` whose measurement stands twice."""
        size = len(seen)
        codes, owners, lo = (np.concatenate([run[part] for run in runs]) for part in range(3))
        order = _by_code(codes)
        codes, owners = codes[order], owners[order]
        keys = codes.astype(np.int64) * size + owners
        if (keys[1:] <= keys[:-1]).any():  # values of several forms, or one twice
            again = np.argsort(keys, kind="stable")
            order, codes, owners, keys = order[again], codes[again], owners[again], keys[again]
            seen[keys[1:][keys[1:] == keys[:-1]] % max(size, 1)] = True
        lo = lo[order]
        points = all(run.lo is run.hi for run in runs)
        hi = lo if points else np.concatenate([run.hi for run in runs])[order]
        decisive = by_tool = None
        if any(run.decisive is not None for run in runs):
            deciding = self.loader.deciding
            every = [deciding[run.codes] if run.decisive is None else run.decisive for run in runs]
            decisive = np.concatenate(every)[order]
        if any(run.by_tool is not None for run in runs):
            every = [np.zeros(len(run.lo), bool) if run.by_tool is None else run.by_tool for run in runs]
            by_tool = np.concatenate(every)[order]
        return _Run(codes, owners, lo, hi, decisive, by_tool)

    def fill(self, filler: Filler, rows: Places, kept: Bools) -> None:
        """Put the values of the owners that are kept into the block, after they were sorted."""
        is_identity = len(rows) == filler.size and bool((np.diff(rows) == 1).all())
        for code, whose, numbers in self._columns:
            chosen = slice(None) if kept.all() else kept[whose]
            places, lo = whose[chosen] if is_identity else rows[whose[chosen]], numbers[chosen]
            filler.add_numbers(self.loader.columns[code], places, lo, lo, bool(self.loader.deciding[code]), False)
        for words, whole in self._sorted:
            run = whole if kept.all() else _only(whole, kept[whole.owners])
            places = run.owners if is_identity else rows[run.owners]
            starts = np.flatnonzero(np.diff(run.codes, prepend=-1)).tolist()
            for start, end in itertools.pairwise([*starts, len(run.codes)]):
                code, low = run.codes[start], run.lo[start:end]
                column = self.loader.columns[code]
                decisive = bool(self.loader.deciding[code]) if run.decisive is None else run.decisive[start:end]
                by_tool = False if run.by_tool is None else run.by_tool[start:end]
                if words:
                    filler.add_words(column, places[start:end], low, decisive, by_tool)
                else:
                    high = low if run.lo is run.hi else run.hi[start:end]
                    filler.add_numbers(column, places[start:end], low, high, decisive, by_tool)

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
            decisive = known & ~self.loader.weak[codes]
            self._runs[words].append(_Run(codes, owners, lo, lo if words else hi, decisive, by_tool))


def _only(run: _Run, chosen: Bools) -> _Run:
    codes, owners, lo, hi, decisive, by_tool = (None if part is None else part[chosen] for part in run)
    return _Run(codes, owners, lo, lo if run.lo is run.hi else hi, decisive, by_tool)  # type: ignore[arg-type]


def _are_columns(runs: Sequence[_Run]) -> bool:
    """Whether each run is a whole column of its own, in order, as those of tables are."""
    codes = [run.codes[0] for run in runs if run.codes[0] == run.codes[-1]]
    return len(set(codes)) == len(runs) and all((run.codes == run.codes[0]).all() for run in runs)


def _by_code(codes: npt.NDArray[np.int32]) -> Places:
    """Return the order by code; of equal ones as they came (16 bits are sorted by counting)."""
    return np.argsort(codes.astype(np.uint16), kind="stable")
