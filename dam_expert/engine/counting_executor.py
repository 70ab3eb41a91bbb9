"""The executor of one incident: rules fire as their conditions are counted. Used where no trace is wanted."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final, TypeAlias

from dam_expert.engine.executor import Firing, Strength, strength_of
from dam_expert.language.conditions import Known
from dam_expert.language.counting import nothing_known
from dam_expert.language.program import Stage
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dam_expert.language.counting import Settled
    from dam_expert.language.program import Literal, Program

_TRUE: Final = int(Truth.TRUE)

#: The places of rules by the literal that their bodies are, each with its stage.
_Bodies: TypeAlias = dict[int, list[tuple[Stage, int]]]


class CountingExecutor:
    """Evaluates incidents against one compiled base."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def begin(self) -> CountingEvaluation:
        """Begin an incident with nothing known."""
        return CountingEvaluation(self._program)


class CountingEvaluation:
    """One incident under evaluation."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._told: dict[int, Truth] = {}  # every answer; only what something follows from is settled
        self._settled = _for_rules(program).copy(self._told)
        self._bodies = _bodies(program)
        self._ready: tuple[list[int], ...] = ([], [], [])  # by stage
        self._note(2 * position + value for position, value in self._settled.values.items())

    def run(self, stage: Stage, answers: Mapping[int, Truth]) -> list[Firing]:
        """Fire the rules of a stage, given the truth of further leaf nodes."""
        self._told.update(answers)
        matters = _matters(self._program)
        known = [(position, truth == _TRUE) for position, truth in answers.items() if matters[3 * position + truth]]
        self._note(iter(self._settled.add(known)))
        fired = []
        firings = _firings(self._program)
        for place in sorted(self._ready[stage]):
            rule = self._program.rules[place]
            strength = strength_of(rule, [self._truth(literal) for literal in rule.unless])
            if strength is not None:
                fired.append(firings[place][strength is Strength.FULL])
        return fired

    def symptoms(self) -> dict[str, Truth]:
        """Return the truth of every symptom."""
        return {name: self._truth(literal) for name, literal in self._program.symptoms.items()}

    def _note(self, literals: Iterator[int]) -> None:
        """Note the rules whose bodies hold."""
        bodies, ready = self._bodies, self._ready
        for literal in literals:
            if literal in bodies:
                for stage, place in bodies[literal]:
                    ready[stage].append(place)

    def _truth(self, literal: Literal) -> Truth:
        node, positive = literal
        value = self._settled.values.get(node)
        if value is None:
            truth = self._told.get(node, Truth.UNKNOWN)
            return truth if positive else truth.negated()
        return Truth.TRUE if value is positive else Truth.FALSE


def settled_nodes(program: Program, known: Mapping[int, Truth]) -> Mapping[int, bool]:
    """Return by position whether each node is true that the given truths of leaves settle."""
    case = _for_all(program).copy()
    case.add((position, truth is Truth.TRUE) for position, truth in known.items() if truth is not Truth.UNKNOWN)
    return case.values


@functools.lru_cache(maxsize=8)
def _for_all(program: Program) -> Settled:
    return nothing_known(program)


@functools.lru_cache(maxsize=8)
def _for_rules(program: Program) -> Settled:
    """Return the case for firing rules: it tells which bodies and exceptions hold, and what else rules ask for."""
    wanted = [(rule.body, True) for rule in program.rules]
    wanted += [(literal, True) for rule in program.rules for literal in rule.unless]
    wanted += [(literal, False) for rule in program.rules if rule.decides for literal in rule.unless]
    wanted += [(literal, value) for literal in program.symptoms.values() for value in (True, False)]
    literals = (2 * node + (positive == holds) for (node, positive), holds in wanted)
    return nothing_known(program, literals, _mostly_true(program))


def _mostly_true(program: Program) -> frozenset[int]:
    """Return the literals that hold in most incidents: of most measurements nothing is known."""
    questions = ((position, node.question) for position, node in enumerate(program.nodes))
    return frozenset(
        2 * position + 1
        for position, question in questions
        if question is not None and isinstance(question.leaf, Known) and not question.leaf.wanted
    )


@functools.lru_cache(maxsize=8)
def _matters(program: Program) -> bytes:
    """Return by node and truth whether anything follows from it, or a rule is ready by it.

    Most leaves are false of most incidents, and most rules ask whether something is true.
    """
    settled, bodies = _for_rules(program), _bodies(program)
    found = bytearray(3 * len(program.nodes))
    for position in range(len(program.nodes)):
        for truth in (Truth.FALSE, Truth.TRUE):
            literal = 2 * position + (truth is Truth.TRUE)
            found[3 * position + truth] = literal in bodies or settled.leads_on(literal)
    return bytes(found)


@functools.lru_cache(maxsize=8)
def _bodies(program: Program) -> _Bodies:
    found: _Bodies = {}
    for place, rule in enumerate(program.rules):
        node, positive = rule.body
        found.setdefault(2 * node + positive, []).append((rule.stage, place))
    return found


@functools.lru_cache(maxsize=8)
def _firings(program: Program) -> tuple[tuple[Firing, Firing], ...]:
    """Return by place of a rule what it is to have fired: reduced, and at full strength."""
    return tuple((Firing(rule.id, Strength.REDUCED), Firing(rule.id, Strength.FULL)) for rule in program.rules)
