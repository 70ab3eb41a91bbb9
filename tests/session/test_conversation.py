"""The conversation: what is asked, what is taken, what is explained, and how it ends."""

from __future__ import annotations

import dataclasses

import pytest
from rich.cells import cell_len
from session.dialogue import TRAINING, base, begun, conversation, dialogue

from dam_expert.documents.incident import Absence
from dam_expert.documents.intervals import Interval
from dam_expert.session.commands import COMMANDS
from dam_expert.session.outputs import paths_in
from dam_expert.session.speech import spoken
from dam_expert.session.state import resumed, saved_extras

TARGET = "step_time is 180 ms, wanted 110 ms"
#: Enough to name the cause: input binds, and more workers help.
CAUSE = ("change input_gap_share 45 %", "change more_workers_speedup 1.6")


def flat(said: list[str]) -> str:
    """Return what was said as one line, however it was wrapped."""
    return " ".join(" ".join(said).split())


def asked(said: list[str]) -> list[str]:
    return [line.removeprefix("? ") for line in said if line.startswith("? ")]


def value(state: object, name: str) -> object:
    found = [o.value for o in state.incident.observations if o.measurement == name]  # type: ignore[attr-defined]
    return found[-1] if found else None


def test_the_missed_target_is_asked_first_with_the_entry_points() -> None:
    """Nothing is known: the target is asked, and each entry point of the base is a choice."""
    _, said, _ = dialogue()
    assert asked(said) == ["target"]
    assert sum(line[:1].isdigit() for line in said) == len(base().entry_points)


@pytest.mark.parametrize(
    "line",
    [
        TARGET,
        "step time 180 ms, want 110 ms",
        "step_time=180ms wanted=110ms",
        "step time is 180 ms, want 110",
        "step_time 为 180 ms，目标 110 ms",
        "步时 180 ms，期望 110 ms",
        "step_time là 180 ms, cần đạt 110 ms",
        "step_tme is 180 ms, wanted 110 ms",
        "our step time is now 180 ms and should be 110 ms since we use the new dataset",
    ],
)
def test_a_target_is_read_in_the_words_people_use(line: str) -> None:
    """The metric, the actual and the wanted value are kept in canonical units, whatever language says them."""
    state, _, _ = dialogue(line)
    assert state.incident.target is not None
    assert state.incident.target.metric == "step_time"
    assert state.incident.target.actual == Interval.point(0.18)
    assert state.incident.target.wanted == Interval.point(0.11)
    assert value(state, "step_time") == Interval.point(0.18)


@pytest.mark.parametrize(
    ("line", "metric", "actual", "wanted"),
    [
        ("loss plateaus at 2.8 after 3k steps, we expected 2.3", "training_loss", 2.8, 2.3),
        ("validation loss stuck at 3.1 since step 20000, baseline reached 2.7", "heldout_loss", 3.1, 2.7),
        ("accuracy is stuck at 60 % after 3 epochs, expected 75 %", "accuracy", 0.6, 0.75),
        ("训练损失停滞在 2.8，期望 2.3", "training_loss", 2.8, 2.3),
        ("the run takes 14 hours, we want 8", "training_time", 50400, 28800),
        ("job takes 14 hours, target 8 hours", "training_time", 50400, 28800),
        ("TTFT p99 misses 500 ms", "time_to_first_token_p99", None, 0.5),
    ],
)
def test_a_target_stands_among_other_numbers(line: str, metric: str, actual: float | None, wanted: float) -> None:
    """Each number belongs to the metric it stands with; what is missed is wanted."""
    target = dialogue(line)[0].incident.target
    assert target is not None
    assert target.metric == metric
    assert target.actual == (None if actual is None else Interval.point(actual))
    assert target.wanted == Interval.point(wanted)


def test_an_entry_point_asks_for_its_numbers_and_then_its_own_question() -> None:
    """The first entry point is about training: the step time is asked for, then the idle share for input."""
    state, said, _ = dialogue("1", "180 ms, wanted 110 ms")
    assert state.incident.target is not None
    assert state.incident.target.track == "time"
    assert state.incident.target.wanted == Interval.point(0.11)
    assert asked(said) == ["target", "target", "input_gap_share"]


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("training is slow", "slow_training"),
        ("训练很慢", "slow_training"),
        ("huấn luyện quá chậm", "slow_training"),
        ("it runs out of memory", "out_of_memory"),
        ("爆显存了", "out_of_memory"),
        ("the bill is too high", "high_cost"),
        ("the model does not learn", "quality_plateau"),
        ("slow answers from the server", "missed_latency"),
    ],
)
def test_plain_words_choose_the_entry_point(line: str, entry: str) -> None:
    """What people notice first is understood without a number."""
    state, _, _ = dialogue(line)
    assert state.entry == entry


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param("45 %", Interval.point(0.45), id="percent"),
        pytest.param("0.45", Interval.point(0.45), id="fraction"),
        pytest.param("40-50 %", Interval(0.4, 0.5), id="range"),
        pytest.param("about 50 %", Interval(0.4, 0.6), id="hedged"),
    ],
)
def test_a_value_is_taken_in_any_usual_form(line: str, expected: Interval) -> None:
    """What was answered becomes the value of the measurement that was asked for."""
    state, _, _ = dialogue(*TRAINING, line)
    assert value(state, "input_gap_share") == expected


