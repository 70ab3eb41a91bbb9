"""Which of several times of one list is the largest: where the time goes, the words beside it point.

``copy: 120 ms`` beside ``compute: 60 ms`` says of copies what a sentence would say. Totals, targets and spreads of one
thing are no parts of it and count for nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.documents.dimensions import Dimension
from dam_expert.prose.amounts import amounts, known_unit
from dam_expert.prose.labelled import labelled_lines
from dam_expert.prose.labels import read_label
from dam_expert.prose.passages import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dam_expert.prose.passages import Passage
    from dam_expert.prose.vocabulary import Vocabulary

_TIME: Final = Dimension(second=1)
_MOST_ITEMS: Final = 200
"""Items of one list that are compared."""


def largest_times(found: Iterable[Passage], vocabulary: Vocabulary) -> frozenset[int]:
    """Return the ids (of the objects) of the items that hold the largest time of their list."""
    lists: dict[str, dict[int, float]] = {}
    for passage in found:
        if passage.kind is Kind.ITEM and len(lists.setdefault(passage.heading, {})) < _MOST_ITEMS:
            seconds = _part(passage, vocabulary)
            if seconds is not None:
                lists[passage.heading][id(passage)] = seconds
    return frozenset(_largest(times) for times in lists.values() if len(times) > 1)


def _largest(times: Mapping[int, float]) -> int:
    return max(times, key=lambda name: times[name])


def _part(passage: Passage, vocabulary: Vocabulary) -> float | None:
    """Return the time of a labelled item in seconds; None for a total, a variant of one, or no time."""
    labelled = next(labelled_lines(passage), None)
    if labelled is None:
        return None
    label = read_label(labelled[1][1])
    amount = next(iter(amounts(labelled[1][2])), None)
    unit = known_unit((amount.unit or label.unit) if amount is not None else "")
    if amount is None or unit is None or unit.dimension != _TIME or amount.start > 1:
        return None
    marks = {mention.meaning for mention in vocabulary.marks.overlapping(label.words)}
    if marks & {"total", "reference"}:
        return None
    try:
        return float(amount.numbers[0].lstrip("~≈<>≤≥+ ").replace(",", "")) * float(unit.factor)
    except ValueError:
        return None
