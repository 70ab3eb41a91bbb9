"""Labels of a report's own: times and rates that it compares under its own words."""

from __future__ import annotations

import pytest

from dam_expert.documents.incident import Tried
from dam_expert.documents.intervals import Interval

HEAD = "# Pauses during training\n\nTraining is blocked while checkpoints are written.\n\n## Measured\n\n"
TRIED = "\n## Tried\n\nWith checkpoints off.\n\n"


def tried(read, text: str) -> dict[str, object]:
    """Return what a text says was tried, with its effects."""
    found: list[Tried] = list(read(text).tried)
    return {each.lever: each.effect for each in found}


def test_a_time_under_the_reports_own_words_is_compared_with_itself(read) -> None:
    """No measurement is called blocked time; the unit says that less is better."""
    text = HEAD + "- blocked s: 27\n" + TRIED + "- blocked s after: 9\n"
    assert tried(read, text) == {"asynchronous_checkpoints": Interval(3.0, 3.0)}


def test_a_rate_is_better_the_higher(read) -> None:
    """Per second, more is better."""
    text = HEAD + "- blocked writes per s: 20\n" + TRIED + "- blocked writes per s after: 50\n"
    assert tried(read, text) == {"asynchronous_checkpoints": Interval(2.5, 2.5)}


def test_a_label_may_leave_out_what_only_one_other_says(read) -> None:
    """*blocked s* is *blocked s per save* where there is but one such; of two it may be either."""
    one = "- blocked s per save: 27\n"
    two = one + "- blocked s per epoch: 90\n"
    after = TRIED + "- blocked s after: 9\n"
    assert tried(read, HEAD + one + after) == {"asynchronous_checkpoints": Interval(3.0, 3.0)}
    assert not tried(read, HEAD + two + after)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param("- other stage s: 27\n- step time: 400 ms\n" + TRIED + "- other stage s after: 9\n", id="a part"),
        pytest.param("- blocked s: about 27\n" + TRIED + "- blocked s after: 9\n", id="hedged"),
        pytest.param("- blocked gb: 27\n" + TRIED + "- blocked gb after: 9\n", id="neither time nor rate"),
    ],
)
def test_what_the_report_is_not_about_says_nothing_of_it(read, lines: str) -> None:
    """A part of the job, a guess and other units compare nothing."""
    assert not tried(read, HEAD + lines)


def test_a_label_takes_up_words_of_the_sentence_before(read) -> None:
    """What the sentence says of the one change is no further difference of the label below it."""
    head = "# Step time\n\nSlow steps.\n\n## Measured\n\n- step time: 600 ms\n"
    said = "\n## Tried\n\nStep time with all steps set to CUDA graphs.\n\n"
    assert tried(read, head + said + "- step time set: 300 ms\n") == {"replay_graphs": Interval(2.0, 2.0)}
    assert not tried(read, head + said + "- step time on windows: 300 ms\n")


def test_of_several_sizes_the_one_that_the_title_speaks_of_is_compared(read) -> None:
    """On four GPUs is what the report is about, on one GPU what it is compared with."""
    text = (
        "# Batch time on four GPUs\n\nSlow.\n\n## Measured\n\n- batch time s 4 gpus: 2.4\n- batch time s 1 gpu: 0.5\n"
        "\n## Tried\n\nWith ACS disabled.\n\n- batch time s after: 0.6\n"
    )
    assert tried(read, text) == {"enable_peer_access": Interval(4.0, 4.0)}


def test_a_setting_that_names_a_lever_is_what_was_applied(read) -> None:
    """Where no sentence says what was changed, a label above the value does."""
    head = "# Token rate\n\nSlow decoding.\n\n## Measured\n\n- tokens per s: 20\n\n## Tried\n\n"
    text = head + "- speculative decoding off: yes\n- tokens per s after: 40\n"
    assert tried(read, text) == {"stop_speculation": Interval(2.0, 2.0)}


def test_a_reported_score_is_what_should_be_reached(read) -> None:
    """The score of the paper is no second value of the job; what a change closes of the gap to it is told."""
    text = (
        "# Exact match\n\nThe checkpoint scores less than published.\n\n## Measured\n\n- exact match pct: 40\n"
        "- reported exact match pct: 60\n\n## Tried\n\nWith the same preprocessing.\n\n- exact match pct after: 58\n"
    )
    found = read(text)
    values = {f.observation.measurement: f.observation.value for f in found.findings}
    assert values["accuracy"] == Interval(0.4, 0.4)
    assert values["aligned_inputs_gap_closed"].lo == pytest.approx(0.9)
