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


@pytest.mark.parametrize(
    ("text", "language", "wanted", "actual"),
    [
        ("we want p99 0.8 s instead of 2.4 s", "en", 0.8, 2.4),
        ("p99 of 0.8 s instead of 2.4 s", "en", 0.8, 2.4),
        ("we want a p99 of 0.8 s rather than 2.4 s", "en", 0.8, 2.4),
        ("we want p99 at 0.8 s, not 2.4 s", "en", 0.8, 2.4),
        ("p99 should be 0.8 s and not 2.4 s", "en", 0.8, 2.4),
        ("we need p99 0.8 s, down from 2.4 s", "en", 0.8, 2.4),
        ("we want p99 from 2.4 s to 0.8 s", "en", 0.8, 2.4),
        ("p99 should be 0.8 s, now 2.4 s", "en", 0.8, 2.4),
        ("we want p99 0.8 s, now 2.4 s", "en", 0.8, 2.4),
        ("p99 is 2.4 s instead of 0.8 s", "en", 0.8, 2.4),
        ("p99 takes 2.4 s rather than 0.8 s", "en", 0.8, 2.4),
        ("p99 is 2.4 s, not 0.8 s", "en", 0.8, 2.4),
        ("p99 is 2.4 s, up from 0.8 s", "en", 0.8, 2.4),
        ("p99 2.4 s up from 0.8 s", "en", 0.8, 2.4),
        ("p99 2.4 s instead of 0.8 s", "en", 0.8, 2.4),
        ("p99 is 0.8 s instead of 2.4 s", "en", None, 0.8),
        ("p99 is 0.8 s, down from 2.4 s", "en", None, 0.8),
        ("p99 0.8 s, now 2.4 s", "en", 0.8, 2.4),
        ("p99 0.8 s before, 2.4 s now", "en", 0.8, 2.4),
        ("instead of 2.4 s we want p99 0.8 s", "en", 0.8, 2.4),
        ("instead of 2.4 s p99 should be 0.8 s", "en", 0.8, 2.4),
        ("instead of 0.8 s p99 is 2.4 s", "en", 0.8, 2.4),
        ("we want 2k tok/s instead of 1.2k tok/s", "en", 2000, 1200),
        ("throughput is 1.2k tok/s instead of 2k tok/s", "en", 2000, 1200),
        ("we want throughput up from 1.2k tok/s to 2k tok/s", "en", 2000, 1200),
        ("we want throughput of 2k tok/s, up from 1.2k tok/s", "en", 2000, 1200),
        ("step time is 180 ms, wanted 110 ms instead of 180 ms", "en", 0.11, 0.18),
        ("our goal is a step time of 110 ms instead of 180 ms", "en", 0.11, 0.18),
        ("step time must go from 180 ms to 110 ms", "en", 0.11, 0.18),
        ("I want 110 ms per step instead of 180 ms", "en", 0.11, 0.18),
        ("we want p99 0.8 instead of 2.4 s", "en", 0.8, 2.4),
        ("we want p99 to be 0.8 s as opposed to 2.4 s", "en", 0.8, 2.4),
        ("希望 p99 是 0.8 秒而不是 2.4 秒", "zh", 0.8, 2.4),
        ("p99 应为 0.8 秒，而不是 2.4 秒", "zh", 0.8, 2.4),
        ("p99 是 2.4 秒而不是 0.8 秒", "zh", 0.8, 2.4),
        ("p99 现在是 2.4 秒，而不是 0.8 秒", "zh", 0.8, 2.4),
        ("希望 p99 降到 0.8 秒，现在 2.4 秒", "zh", 0.8, 2.4),
        ("p99 要从 2.4 秒降到 0.8 秒", "zh", 0.8, 2.4),
        ("p99 从 0.8 秒涨到 2.4 秒", "zh", 0.8, 2.4),
        ("p99 现在 2.4 秒，要降到 0.8 秒", "zh", 0.8, 2.4),
        ("希望 p99 为 0.8 秒，不是 2.4 秒", "zh", 0.8, 2.4),
        ("想要步时 110 毫秒，而非 180 毫秒", "zh", 0.11, 0.18),
        ("muốn p99 0,8 giây thay vì 2,4 giây", "vi", 0.8, 2.4),
        ("p99 là 2,4 giây thay vì 0,8 giây", "vi", 0.8, 2.4),
        ("p99 2,4 giây thay vì 0,8 giây", "vi", 0.8, 2.4),
        ("muốn p99 từ 2,4 giây xuống 0,8 giây", "vi", 0.8, 2.4),
        ("muốn p99 giảm từ 2,4 giây xuống còn 0,8 giây", "vi", 0.8, 2.4),
        ("p99 tăng từ 0,8 giây lên 2,4 giây", "vi", 0.8, 2.4),
        ("muốn p99 là 0,8 giây chứ không phải 2,4 giây", "vi", 0.8, 2.4),
        ("p99 phải là 0,8 giây, hiện là 2,4 giây", "vi", 0.8, 2.4),
        ("p99 là 2,4 giây chứ không phải 0,8 giây", "vi", 0.8, 2.4),
    ],
)
def test_of_two_values_set_against_each_other_each_is_on_its_side(
    text: str, language: str, wanted: float | None, actual: float
) -> None:
    state, _, _ = dialogue(text, language=language)
    target = state.incident.target
    assert target is not None
    assert target.wanted == (None if wanted is None else Interval.point(wanted))
    assert target.actual == Interval.point(actual)


@pytest.mark.parametrize(
    "text",
    [
        "we want p99 down from 2.4 s to 0.8 s",
        "get p99 down to 0.8 s from 2.4 s",
        "we want p99 2.4 s instead of 0.8 s",  # a wish for the worse
    ],
)
def test_where_the_sides_are_not_clear_they_are_asked_for(text: str) -> None:
    state, _, _ = dialogue(text)
    target = state.incident.target
    assert target is None or (target.wanted, target.actual) == (None, None)


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("step time is 180, wanted 110", "en", "'180' has no unit"),
        ("步时 180，目标 110", "zh", "180"),
        ("thời gian bước là 180, cần đạt 110", "vi", "180"),
    ],
)
def test_a_target_without_a_unit_is_told_so(text: str, language: str, said: str) -> None:
    state, lines, _ = dialogue(text, language=language)
    assert state.incident.target is None
    assert any(said in line for line in lines[-4:])
