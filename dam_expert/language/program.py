"""The program: the conditions of a whole base as one table of shared nodes in topological order.

Equal parts of different rules become one node, so each comparison is made once. A node is a leaf or joins literals
(a node and whether it is wanted true or false). From this table every executor takes its work.

Two truths of one comparison are two leaves: the *plain* one, and the *strict* one that stands in a confirm or refute
rule, where a deciding comparison is unknown on values that cannot carry a decision. Sanity rules read *raw* leaves,
made before anything was rejected.
"""

from __future__ import annotations

import dataclasses
import enum
from typing import TYPE_CHECKING, TypeAlias, assert_never

import msgspec

from dam_expert.language.conditions import (
    All,
    Any,
    AtLeast,
    Binds,
    Comparison,
    Known,
    Leaf,
    Not,
    Planned,
    Standing,
    Symptom,
    Tree,
)
from dam_expert.language.truth import Truth, all_of, any_of, at_least

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Stage(enum.IntEnum):
    """When a rule is evaluated; each stage reads only what earlier ones concluded."""

    SANITY = 0
    EVIDENCE = 1
    ADVICE = 2


class Reading(enum.StrEnum):
    """Which truth of a comparison a leaf asks for."""

    RAW = "raw"
    PLAIN = "plain"
    STRICT = "strict"


class Question(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A leaf as the program asks it. A strict probe depends on the hypotheses that it would confirm or refute."""

    leaf: Leaf
    reading: Reading
    hypotheses: tuple[str, ...] = ()


#: A node by its position in the table, and whether it is wanted true (or else false).
Literal: TypeAlias = tuple[int, bool]


class Join(enum.StrEnum):
    """What a node does with its children; a leaf has none."""

    LEAF = "leaf"
    ALL = "all"
    ANY = "any"
    AT_LEAST = "at_least"


class Node(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One row of the table. ``n`` counts for ``at_least``; ``question`` is set on leaves."""

    join: Join
    children: tuple[Literal, ...] = ()
    n: int = 0
    question: Question | None = None


class CompiledRule(msgspec.Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """A rule's body and its exceptions as literals of the table."""

    id: str
    stage: Stage
    body: Literal
    unless: tuple[Literal, ...]
    decides: bool
    """Whether it confirms or refutes, so that its exceptions must be known to be false."""


class RuleSource(msgspec.Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """What the compiler needs of a rule."""

    id: str
    stage: Stage
    when: Tree
    unless: tuple[Tree, ...]
    decides: bool
    hypotheses: tuple[str, ...]


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Program:
    """The compiled base. ``symptoms`` maps each symptom to its literal in the plain reading.

    Programs are told apart by identity, so that what is compiled from one can be kept beside it.
    """

    nodes: tuple[Node, ...]
    symptoms: Mapping[str, Literal]
    rules: tuple[CompiledRule, ...]

    def evaluate(self, answer: Mapping[int, Truth]) -> list[Truth]:
        """Return the truth of every node, given that of the leaf nodes; a leaf without an answer is unknown."""
        truths: list[Truth] = []
        for position, node in enumerate(self.nodes):
            if node.join is Join.LEAF:
                truths.append(answer.get(position, Truth.UNKNOWN))
            else:
                truths.append(join(node, [literal_truth(child, truths) for child in node.children]))
        return truths


def literal_truth(literal: Literal, truths: Sequence[Truth]) -> Truth:
    """Return the truth of a literal from the truths of the nodes."""
    node, positive = literal
    return truths[node] if positive else truths[node].negated()


def join(node: Node, children: Sequence[Truth]) -> Truth:
    """Return the truth of an inner node from those of its children."""
    match node.join:
        case Join.ALL:
            return all_of(children)
        case Join.ANY:
            return any_of(children)
        case _:
            return at_least(node.n, children)


def leaves_below(program: Program, positions: Sequence[int]) -> list[int]:
    """Return the leaves that some nodes are made of, in the order of the table."""
    found, waiting = set(positions), list(positions)
    while waiting:
        below = {child for child, _ in program.nodes[waiting.pop()].children} - found
        waiting += below
        found |= below
    return sorted(position for position in found if program.nodes[position].join is Join.LEAF)


def compile_program(symptoms: Mapping[str, Tree], rules: Sequence[RuleSource]) -> Program:
    """Compile a base. Symptoms are expanded where they stand, since strict rules read their comparisons strictly."""
    table = _Table(symptoms)
    compiled = [
        CompiledRule(
            id=rule.id,
            stage=rule.stage,
            body=table.literal(rule.when, _reading(rule), rule.hypotheses if rule.decides else ()),
            unless=tuple(table.literal(tree, exceptions_reading(rule.stage), ()) for tree in rule.unless),
            decides=rule.decides,
        )
        for rule in rules
    ]
    plain = {name: table.literal(tree, Reading.PLAIN, ()) for name, tree in symptoms.items()}
    return Program(nodes=tuple(table.nodes), symptoms=plain, rules=tuple(compiled))


def exceptions_reading(stage: Stage) -> Reading:
    """Return how the exceptions of a rule are read: as observed before sanity has spoken, plain after it."""
    return Reading.RAW if stage is Stage.SANITY else Reading.PLAIN


def _reading(rule: RuleSource) -> Reading:
    if rule.stage is Stage.SANITY:
        return Reading.RAW
    return Reading.STRICT if rule.decides else Reading.PLAIN


class _Table:
    """Adds nodes once each and returns literals to them."""

    def __init__(self, symptoms: Mapping[str, Tree]) -> None:
        self.symptoms = symptoms
        self.nodes: list[Node] = []
        self.positions: dict[Node, int] = {}

    def add(self, node: Node) -> Literal:
        if node not in self.positions:
            self.positions[node] = len(self.nodes)
            self.nodes.append(node)
        return (self.positions[node], True)

    def literal(self, tree: Tree, reading: Reading, hypotheses: tuple[str, ...]) -> Literal:
        match tree:
            case Not(child):
                node, positive = self.literal(child, reading, hypotheses)
                return (node, not positive)
            case All(children):
                return self.joined(Join.ALL, children, 0, reading, hypotheses)
            case Any(children):
                return self.joined(Join.ANY, children, 0, reading, hypotheses)
            case AtLeast(n, children):
                return self.joined(Join.AT_LEAST, children, n, reading, hypotheses)
            case Symptom(name):
                return self.literal(self.symptoms[name], reading, hypotheses)
            case Comparison() | Known() | Standing() | Binds() | Planned():
                return self.leaf(tree, reading, hypotheses)
            case _ as never:
                assert_never(never)

    def leaf(self, leaf: Leaf, reading: Reading, hypotheses: tuple[str, ...]) -> Literal:
        strict = isinstance(leaf, Comparison) and leaf.decides and reading is Reading.STRICT
        question = Question(
            leaf,
            Reading.STRICT if strict else (Reading.RAW if reading is Reading.RAW else Reading.PLAIN),
            hypotheses if strict else (),
        )
        return self.add(Node(Join.LEAF, question=question))

    def joined(
        self, how: Join, children: tuple[Tree, ...], n: int, reading: Reading, hypotheses: tuple[str, ...]
    ) -> Literal:
        literals = tuple(dict.fromkeys(self.literal(child, reading, hypotheses) for child in children))
        if len(literals) == 1 and how is not Join.AT_LEAST:
            return literals[0]
        if how is Join.AT_LEAST:  # equal children count as often as they are written
            literals = tuple(self.literal(child, reading, hypotheses) for child in children)
        return self.add(Node(how, literals, n))
