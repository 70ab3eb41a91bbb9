"""What people say in their own words: targets, values, choices, names and plans, in three languages."""

from __future__ import annotations

import dataclasses

import pytest
from session.dialogue import TRAINING, base, begun, conversation, dialogue

from dam_expert.documents.incident import Incident, Planned, Target
from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Origin
from dam_expert.session.errors import AnswerError
from dam_expert.session.naming import thing_named
from dam_expert.session.outputs import read_output
from dam_expert.session.state import State
from dam_expert.session.targets import answer_target


@pytest.mark.parametrize(
    ("text", "metric", "actual", "wanted"),
    [
        ("p99 from 2.4 s down to 0.8 s", "request_p99", 2.4, 0.8),  # what is wished
        ("p99 went from 0.8 s to 2.4 s", "request_p99", 2.4, 0.8),  # what got worse is to be as it was
        ("p99 went from 2.4 s to 0.8 s", "request_p99", 0.8, None),  # what got better is what there is
        ("p99 went from 0.6 s to 2.4 s, want 1 s", "request_p99", 2.4, 1),  # a wish beats what it was
        ("p99 went from 2.4 s to 0.8 s, we need 0.5 s", "request_p99", 0.8, 0.5),
        ("a step takes about 400 ms, it used to be 190 ms", "step_time", 0.4, 0.19),
        ("step time is 400 ms (was 190 ms)", "step_time", 0.4, 0.19),
        ("it used to take 190 ms per step, now 400 ms", "step_time", 0.4, 0.19),
        ("step time is 400 ms, data loading was 20 ms before", "step_time", 0.4, None),  # of something else
        ("p99 首字延迟从 0.8 秒涨到 3 秒，目标 1 秒", "time_to_first_token_p99", 3, 1),
        ("步时大约 400 毫秒，以前是 190 毫秒", "step_time", 0.4, 0.19),
        ("p99 TTFT tăng từ 0,6 giây lên 2,4 giây, muốn dưới 1 giây", "time_to_first_token_p99", 2.4, 1),
        ("thời gian bước khoảng 400 ms, trước đây là 190 ms", "step_time", 0.4, 0.19),
        ("step time should go from 180 ms to 110 ms", "step_time", 0.18, 0.11),
        ("step time was 110 ms before and is 180 ms now", "step_time", 0.18, 0.11),
        ("tokens per second dropped from 2000 to 1200", "token_rate", 1200, 2000),
        ("throughput 1.2k tok/s, need 2k tok/s", "token_rate", 1200, 2000),  # the unit names the metric
        ("we get 1.2k tok/s but need 2k tok/s", "token_rate", 1200, 2000),
        ("450 samples/s instead of 900", "throughput", 450, 900),
        ("180 ms per step, want 110", "step_time", 0.18, 0.11),
        ("training costs $12000, budget is $8000", "training_cost", 12000, 8000),
        ("cost per million tokens is $3, wanted $1", "unit_cost", 3, 1),
        ("p99 从 0.8 秒涨到 2.4 秒", "request_p99", 2.4, 0.8),
        ("步时从 180 毫秒降到 110 毫秒才行", "step_time", 0.18, 0.11),
        ("吞吐 1200 词元/秒，要 2000", "token_rate", 1200, 2000),
        ("每秒 450 张图片，需要 900", "throughput", 450, 900),
        ("训练成本 12000 美元，预算 8000", "training_cost", 12000, 8000),
        ("p99 tăng từ 0,8 giây lên 2,4 giây", "request_p99", 2.4, 0.8),
        ("thời gian bước từ 110 ms thành 180 ms", "step_time", 0.18, 0.11),
        ("thông lượng 1200 token/giây, cần 2000", "token_rate", 1200, 2000),
        ("một epoch mất 5 giờ thay vì 3 giờ", "epoch_time", 18000, 10800),
        ("chi phí 12000 USD, ngân sách 8000 USD", "training_cost", 12000, 8000),
    ],
)
def test_targets(text: str, metric: str, actual: float, wanted: float | None) -> None:
    found = answer_target(conversation(), begun(), text).state.incident.target
    assert found is not None
    assert found.metric == metric
    assert found.actual is not None
    assert (found.actual.lo, found.actual.hi) == pytest.approx((actual, actual))
    assert (found.wanted is None) is (wanted is None)
    assert found.wanted is None or (found.wanted.lo, found.wanted.hi) == pytest.approx((wanted, wanted))


@pytest.mark.parametrize(
    ("language", "text"), [("zh", "p99 首字延迟从 0.8 秒涨到 4 秒"), ("en", "p99 ttft went from 0.8 s to 4 s")]
)
def test_what_the_target_became_is_taken_at_any_question_and_the_wish_stays(language: str, text: str) -> None:
    state, _, _ = dialogue("2", "p99 ttft 3 s, want 1 s", text, language=language)
    target = state.incident.target
    assert target is not None
    assert target.actual == Interval.point(4)
    assert target.wanted == Interval.point(1)


