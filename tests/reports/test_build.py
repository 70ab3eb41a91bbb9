"""The report model: which sections a diagnosis has, in which order, and what they say."""

from __future__ import annotations

import pytest
from sample_diagnoses import CONFIRMED, GLOSSARY, HOST, INPUT, MEMORY, SUPPORTED, UNDETERMINED

from dam_expert.reports import Bar, Code, Line, build_report


def _texts(diagnosis, section):
    report = build_report(diagnosis, GLOSSARY)
    found = [each for each in (*report.sections, *report.details) if each.id == section]
    return [item.text for each in found for item in each.items if isinstance(item, Line | Bar)]


def test_sections_in_reading_order():
    """Verdict first, then what was missed, time, reasons, causes, actions, unknowns, and what was not used."""
    order = (
        "verdict missed budget why causes ruled_out levers iron_law wasted unknown following "
        "anti_patterns rejected unseen"
    )
    assert order.split() == [section.id for section in build_report(CONFIRMED, GLOSSARY).sections]


def test_sections_without_content_are_left_out():
    """A diagnosis of nothing has no empty headings."""
    expected = ["verdict", "missed", "causes", "unknown"]
    assert expected == [section.id for section in build_report(UNDETERMINED).sections]


@pytest.mark.parametrize(
    ("diagnosis", "sentence"),
    [
        pytest.param(
            CONFIRMED, "Confirmed: input binds (data, with machine). The step waits for input.", id="confirmed"
        ),
        pytest.param(
            SUPPORTED, "Likely, not proven: The step waits for input (input, data, with machine).", id="supported"
        ),
        pytest.param(
            UNDETERMINED,
            "Undetermined: the evidence does not single out a cause; missing first of all: "
            "Speed-up of a pass over cached files.",
            id="undetermined",
        ),
        pytest.param(
            CONFIRMED.model_copy(update={"status": "conflicting", "binding": None}),
            "Conflicting: the evidence both confirms and refutes: The step waits for input.",
            id="conflicting",
        ),
        pytest.param(
            UNDETERMINED.model_copy(update={"status": "no_fault"}), "No fault: The step waits for input.", id="no fault"
        ),
        pytest.param(
            CONFIRMED.model_copy(update={"status": "resolved"}),
            "Resolved: the last measurement meets the target.",
            id="resolved",
        ),
    ],
)
def test_verdict_sentence(diagnosis, sentence):
    """Each status has its own sentence, and it never claims more than the status does."""
    assert sentence == _texts(diagnosis, "verdict")[0]


def test_unknown_gain_is_said_to_be_unknown():
    """Without share and ceiling the verdict says that the gain is unknown instead of inventing one."""
    binding = CONFIRMED.binding.model_copy(update={"share": None, "ceiling": None, "depth": "cause"})
    expected = "What removing it would gain at most is unknown."
    assert expected == _texts(CONFIRMED.model_copy(update={"binding": binding}), "verdict")[1]


def test_a_contradicted_budget_shows_why_instead_of_bars():
    """A budget whose parts exceed the total is not drawn."""
    budget = CONFIRMED.budget.model_copy(update={"contradiction": "the parts sum up to 130 % of the step"})
    diagnosis = CONFIRMED.model_copy(update={"budget": budget})
    assert _texts(diagnosis, "budget") == ["the parts sum up to 130 % of the step"]


def test_why_gives_the_confirming_rule_first_with_value_threshold_and_source():
    """The strongest evidence stands first, with the value, the threshold and where it comes from."""
    assert _texts(CONFIRMED, "why")[:3] == [
        "The device stands still while the step waits for its batch.",
        "input_gap_share (45.7 %) >= input_gap_binding (20 %, decisive: profiler guide, section 3); "
        "from profile.pt.trace.json (pytorch_trace)",
        "confirm: input.wait.confirm; appendix table 5 row 1",
    ]


