"""What is said of an intervention, and how the target is told anew: nothing of it is lost on the way."""

from __future__ import annotations

import pytest
from session.dialogue import STEP, TRAINING, conversation, dialogue

from dam_expert.documents.incident import Effect
from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.session.intervening import effect_of
from dam_expert.session.state import TARGET


@pytest.mark.parametrize(
    ("language", "text", "seconds"),
    [
        ("en", "from 400 ms to 310 ms", 0.31),
        ("en", "it went from 400 to 310 ms", 0.31),
        ("en", "step time went from 400 ms to 310 ms", 0.31),
        ("en", "step time is 190 ms", 0.19),
        ("zh", "从 400 毫秒降到 310 毫秒", 0.31),
        ("vi", "từ 400 ms xuống 310,5 ms", 0.3105),
    ],
)
def test_a_move_at_the_effect_is_what_the_target_was_and_became(language: str, text: str, seconds: float) -> None:
    state, _, _ = dialogue(STEP, "did more workers", text, language=language)
    after = state.incident.interventions[-1].after
    assert [(one.measurement, one.value) for one in after] == [("step_time", Interval.point(seconds))]
    assert state.incident.interventions[-1].kept


def test_without_a_target_a_move_is_a_factor_and_a_value_is_kept() -> None:
    state, said, _ = dialogue("unknown", "did more workers", "from 400 ms to 310 ms")
    assert "The target is 1.29× as good as before the change." in said
    assert state.pending_lever is None
    state, said, _ = dialogue("unknown", "did more workers", "step time is 190 ms")
    assert "Step time: 190 ms." in said
    assert state.incident.interventions[-1].kept is None


def test_a_second_change_waits_for_the_effect_of_the_first() -> None:
    state, said, _ = dialogue(STEP, "did more workers", "did pinned memory")
    assert state.pending_lever == "more_loader_workers"
    assert any(line.startswith('First say what "More loader workers" did') for line in said)


def test_a_hedged_value_is_asked_for_exactly() -> None:
    state, said, _ = dialogue(STEP, "did more workers", "about 195 ms")
    assert "change step_time VALUE" in " ".join(said)
    exact, _, _ = dialogue("change step_time 195 ms", state=state)
    assert conversation().diagnosis(exact).status == "resolved"


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("twice as fast", Effect.HELPED),
        ("gấp 2,4 lần", Effect.HELPED),
        ("快 20%", Effect.HELPED),
        ("about the same", Effect.NOTHING),
        ("2x slower", Effect.WORSE),
        ("1,3x", Interval.point(1.3)),
        ("2.4 倍", Interval.point(2.4)),
    ],
)
def test_a_factor_in_words_is_a_word(text: str, effect: Interval | Effect) -> None:
    assert effect_of(text) == effect


@pytest.mark.parametrize("text", ["twice as fast", "gấp 2,4 lần", "快了一倍", "it was doubled"])
def test_words_for_a_factor_never_decide(text: str) -> None:
    state, _, _ = dialogue(STEP, f"change cached_pass_speedup {text}")
    assert state.incident.observations[-1].basis is Basis.SAID
    before, _, _ = dialogue(STEP)
    told, now = (
        {one.id for one in conversation().diagnosis(each).hypotheses if one.status == "confirmed"}
        for each in (before, state)
    )
    assert now == told


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "change target step time is 300 ms, wanted 100 ms"),
        ("en", "change target 300 ms, wanted 100 ms"),
        ("en", "change the target: 300 ms, wanted 100 ms"),
        ("zh", "改 目标 步时 300 毫秒，目标 100 毫秒"),
        ("zh", "改 目标：300 毫秒，目标 100 毫秒"),
        ("vi", "đổi mục tiêu thời gian bước 300 ms, cần 100 ms"),
    ],
)
def test_the_target_is_changed_at_once(language: str, text: str) -> None:
    state, _, _ = dialogue(STEP, text, language=language)
    target = state.incident.target
    assert target is not None
    assert (target.metric, target.actual, target.wanted) == ("step_time", Interval.point(0.3), Interval.point(0.1))


