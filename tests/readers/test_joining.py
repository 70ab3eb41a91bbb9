"""Traces of several ranks of one job."""

from __future__ import annotations

import pytest
from readers.traces import Trace

from dam_expert import Incident, diagnose, load_knowledge
from dam_expert.readers.collectives import Arrivals, Collectives
from dam_expert.readers.gather import gather

STEP = 10_000.0
WORK = 2_000.0
TRANSFER = 1_000.0
GROUP = {"Collective name": "allreduce", "Process Group Name": "0"}


def rank(
    number: int | None,
    world: int,
    works: list[float],
    *,
    steps: range = range(5, 8),
    name: str = "ncclDevKernel_AllReduce",
    members: list[int] | None = None,
    groups: int | None = None,
) -> Trace:
    """Return a rank that computes for the given microseconds before each of its collectives, waits and transfers.

    The clock of each rank is its own. Collectives end when the slowest rank of ``WORK`` or more has come.
    """
    info = {"rank": number, "world_size": world, "pg_count": groups}
    trace = Trace(base=1000.0 + 77_777.0 * (number or 0))
    trace.header["distributedInfo"] = {key: value for key, value in info.items() if value is not None}
    for place, step in enumerate(steps):
        at = place * STEP
        trace.step(step, at, STEP)
        for part, work in enumerate(works):
            begin = at + part * STEP / len(works)
            for each in range(8):
                trace.kernel(begin + each * work / 8, work / 8)
            end = begin + 2 * WORK + TRANSFER
            trace.kernel(begin + work, end - begin - work, name=name)
            if members is not None:
                trace.events[-1]["args"] |= {**GROUP, "Process Group Ranks": str(members)}
    return trace


def folder(tmp_path, traces: dict[str, Trace]):
    for name, trace in traces.items():
        (tmp_path / name).write_bytes(trace.zipped)
    return gather([tmp_path])


def told(found) -> dict[object, object]:
    values = {}
    for each in found.observations:
        key = (each.measurement, *(member for _, member in each.scope)) if each.scope else each.measurement
        value = each.value
        values[key] = (
            value
            if isinstance(value, str)
            else round(value.lo, 6)
            if value.is_point
            else (round(value.lo, 6), value.hi)
        )
    return values


def job(works: list[float], **more) -> dict[str, Trace]:
    return {f"{number}.json.gz": rank(number, len(works), [work], **more) for number, work in enumerate(works)}


def test_the_rank_that_all_wait_for_is_named_and_counts(tmp_path):
    """Of four ranks one computes twice as long: the others' wait is known, and its shares are those of the job."""
    found = told(folder(tmp_path, job([WORK, WORK, 2 * WORK, WORK])))
    assert found["collective_wait_share"] == pytest.approx(3 / 4 * 2 / 3, abs=1e-4)  # 2 ms of 3 ms on three of four
    assert found["collective_arrival_spread"] == pytest.approx(0.2, abs=1e-4)
    assert found["last_rank"] == "2"
    assert [found["collective_arrival_delay", str(number)] for number in range(4)] == pytest.approx(
        [0, 0, 2e-3, 0], abs=1e-6
    )
    assert found["kernel_share"] == found["kernel_share", "2"] == pytest.approx(0.4, abs=1e-3)
    assert found["kernel_share", "0"] == pytest.approx(0.2, abs=1e-3)
    assert found["step_time", "0"] == found["step_time", "2"] == 0.01


def test_a_straggler_is_not_communication(tmp_path):
    """Where one rank is late, exposed collectives confirm nothing, long as they are on the others."""
    base, _ = load_knowledge()
    gathered = folder(tmp_path, job([WORK, WORK, 2 * WORK, WORK]))
    diagnosis = diagnose(
        base, Incident(id="x", file="x", observations=gathered.observations), messages=gathered.messages
    )
    communication = [
        each for each in diagnosis.hypotheses if each.bottleneck == "communication" and each.parent is None
    ]
    assert {each.status for each in communication} == {"candidate"}
    assert diagnosis.binding is None or diagnosis.binding.bottleneck != "communication"


