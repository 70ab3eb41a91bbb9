"""Two values of the report's own metric: where one lever is all that differs, their ratio is what trying it did."""

from __future__ import annotations

import pytest

from dam_expert.documents.intervals import Interval
from dam_expert.prose.words import significant, tokens

HEAD = "# Training speed\n\nSlow training.\n\n## Measured\n\n- throughput: 8 it/s\n"


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
    text = HEAD + "\n## Tried\n\nWith expandable segments.\n\n- throughput after: 12 it/s\n"
    assert tried(read, text) == {"expandable_segments": Interval(1.5, 1.5)}


def test_times_are_turned_so_that_more_is_better(read) -> None:
    """Half the time is twice as fast."""
    text = "# Step time\n\n## Measured\n\n- step time: 600 ms\n- step time with cuda graphs: 300 ms\n"
    assert tried(read, text) == {"replay_graphs": Interval(2.0, 2.0)}


def test_without_a_plain_value_before_and_after_are_compared(read) -> None:
    """The value before, or without the lever, stands for the plain one where there is none."""
    text = (
        "# Step time\n\n## Measured\n\n- step time without cuda graphs: 600 ms\n- step time with cuda graphs: 300 ms\n"
    )
    assert tried(read, text) == {"replay_graphs": Interval(2.0, 2.0)}


def test_the_same_lever_in_two_cases_gives_the_hull(read) -> None:
    """A lever that gains in one case and nothing in another keeps both, so that the better one decides nothing."""
    text = (
        "# Step time\n\n## Measured\n\n- step ms batch 1: 80\n- step ms batch 8: 100\n"
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


TRIED = "\n## Tried since\n\nThroughput with persistent workers.\n\n"


@pytest.mark.parametrize("label", ["throughput after", "throughput", "throughput persistent workers"])
def test_under_a_heading_of_what_was_tried_values_are_after_it(read, label) -> None:
    """One sentence with a lever under such a heading makes the metric below it that of the changed case."""
    assert tried(read, HEAD + TRIED + f"- {label}: 10 it/s\n") == {"keep_workers_alive": Interval(1.25, 1.25)}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            HEAD + "\n## Tried since\n\nMaybe persistent workers.\n\n- throughput after: 10 it/s\n", id="a guess"
        ),
        pytest.param(HEAD + TRIED + "Then pinned memory.\n\n- throughput after: 12 it/s\n", id="two in a row"),
        pytest.param(
            HEAD + "\n## Tried\n\nA colleague: persistent workers.\n\n- throughput: 10 it/s\n", id="of others"
        ),
        pytest.param(
            HEAD + "\n## Tried\n\nPersistent workers on Bob's box.\n\n- throughput: 10 it/s\n", id="more words"
        ),
        pytest.param(HEAD + "\n## Tried\n\nOn Bob's box. Persistent workers.\n\n- throughput: 10 it/s\n", id="a place"),
        pytest.param(HEAD + "\n## Elsewhere\n\n- throughput persistent workers: 10 it/s\n", id="another heading"),
        pytest.param(
            "# Training speed\n\n- throughput: 8 it/s\n- throughput persistent workers: 10 it/s\n", id="among words"
        ),
    ],
)
def test_what_does_not_stand_by_itself_is_said(read, text) -> None:
    """Guesses, attempts on top of one another, and cases among words give no effect that decides."""
    assert not any(isinstance(effect, Interval) for effect in tried(read, text).values())


@pytest.mark.parametrize(("said", "effects"), [(10, {"keep_workers_alive": Interval(1.25, 1.25)}), (8, {})])
def test_what_is_said_beside_what_stands_must_agree(read, said, effects) -> None:
    """The same ratio said again changes nothing; another one takes it back."""
    text = (
        f"{HEAD}- throughput persistent workers: 10 it/s\n\n## More\n\n- throughput persistent workers: {said} it/s\n"
    )
    assert tried(read, text) == effects


def test_a_case_among_words_is_said(read) -> None:
    """The ratio of two cases among words is known, and said."""
    report = read("# Training speed\n\n- throughput: 8 it/s\n- throughput persistent workers: 10 it/s\n")
    probes = {each.observation.measurement: each.observation for each in report.findings}
    assert probes["persistent_workers_speedup"].value == Interval(1.25, 1.25)
    assert str(probes["persistent_workers_speedup"].basis) == "said"


SIZES = "- latency ms: 80, 90, 100\n- batch size: 1, 4, 8\n"


def test_a_case_at_one_size_is_compared_with_all_that_cover_it(read) -> None:
    """A value at one batch size is compared with the values at several, of which it is one."""
    text = f"# Latency\n\n## Measured\n\n{SIZES}\n## Tried\n\nLatency with cuda graphs.\n\n- latency ms after bs1: 40\n"
    assert tried(read, text) == {"replay_graphs": Interval(2.0, 2.5)}


def test_a_case_at_a_size_that_was_not_measured_compares_nothing(read) -> None:
    """A value at a batch size outside of those given has nothing to be compared with."""
    text = (
        f"# Latency\n\n## Measured\n\n{SIZES}\n## Tried\n\nLatency with cuda graphs.\n\n- latency ms after bs32: 40\n"
    )
    assert tried(read, text) == {}


def test_the_title_tells_the_size_that_matters(read) -> None:
    """Where the title speaks of small batches, what a lever does at large ones is no answer."""
    lines = (
        "- step ms batch 1: 80\n- step ms batch 8: 100\n- graphs step ms batch 1: 40\n- graphs step ms batch 8: 100\n"
    )
    assert tried(read, f"# Step time at small batch\n\n## Measured\n\n{lines}") == {"replay_graphs": Interval(2.0, 2.0)}
    assert tried(read, f"# Step time at large batch\n\n## Measured\n\n{lines}") == {"replay_graphs": Interval(1.0, 1.0)}


@pytest.mark.parametrize("label", ["persistent workers", "after", "with persistent workers"])
def test_a_label_without_a_metric_is_of_the_one_that_the_report_states(read, label) -> None:
    """Under what was tried, ``persistent workers: 10 it/s`` is the metric with the lever."""
    assert tried(read, HEAD + TRIED + f"- {label}: 10 it/s\n") == {"keep_workers_alive": Interval(1.25, 1.25)}


@pytest.mark.parametrize("label", ["compilation", "without persistent workers", "persistent workers on linux"])
def test_a_label_with_other_words_is_of_none(read, label) -> None:
    """A label that names another thing, takes the lever back or differs by more compares nothing."""
    assert tried(read, HEAD + TRIED + f"- {label}: 10 it/s\n") == {}


def test_a_lever_is_not_found_in_one_of_its_words(vocabulary) -> None:
    """Names of which small words leave but one (*even arrivals*, *even the input*) are found nowhere."""
    for text in ("bursty arrivals", "input size", "sequence lengths"):
        assert not vocabulary.levers.find(significant(tokens(text)))
