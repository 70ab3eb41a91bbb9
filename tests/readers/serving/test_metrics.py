"""What two scrapes, and one, say of a server."""

from __future__ import annotations

import pytest
from readers import said
from readers.said import codes, read

from dam_expert.documents.observations import Basis
from dam_expert.readers.serving.metrics import ServerMetricsReader
from dam_expert.readers.source import Source


def values(reading):
    """Return what a reading says beside the kind of work, which every reading of a server says."""
    found = said.values(reading)
    if found:
        assert found.pop("workload_kind") == "serving"
    return found


def histogram(name: str, total: float, count: int, edges: dict[str, int] | None = None) -> str:
    rows = "".join(f'{name}_bucket{{le="{edge}",m="x"}} {reached}\n' for edge, reached in (edges or {}).items())
    return f'{rows}{name}_sum{{m="x"}} {total}\n{name}_count{{m="x"}} {count}\n'


def vllm(times: int, *, waiting: int = 4, stamp: str = "") -> str:
    """Write a scrape after ``times`` hundred requests of 2 s: 1.2 s queue, 0.7 s inference."""
    done = 100 * times
    text = (
        f'vllm:num_requests_waiting{{engine="0"}} {waiting}{stamp}\nvllm:num_requests_waiting{{engine="1"}} 1{stamp}\n'
    )
    text += (
        f"vllm:num_requests_running 8\nvllm:kv_cache_usage_perc 0.97\nvllm:generation_tokens_total {done * 50}{stamp}\n"
    )
    text += histogram("vllm:e2e_request_latency_seconds", 2 * done, done, {"1.0": 0, "2.5": done, "+Inf": done})
    text += histogram("vllm:request_queue_time_seconds", 1.2 * done, done)
    text += histogram("vllm:request_inference_time_seconds", 0.7 * done, done)
    text += f"vllm:num_preemptions_total {3 * times}\nvllm:request_success_total {done}\n"
    return text + f"vllm:prefix_cache_queries_total {1000 * times}\nvllm:prefix_cache_hits_total {250 * times}\n"


def test_two_scrapes_give_the_means_in_between():
    """Differences of sums over differences of counts, stages and rest of the same requests, read from a tool."""
    reading = read(ServerMetricsReader(), vllm(1) + vllm(3))
    found = values(reading)
    assert found["request_time"] == 2.0
    assert found["queue_time"] == 1.2
    assert found["compute_time"] == 0.7
    assert found["server_overhead_time"] == pytest.approx(0.1)
    assert found["request_p99"] == (1.0, 2.5)
    assert found["preempted_share"] == 0.03
    assert found["prefix_cache_hit_share"] == 0.25
    assert (found["queue_depth"], found["running_requests"], found["kv_cache_usage"]) == (5.0, 8.0, 0.97)
    assert {each.basis for each in reading.observations} == {Basis.TOOL}
    assert not reading.messages
    assert reading.observations[0].origin.line is not None


def test_one_scrape_gives_lifetime_means_that_decide_nothing():
    """Means since the start are said, gauges are read."""
    reading = read(ServerMetricsReader(), vllm(2))
    basis = {each.measurement: each.basis for each in reading.observations}
    assert values(reading)["queue_time"] == 1.2
    assert (basis["queue_time"], basis["request_p99"], basis["preempted_share"]) == (Basis.SAID,) * 3
    assert basis["kv_cache_usage"] is Basis.TOOL
    assert codes(reading) == {"one-scrape"}


@pytest.mark.parametrize("ended", ["e2e_request_latency_seconds_count", "request_queue_time_seconds_count"])
def test_any_count_of_ended_requests_gives_the_preempted_share(ended):
    """Each histogram of a request counts those that ended as well as the counter of successes does."""
    lines = "vllm:num_preemptions_total {0}\nvllm:{1} {2}\n"
    found = values(read(ServerMetricsReader(), lines.format(3, ended, 100) + lines.format(24, ended, 520)))
    assert found["preempted_share"] == 0.05


