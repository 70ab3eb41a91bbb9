"""Runbooks over the base: each verb does what it says, and every guard of the base holds."""

from __future__ import annotations

import pytest
from runbook_files import RULE, laid, sound, written

from dam_expert.kb.layers import Change
from dam_expert.kb.texts import load_texts, untranslated


def test_what_is_added_is_in_force(tmp_path):
    """An added rule is one of the base, and its layer is known."""
    base = sound(written(tmp_path, RULE))
    assert base.rules["team.slow"].place == "team/more.yaml:3"
    assert [change.verb for _, change in base.layers.of("team.slow")] == ["add"]


@pytest.mark.parametrize(
    ("text", "value", "source"),
    [
        pytest.param(
            "set: [{id: kv_usage_high, field: value, to: 85 %, because: load test}]",
            0.85,
            ["runbook team: load test"],
            id="the reason becomes the source",
        ),
        pytest.param(
            "set:\n  - {id: kv_usage_high, field: value, to: 85 %, because: load test}\n"
            "  - {id: kv_usage_high, field: source, to: [report 7], because: it is written}",
            0.85,
            ["report 7"],
            id="a source that is set as well",
        ),
    ],
)
def test_set(tmp_path, text, value, source):
    """A threshold that a runbook sets has its number, and never the old source."""
    threshold = sound(written(tmp_path, text)).thresholds["kv_usage_high"]
    assert (threshold.name.alternatives[0].value.lo, threshold.model.source) == (value, source)


def test_set_by_an_old_id(tmp_path):
    """A change may name an entry by an id of an earlier version, and is told the new one."""
    text = "set: [{id: team.old, field: title, to: New, because: clearer}]\n" + RULE.replace(
        "title: Slow", "title: Slow\n      aliases: [team.old]"
    )
    base, messages = laid(written(tmp_path, text))
    assert base is not None
    assert base.rules["team.slow"].model.title == "New"
    assert [message.code for message in messages] == ["old-id"]


def test_replace(tmp_path):
    """A replaced entry stands where the runbook writes it, under its old id."""
    text = (
        "replace: [{id: kv_usage_high, because: ours, with: {title: High, kind: share, grade: screening, "
        "basis: read, value: 70 %, source: [load test LT-31]}}]"
    )
    threshold = sound(written(tmp_path, text)).thresholds["kv_usage_high"]
    assert (threshold.model.title, threshold.place) == ("High", "team/more.yaml:1")


def test_disable(tmp_path):
    """A disabled rule is not part of the base."""
    base = sound(written(tmp_path, "disable: [{id: capacity.kv.support, because: misleads us}]"))
    assert "capacity.kv.support" not in base.rules


def test_a_lapsed_change_is_not_in_force(tmp_path):
    """After its date a disabled rule is back, and the runbook says so."""
    base, messages = laid(
        written(tmp_path, "disable: [{id: capacity.kv.support, because: misleads us, until: 2026-11-28}]")
    )
    assert base is not None
    assert "capacity.kv.support" in base.rules
    assert [change.verb for change in base.layers.runbooks[0].changes] == ["lapsed"]
    assert [(message.code, message.level) for message in messages] == [("lapsed", "warning")]


def test_the_last_day_still_counts(tmp_path):
    """A change holds through the day that it names."""
    base = sound(written(tmp_path, "disable: [{id: capacity.kv.support, because: x, until: 2026-11-29}]"))
    assert "capacity.kv.support" not in base.rules


def test_add_exception(tmp_path):
    """An added exception stands behind those of the rule."""
    base = sound(
        written(tmp_path, "add_exception: [{rule: capacity.kv.support, symptom: serving_workload, because: x}]")
    )
    assert base.rules["capacity.kv.support"].model.unless[-1] == "serving_workload"


@pytest.mark.parametrize(
    "text",
    [
        "set: [{id: nothing, field: title, to: x, because: y, optional: true}]",
        "disable: [{id: nothing, because: y, optional: true}]",
        "add_exception: [{rule: nothing, symptom: serving_workload, because: y, optional: true}]",
        "replace: [{id: nothing, because: y, optional: true, with: {}}]",
    ],
)
def test_an_optional_target_may_be_missing(tmp_path, text):
    """Nothing is said of a missing target that is marked as optional."""
    assert laid(written(tmp_path, text))[1] == []


SET_A = "set: [{id: kv_usage_high, field: value, to: 80 %, because: a}]"
SET_B = "set: [{id: kv_usage_high, field: value, to: 70 %, because: b}]"


def test_two_runbooks_on_one_field(tmp_path):
    """Two runbooks that set one field are an error that names the other place and what to write."""
    base, messages = laid(written(tmp_path, SET_A, name="a"), written(tmp_path, SET_B, name="b"))
    assert base is None
    assert [str(message) for message in messages] == [
        "b/more.yaml:1:12: error: 'kv_usage_high' is changed by the runbook 'a' as well, at a/more.yaml:1; "
        "order them in dam.toml: order = ['a', 'b'] [changed-twice]"
    ]


@pytest.mark.parametrize(("order", "value"), [(("a", "b"), 0.7), (("b", "a"), 0.8)])
def test_ordered_runbooks(tmp_path, order, value):
    """Of two ordered runbooks the later one wins, however they were found."""
    base = sound(written(tmp_path, SET_A, name="a"), written(tmp_path, SET_B, name="b"), order=order)
    assert base.thresholds["kv_usage_high"].name.alternatives[0].value.lo == value


def test_a_runbook_may_change_another(tmp_path):
    """Additions come first, so that a runbook can change what another one adds."""
    change = "set: [{id: team.slow, field: status, to: test, because: on trial with us}]"
    base = sound(written(tmp_path, change, name="site"), written(tmp_path, RULE))
    assert base.rules["team.slow"].model.status == "test"


