"""The rest of an entry with mistakes in its shape: what is taken out, read otherwise, or stood in for."""

from __future__ import annotations

import pytest

from dam_expert.kb.models import MeasurementModel, RuleModel, ThresholdModel
from dam_expert.kb.overlay_models import HeaderModel
from dam_expert.kb.salvage import Salvaged, read

RULE = {"id": "a.b", "title": "T", "when": "x > 1", "then": {"support": "h"}, "because": "B", "source": ["s"]}


def test_a_sound_entry_is_itself():
    """Nothing is salvaged of what is right."""
    assert isinstance(read(RuleModel, RULE), RuleModel)


def test_a_misspelt_key_is_read_as_the_one_that_is_missing():
    """One problem is said, and what stands under the key is kept, with where it stands."""
    found = read(RuleModel, {**{k: v for k, v in RULE.items() if k != "when"}, "wehn": "x > 1"})
    assert isinstance(found, Salvaged)
    assert [each.text for each in found.problems] == ["the key 'wehn' is not known"]
    assert (found.entry.when, found.renamed, found.doubts) == ("x > 1", ((("when",), ("wehn",)),), ())


def test_what_is_missing_is_stood_in_for():
    """A missing key is doubted, everything else is kept."""
    found = read(ThresholdModel, {"id": "t", "title": "T", "grade": "screening", "basis": "heuristic", "value": "3 %"})
    assert [each.text for each in found.problems] == ["the key 'kind' is missing", "a threshold needs a source"]
    assert (found.entry.value, set(found.doubts)) == ("3 %", {("kind",), ("source",)})


def test_places_in_lists_stay():
    """An item of a list that cannot be read leaves the places of the others as they are."""
    given = {"id": "m", "title": "T", "kind": "share", "obtain": [3, {"how": "Look.", "effort_minutes": 1}]}
    found = read(MeasurementModel, given)
    assert found.entry.obtain[1].how == "Look."
    assert ("obtain", 0) in found.doubts


@pytest.mark.parametrize("data", [None, 3, "text", [], ["x"]])
def test_what_is_no_mapping_holds_nothing(data):
    """Nothing is made up for an entry that is none."""
    found = read(RuleModel, data)
    assert (found.entry, len(found.problems)) == (None, 1)


def test_a_text_with_a_form_of_its_own():
    """A missing version is stood in for by a number."""
    found = read(HeaderModel, {"name": "team", "description": "d"})
    assert (found.entry.name, found.doubts) == ("team", (("version",),))
