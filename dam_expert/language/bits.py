"""The bit program: the node table as one straight-line function of ``&`` and ``|``, for any number of cases at once.

A truth is two bits, *certain* and *possible*: false is 00, unknown 01, true 11. Then *and* is ``&`` of both, *or* is
``|``, *not* swaps the two and inverts them, and ``at_least`` is a small chain of ``&`` and ``|``. The same function
runs on three carriers: Python ints of one bit (one incident), Python ints of many bits (imagined worlds), and numpy
uint64 words (batches).

The source is generated from checked nodes and holds only numbers, our own names and operators: no text of a rule ever
reaches it.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, TypeAlias

from dam_expert.language.program import Join, Literal, Node, Program
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

#: Ints or arrays of words, one bit a case.
Bits: TypeAlias = Any

#: One of the two bits of a node: the node, and whether where it is possible is meant, or else where it is certain.
Side: TypeAlias = tuple[int, bool]


@dataclasses.dataclass(frozen=True, slots=True)
class SideProgram:
    """A program compiled for some bits of its nodes; ``certain`` and ``possible`` are the leaves that it reads so."""

    certain: tuple[int, ...]
    possible: tuple[int, ...]
    outputs: tuple[Side, ...]
    function: Callable[[Sequence[Bits], Sequence[Bits], Bits], tuple[Bits, ...]]

    def run(self, certain: Mapping[int, Bits], possible: Mapping[int, Bits], full: Bits) -> dict[Side, Bits]:
        """Return the outputs; a leaf without bits is unknown: certain nowhere, possible everywhere."""
        nowhere = full ^ full
        sure = [certain.get(leaf, nowhere) for leaf in self.certain]
        maybe = [possible.get(leaf, full) for leaf in self.possible]
        return dict(zip(self.outputs, self.function(sure, maybe, full), strict=True))


@dataclasses.dataclass(frozen=True, slots=True)
class BitProgram:
    """A program compiled for both bits. ``leaves`` are the positions of its input nodes, ``outputs`` of its results."""

    leaves: tuple[int, ...]
    outputs: tuple[int, ...]
    function: Callable[[Sequence[Bits], Sequence[Bits], Bits], tuple[Bits, ...]]
    places: Mapping[int, int]
    """Where each of the leaves stands among them."""

    def run(
        self, certain: Mapping[int, Bits], possible: Mapping[int, Bits], full: Bits
    ) -> dict[int, tuple[Bits, Bits]]:
        """Return (certain, possible) of every output node; ``full`` has a one for every case.

        A leaf without bits is unknown: certain nowhere, possible everywhere.
        """
        found = self.function(self._filled(certain, full ^ full), self._filled(possible, full), full)
        count = len(self.outputs)
        return dict(zip(self.outputs, zip(found[:count], found[count:], strict=True), strict=True))

    def _filled(self, given: Mapping[int, Bits], otherwise: Bits) -> list[Bits]:
        """Return what is given of each leaf; of most leaves nothing is."""
        found = [otherwise] * len(self.leaves)
        for leaf, bits in given.items():
            place = self.places.get(leaf)
            if place is not None:
                found[place] = bits
        return found


def compile_bits(program: Program, literals: Sequence[Literal] | None = None) -> BitProgram:
    """Generate and compile the function of a program, for some literals of it.

    Without them it is for the bodies and exceptions of all its rules and for its symptoms.
    """
    if literals is None:
        literals = [literal for rule in program.rules for literal in (rule.body, *rule.unless)]
        literals += program.symptoms.values()
    outputs = tuple(dict.fromkeys(position for position, _ in literals))
    needed = _needed(program, [(position, side) for position in outputs for side in (False, True)])
    leaves = _leaves(program, needed, possible=False)
    # whoever is needed with one bit is so with both, so that both kinds of leaves are the same
    sides = compile_sides(program, [*((each, False) for each in outputs), *((each, True) for each in outputs)])
    return BitProgram(leaves, outputs, sides.function, {leaf: place for place, leaf in enumerate(leaves)})


def compile_sides(program: Program, sides: Iterable[Side]) -> SideProgram:
    """Generate and compile the function for some bits of nodes alone: of most leaves that takes one of the two."""
    outputs = tuple(dict.fromkeys(sides))
    needed = _needed(program, outputs)
    certain, possible = (_leaves(program, needed, possible=side) for side in (False, True))
    lines = ["def function(sure, maybe, full):"]
    lines += [f"    c{position} = sure[{index}]" for index, position in enumerate(certain)]
    lines += [f"    p{position} = maybe[{index}]" for index, position in enumerate(possible)]
    for side in needed:
        lines += [f"    {line}" for line in _statements(side, program.nodes[side[0]])]
    lines.append(f"    return ({''.join(f'{_name(side)},' for side in outputs)})")
    space: dict[str, Any] = {}
    exec(compile("\n".join(lines), "<bit program>", "exec"), space)  # generated above from numbers alone
    return SideProgram(certain=certain, possible=possible, outputs=outputs, function=space["function"])


def literal_bits(literal: Literal, found: Mapping[int, tuple[Bits, Bits]], full: Bits) -> tuple[Bits, Bits]:
    """Return (certain, possible) of a literal from those of its node."""
    node, positive = literal
    certain, possible = found[node]
    return (certain, possible) if positive else (possible ^ full, certain ^ full)


def truth_bits(truth: Truth) -> tuple[int, int]:
    """Return a truth as (certain, possible).

    >>> truth_bits(Truth.UNKNOWN)
    (0, 1)
    """
    return int(truth is Truth.TRUE), int(truth is not Truth.FALSE)


def bits_truth(certain: int, possible: int) -> Truth:
    """Return the truth of one case."""
    return Truth(certain + possible)


def _needed(program: Program, outputs: Sequence[Side]) -> list[Side]:
    """Return the bits that the outputs depend on, in topological order."""
    wanted = set(outputs)
    for position in range(len(program.nodes) - 1, -1, -1):
        for side in (False, True):
            if (position, side) in wanted:  # of what is negated the other bit
                wanted |= {(child, side is positive) for child, positive in program.nodes[position].children}
    return sorted(wanted)


def _leaves(program: Program, needed: Sequence[Side], *, possible: bool) -> tuple[int, ...]:
    return tuple(
        position for position, side in needed if side is possible and program.nodes[position].join is Join.LEAF
    )


def _name(side: Side) -> str:
    position, possible = side
    return f"{'p' if possible else 'c'}{position}"


def _statements(side: Side, node: Node) -> Iterator[str]:
    if node.join is Join.LEAF:
        return
    possible = side[1]
    inputs = [
        _name((child, possible)) if positive else f"({_name((child, not possible))} ^ full)"
        for child, positive in node.children
    ]
    if node.join is Join.AT_LEAST:
        yield from _counted(_name(side), inputs, node.n)
    else:
        yield f"{_name(side)} = {(' & ' if node.join is Join.ALL else ' | ').join(inputs)}"


def _counted(name: str, inputs: Sequence[str], n: int) -> Iterator[str]:
    """Yield statements for "at least n": a chain in which t_j says that at least j of the inputs so far are one."""
    for count in range(1, n + 1):
        yield f"t{count} = full ^ full"
    for bit in inputs:
        for count in range(n, 1, -1):
            yield f"t{count} = t{count} | (t{count - 1} & {bit})"
        yield f"t1 = t1 | {bit}"
    yield f"{name} = t{n}"