def test_a_hedged_value_is_said_not_to_decide() -> None:
    """How an answer was understood is repeated, and that it cannot decide is told at once."""
    _, said, _ = dialogue(*TRAINING, "about 50 %")
    assert "40–60 %; only said, so it points but does not decide" in flat(said)


@pytest.mark.parametrize(
    ("line", "absence"),
    [
        ("unknown", Absence.UNKNOWN),
        ("I don't know", Absence.UNKNOWN),
        ("不知道", Absence.UNKNOWN),
        ("không biết", Absence.UNKNOWN),
        ("can't measure", Absence.CANNOT_MEASURE),
        ("无法测量", Absence.CANNOT_MEASURE),
        ("không đo được", Absence.CANNOT_MEASURE),
        ("not applicable", Absence.NOT_APPLICABLE),
        ("不适用", Absence.NOT_APPLICABLE),
        ("không áp dụng", Absence.NOT_APPLICABLE),
    ],
)
def test_what_cannot_be_had_is_not_asked_again(line: str, absence: Absence) -> None:
    """The answer is noted, and another measurement is asked for, in the words of any language."""
    state, said, _ = dialogue(*TRAINING, line)
    assert dict(state.incident.answers)["input_gap_share"] is absence
    assert asked(said)[-1] != "input_gap_share"


def test_a_value_of_two_readings_is_not_taken() -> None:
    """45 for a share changes nothing, says both readings, and the question stands."""
    state, said, _ = dialogue(*TRAINING, "45")
    assert value(state, "input_gap_share") is None
    assert any("two readings" in line for line in said)
    assert asked(said)[-1] == "input_gap_share"


def test_a_question_is_shown_once() -> None:
    """After an explanation or a mistake only its last line stands again, not the whole question."""
    _, said, _ = dialogue(*TRAINING, "why", "45", "show")
    text = conversation().question(dialogue(*TRAINING)[0]).text  # type: ignore[union-attr]
    assert flat(said).count(text) == 1
    assert asked(said).count("input_gap_share") == 4


def test_a_value_of_another_measurement_may_be_given() -> None:
    """NAME = VALUE is taken at any question for a measurement, and the question stands if it is still open."""
    state, said, _ = dialogue(*TRAINING, "decode share of worker = 70 %")
    assert value(state, "decode_share_of_worker") == Interval.point(0.7)
    assert asked(said)[-1] == "input_gap_share"


def test_the_output_of_a_tool_can_be_pasted() -> None:
    """Lines between the marks are read by the readers, whatever was asked."""
    rows = [f"    0  {value}   10    0    0" for value in (12, 30, 38, 22)]
    pasted = ["<<<", "# gpu    sm   mem   enc   dec", "# Idx     %     %     %     %", *rows, ">>>"]
    state, said, _ = dialogue(*TRAINING, *pasted)
    assert value(state, "accelerator_utilization") == Interval.point(0.255)
    assert any("nvidia_smi_dmon" in line for line in said)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["[   99.1] Out of memory: Killed process 8 (python) anon-rss:6234kB"], id="one line"),
        pytest.param(
            ["<<<", "[   98.2] EXT4-fs (sda1): mounted", "[   99.1] Out of memory: Killed process 8 (python)", ">>>"],
            id="several lines",
        ),
    ],
)
def test_the_kernel_log_is_no_prose(lines: list[str]) -> None:
    """A line of it is read as what the kernel wrote, and means nothing beside that."""
    state, _, _ = dialogue(*TRAINING, *lines)
    assert value(state, "oom_kills") == Interval.point(1.0)
    assert {one.measurement for one in state.incident.observations} == {"workload_kind", "oom_kills"}


def test_an_output_without_values_is_not_understood_as_words() -> None:
    """Words that stand in it point nowhere."""
    before, _, _ = dialogue(*TRAINING)
    pasted = ["[    1.2] usb 1-1: new device, storage", "[  100.5] EXT4-fs (nvme0n1p1): mounted slow filesystem"]
    after, said, _ = dialogue(*TRAINING, "<<<", *pasted, ">>>")
    assert after.incident == before.incident
    assert any("none of its 2 lines" in line for line in said)


def test_a_confirmed_family_goes_on_to_its_causes() -> None:
    """With the family confirmed, the next question tells its causes apart."""
    _, said, _ = dialogue(*TRAINING, "45 %")
    assert any(line.startswith("* Confirmed: ") for line in said)
    assert asked(said)[-1] in {"more_workers_speedup", "cached_pass_speedup", "decode_share_of_worker"}


