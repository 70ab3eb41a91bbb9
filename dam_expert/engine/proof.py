"""The proof: each firing down to its conditions, the observations behind them, and the sources of its thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.documents.diagnosis import Extent, ProofNode, ProofStep, ProofThreshold, extent
from dam_expert.documents.intervals import Interval
from dam_expert.language.conditions import (
    All,
    Any,
    AtLeast,
    Comparison,
    Leaf,
    Limit,
    Multiple,
    Not,
    Symptom,
    Tree,
    leaf_text,
)
from dam_expert.language.program import Question, Reading, Stage, exceptions_reading
from dam_expert.language.truth import Truth, all_of, any_of, at_least

if TYPE_CHECKING:
    from dam_expert.documents.observations import Observation
    from dam_expert.engine.cells import Cell
    from dam_expert.engine.columns import Columns
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.base import Rule


def proof(evaluated: Evaluated) -> list[ProofStep]:
    """Return a step for each rule that fired, in the order of the base."""
    return [step(evaluated, evaluated.base.rules[firing.rule], firing.strength.value) for firing in evaluated.firings]


def step(evaluated: Evaluated, rule: Rule, strength: str) -> ProofStep:
    """Return the step of one rule, whether it fired or not."""
    targets = tuple(name for verb, name in rule.conclusions if verb in ("confirm", "refute"))
    reading = Reading.RAW if rule.stage is Stage.SANITY else Reading.STRICT if rule.decides else Reading.PLAIN
    return ProofStep(
        rule=rule.id,
        title=rule.model.title,
        stage=rule.stage.name.lower(),
        conclusions=[f"{verb} {name}" for verb, name in rule.conclusions],
        strength="full" if strength == "full" else "reduced",
        because=rule.model.because,
        place=rule.place,
        source=list(rule.model.source),
        conditions=_Prover(evaluated, reading, targets).node(rule.when),
        unless=[_Prover(evaluated, exceptions_reading(rule.stage), ()).node(tree) for tree in rule.unless],
    )


class _Prover:
    """Writes trees with the truth of every part, in the reading of one rule."""

    def __init__(self, evaluated: Evaluated, reading: Reading, targets: tuple[str, ...]) -> None:
        self._evaluated = evaluated
        self._reading = reading
        self._targets = targets
        self._columns: Columns = evaluated.raw if reading is Reading.RAW else evaluated.columns

    def node(self, tree: Tree) -> ProofNode:
        match tree:
            case All(children):
                return self._joined("all of", children, all_of)
            case Any(children):
                return self._joined("any of", children, any_of)
            case AtLeast(n, children):
                return self._joined(f"at least {n} of", children, lambda truths: at_least(n, truths))
            case Not(child):
                return self._joined("not", (child,), lambda truths: truths[0].negated())
            case Symptom(name):
                inner = self.node(self._evaluated.base.symptom_trees[name])
                return ProofNode(text=name, truth=inner.truth, children=[inner])
            case leaf:
                return self._leaf(leaf)

    def _joined(self, text: str, children: tuple[Tree, ...], truth_of: object) -> ProofNode:
        nodes = [self.node(child) for child in children]
        truths = [Truth[node.truth.upper()] for node in nodes]
        truth: Truth = truth_of(truths)  # type: ignore[operator]
        return ProofNode(text=text, truth=_word(truth), children=nodes)

    def _leaf(self, leaf: Leaf) -> ProofNode:
        strict = isinstance(leaf, Comparison) and leaf.decides and self._reading is Reading.STRICT
        plain = Reading.RAW if self._reading is Reading.RAW else Reading.PLAIN
        question = Question(leaf, Reading.STRICT if strict else plain, self._targets if strict else ())
        truth = self._evaluated.truth(question)
        if not isinstance(leaf, Comparison):
            return ProofNode(text=leaf_text(leaf), truth=_word(truth))
        cells = [self._columns.cell(leaf.column)]
        if isinstance(leaf.operand, Multiple):
            cells.append(self._columns.cell(leaf.operand.column))
        behind = dict.fromkeys(text for cell in cells for text in _origins(cell))
        return ProofNode(
            text=leaf.text,
            truth=_word(truth),
            decisive=leaf.decides,
            value=_value(cells[0]),
            threshold=self._threshold(leaf.operand.threshold) if isinstance(leaf.operand, Limit) else None,
            observations=list(behind),
        )

    def _threshold(self, name: str) -> ProofThreshold:
        threshold = self._evaluated.base.thresholds[name]
        value = self._columns.threshold(name)
        return ProofThreshold(
            id=name,
            value=extent(value),
            grade=threshold.model.grade,
            source=[] if value is None else threshold.source_of(value),
            place=threshold.place,
        )


def _word(truth: Truth) -> str:
    return truth.word


def _value(cell: Cell | None) -> Extent | str:
    if cell is None:
        return None
    return extent(cell.value) if isinstance(cell.value, Interval) else cell.value


def _origins(cell: Cell | None) -> list[str]:
    return [] if cell is None else [origin_text(observation) for observation in cell.observations]


def origin_text(observation: Observation) -> str:
    """Return in a few words what was observed and where.

    The form is ``measurement [scope] from file:line (tool)``; parts that are not known are left out.
    """
    scope = ",".join(f"{key}={value}" for key, value in observation.scope)
    tool = f" ({observation.origin.tool})" if observation.origin.tool else ""
    return f"{observation.measurement}{f'[{scope}]' if scope else ''} from {observation.origin}{tool}"
