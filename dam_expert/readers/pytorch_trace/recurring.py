"""What of an idle share comes back: the share without its worst step, or without its longest gap in a single step.

A hiccup (a checkpoint, a garbage collection, a cold file, another job) can make any share of a short capture. What
binds a job comes back in every step, or several times within one. The lower of the two shares is told beside the mean,
and the rules compare both.

>>> steps = np.array([[0.0, 1.0], [1.0, 2.0], [2.0, 6.0]])
>>> round(without_the_worst(np.array([[0.0, 0.1], [1.0, 1.1], [2.5, 5.9]]), steps), 9)
0.1
>>> without_the_worst(np.array([[0.0, 0.4]]), np.array([[0.0, 1.0]]))
0.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dam_expert.readers.pytorch_trace import spans

if TYPE_CHECKING:
    from dam_expert.readers.pytorch_trace.spans import Spans


def without_the_worst(part: Spans, steps: Spans) -> float:
    """Return the share of a part in the time that is left when the step in which it takes most is left out.

    Of one step its longest occurrence is left out instead: one that comes only once may never come again.
    """
    if len(steps) > 1:
        taken = spans.covered_before(steps[:, 1], part) - spans.covered_before(steps[:, 0], part)
        lengths = steps[:, 1] - steps[:, 0]
        worst = int(np.argmax(taken))
        left, length = float(taken.sum() - taken[worst]), float(lengths.sum() - lengths[worst])
    else:
        longest = float((part[:, 1] - part[:, 0]).max()) if len(part) else 0.0
        left, length = spans.total(part) - longest, spans.total(steps) - longest
    return left / length if length > 0.0 else 0.0


def without_the_longest(part: Spans, steps: Spans) -> float:
    """Return the share of a part that is left when its longest occurrence in each step is left out.

    Launching kernel by kernel leaves many gaps in a step; one long gap is a wait for something.

    >>> steps = np.array([[0.0, 10.0], [10.0, 20.0]])
    >>> without_the_longest(np.array([[1.0, 6.0], [7.0, 8.0], [11.0, 16.0], [17.0, 18.0]]), steps)
    0.2
    """
    lengths = part[:, 1] - part[:, 0]
    longest = np.zeros(len(steps))
    at = (np.searchsorted(steps[:, 0], part[:, 0], side="right") - 1).clip(min=0)
    np.maximum.at(longest, at, lengths)
    left, length = spans.total(part) - float(longest.sum()), spans.total(steps) - float(longest.sum())
    return max(left, 0.0) / length if length > 0.0 else 0.0
