"""Sections that say more than the document: the iron law, the roofline, what could not be seen, what binds next."""

from __future__ import annotations

import dataclasses

import pytest
from sample_diagnoses import CONFIRMED, GLOSSARY, SUPPORTED, UNDETERMINED

from dam_expert.documents.diagnosis import AntiPatternReport, Binding, ObservationReport
from dam_expert.reports import Line, build_report
from dam_expert.reports.pictures import Roof, Terms
from dam_expert.reports.wording import load_wording


def _section(diagnosis, name):
    found = [each for each in build_report(diagnosis, GLOSSARY).sections if each.id == name]
    return found[0].items if found else ()


def _lines(diagnosis, name):
    return [item.text for item in _section(diagnosis, name) if isinstance(item, Line)]


def _seeing(**values):
    observations = [
        ObservationReport(
            measurement=name, value=value, given=None, basis="tool", scope={}, origin="x", tool=None, detail=None
        )
        for name, value in values.items()
    ]
    return CONFIRMED.model_copy(update={"observations": observations})


def test_iron_law_takes_the_gain_from_the_term_that_binds():
    """A lever of 1.84× takes 1 - 1/1.84 of the time, from data movement; everything else stays."""
    (picture,) = [item for item in _section(CONFIRMED, "iron_law") if isinstance(item, Terms)]
    now, after = ({segment.term: segment.share for segment in row.segments} for row in picture.rows)
    assert now["data_movement"] == pytest.approx(0.457)
    assert after.get("data_movement", 0.0) == pytest.approx(max(0.0, 0.457 - (1 - 1 / 1.84)), abs=1e-3)
    assert now["device"] == after["device"]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"budget": None}, id="no budget"),
        pytest.param({"levers": []}, id="no lever"),
        pytest.param({"binding": None}, id="nothing binds"),
        pytest.param({"levers": [CONFIRMED.levers[0].model_copy(update={"ceiling": None})]}, id="no ceiling"),
    ],
)
def test_no_iron_law_where_something_is_unknown(changes):
    """Without a budget, a binding part or a ceiling there is nothing to compare."""
    assert _section(CONFIRMED.model_copy(update=changes), "iron_law") == ()


@pytest.mark.parametrize(
    ("values", "attainable", "achieved", "first"),
    [
        pytest.param(
            {"arithmetic_intensity": 15.0, "ridge_intensity": 150.0, "mfu": 0.05}, 0.1, 0.05, "memory is", id="memory"
        ),
        pytest.param(
            {"arithmetic_intensity": 300.0, "ridge_intensity": 150.0}, 1.0, None, "arithmetic is", id="compute"
        ),
        pytest.param(
            {"arithmetic_intensity": 15.0, "ridge_intensity": 150.0, "mfu": 0.5},
            0.1,
            None,
            "memory is",
            id="above the roof",
        ),
    ],
)
def test_roofline(values, attainable, achieved, first):
    """The roof is min(1, intensity / ridge) of the peak; a point above it is not drawn."""
    (roof,) = [item for item in _section(_seeing(**values), "roofline") if isinstance(item, Roof)]
    assert (roof.attainable, roof.achieved) == (pytest.approx(attainable), achieved)
    assert first in _lines(_seeing(**values), "roofline")[0]


def test_no_roofline_without_a_ridge():
    """An intensity alone says nothing."""
    assert _section(_seeing(arithmetic_intensity=15.0), "roofline") == ()


def test_a_trace_without_device_activity_is_said_to_be_blind():
    """What a trace does not hold is said where people look for it."""
    assert _lines(_seeing(device_side="false"), "unseen")[0].startswith("The trace holds no device activity")


def test_complaints_stand_once_and_without_hint_and_code():
    """The same complaint about two files is one line."""
    unread = [f"{file}: warning: the file is empty; copy it again [empty-file]" for file in ("a.txt", "b.txt", "a.txt")]
    assert _lines(UNDETERMINED.model_copy(update={"unread": unread}), "unseen") == ["a.txt, b.txt: the file is empty"]


def test_wasted_levers_that_are_planned_come_first():
    """What somebody is about to do in vain is not lost among many."""
    other = CONFIRMED.levers[1].model_copy(update={"id": "a", "title": "Another lever", "planned": None})
    lines = _lines(CONFIRMED.model_copy(update={"levers": [other, CONFIRMED.levers[1]]}), "wasted")
    assert lines[0] == "A faster accelerator (planned): It would wait longer."


def test_what_binds_next_is_what_is_confirmed_beside_it():
    """Another confirmed constraint is named with its share; without one the likeliest, as not proven."""
    second = Binding.model_validate({**CONFIRMED.binding.model_dump(), "title": "Copies are exposed", "share": 0.1})
    assert _lines(CONFIRMED.model_copy(update={"secondary": [second]}), "following") == [
        "Copies are exposed (confirmed, 10 % of the time)"
    ]
    assert _lines(CONFIRMED, "following") == ["Perhaps, not proven: The host launches work too slowly."]


def test_nothing_is_wasted_without_an_if_while_nothing_is_proven():
    """Why an action gains nothing rests on what leads; where that is only likely, the words say so."""
    plan = AntiPatternReport(id="wasted_action", title="Wasted", action="faster cards", because="They wait as well.")
    likely = SUPPORTED.model_copy(update={"binding": None, "levers": CONFIRMED.levers, "anti_patterns": [plan]})
    sure = CONFIRMED.model_copy(update={"anti_patterns": [plan]})
    titles = {each.id: each.title for each in build_report(likely, GLOSSARY).sections}
    assert titles["wasted"] == "What would be wasted, if that proves right"
    assert _lines(likely, "anti_patterns")[1] == "If that proves right: They wait as well."
    assert _lines(sure, "anti_patterns")[1] == "They wait as well."


@pytest.mark.parametrize("language", ["en", "zh", "vi"])
def test_what_was_tried_stands_in_no_plan(language):
    """A lever that was tried has its own section and its own words at the head."""
    words = dataclasses.replace(GLOSSARY, wording=load_wording(language))
    pattern = AntiPatternReport(id="wasted_action", title="Wasted", action="faster cards", because="They wait as well.")
    done = pattern.model_copy(update={"action": "more workers", "tried": True})
    report = build_report(CONFIRMED.model_copy(update={"anti_patterns": [pattern, done]}), words)
    shown = {
        each.id: (each.title, [item.text for item in each.items if isinstance(item, Line)]) for each in report.sections
    }
    planned, tried = shown["anti_patterns"], shown["attempts"]
    assert planned[0] == words.say("title.anti_patterns") != tried[0] == words.say("title.attempts")
    assert "faster cards" in planned[1][0]
    assert "more workers" in tried[1][0]
    assert not any("more workers" in line for line in planned[1])
    assert [warning.split("：")[0].split(":")[0] for warning in report.head.warnings] == [
        words.say(key, action="", title="", because="").split("：")[0].split(":")[0]
        for key in ("head.planned", "head.tried")
    ]
