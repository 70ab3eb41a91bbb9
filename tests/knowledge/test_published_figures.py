"""What others publish as thresholds and signs is in the base with its value and source, or is left for a reason."""

from __future__ import annotations

import pytest
from knowledge.published_figures import LEFT, SIGNS, TAKEN, UNREAD
from knowledge.rows import base

_DIAGNOSTIC = "knowledge/thresholds.yaml"


@pytest.mark.parametrize("figure", sorted(TAKEN))
def test_a_published_figure_has_its_value_and_source(figure: str) -> None:
    name, value, source = TAKEN[figure]
    threshold = base().thresholds[name]
    (one,) = threshold.name.alternatives
    assert (one.value.lo, one.value.hi) == pytest.approx((value, value))
    assert source.lower() in " ".join(threshold.model.source).lower()


def test_every_published_threshold_is_in_the_table() -> None:
    """Arithmetic, derived ones and heuristics need none; figures of the calculators are tested with them."""
    published = {name for name, _, _ in TAKEN.values()}
    diagnostic = {name: each for name, each in base().thresholds.items() if each.place.startswith(_DIAGNOSTIC)}
    of_others = ("read", "quoted")
    read = {name for name, each in diagnostic.items() if each.model.basis in of_others}
    assert sorted(read - published) == []
    assert read


@pytest.mark.parametrize("sign", sorted(SIGNS))
def test_a_sign_that_others_look_for_is_read(sign: str) -> None:
    known = {*base().rules, *base().thresholds}
    assert [name for name in SIGNS[sign] if name not in known] == []


def test_what_is_left_has_a_reason() -> None:
    """And is not taken as well."""
    assert all(len(reason.split()) >= 4 for reason in [*LEFT.values(), *UNREAD.values()])
    assert set(LEFT) & set(TAKEN) == set()
    assert set(UNREAD) & set(SIGNS) == set()
