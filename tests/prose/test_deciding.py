"""Deciding measurements in the words of people: no cause is confirmed that is not the one, and many that are.

The minima may only rise. They are counts of both halves: of the texts that were looked at while mechanisms were mended,
and of those that were held back.
"""

from __future__ import annotations

from collections import Counter

import pytest
from deciding_texts import FORMS, deciding_texts

#: By form, how many are confirmed right at least: of those looked at, of those held back.
LEAST = {"said": (20, 11), "values": (35, 27), "after": (42, 27), "found": (6, 2)}


def confirmed_bottleneck(diagnosis):
    """Return what a diagnosis confirms: a bottleneck, or that there is none where it shows no fault."""
    if diagnosis.binding is not None:
        return str(diagnosis.binding.bottleneck)
    return "none" if diagnosis.status == "no_fault" else None


@pytest.fixture(name="outcomes", scope="module")
def _outcomes(base, diagnosed):
    """Return each text with the bottleneck that is confirmed, and that of its hypothesis."""
    rights = {name: str(each.bottleneck) for name, each in base.hypotheses.items()}
    return [(each, confirmed_bottleneck(diagnosed(each.text)), rights[each.hypothesis]) for each in deciding_texts()]


def test_every_hypothesis_has_its_texts(base) -> None:
    """What measures must not leave out what is hard."""
    told = {each.hypothesis for each in deciding_texts()}
    assert told == set(base.hypotheses)


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