def test_a_move_is_a_factor_where_one_is_asked_for() -> None:
    state, _, _ = dialogue(
        "step time is 400 ms, wanted 200 ms", "change cached_pass_speedup", "step time went from 400 ms to 600 ms"
    )
    assert state.incident.target is not None
    assert state.incident.target.actual == Interval.point(0.4)


def test_tenths_are_hedged_in_a_target() -> None:
    found = answer_target(conversation("zh"), begun(), "MFU 只有两成，目标四成半").state.incident.target
    assert found is not None
    assert found.actual is not None
    assert (found.actual.lo, found.actual.hi) == pytest.approx((0.16, 0.24))


def test_words_of_a_category_are_listed_with_their_meaning_and_taken_by_number_or_meaning() -> None:
    state, said, _ = dialogue(*TRAINING, "change collective_transport", "6")
    assert "6  socket: TCP sockets" in said
    assert state.incident.observations[-1].value == "socket"
    meant, _, _ = dialogue(*TRAINING, "change collective_transport", "TCP 套接字", language="zh")
    assert meant.incident.observations[-1].value == "socket"
    _, refused, _ = dialogue(*TRAINING, "change collective_transport", "9")
    assert "Choose a number from 1 to 6." in refused


def test_a_bottleneck_names_its_only_root() -> None:
    words = conversation().words(begun())
    alone = dataclasses.replace(base(), hypotheses={"serial_depth": base().hypotheses["serial_depth"]})
    assert thing_named(alone, words, "serial_bound").id == "serial_depth"
    with pytest.raises(AnswerError) as raised:
        thing_named(base(), words, "queue")
    assert "request_queueing" in raised.value.told(words)


def test_a_name_like_none_is_answered_with_the_nearest() -> None:
    words = conversation().words(begun())
    with pytest.raises(AnswerError) as raised:
        thing_named(base(), words, "queue_thingy")
    assert "queue_time" in raised.value.told(words)


@pytest.mark.parametrize("plan", ["buy faster cards", "we want to buy 8 H100", "mua H100", "买 H100"])
def test_a_plan_of_the_incident_is_judged_as_one_that_is_typed(plan: str) -> None:
    """The same levers are moved and the same is said, whether a plan stands in the file or is typed."""
    target = Target(metric="step_time", actual=Interval.point(0.18), wanted=Interval.point(0.11))
    origin = Origin(file="t.dam.yaml")
    blank = State(incident=Incident(id="t", file="t.dam.yaml", target=target))
    given = State(
        incident=Incident(id="t", file="t.dam.yaml", target=target, planned=(Planned(lever=plan, origin=origin),))
    )
    _, opened, _ = dialogue(state=given)
    _, typed, _ = dialogue(f"plan {plan}", state=blank)
    verdicts = [line for line in typed if "wasted here" in line or "Acting before" in line or "crutch" in line]
    assert verdicts
    assert set(verdicts) <= set(opened)


def test_a_plan_that_names_nothing_is_said_at_the_opening() -> None:
    origin = Origin(file="t.dam.yaml")
    state = State(incident=Incident(id="t", file="t.dam.yaml", planned=(Planned(lever="do yoga", origin=origin),)))
    _, said, _ = dialogue("", state=state)
    assert "The plan 'do yoga' names no lever that is known." in said


def test_what_words_pointed_to_outlives_words_about_something_else() -> None:
    state, _, _ = dialogue("our vLLM server is slow, requests wait in the queue", "p99 went from 0.8 s to 2.4 s")
    pointed = [one.value for one in state.incident.observations if one.measurement == "suspected_queueing"]
    assert [value.lo for value in pointed if isinstance(value, Interval)] == [1.0]


def test_what_a_reader_says_is_told_in_the_language_of_the_session() -> None:
    scrape = 'vllm:request_queue_time_seconds_sum{m="m"} 54.0\nvllm:request_queue_time_seconds_count{m="m"} 30.0\n'
    talk = conversation("zh")
    read = read_output(talk, talk.words(begun()), scrape)
    assert read is not None
    assert any("单次抓取" in item.text for item in read.items)
    assert not any("scrape again" in item.text for item in read.items)


def test_what_if_stands_side_by_side() -> None:
    _, said, _ = dialogue("2", "p99 2.4 s, wanted 800 ms", "what if queue_time = 1.8 s, request_time = 2 s")
    verdict = next(line for line in said if line.strip().startswith("Verdict"))
    assert "Undetermined" in verdict
    assert "Likely, not proven" in verdict


def test_a_target_is_taken_at_any_question() -> None:
    state, said, _ = dialogue("3", "accuracy 71 %, want 76 %")
    assert "Accuracy is 71 %, wanted 76 %." in said
    assert state.incident.target is not None
    assert state.incident.target.metric == "accuracy"
    assert str(state.incident.target.track) == "quality"


def test_a_place_in_no_list_is_no_word() -> None:
    state, said, _ = dialogue("unknown", "change workload_kind", "2")
    assert "Answer with a word, as the question says, or unknown." in said
    assert not [one for one in state.incident.observations if one.measurement == "workload_kind"]


def test_examples_are_in_units_that_people_use() -> None:
    _, said, _ = dialogue(*TRAINING, "change swap_rate")
    assert any("3.2 GB/s" in line for line in said)
