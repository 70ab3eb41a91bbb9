"""What must hold of every verdict, whatever the incident: the truth properties on the shipped base."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from truth.drawn import bearing, facts, values
from truth.jobs import diagnosed, evaluated, job, shipped

from dam_expert.cli.group import dam
from dam_expert.documents.diagnosis import ProofNode
from dam_expert.documents.dimensions import units_of
from dam_expert.documents.incident import canonical, incident_from
from dam_expert.documents.intervals import Interval
from dam_expert.documents.messages import has_errors
from dam_expert.documents.observations import Basis, Origin
from dam_expert.engine._experta import ExpertaExecutor
from dam_expert.engine.columns import bare
from dam_expert.engine.diagnose import written
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.engine.proof import step
from dam_expert.language.conditions import Comparison, columns
from dam_expert.language.program import Reading
from dam_expert.language.truth import Truth

SOME = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
FEW = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
ROOT = Path(__file__).resolve().parent.parent.parent


def of(known: dict[str, Any]) -> Evaluated:
    return evaluated(job(known))


def leaves(node: ProofNode) -> list[ProofNode]:
    return [leaf for child in node.children for leaf in leaves(child)] if node.children else [node]


@SOME
@given(known=facts())
def test_nothing_is_confirmed_or_refuted_without_a_decisive_condition_in_its_proof(known: dict[str, Any]) -> None:
    """Each rule that confirms or refutes rests on a comparison that decides and whose truth is known."""
    found = of(known)
    for firing in found.firings:
        rule = found.base.rules[firing.rule]
        if rule.decides and firing.strength.value == "full":
            proof = step(found, rule, "full")
            assert any(leaf.decisive and leaf.truth != "unknown" for leaf in leaves(proof.conditions)), rule.id


@SOME
@given(known=facts())
def test_words_and_hearsay_confirm_and_refute_nothing(known: dict[str, Any]) -> None:
    """Values that are only said support at most, however many they are."""
    incident = job(known)
    said = tuple(dataclasses.replace(each, basis=Basis.SAID) for each in incident.observations)
    statuses = evaluated(dataclasses.replace(incident, observations=said)).standings.status
    assert not {"confirmed", "refuted", "conflicting"} & set(statuses.values())


@FEW
@given(known=facts(), missing=st.data())
def test_a_missing_value_never_adds_a_decision(known: dict[str, Any], missing: st.DataObject) -> None:
    """Without one of the facts no rule fires that speaks of it: unknown never fires a rule."""
    name = missing.draw(st.sampled_from(sorted(known)))
    found = of({key: value for key, value in known.items() if key != name})
    assume(found.columns.cell(bare(name)) is None)
    for firing in found.firings:
        proof = step(found, found.base.rules[firing.rule], firing.strength.value)
        told = [leaf for leaf in leaves(proof.conditions) if leaf.text.split()[0] == name]
        assert all(leaf.truth == "unknown" for leaf in told)
        assert proof.conditions.truth == "true"


@FEW
@given(known=facts(most=4), drawn=st.data())
def test_an_unrelated_observation_changes_no_status(known: dict[str, Any], drawn: st.DataObject) -> None:
    """What neither the rules of a hypothesis nor anything behind them read leaves it as it is."""
    base = shipped()
    before = of(known).standings.status
    name = drawn.draw(st.sampled_from([each for each in base.measurements if each not in known]))
    after = of({**known, name: drawn.draw(values(name))}).standings.status
    moved = [hypothesis for hypothesis in base.hypotheses if before[hypothesis] != after[hypothesis]]
    assert [hypothesis for hypothesis in moved if name not in bearing(base, hypothesis)] == []


@FEW
@given(known=facts(), drawn=st.data())
def test_the_order_of_observations_does_not_show(known: dict[str, Any], drawn: st.DataObject) -> None:
    """Turned about, they give the same document."""
    incident = job(known)
    turned = tuple(drawn.draw(st.permutations(incident.observations)))
    other = dataclasses.replace(incident, observations=turned)
    assert written(evaluated(other)).model_dump_json() == written(evaluated(incident)).model_dump_json()


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(known=facts(most=4), name=st.sampled_from(["input_gap_share", "dram_active", "host_gap_share"]))
def test_undo_equals_never_said(known: dict[str, Any], name: str) -> None:
    """The same forward chaining, after a fact came and went, concludes what it would have concluded without it."""
    base = shipped()
    without = {key: value for key, value in known.items() if key != name}
    used = ExpertaExecutor(base.program)
    for given_facts in (without, {**without, name: "60 %"}, without):
        last = evaluate(base, job(given_facts), used)
    assert written(last).model_dump_json() == written(of(without)).model_dump_json()


@SOME
@given(known=facts())
def test_saving_and_resuming_equals_going_on(known: dict[str, Any]) -> None:
    """The incident that is written and read again gets the same diagnosis."""
    base = shipped()
    incident = job(known)
    document = json.loads(json.dumps(canonical(incident, base.names)))
    again, messages = incident_from(document, base.names, lambda _: Origin(file=incident.file))
    assert not has_errors(messages)
    first, second = evaluated(incident), evaluated(again)
    assert dict(first.standings.status) == dict(second.standings.status)
    assert first.verdict == second.verdict


@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_processes_agree(seed: str) -> None:
    """Whatever the seed of the hashes, the same bytes come out."""
    code = (
        "from truth.jobs import diagnosed\n"
        "facts = {'input_gap_share': '35 %', 'kernel_share': '40 %', 'cpu_utilization': '95 %', 'batch_size': 8}\n"
        "import hashlib; print(hashlib.sha256(diagnosed(facts).model_dump_json().encode()).hexdigest())"
    )
    path = os.pathsep.join((str(ROOT), str(ROOT / "tests")))
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    expected = {"input_gap_share": "35 %", "kernel_share": "40 %", "cpu_utilization": "95 %", "batch_size": 8}
    assert run.stdout.strip() == hashlib.sha256(diagnosed(expected).model_dump_json().encode()).hexdigest()


def _of_another_dimension(unit: str) -> list[str]:
    """Return units that do not measure what a unit measures."""
    own = units_of(unit)[0].dimension
    others = ("s", "W", "Hz", "B/s", "FLOP/s", *(() if own.is_plain else ("B",)))  # 3 B of a count are three milliards
    return [other for other in others if units_of(other)[0].dimension != own]


@SOME
@given(drawn=st.data())
def test_a_wrong_unit_is_an_error(drawn: st.DataObject) -> None:
    """It is never read as a number of the right unit."""
    base = shipped()
    numeric = [name for name, each in base.measurements.items() if not each.name.is_word]
    name = drawn.draw(st.sampled_from(numeric))
    unit = drawn.draw(st.sampled_from(_of_another_dimension(base.measurements[name].model.unit)))
    data = {"schema": "dam-incident/1", "observations": {name: f"3 {unit}"}}
    incident, messages = incident_from(data, base.names, lambda _: Origin(file="x"))
    assert has_errors(messages)
    assert all(each.value is None for each in incident.observations)


@SOME
@given(known=facts(most=4), drawn=st.data())
def test_a_narrower_range_turns_nothing_known_into_unknown(known: dict[str, Any], drawn: st.DataObject) -> None:
    """Every comparison with the measurement that was settled before stays as it was."""
    base = shipped()
    shares = [name for name, each in base.measurements.items() if each.model.kind.value == "share"]
    name = drawn.draw(st.sampled_from(shares))
    low, high = sorted(drawn.draw(st.tuples(*[st.integers(0, 100)] * 2)))
    inner = sorted(drawn.draw(st.tuples(*[st.integers(low, high)] * 2)))
    wide = of({**known, name: [low / 100, high / 100]})
    narrow = of({**known, name: [inner[0] / 100, inner[1] / 100]})
    for before, after, node in zip(wide.node_truths(), narrow.node_truths(), base.program.nodes, strict=True):
        if before is Truth.UNKNOWN or node.question is None or node.question.reading is Reading.STRICT:
            continue
        leaf = node.question.leaf
        if isinstance(leaf, Comparison) and {column.measurement for column in columns(leaf)} == {name}:
            assert after is before


def test_translation_changes_no_verdict() -> None:
    """Texts are of another language; what was concluded is the same."""
    found = []
    for language in ("en", "zh", "vi"):
        arguments = ["diagnose", str(ROOT / "examples" / "vision-loader"), "-f", "json", "--lang", language]
        run = CliRunner().invoke(dam, arguments)
        assert run.exit_code == 0, run.output
        data = json.loads(run.stdout)
        ranked = [(each["id"], each["status"], each["score"]) for each in data["hypotheses"]]
        following = [each["measurement"] for each in data["next_measurements"]]
        found.append((data["status"], data["binding"] and data["binding"]["hypothesis"], ranked, following))
    assert found[0] == found[1] == found[2]


def test_an_interval_knows_its_ends() -> None:
    """A range that lies on both sides of a limit settles nothing."""
    diagnosis = diagnosed({"input_gap_share": [0.1, 0.6]})
    assert diagnosis.binding is None
    assert of({"input_gap_share": [0.1, 0.6]}).columns.number(bare("input_gap_share")) == Interval(0.1, 0.6)
