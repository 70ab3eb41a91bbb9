"""Comparisons: a difference is called only beyond the noise, and a local gain is no gain."""

from __future__ import annotations

import pytest
from sample_diagnoses import BETTER, CONFIRMED, MOVED, UNDETERMINED

from dam_expert import load_knowledge
from dam_expert.documents.diagnosis import ObservationReport
from dam_expert.documents.incident import incident_from
from dam_expert.documents.observations import Origin
from dam_expert.engine.diagnose import diagnose
from dam_expert.reports import to_text
from dam_expert.reports.comparing import compare
from dam_expert.reports.comparison import build_comparison


def _timed(seconds, *, spread=None, of=CONFIRMED):
    """Return a diagnosis whose target stands at a number of seconds."""
    seen = [] if spread is None else [_observed("step_time_spread", spread)]
    target = of.target.model_copy(update={"actual": seconds})
    return of.model_copy(update={"target": target, "observations": seen, "budget": None})


def _observed(measurement, value):
    return ObservationReport(
        measurement=measurement, value=value, given=None, basis="tool", scope={}, origin="x", tool=None, detail=None
    )


@pytest.mark.parametrize(
    ("before", "after", "noise", "outcome", "source"),
    [
        pytest.param([0.2], [0.1], None, "unclear", None, id="one number each says nothing of noise"),
        pytest.param([0.2], [0.1], 0.05, "better", "given", id="beyond the stated noise"),
        pytest.param([0.1], [0.2], 0.05, "worse", "given", id="worse beyond the stated noise"),
        pytest.param([0.2], [0.19], 0.05, "same", "given", id="within the stated noise"),
        pytest.param([(0.19, 0.21)], [(0.1, 0.12)], None, "better", "range", id="ranges apart"),
        pytest.param([(0.1, 0.2)], [(0.15, 0.25)], None, "same", "range", id="ranges overlap"),
        pytest.param([0.20, 0.21, 0.22], [0.1, 0.11, 0.12], None, "better", "repeats", id="three repeats apart"),
        pytest.param([0.20, 0.21], [0.1, 0.11], None, "unclear", "repeats", id="two repeats are too few"),
        pytest.param([0.1, 0.2, 0.3], [0.15, 0.16, 0.17], None, "same", "repeats", id="repeats overlap"),
    ],
)
def test_outcome(before, after, noise, outcome, source):
    """What is called depends on what is known of the noise, and how that is known is in the document."""
    sides = [[_timed(seconds) for seconds in side] for side in (before, after)]
    comparison = compare(*sides, noise=noise, chance=0.1)
    assert (comparison.outcome, comparison.metric.before.source) == (outcome, source)


def test_chance_of_repeats():
    """Three repeats of equal runs lie wholly apart in 2 of 20 orders."""
    sides = [[_timed(seconds) for seconds in side] for side in ((0.2, 0.21, 0.22), (0.1, 0.11, 0.12))]
    assert compare(*sides, chance=0.1).metric.chance == 0.1
    assert compare(*sides, chance=0.05).outcome == "unclear"


def test_noise_of_single_steps():
    """The longest step over the mean is the noise where nothing better is known."""
    comparison = compare([_timed(0.2, spread=1.1)], [_timed(0.1, spread=1.2)], chance=0.1)
    assert (comparison.outcome, comparison.metric.before.noise, comparison.metric.after.noise) == ("better", 0.1, 0.2)
    assert comparison.metric.gain == pytest.approx(2.0)  # that of the means, which vary less than single steps


def test_within_the_noise_of_single_steps_nothing_is_called():
    """Their mean varies less than they do: a difference that they hide may be one, so it is no 'no difference'."""
    comparison = compare([_timed(0.2, spread=1.4)], [_timed(0.21, spread=1.4)], chance=0.1)
    assert comparison.outcome == "unclear"
    told = to_text(build_comparison(comparison), width=200)
    assert "single steps vary by more than that (40 %, 40 %)" in told
    assert "--noise '3 %'" in told


