"""Tables, JSON and logs of collectives."""

from __future__ import annotations

import json

import pytest
from readers.said import codes, read, values

from dam_expert.readers.nccl.reader import NcclLogReader, NcclTestsReader
from dam_expert.readers.nccl.table import headless
from dam_expert.readers.source import Source

NEW = "#       size         count      type   redop    root     time   algbw   busbw #wrong"
NEW += "     time   algbw   busbw #wrong\n"
ROWS = """\
           8             2     float     sum      -1    45.91    0.00    0.00      0    45.49    0.00    0.00      0
        1024           256     float     sum      -1    47.91    0.01    0.01      0    46.17    0.02    0.02      0
     8388608       2097152     float     sum      -1    742.4   11.30   99.00      0    741.9   11.31   11.31      0
    67108864      16777216     float     sum      -1   5539.7   12.11   12.11      0   5548.1   12.10   12.10      0
  1073741824     268435456     float     sum      -1    86786   12.37   12.37    N/A    86676   12.39   12.39    N/A
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 4.26966
"""


def test_the_plateau_is_taken_from_large_sizes_and_the_latency_from_small_ones():
    """Neither the printed average nor a middle size is the bandwidth."""
    reading = read(NcclTestsReader(), NEW + ROWS)
    assert values(reading) == {"collective_bus_bandwidth": 12.37e9, "collective_latency": pytest.approx(46.91e-6)}
    assert reading.observations[0].origin.line == 6
    assert not reading.messages


@pytest.mark.parametrize(
    ("header", "row"),
    [
        pytest.param(
            "# size count type redop time algbw busbw error time algbw busbw error",
            "134217728 4 float sum 1.5e+04 9 9.5 1e-6 1.4e+04 9 9.6 1e-6",
            id="2021, no root, error",
        ),
        pytest.param(
            "# size count type redop root cputime algbw busbw i_min i_max i_p99 i_cv% #wrong",
            "134217728 4 float sum -1 15000 9 9.5 1 2 3 4 0",
            id="intervals, CPU time",
        ),
        pytest.param(
            "# timestamp size count type redop root time algbw busbw #wrong",
            "2026-01-02 03:04:05 134217728 4 float sum -1 15000 9 9.5 0",
            id="time stamps",
        ),
    ],
)
def test_columns_are_found_by_name(header, row):
    """Columns came and went over the years."""
    assert values(read(NcclTestsReader(), f"{header}\n{row}\n"))["collective_bus_bandwidth"] == 9.5e9


def test_without_a_large_size_the_bandwidth_is_only_a_lower_bound():
    """A run that stops early did not reach the plateau."""
    text = NEW + "   1048576   262144   float   sum   -1   272.8   3.84   3.84   0   272.6   3.85   3.85   0\n"
    assert values(read(NcclTestsReader(), text)) == {"collective_bus_bandwidth": (3.84e9, float("inf"))}


def test_wrong_results_are_told():
    """Errors in the results matter more than any speed."""
    text = NEW + ROWS.replace("12.11      0 ", "12.11      7 ")
    assert codes(read(NcclTestsReader(), text)) == {"wrong-results"}


RANKS = """\
# nThread 1 nGpus 2 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 1 iters: 20
#  Rank  0 Group  0 Pid  1 on nodea device  0 [0000:30:00] NVIDIA H100
#  Rank  1 Group  0 Pid  1 on nodea device  1 [0000:31:00] NVIDIA H100
#  Rank  2 Group  0 Pid  2 on nodeb device  0 [0x01] NVIDIA H100
#  Rank  3 Group  0 Pid  2 on nodeb device  1 [0x02] NVIDIA H100
"""


def test_rank_lines_give_ranks_hosts_and_device():
    """All rank lines together are the job; an excerpt of them is not."""
    found = values(read(NcclTestsReader(), RANKS + NEW + ROWS))
    assert (found["world_size"], found["node_count"], found["accelerator"]) == (4.0, 2.0, "NVIDIA H100")
    cut = "".join(line + "\n" for line in RANKS.split("\n")[:3] if "Rank  1" not in line)
    assert "world_size" not in values(read(NcclTestsReader(), cut + NEW + ROWS))


