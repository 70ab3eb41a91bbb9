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
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from dam_expert.language.program import Node, Program

#: A join that a member speaks to: its position, what enough such members make of it, and how many are enough.
_Waiting: TypeAlias = tuple[int, bool, int]


#: By what follows from a join the literals that have to hold as well, and are looked at when all others do.
_Late: TypeAlias = dict[int, tuple[int, ...]]


class Settled:
    """The nodes that are settled in one case: ``values`` says by position whether they are true.

    ``told`` are truths of leaves that are there to be looked up, beside what is settled.
    """

    def __init__(
        self,
        waiting: list[list[_Waiting]],
        late: _Late,
        values: dict[int, bool],
        counts: dict[int, int],
        told: Mapping[int, Truth] | None = None,
    ) -> None:
        self._waiting = waiting
        self._late = late
        self._counts = counts
        self._told = {} if told is None else told
        self._put_off: list[int] = []
        self.values = values

    def copy(self, told: Mapping[int, Truth] | None = None) -> Settled:
        """Return the same as a case of its own."""
        other = Settled(self._waiting, self._late, self.values.copy(), self._counts.copy(), told)
        other._put_off = self._put_off.copy()
        return other

    def leads_on(self, literal: int) -> bool:
        """Whether anything waits for a literal."""
        return bool(self._waiting[literal])

    def add(self, nodes: Iterable[tuple[int, bool]]) -> list[int]:
        """Settle nodes that are not settled yet, and all that follows; return the literals that hold by that."""
        values, counts, waiting, late = self.values, self._counts, self._waiting, self._late
        found: list[int] = []
        for position, value in (*nodes, *self._come_true()):
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
                if follows in late and not self._hold(late[follows]):
                    self._put_off.append(follows)
                    continue
                values[position] = value
                found.append(follows)
        return found

    def _hold(self, literals: Iterable[int]) -> bool:
        """Whether leaves are told to be as literals say."""
        told = self._told
        return all(told.get(literal >> 1) is (Truth.TRUE if literal & 1 else Truth.FALSE) for literal in literals)

    def _come_true(self) -> list[tuple[int, bool]]:
        """Return what was put off and follows by now."""
        if not self._put_off:
            return []
        now = [literal for literal in self._put_off if self._hold(self._late[literal])]
        self._put_off = [literal for literal in self._put_off if literal not in now]
        return [(literal >> 1, bool(literal & 1)) for literal in now]


def nothing_known(
    program: Program, wanted: Iterable[int] | None = None, usual: Collection[int] = frozenset()
) -> Settled:
    """Return the case in which nothing is known: only joins that need no member are settled. Copy it, leave it alone.

    ``wanted`` are the literals that anybody asks for; without it all are. What none of them rests on is not followed
    up: whether a body is false matters to few. ``usual`` literals of leaves hold nearly always: where a join needs all
    its members they are not passed on to it, but looked up among what is told once the others hold.

    >>> from dam_expert.language.program import Join, Node, Program
    >>> leaf, both = Node(Join.LEAF), Node(Join.ALL, ((0, True), (1, False)))
    >>> case = nothing_known(Program(nodes=(leaf, leaf, both), symptoms={}, rules=())).copy()
    >>> case.add([(0, True)]), case.add([(1, False)]), case.values
    ([1], [2, 5], {0: True, 1: False, 2: True})
    """
    waiting: list[list[_Waiting]] = [[] for _ in range(2 * len(program.nodes))]
    late: _Late = {}
    constant = []
    followed = None if wanted is None else _followed(program, wanted)
    for position, node in enumerate(program.nodes):
        for value, enough in _needs(node):
            if followed is not None and 2 * position + value not in followed:
                continue
            if enough <= 0:
                constant.append((position, value))
            members = [2 * child + (positive == value) for child, positive in node.children]
            others = [literal for literal in members if literal not in usual]
            puts_off = 0 < len(others) < len(members) == enough
            if puts_off:
                late[2 * position + value] = tuple(literal for literal in members if literal in usual)
            for literal in others if puts_off else members:
                waiting[literal].append((position, value, len(others) if puts_off else enough))
    nothing = Settled(waiting, late, {}, {})
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
