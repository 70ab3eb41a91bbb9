"""The only module that touches experta: imports it, gives it the program as rules, and keeps a trace.

experta 1.9.4 is the last release. On Python 3.10 and later its pinned frozendict wants ``collections.Mapping``, and
importing it configures the root logger; :func:`_imported` provides the one, undoes the other, and leaves no trace.
Its NOT is wrong when several activations have equal keys, so only positive facts are used: a claim that is false is
a fact of its own. Rules only add facts, so the order in which they fire never matters.

The facts of working memory say "node N of the program holds (or its negation does)". A node that joins others becomes
rules of its own, so that *or* never multiplies out; ``at_least`` is a gate that counts its members as they come true.
"""

from __future__ import annotations

import collections
import collections.abc
import contextlib
import functools
import logging
from typing import TYPE_CHECKING, Any

from dam_expert.engine.executor import Firing, Strength, in_order, strength_of
from dam_expert.language.program import CompiledRule, Join, Literal, Program, Stage
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@contextlib.contextmanager
def _while_importing() -> Iterator[None]:
    """Provide the name that frozendict 1.2 needs, only while experta is imported; keep the root logger as it was."""
    missing = not hasattr(collections, "Mapping")
    if missing:
        collections.Mapping = collections.abc.Mapping  # type: ignore[attr-defined]
    root = logging.getLogger()
    handlers = root.handlers[:]
    try:
        yield
    finally:
        if missing:
            del collections.Mapping  # type: ignore[attr-defined]
        root.handlers[:] = handlers


def _imported() -> Any:  # noqa: ANN401  # experta has no types
    with _while_importing():
        try:
            import experta
        except ImportError as error:
            raise ImportError(f"the inference engine is not installed: pip install experta ({error})") from error
    if not hasattr(experta, "KnowledgeEngine"):  # its __init__ swallows every ImportError
        raise ImportError("experta is installed but broken: its requirements frozendict and schema are missing")
    logging.getLogger("experta").setLevel(logging.WARNING)  # else an application at INFO is flooded by the matcher
    return experta


_lib = _imported()

#: Within a stage: first everything that conditions are made of, then the rules, whose exceptions are settled by then.
_CONDITIONS, _RULES = 10, 0


class _Holds(_lib.Fact):  # type: ignore[misc, name-defined]
    """Working memory: a node of the program holds, or its negation does."""


class _Reached(_lib.Fact):  # type: ignore[misc, name-defined]
    """Working memory: a stage has begun."""


