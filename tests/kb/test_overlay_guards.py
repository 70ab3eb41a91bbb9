"""What a runbook does to the guards of the base is said in every report: nothing is switched off in silence."""

from __future__ import annotations

import pytest
from runbook_files import laid, sound, written

from dam_expert.kb.models import ENTRY_MODELS
from dam_expert.kb.overlay_guards import BEARING

SANITY = "keeps impossible values from deciding,"
BELIEVED = "by which values are believed, is not the shipped one"
TOLD = "by which causes are told, is not the shipped one"


def eases(base) -> list[str]:
    return [change.eases for change in base.layers.runbooks[0].changes if change.eases]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "disable: [{id: sanity.sums.input, because: x}]",
            f"the rule 'sanity.sums.input', which {SANITY} is disabled",
            id="disabled",
        ),
        pytest.param(
            "add_exception: [{rule: sanity.sums.input, symptom: serving_workload, because: x}]",
            f"the rule 'sanity.sums.input', which {SANITY} is held back by 'serving_workload'",
            id="held back",
        ),
        pytest.param(
            "set: [{id: sanity.sums.input, field: status, to: draft, because: x}]",
            f"the rule 'sanity.sums.input', which {SANITY} is not the shipped one",
            id="a draft",
        ),
        pytest.param(
            "set: [{id: sanity.sums.input, field: when, to: input_gap_share > 9 x input_wait_share, because: x}]",
            f"the rule 'sanity.sums.input', which {SANITY} is not the shipped one",
            id="another condition",
        ),
        pytest.param(
            "set: [{id: sanity.sums.input, field: then.doubt, to: [input_wait_share], because: x}]",
            f"the rule 'sanity.sums.input', which {SANITY} is not the shipped one",
            id="fewer values in doubt",
        ),
        pytest.param("set: [{id: sanity.sums.input, field: title, to: Waits, because: x}]", "", id="a title"),
        pytest.param(
            "set: [{id: time_of_a_run, field: tolerance, to: 90 %, because: x}]",
            f"the whole 'time_of_a_run', {BELIEVED} (tolerance)",
            id="a whole with more room",
        ),
        pytest.param("set: [{id: time_of_a_run, field: title, to: T, because: x}]", "", id="the title of a whole"),
        pytest.param(
            "set: [{id: probe, field: range, to: [0, 100000], because: x}]",
            f"the kind 'probe', {BELIEVED} (range)",
            id="wider bounds of a kind",
        ),
        pytest.param(
            "set: [{id: sync_time_share, field: decides, to: counter, because: x}]",
            f"the measurement 'sync_time_share', {BELIEVED} (decides)",
            id="a measurement that decides now",
        ),
        pytest.param(
            "set: [{id: request_time, field: range, to: '0 s - 87600 h', because: x}]",
            f"the measurement 'request_time', {BELIEVED} (range)",
            id="wider bounds of a measurement",
        ),
        pytest.param(
            "set: [{id: step_budget, field: tolerance, to: 90 %, because: x}]",
            f"the budget 'step_budget', {BELIEVED} (tolerance)",
            id="a budget that may overflow",
        ),
        pytest.param(
            "set: [{id: cpu_utilization, field: aliases, to: [load of the processor], because: x}]",
            "",
            id="words for a measurement",
        ),
        pytest.param(
            "set: [{id: input_wait, field: controlled, to: [cpu_utilization], because: x}]",
            f"the hypothesis 'input_wait', {TOLD} (controlled)",
            id="another comparison for a cause",
        ),
        pytest.param(
            "set: [{id: nvidia_smi, field: trust, to: 9, because: x}]",
            f"the tool 'nvidia_smi', {BELIEVED} (trust)",
            id="a tool that is trusted more",
        ),
        pytest.param(
            "set: [{id: step_time, field: better, to: higher, because: x}]",
            f"the measurement 'step_time', {BELIEVED} (better)",
            id="longer is better",
        ),
        pytest.param(
            "set: [{id: accuracy, field: better, to: lower, because: x}]",
            f"the measurement 'accuracy', {BELIEVED} (better)",
            id="less is better",
        ),
        pytest.param(
            "set: [{id: more_loader_workers, field: aliases, to: [batch size], because: x}]",
            f"the lever 'more_loader_workers', {TOLD} (aliases)",
            id="words of a lever that name another setting",
        ),
        pytest.param(
            "set: [{id: more_loader_workers, field: title, to: More loader workers per batch, because: x}]",
            f"the lever 'more_loader_workers', {TOLD} (title)",
            id="a title of a lever that names another setting",
        ),
    ],
)
def test_what_becomes_of_a_guard_is_said(tmp_path, text, said):
    """Whatever moves what is believed is said, and what only words it otherwise is not."""
    base, messages = laid(written(tmp_path, text))
    assert base is not None, messages
    assert eases(base) == ([said] if said else [])
    assert [sentence.partition(": ")[2].rpartition(" (")[0] for sentence in base.layers.eased()] == eases(base)


def test_an_exception_that_always_holds_is_said(tmp_path):
    """A symptom that is an exception of rules of sanity cannot be made true for ever without a word."""
    text = "set: [{id: several_ranks, field: when, to: device_count >= 0, because: x}]"
    (said,) = eases(sound(written(tmp_path, text)))
    assert said.startswith("the symptom 'several_ranks', on which decisions rest, is not the shipped one (")
    assert "sanity." in said


