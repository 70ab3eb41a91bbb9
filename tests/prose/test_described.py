"""Conditions in words of the descriptions of probes, and what stands beside them that must not be one."""

from __future__ import annotations

import pytest

from dam_expert.prose.labels import read_label
from dam_expert.prose.words import significant, tokens


@pytest.mark.parametrize(
    ("text", "probe"),
    [
        ("the package versions of development", "development_dependencies_gap_closed"),
        ("data for the weak slice", "slice_gap_closed"),
        ("the development configuration", "development_configuration_gap_closed"),
    ],
)
def test_words_of_one_description_name_its_probe(vocabulary, text, probe) -> None:
    """In any order, where no other probe is described by nearly all of them."""
    assert [each.meaning for each in vocabulary.trials.described.find(significant(tokens(text)))] == [probe]


@pytest.mark.parametrize(
    "text",
    [
        "without the package versions of development",
        "fewer data for the weak slice",
        "the step time of the job",
        "samples per second throughput",
        "the same storage",
        "the versions of last year",
    ],
)
def test_another_direction_or_common_words_name_none(vocabulary, text) -> None:
    """What is taken away is not what was put there, and metrics name no condition."""
    assert vocabulary.trials.described.find(significant(tokens(text))) == []


@pytest.mark.parametrize(
    ("label", "unit"),
    [("batches per min", "1/min"), ("samples per hour", "1/h"), ("requests per minute one thread", "1/min")],
)
def test_a_rate_per_minute_is_no_time(label, unit) -> None:
    """More of it is better, other than of minutes."""
    assert read_label(label).unit == unit


REPORT = "# {title}\n\nIt is too slow.\n\n## Measured\n\n{measured}\n\n## Tried since\n\n{tried}\n"


def _effect(read, lever, **parts):
    """Return the factor that is taken of a lever, or None."""
    found = {each.lever: each.effect for each in read(REPORT.format(**parts)).tried}
    return getattr(found.get(lever), "lo", None)


def test_the_numbers_of_a_setting_belong_to_its_change(read) -> None:
    """Two pairs of numbers: those without a unit behind the change are its own."""
    parts = {"title": "Throughput of the server", "measured": "- tokens per s: 900"}
    said = "Raising max_num_seqs from 8 to 16 lifted it from 900 to 1700 tokens/s."
    assert _effect(read, "raise_admission_limit", tried=said, **parts) == pytest.approx(1700 / 900)
    other = "Raising max_num_seqs from 8 to 16 and the batch from 4 to 8 lifted it from 900 to 1700 tokens/s."
    assert _effect(read, "raise_admission_limit", tried=other, **parts) is None


def test_the_same_said_twice_is_no_other_side(read) -> None:
    """A value under both headings is compared with that of the job, not with itself."""
    again = "Images per second with the other memory format.\n\n- images per s channels last: 640\n\n## Measured\n\n"
    tried = f"{again}- images per s channels last: 640"
    parts = {"title": "Images per second", "measured": "- images per s: 410"}
    assert _effect(read, "change_layout", tried=tried, **parts) == pytest.approx(640 / 410)


def test_a_limit_that_is_a_setting_is_not_wanted(read) -> None:
    """*cpu limit: 2* tells how many processors there are, not which latency is wanted."""
    target = read(REPORT.format(title="P99 latency", measured="- p99 latency: 900 ms\n- cpu limit: 2", tried="")).target
    assert target is not None
    assert target.wanted is None


def test_what_a_metric_cannot_tell_is_not_named_beside_it(diagnosed) -> None:
    """*shuffled and split* beside an accuracy is what closes its gap, whatever the lever of that name does."""
    report = REPORT.format(
        title="Accuracy of the distributed run",
        measured="- accuracy: 68 %\n- target accuracy: 76 %",
        tried="Accuracy with shuffled samples.\n\n- accuracy percent shuffled and split: 75.5",
    )
    assert str(diagnosed(report).binding.hypothesis) == "data_order_fault"
