"""Older and rarer forms of outputs, and what only looks like one: every value is what the text says, or unknown."""

from __future__ import annotations

import pytest
from readers.said import codes, read, values

from dam_expert.readers.amd_smi import AmdSmiReader
from dam_expert.readers.free import FreeReader
from dam_expert.readers.gather import gather
from dam_expert.readers.hf_state import HfTrainerStateReader
from dam_expert.readers.nccl.reader import NcclTestsReader
from dam_expert.readers.nvidia_dmon import NvidiaDmonReader
from dam_expert.readers.nvidia_query import NvidiaQueryReader
from dam_expert.readers.other_kinds import looks_like
from dam_expert.readers.parts import recogniser
from dam_expert.readers.perf_stacks import PerfStacksReader
from dam_expert.readers.pidstat import PidstatReader
from dam_expert.readers.registry import READERS
from dam_expert.readers.rocm_smi import RocmSmiReader
from dam_expert.readers.serving.load import LoadGeneratorReader
from dam_expert.readers.serving.perf_analyzer import PerfAnalyzerReader
from dam_expert.readers.source import Source
from dam_expert.readers.training_log import TrainingLogReader


def source(text: str) -> Source:
    return Source.of_bytes("pasted", text.encode())


def test_suffixes_of_one_letter_tell_a_share_and_no_size():
    """``free -h`` before 2020 writes ``1.5G``, of 1000 or of 1024: the share is known, the bytes are not."""
    head = "              total        used        free      shared  buff/cache   available\n"
    found = values(
        read(FreeReader(), head + "Mem:           4.0G        237M        466M        1.2M        1.2G        1.0G\n")
    )
    assert found == {"host_memory_available_share": 0.25}


SYSSTAT = "Linux 5.4.0 (node) \t06/01/20 \t_x86_64_\t(8 CPU)\n\n"


def test_more_processor_time_than_there_is_is_left_out():
    """A wrapped counter of a thread is no use of the processor; the rest of the rows counts."""
    head = "12:53:20      UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command\n"
    rows = [
        "12:53:22     1000      8741         -   90.00   10.00    0.00    0.00  100.00     0  python",
        "12:53:22     1000         -      8741   50.00    0.00    0.00    0.00   50.00     0  |__python",
        "12:53:22     1000         -      8742    0.00 479136209706741.00 0.00 0.00 479136209706741.00 5 |__loader",
    ]
    reading = read(PidstatReader(), SYSSTAT + head + "\n".join(rows) + "\n")
    found = values(reading)
    assert found["busiest_thread_utilization"] == 0.5
    assert found["process_cpu_cores[8741]"] == 1.0
    assert "impossible-value" in codes(reading)


def test_samples_of_perf_without_times():
    """Old releases of perf script print no time: the innermost frame is what follows the head all the same."""
    text = (
        "python 19983 cycles: \n\tffffffff8103d0ca copy_user ([kernel.kallsyms])\n\t4005d0 main (/usr/bin/python3)\n\n"
        "python 19983 cycles: \n\t4005d0 _PyEval_EvalFrameDefault (/usr/bin/python3)\n\n"
    )
    found = values(read(PerfStacksReader(), text))
    assert found["cycles_kernel_share"] == 0.5
    assert found["cycles_interpreter_share"] == 0.5


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# GPU Direct RDMA\nNCCL_DEBUG=INFO torchrun train.py\n", id="a comment of a script"),
        pytest.param(
            "# GPU memory in use\nDCGM_FI_DEV_FB_USED / DCGM_FI_DEV_FB_FREE * 100\n", id="a heading of queries"
        ),
    ],
)
def test_a_comment_that_begins_with_gpu_is_no_header(text):
    """Only columns of dmon make a header of it."""
    assert not NvidiaDmonReader().recognises(source(text))


def test_another_table_of_rocm_smi_is_not_of_amd_smi():
    """The banner says which tool it is; a table without values says that it has none."""
    text = (
        "================= ROCm System Management Interface =================\n"
        "====================== Concise Hardware Info =======================\n"
        "GPU  NODE  DID     GUID   GFX VER  GFX RAS  SDMA RAS  UMC RAS   VBIOS  BUS           PARTITION ID\n"
        "0    4     0x74a0  3877   gfx942   ENABLED  ENABLED   DISABLED  N/A    0000:01:00.0  0\n"
    )
    assert not AmdSmiReader().recognises(source(text))
    assert isinstance(recogniser(source(text), READERS), RocmSmiReader)
    reading = read(RocmSmiReader(), text)
    assert not any(name.startswith(("accelerator_util", "device_power")) for name in values(reading))


