"""Two values of the report's own metric: where one lever is all that differs, their ratio is what trying it did."""

from __future__ import annotations

import pytest

from dam_expert.documents.intervals import Interval

HEAD = "# Training speed\n\nSlow training.\n\n- throughput: 8 it/s\n"


def tried(read, text):
    """Return what a text says was tried, with its effects."""
    return {each.lever: each.effect for each in read(text).tried}


def test_a_lever_in_the_label_is_compared_with_the_plain_value(read) -> None:
    """A metric with a lever in its label is what the lever made of the plain metric."""
    assert tried(read, HEAD + "- throughput persistent workers: 10 it/s\n") == {
        "keep_workers_alive": Interval(1.25, 1.25)
    }


def test_a_lever_in_the_sentence_before_counts_where_the_label_says_after(read) -> None:
    """A label that only says after the change takes its lever from the sentence before it."""
    text = HEAD + "\nWith expandable segments.\n\n- throughput after: 12 it/s\n"
    assert tried(read, text) == {"expandable_segments": Interval(1.5, 1.5)}


def test_times_are_turned_so_that_more_is_better(read) -> None:
    """Half the time is twice as fast."""
    text = "# Step time\n\n- step time: 600 ms\n- step time with cuda graphs: 300 ms\n"
    assert tried(read, text) == {"replay_graphs": Interval(2.0, 2.0)}


def test_without_a_plain_value_before_and_after_are_compared(read) -> None:
    """The value before, or without the lever, stands for the plain one where there is none."""
    text = "# Step time\n\n- step time without cuda graphs: 600 ms\n- step time with cuda graphs: 300 ms\n"
    assert tried(read, text) == {"replay_graphs": Interval(2.0, 2.0)}


def test_the_same_lever_in_two_cases_gives_the_hull(read) -> None:
    """A lever that gains in one case and nothing in another keeps both, so that the better one decides nothing."""
    text = (
        "# Step time\n\n- step ms batch 1: 80\n- step ms batch 8: 100\n"
        "- graphs step ms batch 1: 40\n- graphs step ms batch 8: 100\n"
    )
    assert tried(read, text) == {"replay_graphs": Interval(1.0, 2.0)}


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param("- throughput after warm-up: 10 it/s\n", id="no lever"),
        pytest.param("- throughput persistent workers cuda graphs: 10 it/s\n", id="two levers"),
        pytest.param("\nWe plan cuda graphs.\n\n- throughput after: 10 it/s\n", id="a plan"),
        pytest.param("\nWould cuda graphs help?\n\n- throughput after: 10 it/s\n", id="a question"),
        pytest.param("- throughput without persistent workers: 6 it/s\n", id="a lever taken back"),
        pytest.param("- throughput persistent workers on windows: 10 it/s\n", id="another difference"),
    ],
)
def test_what_differs_by_more_than_one_lever_compares_nothing(read, lines) -> None:
    """Two levers, no lever, a plan, a question or a further difference say nothing of any lever."""
    assert not any(isinstance(effect, Interval) for effect in tried(read, HEAD + lines).values())