def test_a_table_without_rows_says_so():
    """The head of a run alone holds no bandwidth."""
    assert codes(read(NcclTestsReader(), RANKS + NEW)) == {"no-samples"}


def test_saved_json_has_the_same_values():
    """Bandwidths are GB/s and times microseconds there as well."""
    result = {"size": 1 << 30, "out_of_place": {"time": "86786", "bus_bw": 12.37, "nwrong": "N/A"}, "in_place": {}}
    small = {"size": 8, "out_of_place": {"time": 45.0, "bus_bw": 0.0}}
    document = {"nccl_version": "2.29.2", "results": [small, result, {"size": None}], "average_bus_bandwidth": 4.2}
    reading = read(NcclTestsReader(), json.dumps(document))
    expected = {
        "collective_bus_bandwidth": 12.37e9,
        "collective_latency": 0.000045,
        "collective_library_version": "2.29.2",
    }
    assert values(reading) == expected
    assert reading.lines_not_understood == 1


def test_saved_json_of_times_of_the_cpu():
    """With ``-C`` newer ones name the column of the time after the CPU, as their table does."""
    document = {"results": [{"size": 8, "out_of_place": {"cpu_time": 45.0, "bus_bw": 0.0}}]}
    assert values(read(NcclTestsReader(), json.dumps(document)))["collective_latency"] == 0.000045


@pytest.mark.parametrize(
    ("time", "row", "expected"),
    [
        ("time(us)", "134217728   134217728   uint8   3125   40.00   75.00", 75.0 * 2**30),
        ("time:avg(us)", "134217728   67108864   bf16   7025.52   19.10   37.01", 37.01e9),
    ],
)
def test_nccom_tests_table(time, row, expected):
    """Its header names the units; what older ones call GB is GiB."""
    text = f"    size(B)    count(elems)    type    {time}    algbw(GB/s)    busbw(GB/s)\n   {row}\n"
    found = values(read(NcclTestsReader(), text + "Avg bus bandwidth:    9.0 GB/s\n"))
    assert found == {"collective_bus_bandwidth": pytest.approx(expected)}


def log(*lines: str) -> str:
    return "".join(f"[1,0]<stdout>:node-1:77:78 [0] NCCL INFO {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(
            ("Using network IB", "Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA"),
            {"collective_transport": "infiniband_gdr", "collective_network": "infiniband", "gpu_direct_rdma": "true"},
            id="verbs, direct",
        ),
        pytest.param(
            ("NET/IB : Using [0]mlx5_0:1/RoCE [RO]; OOB eth0", "Channel 00 : 0[1000] -> 8[1000] [send] via NET/IB/0"),
            {"collective_transport": "infiniband", "collective_network": "roce", "gpu_direct_rdma": "false"},
            id="RoCE, staged",
        ),
        pytest.param(
            ("Channel 00/0 : 0[0] -> 1[0] via NET/IB/0/GDRDMA", "Channel 01/0 : 0[0] -> 1[0] via NET/Socket/0"),
            {"collective_transport": "socket", "collective_network": "socket", "gpu_direct_rdma": "false"},
            id="the slowest counts",
        ),
        pytest.param(
            ("Using network AWS Libfabric", "Channel 00/0 : 0[0] -> 1[0] [send] via NET/Libfabric/0"),
            {"collective_network": "libfabric", "gpu_direct_rdma": "false"},
            id="no transport of the base's",
        ),
        pytest.param(
            ("comm 0x5 rank 0 nRanks 16 nNodes 2 localRanks 8", "Using network Socket"),
            {"collective_transport": "socket", "collective_network": "socket", "world_size": 16.0, "node_count": 2.0},
            id="several hosts, network named",
        ),
        pytest.param(
            ("Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM", "Connected all rings, use ring PXN 0 GDR 1"),
            {"peer_transport": "peer_to_peer"},
            id="one host, perhaps",
        ),
        pytest.param(
            ("comm 0x5 rank 0 nRanks 8 nNodes 1", "Channel 00/0 : 0[0] -> 1[1] via SHM/direct/direct", "via P2P/IPC"),
            {"collective_transport": "shared_memory", "peer_transport": "mixed", "world_size": 8.0, "node_count": 1.0},
            id="one host, through memory",
        ),
        pytest.param(
            (
                "comm 0x5 rank 0 nRanks 8 nNodes 1",
                "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM",
                "16 coll channels, 16 collnet channels, 16 nvls channels, 16 p2p channels, 2 p2p channels per peer",
            ),
            {
                "collective_transport": "nvlink",
                "peer_transport": "peer_to_peer",
                "world_size": 8.0,
                "node_count": 1.0,
                "collective_channels": 16.0,
            },
            id="multicast is NVLink",
        ),
        pytest.param(
            ("NCCL_IB_DISABLE set by environment to 1.", "NCCL version 2.29.2+cuda12.8"),
            {"fast_path_disabled": "true", "collective_library_version": "2.29.2+cuda12.8"},
            id="switched off",
        ),
    ],
)
def test_a_log_names_the_transport(lines, expected):
    """What is told is what channel lines show; what they cannot show is left unknown."""
    assert values(read(NcclLogReader(), log(*lines))) == expected


