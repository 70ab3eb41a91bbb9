"""Prometheus text: every spelling of a line, and files of several scrapes."""

from __future__ import annotations

import pytest

from dam_expert.readers.serving.exposition import Scrapes, sample_of, unified


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        pytest.param("vllm:a 1", "vllm:a", 1.0, id="bare"),
        pytest.param('vllm:a{b="x,y",c="}"} 2.5e3', "vllm:a", 2500.0, id="comma and brace in a label"),
        pytest.param('ray_vllm_a{b="1",} 3', "vllm:a", 3.0, id="Ray, trailing comma"),
        pytest.param('sglang_a_bucket{le="+Inf"} 4 # {trace="t"} 0.5', "sglang:a_bucket", 4.0, id="exemplar"),
        pytest.param("tgi_queue_size +Inf", "tgi_queue_size", float("inf"), id="infinite"),
    ],
)
def test_a_sample_is_read_in_every_spelling(line, name, value):
    """Labels, exemplars, time stamps and prefixes do not hide name and value."""
    sample = sample_of(line, 1)
    assert sample is not None
    assert (sample.name, sample.value) == (name, value)


@pytest.mark.parametrize("line", ["vllm:a", "vllm:a{b=", 'vllm:a{b="x} 1', "vllm:a one", "<html>", "1 2 3"])
def test_a_cut_or_foreign_line_is_no_sample(line):
    """A broken line is counted, not guessed at."""
    assert sample_of(line, 1) is None


def test_time_stamps_are_seconds_whatever_their_unit():
    """Prometheus writes milliseconds, OpenMetrics seconds."""
    assert [sample_of(f"a 1 {stamp}", 1).time for stamp in ("1700000000000", "1700000000.5")] == [1.7e9, 1700000000.5]


def test_a_series_that_comes_again_begins_a_scrape():
    """Of many scrapes the first and the last are kept."""
    scrapes = Scrapes()
    for value in range(5):
        scrapes.take(value, f"a {value}")
        scrapes.take(value, f"b {value}")
    assert scrapes.count == 5
    assert {sample.value for sample in scrapes.first.values()} == {0.0}
    assert {sample.value for sample in scrapes.last.values()} == {4.0}


def test_a_last_scrape_that_is_cut_is_left_out():
    """A scrape with far fewer series than the one before is not whole."""
    scrapes = Scrapes()
    for value in range(3):
        for series in "abcd" if value < 2 else "a":
            scrapes.take(1, f"{series} {value}")
    assert {sample.value for sample in scrapes.last.values()} == {1.0}


def test_not_a_number_is_unknown():
    """NaN gives no sample and no complaint."""
    scrapes = Scrapes()
    scrapes.take(1, "a NaN")
    assert (scrapes.first, scrapes.odd) == ({}, 0)


def test_names_of_other_tools_are_left_alone():
    """Only known prefixes are rewritten."""
    assert unified("my_vllm_thing") == "my_vllm_thing"