class ExpertaExecutor:
    """Evaluates incidents against one compiled base by forward chaining."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._engine_class = _engine_class(program)

    def begin(self) -> ExpertaEvaluation:
        """Begin an incident with nothing known."""
        return ExpertaEvaluation(self._program, self._engine_class())


class ExpertaEvaluation:
    """One incident in working memory. ``trace`` lists what was concluded in the order it was."""

    def __init__(self, program: Program, engine: Any) -> None:  # noqa: ANN401  # experta has no types
        self._program = program
        self._engine = engine
        engine.begin()

    @property
    def trace(self) -> list[str]:
        """The ids of the rules that fired, in the order they did."""
        return list(self._engine.fired)

    def run(self, stage: Stage, answers: Mapping[int, Truth]) -> list[Firing]:
        """Fire the rules of a stage, given the truth of further leaf nodes."""
        facts = [_Reached(stage=int(stage))]
        for node, truth in sorted(answers.items()):
            if truth is not Truth.UNKNOWN:
                literal = (node, truth is Truth.TRUE)
                self._engine.held.add(literal)
                facts.append(_fact(literal))
        before = set(self._engine.fired)
        self._engine.declare(*facts)
        limit = len(self._engine.get_rules()) + 1
        self._engine.run(limit)
        if self._engine.agenda.activations:
            raise RuntimeError("inference did not come to rest: please report this base")
        return in_order(self._program, {rule: how for rule, how in self._engine.fired.items() if rule not in before})

    def symptoms(self) -> dict[str, Truth]:
        """Return the truth of every symptom."""
        return {name: self._engine.truth(literal) for name, literal in self._program.symptoms.items()}


class _Memory(_lib.KnowledgeEngine):  # type: ignore[misc, name-defined]
    """An experta engine with the literals that hold, the counts of gates and the rules that fired."""

    def begin(self) -> None:
        """Empty the working memory."""
        self.held: set[Literal] = set()
        self.counts: dict[Literal, set[int]] = {}
        self.fired: dict[str, Strength] = {}
        self.reset()

    def hold(self, literal: Literal) -> None:
        """Conclude a literal."""
        self.held.add(literal)
        self.declare(_fact(literal))

    def count(self, gate: Literal, needed: int, member: int) -> None:
        """Note that a member of a gate came true; conclude the gate when enough have."""
        members = self.counts.setdefault(gate, set())
        members.add(member)
        if len(members) == needed:
            self.hold(gate)

    def truth(self, literal: Literal) -> Truth:
        """Return what working memory says of a literal."""
        node, positive = literal
        if literal in self.held:
            return Truth.TRUE
        return Truth.FALSE if (node, not positive) in self.held else Truth.UNKNOWN

    def fire(self, rule: CompiledRule) -> None:
        """Record a rule unless an exception holds it back."""
        strength = strength_of(rule, [self.truth(literal) for literal in rule.unless])
        if strength is not None:
            self.fired[rule.id] = strength


def _fact(literal: Literal) -> _Holds:
    return _Holds(node=literal[0], truth=literal[1])


def _engine_class(program: Program) -> type[_Memory]:
    """Build the engine class of a program, once: experta keeps caches by class for ever."""
    return type("_ProgramMemory", (_Memory,), _rules(program))


def _rules(program: Program) -> dict[str, Any]:
    rules: dict[str, Any] = {}
    wanted = [literal for rule in program.rules for literal in (rule.body, *_both(rule.unless))]
    wanted += _both(tuple(program.symptoms.values()))
    done: set[Literal] = set()
    while wanted:
        literal = wanted.pop()
        if literal in done:
            continue
        done.add(literal)
        for number, (patterns, action) in enumerate(_conclusions(program, literal)):
            name = f"node_{literal[0]}_{literal[1]}_{number}"
            rules[name] = _rule(name, [_fact(pattern) for pattern in patterns], action, _CONDITIONS)
            wanted += patterns
    for position, compiled in enumerate(program.rules):
        name = f"rule_{position}"
        patterns = [_Reached(stage=int(compiled.stage)), _fact(compiled.body)]
        rules[name] = _rule(name, patterns, functools.partial(_fire, compiled), _RULES)
    return rules


def _both(literals: tuple[Literal, ...]) -> list[Literal]:
    return [(node, positive) for node, _ in literals for positive in (True, False)]


def _conclusions(program: Program, literal: Literal) -> Iterator[tuple[list[Literal], Callable[[_Memory], None]]]:
    """Yield the ways in which a literal is concluded: what must hold, and what is then done."""
    position, positive = literal
    node = program.nodes[position]
    children = [(child, sign if positive else not sign) for child, sign in node.children]
    if node.join is Join.LEAF:
        return
    if node.join is Join.AT_LEAST:
        needed = node.n if positive else len(children) - node.n + 1
        for number, child in enumerate(children):
            yield [child], functools.partial(_count, literal, needed, number)
    elif (node.join is Join.ALL) == positive:
        yield children, functools.partial(_hold, literal)
    else:
        for child in children:
            yield [child], functools.partial(_hold, literal)


def _hold(literal: Literal, memory: _Memory) -> None:
    memory.hold(literal)


def _count(gate: Literal, needed: int, member: int, memory: _Memory) -> None:
    memory.count(gate, needed, member)


def _fire(rule: CompiledRule, memory: _Memory) -> None:
    memory.fire(rule)


def _rule(name: str, patterns: list[Any], action: Callable[[_Memory], None], salience: int) -> Any:  # noqa: ANN401
    def body(memory: _Memory) -> None:
        action(memory)

    body.__name__ = name
    return _lib.Rule(_lib.AND(*patterns), salience=salience)(body)