def test_the_old_target_stays_until_another_is_understood() -> None:
    asked, _, _ = dialogue(STEP, "change target")
    assert conversation().question(asked).id == TARGET
    known = asked.incident.target
    assert known is not None
    refused, _, _ = dialogue("bananas", state=asked)
    assert refused.incident.target == known
    assert conversation().question(refused).id == TARGET
    passed, _, _ = dialogue("unknown", state=asked)
    assert passed.incident.target == known
    assert conversation().question(passed).id != TARGET
    other, _, _ = dialogue("p99 2 s, want 1 s", state=asked)
    assert other.incident.target is not None
    assert other.incident.target.metric == "request_p99"
    undone, _, _ = dialogue("undo", state=other)
    assert undone.incident.target == known


def test_what_is_not_told_anew_of_the_target_stays() -> None:
    state, _, _ = dialogue(STEP, "change target 300 ms")
    assert state.incident.target is not None
    assert (state.incident.target.actual, state.incident.target.wanted) == (Interval.point(0.3), Interval.point(0.2))
    state, _, _ = dialogue(STEP, "change target wanted 150 ms")
    assert state.incident.target is not None
    assert (state.incident.target.actual, state.incident.target.wanted) == (Interval.point(0.4), Interval.point(0.15))


def test_an_entry_point_is_chosen_anew_by_its_number() -> None:
    state, _, _ = dialogue(STEP, "change target", "2", "1.2 s, wanted 800 ms")
    assert state.incident.target is not None
    assert state.incident.target.metric == "request_p99"


def test_a_measurement_whose_name_begins_with_target_is_none() -> None:
    state, _, _ = dialogue(STEP, "change target_achievement 0.8x")
    assert state.incident.observations[-1].measurement == "target_achievement"
    assert state.incident.target is not None


def test_what_was_measured_before_a_change_does_not_contradict_what_was_measured_after_it() -> None:
    """After two changes only the later of two older values is shown, as stale: neither contradicts the other."""
    state, _, _ = dialogue(
        STEP,
        "input_gap_share = 40 %",
        "did more workers",
        "310 ms",
        "input_gap_share = 20 %",
        "did pinned memory",
        "280 ms",
    )
    diagnosis = conversation().diagnosis(state)
    assert not [one for one in diagnosis.rejected if "contradict" in (one.reason or "")]
    shown = [one for one in diagnosis.observations if one.measurement == "input_gap_share"]
    assert [(one.value[0] if isinstance(one.value, list) else one.given) for one in shown] in ([0.2], ["20 %"])


def test_what_is_resolved_is_said_to_gain_no_more() -> None:
    _, said, _ = dialogue(STEP, "did more workers", "190 ms")
    assert "Resolved: the last measurement meets the target." in said
    assert not any("removing it" in line for line in said)


def test_a_plan_is_wasted_only_if_what_leads_is_what_binds() -> None:
    _, said, _ = dialogue(STEP, "input_gap_share = about 40 %", "plan buy H100")
    told = " ".join(said)
    assert "would be wasted if this binds, which is not proven: The device waits for input." in told
    assert "wasted here" not in told
    _, said, _ = dialogue(STEP, "input_gap_share = 60 %", "plan buy H100")
    assert "would be wasted" not in " ".join(said)


def test_what_was_read_of_a_paste_is_named() -> None:
    scrape = (
        'vllm:request_queue_time_seconds_sum{m="m"} 54.0\nvllm:request_queue_time_seconds_count{m="m"} 30.0\n'
        'vllm:e2e_request_latency_seconds_sum{m="m"} 90.0\nvllm:e2e_request_latency_seconds_count{m="m"} 30.0'
    )
    _, said, _ = dialogue(*TRAINING, "<<<", *scrape.splitlines(), ">>>")
    place = next(at for at, line in enumerate(said) if line.startswith("Read: "))
    assert "Time in the queue" in " ".join(said[place + 1 : place + 3])
    assert "= 1.8 s" in " ".join(said[place + 1 : place + 3])


def test_a_fact_is_shown_once() -> None:
    _, said, _ = dialogue("our training is slow, the GPU waits for data", "1", "unknown", "show")
    assert sum(line.strip().startswith("workload_kind =") for line in said) == 1
