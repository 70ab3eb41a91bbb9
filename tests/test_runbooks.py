"""The two example runbooks are complete: sound, tested, covered, valid for an editor, and read by what they declare."""

from __future__ import annotations

import json

import jsonschema
import pytest
from runbook_files import TODAY
from shared_files import ROOT

from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.cases import run_cases
from dam_expert.engine.diagnose import diagnose
from dam_expert.engine.rule_tests import run_rule_tests
from dam_expert.kb.layers import Source
from dam_expert.kb.lint import lint
from dam_expert.kb.load import load_knowledge
from dam_expert.kb.source import read_yaml

RUNBOOKS = ("llm_serving", "vision_training")
SCHEMA = json.loads((ROOT / "docs" / "schemas" / "runbook.schema.json").read_text(encoding="utf-8"))


@pytest.fixture(name="base", scope="module", params=RUNBOOKS)
def _base(request):
    source = Source(folder=ROOT / "runbooks" / request.param, shown=request.param, found_by="--runbook")
    base, messages = load_knowledge(runbooks=(source,), today=TODAY)
    assert base is not None
    assert messages == []
    return base


def name_of(base):
    return base.layers.runbooks[0].name


def test_nothing_is_suspicious(base):
    """The checks find nothing."""
    assert lint(base) == []


def test_own_tests_pass_and_cover(base):
    """Every test of an own rule passes, every own rule fires, and every leaf is seen true, false and unknown."""
    report = run_rule_tests(base)
    own = [result for result in report.results if result.rule.startswith(name_of(base))]
    assert [result for result in own if not result.passed] == []
    assert own
    missing = [
        (leaf.rule, leaf.leaf)
        for leaf in report.coverage.leaves()
        if leaf.rule.startswith(name_of(base)) and leaf.missing
    ]
    assert missing == []
    assert [rule for rule in report.coverage.unfired() if rule.startswith(name_of(base))] == []


def test_its_case_holds(base):
    """The incident that the team learnt from gives the diagnosis of each stage."""
    found = [result for result in run_cases(base) if result.case.startswith(name_of(base))]
    assert [result.differences for result in found] == [(), ()]


def test_it_uses_every_verb():
    """The two examples together show everything that a runbook can say."""
    verbs = set()
    for name in RUNBOOKS:
        for path in (ROOT / "runbooks" / name).glob("*.yaml"):
            document, _ = read_yaml(path)
            assert document is not None
            verbs |= set(document.data)
    assert {"add", "set", "replace", "disable", "add_exception", "tools"} <= verbs


@pytest.mark.parametrize("path", sorted((ROOT / "runbooks").glob("*/*.yaml")), ids=lambda path: path.stem)
def test_editors_find_nothing(path):
    """An independent validator finds nothing wrong with any file, by the schema that editors use."""
    document, _ = read_yaml(path)
    assert document is not None
    validator = jsonschema.Draft202012Validator(SCHEMA)
    assert [error.message for error in validator.iter_errors(document.data)] == []


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        ({"add": {"rule": []}}, "rule"),
        ({"set": [{"id": "a", "field": "b", "because": "c"}]}, "to"),
        ({"tools": [{"format": "xml", "match": "a", "measurement": "b", "unit": "s"}]}, "xml"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_editors_find_mistakes(data, wrong):
    """The schema says what is wrong, so that an editor can."""
    errors = list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(data))
    assert any(wrong in error.message for error in errors)


def test_own_keys_are_free_for_editors():
    """Keys that begin with x- are valid."""
    assert list(jsonschema.Draft202012Validator(SCHEMA).iter_errors({"x-owner": "team"})) == []


def test_a_report_names_the_runbook_and_what_it_eases():
    """A diagnosis names the runbook with its hash, and warns of the threshold that it lowers."""
    source = Source(folder=ROOT / "runbooks" / "vision_training", shown="v", found_by="--runbook")
    base, _ = load_knowledge(runbooks=(source,), today=TODAY)
    assert base is not None
    from dam_expert.engine.facts import incident_of_facts

    incident, _ = incident_of_facts({"input_gap_share": "17 %"}, base.names, "facts")
    diagnosis = diagnose(base, incident, executor=BitExecutor(base.program))
    digest = base.layers.runbooks[0].digest
    assert diagnosis.versions.runbooks == [f"vision_training 1.1.0 ({digest}; 11 added, 1 replaced, 2 set, 1 disabled)"]
    assert diagnosis.warnings[0].startswith(
        "runbook vision_training 1.1.0: 'input_highly_bound' is lowered from 20 % to 15 %: confirms sooner ("
    )
    (leaf,) = [step.conditions for step in diagnosis.proof if step.rule == "input.wait.confirm_by_gap"]
    assert leaf.threshold is not None
    assert leaf.threshold.source[0].startswith("runbook vision_training: our steps vary by less than 2 %")