def test_a_symptom_that_only_suggests_is_not_said(tmp_path):
    """What no decision rests on may be reworded."""
    base = sound(written(tmp_path, "set: [{id: low_utilization, field: title, to: Low, because: x}]"))
    assert eases(base) == []


def test_a_limit_of_a_guard_is_said(tmp_path):
    """A guard that reads a threshold of the base doubts later when it moves, and that is said with its name."""
    (said,) = eases(sound(written(tmp_path, "set: [{id: fully_met, field: value, to: 1.4, because: x}]")))
    rules = said.partition("doubts later (")[2]
    assert all(f"sanity.sums.{name}" in rules for name in ("met_and_stops", "met_and_requests_fail", "met_and_failed"))


def test_a_limit_that_only_refutes_is_said(tmp_path):
    """A cause that is refuted later stays confirmed where it was in conflict."""
    (said,) = eases(sound(written(tmp_path, "set: [{id: no_effect, field: value, to: 0.5, because: x}]")))
    assert "refutes later (" in said


@pytest.mark.parametrize(
    ("measurement", "said"),
    [
        ("input_gap_share", ["'temp' of its own csv is read as 'input_gap_share', which decides"]),
        ("cpu_utilization", []),
    ],
)
def test_a_reading_into_what_decides_is_said(tmp_path, measurement, said):
    """A column that fills a measurement of the base which decides may hold anything; where nothing decides it may."""
    base = sound(written(tmp_path, f'tools: [{{format: csv, match: temp, measurement: {measurement}, unit: "%"}}]'))
    assert [sentence.partition(": ")[2] for sentence in base.layers.eased()] == said


#: What of an entry only tells of it, is shown or orders what is asked: no verdict rests on it.
TELLS = {
    "measurements": {"id", "title", "aliases", "question", "obtain", "source"},
    "wholes": {"id", "title", "because", "limits", "source"},
    "kinds": {"id", "source"},
    "budgets": {"id", "title"},
    "tools": {"id", "title", "axis", "tool_map", "vendors", "workloads", "first_minute", "note"},
    "hypotheses": {
        *("id", "title", "prior", "statement", "confirmed_by", "falsified_by", "source", "aliases"),
    },
    "levers": {
        *("id", "effort", "how", "framework", "how_elsewhere", "verify_by", "why_wasted", "source"),
    },
    "thresholds": {"id", "title", "source", "scope", "aliases"},
}
#: What is judged by what it does to the rules, not by itself.
BY_RULES = {"thresholds": {"value", "values"}}


@pytest.mark.parametrize("section", TELLS)
def test_every_field_is_judged(section):
    """A new field of a model has to be judged: it bears on a verdict and is said, or it only tells of its entry."""
    model = ENTRY_MODELS[section]
    only_told = TELLS[section] | BY_RULES.get(section, set())
    assert not only_told & BEARING[model]
    assert only_told | BEARING[model] == set(model.__struct_fields__)


def test_every_table_of_fields_is_walked():
    """No section is judged in the code whose fields are not walked here."""
    assert {ENTRY_MODELS[section] for section in TELLS} == set(BEARING)


def test_a_screening_threshold_cannot_decide_in_silence(tmp_path):
    """A grade is what tells whether a comparison may decide."""
    text = "set: [{id: kv_usage_high, field: grade, to: decisive, because: x}]"
    base, _ = laid(written(tmp_path, text))
    if base is not None:
        assert eases(base) == [f"the threshold 'kv_usage_high', {TOLD} (grade)"]


OWN = """\
add:
  measurements: [{id: team.gap, title: Gap, kind: share, decides: share, question: Which?}]
  rules:
    - id: team.starved
      title: Starved
      when: team.gap >= input_highly_bound
      then: {confirm: input_wait}
      because: The device idles.
      limits: None that we know.
      source: [our handbook, chapter 3]
      tests: {fires: [{team.gap: 40 %}, {team.gap: 21 %}], silent: [{team.gap: 19 %}], undecided: [{step_time: 1 s}]}
"""
GUARD = """\
    - id: team.gap_and_kernels
      title: Idle and busy
      when: {all: [team.gap >= 50 %, kernel_share >= 70 %]}
      then: {doubt: [team.gap]}
      because: A device is not idle while it computes.
      limits: None that we know.
      source: [our handbook, chapter 3]
      tests:
        fires: [{team.gap: 60 %, kernel_share: 80 %}]
        silent: [{team.gap: 40 %, kernel_share: 80 %}]
        undecided: [{team.gap: 60 %}]
"""


def test_a_measurement_by_another_name_is_said(tmp_path):
    """What confirms by a measurement of the runbook's own escapes the guards of the base, which is said."""
    base, messages = laid(written(tmp_path, OWN))
    assert base is not None, messages
    assert eases(base) == [
        "the rule 'team.starved' confirms by 'team.gap', which no rule of sanity and no whole checks"
    ]


def test_a_measurement_with_a_guard_of_its_own_is_not_said(tmp_path):
    """A runbook that guards what it adds is as good as the base."""
    base, messages = laid(written(tmp_path, OWN + GUARD))
    assert base is not None, messages
    assert eases(base) == []
