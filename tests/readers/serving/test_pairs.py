"""Scrapes in files of their own, found in one folder."""

from __future__ import annotations

import pytest

from dam_expert.documents.observations import Basis
from dam_expert.readers.gather import gather

NAME = "vllm:request_queue_time_seconds"


def scrape(count: int, *, started: float | None = 1.7e9, queue: float = 3.0, port: str = "x") -> str:
    lines = [f'{NAME}_sum{{m="{port}"}} {count * queue}', f'{NAME}_count{{m="{port}"}} {count}']
    return "\n".join(
        [*lines, *([f"process_start_time_seconds {started}"] if started else []), "vllm:num_requests_running 1"]
    )


def found(tmp_path, **files: str):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    gathered = gather([tmp_path])
    queue = [(each.value.lo, each.basis) for each in gathered.observations if each.measurement == "queue_time"]
    return queue, {message.code for message in gathered.messages}, gathered


def test_two_files_of_one_process_are_two_scrapes(tmp_path):
    """The order is that of the counters, whatever the files are called; nothing is reported as unread."""
    queue, codes, gathered = found(tmp_path, a=scrape(200, queue=2.0), b=scrape(100, queue=1.0))
    assert queue == [(3.0, Basis.TOOL)]
    assert codes == {"scrapes-joined"}
    assert gathered.unread == ()


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(scrape(200, started=1.8e9), id="another start"),
        pytest.param(scrape(200, started=None), id="nothing says so"),
        pytest.param(scrape(200, port="y"), id="other labels"),
    ],
)
def test_files_of_different_processes_are_not_joined(tmp_path, other):
    """Replicas export the same series: without an identity in common they stay apart, and decide nothing."""
    queue, codes, _ = found(tmp_path, a=scrape(100), b=other)
    assert [basis for _, basis in queue] == [Basis.SAID, Basis.SAID]
    assert codes == {"one-scrape"}


def test_a_copy_is_no_second_scrape(tmp_path):
    """The same scrape twice leaves the means since the start."""
    queue, codes, _ = found(tmp_path, a=scrape(100), b=scrape(100))
    assert queue == [(3.0, Basis.SAID)]
    assert codes == {"one-scrape", "scrapes-joined"}
