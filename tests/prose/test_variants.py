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


def probes(read, text):
    """Return what a text says of probes, by measurement, with whether it may decide."""
    return {
        each.observation.measurement: (each.observation.value, str(each.observation.basis))
        for each in read(text).findings
        if each.observation.measurement.endswith(("_speedup", "_gap_closed"))
    }


def measured(*lines: str, title: str = "Slow run") -> str:
    """Return a report of nothing but measured values."""
    return f"# {title}\n\n## Measured\n\n" + "".join(f"- {line}\n" for line in lines)


def test_two_labels_that_differ_by_the_sides_of_a_trial_are_compared(read) -> None:
    """The label of the side that was tried is compared with that of the other side."""
    assert tried(read, measured("it per s nfs: 1.4", "it per s tmpfs: 3.5")) == {
        "stage_files_locally": Interval(2.5, 2.5)
    }


def test_a_probe_that_no_lever_tries_takes_the_ratio(read) -> None:
    """A run on synthetic input is a probe and no lever: the ratio is its value, and decides where both values stand."""
    text = measured("step time s: 0.9", "step time s synthetic data: 0.3")
    assert probes(read, text)["synthetic_input_speedup"] == (Interval(3.0, 3.0), "reported")


def test_precisions_are_compared_with_one_another_only(read) -> None:
    """The plain value tells no precision: only a label of the compressed model is the other side."""
    pair = measured("latency ms fp16: 30", "latency ms int8: 150")
    assert probes(read, pair)["uncompressed_speedup"] == (Interval(5.0, 5.0), "reported")
    assert "uncompressed_speedup" not in probes(read, measured("latency ms: 150", "latency ms fp16: 30"))


def test_turning_something_off_is_the_other_way_round(read) -> None:
    """Without drafts is what was tried against with them, though it holds the name of the lever."""
    text = measured("tokens per s without speculation: 30", "tokens per s with speculation: 20")
    assert tried(read, text)["stop_speculation"] == Interval(1.5, 1.5)


def test_a_speedup_with_a_lever_is_the_effect(read) -> None:
    """A label of a speed-up that names a lever states the ratio itself; without one, or with more words, nothing."""
    assert tried(read, measured("speedup with infiniband: 1.8x")) == {"direct_transport": Interval(1.8, 1.8)}
    assert tried(read, measured("speedup: 1.8")) == {}
    assert tried(read, measured("speedup with infiniband on the laptop: 1.8")) == {}


def test_what_was_before_is_what_a_change_is_compared_with(read) -> None:
    """A value before is wanted again, and the base of the comparison."""
    text = measured("epoch time min before: 45", "epoch time min persistent workers: 36")
    assert tried(read, text) == {"keep_workers_alive": Interval(1.25, 1.25)}


def test_the_plain_value_beside_one_with_the_lever_is_without_it(read) -> None:
    """Under what was tried a plain label is of the changed case, but not where another label names the lever."""
    text = "# Step time\n\n## Tried\n\nStep time with cuda graphs.\n\n- step ms: 30\n- step ms cuda graphs: 20\n"
    text += "\n## Measured\n\n- step ms: 30\n"
    assert tried(read, text) == {"replay_graphs": Interval(1.5, 1.5)}


def test_other_metrics_may_gain_another_factor(read) -> None:
    """Two metrics of one lever need not gain the same; where one loses what is said does not decide."""
    text = "# Slow\n\nThe ttft is 6 s.\n\n"
    text += "## Measured\n\n- tokens per s: 40\n- tokens per s prefix caching: 60\n- ttft s prefix caching: {}\n"
    assert tried(read, text.format(2)) == {"reuse_prefixes": Interval(1.5, 3.0)}
    assert tried(read, text.format(12)) == {}


def test_one_standing_value_counts_among_said_ones_that_hold_it(read) -> None:
    """A value that stands is the base where what is said holds it; a different one said makes it unclear."""
    text = "# Slow\n\nIt runs at {} it/s.\n\n## Measured\n\n- throughput: 8 it/s\n"
    text += "- throughput persistent workers: 10 it/s\n"
    assert tried(read, text.format("7-9")) == {"keep_workers_alive": Interval(1.25, 1.25)}
    assert tried(read, text.format("5")) == {}


def test_a_quality_gap_is_closed_in_part(read) -> None:
    """Of a metric of quality it is the part of the way to the value that is to be reached."""
    text = measured("accuracy pct: 64", "accuracy pct syncbn: 70", "accuracy pct one gpu: 72", title="Lower accuracy")
    value, basis = probes(read, text)["synchronised_norm_gap_closed"]
    assert basis == "reported"
    assert value.lo == pytest.approx(0.75)
    assert "synchronised_norm_gap_closed" not in probes(read, measured("accuracy pct: 64", "accuracy pct syncbn: 70"))


@pytest.mark.parametrize("goal", [64, 60])
def test_without_a_gap_nothing_closes_it(read, goal) -> None:
    """What is to be reached must be better than what was."""
    text = measured("accuracy pct: 64", "accuracy pct syncbn: 70", f"accuracy pct one gpu: {goal}")
    assert "synchronised_norm_gap_closed" not in probes(read, text)


def test_a_time_is_taken_for_each_piece_of_the_job(read) -> None:
    """Data wait per iteration is the data wait; a count per step is no rate."""
    found = {each.observation.measurement for each in read(measured("data wait s per iteration: 0.6")).findings}
    assert "input_wait_time" in found
    found = {each.observation.measurement for each in read(measured("tokens per step: 4096")).findings}
    assert "token_rate" not in found


def test_iterations_and_requests_are_a_rate_per_second_only(read) -> None:
    """Iterations per second are a rate, bare iterations a count."""
    found = {
        each.observation.measurement for each in read(measured("iterations per s: 4", "requests per s: 9")).findings
    }
    assert {"step_rate", "throughput"} <= found
    found = {each.observation.measurement for each in read(measured("iterations: 4", "requests: 9")).findings}
    assert not {"step_rate", "throughput"} & found


@pytest.mark.parametrize(
    ("sentence", "decides"),
    [
        pytest.param("Throughput with and without persistent workers at the same batch size.", True, id="a comparison"),
        pytest.param("Throughput with persistent workers on Bob's box.", False, id="a place"),
        pytest.param("Throughput with persistent workers on another machine.", False, id="of others"),
        pytest.param("Throughput with persistent workers, I believe.", False, id="a guess"),
    ],
)
def test_words_for_comparing_leave_an_attempt_as_it_is(read, sentence, decides) -> None:
    """Beside a lever and a metric only words for comparing may stand; any other may be of another machine."""
    effects = tried(read, HEAD + f"\n## Tried\n\n{sentence}\n\n- throughput after: 10 it/s\n")
    assert any(isinstance(effect, Interval) for effect in effects.values()) is decides
