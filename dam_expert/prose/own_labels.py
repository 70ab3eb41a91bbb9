"""Values that a report compares under labels of its own: ``blocked s async: 0.5`` beside ``blocked s per save: 27``.

People compare what their own timer or log calls by its name, whether the base knows it or not. Such a label keeps its
words, and its unit tells what it is: of a time less is better, of a rate more. It takes part in the comparison of cases
(``variants``) as one of a metric of its own, where it shares words with the title or the first sentence: then it is
what the report is about. What a part of the job gains says nothing of the whole.

>>> from dam_expert.prose.labels import read_label
>>> from dam_expert.prose.amounts import amounts
>>> own_metric(read_label("blocked s async"), next(amounts("0.5")))
('label: s', Interval(lo=0.5, hi=0.5))
>>> own_metric(read_label("peak memory gb"), next(amounts("12"))) is None
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.prose.amounts import known_unit
from dam_expert.prose.comparisons import COUNTS
from dam_expert.prose.words import significant, stem, tokens

if TYPE_CHECKING:
    from dam_expert.prose.amounts import Amount
    from dam_expert.prose.labels import Label
    from dam_expert.prose.passages import Passage

_PREFIX: Final = "label: "
_TIME, _RATE = 1, -1


def own_metric(label: Label, amount: Amount | None) -> tuple[str, Interval] | None:
    """Return what a labelled number is by its unit, and its value; None for what is neither a time nor a rate."""
    unit = None if amount is None else known_unit(amount.unit or label.unit)
    if unit is None or amount is None or amount.hedged or amount.turned or unit.dimension.second not in (_TIME, _RATE):
        return None
    try:
        values = [float(number.lstrip("~≈+ ").replace(",", "")) * float(unit.factor) for number in amount.numbers]
    except ValueError:  # a time on a clock, which no label's unit belongs to
        return None
    return f"{_PREFIX}{unit.dimension}", Interval(min(values), max(values))


def is_own(metric: str) -> bool:
    """Whether a case is one of a metric that only its label names."""
    return metric.startswith(_PREFIX)


def improvement(metric: str, before: Interval, after: Interval) -> Interval | None:
    """Return the factor by which a labelled time or rate became better; None where one of both may be 0."""
    if min(before.lo, after.lo) <= 0.0:
        return None
    is_time = metric == f"{_PREFIX}s"
    return before / after if is_time else after / before


def subject_of(*passages: Passage | None) -> frozenset[str]:
    """Return the words that a report is about, counts as digits too: those of its title and first sentence."""
    words = [token.word for each in passages if each is not None for token in significant(tokens(each.text))]
    counts = (str(COUNTS[word]) for word in words if word in COUNTS)
    return frozenset((*map(stem, words), *counts))
