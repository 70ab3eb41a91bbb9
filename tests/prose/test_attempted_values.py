"""Values below a sentence that names a trial: they decide, unless a word of their label may be a difference."""

from __future__ import annotations

import pytest

HEAD = """# Images per second

The GPU waits.

## Measured

- images per s: 210
- loader workers: 16

## Tried since

"""


def confirmed_bottleneck(diagnosed, sentence, *lines):
    """Return the bottleneck that is confirmed with what was tried, or None."""
    values = "".join(f"- {line}\n" for line in lines)
    binding = diagnosed(f"{HEAD}{sentence}\n\n{values}").binding
    return None if binding is None else str(binding.bottleneck)


@pytest.mark.parametrize(
    ("sentence", "lines"),
    [
        pytest.param("Throughput with the affinity mask reset.", ["images per s: 870"], id="the bare metric"),
        pytest.param("Throughput with the affinity mask reset.", ["images per s bind none: 870"], id="other words"),
        pytest.param(
            "Throughput with the affinity mask reset.", ["images per s first: 210", "images per s then: 870"], id="both"
        ),
        pytest.param(
            "Mean throughput with synthetic data.", ["images per s fed batches: 870"], id="words for the batch"
        ),
        pytest.param("Throughput without decoding.", ["images per s undecoded: 870"], id="without"),
        pytest.param("Throughput with one OpenCV thread each.", ["images per s capped: 870"], id="threads"),
    ],
)
def test_a_label_of_its_own_is_that_of_the_change(diagnosed, sentence, lines) -> None:
    """One value that is not the job's stands for the change that the sentence names."""
    assert confirmed_bottleneck(diagnosed, sentence, *lines) == "input"


@pytest.mark.parametrize(
    "label",
    [
        *("images per s laptop", "images per s other cluster", "images per s new driver", "images per s old version"),
        *("images per s expected", "images per s target", "images per s on linux", "images per s colleague"),
        *("images per s smaller model", "images per s last week", "images per s before", "images per s rank 3"),
        *("images per s estimated", "images per s paper", "images per s pinned memory", "images per s batch size 32"),
    ],
)
def test_words_of_another_difference_in_the_label(diagnosed, label) -> None:
    """Another machine, person, version, time, wish, part or change in the label leaves it as it is."""
    assert confirmed_bottleneck(diagnosed, "Throughput with the affinity mask reset.", f"{label}: 870") is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Throughput with the affinity mask reset on Bob's box.",
        "Throughput with the affinity mask reset and a new driver.",
        "Throughput with the affinity mask reset, smaller images.",
        "Throughput on the workstation with the affinity mask reset.",
        "A colleague's throughput with the affinity mask reset.",
        "Expected throughput with the affinity mask reset.",
        "Throughput with the affinity mask reset, I think.",
        "Throughput with the affinity mask reset?",
        "Should be the throughput with the affinity mask reset.",
        "Throughput if the affinity mask were reset.",
        "Throughput with the affinity mask reset in the simulator.",
        "Throughput with the affinity mask reset and synthetic data.",
        "Throughput with the affinity mask reset. The driver was updated as well.",
        "Throughput with the affinity mask reset on H100.",
        "Throughput of the distilled version with the affinity mask reset.",
    ],
)
def test_sentences_with_another_difference(diagnosed, sentence) -> None:
    """What is not wholly a metric and one change makes nothing of the values below it."""
    assert confirmed_bottleneck(diagnosed, sentence, "images per s: 870") is None


@pytest.mark.parametrize("value", [210, 212, 205, 120])
def test_no_effect_confirms_nothing(diagnosed, value) -> None:
    """The same value, one within noise, or a worse one is no confirmation."""
    sentence = "Throughput with the affinity mask reset."
    assert confirmed_bottleneck(diagnosed, sentence, f"images per s bind none: {value}") is None


def test_two_other_values_compare_nothing(diagnosed) -> None:
    """Of two values that are both not the job's it is not known which one is that with the change."""
    lines = ["images per s first: 500", "images per s then: 870"]
    assert confirmed_bottleneck(diagnosed, "Throughput with the affinity mask reset.", *lines) is None