def test_many_causes_are_cut_and_counted():
    """Only the first five causes are shown; the rest is counted, not hidden."""
    hypotheses = [INPUT, *([HOST] * 7)]
    texts = _texts(CONFIRMED.model_copy(update={"hypotheses": hypotheses}), "causes")
    assert texts[-1] == "and 3 more (all of them: --format json)"


@pytest.mark.parametrize("score", [0, -2])
def test_candidates_that_nothing_speaks_for_are_counted(score):
    """A cause that nothing, or not enough, speaks for is not listed beside causes that have some evidence."""
    bare = HOST.model_copy(update={"status": "candidate", "score": score})
    texts = _texts(CONFIRMED.model_copy(update={"hypotheses": [INPUT, bare, bare]}), "causes")
    assert (texts[0], texts[2:]) == (
        INPUT.title,
        ["2 others are not ruled out, and no more speaks for them than against."],
    )


def test_refuted_with_its_parent():
    """What was refuted together with its parent is counted there, at any depth."""
    child = HOST.model_copy(update={"id": "child", "status": "refuted", "parent": "memory_bound"})
    grandchild = HOST.model_copy(update={"id": "grandchild", "status": "refuted", "parent": "child"})
    diagnosis = CONFIRMED.model_copy(update={"hypotheses": [MEMORY, child, grandchild]})
    assert _texts(diagnosis, "ruled_out")[0] == "Device memory is too slow (and 2 finer causes of it)"


def test_levers_of_an_unproven_diagnosis_are_not_called_the_first_thing_to_do():
    """Before anything is confirmed the heading of the levers says so."""
    titles = {section.id: section.title for section in build_report(SUPPORTED, GLOSSARY).sections}
    assert titles["levers"] == "What would help, once it is proven"


def test_commands_are_kept_as_they_are():
    """A command of two lines stays two lines, and Python is told from what a shell understands."""
    two = UNDETERMINED.next_measurements[0].commands[0].model_copy(update={"command": "first \\\n  second\n"})
    python = two.model_copy(update={"command": "with profile() as prof: ...  # prof.step()"})
    step = UNDETERMINED.next_measurements[0].model_copy(update={"commands": [two, python]})
    report = build_report(UNDETERMINED.model_copy(update={"next_measurements": [step]}))
    codes = [item for section in report.sections for item in section.items if isinstance(item, Code)]
    assert codes == [Code("first \\\n  second", "sh", 1), Code(python.command, "python", 1)]


def test_brief_is_three_lines():
    """Verdict, first action, next measurement."""
    assert list(build_report(CONFIRMED, GLOSSARY).brief) == [
        "Confirmed: input binds (data, with machine). The step waits for input.",
        "Do first: measure which cause it is; if the cause is one that it works on: More loader workers (at most "
        "1.84×, minutes).",
        "Measure next: Speed-up of a pass over cached files: vmtouch -t /data/train && python train.py --max-steps 200 "
        "--epochs 2 --report-step-time --quiet",
    ]


def test_parts_that_take_no_time_are_not_drawn():
    """A part of exactly nothing is left out of the text; the unknown parts are named in one line."""
    none = CONFIRMED.budget.parts[0].model_copy(update={"share": 0.0})
    budget = CONFIRMED.budget.model_copy(update={"parts": [none, CONFIRMED.budget.parts[2]]})
    report = build_report(CONFIRMED.model_copy(update={"budget": budget}))
    (drawn,) = (section.items for section in report.sections if section.id == "budget")
    assert [bar.label for bar in drawn[:-1]] == ["residual (explained by no part)"]
    assert drawn[-1].text == "Not measured: exposed copies."


def test_many_wasted_levers_are_cut_and_counted():
    """Only the first three levers that would be wasted are shown; the rest is counted."""
    wasted = [CONFIRMED.levers[1]] * 5
    texts = _texts(CONFIRMED.model_copy(update={"levers": wasted}), "wasted")
    assert (len(texts), texts[-1]) == (4, "and 2 more (all of them: --format json)")
