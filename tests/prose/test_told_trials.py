"""A sentence that tells one trial from beginning to end decides; whatever may be a second change takes that away."""

from __future__ import annotations

import pytest

HEAD = (
    "# Step time\n\nTraining is slow and the GPU waits.\n\n## Measured\n\n- step time: 290 ms\n- batch size: 64\n"
    "- data wait: 120 ms\n\n## Tried since\n\n"
)
CHANGES = [
    ("With synthetic data", "input"),
    ("With the files on a local disk", "input"),
    ("Without the background uploader", "host"),
    ("After switching garbage collection off", "host"),
    ("With logging disabled", "host"),
]


def bottleneck(diagnosed, sentence):
    """Return the bottleneck that is confirmed where a sentence tells of a trial, or None."""
    binding = diagnosed(f"{HEAD}{sentence}\n").binding
    return None if binding is None else str(binding.bottleneck)


@pytest.mark.parametrize(("change", "expected"), CHANGES)
@pytest.mark.parametrize(
    "told",
    [
        "{} the step went from 290 ms to 150 ms.",
        "{} the step time dropped from 290 to 150 ms.",
        "{} the step takes 150 ms instead of 290 ms.",
        "{} it is 150 ms where it was 290 ms.",
        "{} the step takes 150 ms (was 290 ms).",
        "{} the step went from 290 ms to 150 ms at the same batch size.",
    ],
)
def test_one_change_and_the_metric_of_the_job_decide(diagnosed, change, expected, told) -> None:
    """The value before is that of the report, and no word may be of anything else."""
    assert bottleneck(diagnosed, told.format(change)) == expected


@pytest.mark.parametrize(("change", "_expected"), CHANGES)
@pytest.mark.parametrize(
    "told",
    [
        pytest.param("A colleague says: {} the step went from 290 ms to 150 ms.", id="hearsay"),
        pytest.param("I read that {} the step goes from 290 ms to 150 ms.", id="read somewhere"),
        pytest.param("According to the documentation, {} the step goes from 290 ms to 150 ms.", id="documentation"),
        pytest.param("{} the step should go from 290 ms to 150 ms.", id="a wish"),
        pytest.param("{} the step would go from 290 ms to 150 ms.", id="imagined"),
        pytest.param("{} the step may go from 290 ms to 150 ms.", id="a guess"),
        pytest.param("{} we hope to get from 290 ms to 150 ms.", id="a hope"),
        pytest.param("Next week we try it: {} the step goes from 290 ms to 150 ms.", id="a plan"),
        pytest.param("Does the step go from 290 ms to 150 ms {}?", id="a question"),
        pytest.param("If it is as you say, {} the step goes from 290 ms to 150 ms.", id="a condition"),
        pytest.param("{} and the new driver the step went from 290 ms to 150 ms.", id="a driver too"),
        pytest.param("{} and smaller images the step went from 290 ms to 150 ms.", id="smaller images too"),
        pytest.param("{} and pinned memory the step went from 290 ms to 150 ms.", id="another lever"),
        pytest.param("{} plus a second card the step went from 290 ms to 150 ms.", id="a card more"),
        pytest.param("{}, a newer kernel and more cores the step went from 290 ms to 150 ms.", id="a list"),
        pytest.param("{} at half the batch size the step went from 290 ms to 150 ms.", id="half the batch"),
        pytest.param("{} at batch size 32 the step went from 290 ms to 150 ms.", id="another batch"),
        pytest.param("{} on the other cluster the step went from 290 ms to 150 ms.", id="another cluster"),
        pytest.param("{} on Bob's box the step went from 290 ms to 150 ms.", id="a name"),
        pytest.param("{} on an H100 the step went from 290 ms to 150 ms.", id="another card"),
        pytest.param("{} the step went from 290 ms to 150 ms on the workstation.", id="a workstation"),
        pytest.param("{} in the simulator the step went from 290 ms to 150 ms.", id="a simulator"),
        pytest.param("{} in the smaller model the step went from 290 ms to 150 ms.", id="a smaller model"),
        pytest.param("{} the step went from 290 ms to 150 ms, but the batch was halved too.", id="batch halved too"),
        pytest.param("{} the step went from 290 ms to 150 ms. We also updated the driver.", id="driver updated too"),
        pytest.param("{} the step went from 290 ms to 150 ms. The images were shrunk in between.", id="in between"),
        pytest.param("{} the step went from 290 ms to 150 ms. That was a different dataset.", id="other data"),
        pytest.param("{} the step went from 480 ms to 150 ms.", id="not the value of the job"),
        pytest.param("{} the step went from 290 ms to 285 ms.", id="no effect"),
        pytest.param("{} the step went from 290 ms to 340 ms.", id="worse"),
        pytest.param("{} the data wait went from 290 ms to 150 ms.", id="another metric"),
        pytest.param("{} the step did not go from 290 ms to 150 ms.", id="denied"),
        pytest.param("{} the step went from 290 ms to 150 ms and back to 290 ms.", id="and back"),
        pytest.param("{} the step went from 290 ms to about 280-150 ms.", id="a wide range"),
    ],
)
def test_what_may_be_a_second_change_decides_nothing(diagnosed, change, _expected, told) -> None:
    """Hearsay, wishes, other machines, two changes at once and no effect confirm nothing."""
    lowered = change[0].lower() + change[1:]
    assert bottleneck(diagnosed, told.format(change if told.startswith("{}") else lowered)) is None


@pytest.mark.parametrize("head", ["Background", "Ideas", "What others tried", "Notes", "Elsewhere"])
def test_another_heading_leaves_it_said(diagnosed, head) -> None:
    """Only under a heading of what was tried on this job does a sentence stand by itself."""
    text = HEAD.replace("Tried since", head)
    assert diagnosed(f"{text}With synthetic data the step went from 290 ms to 150 ms.\n").binding is None


def test_a_value_that_only_words_give_pins_no_metric(diagnosed) -> None:
    """The value before must stand in a list of the job: in a sentence it may be of anything."""
    text = (
        "# Step time\n\nA step takes 290 ms.\n\n## Tried since\n\nWith synthetic data it went from 290 ms to 150 ms.\n"
    )
    assert diagnosed(text).binding is None