def test_the_budget_of_a_stated_target_is_in_seconds():
    """A target that is the total of a budget need not be observed as well; parts that nobody knows are not listed."""
    base, _ = load_knowledge()
    sides = []
    for actual, gap in (("180 ms", "45 %"), ("150 ms", "30 %")):
        data = {"target": {"metric": "step_time", "actual": actual}, "observations": {"input_gap_share": gap}}
        incident, _ = incident_from(data, base.names, lambda _: Origin(file="i.dam.yaml"))
        sides.append([diagnose(base, incident)])
    budget = compare(*sides, chance=0.1).budget
    assert (budget.before_s, budget.after_s) == (0.18, 0.15)
    rows = [line for line in to_text(build_comparison(compare(*sides, chance=0.1))).splitlines() if "unknown" in line]
    assert rows == ["  Actual: 1.2×, with unknown noise."]


def test_higher_may_be_better():
    """For a throughput more is better, and the gain is above 1 all the same."""
    sides = []
    for rate in (100.0, 150.0):
        target = CONFIRMED.target.model_copy(update={"metric": "throughput", "actual": rate, "higher_is_better": True})
        sides.append([CONFIRMED.model_copy(update={"target": target})])
    comparison = compare(*sides, noise=0.0, chance=0.1)
    assert (comparison.outcome, comparison.metric.gain) == ("better", 1.5)


def test_nothing_in_common():
    """Without a common target or total nothing is compared, and nothing is called."""
    comparison = compare([UNDETERMINED], [CONFIRMED], chance=0.1)
    assert (comparison.outcome, comparison.metric, comparison.prediction) == ("incomparable", None, None)


def test_the_total_stands_in_for_a_target():
    """Two traces without a target are compared on the time of a step."""
    sides = [[each.model_copy(update={"target": None})] for each in (CONFIRMED, BETTER)]
    comparison = compare(*sides, noise=0.02, chance=0.1)
    assert (comparison.outcome, comparison.metric.metric) == ("better", "step_time")


def test_predicted_and_actual():
    """Of the time that removing the constraint could save, the part that was saved is told."""
    prediction = compare([CONFIRMED], [BETTER], noise=0.02, chance=0.1).prediction
    assert (prediction.ceiling, prediction.exceeded) == (1.84, False)
    assert prediction.reached == pytest.approx((1 - 0.11 / 0.176) / (1 - 1 / 1.84))


def test_the_lever_that_was_pulled():
    """Where the caller says what was done, the ceiling of that lever is what was predicted."""
    prediction = compare([CONFIRMED], [BETTER], noise=0.02, chance=0.1, lever="more_loader_workers").prediction
    assert (prediction.lever, prediction.title) == ("more_loader_workers", "More loader workers")


def test_more_than_the_ceiling():
    """A gain above the ceiling says that something else changed."""
    assert compare([_timed(0.2)], [_timed(0.05)], noise=0.0, chance=0.1).prediction.exceeded


def test_local_gain():
    """A part that shrank beyond the noise while the target did not, and a cause that is gone, are local gains."""
    gains = compare([CONFIRMED], [MOVED], noise=0.03, chance=0.1).local_gains
    assert [(gain.kind, gain.id, gain.saved_s) for gain in gains] == [
        ("part", "input", 0.0766),
        ("cause", "input_bound", None),
    ]


@pytest.mark.parametrize(
    ("after", "noise"),
    [
        pytest.param(BETTER, 0.03, id="the target improved"),
        pytest.param(MOVED, None, id="the noise is not known"),
    ],
)
def test_no_local_gain(after, noise):
    """Where the target improved, or nobody can tell, nothing is called a local gain."""
    assert compare([CONFIRMED], [after], noise=noise, chance=0.1).local_gains == []


def test_a_part_that_shrank_by_less_than_the_noise_is_no_local_gain():
    """The noise of the whole bounds what can be said of a part."""
    gains = compare([CONFIRMED], [MOVED], noise=0.3, chance=0.1).local_gains
    assert [gain.kind for gain in gains] == ["cause"]


def test_settings_that_differ():
    """What describes the job and differs is listed, because it may be the reason."""
    sides = [[CONFIRMED.model_copy(update={"observations": [_observed("batch_size", size)]})] for size in (64.0, 128.0)]
    changes = compare(*sides, settings={"batch_size"}, chance=0.1).settings
    assert [(each.measurement, each.before, each.after) for each in changes] == [("batch_size", 64.0, 128.0)]