LOCUST = """    Name              # reqs      # fails  |     Avg     Min     Max  Median  |   req/s failures/s
    ----------------------------------------------------------------------------------------------
    GET /hello           800     8(1.00%)  |     115     100     415     110  |   40.00    0.40
    Aggregated           800     8(1.00%)  |     115     100     415     110  |   40.00    0.40

    Name              # reqs    50%    66%    75%    80%    90%    95%    98%    99%  99.9% 99.99%   100%
    Aggregated           800    110    112    115    118    130    150    200    300    410    415    415
"""


def test_locust_without_a_column_of_types():
    """Before 2.12 the table had no types, and the number of requests stood before the percentiles."""
    found = values(read(LoadGeneratorReader(), LOCUST))
    assert found["throughput"] == 40.0
    assert found["request_time"] == pytest.approx(0.115)
    assert found["failed_request_share"] == pytest.approx(0.01)
    assert found["request_p50"] == pytest.approx(0.110)
    assert found["request_p99"] == pytest.approx(0.3)


def test_throughput_of_early_deepspeed():
    """``0/950, SamplesPerSec=`` counts micro steps of an epoch."""
    text = "".join(f"worker-0: [INFO 2020-02-06 20:35:2{n}] 0/{50 * n}, SamplesPerSec=1284.5\n" for n in range(1, 6))
    reading = read(TrainingLogReader(), text)
    assert values(reading)["throughput"] == pytest.approx(1284.5)
    assert "lines-not-understood" not in codes(reading)


def test_the_current_rate_of_deepspeed_goes_before_the_mean():
    """Where a line has both, the samples per second of the moment are meant."""
    text = "".join(
        f"[2021-05-24 17:3{n}:46] [INFO] [timer.py:154:stop] 0/{n}, SamplesPerSec=5.0, CurrSamplesPerSec=8.0\n"
        for n in range(4)
    )
    assert values(read(TrainingLogReader(), text))["throughput"] == pytest.approx(8.0)


def test_timers_that_never_ran_are_unknown():
    """An engine that times by other names prints 0.00 for forward and backward: no pass takes no time."""
    text = "time (ms) | forward: 0.00 | backward: 0.00 | optimizer: 1.50 | batch generator: 2.00\n" * 3
    found = values(read(TrainingLogReader(), text))
    assert "forward_time" not in found
    assert "backward_time" not in found


@pytest.mark.parametrize("word", ["Test", "Val", "Eval", "Validation"])
def test_meters_of_an_evaluation_are_not_of_training(word):
    """The evaluation of the ImageNet example prints the same meters under another head."""
    text = f"{word}: [0/98]\tTime 5.368 (5.368)\tLoss 0.2694 (0.2694)\tAcc@1 80.4 (80.4)\n"
    assert not TrainingLogReader().recognises(source(text))
    both = text + "Epoch: [0][10/98]\tTime 0.250 (0.300)\tData 0.010 (0.020)\tLoss 2.5 (2.6)\n"
    assert values(read(TrainingLogReader(), both))["step_time"] < 1.0


@pytest.mark.parametrize(
    "bar",
    [
        pytest.param("train_small:  32%|###1  | 31745/100000 [01:51<00:19, 3538.83it/s]", id="rows of a conversion"),
        pytest.param("Flattening the indices: 50%|##  | 500/1000 [00:10<00:10, 50.00ba/s]", id="indices"),
        pytest.param("Resolving data files: 50%|##  | 500/1000 [00:10<00:10, 50.00it/s]", id="files"),
    ],
)
def test_bars_of_preparation_are_no_steps(bar):
    """What prepares the data counts rows and files."""
    assert not TrainingLogReader().recognises(source(f"{bar}\n{bar}\n"))


