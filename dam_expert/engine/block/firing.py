"""Fires the rules of a block: the bit program on words of 64 rows."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.engine.bit_executor import bits_of
from dam_expert.engine.block.spans import Bools
from dam_expert.language.bits import literal_bits

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from dam_expert.engine.block.comparing import Truths
    from dam_expert.language.program import Literal, Program

    Words = npt.NDArray[np.uint64]


@dataclasses.dataclass(slots=True)
class Firing:
    """The answers so far, and what the rules make of them. Stages add answers; :meth:`run` evaluates all nodes."""

    program: Program
    size: int
    certain: dict[int, Words] = dataclasses.field(default_factory=dict)
    possible: dict[int, Words] = dataclasses.field(default_factory=dict)
    found: dict[int, tuple[Words, Words]] = dataclasses.field(default_factory=dict)

    def run(self, answers: Mapping[int, Truths]) -> None:
        """Add the truths of further leaves and evaluate the program."""
        for position, (certain, possible) in answers.items():
            self.certain[position] = packed(certain)
            self.possible[position] = packed(possible)
        self.found = bits_of(self.program).run(self.certain, self.possible, self.full)

    @property
    def full(self) -> Words:
        """Words with a one for every row; rows past the end are ones as well and are cut off when unpacked."""
        return np.full((self.size + 63) // 64, np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64)

    def fired(self, position: int) -> tuple[Bools, Bools]:
        """Return in which rows a rule fires at full strength, and in which reduced."""
        rule = self.program.rules[position]
        body, _ = self._bits(rule.body)
        exceptions = [self._bits(literal) for literal in rule.unless]
        held = np.zeros_like(body)
        open_exception = np.zeros_like(body)
        for certain, possible in exceptions:
            held |= certain
            open_exception |= possible & ~certain
        fires = body & ~held
        reduced = fires & open_exception if rule.decides else np.zeros_like(body)
        return self.rows(fires & ~reduced), self.rows(reduced)

    def symptom(self, name: str) -> Bools:
        """Return in which rows a symptom is certain."""
        return self.rows(self._bits(self.program.symptoms[name])[0])

    def _bits(self, literal: Literal) -> tuple[Words, Words]:
        return literal_bits(literal, self.found, self.full)

    def rows(self, words: Words) -> Bools:
        """Unpack words into rows."""
        return np.unpackbits(words.view(np.uint8), count=self.size, bitorder="little").view(bool)


def packed(rows: Bools) -> Words:
    """Pack rows into words of 64, the first row in the lowest bit."""
    octets = np.packbits(rows, bitorder="little")
    padded = np.zeros((len(rows) + 63) // 64 * 8, np.uint8)
    padded[: len(octets)] = octets
    return padded.view(np.uint64)
