"""Imagined worlds: what the rules would say for each outcome of each measurement that is still unknown.

A world differs from what is known by the value of one measurement (and of what is derived from it). All worlds are
evaluated together by the bit program on long ints, one bit a world; bit 0 is what is known now.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING

import numpy as np

from dam_expert.engine.bit_executor import rules_of, stage_bits
from dam_expert.engine.foreseeing import foresee
from dam_expert.language.bits import literal_bits
from dam_expert.language.program import Program, Stage
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence
    from typing import TypeAlias

    import numpy.typing as npt

    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.engine.foreseeing import Foreseen
    from dam_expert.language.program import CompiledRule

    Places: TypeAlias = npt.NDArray[np.intp]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Worlds:
    """The worlds of one incident, numbered from 0, which is what is known now.

    Bits of long ints are worlds, and so are the columns of matrices. Most outcomes of most measurements move nothing:
    the matrices hold only the first world and those that differ from it.
    """

    outcomes: Mapping[str, range]
    """By imagined measurement, the worlds of its outcomes."""
    count: int
    distinct: Places
    """The worlds that the matrices hold, in order; the first is what is known now."""
    like: Places
    """By world, which column of the matrices tells of it."""
    place: Places
    """By rule of the program, its row of the matrices; -1 where it fires in no world."""
    full: npt.NDArray[np.bool_]
    """Which rules fire at full strength."""
    reduced: npt.NDArray[np.bool_]
    found: Mapping[int, tuple[int, int]]
    """By node that a rule of evidence rests on, in which worlds it is certain and in which it is possible."""


def worlds_of(evaluated: Evaluated, candidates: Sequence[str]) -> Worlds:
    """Imagine every outcome of every candidate and evaluate all worlds at once."""
    count = 1
    outcomes: dict[str, range] = {}
    marks: list[tuple[int, Foreseen]] = []
    for name, foreseen in zip(candidates, foresee(evaluated, candidates), strict=True):
        outcomes[name] = range(count, count + foreseen.outcomes)
        marks.append((count, foreseen))
        count += foreseen.outcomes
    certain, possible = _marked(evaluated, marks, count)
    return _run(evaluated.base.program, certain, possible, outcomes, count)


def _marked(
    evaluated: Evaluated, marks: Sequence[tuple[int, Foreseen]], count: int
) -> tuple[dict[int, int], dict[int, int]]:
    """Return where each leaf is certain and where it is possible; what is not in them is unknown in all worlds."""
    full = (1 << count) - 1
    certain: dict[int, int] = {}
    possible: dict[int, int] = {}
    for position, truth in evaluated.leaf_truths.items():
        certain[position] = full if truth is Truth.TRUE else 0
        possible[position] = 0 if truth is Truth.FALSE else full
    known = frozenset(certain)
    for start, foreseen in marks:
        others = ~(((1 << foreseen.outcomes) - 1) << start)
        for position, sure, never in foreseen.marks:
            if position in known:  # what is imagined takes the place of what is known
                certain[position] &= others
                possible[position] |= ~others
            if sure:
                certain[position] = certain.get(position, 0) | sure << start
            if never:
                possible[position] = possible.get(position, full) ^ never << start
    return certain, possible


def _run(
    program: Program,
    certain: Mapping[int, int],
    possible: Mapping[int, int],
    outcomes: Mapping[str, range],
    count: int,
) -> Worlds:
    """Run the rules of evidence on all worlds."""
    full = (1 << count) - 1
    found = stage_bits(program, Stage.EVIDENCE).run(certain, possible, full)
    rules: list[int] = []
    rows: list[tuple[int, int]] = []
    moved = 0
    for position, node, positive, rule in _bodies(program):
        sure, maybe = found[node]
        body = sure if positive else maybe ^ full
        if not body:
            continue
        held, unsure = _exceptions(rule, found, full) if rule.unless else (0, 0)
        fires = body & ~held
        reduced = fires & unsure if rule.decides else 0
        if fires:
            rules.append(position)
            rows.append((fires & ~reduced, reduced))
            moved |= fires ^ (full if fires & 1 else 0)
            moved |= reduced ^ (full if reduced & 1 else 0)
    place = np.full(len(program.rules), -1, np.intp)
    place[rules] = np.arange(len(rules))
    differs = _matrix([moved | 1], count)[0]
    distinct = np.flatnonzero(differs)
    like = np.where(differs, np.cumsum(differs) - 1, 0)
    whole, part = (_matrix([row[index] for row in rows], count)[:, distinct] for index in range(2))
    return Worlds(
        outcomes=outcomes,
        count=count,
        distinct=distinct,
        like=like,
        place=place,
        full=whole,
        reduced=part,
        found=found,
    )


@functools.lru_cache(maxsize=8)
def _bodies(program: Program) -> tuple[tuple[int, int, bool, CompiledRule], ...]:
    """Return the rules of evidence, each with its place in the program and the literal that its body is."""
    rules = ((place, rule) for place, rule in enumerate(program.rules) if rule.stage is Stage.EVIDENCE)
    return tuple((place, *rule.body, rule) for place, rule in rules)


def _exceptions(rule: CompiledRule, found: Mapping[int, tuple[int, int]], full: int) -> tuple[int, int]:
    """Return in which worlds an exception of a rule holds, and in which one may."""
    held = unsure = 0
    for literal in rule.unless:
        certain, possible = literal_bits(literal, found, full)
        held |= certain
        unsure |= possible & ~certain
    return held, unsure


def _matrix(rows: Sequence[int], worlds: int) -> npt.NDArray[np.bool_]:
    """Return long ints as a boolean matrix of rows by worlds."""
    size = (worlds + 7) // 8
    packed = np.frombuffer(b"".join(row.to_bytes(size, "little") for row in rows), np.uint8).reshape(len(rows), size)
    return np.unpackbits(packed, axis=1, count=worlds, bitorder="little").astype(bool)


def settled_in(program: Program, worlds: Worlds, rules: Container[str]) -> npt.NDArray[np.int64]:
    """Return by world how many of some evidence rules are settled in it, one way or the other, and are not now."""
    full = (1 << worlds.count) - 1
    rows = []
    for rule in rules_of(program, Stage.EVIDENCE):
        if rule.id in rules:
            body, maybe = literal_bits(rule.body, worlds.found, full)
            held, unsure = _exceptions(rule, worlds.found, full) if rule.unless else (0, 0)
            settled = (full & ~maybe) | held | (body & ~unsure)
            if settled and not settled & 1:
                rows.append(settled)
    counted: npt.NDArray[np.int64] = _matrix(rows, worlds.count).sum(axis=0, dtype=np.int16).astype(np.int64)
    return counted
