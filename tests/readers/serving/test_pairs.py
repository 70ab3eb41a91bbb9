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


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("before.prom", "after.prom"),
        ("metrics_start.txt", "metrics_end.txt"),
        ("scrape_9.prom", "scrape_10.prom"),
        ("m-2026-01-02T10-00.prom", "m-2026-01-02T10-01.prom"),
        ("a.prom", "b.prom"),
    ],
)
def test_names_that_tell_times_make_a_difference_of_two_files(tmp_path, earlier, later):
    """Nothing in the files says that they are of one process; their names and their counters have one order."""
    texts = {earlier: scrape(100, queue=1.0, started=None), later: scrape(200, queue=2.0, started=None)}
    queue, codes, _ = found(tmp_path, **texts)
    assert queue == [(3.0, Basis.TOOL)]
    assert "scrapes-joined" in codes


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        pytest.param("after.prom", "before.prom", id="the order of the names is not that of the counters"),
        pytest.param("replica-1.prom", "replica-2.prom", id="replicas"),
        pytest.param("10.0.0.1-8000.prom", "10.0.0.2-8000.prom", id="addresses"),
        pytest.param("m_8000.prom", "m_8001.prom", id="ports"),
        pytest.param("vllm-engine0.prom", "vllm-engine1.prom", id="engines"),
    ],
)
def test_names_that_tell_places_do_not(tmp_path, earlier, later):
    """What two servers count is no difference over time."""
    texts = {earlier: scrape(100, queue=1.0, started=None), later: scrape(200, queue=2.0, started=None)}
    queue, codes, _ = found(tmp_path, **texts)
    assert [basis for _, basis in queue] == [Basis.SAID, Basis.SAID]
    assert codes == {"one-scrape"}


def test_files_of_two_folders_stay_apart(tmp_path):
    """A folder may be a server."""
    for name, text in (("a", scrape(100, started=None)), ("b", scrape(200, started=None))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "metrics.prom").write_text(text)
    assert {message.code for message in gather([tmp_path]).messages} == {"one-scrape"}