@pytest.mark.parametrize(
    ("scrapes", "share"),
    [
        pytest.param(("7", "7"), 0.0, id="none in between"),
        pytest.param(("7", "9"), None, id="some, of nobody knows how many"),
    ],
)
def test_no_preemption_needs_no_count_of_requests(scrapes, share):
    """Where the counter stood still while requests ran, none was put off."""
    text = "".join(f"vllm:num_preemptions_total {each}\nvllm:num_requests_running 32\n" for each in scrapes)
    assert values(read(ServerMetricsReader(), text)).get("preempted_share") == share
    idle = text.replace("running 32", "running 0")
    assert "preempted_share" not in values(read(ServerMetricsReader(), idle))


def test_times_of_the_samples_give_rates():
    """With time stamps the increase of a counter has a duration."""
    found = values(read(ServerMetricsReader(), vllm(1, stamp=" 1700000000000") + vllm(3, stamp=" 1700000100000")))
    assert found["token_rate"] == 100.0
    assert "token_rate" not in values(read(ServerMetricsReader(), vllm(1) + vllm(3)))


def test_a_restart_between_scrapes_leaves_what_came_after():
    """A counter that fell says that the server was started again."""
    reading = read(ServerMetricsReader(), vllm(3) + vllm(1))
    assert codes(reading) == {"counter-reset", "one-scrape"}
    assert values(reading)["request_time"] == 2.0


def test_an_idle_server_says_nothing_of_its_cache():
    """Cache use while nothing is under way is left out, not reported as 0."""
    text = "vllm:num_requests_waiting 0\nvllm:num_requests_running 0\nvllm:gpu_cache_usage_perc 0\n"
    reading = read(ServerMetricsReader(), text)
    assert values(reading) == {"queue_depth": 0.0, "running_requests": 0.0}
    assert codes(reading) == {"idle"}


def test_buckets_that_contradict_the_count_give_no_quantile():
    """A cut histogram has a mean and no percentiles."""
    text = histogram("vllm:e2e_request_latency_seconds", 20, 10, {"1.0": 3, "+Inf": 3})
    assert set(values(read(ServerMetricsReader(), text))) == {"request_time"}


def test_a_quantile_beyond_the_last_edge_has_no_upper_bound():
    """The last bucket is open."""
    text = histogram("vllm:e2e_request_latency_seconds", 20, 10, {"1.0": 3, "+Inf": 10})
    assert values(read(ServerMetricsReader(), text))["request_p99"] == (1.0, float("inf"))


def test_triton_counts_microseconds_per_request():
    """Queue, compute and request are increases of durations over successes; batch size is per execution."""

    def scrape(times: int) -> str:
        stages = {"request": 450, "queue": 300, "compute_input": 5, "compute_infer": 100, "compute_output": 5}
        rows = [f'nv_inference_{name}_duration_us{{model="m"}} {us * times}' for name, us in stages.items()]
        rows += [
            f'nv_inference_request_success{{model="m"}} {times}',
            f'nv_inference_request_failure{{model="m"}} {times}',
        ]
        rows += [f"nv_inference_count {times * 6}", f"nv_inference_exec_count {times * 2}"]
        rows += ['nv_gpu_utilization{gpu_uuid="GPU-1"} 0.4', 'nv_inference_request_summary_us{quantile="0.99"} NaN']
        return "\n".join(rows) + "\n"

    found = values(read(ServerMetricsReader(), scrape(10) + scrape(20)))
    assert found["request_time"] == 0.00045
    assert found["queue_time"] == 0.0003
    assert found["compute_time"] == 0.0001
    assert found["server_overhead_time"] == pytest.approx(0.00005)
    assert found["executed_batch_size"] == 3.0
    assert found["failed_request_share"] == 0.5
    assert found["accelerator_utilization[0]"] == 0.4
    assert "request_p99" not in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "sglang:token_usage 0.5\nsglang:num_queue_reqs 3\n",
            {"kv_cache_usage": 0.5, "queue_depth": 3.0},
            id="SGLang",
        ),
        pytest.param(
            "sglang_cache_hit_rate -1\nsglang_num_running_reqs 2\n", {"running_requests": 2.0}, id="not available is -1"
        ),
        pytest.param(
            "tgi_queue_size 7\ntgi_request_queue_duration_sum 3\ntgi_request_queue_duration_count 6\n",
            {"queue_depth": 7.0, "queue_time": 0.5},
            id="TGI",
        ),
        pytest.param(
            "vllm:gpu_cache_usage_perc NaN\nvllm:num_requests_running 1\n", {"running_requests": 1.0}, id="NaN"
        ),
    ],
)
def test_each_server_has_names_of_its_own(text, expected):
    """The same measurement comes from every server's name for it."""
    assert values(read(ServerMetricsReader(), text)) == expected


