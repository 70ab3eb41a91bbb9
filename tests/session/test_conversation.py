"""The conversation: what is asked, what is taken, what is explained, and how it ends."""

from __future__ import annotations

import dataclasses

import pytest
from session.dialogue import base, begun, conversation, dialogue

from dam_expert.documents.incident import Absence
from dam_expert.documents.intervals import Interval
from dam_expert.session.commands import COMMANDS, HELP
from dam_expert.session.state import resumed, saved_extras

TARGET = "step_time is 180 ms, wanted 110 ms"


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
    assert asked(said) == ["?target"]
    assert sum(line.strip()[:1].isdigit() for line in said) == len(base().entry_points)


def test_a_target_is_read_with_its_units() -> None:
    """The metric, the actual and the wanted value are kept in canonical units."""
    state, _, _ = dialogue(TARGET)
    assert state.incident.target is not None
    assert state.incident.target.metric == "step_time"
    assert state.incident.target.actual == Interval.point(0.18)
    assert state.incident.target.wanted == Interval.point(0.11)


def test_an_entry_point_sets_the_track_and_asks_its_own_question_first() -> None:
    """The first entry point is about training and begins with the idle share for input."""
    state, said, _ = dialogue("1")
    assert state.incident.target is not None
    assert state.incident.target.track == "time"
    assert asked(said)[-1] == "input_gap_share"


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
    state, _, _ = dialogue("1", line)
    assert value(state, "input_gap_share") == expected


@pytest.mark.parametrize(
    ("line", "absence"),
    [
        ("unknown", Absence.UNKNOWN),
        ("can't measure", Absence.CANNOT_MEASURE),
        ("not applicable", Absence.NOT_APPLICABLE),
    ],
)
def test_what_cannot_be_had_is_not_asked_again(line: str, absence: Absence) -> None:
    """The answer is noted, and another measurement is asked for."""
    state, said, _ = dialogue("1", line)
    assert dict(state.incident.answers)["input_gap_share"] is absence
    assert asked(said)[-1] != "input_gap_share"


def test_a_value_of_two_readings_is_not_taken() -> None:
    """45 for a share changes nothing, says both readings, and the question stands."""
    state, said, _ = dialogue("1", "45")
    assert value(state, "input_gap_share") is None
    assert any("two readings" in line for line in said)
    assert asked(said)[-1] == "input_gap_share"


def test_the_output_of_a_tool_can_be_pasted() -> None:
    """Lines between the marks are read by the readers, whatever was asked."""
    rows = [f"    0  {value}   10    0    0" for value in (12, 30, 38, 22)]
    pasted = ["<<<", "# gpu    sm   mem   enc   dec", "# Idx     %     %     %     %", *rows, ">>>"]
    state, said, _ = dialogue("1", *pasted)
    assert value(state, "accelerator_utilization") == Interval.point(0.255)
    assert any("nvidia_smi_dmon" in line for line in said)


def test_a_confirmed_family_goes_on_to_its_causes() -> None:
    """With the family confirmed, the next question tells its causes apart."""
    _, said, _ = dialogue("1", "45 %")
    assert any(line.startswith("confirmed: ") for line in said)
    assert asked(said)[-1] in {"more_workers_speedup", "cached_pass_speedup", "decode_share_of_worker"}


def test_it_ends_with_the_cause_and_goes_on_to_the_intervention() -> None:
    """A confirmed cause gives the report; the re-measured target resolves."""
    state, said, _ = dialogue(TARGET, "change input_gap_share 45 %", "change more_workers_speedup 1.6",
                              "did more loader workers", "100 ms")  # fmt: skip
    assert any("Too few loader workers" in line for line in said)
    assert any(line == "The target is reached." for line in said)
    assert conversation().diagnosis(state).status == "resolved"


def test_a_local_gain_without_the_target_is_said_plainly() -> None:
    """The target did not move: no improvement of the system, and the cause loses."""
    state, said, _ = dialogue(TARGET, "change input_gap_share 45 %", "did more loader workers", "180 ms")
    assert any("no improvement of the system" in line for line in said)
    scores = {h.id: h.score for h in conversation().diagnosis(state).hypotheses}
    assert scores["loader_parallelism"] < 0


def test_why_names_the_rules_that_wait_and_climbs() -> None:
    """Asked once it shows rules, asked again what would confirm and falsify the cause."""
    _, said, _ = dialogue("1", "why", "why")
    assert any(line.startswith("To confirm 'The device waits for input'") for line in said)
    assert any(line.startswith("Falsified by: ") for line in said)


def test_how_shows_the_proof_and_where_a_value_comes_from() -> None:
    """A hypothesis shows its rules with actual and needed values, a measurement its origin."""
    _, said, _ = dialogue("1", "45 %", "how input_wait", "how input_gap_share")
    assert "(is 45 %) [input_highly_bound = 20 %]" in flat(said)
    assert any(line.strip().startswith("45 % from input_gap_share from session") for line in said)


def test_why_not_tells_false_from_unknown() -> None:
    """Leaves that fail are false, those that lack a value unknown."""
    _, said, _ = dialogue("1", "2 %", "why not storage_bound")
    assert "false: input_gap_share >= input_highly_bound (is 2 %)" in flat(said)
    assert "unknown: cached_pass_speedup" in flat(said)


