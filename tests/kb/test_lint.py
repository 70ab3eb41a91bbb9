"""What is suspicious in a base that loads, each by its code; a sound base has nothing."""

from __future__ import annotations

import pytest
from runbook_files import RULE, sound, written

from dam_expert.kb.lint import lint


def found(tmp_path, text):
    """Return the codes on what a runbook adds, by itself."""
    messages = lint(sound(written(tmp_path, text)))
    own = [message for message in messages if message.file.startswith("team")]
    return [message.code for message in own if "capacity.kv." not in message.text]


def test_a_runbook_that_makes_a_shipped_rule_idle(tmp_path):
    """It is said where the runbook's author can do something about it, once for each rule that says no more."""
    messages = lint(sound(written(tmp_path, rules(rule("wide", "kv_cache_usage > 1 %", "{suggest: kv_space_short}")))))
    (message,) = [each for each in messages if "'capacity.kv.suggest'" in each.text]
    assert (message.file, message.code) == ("team/more.yaml", "subsumed")
    assert message.hint == "disable 'capacity.kv.suggest', or narrow yours"


def rule(name, when, then="{support: kv_space_short}", title=None):
    """Return a rule; its tests are not what is looked at here."""
    return (
        RULE.removeprefix("add:\n  rules:\n")
        .replace("team.slow", f"team.{name}")
        .replace("title: Slow", f"title: {title or name}")
        .replace("kv_cache_usage > 90 %", when)
        .replace("{support: kv_space_short}", then)
    )


def rules(*entries):
    return "add:\n  rules:\n" + "".join(entries)


def test_the_shipped_base_is_clean():
    """Nothing in the shipped base is suspicious."""
    from dam_expert.kb.load import load_knowledge

    base, messages = load_knowledge()
    assert base is not None
    assert (messages, lint(base)) == ([], [])


@pytest.mark.parametrize(
    ("when", "code"),
    [
        pytest.param("{all: [kv_cache_usage > 90 %, kv_cache_usage < 80 %]}", "contradictory", id="two limits"),
        pytest.param("{all: [kv_cache_usage > 90 %, kv_cache_usage <= 90 %]}", "contradictory", id="meeting limits"),
        pytest.param(
            "{all: [collective_transport is socket, collective_transport is nvlink]}",
            "contradictory",
            id="two words",
        ),
        pytest.param(
            "{any: [preempted_share > 1 %, {all: [kv_cache_usage > 9 %, kv_cache_usage < 8 %]}]}",
            "contradictory",
            id="in a branch",
        ),
        pytest.param("kv_cache_usage < 0 %", "unreachable", id="below the range"),
    ],
)
def test_impossible_conditions(tmp_path, when, code):
    """A condition that no value can meet is found."""
    assert found(tmp_path, rules(rule("a", when))) == [code]


@pytest.mark.parametrize(
    "when",
    [
        "{all: [kv_cache_usage > 80 %, kv_cache_usage < 90 %]}",
        "{all: [kv_cache_usage >= 90 %, kv_cache_usage <= 90 %]}",
        "{any: [kv_cache_usage > 90 %, kv_cache_usage < 80 %]}",
        "{not: {all: [kv_cache_usage > 90 %, kv_cache_usage < 80 %]}}",
        "{all: [kv_cache_usage > kv_usage_high, preempted_share < 1 %]}",
    ],
)
def test_possible_conditions(tmp_path, when):
    """A condition that some value meets is left alone."""
    assert found(tmp_path, rules(rule("a", when))) == []


@pytest.mark.parametrize(
    ("wide", "narrow", "codes"),
    [
        pytest.param("kv_cache_usage > 80 %", "kv_cache_usage > 90 %", ["subsumed"], id="a lower limit"),
        pytest.param(
            "kv_cache_usage > 80 %",
            "{all: [kv_cache_usage > 80 %, preempted_share > 1 %]}",
            ["subsumed"],
            id="one more condition",
        ),
        pytest.param(
            "{any: [kv_cache_usage > 80 %, preempted_share > 1 %]}",
            "preempted_share > 1 %",
            ["subsumed"],
            id="one of several",
        ),
        pytest.param("kv_cache_usage > 80 %", "kv_cache_usage > 80 %", ["same-rule"], id="the same"),
        pytest.param("kv_cache_usage >= 80 %", "kv_cache_usage > 80 %", ["subsumed"], id="the limit itself"),
        pytest.param("kv_cache_usage > 80 %", "kv_cache_usage >= 80 %", ["subsumed"], id="the limit itself, reversed"),
        pytest.param("kv_cache_usage > 80 %", "preempted_share > 1 %", [], id="other measurements"),
        pytest.param("kv_cache_usage > 80 %", "kv_cache_usage < 90 %", [], id="other ways"),
    ],
)
def test_rules_that_say_the_same(tmp_path, wide, narrow, codes):
    """A rule that is true whenever another is, and says the same, is found."""
    assert found(tmp_path, rules(rule("a", wide), rule("b", narrow))) == codes


def test_other_conclusions_are_other_rules(tmp_path):
    """Two rules on one condition that conclude different things are both wanted."""
    text = rules(rule("a", "kv_cache_usage > 80 %"), rule("b", "kv_cache_usage > 80 %", "{weaken: cold_start}"))
    assert found(tmp_path, text) == []


def test_titles(tmp_path):
    """Two rules on one hypothesis with one title are found, whatever the case."""
    text = rules(rule("a", "kv_cache_usage > 80 %", title="Full"), rule("b", "preempted_share > 1 %", title="full"))
    assert found(tmp_path, text) == ["same-title"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            "add:\n  thresholds: [{id: team.t, title: T, kind: share, grade: screening, basis: read, value: 5 %, "
            "source: [handbook]}]\n",
            "unused-threshold",
        ),
        ("add:\n  symptoms: [{id: team.s, title: S, when: kv_cache_usage > 90 %}]\n", "unused-symptom"),
        ("add:\n  measurements: [{id: team.m, title: M, kind: share}]\n", "unused-measurement"),
        ("set: [{id: kv_usage_high, field: source, to: [internal], because: x}]\n", "vague-source"),
    ],
)
def test_what_nothing_uses_or_supports(tmp_path, text, code):
    """Entries that nothing reads, and sources that cannot be looked up, are found."""
    assert code in [message.code for message in lint(sound(written(tmp_path, text)))]


def test_a_hypothesis_without_a_lever(tmp_path):
    """A cause for which nothing can be done is found."""
    text = (
        rules(rule("a", "more_kv_space_speedup < no_effect", "{refute: team.h}"))
        + "  hypotheses: [{id: team.h, title: H, bottleneck: queue, statement: s, confirmed_by: c, falsified_by: f}]\n"
    )
    assert found(tmp_path, text) == ["no-lever"]


def test_a_replacement_that_does_not_exist(tmp_path):
    """A deprecated rule that names nothing to use instead is found."""
    text = rules(rule("a", "kv_cache_usage > 80 %")).replace(
        "title: a", "title: a\n      status: deprecated\n      replaced_by: team.gone"
    )
    assert found(tmp_path, text) == ["dead-replacement"]


def test_too_many_rules_to_compare(tmp_path, monkeypatch):
    """Beyond a bound rules are not compared with each other, and that is said."""
    monkeypatch.setattr("dam_expert.kb.lint._COMPARED", 1)
    messages = lint(sound(written(tmp_path, RULE)))
    assert {message.code for message in messages} == {"not-compared"}
