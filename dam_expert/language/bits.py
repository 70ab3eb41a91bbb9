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
    from collections.abc import Callable, Iterator, Mapping, Sequence

#: Ints or arrays of words, one bit a case.
Bits: TypeAlias = Any


@dataclasses.dataclass(frozen=True, slots=True)
class BitProgram:
    """A program compiled for bits. ``leaves`` are the positions of its input nodes, ``outputs`` of its results."""

    leaves: tuple[int, ...]
    outputs: tuple[int, ...]
    function: Callable[[Sequence[Bits], Sequence[Bits], Bits], tuple[tuple[Bits, ...], tuple[Bits, ...]]]
    places: Mapping[int, int]
    """Where each of the leaves stands among them."""

    def run(
        self, certain: Mapping[int, Bits], possible: Mapping[int, Bits], full: Bits
    ) -> dict[int, tuple[Bits, Bits]]:
        """Return (certain, possible) of every output node; ``full`` has a one for every case.

        A leaf without bits is unknown: certain nowhere, possible everywhere.
        """
        sure, maybe = self.function(self._filled(certain, full ^ full), self._filled(possible, full), full)
        return dict(zip(self.outputs, zip(sure, maybe, strict=True), strict=True))

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
    needed = _needed(program, outputs)
    leaves = tuple(position for position in needed if program.nodes[position].join is Join.LEAF)
    lines = ["def function(sure, maybe, full):"]
    for index, position in enumerate(leaves):
        lines.append(f"    c{position} = sure[{index}]; p{position} = maybe[{index}]")
    for position in needed:
        lines += [f"    {line}" for line in _statements(position, program.nodes[position])]
    lines.append(f"    return ({_tuple('c', outputs)}), ({_tuple('p', outputs)})")
    space: dict[str, Any] = {}
    exec(compile("\n".join(lines), "<bit program>", "exec"), space)  # generated above from numbers alone
    places = {leaf: place for place, leaf in enumerate(leaves)}
    return BitProgram(leaves=leaves, outputs=outputs, function=space["function"], places=places)


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


def _needed(program: Program, outputs: Sequence[int]) -> list[int]:
    """Return the nodes that the outputs depend on, in topological order."""
    wanted = set(outputs)
    for position in range(len(program.nodes) - 1, -1, -1):
        if position in wanted:
            wanted |= {child for child, _ in program.nodes[position].children}
    return sorted(wanted)


def _tuple(name: str, positions: Sequence[int]) -> str:
    return "".join(f"{name}{position}," for position in positions)


def _statements(position: int, node: Node) -> Iterator[str]:
    if node.join is Join.LEAF:
        return
    sure = [f"c{child}" if positive else f"(p{child} ^ full)" for child, positive in node.children]
    maybe = [f"p{child}" if positive else f"(c{child} ^ full)" for child, positive in node.children]
    if node.join is Join.AT_LEAST:
        yield from _counted(f"c{position}", sure, node.n)
        yield from _counted(f"p{position}", maybe, node.n)
        return
    sign = " & " if node.join is Join.ALL else " | "
    yield f"c{position} = {sign.join(sure)}"
    yield f"p{position} = {sign.join(maybe)}"


def _counted(name: str, inputs: Sequence[str], n: int) -> Iterator[str]:
    """Yield statements for "at least n": a chain in which t_j says that at least j of the inputs so far are one."""
    for count in range(1, n + 1):
        yield f"t{count} = full ^ full"
    for bit in inputs:
        for count in range(n, 1, -1):
            yield f"t{count} = t{count} | (t{count - 1} & {bit})"
        yield f"t1 = t1 | {bit}"
    yield f"{name} = t{n}"