@pytest.mark.parametrize(
    ("text", "eases"),
    [
        pytest.param(
            "set: [{id: some_preempted, field: value, to: 0.1 %, because: x}]",
            "'some_preempted' is lowered from 1 % to 0.1 %: "
            "confirms sooner (capacity.kv.confirm, capacity.kv.confirm_by_bytes)",
            id="a lowered threshold of a confirm rule",
        ),
        pytest.param("set: [{id: some_preempted, field: value, to: 5 %, because: x}]", "", id="a raised one"),
        pytest.param(
            "set: [{id: input_not_bound, field: value, to: 9 %, because: x}]",
            "'input_not_bound' is raised from 5 % to 9 %: "
            "refutes sooner (input.wait.refute_by_gap, input.epoch.refute)",
            id="a raised threshold of a refute rule",
        ),
        pytest.param(
            "set: [{id: topic_present, field: value, to: 1 %, because: x}]", "", id="one that decides nothing"
        ),
        pytest.param(
            "disable: [{id: input.storage.refute, because: x}]",
            "the rule 'input.storage.refute', which refutes, is disabled",
            id="a disabled refutation",
        ),
        pytest.param(
            "add_exception: [{rule: input.storage.refute, symptom: serving_workload, because: x}]",
            "the rule 'input.storage.refute', which refutes, is held back by 'serving_workload'",
            id="a refutation held back",
        ),
        pytest.param(
            "set: [{id: capacity.kv.confirm, field: status, to: test, because: x}]",
            "the rule 'capacity.kv.confirm', which confirms, is not the shipped one",
            id="a rule that confirms",
        ),
        pytest.param("set: [{id: capacity.kv.confirm, field: title, to: Full, because: x}]", "", id="a title"),
    ],
)
def test_what_eases_a_decision_is_known(tmp_path, text, eases):
    """A change that makes the base quicker to confirm or slower to refute says so; every other one does not."""
    base, _ = laid(written(tmp_path, text + "\n" + _spare_refutation(text)))
    assert base is not None
    found = [change.eases for change in base.layers.runbooks[0].changes if change.verb != "add"]
    assert found == [eases]


def _spare_refutation(text: str) -> str:
    """Give what is disabled a refutation of the runbook's own, or the guard would refuse the base."""
    if "disable" not in text:
        return ""
    return (
        RULE.replace("support: kv_space_short", "refute: storage_bound")
        .replace("kv_cache_usage > 90 %", "cached_pass_speedup < no_effect")
        .replace("{kv_cache_usage: 95 %}", "{cached_pass_speedup: 1.01}")
        .replace("{kv_cache_usage: 85 %}", "{cached_pass_speedup: 1.2}")
    )


def test_a_change_in_one_line():
    """A change is shown with what it was, what it is, why, and where."""
    change = Change(verb="disable", id="x", section="rules", place="a.yaml:2", because="misleads")
    assert str(change) == "disable x (misleads; a.yaml:2)"


def test_a_name_twice(tmp_path):
    """Two runbooks of one name are an error."""
    base, messages = laid(written(tmp_path / "one"), written(tmp_path / "two"))
    assert base is None
    assert [message.code for message in messages] == ["duplicate-id"]


TRANSLATED = "rules:\n  team.slow:\n    title: 慢\n    because: 缓存几乎已满。\n"


@pytest.mark.parametrize(
    ("texts", "codes"),
    [
        pytest.param(TRANSLATED, [], id="complete"),
        pytest.param("rules: {team.slow: {title: 慢}}\n", ["missing-language"], id="one text is missing"),
        pytest.param(None, ["missing-language", "missing-language"], id="none is there"),
    ],
)
def test_stated_languages(tmp_path, texts, codes):
    """Every language that a runbook states must have every text; the first one is that of its entries."""
    source = written(tmp_path, RULE)
    header = (source.folder / "runbook.yaml").read_text(encoding="utf-8")
    (source.folder / "runbook.yaml").write_text(header + "languages: [en, zh]\n", encoding="utf-8")
    if texts is not None:
        (source.folder / "texts" / "zh").mkdir(parents=True)
        (source.folder / "texts" / "zh" / "all.yaml").write_text(texts, encoding="utf-8")
    base = sound(source)
    found, messages = load_texts(base, "zh")
    assert messages == []
    assert [message.code for message in untranslated(base, found)] == codes
    assert (found.by_original.get("Slow") == "慢") is (texts is not None)


ACCELERATOR = """\
add:
  accelerators:
    - id: team.h20_custom
      name: Custom H20 of the team
      vendor: NVIDIA
      printed: [NVIDIA H20-CUSTOM, "NVIDIA H100"]
      peaks: {bf16: 148 TFLOP/s, fp8: 296 TFLOP/s}
      memory: 96 GiB
      bandwidth: 4 TB/s
      source: [data sheet of the vendor, our matmul benchmark LT-40]
"""


def test_an_accelerator(tmp_path):
    """A device that a runbook adds resolves by every name that it gives, with its figures in the catalogue's units."""
    base = sound(written(tmp_path, ACCELERATOR))
    for name in ("nvidia h20-custom", "NVIDIA H100", "team.h20_custom"):
        found = base.catalogue.resolve(name)
        assert found is not None
        assert (found.id, found.peaks["bf16"], found.memory_bytes) == ("team.h20_custom", 148e12, 96 * 2**30)
    assert [change.section for _, change in base.layers.of("team.h20_custom")] == ["accelerators"]
    assert base.catalogue.resolve("NVIDIA A100-SXM4-80GB") is not None
