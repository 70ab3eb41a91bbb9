"""What is remembered of one answer for the next, and what is worked out without imagining worlds, is the same."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from dam_expert import load_knowledge
from dam_expert.documents.incident import Absence, Incident, Tried
from dam_expert.documents.observations import Origin
from dam_expert.engine import expecting
from dam_expert.engine.belief import belief, beliefs_now
from dam_expert.engine.cases import stages_of
from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.evaluate import evaluate
from dam_expert.engine.next_measurement import next_measurements
from dam_expert.engine.waiting import open_rules
from dam_expert.engine.worlds import worlds_of


@pytest.fixture(scope="module")
def shipped():
    """Return the base of the project, a way to evaluate, and the begin and end of every fourth case."""
    base, _ = load_knowledge()
    executor = CountingExecutor(base.program)
    cases = list(base.cases.values())[::4]
    stages = [[incident for incident, _ in stages_of(base, case)] for case in cases]
    incidents = [incident for each in stages for incident in (each[0], each[-1])]
    return base, lambda incident: evaluate(base, incident, executor), incidents


def following(evaluated):
    return next_measurements(evaluated, open_rules(evaluated))


def anew(evaluated):
    """Return what to measure next with nothing remembered."""
    expecting._latest.cache_clear()
    return following(evaluated)


def test_after_what_nobody_could_answer_the_rest_is_worth_what_it_was(shipped):
    """Question by question, whatever the absence: the same order and texts as of an incident never seen before."""
    _, evaluated_of, incidents = shipped
    compared = 0
    for incident in incidents:
        expecting._latest.cache_clear()
        for absence in Absence:
            found = following(evaluated_of(incident))
            assert found == anew(evaluated_of(incident))
            following(evaluated_of(incident))  # remembered again, for the next answer
            if not found:
                break
            answers = dict(incident.answers) | {found[0].measurement: absence}
            incident = dataclasses.replace(incident, answers=tuple(sorted(answers.items())))
            compared += 1
    assert compared > 60


def test_a_value_makes_everything_new(shipped):
    """Between two stages of a case something became known, or was tried: nothing of the first is used in the second."""
    _, evaluated_of, incidents = shipped
    for begin, end in zip(incidents[::2], incidents[1::2], strict=True):
        expecting._latest.cache_clear()
        following(evaluated_of(begin))
        then = following(evaluated_of(end))
        assert then == anew(evaluated_of(end))


def test_nothing_is_imagined_for_what_nobody_could_answer(shipped, monkeypatch):
    """Where nothing else became known, no world is run again."""
    _, evaluated_of, incidents = shipped
    incident = incidents[0]
    first = anew(evaluated_of(incident))[0].measurement
    monkeypatch.setattr(expecting, "worlds_of", lambda *_: pytest.fail("worlds were imagined again"))
    following(evaluated_of(dataclasses.replace(incident, answers=((first, Absence.UNKNOWN),))))


def test_belief_by_the_rules_that_fired_is_belief_in_the_world_that_is(shipped):
    """On every incident, also where a lever was tried in vain, which weakens causes but is no rule."""
    base, evaluated_of, incidents = shipped
    tried = Tried(lever=next(iter(base.levers)), effect="nothing", origin=Origin(file="i"))
    for incident in (*incidents, *(dataclasses.replace(each, tried=(*each.tried, tried)) for each in incidents)):
        evaluated = evaluated_of(incident)
        names = [h.id for h in base.hypotheses.values() if h.id in beliefs_now(evaluated)]
        imagined = belief(evaluated, worlds_of(evaluated, ()))[0][:-1]
        if evaluated.standings.own.isdisjoint(names):
            assert np.allclose(imagined, [beliefs_now(evaluated)[name] for name in names], rtol=0, atol=1e-15)


def test_an_empty_incident_believes_in_what_is_common(shipped):
    """Before anything is known belief follows how often causes are met, and leaves something to none of them."""
    base, evaluated_of, _ = shipped
    believed = beliefs_now(evaluated_of(Incident(id="i", file="i")))
    prior = {name: base.hypotheses[name].model.prior for name in believed}
    common = {believed[name] for name in believed if prior[name] == "common"}
    rare = {believed[name] for name in believed if prior[name] == "rare"}
    assert min(common) == pytest.approx(4 * max(rare))
    assert 0.0 < sum(believed.values()) < 1.0
