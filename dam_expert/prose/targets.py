r"""Whether a target that a report says is reached may prove that nothing is wrong.

Only where both are labelled values that stand by themselves, with a unit each and no other word in their labels than
the metric and *target*, and where no other value of the metric misses it: *old target*, *limit*, *min step time* and
*step time at peak* may be of another case, and what sentences say of a target may have been so once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.prose.amounts import amounts
from dam_expert.prose.labels import read_label
from dam_expert.prose.words import places_of, significant, stem, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.prose.collected import Collected
    from dam_expert.prose.labels import Label
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.words import Token

_FREE_OF_UNITS: Final = "1"
_PLAIN: Final = ("neutral",)
_LABEL: Final = re.compile(r"\s*[|:：=]\s*")


def is_plain_target(
    metric: str, rest: Sequence[Token], label: Label, value: str, passage: Passage, collected: Collected
) -> bool:
    """Whether a labelled value is plainly the target of a metric. ``rest``: the words of the label beside its name."""
    words = collected.vocabulary
    wanted = {stem(token.word) for name in words.target_words for token in significant(tokens(name))}
    first = next(iter(amounts(value)), None)
    if not passage.plain or first is None or value[first.end :].strip(" .;,"):
        return False
    has_unit = bool(first.unit or label.unit) or words.base.measurements[metric].model.unit == _FREE_OF_UNITS
    statistic = words.statistics.find(label.words) and metric not in words.statistic_of.values()
    return has_unit and not statistic and all(stem(token.word) in wanted for token in rest)


def proves_health(metric: str, wanted: Interval, collected: Collected) -> bool:
    """Whether a target of a metric is given plainly, as is its value, and no other value of it misses the target."""
    measurement = collected.vocabulary.base.measurements[metric]
    values = collected.given(metric)
    others = [case.value for case in collected.cases if case.measurement == metric]
    given = [value for value, _ in values] + others
    target = collected.wanted.get(metric)
    if target is None or not target.plainly or not all(measurement.reaches(each, wanted) for each in given):
        return False
    return all(
        _is_plainly_given(metric, each.observation.given or "", collected)
        for _, each in values
        if each.observation.basis is not Basis.SAID
    )


def _is_plainly_given(metric: str, given: str, collected: Collected) -> bool:
    """Whether the label of a value has no other word than those that name its metric, and the value a unit."""
    name, *rest = _LABEL.split(given.strip("-*| "), maxsplit=1)
    words = collected.vocabulary
    label = read_label(name)
    spans = [each for each in words.keys.overlapping(label.words) if each.meaning == metric]
    small = [each for each in words.marks.overlapping(label.words) if each.meaning in _PLAIN]
    first = next(iter(amounts(rest[0])), None) if rest else None
    has_unit = bool(label.unit or (first is not None and first.unit))
    has_unit = has_unit or words.base.measurements[metric].model.unit == _FREE_OF_UNITS
    return has_unit and len(places_of((*spans, *small))) == len(label.words)