def test_it_ends_with_the_cause_its_levers_and_what_is_wasted() -> None:
    """A confirmed cause is told in few lines: verdict, levers with ceiling and verification, waste."""
    _, said, _ = dialogue(TARGET, *CAUSE)
    told = flat(said)
    assert "Too few loader workers" in told
    assert "1. More loader workers" in told
    assert "Verify: " in told
    assert "What would be wasted: " in told
    assert asked(said)[-1] == "next"
    assert len(said) - max(index for index, line in enumerate(said) if line.startswith("? more_workers")) < 30


@pytest.mark.parametrize(
    "named", ["1", "did more loader workers", "we did raise num_workers to 8", "已做 more workers"]
)
def test_it_goes_on_to_the_intervention_until_the_target_is_reached(named: str) -> None:
    """The lever is named by its place, by name or in words; the re-measured target resolves."""
    state, said, _ = dialogue(TARGET, *CAUSE, named, "100 ms")
    assert "The target is 1.8× as good as before the change" in flat(said)
    assert "The target is reached." in said
    assert conversation().diagnosis(state).status == "resolved"


def test_a_local_gain_without_the_target_is_said_plainly() -> None:
    """The part became shorter, the target did not move: no improvement of the system, and the cause loses."""
    state, said, _ = dialogue(
        TARGET, "change input_gap_share 45 %", "did more loader workers", "input_gap_share = 5 %", "180 ms"
    )
    assert "A local gain, but the target did not move: no improvement of the system" in flat(said)
    scores = {h.id: h.score for h in conversation().diagnosis(state).hypotheses}
    assert scores["loader_parallelism"] < 0


def test_a_part_that_was_not_measured_again_has_gained_nothing() -> None:
    """An older share of a shorter time is no local gain."""
    _, said, _ = dialogue(TARGET, CAUSE[0], "did more loader workers", "178 ms")
    assert "A local gain" not in flat(said)
    assert "The target did not move: no improvement of the system, whatever it did locally." in flat(said)


def test_a_change_that_made_it_worse_is_taken_back() -> None:
    """The target got worse: what was measured before the change still holds."""
    state, said, _ = dialogue(TARGET, "change input_gap_share 45 %", "did more loader workers", "200 ms")
    assert "taken as undone" in flat(said)
    assert state.incident.interventions[-1].kept is False
    assert conversation().diagnosis(state).status == "confirmed"


def test_older_values_are_stale_after_a_kept_change() -> None:
    """What was measured before a change that was kept is marked and asked for again."""
    state, _, _ = dialogue(TARGET, "change input_gap_share 45 %", "did more loader workers", "150 ms")
    _, said, _ = dialogue("show", state=state)
    assert "input_gap_share = 45 % (reported) [older than the last change: measure again]" in flat(said)


def test_why_names_the_goal_the_rules_and_what_the_answer_changes_and_climbs() -> None:
    """Asked once it shows the goal and the outcomes, asked again what would confirm and falsify the cause."""
    _, said, _ = dialogue(*TRAINING, "why", "why", "why", "why")
    assert "To find out: The device waits for input?" in said
    assert "20–100 %: Confirmed: The device waits for input" in flat(said)
    assert any(line.startswith("Falsified by: ") for line in said)
    assert "test the hypothesis with a measurement that could refute it" in flat(said)


def test_how_shows_the_proof_and_where_a_value_comes_from() -> None:
    """A hypothesis shows its rules with actual and needed values, a measurement its origin."""
    _, said, _ = dialogue(*TRAINING, "45 %", "how input_wait", "how input_gap_share")
    assert "✓ Device idle while the host waits for input: 45 %, needed ≥ 20 %" in flat(said)
    assert any(line.startswith("- 45 % (reported; ") for line in said)


def test_why_not_tells_false_from_unknown() -> None:
    """Leaves that fail are false, those that lack a value unknown."""
    _, said, _ = dialogue(*TRAINING, "2 %", "why not storage_bound")
    assert "✗ false: Device idle while the host waits for input: 2 %, needed ≥ 20 %" in flat(said)
    assert "? unknown: Speed with the files in memory: not known" in flat(said)


def test_what_if_changes_nothing() -> None:
    """Two verdicts stand side by side, and the state is the same afterwards."""
    before, _, _ = dialogue(*TRAINING)
    after, said, saved = dialogue("what if input_gap_share=45 %", state=before)
    assert after == before
    assert saved == []
    assert "Verdict Undetermined Confirmed" in flat(said)


@pytest.mark.parametrize("word", ["back", "undo", "返回", "撤销", "quay lại", "hoàn tác"])
def test_undo_equals_never_said(word: str) -> None:
    """Taking an answer back gives the state before it, and its question again."""
    before, _, _ = dialogue(*TRAINING)
    after, said, _ = dialogue("45 %", word, state=before)
    assert dataclasses.replace(after, past=()) == dataclasses.replace(before, past=())
    assert asked(said)[-1] == "input_gap_share"


def test_back_goes_behind_remarks_and_undo_takes_them_one_by_one() -> None:
    """``back`` asks the last question again, ``undo`` takes the last change back, whatever it was."""
    state, _, _ = dialogue(*TRAINING, "45 %", "note one", "note two")
    _, said, _ = dialogue("back", state=state)
    assert asked(said)[-1] == "input_gap_share"
    undone, _, _ = dialogue("undo", state=state)
    assert undone.notes == ("one",)


