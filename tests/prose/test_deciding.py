"""Deciding measurements in the words of people: no cause is confirmed that is not the one, and many that are.

The minima may only rise. They are counts of both halves: of the texts that were looked at while mechanisms were mended,
and of those that were held back.
"""

from __future__ import annotations

from collections import Counter

import pytest
from deciding_texts import FORMS, deciding_texts

#: By form, how many are confirmed right at least: of those looked at, of those held back.
LEAST = {"said": (8, 6), "values": (15, 10), "after": (17, 9), "found": (5, 2)}


@pytest.fixture(name="outcomes", scope="module")
def _outcomes(base, diagnosed):
    """Return each text with the bottleneck that is confirmed, and that of its hypothesis."""
    told = []
    for each in deciding_texts():
        binding = diagnosed(each.text).binding
        confirmed = None if binding is None else str(binding.bottleneck)
        told.append((each, confirmed, str(base.hypotheses[each.hypothesis].bottleneck)))
    return told


def test_every_hypothesis_of_these_bottlenecks_has_its_texts(base) -> None:
    """What measures must not leave out what is hard."""
    told = {each.hypothesis for each in deciding_texts()}
    kinds = {"input", "host", "transfer", "capacity", "memory"}
    assert told == {name for name, each in base.hypotheses.items() if str(each.bottleneck) in kinds}


def test_nothing_wrong_is_confirmed(outcomes) -> None:
    """What is confirmed is the cause of the text."""
    wrong = [
        (each.hypothesis, each.form, confirmed) for each, confirmed, right in outcomes if confirmed not in (None, right)
    ]
    assert wrong == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("held_back", [False, True])
def test_at_least_so_many_are_confirmed(outcomes, form, held_back) -> None:
    """Of each form and half as many as before, or more."""
    right = Counter((each.form, each.held_back) for each, confirmed, expected in outcomes if confirmed == expected)
    assert right[form, held_back] >= LEAST[form][held_back]
