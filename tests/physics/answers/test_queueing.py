"""A stage as an answer: the checkpoint's serving question, models by variation, targets and Little's law."""

from __future__ import annotations

import dataclasses
import math

import pytest

from dam_expert.physics.answers.queueing import Stage, queue, waits

MODELS = [
    pytest.param({}, "M/M/1", 1.0, id="random"),
    pytest.param({"service_variation": 0.0}, "M/D/1", 0.5, id="constant service"),
    pytest.param({"service_variation": 2.0}, "M/G/1", 2.5, id="heavy tail"),
    pytest.param({"arrival_variation": 0.0, "service_variation": 0.0}, "G/G/1, Kingman", 0.0, id="no variation"),
]


@pytest.mark.parametrize(("changes", "model", "factor"), MODELS)
def test_the_model_follows_from_the_variations(changes, model, factor):
    """The wait scales with the mean of both squared variations, and the simplest model that holds is named."""
    plain = Stage(arrivals_per_s=0.8, service_s=1.0)
    found = waits(dataclasses.replace(plain, **changes))
    assert (found.model, found.queue_s) == (model, pytest.approx(4.0 * factor))


def test_servers():
    """Several servers share one queue; other variations scale its wait after Allen and Cunneen."""
    both = Stage(arrivals_per_s=1.5, service_s=1.0, servers=2)
    assert (waits(both).model, round(waits(both).queue_s, 4)) == ("M/M/2", 1.2857)
    even = waits(dataclasses.replace(both, service_variation=0.0))
    assert (even.model, even.queue_s) == ("G/G/2, Allen-Cunneen", pytest.approx(waits(both).queue_s / 2))


def test_percentiles_only_where_theory_has_them():
    """p99 is given for M/M/1 alone, 4.6 times the mean."""
    found = waits(Stage(arrivals_per_s=0.8, service_s=1.0))
    assert round(found.p99_s, 1) == 23.0
    assert waits(Stage(arrivals_per_s=0.8, service_s=1.0, servers=2)).p99_s is None


def test_the_timeout_caps_the_wait_for_a_batch():
    """With a timeout of 10 ms the first request waits that long, and smaller batches load the server more."""
    found = waits(Stage(arrivals_per_s=60, service_s=0.020, batch=16, timeout_s=0.010))
    assert (found.first_formation_s, found.load) == (0.010, pytest.approx(0.75))
    assert found.formation_s == pytest.approx(0.010 * (1 + 0.6 / 2) / 1.6)


def test_the_response_is_that_of_the_mean_request():
    """Of a full batch the mean request waits half as long as the first, and a long timeout changes nothing."""
    stage = Stage(arrivals_per_s=60, service_s=0.020, batch=16)
    found = waits(stage)
    assert (found.first_formation_s, found.formation_s) == (0.25, 0.125)
    assert found.response_s == pytest.approx(0.125 + found.queue_s + 0.020)
    assert waits(dataclasses.replace(stage, timeout_s=9.0)) == found


def test_the_fewest_arrivals_that_meet_a_target():
    """Where batches fill slowly a low rate misses it: named is the rate from which it is met; one by one, any is."""
    stage = Stage(arrivals_per_s=10, service_s=0.020, batch=16)
    least = queue(stage, target_s=0.1).least_arrivals_per_s
    assert waits(dataclasses.replace(stage, arrivals_per_s=least)).response_s == pytest.approx(0.1)
    assert waits(dataclasses.replace(stage, arrivals_per_s=least * 0.99)).response_s > 0.1
    assert queue(dataclasses.replace(stage, batch=1), target_s=0.1).least_arrivals_per_s == 0.0
    assert queue(dataclasses.replace(stage, timeout_s=0.01), target_s=0.1).least_arrivals_per_s == 0.0


@pytest.mark.parametrize("batch", [1, 16], ids=["single", "batched"])
def test_the_most_arrivals_meet_the_target(batch):
    """At the named rate the mean response is the target; one per cent above, it is missed."""
    stage = Stage(arrivals_per_s=10, service_s=0.020, batch=batch)
    most = queue(stage, target_s=0.1).most_arrivals_per_s
    assert waits(dataclasses.replace(stage, arrivals_per_s=most)).response_s == pytest.approx(0.1)
    assert waits(dataclasses.replace(stage, arrivals_per_s=most * 1.01)).response_s > 0.1


def test_a_target_below_the_service_time():
    """No rate of arrivals meets a target that the service alone exceeds."""
    assert queue(Stage(arrivals_per_s=10, service_s=0.020), target_s=0.010).most_arrivals_per_s == 0.0


def test_an_endless_queue():
    """Above full load the response has no end, and a lever that does not help gains nothing."""
    answer = queue(Stage(arrivals_per_s=400, service_s=0.012))
    assert (answer.is_stable, answer.waits.response_s) == (False, math.inf)
    assert {lever.gain for lever in answer.levers} == {1.0}


def test_littles_law():
    """Measured values are held against each other."""
    flow = queue(Stage(arrivals_per_s=60, service_s=0.012), in_system=3.0, response_s=0.05).flow
    assert flow.ratio == pytest.approx(1.0)