#: Answers that rotate through a session: rules want a range, a rough value or the ranks' values told better.
ROTATIONS = [("70 %", "2.2", "yes", "4", "unknown"), ("60-70 %", "about 50 %", "1.0", "3", "250 ms", "not applicable")]


@pytest.mark.parametrize("rotation", ROTATIONS)
@pytest.mark.parametrize("entry", [("1", "step_time is 390 ms, wanted 160 ms"), ("2", "unknown")])
def test_what_was_answered_is_not_asked_again(entry: tuple[str, ...], rotation: tuple[str, ...]) -> None:
    """Along a session, a measurement that was given a value is never asked for a second time."""
    talk = conversation()
    state, _, _ = dialogue(*entry)
    answered: list[str] = []
    for turn in range(12):
        question = talk.question(state)
        if question is None or question.id == "next":
            break
        assert question.id not in answered
        for place in range(len(rotation)):
            before = state
            state, _ = talk.answer(state, rotation[(turn + place) % len(rotation)])
            if state is not before:
                break
        else:
            state, _ = talk.answer(state, "unknown")
        answered.append(question.id)
    assert len(answered) > 1


def test_a_value_that_only_the_ranks_could_sharpen_is_not_asked_for_again() -> None:
    """Rules want the wait of each rank; the plain answer is taken once, and the session goes on."""
    told = "input_wait_share = 80 %"
    _, said, _ = dialogue("1", "step_time is 390 ms, wanted 160 ms", "62 %", told, *["unknown"] * 12)
    assert len(set(asked(said))) > 8
    assert not {"input_wait_share", "input_wait_time"} & set(asked(said)[:8])
    assert asked(said).count("input_wait_share") == 0


def test_what_is_measured_after_a_change_holds() -> None:
    """A kept change makes the older value stale: it is asked for again once, and the answer is no older one."""
    state, said, _ = dialogue(TARGET, CAUSE[0], "did more loader workers", "150 ms", "30 %", "unknown")
    assert asked(said).count("input_gap_share") == 2  # before the change, and after it
    _, shown, _ = dialogue("show", state=state)
    assert "input_gap_share = 30 % (reported)" in flat(shown)
    assert "input_gap_share = 30 % (reported) [older" not in flat(shown)


def test_what_was_taken_back_is_asked_again() -> None:
    """An answer that was withdrawn was never given; one that is to be changed is asked for."""
    for lines in (("45 %", "back"), ("45 %", "undo"), ("45 %", "change input_gap_share")):
        state, said, _ = dialogue(*TRAINING, *lines)
        assert asked(said)[-1] == "input_gap_share", lines
        assert ("input_gap_share" in state.told) == (lines[1] not in {"back", "undo"})


def test_back_cancels_what_was_to_be_changed_and_nothing_before_it() -> None:
    """A correction is the last thing that was said: what was answered before it stays."""
    first, _, _ = dialogue(*TRAINING, "45 %", "change step_time 181 ms")
    for command in ("change target", "change input_gap_share", "change step_time 185 ms"):
        state, said, _ = dialogue(*TRAINING, "45 %", "change step_time 181 ms", command, "back")
        assert state.incident.observations == first.incident.observations, command
        assert "Taken back." in flat(said)


def test_what_was_taken_back_is_named() -> None:
    """Who goes back behind an answer is told which values go with it."""
    _, said, _ = dialogue(*TRAINING, "45 %", "back")
    assert "Taken back, with input_gap_share." in flat(said)


def test_back_keeps_the_language() -> None:
    """Another language is no answer: the question that is asked again is asked in it."""
    for lines in (("45 %", "language vi"), ("language vi", "45 %")):
        state, said, _ = dialogue(*TRAINING, *lines, "back")
        assert (state.language, asked(said)[-1]) == ("vi", "input_gap_share"), lines
    assert dialogue(*TRAINING, "45 %", "language vi", "undo")[0].language is None


def test_change_without_a_value_asks_again() -> None:
    """The measurement is asked for in full, and its answer replaces the old one."""
    state, said, _ = dialogue(*TRAINING, "45 %", "change input_gap_share", "2 %")
    assert asked(said)[-2] == "input_gap_share"
    assert value(state, "input_gap_share") == Interval.point(0.02)


def test_the_target_can_be_changed() -> None:
    """``change target`` asks for it anew."""
    state, said, _ = dialogue(TARGET, "change target", "step_time is 200 ms, wanted 100 ms")
    assert asked(said)[-2] == "target"
    assert state.incident.target is not None
    assert state.incident.target.actual == Interval.point(0.2)


@pytest.mark.parametrize("name", ["input_gap_shar", "input gap share", "Device idle while the host waits for input"])
def test_misspelt_names_are_understood(name: str) -> None:
    """A name with a slip of the pen, with blanks, or by its title is the one that is meant."""
    state, _, _ = dialogue(*TRAINING, f"change {name} = 45 %")
    assert value(state, "input_gap_share") == Interval.point(0.45)


