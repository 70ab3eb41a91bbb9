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
import importlib
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
_matchers: Any = importlib.import_module("experta.matchers")
_activation: Any = importlib.import_module("experta.activation")
_agenda: Any = importlib.import_module("experta.agenda")
_factlist: Any = importlib.import_module("experta.factlist")
_strategies: Any = importlib.import_module("experta.strategies")

#: Within a stage: first everything that conditions are made of, then the rules, whose exceptions are settled by then.
_CONDITIONS, _RULES = 10, 0


class _Claim(_lib.Fact):  # type: ignore[misc, name-defined]
    """Working memory: something that holds. Each literal and each stage has a class of its own, made by its engine."""

    def __hash__(self) -> int:
        """Tell the classes apart: to experta, which hashes what a fact holds, all facts that hold nothing are alike."""
        return hash(type(self))

    def __eq__(self, other: object) -> bool:
        """Be the same as every fact of the class: it holds nothing else."""
        return type(self) is type(other)

    def validate(self) -> None:
        """Nothing is held that could be wrong; nor is there anything for the two questions that follow."""

    def has_field_constraints(self) -> bool:
        """Whether it holds conditions, which only a pattern may."""
        return False

    def has_nested_accessor(self) -> bool:
        """Whether it holds names that only a pattern may."""
        return False


class _Facts(_factlist.FactList):  # type: ignore[misc]
    """The facts of working memory, told by their class: experta's own looks through what each of them holds."""

    @staticmethod
    def _get_fact_id(fact: Any) -> type:  # noqa: ANN401  # experta has no types
        return type(fact)


class _Waiting:
    """A rule in the network: the facts that match its patterns so far, of which it needs one of each class."""

    __slots__ = ("facts", "needed", "rule")

    def __init__(self, rule: Any, needed: int) -> None:  # noqa: ANN401  # experta has no types
        self.rule = rule
        self.needed = needed
        self.facts: list[_Claim] = []

    def activation(self) -> Any:  # noqa: ANN401  # experta has no types
        """Return what the agenda is given: the rule and all that it rests on."""
        return _activation.Activation(self.rule, self.facts)


class _IndexedMatcher(_matchers.ReteMatcher):  # type: ignore[misc]
    """experta's network for rules that are conjunctions of positive patterns which test nothing but a fact's class.

    Of each class there is one fact at most, as equal facts are one. So a rule matches in one way or in none, and the
    joins of the network come down to a count: a fact is shown only to the rules that wait for its class, and the last
    one that a rule needs activates it. The same rules fire on the same facts as in experta's own network, which shows
    every fact to every pattern and keeps each partial match; and the time to build it does not grow with the square of
    the rules.
    """

    def build_network(self) -> None:
        """Note which rules wait for which class of fact."""
        self.waiting: dict[type, list[_Waiting]] = {}
        self.touched: list[_Waiting] = []
        for rule in self.engine.get_rules():
            # a rule that was read from its engine is bound to it, and the agenda would hand it the engine a second time
            free = rule.new_conditions(*rule)
            classes = dict.fromkeys(map(type, rule))
            waits = _Waiting(free, len(classes))
            for each in classes:
                self.waiting.setdefault(each, []).append(waits)

    def changes(self, adding: Any = None, deleting: Any = None) -> tuple[list[Any], list[Any]]:  # noqa: ANN401
        """Show facts to the rules that wait for them and return the activations that came and went."""
        went = [activation for fact in deleting or () for activation in self._without(fact)]
        came: list[Any] = []
        waiting, touched = self.waiting, self.touched
        for fact in adding or ():
            for rule in waiting.get(type(fact), ()):
                facts = rule.facts
                if not facts:
                    touched.append(rule)
                facts.append(fact)
                if len(facts) == rule.needed:
                    came.append(rule.activation())
        return came, went

    def _without(self, fact: _Claim) -> Iterator[Any]:
        """Take a fact back, and yield what rested on it; nothing of ours ever does, since conclusions accumulate."""
        for rule in self.waiting.get(type(fact), ()):
            if len(rule.facts) == rule.needed:
                yield rule.activation()
            rule.facts.remove(fact)

    def reset(self) -> None:
        """Forget every fact, also those of a run that was broken off."""
        for rule in self.touched:
            rule.facts.clear()
        self.touched.clear()


class _InTurn(_strategies.DepthStrategy):  # type: ignore[misc]
    """The order of the agenda: by salience, and what came last first, as experta's own without its memory of keys."""

    def get_key(self, activation: Any) -> tuple[int, list[int]]:  # noqa: ANN401  # experta has no types
        """Return what activations are ordered by."""
        return (activation.rule.salience, sorted((fact["__factid__"] for fact in activation.facts), reverse=True))


class ExpertaExecutor:
    """Evaluates incidents against one compiled base by forward chaining, one at a time: a network is slow to build."""

    def __init__(self, program: Program) -> None:
        self._program = program
        engine_class, self._facts = _engine_class(program)
        self._engine = engine_class()

    def begin(self) -> ExpertaEvaluation:
        """Begin an incident with nothing known; the evaluation before it is over."""
        return ExpertaEvaluation(self._program, self._engine, self._facts)


