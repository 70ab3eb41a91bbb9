"""The truths of leaves over a block: certain and possible, as bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from dam_expert.engine.block.spans import Bools, Span, together
from dam_expert.engine.block.words import Words, of_rows
from dam_expert.engine.leaves import is_controlled, probes_something
from dam_expert.language.conditions import (
    UPWARD,
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
)
from dam_expert.language.conditions import Words as Spelling
from dam_expert.language.program import Question, Reading

if TYPE_CHECKING:
    from dam_expert.documents.intervals import Interval
    from dam_expert.engine.block.expecting import Expected
    from dam_expert.engine.block.known import Known

#: Where a claim is certain, and where it is possible.
Truths: TypeAlias = tuple[Words, Words]

#: Where a claim is certain, and where it is settled: it is possible where it is certain or not settled. The leaves of
#: one column are settled in the same rows, and where they are possible is asked of very few.
Answer: TypeAlias = tuple[Words, Words]


def answer_to(question: Question, known: Known, expected: Expected) -> Answer:
    """Return the answer to a comparison in the reading that a rule asks for."""
    leaf = question.leaf
    if not isinstance(leaf, Comparison):
        raise TypeError(f"not a comparison: {leaf}")
    certain, possible = known.truths(leaf)
    plain = certain, certain | (known.full ^ possible)
    return plain if question.reading is not Reading.STRICT else strictly(question, plain, known, expected)


def strictly(question: Question, plain: Answer, known: Known, expected: Expected) -> Answer:
    """Return an answer in the strict reading: unknown where the column or the effect of a probe may not decide.

    A probe is judged by what removing the suspects should have gained, as for a single incident.
    """
    leaf, (certain, settled) = question.leaf, plain
    if not isinstance(leaf, Comparison):
        raise TypeError(f"not a comparison: {leaf}")
    decides = known.decisive(leaf.column)
    if isinstance(leaf.operand, Multiple):
        decides = decides & known.decisive(leaf.operand.column)
    elif probes_something(leaf, known.base) and not is_controlled(leaf, question.hypotheses, known.base):
        bars = expected.bars(known, leaf.column, question.hypotheses)
        if leaf.operator in UPWARD:
            decides = decides & ((certain & bars.effect) | (bars.lack & ~certain))
        else:
            decides = decides & ((bars.effect & ~certain) | (certain & bars.small_lack))
    return certain & decides, settled & decides


def compared(leaf: Comparison, known: Known) -> Truths:
    """Return the plain truths of a comparison: where the column is unknown, it is possible and not certain."""
    if isinstance(leaf.operand, Spelling):
        return _spelt(leaf, leaf.operand, known)
    value = known.span(leaf.column)
    if not value.rows.size:
        return known.nothing, known.full
    match leaf.operand:
        case Number(limit):
            return _against(value, leaf, limit, known)
        case Multiple(factor, other):
            value, number = together([value, known.span(other)], known.size)
            ends = (factor * number.lo, factor * number.hi)
            against = Span(value.rows, np.minimum(*ends), np.maximum(*ends))
            return _settled(value, _compared(value, leaf.operator, against), known)
        case Limit(name):
            return _against_threshold(value, leaf, name, known)


def _spelt(leaf: Comparison, operand: Spelling, known: Known) -> Truths:
    spelt = known.spelt(leaf.column)
    if not spelt.rows.size:
        return known.nothing, known.full
    alike = known.block.spelt_alike
    wanted = [code for word in operand.words for code in alike.get(word, ())]
    holds = np.isin(spelt.codes, wanted) if len(wanted) != 1 else spelt.codes == wanted[0]
    certain = of_rows(spelt.rows[holds], known.size)
    return certain, certain | (known.full ^ known.is_spelt(leaf.column))


def _against(value: Span, leaf: Comparison, limit: Interval, known: Known) -> Truths:
    """Compare the values of a column with one limit."""
    certain, false = _compared(value, leaf.operator, limit)
    if value.lo is not value.hi or not limit.is_point:
        return _settled(value, (certain, false), known)
    holds = of_rows(value.rows[certain], known.size)  # of points each is one or the other
    return holds, holds | (known.full ^ known.is_number(leaf.column))


def _settled(value: Span, truth: tuple[Bools, Bools], known: Known) -> Truths:
    """Return truths over the block from those in the rows of a span."""
    certain, false = truth
    return of_rows(value.rows[certain], known.size), known.full & ~of_rows(value.rows[false], known.size)


def _compared(value: Span, operator: Operator, limit: Span | Interval) -> tuple[Bools, Bools]:
    """Return where a comparison is certainly true and where certainly false, row by row of the span."""
    match operator:
        case Operator.LESS:
            return value.hi < limit.lo, value.lo >= limit.hi
        case Operator.AT_MOST:
            return value.hi <= limit.lo, value.lo > limit.hi
        case Operator.MORE:
            return value.lo > limit.hi, value.hi <= limit.lo
        case Operator.AT_LEAST:
            return value.lo >= limit.hi, value.hi < limit.lo
        case Operator.IS:
            same = (value.lo == value.hi) & (value.lo == limit.lo) & (value.hi == limit.hi)
            return same, (value.hi < limit.lo) | (value.lo > limit.hi)


def _against_threshold(value: Span, leaf: Comparison, name: str, known: Known) -> Truths:
    """Compare with every value that the threshold may have: settled only where all that are possible agree."""
    alternatives = known.base.thresholds[name].name.alternatives
    if alternatives[0].when is None:
        return _against(value, leaf, alternatives[0].value, known)
    settled, all_true, all_false = known.nothing, known.full, known.full
    for alternative in alternatives:
        holds, may = (known.full, known.full) if alternative.when is None else tree(alternative.when, known)
        ruled_out = settled | ~may
        certain, possible = _against(value, leaf, alternative.value, known)
        all_true = all_true & (ruled_out | certain)
        all_false = all_false & (ruled_out | ~possible)
        settled = settled | (holds & ~settled)
    return all_true & settled, known.full & ~(all_false & settled)


def tree(condition: Tree, known: Known) -> Truths:
    """Return the plain truths of a tree of comparisons; used for the scopes of thresholds."""
    match condition:
        case Not(child):
            certain, possible = tree(child, known)
            return known.full & ~possible, known.full & ~certain
        case All(children):
            parts = [tree(child, known) for child in children]
            return np.bitwise_and.reduce([c for c, _ in parts]), np.bitwise_and.reduce([p for _, p in parts])
        case Any(children):
            parts = [tree(child, known) for child in children]
            return np.bitwise_or.reduce([c for c, _ in parts]), np.bitwise_or.reduce([p for _, p in parts])
        case AtLeast(n, children):
            parts = [tree(child, known) for child in children]
            return _at_least(n, [c for c, _ in parts], known), _at_least(n, [p for _, p in parts], known)
        case Comparison():
            return known.truths(condition)
        case _:
            raise TypeError(f"the scope of a threshold reads raw measurements: {condition}")


def _at_least(n: int, parts: list[Words], known: Known) -> Words:
    """Return where at least n of several bits are one, by counting up."""
    reached = [known.full, *[known.nothing] * n]
    for part in parts:
        for level in range(n, 0, -1):
            reached[level] = reached[level] | (reached[level - 1] & part)
    return reached[n]
