"""Scrapes in files of their own, found in one folder."""

from __future__ import annotations

import pytest

from dam_expert.documents.observations import Basis
from dam_expert.readers.gather import gather

NAME = "vllm:request_queue_time_seconds"


def scrape(count: int, *, started: float | None = 1733000123.25, queue: float = 3.0, port: str = "x") -> str:
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
        pytest.param(scrape(200, started=1733000523.5), id="another start"),
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
        ("t0.prom", "t60.prom"),
        ("metrics-1733000100.prom", "metrics-1733000160.prom"),
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
        pytest.param("replica-1.prom", "replica-2.prom", id="replicas"),
        pytest.param("10.0.0.1-8000.prom", "10.0.0.2-8000.prom", id="addresses"),
        pytest.param("m_8000.prom", "m_8001.prom", id="ports"),
        pytest.param("vllm-engine0.prom", "vllm-engine1.prom", id="engines"),
        pytest.param("a.prom", "b.prom", id="letters"),
        pytest.param("blue.prom", "green.prom", id="colours"),
        pytest.param("srv1.prom", "srv2.prom", id="numbered servers"),
        pytest.param("job-1181.prom", "job-1182.prom", id="jobs"),
        pytest.param("v0.8.prom", "v0.9.prom", id="versions"),
        pytest.param("h100.prom", "l40.prom", id="hardware"),
        pytest.param("before-fp8.prom", "after-fp16.prom", id="times of different things"),
        pytest.param("2025-01-01.prom", "2026-01-01.prom", id="a year apart"),
        pytest.param("实例1.prom", "实例2.prom", id="instances"),
    ],
)
def test_names_that_tell_places_do_not(tmp_path, earlier, later):
    """What two servers count is no difference over time."""
    texts = {earlier: scrape(100, queue=1.0, started=None), later: scrape(200, queue=2.0, started=None)}
    queue, codes, _ = found(tmp_path, **texts)
    assert [basis for _, basis in queue] == [Basis.SAID, Basis.SAID]
    assert codes <= {"one-scrape", "scrapes-apart"}


def test_rounded_starts_tell_nothing_and_different_ones_tell_two(tmp_path):
    """Two replicas whose start is rounded alike stay apart; so do two that share a device and not their start."""
    device = '\nnv_gpu_utilization{gpu_uuid="GPU-1"} 0.5'
    for name, starts in (("rounded", (1.7e9, 1.7e9)), ("apart", (1733000123.25, 1733000999.5)), ("none", (0.0, 0.0))):
        folder = tmp_path / name
        folder.mkdir()
        texts = (scrape(100, queue=1.0, started=None), scrape(200, queue=2.0, started=None))
        queue, _, _ = found(
            folder,
            **{
                f"pod{number}.prom": f"{text}\nprocess_start_time_seconds {start}{device}"
                for number, (text, start) in enumerate(zip(texts, starts, strict=True))
            },
        )
        assert [basis for _, basis in queue] == [Basis.SAID, Basis.SAID], name


def test_of_three_files_every_two_are_of_one_process(tmp_path):
    """A count that falls from the second to the third tells another server."""
    texts = {
        "t1.prom": scrape(100, queue=1.0, started=None),
        "t2.prom": scrape(200, queue=2.0, started=None),
        "t3.prom": scrape(150, queue=3.0, started=None),
    }
    queue, _, _ = found(tmp_path, **texts)
    assert (7.0, Basis.TOOL) not in queue


@pytest.mark.parametrize(("earlier", "later"), [("after.prom", "before.prom"), ("b.txt", "a.txt")])
def test_what_may_be_one_server_stays_apart_and_is_told(tmp_path, earlier, later):
    """A replica that was started first has more of everything: only names, times or seconds in common tell."""
    texts = {earlier: scrape(100, queue=1.0, started=None), later: scrape(200, queue=2.0, started=None)}
    queue, codes, gathered = found(tmp_path, **texts)
    assert [basis for _, basis in queue] == [Basis.SAID, Basis.SAID]
    assert codes == {"one-scrape", "scrapes-apart"}
    told = next(message for message in gathered.messages if message.code == "scrapes-apart")
    assert (told.file.endswith(later), earlier in told.text) == (True, True)
    assert "before.txt and after.txt" in told.hint
    assert "process_start_time_seconds" in told.hint


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(scrape(100, started=1.7e9), scrape(200, started=1.8e9), id="another start"),
        pytest.param(scrape(100, started=None), scrape(200, started=None, port="y"), id="other labels"),
        pytest.param(
            scrape(100, started=None, queue=3.0), scrape(200, started=None, queue=1.0), id="one counter up, one down"
        ),
    ],
)
def test_replicas_are_no_scrapes_that_may_be_one_server(tmp_path, one, other):
    """What contradicts that two files are of one server is not told as a question."""
    _, codes, _ = found(tmp_path, **{"b.txt": one, "a.txt": other})
    assert codes == {"one-scrape"}


LOADED = "vllm:model_load_seconds_total"


@pytest.mark.parametrize(
    ("loaded", "joined"),
    [
        pytest.param(("41.30752", "41.30752"), True, id="the same seconds"),
        pytest.param(("41.30752", "41.30751"), False, id="seconds of another process"),
        pytest.param(("41.5", "41.5"), False, id="few digits are alike by chance"),
        pytest.param(("41307520", "41307520"), False, id="whole numbers are alike where the same was done"),
    ],
)
def test_seconds_that_no_two_processes_share_tell_one_server(tmp_path, loaded, joined):
    """A counter of seconds that stood still between the scrapes has the same digits in both, whatever their names."""
    names = ("b.txt", "a.txt")
    texts = {
        name: f"{scrape(count, queue=queue, started=None)}\n{LOADED} {seconds}"
        for name, count, queue, seconds in zip(names, (100, 200), (1.0, 2.0), loaded, strict=True)
    }
    queue, codes, _ = found(tmp_path, **texts)
    assert ("scrapes-joined" in codes) == joined
    assert [basis for _, basis in queue] == ([Basis.TOOL] if joined else [Basis.SAID, Basis.SAID])


def test_files_of_two_folders_stay_apart(tmp_path):
    """A folder may be a server."""
    for name, text in (("a", scrape(100, started=None)), ("b", scrape(200, started=None))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "metrics.prom").write_text(text)
    assert {message.code for message in gather([tmp_path]).messages} == {"one-scrape"}


@pytest.mark.parametrize(
    ("between", "start"),
    [
        pytest.param("", 1733000999.5, id="another start"),
        pytest.param("$ curl http://10.0.0.2:8000/metrics\n", 1733000123.25, id="another address"),
        pytest.param("# from http://10.0.0.2:8000/metrics\n", 1733000123.25, id="another address in a comment"),
    ],
)
def test_two_servers_in_one_file_are_no_difference(tmp_path, between, start):
    """What two servers count is no difference, however it is pasted: each says what there is since its start."""
    text = f"# http://10.0.0.1:8000/metrics\n{scrape(100)}\n{between}{scrape(200, queue=2.0, started=start)}\n"
    queue, codes, _ = found(tmp_path, both=text.replace("# http", "$ curl http", 1 if between[:1] == "$" else 0))
    assert (2.0, Basis.SAID) in queue
    assert Basis.TOOL not in [basis for _, basis in queue]
    assert codes & {"two-servers", "one-scrape"}