class ExpertaEvaluation:
    """One incident in working memory. ``trace`` lists what was concluded in the order it was."""

    def __init__(self, program: Program, engine: Any, facts: _Classes) -> None:  # noqa: ANN401  # experta has no types
        self._program = program
        self._engine = engine
        self._facts = facts
        engine.begin(facts)

    @property
    def trace(self) -> list[str]:
        """The ids of the rules that fired, in the order they did."""
        return list(self._engine.fired)

    def run(self, stage: Stage, answers: Mapping[int, Truth]) -> list[Firing]:
        """Fire the rules of a stage, given the truth of further leaf nodes."""
        facts = [self._facts.declared(stage)]
        for node, truth in sorted(answers.items()):
            if truth is not Truth.UNKNOWN:
                literal = (node, truth is Truth.TRUE)
                self._engine.held.add(literal)
                if self._facts.is_waited_for(literal):
                    facts.append(self._facts.declared(literal))
        before = set(self._engine.fired)
        self._engine.declare(*facts)
        self._engine.run(self._facts.rules + 1)
        if self._engine.agenda.activations:
            raise RuntimeError("inference did not come to rest: please report this base")
        return in_order(self._program, {rule: how for rule, how in self._engine.fired.items() if rule not in before})

    def symptoms(self) -> dict[str, Truth]:
        """Return the truth of every symptom."""
        return {name: self._engine.truth(literal) for name, literal in self._program.symptoms.items()}


class _Memory(_lib.KnowledgeEngine):  # type: ignore[misc, name-defined]
    """An experta engine with the literals that hold, the counts of gates and the rules that fired."""

    __matcher__ = _IndexedMatcher
    __strategy__ = _InTurn

    def __init__(self) -> None:
        super().__init__()
        self._initial = [fact for declares in self.get_deffacts() for fact in declares()]

    def reset(self) -> None:
        """Empty the agenda and working memory but for the initial facts, which experta's own looks for each time."""
        self.agenda = _agenda.Agenda()
        self.facts = _Facts()
        self.matcher.reset()
        for fact in self._initial:
            self.facts.declare(fact)
        self.running = False

    def begin(self, facts: _Classes) -> None:
        """Empty the working memory."""
        self.facts_of = facts
        self.held: set[Literal] = set()
        self.counts: dict[Literal, set[int]] = {}
        self.fired: dict[str, Strength] = {}
        self.reset()

    def hold(self, literal: Literal) -> None:
        """Conclude a literal."""
        self.held.add(literal)
        if self.facts_of.is_waited_for(literal):
            self.declare(self.facts_of.declared(literal))

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


class _Classes:
    """The classes of fact of one program. ``rules`` is how many rules wait for them."""

    def __init__(self) -> None:
        self._classes: dict[Literal | Stage, type[_Claim]] = {}
        self._declared: dict[Literal | Stage, _Claim] = {}
        self.rules = 0

    def pattern(self, key: Literal | Stage) -> _Claim:
        """Return the pattern of a literal that holds, or of a stage that has begun."""
        if key not in self._classes:
            self._classes[key] = type(_name(key), (_Claim,), {})
        return self._classes[key]()

    def is_waited_for(self, literal: Literal) -> bool:
        """Whether any rule waits for a literal; what none waits for need not be in working memory."""
        return literal in self._classes

    def declared(self, key: Literal | Stage) -> _Claim:
        """Return the fact that a literal holds or that a stage has begun: one fact, whose id is of the last reset."""
        if key not in self._declared:
            self._declared[key] = self.pattern(key)
        return self._declared[key]


def _name(key: Literal | Stage) -> str:
    """Return what the class of a fact is called."""
    if isinstance(key, Stage):
        return f"Reached{key.name.title()}"
    return f"Node{key[0]}{'Holds' if key[1] else 'Fails'}"


def _engine_class(program: Program) -> tuple[type[_Memory], _Classes]:
    """Build the engine class of a program, once: experta keeps what it knows of a class for ever."""
    facts = _Classes()
    rules = _rules(program, facts)
    facts.rules = len(rules)
    return type("_ProgramMemory", (_Memory,), rules), facts


def _rules(program: Program, facts: _Classes) -> dict[str, Any]:
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
            rules[name] = _rule(name, [facts.pattern(pattern) for pattern in patterns], action, _CONDITIONS)
            wanted += patterns
    for position, compiled in enumerate(program.rules):
        name = f"rule_{position}"
        patterns = [facts.pattern(compiled.body)]
        if compiled.stage is Stage.ADVICE:
            # its exceptions may speak of the verdict, so it waits for that; every other body has leaves of its stage
            patterns.insert(0, facts.pattern(compiled.stage))
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
    return _lib.Rule(*patterns, salience=salience)(body)