def test_what_if_changes_nothing() -> None:
    """Two verdicts are shown, and the state is the same afterwards."""
    before, _, _ = dialogue("1")
    after, said, saved = dialogue("what if input_gap_share=45 %", state=before)
    assert after == before
    assert saved == []
    assert any(line.startswith("then: confirmed") for line in said)


@pytest.mark.parametrize("word", ["back", "undo"])
def test_undo_equals_never_said(word: str) -> None:
    """Taking an answer back gives the state before it, and its question again."""
    before, _, _ = dialogue("1")
    after, said, _ = dialogue("45 %", word, state=before)
    assert dataclasses.replace(after, past=()) == dataclasses.replace(before, past=())
    assert asked(said)[-1] == "input_gap_share"


def test_misspelt_names_are_understood() -> None:
    """A name with a slip of the pen is the nearest one."""
    state, _, _ = dialogue("1", "change input_gap_shar 45 %")
    assert value(state, "input_gap_share") == Interval.point(0.45)


def test_a_plan_is_checked_against_the_verdict() -> None:
    """Buying faster cards while input binds is the hardware crutch."""
    _, said, _ = dialogue("1", "45 %", "plan buy H100")
    assert any(line.startswith("Hardware crutch: ") for line in said)


def test_what_was_tried_lowers_its_cause() -> None:
    """More workers did nothing: the cause is weakened, its parent is not."""
    state, _, _ = dialogue("1", "tried more loader workers nothing")
    scores = {h.id: h.score for h in conversation().diagnosis(state).hypotheses}
    assert scores["loader_parallelism"] < 0
    assert scores["input_wait"] == 0


def test_every_command_is_in_the_help() -> None:
    """Help names each command."""
    text = "\n".join(HELP)
    assert all(command in text for command in COMMANDS if command != "exit")


def test_each_change_is_saved_before_more_is_said() -> None:
    """Answers and commands that change something are saved, those that only explain are not."""
    _, _, saved = dialogue("1", "45 %", "why", "show", "note a remark")
    assert len(saved) == 3


def test_a_saved_session_goes_on_where_it_stopped() -> None:
    """The extras of the incident hold what the session must remember; undo begins anew."""
    state, _, _ = dialogue("1", "45 %", "note a remark", "did more loader workers")
    kept = dataclasses.replace(state.incident, extras=saved_extras(state))
    again = resumed(kept)
    assert again.entry == state.entry
    assert again.pending_lever == "more_loader_workers"
    assert again.notes == ("a remark",)
    assert again.turns == state.turns


def test_a_transcript_replays_to_the_same_diagnosis() -> None:
    """The same answers give the same document, byte for byte."""
    lines = ("1", "45 %", "unknown", "1.6", "note x")
    first, _, _ = dialogue(*lines)
    second, _, _ = dialogue(*lines)
    texts = {conversation().diagnosis(state).model_dump_json() for state in (first, second)}
    assert len(texts) == 1


def test_it_always_ends() -> None:
    """Answering unknown to everything comes to an end, with the best that can be said."""
    state = begun()
    for _ in range(200):
        state, said, _ = dialogue("unknown", state=state)
        if not asked(said)[1:]:
            break
    assert any("Nothing more can be measured" in line for line in said)


def test_control_characters_cannot_act_on_the_terminal() -> None:
    """What was typed is spelt out where it is shown again."""
    _, said, _ = dialogue("1", "\x1b[31m")
    assert not any("\x1b" in line for line in said)


def test_a_newer_output_takes_the_place_of_the_older_one() -> None:
    """Two captures given one after the other do not contradict each other: the later one holds."""
    head = ["# gpu    sm   mem   enc   dec", "# Idx     %     %     %     %"]
    first = ["<<<", *head, *["    0    20    10     0     0"] * 4, ">>>"]
    second = ["<<<", *head, *["    0    90    10     0     0"] * 4, ">>>"]
    state, _, _ = dialogue("1", *first, *second)
    assert value(state, "accelerator_utilization") == Interval.point(0.9)
    assert [o.measurement for o in state.incident.observations].count("accelerator_utilization") == 1


def test_lines_fit_a_terminal() -> None:
    """Nothing but a command to paste is longer than 80 columns."""
    _, said, _ = dialogue("1", "why", "45 %", "why not storage_bound", "show")
    assert [line for line in said if len(line) > 80 and not line.lstrip().startswith("$")] == []


def test_a_question_mark_asks_for_help() -> None:
    """A lone question mark shows what can be said and skips nothing."""
    state, said, _ = dialogue("1", "?")
    assert flat(list(HELP)) in flat(said)
    assert state.incident.answers == ()


def test_a_path_that_is_not_there_is_said_so() -> None:
    """A misspelt path is no value."""
    _, said, _ = dialogue("1", "/nope.txt")
    assert "there is no file '/nope.txt'" in said


def test_numbers_beside_an_entry_point_are_not_dropped_in_silence() -> None:
    """Words choose the entry point; numbers in them are pointed out."""
    _, said, _ = dialogue("training crawls, step is 900 ms, want 500")
    assert any(line.startswith("The numbers were not taken") for line in said)