def test_a_fast_bar_of_training_counts():
    """A bar without a name, or named after training, may be as fast as it says."""
    for name in ("", "Training: ", "Epoch 1: "):
        text = f"{name}50%|##  | 50000/100000 [00:20<00:20, 2500.00it/s]\n"
        assert values(read(TrainingLogReader(), text))["step_time"] == pytest.approx(0.0004)


def test_lines_of_several_ranks_are_no_course():
    """Eight ranks that log one step say nothing of how times change over steps."""
    line = "{rank}: root - INFO - step: {step}  loss:  3.4370  memory: 68.57GiB(86.69%)  tps: {tps}  mfu: 39.73%\n"
    one = "".join(line.format(rank=rank, step=1990, tps="6,785") for rank in range(8))
    assert "step_time_trend" not in values(read(TrainingLogReader(), one))
    many = "".join(line.format(rank=rank, step=step, tps=1000 / step) for step in range(2, 10) for rank in range(8))
    slowed = values(read(TrainingLogReader(), many))["step_time_trend"]
    assert slowed == pytest.approx(8.5 / 2.5)


SUMMARY = """Inferences/Second vs. Client {statistic} Batch Latency
Concurrency: 1, throughput: 70.6 infer/sec, latency 19547 usec
Concurrency: 2, throughput: 105.9 infer/sec, latency 23532 usec
Concurrency: 4, 108.6 infer/sec, latency 43588 usec
"""


def test_the_last_lines_of_perf_analyzer_alone():
    """They give throughput at each concurrency and one latency: the mean, or the percentile that was asked for."""
    found = values(read(PerfAnalyzerReader(), SUMMARY.format(statistic="p95")))
    assert found["concurrency"] == 4.0
    assert found["throughput"] == pytest.approx(108.6)
    assert found["request_p95"] == pytest.approx(0.043588)
    assert found["concurrency_doubling_speedup"] == pytest.approx(108.6 / 105.9)
    assert "request_time" not in found
    mean = values(read(PerfAnalyzerReader(), SUMMARY.format(statistic="Average")))
    assert mean["request_time"] == pytest.approx(0.043588)


def test_what_holds_no_values_says_what_it_is():
    """The progress of a profiler and other pages of a tool are named, with the way to get values."""
    progress = looks_like(
        source('==PROF== Connected to process 77 (/usr/bin/python3)\n==PROF== Profiling "gemm" - 1\n')
    )
    assert progress is not None
    assert "Nsight Compute" in progress.what
    page = looks_like(source('[\n  {\n    "cols":[\n  {"id":"selfTimePercent"}]}]'))
    assert page is not None
    assert "input pipeline" in page.hint


def test_the_concise_table_of_early_rocm_smi():
    """Without GPU% it tells power, clocks and temperature; a heading of two words is one column."""
    text = (
        "====================    ROCm System Management Interface    ====================\n"
        " GPU  Temp    AvgPwr   SCLK     MCLK     Fan      Perf    SCLK OD\n"
        "  1   74.0c   174.131W 1411Mhz  2050Mhz  80.0%    high      0%\n"
        "  0   78.0c   145.112W 1350Mhz  2000Mhz  80.0%    high      0%\n"
    )
    found = values(read(RocmSmiReader(), text))
    assert found["device_power[0]"] == pytest.approx(145.112)
    assert found["sm_clock[0]"] == pytest.approx(1.35e9)
    assert found["memory_clock[1]"] == pytest.approx(2.05e9)
    assert found["device_temperature[1]"] == 74.0
    assert "accelerator_utilization[0]" not in found


def test_results_of_the_trainer_alone():
    """The summary of a run in a file of its own: rates, and the time of a step from them."""
    text = """{
    "epoch": 5.0, "eval_loss": 0.25, "eval_runtime": 120.0, "total_flos": 2.6e+19, "train_loss": 0.6,
    "train_runtime": 2211.2, "train_samples": 5057, "train_samples_per_second": 11.5, "train_steps_per_second": 0.2
}"""
    found = values(read(HfTrainerStateReader(), text))
    assert found["step_time"] == pytest.approx(5.0)
    assert found["throughput"] == pytest.approx(11.5)
    assert found["heldout_loss"] == pytest.approx(0.25)
    assert found["workload_kind"] == "training"


