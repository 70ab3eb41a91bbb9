"""Lines in which a server of models tells its load."""

from __future__ import annotations

import pytest
from readers.said import codes, read, values

from dam_expert.readers.serving.engine_log import EngineLogReader

VLLM = (
    "(APIServer pid=3646) INFO 05-19 10:13:{at} [loggers.py:271] Engine {engine}: Avg prompt throughput: 0.0 tokens/s, "
    "Avg generation throughput: {rate} tokens/s, Running: {running} reqs, Waiting: {waiting} reqs, GPU KV cache usage: "
    "{cache}%, Prefix cache hit rate: {hits}%\n"
)
OLD = (
    "INFO 01-22 18:27:20 metrics.py:449] Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 40.0 "
    "tokens/s, Running: 1 reqs, Swapped: 0 reqs, Pending: 3 reqs, GPU KV cache usage: 2.0%, CPU KV cache usage: 9.0%.\n"
)
SGLANG = (
    "[2026-05-28 02:59:59 {rank}TP0] Decode batch, #running-req: 45, #token: 44672, token usage: 0.80, "
    "cuda graph: True, gen throughput (token/s): 860.00, #queue-req: 81\n"
)


def line(engine: str = "000", at: int = 11, **given: float) -> str:
    said = {"rate": 1000.0, "running": 18, "waiting": 43, "cache": 95.0, "hits": 1.0} | given
    return VLLM.format(engine=engine, at=at, **said)


def test_means_are_those_under_load():
    """A line of an idle server is no sample; the share of hits is what it came to."""
    text = line() + line(rate=2000.0, waiting=33, cache=97.0, hits=5.0) + line(rate=0, running=0, waiting=0, cache=0)
    reading = read(EngineLogReader(), text)
    assert values(reading) == {
        "running_requests": 18.0,
        "queue_depth": 38.0,
        "token_rate": 1500.0,
        "kv_cache_usage": 0.96,
        "prefix_cache_hit_share": 0.05,
        "workload_kind": "serving",
    }
    assert reading.observations[0].samples == 2


def test_engines_add_up():
    """Requests and rates are those of the server, the cache is the fullest."""
    found = values(read(EngineLogReader(), line("000") + line("001", running=2, waiting=0, cache=10.0)))
    assert found["running_requests"] == 20.0
    assert found["token_rate"] == 2000.0
    assert found["kv_cache_usage"] == 0.95


def test_old_lines_say_pending_and_tell_the_cache_of_the_host():
    """The cache on the host is another."""
    found = values(read(EngineLogReader(), OLD))
    assert found["queue_depth"] == 3.0
    assert found["kv_cache_usage"] == 0.02


@pytest.mark.parametrize(("ranks", "running"), [(("",), 45.0), (("DP0 ", "DP1 "), 90.0)])
def test_sglang_tells_decoding_batches(ranks, running):
    """Use is a share; ranks of data are engines of their own. Prefill lines are not counted."""
    prefill = "[2026-05-28 03:00:00 TP0] Prefill batch, #new-seq: 1, #running-req: 7, #queue-req: 9\n"
    found = values(read(EngineLogReader(), "".join(SGLANG.format(rank=rank) for rank in ranks) + prefill))
    assert found["running_requests"] == running
    assert found["kv_cache_usage"] == 0.8
    assert found["queue_depth"] == 81.0 * len(ranks)


def test_speculative_decoding_has_lines_of_its_own():
    """Each tells the share since the one before."""
    text = (
        line() + "INFO 1 [metrics.py:96] SpecDecoding metrics: Mean acceptance length: 2.1, Avg Draft acceptance rate: "
    )
    assert values(read(EngineLogReader(), text + "55.0%\n"))["draft_acceptance_share"] == 0.55


def test_an_idle_server_and_a_cut_line_say_so():
    """Neither gives a value."""
    assert codes(read(EngineLogReader(), line(rate=0, running=0, waiting=0))) == {"idle"}
    assert codes(read(EngineLogReader(), line().split(", Running")[0])) == {"lines-not-understood"}


def test_requests_that_had_to_give_way():
    """The one counts from its start, the other at each time."""
    vllm = (
        "WARNING scheduler.py:1481] Sequence group cmpl-88 is preempted by PreemptionMode.RECOMPUTE mode because there "
    )
    vllm += "is not enough KV cache space. total_num_cumulative_preemption={}\n"
    found = values(read(EngineLogReader(), line() + vllm.format(1) + vllm.format(51)))
    assert (found["preempted_reported"], found["preemptions"]) == ("true", 51.0)
    retracted = "[2026-05-28 03:00:00 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 2, #new: 0.7\n"
    found = values(read(EngineLogReader(), SGLANG.format(rank="") + retracted * 2))
    assert found["preemptions"] == 4.0