@pytest.mark.parametrize("name", ["xyzzy", "foo"])
def test_what_is_like_no_name_is_not_guessed(name: str) -> None:
    """A word that is near to nothing changes nothing."""
    state, said, _ = dialogue(*TRAINING, f"change {name} 3")
    assert f"Nothing is called '{name}'." in said
    assert value(state, "allocation_state") is None


def test_a_name_alone_is_asked_for() -> None:
    """Naming a measurement where another one is asked for asks for that one."""
    state, said, _ = dialogue(*TRAINING, "cached_pass_speedup", "1.4")
    assert asked(said)[-2:] == ["cached_pass_speedup", "input_gap_share"]
    assert value(state, "cached_pass_speedup") == Interval.point(1.4)


def test_a_target_that_is_met_is_said_to_be() -> None:
    """Where what is wanted is reached there is nothing that was missed."""
    _, said, _ = dialogue("step_time is 100 ms, wanted 110 ms")
    assert "That meets what is wanted already; 'change target' corrects it." in said


def test_a_price_is_a_target() -> None:
    """The sign of a price may stand before its number, and the question shows an example in its unit."""
    state, said, _ = dialogue("4", "$ 12000, wanted $ 8000")
    assert "Answer: 12000 $, wanted 8000 $; or unknown" in said
    assert state.incident.target is not None
    assert state.incident.target.wanted == Interval.point(8000.0)


def test_facts_may_come_before_the_target() -> None:
    """NAME = VALUE at the first question is a fact, and the target is asked for again without its choices."""
    state, said, _ = dialogue("workload_kind = training")
    assert value(state, "workload_kind") == "training"
    assert "And which target is missed?" in said


def test_a_description_is_taken_and_said_as_understood() -> None:
    """Values, attempts and the target in one breath; what was said does not decide."""
    text = "Training is slow, step time is 900 ms, we need 500 ms. GPU utilisation is around 35 %."
    state, said, _ = dialogue(text)
    assert state.incident.target is not None
    assert state.incident.target.wanted == Interval.point(0.5)
    assert "Accelerator utilisation: 28–42 % (said) [accelerator_utilization]" in flat(said)


def test_a_pasted_report_is_read() -> None:
    """Several lines that no tool prints are read as a report."""
    paste = [
        "<<<",
        "# Slow training",
        "",
        "Step time is 480 ms, we need 300 ms.",
        "The GPU is idle half of the time.",
        ">>>",
    ]
    state, said, _ = dialogue(*paste)
    assert state.incident.target is not None
    assert state.incident.target.metric == "step_time"
    assert "Step time is 480 ms, wanted 300 ms." in said


def test_several_unknowns_in_a_row_are_a_moment_to_stop() -> None:
    """After five answers without a value it is said what can be said by then; one such answer is none."""
    _, said, _ = dialogue(*TRAINING, *["unknown"] * 5)
    assert "more things could be measured. 'quit' stops here" in flat(said)
    _, said, _ = dialogue(*TRAINING, *["workload_kind = training"] * 4, "unknown")
    assert "more things could be measured" not in flat(said)


def test_an_ambiguous_name_lists_what_it_may_be() -> None:
    """A piece that stands in several names changes nothing and shows them."""
    state, said, _ = dialogue(*TRAINING, "how wait")
    assert any("may be several" in line for line in said)
    assert state.incident.observations == dialogue(*TRAINING)[0].incident.observations


@pytest.mark.parametrize("line", ["plan buy H100", "we want to buy faster cards", "计划 buy H100", "dự định buy H100"])
def test_a_plan_is_checked_against_the_verdict(line: str) -> None:
    """Buying faster cards while input binds is the hardware crutch."""
    _, said, _ = dialogue(*TRAINING, "45 %", line)
    assert any(line.startswith("Hardware crutch: ") for line in said)


@pytest.mark.parametrize(
    "line",
    ["tried more loader workers nothing", "tried more workers: no effect", "we tried more workers, didn't help"],
)
def test_what_was_tried_lowers_its_cause(line: str) -> None:
    """More workers did nothing: the cause is weakened, its parent is not."""
    state, _, _ = dialogue(*TRAINING, line)
    scores = {h.id: h.score for h in conversation().diagnosis(state).hypotheses}
    assert scores["loader_parallelism"] < 0
    assert scores["input_wait"] == 0


def test_every_command_is_in_the_help() -> None:
    """Help shows a word for each command."""
    _, said, _ = dialogue("help")
    folded = flat(said).casefold()
    hidden = {"save"}  # everything is kept anyway
    missing = [name for name in COMMANDS if not any(word in folded for word in spoken(f"command.{name}"))]
    assert set(missing) <= hidden


def test_each_change_is_saved_before_more_is_said() -> None:
    """Answers and commands that change something are saved, those that only explain are not."""
    _, _, saved = dialogue(*TRAINING, "45 %", "why", "show", "note a remark")
    assert len(saved) == 4


