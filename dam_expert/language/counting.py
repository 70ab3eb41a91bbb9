"""The program for one case: what is known is passed on to what waits for it, and each join counts what it still needs.

Of some thousand leaves an incident settles some hundred, so that most nodes stay unknown: nobody looks at them, and the
work is that of what settles, not of the program. Every join is true from some number of true members on, and false from
some number of false ones on; it is the algorithm of W. Dowling and J. Gallier, Linear-time algorithms for testing the
satisfiability of propositional Horn formulae, 1984.

A literal is told by one number here: twice the position of its node, and one more where that is true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from dam_expert.language.program import Join

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dam_expert.language.program import Node, Program

#: A join that a member speaks to: its position, what enough such members make of it, and how many are enough.
_Waiting: TypeAlias = tuple[int, bool, int]


class Settled:
    """The nodes that are settled in one case: ``values`` says by position whether they are true."""

    def __init__(self, waiting: list[list[_Waiting]], values: dict[int, bool], counts: dict[int, int]) -> None:
        self._waiting = waiting
        self._counts = counts
        self.values = values

    def copy(self) -> Settled:
        """Return the same as a case of its own."""
        return Settled(self._waiting, self.values.copy(), self._counts.copy())

    def leads_on(self, literal: int) -> bool:
        """Whether anything waits for a literal."""
        return bool(self._waiting[literal])

    def add(self, nodes: Iterable[tuple[int, bool]]) -> list[int]:
        """Settle nodes that are not settled yet, and all that follows; return the literals that hold by that."""
        values, counts, waiting = self.values, self._counts, self._waiting
        found: list[int] = []
        for position, value in nodes:
            if position not in values:
                values[position] = value
                found.append(2 * position + value)
        for literal in found:  # it grows by what follows
            for position, value, enough in waiting[literal]:
                if position in values:
                    continue
                follows = 2 * position + value
                if enough > 1:
                    count = counts.get(follows, 0) + 1
                    if count < enough:
                        counts[follows] = count
                        continue
                values[position] = value
                found.append(follows)
        return found


def nothing_known(program: Program, wanted: Iterable[int] | None = None) -> Settled:
    """Return the case in which nothing is known: only joins that need no member are settled. Copy it, leave it alone.

    ``wanted`` are the literals that anybody asks for; without it all are. What none of them rests on is not followed
    up: whether a body is false matters to few.

    >>> from dam_expert.language.program import Join, Node, Program
    >>> leaf, both = Node(Join.LEAF), Node(Join.ALL, ((0, True), (1, False)))
    >>> case = nothing_known(Program(nodes=(leaf, leaf, both), symptoms={}, rules=())).copy()
    >>> case.add([(0, True)]), case.add([(1, False)]), case.values
    ([1], [2, 5], {0: True, 1: False, 2: True})
    """
    waiting: list[list[_Waiting]] = [[] for _ in range(2 * len(program.nodes))]
    constant = []
    followed = None if wanted is None else _followed(program, wanted)
    for position, node in enumerate(program.nodes):
        for value, enough in _needs(node):
            if followed is not None and 2 * position + value not in followed:
                continue
            if enough <= 0:
                constant.append((position, value))
            for child, positive in node.children:
                waiting[2 * child + (positive == value)].append((position, value, enough))
    nothing = Settled(waiting, {}, {})
    nothing.add(constant)
    return nothing


def _followed(program: Program, wanted: Iterable[int]) -> frozenset[int]:
    """Return some literals with all that they rest on."""
    found = set(wanted)
    waiting = list(found)
    while waiting:
        position, value = divmod(waiting.pop(), 2)
        below = {2 * child + (positive == bool(value)) for child, positive in program.nodes[position].children}
        waiting += below - found
        found |= below
    return frozenset(found)


def _needs(node: Node) -> Iterator[tuple[bool, int]]:
    """Yield how many true members make a join true, and how many false ones make it false."""
    members = len(node.children)
    if node.join is not Join.LEAF:
        least = {Join.ALL: members, Join.ANY: 1}.get(node.join, node.n)
        yield True, least
        yield False, members - least + 1
