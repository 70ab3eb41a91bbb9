"""What a session keeps and how it judges: the way back, targets in sentences, one lever after another."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from session.dialogue import TRAINING, base, begun, conversation, dialogue
from session.test_conversation import CAUSE, TARGET, asked, flat

from dam_expert.documents.incident import incident_from
from dam_expert.documents.intervals import Interval
from dam_expert.kb.source import read_yaml
from dam_expert.session.state import State, resumed
from dam_expert.session.storing import save


def test_a_step_of_an_earlier_sitting_is_taken_back(tmp_path: Path) -> None:
    """What was answered before the session was closed is undone as if it had stayed open, down to its beginning."""
    path = tmp_path / "t.dam.yaml"
    line = [begun()]
    for answer in (TARGET, "unknown", "examples/starved-accelerator", "did more loader workers", "150 ms"):
        line.append(dialogue(answer, state=line[-1])[0])
        save(base(), line[-1], path)
    state = opened(path)
    for was in reversed(line[:-1]):
        state, said, _ = dialogue("undo", state=state)
        assert "Taken back" in " ".join(map(str, said))
        save(base(), state, path)
        assert opened(path).turns == state.turns
        told = [(o.measurement, o.value, o.basis, o.scope) for o in was.incident.observations]
        assert [(o.measurement, o.value, o.basis, o.scope) for o in state.incident.observations] == told
        assert (state.turns, state.told, state.pending_lever) == (was.turns, was.told, was.pending_lever)
        assert [made.lever for made in state.incident.interventions] == [
            made.lever for made in was.incident.interventions
        ]
    _, said, _ = dialogue("undo", state=state)
    assert "There is nothing to take back any more" in flat(said)


def test_back_goes_behind_what_was_said_beside_in_an_earlier_sitting(tmp_path: Path) -> None:
    """The last answered question is asked again, whatever notes and plans came after it and were kept."""
    path = tmp_path / "t.dam.yaml"
    state, _, _ = dialogue(*TRAINING, "45 %", "note a remark", "plan buy H100")
    save(base(), state, path)
    state, said, _ = dialogue("back", state=opened(path))
    assert asked(said)[-1] == "input_gap_share"
    assert state.notes == ()


def test_an_edited_way_back_takes_nothing_back(tmp_path: Path) -> None:
    """Whoever changed the file by hand loses the way back, and nothing else."""
    path = tmp_path / "t.dam.yaml"
    save(base(), dialogue(*TRAINING, "45 %")[0], path)
    kept = opened(path)
    for step in ("", "{", "[]", "3", '{"map":{},"gone":[],"order":["nothing"]}', '{"list":[0,0,[]]}'):
        state, said, _ = dialogue("undo", state=dataclasses.replace(kept, earlier=(step,)))
        assert "There is nothing to take back any more" in flat(said), step
        assert state.incident == kept.incident


@pytest.mark.parametrize(
    ("language", "text", "metric", "actual", "wanted"),
    [
        ("zh", "步时间 180 毫秒，目标 110 毫秒", "step_time", 0.18, 0.11),
        ("zh", "每步需要 1.8 秒，希望 1 秒", "step_time", 1.8, 1.0),
        ("zh", "目标步时 110 ms，现在 180 ms", "step_time", 0.18, 0.11),
        ("zh", "p99 延迟 2.5 秒，目标 1 秒", "request_p99", 2.5, 1.0),
        ("zh", "每个 epoch 要 3 小时，期望 1 小时", "epoch_time", 10800.0, 3600.0),
        ("vi", "mỗi bước mất 180 ms, muốn 110 ms", "step_time", 0.18, 0.11),
        ("vi", "thời gian bước là 1,8 giây, cần đạt 1 giây", "step_time", 1.8, 1.0),
        ("vi", "Độ trễ p99 là 2,5 giây, mong muốn 1 giây", "request_p99", 2.5, 1.0),
        ("en", "epoch takes 3 hours, expected 1", "epoch_time", 10800.0, 3600.0),
        ("en", "every training step takes 180 ms, should be 110", "step_time", 0.18, 0.11),
        ("en", "I want the step time to be 110 ms, it is 180 ms now", "step_time", 0.18, 0.11),
        ("en", "our step time is 180 ms which is too slow", "step_time", 0.18, None),
    ],
)
def test_a_target_in_a_sentence_of_any_language_has_its_numbers(
    language: str, text: str, metric: str, actual: float, wanted: float | None
) -> None:
    """Name, present value and wanted value are read in either order, with the units and commas of the language."""
    target = dialogue(text, language=language)[0].incident.target
    assert target is not None
    assert (target.metric, target.actual) == (metric, Interval.point(actual))
    assert target.wanted == (None if wanted is None else Interval.point(wanted))


@pytest.mark.parametrize("text", ["we wait 80 ms per step for data", "the loader takes 80 ms of every step"])
def test_a_time_of_something_else_is_no_target(text: str) -> None:
    """A name that stands behind a value, or far before it, is not what the value is of."""
    target = dialogue(text)[0].incident.target
    assert target is None or target.metric is None


@pytest.mark.parametrize("given", ["180", "1", "180, wanted 110", "150-200", "about 180"])
def test_a_bare_number_for_a_time_is_asked_about(given: str) -> None:
    """Seconds are never guessed: the number comes back in each usual unit, and nothing is taken."""
    state, said, _ = dialogue("1", given)
    assert "has no unit: write '" in flat(said)
    assert state.incident.target is not None
    assert state.incident.target.actual is None
    after, said, _ = dialogue(TARGET, CAUSE[0], "did more loader workers", "100")
    assert "'100' has no unit: write '100 ms' or '100 s'." in flat(said)
    assert after.incident.interventions == ()


def test_a_bare_one_at_the_choices_is_the_first_choice() -> None:
    """Where choices are shown a number is one of them, also when they were shown before."""
    assert dialogue("1")[0].entry == "slow_training"
    assert dialogue("workers = 4", "1")[0].entry == "slow_training"


def test_the_second_lever_is_judged_against_what_the_first_one_left() -> None:
    """A change gains over the value before it; what it cannot have gained is none of its doing."""
    _, said, _ = dialogue(TARGET, *CAUSE, "did more loader workers", "120 ms", "did prefetch batches", "119 ms")
    assert "The target is 1.5× as good as before the change" in flat(said)
    assert "The target is 1.01× as good as before the change" in flat(said)


def test_ceilings_after_a_change_are_those_of_the_present() -> None:
    """An older share of a shorter time is no share of it: there is no budget and no ceiling until it is measured."""
    state, _, _ = dialogue(TARGET, *CAUSE, "did more loader workers", "120 ms")
    found = conversation().diagnosis(state)
    assert found.budget is None
    assert {lever.ceiling for lever in found.levers} <= {None}
    assert {each.ceiling for each in found.hypotheses if each.bottleneck == "input"} == {None}
    assert found.target is not None
    assert found.target.actual == pytest.approx(0.12)


def test_what_was_tried_in_vain_is_not_recommended_again() -> None:
    """A lever that did nothing is none, however well it fits the cause, and one that was done is not advised again."""
    state, _, _ = dialogue(TARGET, *CAUSE, "tried prefetch batches: nothing")
    effects = {lever.id: (lever.effect, lever.why) for lever in conversation().diagnosis(state).levers}
    assert effects["prefetch_batches"] == ("wasted", "it was tried and did not help")
    state, _, _ = dialogue(TARGET, *CAUSE, "did more loader workers", "120 ms", "input_gap_share = 40 %")
    works = [lever.id for lever in conversation().diagnosis(state).levers if lever.effect == "works"]
    assert works
    assert "more_loader_workers" not in works


def test_a_resolved_session_still_answers_and_recommends_nothing() -> None:
    """The report that it offers can be had; opened again it says that it is resolved, and names no lever."""
    state, said, _ = dialogue(TARGET, *CAUSE, "1", "100 ms", "report")
    assert asked(said)[-1] == "next"
    assert "What is unknown, and what would tell" not in said
    assert "Verdict" in said
    assert conversation().diagnosis(state).levers == []
    _, again, _ = dialogue(state=state)
    assert "More loader workers" not in flat(again)
    assert "Resolved" in flat(again)


def test_a_single_line_of_the_kernel_log_is_an_output() -> None:
    """What the system killed is read as such, not guessed from the words."""
    line = "[12399.100001] Out of memory: Killed process 8123 (python) total-vm:1234kB"
    state, said, _ = dialogue(line)
    assert "Read: 1 values from kernel_log." in said
    assert {o.measurement for o in state.incident.observations} == {"oom_kills"}


def opened(path: Path) -> State:
    """Open a session as the command does."""
    document, _ = read_yaml(path)
    assert document is not None
    incident, problems = incident_from(document.data, base().names, document.origin)
    assert not problems
    return resumed(incident)


@pytest.mark.parametrize(
    ("language", "text", "entry", "kind"),
    [
        ("en", "training slow, GPU low", "slow_training", "training"),
        ("en", "our GPU is idle half of the time", "slow_training", None),
        ("en", "my LLM server answers slowly at peak", "missed_latency", None),
        ("en", "the API is slow under load", "missed_latency", None),
        ("en", "our production server is slow", "missed_latency", None),
        ("en", "accuracy is worse in production than offline", "worse_in_production", None),
        ("zh", "训练很慢，GPU 空闲", "slow_training", "training"),
        ("zh", "线上效果比离线差", "worse_in_production", None),
        ("vi", "máy chủ phản hồi rất chậm", "missed_latency", None),
        ("vi", "GPU hết bộ nhớ khi huấn luyện", "out_of_memory", "training"),
    ],
)
def test_a_start_in_words_leads_to_the_questions_of_its_kind(
    language: str, text: str, entry: str, kind: str | None
) -> None:
    """What was said chooses the entry point, and claims no kind of job that was not named."""
    state, said, _ = dialogue(text, "unknown", language=language)
    assert state.entry == entry
    known = {o.measurement: o.value for o in (*state.incident.settings, *state.incident.observations)}
    assert known.get("workload_kind") == kind
    names = base().entry_points[entry].ask
    assert asked(said)[-1] in {"target", "workload_kind", *names}


def test_slow_alone_chooses_nothing() -> None:
    """Training and serving are slow alike: the choices are asked for again."""
    state, said, _ = dialogue("it is slow")
    assert state.entry is None
    assert asked(said)[-1] == "target"


@pytest.mark.parametrize(("language", "said"), [("zh", "计划 更快的显卡"), ("vi", "dự định card nhanh hơn")])
def test_the_example_of_help_is_understood_in_its_language(language: str, said: str) -> None:
    """What help shows to be typed is a plan that the base knows."""
    assert said in flat(dialogue("help", language=language)[1])
    state, _, _ = dialogue(said, language=language)
    assert [plan.lever for plan in state.incident.planned] == ["faster_accelerator"]


@pytest.mark.parametrize(("language", "words"), [("zh", "早于最近一次改动"), ("vi", "cũ hơn lần thay đổi cuối")])
def test_why_an_older_value_is_asked_again_is_told_in_the_language(language: str, words: str) -> None:
    """No sentence of the engine stays English in a report of another language."""
    lines = (TARGET, CAUSE[0], "did more loader workers", "150 ms", "report")
    said = flat(dialogue(*lines, language=language)[1])
    assert words in said
    assert "Older than the last" not in said