def test_the_time_of_hrnet_is_a_running_mean():
    """Its lines give the mean since the start of the epoch: the first step of compiling weighs in no step after it."""
    line = "Epoch: [0/520] Iter:[{step}/247], Time: {mean}, lr: [0.01], Loss: 7.4, Acc:0.038\n"
    means = ((0, 8.0), (9, 1.7), (19, 1.35))  # sums 8, 17, 27: a second for each step but the first
    text = "".join(line.format(step=step, mean=mean) for step, mean in means)
    assert values(read(TrainingLogReader(), text))["step_time"] == pytest.approx(1.0)


SERVED = """Traffic request rate: inf
100%|##########| 32/32 [02:30<00:00,  4.71s/it]
============ Serving Benchmark Result ============
Successful requests:                     32
Request throughput (req/s):              0.21
Mean TTFT (ms):                          7279.56
Mean TPOT (ms):                          1.76
Median TPOT (ms):                        -0.00
Mean ITL (ms):                           0.00
P99 ITL (ms):                            0.00
==================================================
"""


@pytest.mark.parametrize("quote", ["", "# "])
def test_a_benchmark_counts_requests_and_not_steps(tmp_path, quote):
    """The bar of a benchmark is no step, also where a script quotes all of it; a time of nothing was not measured."""
    path = tmp_path / "bench.txt"
    path.write_text("".join(quote + line + "\n" for line in SERVED.splitlines()))
    found = {each.measurement: each.value for each in gather([path]).observations}
    assert "step_time" not in found
    assert found["workload_kind"] == "serving"
    assert found["time_to_first_token"].lo == pytest.approx(7.27956)
    assert found["time_per_output_token"].lo == pytest.approx(0.00176)
    assert not {"time_per_output_token_p50", "token_interval", "token_interval_p99"} & found.keys()


def test_rows_of_nccl_tests_that_the_library_prints_into():
    """With the library's messages on, a row comes in parts, each glued to a line of the library."""
    said = "mew0:64:64 [1] NCCL INFO AllReduce: opCount 0 sendbuff 0x92 recvbuff 0xf2\n"
    text = (
        "#  size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong\n"
        f"    67108864      16777216     float     sum      -1{said}{said}"
        f"    223.1  150.41  150.41      0{said}{said}"
        "    220.4  152.23  152.23      0\n"
        f"  1073741824     268435456     float     sum      -1{said}"
        f"   5118.0  209.80  209.80      0{said}"
        "   5118.0  209.80  209.80      0\n"
    )
    reading = read(NcclTestsReader(), text)
    assert values(reading)["collective_bus_bandwidth"] == pytest.approx(209.8e9)
    assert not codes(reading) & {"no-samples"}


def test_fields_without_units_are_counted_as_the_tool_counts_them():
    """A header that a script wrote and ``nounits``: memory is in MiB, utilization in percent; its own numbers count."""
    text = (
        "timestamp,gpu,index,utilization.gpu,memory.used,memory.total,power.draw,clocks.sm\n"
        "2025-09-08T17:26:50+08:00,0, 0, 50, 4096, 81559, 74.01, 1410\n"
        "2025-09-08T17:26:50+08:00,1, 0, 70, 8192, 81559, 73.23, 1410\n"
    )
    found = values(read(NvidiaQueryReader(), text))
    assert found["device_memory_used[1]"] == 8192 * 2.0**20
    assert found["accelerator_utilization[0]"] == 0.5
    assert found["sm_clock[0]"] == 1.41e9
    assert found["device_count"] == 2.0


def test_of_several_runs_of_wrk_the_last_counts_alone():
    """Nothing of a run stays where the next one does not print it."""
    run = "  {threads} threads and {connections} connections\n    Latency   {latency}  296.80ms   1.51s    84.37%\n"
    end = "  1000 requests in 30.08s, 22.22MB read\nRequests/sec:   {rate}\n"
    first = (
        run.format(threads=12, connections=500, latency="216.67ms") + "     99%    1.20s\n" + end.format(rate=4454.0)
    )
    second = run.format(threads=12, connections=1000, latency="100.00ms") + end.format(rate=2000.0)
    reading = read(LoadGeneratorReader(), first + second)
    found = values(reading)
    assert found["concurrency"] == 1000.0
    assert found["throughput"] == 2000.0
    assert "request_p99" not in found
    assert "several-results" in codes(reading)