def test_ranks_that_come_together_name_nobody(tmp_path):
    """Without a difference in arrival nobody waits: what collectives take is transfer."""
    found = told(folder(tmp_path, job([WORK, WORK])))
    assert found["collective_wait_share"] == 0.0
    assert found["collective_arrival_spread"] == 0.0
    assert "last_rank" not in found
    assert "kernel_share" not in found


def test_now_this_rank_now_that_names_nobody(tmp_path):
    """Where three ranks are late in turn there is a wait and no straggler."""
    late = {number: [3_000.0 if part == number else WORK for part in range(3)] for number in range(3)}
    monkey = {f"{number}.json": rank(number, 3, [work / 2 for work in works]) for number, works in late.items()}
    found = told(folder(tmp_path, monkey))
    assert found["collective_wait_share"] > 0.0
    assert "last_rank" not in found


def test_a_missing_rank_leaves_a_lower_bound(tmp_path):
    """The rank that is not here may be the late one: the wait is at least what is seen, and nobody is named."""
    traces = job([WORK, 2 * WORK, WORK, WORK])
    del traces["3.json.gz"]
    found = told(folder(tmp_path, traces))
    assert found["collective_wait_share"][1] == 1.0
    assert 0.4 < found["collective_wait_share"][0] < 0.5
    assert "last_rank" not in found
    assert "collective_arrival_spread" not in found


def test_groups_are_compared_within_themselves(tmp_path):
    """Two groups of two: a late rank keeps only its own partner waiting."""
    works = [WORK, 2 * WORK, WORK, WORK]
    traces = {
        f"{number}.json": rank(number, 4, [work], members=[0, 1] if number < 2 else [2, 3], groups=3)
        for number, work in enumerate(works)
    }
    found = told(folder(tmp_path, traces))
    assert [found["collective_arrival_delay", str(number)] for number in range(4)] == pytest.approx(
        [0, 2e-3, 0, 0], abs=1e-6
    )


@pytest.mark.parametrize(
    ("more", "code"),
    [
        pytest.param({"groups": 3}, "ranks-apart", id="several groups and none is named"),
        pytest.param({"name": "ncclDevKernel_Broadcast"}, None, id="a broadcast keeps nobody"),
    ],
)
def test_what_cannot_be_compared_is_not(tmp_path, more, code):
    """Collectives whose partners are unknown, or that ranks leave at different times, say nothing of arrival."""
    found = folder(tmp_path, job([WORK, 2 * WORK], **more))
    assert [message.code for message in found.messages] == ([code] if code else [])
    assert "collective_wait_share" not in told(found)


def test_other_steps_are_not_compared(tmp_path):
    """Steps are matched by their number."""
    traces = {"0.json": rank(0, 2, [WORK]), "1.json": rank(1, 2, [2 * WORK], steps=range(50, 53))}
    found = folder(tmp_path, traces)
    assert [message.code for message in found.messages] == ["ranks-apart"]


def test_two_traces_of_one_rank_are_told(tmp_path):
    """Two captures of rank 0 are no two ranks."""
    found = folder(tmp_path, {"a.json": rank(0, 2, [WORK]), "b.json": rank(0, 2, [WORK])})
    assert [message.code for message in found.messages] == ["same-rank"]


@pytest.mark.parametrize("name", ["rank-{}.pt.trace.json", "host_rank{}.json.gz", "worker{}.1623.pt.trace.json"])
def test_old_traces_have_the_rank_of_their_file(tmp_path, name):
    """A trace without rank is of the rank that its file is named after, if all are."""
    found = told(folder(tmp_path, {name.format(each): rank(None, 2, [WORK + each * WORK]) for each in (0, 1)}))
    assert found["last_rank"] == "1"
    assert found["kernel_share", "1"] == pytest.approx(0.4, abs=1e-3)


def test_names_without_a_rank_say_nothing(tmp_path):
    """Traces that say nowhere which rank they are of are not compared."""
    found = told(folder(tmp_path, {"a.json": rank(None, 2, [WORK]), "b.json": rank(None, 2, [WORK])}))
    assert not [key for key in found if isinstance(key, tuple)]
    assert "collective_wait_share" not in found


def test_ranks_without_a_common_collective_give_nothing():
    """Nothing is derived from nothing."""
    empty = Collectives(rank=0, world_size=2, one_group=True, step_time=1.0, steps=1, durations={})
    assert Arrivals.over([empty, empty]) is None