def test_warnings_are_counted_and_not_repeated():
    """Warnings name hosts and addresses: the message gives their number and the first line."""
    text = log("Using network Socket") + "node-1:1:2 [0] net_socket.cc:12 NCCL WARN connect to 10.0.0.1 failed\n"
    reading = read(NcclLogReader(), text)
    assert codes(reading) == {"library-warnings"}
    assert reading.messages[0].line == 2
    assert "10.0.0.1" not in repr(reading)


def test_lines_of_the_program_around_the_log_are_not_counted():
    """A training log with some lines of the library has no odd lines."""
    reading = read(NcclLogReader(), "epoch 1\n" + log("Using network Socket") + "loss 3\n")
    assert (reading.lines_read, reading.lines_not_understood) == (1, 0)


def test_a_log_that_names_nothing_says_so():
    """Initialisation lines alone tell no transport."""
    assert codes(read(NcclLogReader(), log("Bootstrap: Using eth0:10.0.0.1<0>"))) == {"no-samples"}


def test_a_head_that_cannot_be_is_no_obstacle():
    """Zero devices per process is damage; the rows are read all the same."""
    found = values(read(NcclTestsReader(), RANKS.replace("nGpus 2", "nGpus 0") + NEW + ROWS))
    assert found["collective_bus_bandwidth"] == 12.37e9


BARE = """\
   134217728      33554432     float     sum      -1   2321.4   57.82  101.18      0   2318.2   57.90  101.32      0
   536870912     134217728     float     sum      -1   8790.1   61.08  106.89      0   8781.0   61.14  107.00    N/A
"""


def test_rows_whose_header_and_footer_were_cut_off_are_read():
    """The columns are the usual ones where size over time is the bandwidth that the row says."""
    short = "\n".join(line[:86] for line in BARE.splitlines())
    for text in (BARE, short):
        assert NcclTestsReader().recognises(Source.of_bytes("rows.txt", text.encode()))
        assert values(read(NcclTestsReader(), text)) == {"collective_bus_bandwidth": 106.89e9}


@pytest.mark.parametrize(
    ("then", "now"), [("2321.4", "4321.4"), ("57.82", "101.18"), ("float", "loss"), ("134", "135")]
)
def test_numbers_that_do_not_agree_are_no_row_without_a_header(then, now):
    """Columns in another order, or other numbers, are not guessed at."""
    line = BARE.splitlines()[0].strip()
    assert headless(line)
    assert not headless(line.replace(then, now, 1))
    source = Source.of_bytes("rows.txt", line.replace(then, now, 1).encode())
    assert not NcclTestsReader().recognises(source)
    found = NcclTestsReader().read(source)
    assert not found.observations
    assert found.lines_not_understood == 1