def test_broken_lines_are_counted_and_the_rest_is_used():
    """One bad line loses only itself."""
    reading = read(ServerMetricsReader(), "vllm:num_requests_waiting 3\nvllm:kv_cache_us")
    assert (reading.lines_read, reading.lines_not_understood) == (2, 1)
    assert values(reading) == {"queue_depth": 3.0}


@pytest.mark.parametrize("text", ["DCGM_FI_DEV_GPU_UTIL 3\n", "we run vllm: it is slow\n", "tgi_ is a prefix\n"])
def test_other_texts_are_left_to_others(text):
    """Other exporters and prose are not claimed."""
    assert not ServerMetricsReader().recognises(Source.of_bytes("x", text.encode()))


def test_metrics_without_a_measurement_say_so():
    """Recognised and empty is a message, never silence."""
    assert codes(read(ServerMetricsReader(), 'vllm:cache_config_info{block_size="16"} 1\n')) == {"no-samples"}


def test_a_gauge_that_is_called_a_count_may_fall():
    """Fewer pending requests are no restart of the server."""
    text = "nv_inference_pending_request_count {}\nnv_inference_queue_duration_us {}\nnv_inference_request_success {}\n"
    text += 'nv_inference_request_summary_us{{quantile="0.5"}} {}\n'
    reading = read(ServerMetricsReader(), text.format(9, 1000, 10, 90) + text.format(2, 3000, 20, 50))
    assert values(reading) == {"queue_depth": 2.0, "queue_time": 0.0002, "request_p50": 0.00005}
    assert not reading.messages


@pytest.mark.parametrize(("total", "count"), [("1e308", "1"), ("5", "1e-320"), ("-5", "2"), ("5", "0")])
def test_numbers_that_no_server_counts_give_no_mean(total, count):
    """Damage in a sum or a count leaves the mean unknown."""
    name = "vllm:request_queue_time_seconds"
    reading = read(ServerMetricsReader(), f"{name}_sum {total}\n{name}_count {count}\n")
    assert not reading.observations
    assert codes(reading) == {"no-samples"}


def test_ranks_of_one_model_are_not_added():
    """Tensor and pipeline ranks compute the same batch; ranks of data do not; priorities are parts of the whole."""
    text = ""
    for rank, count in (("0", 14), ("1", 14)):
        text += f'sglang:num_running_reqs{{dp_rank="0",priority="",tp_rank="{rank}"}} {count}.0\n'
        text += f'sglang:num_running_reqs{{dp_rank="0",priority="-1",tp_rank="{rank}"}} {count}.0\n'
        text += f'sglang:gen_throughput{{pp_rank="{rank}"}} 1000.0\n'
    text += 'sglang:num_running_reqs{dp_rank="1",priority="",tp_rank="0"} 6.0\n'
    found = values(read(ServerMetricsReader(), text))
    assert found["running_requests"] == 20.0
    assert found["token_rate"] == 1000.0


def test_failures_of_tgi_are_counted_over_their_reasons():
    """``tgi_request_count`` holds both."""
    text = 'tgi_request_success 98\ntgi_request_failure{err="validation"} 1\ntgi_request_failure{err="overloaded"} 1\n'
    assert values(read(ServerMetricsReader(), text))["failed_request_share"] == 0.02
