"""The truths of leaves over a block: certain and possible, as boolean columns."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from dam_expert.engine.block.spans import Bools, Floats, Span, constant
from dam_expert.kb.base import CLEAR_EFFECT, NO_EFFECT
from dam_expert.language.conditions import (
    All,
    Any,
    AtLeast,
    Comparison,
    Limit,
    Multiple,
    Not,
    Number,
    Operator,
    Tree,
    Words,
)
from dam_expert.language.program import Question, Reading

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.engine.block.known import Known

#: Where a claim is certain, and where it is possible.
Truths: TypeAlias = tuple[Bools, Bools]

_UPWARD = (Operator.MORE, Operator.AT_LEAST)


@dataclasses.dataclass(frozen=True, slots=True)
class Expected:
    """What probes are judged by: predicted gains and the most that is possible by hypothesis, and the miss."""

    gains: Mapping[str, Span]
    most: Mapping[str, Floats]
    miss: Span


def truths_of(question: Question, known: Known, expected: Expected) -> Truths:
    """Return the truths of a comparison in the reading that a rule asks for."""
    leaf = question.leaf
    if not isinstance(leaf, Comparison):
        raise TypeError(f"not a comparison: {leaf}")
    certain, possible = comparison(leaf, known)
    if question.reading is not Reading.STRICT:
        return certain, possible
    decides = known.decisive(leaf.column)
    if isinstance(leaf.operand, Multiple):
        decides = decides & known.decisive(leaf.operand.column)
    if isinstance(leaf.operand, Limit) and known.is_probe(leaf.column):
        decides = decides & _probe_decides(leaf, certain, known, question.hypotheses, expected)
    return certain & decides, possible | ~decides


def comparison(leaf: Comparison, known: Known) -> Truths:
    """Return the plain truths of a comparison."""
    if isinstance(leaf.operand, Words):
        codes = known.codes(leaf.column)
        words = leaf.operand.words
        wanted = [code for word, code in known.block.vocabulary.items() if word.strip().lower() in words]
        certain = np.isin(codes, wanted) & (codes >= 0)
        return certain, certain | (codes < 0)
    value = known.span(leaf.column)
    match leaf.operand:
        case Number(limit):
            return _compared(value, leaf.operator, constant(limit, known.block.size))
        case Multiple(factor, other):
            number = known.span(other)
            ends = (factor * number.lo, factor * number.hi)
            return _compared(value, leaf.operator, Span(np.minimum(*ends), np.maximum(*ends)))
        case Limit(name):
            return _against_threshold(value, leaf.operator, name, known)


def _compared(value: Span, operator: Operator, limit: Span) -> Truths:
    """Compare row by row; a row in which either is unknown is neither true nor false, since NaN compares as false."""
    with np.errstate(invalid="ignore"):
        match operator:
            case Operator.LESS:
                return value.hi < limit.lo, ~(value.lo >= limit.hi)
            case Operator.AT_MOST:
                return value.hi <= limit.lo, ~(value.lo > limit.hi)
            case Operator.MORE:
                return value.lo > limit.hi, ~(value.hi <= limit.lo)
            case Operator.AT_LEAST:
                return value.lo >= limit.hi, ~(value.hi < limit.lo)
            case Operator.IS:
                same = (value.lo == value.hi) & (value.lo == limit.lo) & (value.hi == limit.hi)
                apart = (value.hi < limit.lo) | (value.lo > limit.hi)
                return same, ~apart


def _against_threshold(value: Span, operator: Operator, name: str, known: Known) -> Truths:
    """Compare with every value that the threshold may have: settled only where all that are possible agree."""
    size = known.block.size
    alternatives = known.base.thresholds[name].name.alternatives
    if len(alternatives) == 1 and alternatives[0].when is None:
        return _compared(value, operator, constant(alternatives[0].value, size))
    settled = np.zeros(size, bool)
    all_true = np.ones(size, bool)
    all_false = np.ones(size, bool)
    for alternative in alternatives:
        holds, may_hold = (~settled, ~settled) if alternative.when is None else tree(alternative.when, known)
        may = may_hold & ~settled
        certain, possible = _compared(value, operator, constant(alternative.value, size))
        all_true &= ~may | certain
        all_false &= ~may | ~possible
        settled |= holds
    return all_true & settled, ~(all_false & settled)


def tree(condition: Tree, known: Known) -> Truths:
    """Return the plain truths of a tree of comparisons; used for the scopes of thresholds."""
    match condition:
        case Not(child):
            certain, possible = tree(child, known)
            return ~possible, ~certain
        case All(children):
            parts = [tree(child, known) for child in children]
            return np.logical_and.reduce([c for c, _ in parts]), np.logical_and.reduce([p for _, p in parts])
        case Any(children):
            parts = [tree(child, known) for child in children]
            return np.logical_or.reduce([c for c, _ in parts]), np.logical_or.reduce([p for _, p in parts])
        case AtLeast(n, children):
            parts = [tree(child, known) for child in children]
            return (
                np.add.reduce([c.astype(np.int8) for c, _ in parts]) >= n,
                np.add.reduce([p.astype(np.int8) for _, p in parts]) >= n,
            )
        case Comparison():
            return comparison(condition, known)
        case _:
            raise TypeError(f"the scope of a threshold reads raw measurements: {condition}")


def _probe_decides(
    leaf: Comparison,
    certain: Bools,
    known: Known,
    hypotheses: tuple[str, ...],
    expected: Expected,
) -> Bools:
    """Judge probes by what removing the suspect should have gained, as for a single incident."""
    value = known.span(leaf.column)
    suspects = [known.base.hypotheses[name] for name in hypotheses]
    if suspects and all(leaf.column.measurement in suspect.controlled for suspect in suspects):
        return np.ones(known.block.size, bool)
    no_effect, clear = known.base.constant(NO_EFFECT), known.base.constant(CLEAR_EFFECT)
    gains, miss = expected.gains, expected.miss
    with np.errstate(invalid="ignore"):
        enough: Bools = value.lo > clear
        for most in (expected.most[name] for name in hypotheses if name in expected.most):
            enough &= value.lo <= clear * most
        small: Bools = ~certain | (value.hi < no_effect)
        predicted = np.zeros(known.block.size, bool)
        for gain in (gains[name] for name in hypotheses if name in gains):
            predicted |= gain.known
            enough &= ~gain.known | (value.lo >= 1.0 + (gain.hi - 1.0) / 2.0)
            small &= ~gain.known | (gain.lo - 1.0 >= 2.0 * (no_effect - 1.0))
        enough &= predicted | ~miss.known | (value.lo >= 1.0 + (miss.lo - 1.0) / 2.0)
    up = certain if leaf.operator in _UPWARD else ~certain
    return np.where(up, enough, small)
