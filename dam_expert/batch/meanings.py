"""What texts, words and flags mean under the name of a measurement: read once each, then looked up."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.documents.observations import Basis

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from dam_expert.batch.loading import Loader
    from dam_expert.engine.block.incidents import Filler
    from dam_expert.engine.block.spans import Bools, Floats

UNKNOWN: Final = -1
"""The code of a name that is no measurement."""

UNSEEN: Final = -1


@dataclasses.dataclass(frozen=True, slots=True)
class Meaning:
    """What a value means: an interval or a word with its basis; neither where nothing is said or it cannot be used."""

    lo: float = math.nan
    hi: float = math.nan
    word: str | None = None
    basis: Basis = Basis.REPORTED
    is_said: bool = True
    is_plain: bool = True


SILENT: Final = Meaning(is_said=False)
NOT_PLAIN: Final = Meaning(is_plain=False)
OUTSIDE: Final = Meaning()
"""A value that its measurement cannot have: it is an observation, and nothing is known by it."""


class Meanings(dict[tuple[str, object], int]):
    """The number of the meaning that a text or flag under a name has; each is read once."""

    def __init__(self, loader: Loader) -> None:
        super().__init__()
        self._loader = loader
        self._made: list[tuple[int, Meaning]] = []
        self._table: Table | None = None
        self._by_word = np.zeros((0, 0), np.int32)
        """By measurement and number of a word the number of the meaning, UNSEEN where it was not asked for yet."""

    def of_words(
        self, codes: npt.NDArray[np.int32], words: npt.NDArray[np.int64], spelling: Sequence[str | bool | None]
    ) -> npt.NDArray[np.int32]:
        """Return the numbers of the meanings that words have under measurements; ``spelling`` is theirs by number."""
        if self._by_word.shape[1] < len(spelling):
            before, count = self._by_word, len(self._loader.measurements)
            self._by_word = np.full((count, 2 * len(spelling)), UNSEEN, np.int32)
            self._by_word[: len(before), : before.shape[1]] = before
        found = self._by_word[codes, words]
        new = np.flatnonzero(found == UNSEEN)
        if new.size:
            for code, word in set(zip(codes[new].tolist(), words[new].tolist(), strict=True)):
                self._by_word[code, word] = self[self._loader.measurements[code].id, spelling[word]]
            found = self._by_word[codes, words]
        return found

    def __missing__(self, key: tuple[str, object]) -> int:
        name, given = key
        code = self._loader.codes[name]
        meaning = NOT_PLAIN if code == UNKNOWN else self._loader.meaning(code, given)
        number = self[key] = len(self._made)
        self._made.append((code, meaning))
        self._table = None
        return number

    def table(self, filler: Filler) -> Table:
        """Return all meanings as columns; words are codes of the block."""
        if self._table is None:
            self._table = table_of(self._loader, filler, self._made)
        return self._table


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Meanings as columns. ``word`` is the code of a word or -1; ``useful`` says that there is a value at all."""

    lo: Floats
    hi: Floats
    word: npt.NDArray[np.int32]
    useful: Bools
    is_said: Bools
    is_plain: Bools
    decisive: Bools


def table_of(loader: Loader, filler: Filler, made: list[tuple[int, Meaning]]) -> Table:
    """Return meanings as columns."""
    meanings = [meaning for _, meaning in made]
    lo = np.array([meaning.lo for meaning in meanings], float)
    word = np.array([-1 if each.word is None else filler.code(each.word) for each in meanings], np.int32)
    codes = np.array([code for code, _ in made], np.int32)
    reported = np.array([meaning.basis is Basis.REPORTED for meaning in meanings], bool)
    return Table(
        lo=lo,
        hi=np.array([meaning.hi for meaning in meanings], float),
        word=word,
        useful=~np.isnan(lo) | (word >= 0),
        is_said=np.array([meaning.is_said for meaning in meanings], bool),
        is_plain=np.array([meaning.is_plain for meaning in meanings], bool),
        decisive=reported & ~loader.weak[codes] & ~loader.needs_tool[codes],
    )