def test_a_saved_session_goes_on_where_it_stopped() -> None:
    """The extras of the incident hold what the session must remember; undo begins anew."""
    state, _, _ = dialogue(*TRAINING, "45 %", "note a remark", "language vi", "did more loader workers")
    kept = dataclasses.replace(state.incident, extras=saved_extras(state))
    again = resumed(kept)
    assert again.kept() == dataclasses.replace(state.kept(), incident=kept)
    assert again.pending_lever == "more_loader_workers"


def test_a_transcript_replays_to_the_same_diagnosis() -> None:
    """The same answers give the same document, byte for byte."""
    lines = (*TRAINING, "45 %", "unknown", "1.6", "note x")
    first, _, _ = dialogue(*lines)
    second, _, _ = dialogue(*lines)
    texts = {conversation().diagnosis(state).model_dump_json() for state in (first, second)}
    assert len(texts) == 1


@pytest.mark.parametrize("entry", ["1", "2", "5"])
def test_it_always_ends(entry: str) -> None:
    """Every unknown is one question less; when none is left it ends with the shortlist."""
    state, said, _ = dialogue(entry, "unknown")
    left = [name for name in base().measurements if name != asked(said)[-1]]
    answers = tuple((name, Absence.UNKNOWN) for name in sorted(left[4:]))
    state = dataclasses.replace(state, incident=dataclasses.replace(state.incident, answers=answers))
    _, said, _ = dialogue(*["unknown"] * 6, state=state)
    assert asked(said)[-1] == "next"
    assert "Nothing more can be asked" in flat(said)


def test_control_characters_cannot_act_on_the_terminal() -> None:
    """What was typed is spelt out where it is shown again."""
    _, said, _ = dialogue(*TRAINING, "\x1b[31m", "note \x1b[31m", "show")
    assert not any("\x1b" in line for line in said)


def test_a_newer_output_takes_the_place_of_the_older_one() -> None:
    """Two captures given one after the other do not contradict each other: the later one holds."""
    head = ["# gpu    sm   mem   enc   dec", "# Idx     %     %     %     %"]
    first = ["<<<", *head, *["    0    20    10     0     0"] * 4, ">>>"]
    second = ["<<<", *head, *["    0    90    10     0     0"] * 4, ">>>"]
    state, _, _ = dialogue(*TRAINING, *first, *second)
    assert value(state, "accelerator_utilization") == Interval.point(0.9)
    assert [o.measurement for o in state.incident.observations].count("accelerator_utilization") == 1


@pytest.mark.parametrize("language", ["en", "zh", "vi"])
def test_lines_fit_a_terminal(language: str) -> None:
    """Nothing but a command to paste is wider than 80 cells, however wide its letters are."""
    lines = (*TRAINING, "why", "45 %", "why not storage_bound", "show", "help", "what if cached_pass_speedup = 1.5")
    _, said, _ = dialogue(*lines, language=language)
    pasted = ("$", "with torch")
    assert [line for line in said if cell_len(line) > 80 and not line.lstrip().startswith(pasted)] == []


def test_a_question_mark_asks_for_help() -> None:
    """A lone question mark shows what can be said and skips nothing."""
    state, said, _ = dialogue(*TRAINING, "?")
    assert any(line.startswith("what if X = VALUE  two verdicts") for line in said)
    assert state.incident.answers == ()


def test_a_path_that_is_not_there_is_said_so() -> None:
    """A misspelt path is no value."""
    _, said, _ = dialogue(*TRAINING, "/nope.txt")
    assert "There is no file '/nope.txt'." in said


def test_the_home_of_nobody_is_words() -> None:
    """A tilde before a name that no user has is no path, and no mistake either."""
    assert paths_in("~nobody-has-this-name/trace.json") == []


def test_nothing_typed_repeats_the_question() -> None:
    """An empty line shows the question again in full and changes nothing."""
    state, said, saved = dialogue("", state=dialogue(*TRAINING)[0])
    assert asked(said) == ["input_gap_share", "input_gap_share"]
    assert saved == []
    assert state.turns == dialogue(*TRAINING)[0].turns


def test_the_session_is_begun_anew_from_what_begun_returns() -> None:
    """A state without anything welcomes."""
    assert conversation().open(begun()).question is not None


def test_a_number_of_thousands_of_digits_is_no_choice() -> None:
    """What could overflow a number is answered like any other number that is not offered."""
    _, said, saved = dialogue("9" * 5000)
    assert (saved, "Choose a number from 1 to 7." in said) == ([], True)


@pytest.mark.parametrize(
    "line",
    [
        "one GPU is slow",
        "one GPU is slower than the others",
        "one GPU is slow, restarting did not help",
        "with one GPU it is slower",
        "larger batch is slower",
    ],
)
def test_a_complaint_is_no_attempt(line: str) -> None:
    """Nothing was done to the levers that these words name: none is noted as tried, and nothing is ruled out by one."""
    state, said, _ = dialogue(*TRAINING, line)
    assert state.incident.tried == ()
    assert "Noted as tried" not in flat(said)


