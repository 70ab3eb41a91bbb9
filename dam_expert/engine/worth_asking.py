"""Whether asking on is worth it: what is left may settle a cause, and it may be known to whoever answers.

The more questions nobody could answer, the less likely is it that the next one can be: of so many that were asked, so
many were answered (Laplace's rule of succession). Times the belief in the causes that the best of what is left decides,
that is how likely one more answer is to name a cause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.engine.belief import beliefs_now
from dam_expert.engine.evidence import members

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.diagnosis import NextMeasurement
    from dam_expert.engine.evaluate import Evaluated


def is_worth_asking(
    evaluated: Evaluated, following: Sequence[NextMeasurement], *, answered: int, unanswered: int
) -> bool:
    """Return whether what is left to ask may still name a cause.

    ``answered`` and ``unanswered`` count the questions so far: with a value, and without one. As long as all were
    answered, asking on is worth it while anything is left.
    """
    if not following or not unanswered:
        return bool(following)
    chance = (answered + 1) / (answered + unanswered + 1)
    least = evaluated.base.worth_asking
    return any(chance * believed >= least for believed in _beliefs(evaluated, following))


def _beliefs(evaluated: Evaluated, following: Sequence[NextMeasurement]) -> Iterator[float]:
    """Yield by measurement the belief in the causes that it decides."""
    believed = beliefs_now(evaluated)
    family = members(evaluated.base)
    for item in following:
        yield sum(believed.get(name, 0.0) for name in {finer for cause in item.decides for finer in family[cause]})
