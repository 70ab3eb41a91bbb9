"""Values as they are written in three languages, and what is wrong with one in the language of the session."""

from __future__ import annotations

import re

import pytest
from session.dialogue import TRAINING, begun, conversation, dialogue

from dam_expert.documents.intervals import Interval
from dam_expert.session.answers import value_told
from dam_expert.session.errors import AnswerError
from dam_expert.session.explaining import _ASSIGNMENTS


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("queue_time = 1.5 s, request_time = 2 s", ["queue_time = 1.5 s", "request_time = 2 s"]),
        ("queue_time = 1,234 s", ["queue_time = 1,234 s"]),  # asked about, never cut
        ("queue_time = 1.5 秒，request_time＝2 秒", ["queue_time = 1.5 秒", "request_time＝2 秒"]),
    ],
)
def test_a_comma_of_a_number_parts_nothing(text: str, parts: list[str]) -> None:
    assert _ASSIGNMENTS.split(text) == parts


@pytest.mark.parametrize("line", ["nếu queue_time = 1,5 giây", "nếu queue_time = 1,5 giây, request_time = 2,5 giây"])
def test_a_decimal_comma_is_one_where_something_is_imagined(line: str) -> None:
    _, said, _ = dialogue(*TRAINING, line, language="vi")
    assert not any("không có đơn vị" in text for text in said)
    assert any("Khi đó" in text for text in said)


@pytest.mark.parametrize("line", ["queue_time = 1,5 giây", "sửa queue_time 1,5 giây", "queue_time ＝ 1,5 s"])
def test_a_decimal_comma_is_one_everywhere(line: str) -> None:
    state, _, _ = dialogue(*TRAINING, line, language="vi")
    assert state.incident.observations[-1].value == Interval.point(1.5)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("queue_time", "5 bananas"),
        ("queue_time", "1,234 s"),
        ("queue_time", "5 Mb"),
        ("queue_time", "3 GB"),
        ("queue_time", "5:30"),
        ("queue_time", "from 9 s to 3 s"),
        ("queue_time", "5 s to 9"),
        ("queue_time", "-3 s"),
        ("queue_share", "35"),
        ("queue_share", "140 %"),
        ("queue_share", "1.3x"),
        ("cached_pass_speedup", "20 %"),
        ("processes_on_device", "20 %"),
        ("processes_on_device", "3x"),
        ("queue_time", "nonsense"),
    ],
)
@pytest.mark.parametrize("language", ["zh", "vi"])
def test_what_is_wrong_with_a_value_is_told_in_the_language_of_the_session(language: str, name: str, text: str) -> None:
    talk = conversation(language)
    with pytest.raises(AnswerError) as raised:
        value_told(talk.base, name, text)
    told = raised.value.told(talk.words(begun())).replace(text, "").replace(name, "")
    english = {"the", "is", "not", "write", "but", "has", "for", "may", "only", "which", "with", "to", "an"}
    assert not english.intersection(re.findall(r"[a-z]+", told.casefold())), told


@pytest.mark.parametrize("text", ["六成", "một nửa thời gian là xếp hàng", "60 %", "half"])
def test_a_share_where_a_time_is_asked_for_is_offered_as_one(text: str) -> None:
    with pytest.raises(AnswerError) as raised:
        value_told(conversation().base, "queue_time", text)
    assert raised.value.places["share"] == "queue_share"


@pytest.mark.parametrize(
    ("text", "language", "metric", "actual", "wanted"),
    [
        ("we want 2x faster; step time is 180 ms now", "en", "step_time", 0.18, (0.09, 0.09)),
        ("step time is 180 ms, we want it 2x faster", "en", "step_time", 0.18, (0.09, 0.09)),
        ("we need it twice as fast; it is 180 ms per step now", "en", "step_time", 0.18, (0.09, 0.09)),
        ("we want 2x the throughput; it is 15 images/s now", "en", "throughput", 15, (30, 30)),
        ("we want 2x faster; it is 15 images per minute now", "en", "throughput", 0.25, (0.5, 0.5)),
        ("希望快 2 倍，现在步时 180 毫秒", "zh", "step_time", 0.18, (0.06, 0.09)),  # twice, or two times more
        ("步时 180 毫秒，想要提速到 2 倍", "zh", "step_time", 0.18, (0.09, 0.09)),
        ("muốn nhanh gấp 2 lần; thời gian bước hiện nay là 180 ms", "vi", "step_time", 0.18, (0.09, 0.09)),
    ],
)
def test_a_wished_factor_is_of_what_there_is_now(
    text: str, language: str, metric: str, actual: float, wanted: tuple[float, float]
) -> None:
    state, _, _ = dialogue(text, language=language)
    target = state.incident.target
    assert target is not None
    assert target.metric == metric
    assert target.actual == Interval.point(actual)
    assert target.wanted == Interval(*wanted)


@pytest.mark.parametrize(
    "text",
    [
        "we want 2x faster; it is 15 per minute now",  # of what?
        "we want 2x faster",
        "we got 2x faster; step time is 180 ms now",  # it is no wish
        "we want 8x H100; step time is 180 ms now",
    ],
)
def test_without_a_wished_factor_or_a_metric_nothing_is_taken_as_wanted(text: str) -> None:
    state, _, _ = dialogue(text)
    target = state.incident.target
    assert target is None or target.wanted is None