@pytest.mark.parametrize(
    ("line", "lever"),
    [
        ("more workers did not help", "more_loader_workers"),
        ("we tried more workers, no change", "more_loader_workers"),
        ("num_workers raised to 16, no change", "more_loader_workers"),
        ("bf16 made it slower", "lower_precision"),
        ("training is slow, we tried one GPU and it is slower", "narrow_parallelism"),
    ],
)
def test_what_was_done_is_noted_as_tried(line: str, lever: str) -> None:
    """Words of an act, or of what an act gave, in the clause of the lever."""
    state, _, _ = dialogue(*TRAINING, line)
    assert [one.lever for one in state.incident.tried] == [lever]


@pytest.mark.parametrize("line", ["không giúp", "không giúp gì", "didn't help", "没用"])
def test_what_did_nothing_is_said_in_any_language(line: str) -> None:
    """The answer to what a change did."""
    state, _, _ = dialogue(TARGET, *CAUSE, "did 1", line)
    assert [str(one.effect) for one in state.incident.tried] == ["nothing"]


@pytest.mark.parametrize("language", ["en", "zh", "vi"])
def test_a_resolved_session_names_the_cause_and_what_the_change_gave(language: str) -> None:
    """The cause that was confirmed, what was changed, the target before and after, and what was predicted."""
    lines = (TARGET, *CAUSE, "did 1", "105 ms")
    words = conversation(language).words(begun())
    cause = words.sentence(base().hypotheses["loader_parallelism"].model.title)
    lever = words.sentence(base().levers["more_loader_workers"].model.title)
    for command in ("report", "why", "how loader_parallelism", "show"):
        _, said, _ = dialogue(*lines, command, language=language)
        at_end = flat(said[-60:] if command == "report" else said).split(words.say("session.effect.resolved"))[-1]
        known = [cause, lever, "180 ms", "105 ms", "1.71×", "1.82×"]
        assert all(one.replace(" ", "") in at_end.replace(" ", "") for one in known), command
        assert words.say("session.why.next") not in at_end
        assert words.say("session.how.no_rule") not in at_end


def test_without_a_reached_target_nothing_is_said_to_have_solved_it() -> None:
    """A change that helped, but not enough."""
    state, said, _ = dialogue(TARGET, *CAUSE, "did 1", "150 ms", "report")
    assert conversation().worked(state) == []
    assert "What solved it" not in flat(said)


def test_what_settles_the_finer_cause_is_asked_once_the_family_is_confirmed() -> None:
    """Decoding lacks two measurements to be confirmed: they come before those of other families, and what is known."""
    known = ("input_wait_share = 40 %", "1.62x", "4 %", "unknown")
    finer = ("decode_share_of_worker = 75 %", "predecoded_speedup = 1.5")
    state, _, _ = dialogue("1", "step time is 420 ms, wanted 250 ms", "unknown", *known, *finer)
    diagnosis = conversation().diagnosis(state)
    assert diagnosis.binding is not None
    assert (diagnosis.binding.hypothesis, diagnosis.binding.depth) == ("input_wait", "bottleneck")
    first = [one.measurement for one in diagnosis.next_measurements][:2]
    assert set(first) == {"cached_pass_speedup", "worker_cores_share"}
    state, _, _ = dialogue("cached_pass_speedup = 1.02", "worker_cores_share = 100 %", state=state)
    after = conversation().diagnosis(state).binding
    assert after is not None
    assert after.hypothesis == "cpu_decode_bound"


def test_what_is_confirmed_is_not_called_unproven() -> None:
    """After five answers without a value, what is said of where it stands agrees with the verdict."""
    lines = ("1", "step time is 420 ms, wanted 250 ms", "unknown", "input_wait_share = 40 %", "1.62x")
    _, said, _ = dialogue(*lines, *["unknown"] * 5)
    told = flat(said)
    assert "So far, confirmed: The device waits for input" in told
    assert "So far, not proven: The device waits for input" not in told


@pytest.mark.parametrize("language", ["en", "zh", "vi"])
def test_values_that_contradict_each_other_are_named(language: str) -> None:
    """Both are said, and what to measure again; values that go together are not."""
    words = conversation(language).words(begun())
    both = [words.title(name) for name in ("input_gap_share", "input_wait_share")]
    again = words.say("semicolon").join(both)
    lines = ("step_time is 180 ms, wanted 110 ms", "input_gap_share = 58 %")
    _, said, _ = dialogue(*lines, "input_wait_share = 40 %", "report", language=language)
    told = flat(said).replace(" ", "")
    assert all(one.replace(" ", "") in told for one in (f"{both[0]} 58 %", f"{both[1]} 40 %", again))
    _, said, _ = dialogue(*lines, "input_wait_share = 60 %", "report", language=language)
    assert again.replace(" ", "") not in flat(said).replace(" ", "")