def test_what_moved():
    """Hypotheses whose standing changed are listed with both ranks."""
    moved = {each.id: each for each in compare([CONFIRMED], [BETTER], chance=0.1).hypotheses}
    change = moved["input_bound"]
    assert (change.before, change.after, change.before_rank, change.after_rank) == ("confirmed", "refuted", 1, 2)
    assert (moved["memory_bound"].after, "host_bound" in moved) == (None, False)


def test_what_nobody_measured_again_is_no_local_gain():
    """A cause that is only not confirmed any more, because nothing of it was measured, did not go away."""
    silent = MOVED.model_copy(
        update={
            "budget": None,
            "hypotheses": [each.model_copy(update={"status": "candidate", "share": None}) for each in MOVED.hypotheses],
        }
    )
    comparison = compare([CONFIRMED], [silent], noise=0.03, chance=0.1)
    assert comparison.local_gains == []
    assert "candidate, not measured" in to_text(build_comparison(comparison))


def test_a_step_of_other_work_is_not_compared():
    """A step that is shorter because its batch is smaller is no better."""
    sides = [
        _timed(seconds).model_copy(update={"observations": [_observed("batch_size", size)]})
        for seconds, size in ((0.2, 64.0), (0.1, 32.0))
    ]
    comparison = compare([sides[0]], [sides[1]], settings={"batch_size"}, noise=0.03, chance=0.1)
    assert comparison.outcome == "incomparable"
    assert comparison.prediction.reached is None
    said = " ".join(to_text(build_comparison(comparison)).split())
    assert "not the same work (batch_size 64 → 32)" in said


def test_a_verdict_says_what_else_differs_and_whether_the_target_is_met():
    """Neither a gain that has two causes nor one that is not enough stands as plain success."""
    sides = [
        _timed(seconds).model_copy(update={"observations": [_observed("num_workers", count)]})
        for seconds, count in ((0.2, 0.0), (0.15, 8.0))
    ]
    comparison = compare([sides[0]], [sides[1]], settings={"num_workers"}, noise=0.03, chance=0.1)
    verdict = build_comparison(comparison).brief[0]
    assert verdict.startswith("Better: ")
    assert "is still missed. Between them differ: num_workers 0 → 8;" in verdict
    met = compare([_timed(0.2)], [_timed(0.05)], noise=0.03, chance=0.1)
    assert "is met." in build_comparison(met).brief[0]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        pytest.param((0.2, 0.2), (0.4, 0.4), "is still missed.", id="never met"),
        pytest.param((0.05, 0.05), (0.4, 0.4), "was met before and is missed now.", id="met before"),
        pytest.param((0.08, 0.12), (0.4, 0.4), "Before, a part of the values met", id="met at times before"),
        pytest.param((0.4, 0.4), (0.08, 0.12), "lie on both sides of the target", id="met at times now"),
        pytest.param((0.08, 0.12), (0.05, 0.05), "is met.", id="met now"),
    ],
)
def test_a_target_that_was_met_is_not_still_missed(before, after, said):
    """What is said of the target follows from both sides, and a range that reaches across it is told."""
    sides = []
    for lowest, highest in (before, after):
        timed = _timed(lowest)
        target = timed.target.model_copy(update={"actual": (lowest, highest), "wanted": 0.1})
        sides.append(timed.model_copy(update={"target": target}))
    comparison = compare([sides[0]], [sides[1]], noise=0.03, chance=0.1)
    verdict = build_comparison(comparison).brief[0]
    assert said in verdict
    assert ("still" in verdict) == (said == "is still missed.")


def test_where_the_time_went_instead():
    """A local gain names the part that took what was saved."""
    budget = MOVED.budget.model_copy(
        update={
            "parts": [
                MOVED.budget.parts[0],
                MOVED.budget.parts[1].model_copy(update={"seconds": 0.15, "share": 0.15 / 0.175}),
            ]
        }
    )
    comparison = compare([CONFIRMED], [MOVED.model_copy(update={"budget": budget})], noise=0.03, chance=0.1)
    assert "Instead 'device busy' takes 80 ms more." in build_comparison(comparison).brief[1]