def test_sizes_of_memory_are_written_as_tools_write_them() -> None:
    """A card of 80 GB beside a message in GiB: both in GiB, and rates stay decimal."""
    state, said, _ = dialogue(*TRAINING, "device_memory_total = 81559 MiB", "memory_requested = 2 GiB", "show")
    assert "79.6 GiB" in flat(said)
    assert "2 GiB" in flat(said)
    assert "85" not in flat([line for line in said if "device_memory_total" in line])
    assert state.incident.observations


@pytest.mark.parametrize(
    "line", ["plan buy H200", "plan 买 H200", "plan 购买H200", "plan mua H200", "plan mua thêm H100"]
)
def test_a_purchase_is_a_plan_in_any_language(line: str) -> None:
    """The name of a device is the same everywhere; the verb is understood in each language."""
    state, _, _ = dialogue(*TRAINING, line)
    assert [one.lever for one in state.incident.planned] == [line.removeprefix("plan ")]
    assert {"faster_accelerator", "more_memory_bandwidth", "more_device_memory"} <= set(
        conversation().evaluated(state).plans.planned
    )


@pytest.mark.parametrize(
    ("said", "entry"),
    [
        ("loss went flat after 2 epochs at 2.3", "quality_plateau"),
        ("the loss diverges after step 1000", "quality_plateau"),
        ("the dataloader is slow", "slow_training"),
        ("ttft is too high", "missed_latency"),
        ("our bill doubled", "high_cost"),
        ("the job was killed", "out_of_memory"),
        ("8 gpus are only 3x faster", "between_devices"),
        ("fine in development, wrong in prod", "worse_in_production"),
        ("损失不下降", "quality_plateau"),
        ("显存爆了", "out_of_memory"),
        ("loss đứng yên", "quality_plateau"),
    ],
)
def test_a_start_in_plain_words_finds_its_way_in(said: str, entry: str) -> None:
    """What people write first, in each language, begins with the questions of its kind."""
    state, _, _ = dialogue(said)
    assert state.entry == entry


def test_the_end_names_the_question_that_stands() -> None:
    """Whether the engine or the way one came in chose it."""
    state, said, _ = dialogue("2", "p99 is 2.4 s, slo 800 ms", "unknown", "quit")
    title = conversation().words(state).title(conversation().question(state).id)
    assert f"Measure next: {title}" in " ".join(" ".join(said).split())


def test_what_was_done_comes_behind_what_is_still_to_be_done() -> None:
    """However much it gained: it is there already."""
    state, _, _ = dialogue("1", "180 ms, wanted 110 ms", "40 %", "did more_loader_workers", "120 ms")
    working = [lever.id for lever in conversation().diagnosis(state).levers if lever.effect == "works"]
    assert len(working) > 1
    assert "more_loader_workers" not in working[:-1]


def test_what_a_change_gained_is_no_gain_to_come() -> None:
    """Nor does it confirm again what it mended: what binds now has to be measured."""
    state, said, _ = dialogue("1", "180 ms, wanted 110 ms", "40 %", "did more_loader_workers", "120 ms")
    assert conversation().diagnosis(state).binding is None
    assert "The target is 1.5× as good as before the change." in said
    assert conversation().question(state).id == "input_gap_share"  # it is of before the change: the loop goes on


def test_a_purchase_says_how_far_it_goes() -> None:
    """Against the device in use: an H200 computes as fast as an H100 and moves bytes 1.43 times as fast."""
    _, said, _ = dialogue(*TRAINING, "change accelerator H100 SXM5", "plan buy H200")
    text = " ".join(" ".join(said).split())
    assert "memory bandwidth (1.43×); More memory per model (1.76×)" in text
    assert "arithmetic peak" not in text
    assert text.count("nothing is confirmed yet") == 1


def test_a_device_in_a_sentence_is_no_purchase() -> None:
    """To profile on a device is not to buy it."""
    state, _, _ = dialogue(*TRAINING, "tried profile on h100: nothing", "plan profile on h100")
    assert (state.incident.tried, state.incident.planned) == ((), ())


@pytest.mark.parametrize(
    ("line", "command"), [("sho", "show"), ("savee", "save"), ("languge zh", "language"), ("undoo", "undo")]
)
def test_a_misspelt_command_is_named(line: str, command: str) -> None:
    """What is no value and looks like a command is answered with the command."""
    _, said, _ = dialogue(*TRAINING, line)
    assert f"'{command}'" in "\n".join(said)


def test_a_cause_is_meant_rather_than_the_rules_named_after_it() -> None:
    """One hypothesis holds the word; of rules there are many."""
    _, said, _ = dialogue(*TRAINING, "why not storage")
    assert "(taken as storage_bound)" in "\n".join(said)
    assert "may be several" not in "\n".join(said)


def test_what_else_a_tool_would_tell_that_is_not_here_comes_later() -> None:
    """Who cannot record a trace is asked for something else before the other figures of that trace."""
    state, _, _ = dialogue(*TRAINING, "can't measure")
    asked, base = conversation().question(state).id, conversation().base
    lost, here = ({way.tool for way in base.measurements[name].model.obtain} for name in ("input_gap_share", asked))
    assert not here <= lost
