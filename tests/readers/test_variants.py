"""Forms that tools print beside their usual one: other releases, options and locales say the same."""

from __future__ import annotations

import json

import pytest
from readers.said import codes, read, values

from dam_expert.readers.amd_smi import AmdSmiReader
from dam_expert.readers.ascend_kernels import AscendKernelsReader
from dam_expert.readers.input_pipeline import InputPipelineReader
from dam_expert.readers.kernel_counters import KernelCountersReader
from dam_expert.readers.metrics_csv import MetricsCsvReader
from dam_expert.readers.nccl.reader import NcclTestsReader
from dam_expert.readers.ncu.reader import NcuReader
from dam_expert.readers.nvidia_dmon import NvidiaDmonReader
from dam_expert.readers.nvidia_report import NvidiaReportReader
from dam_expert.readers.perf_report import PerfReportReader
from dam_expert.readers.rocm_smi import RocmSmiReader
from dam_expert.readers.serving.aiperf import AiperfReader
from dam_expert.readers.serving.benchmark import ServingBenchmarkReader
from dam_expert.readers.serving.load import LoadGeneratorReader
from dam_expert.readers.top import TopReader
from dam_expert.readers.training_log import TrainingLogReader
from dam_expert.readers.vmstat import VmstatReader


def has(found: dict[str, object], **known: object) -> None:
    """Assert that what was found holds the known values, underscores of an index written as brackets."""
    for name, value in known.items():
        key = name.replace("__0", "[0]")
        assert found.get(key) == (pytest.approx(value) if isinstance(value, float) else value), key


def test_dmon_as_csv():
    """Commas between the cells of dmon change nothing."""
    text = "#Time, gpu, pwr, sm, mem\n#HH:MM:SS, Idx, W, %, %\n10:11:12, 0, 210, 40, -\n10:11:13, 0, 212, 50, -\n"
    found = values(read(NvidiaDmonReader(), text))
    has(found, accelerator_utilization__0=0.45, device_power__0=211.0, memory_controller_utilization__0=None)


def test_utilisation_samples_of_the_report_are_a_mean_and_no_instant():
    """With -d UTILIZATION the driver's mean over its samples is told, with how many they are."""
    text = """==============NVSMI LOG==============
GPU 00000000:00:1E.0
    Utilization
        Gpu                               : 97 %
    GPU Utilization Samples
        Duration                          : 14.17 sec
        Number of Samples                 : 71
        Max                               : 98 %
        Avg                               : 81 %
"""
    reading = read(NvidiaReportReader(), text)
    has(values(reading), accelerator_utilization__0=0.81, utilization_samples__0=71.0)
    assert "one-instant" not in codes(reading)


def test_rocm_smi_of_new_releases_has_cells_with_blanks_left_of_the_clocks():
    """Power and temperature are known by their units where the columns before them differ in width."""
    text = """======== ROCm System Management Interface ========
Device  Node  IDs              Temp        Power     Partitions     SCLK     MCLK     Fan  Perf  PwrCap  VRAM%  GPU%
              (DID,     GUID)  (Junction)  (Socket)  (Mem, Compute, ID)
0       2     0x74a1,   28851  49.0\u00b0C      613.0W    NPS1, SPX, 0   132Mhz   900Mhz   0%   auto  750.0W  93%    97%
"""
    found = values(read(RocmSmiReader(), text))
    has(found, device_power__0=613.0, power_limit__0=750.0, device_temperature__0=49.0, accelerator_utilization__0=0.97)


@pytest.mark.parametrize(
    "text",
    [
        "GPU  POWER  GPU_TEMP  MEM_TEMP  GFX_UTIL  GFX_CLOCK  VRAM_USED  VRAM_TOTAL\n"
        "  0  612 W     71 \u00b0C     60 \u00b0C      97 %   2100 MHz  1024 MB     2048 MB\n",
        "GPU  XCP  POWER   GPU_T   MEM_T   GFX_CLK   GFX%   MEM%      VRAM_USAGE\n"
        "  0    0  612 W   71 \u00b0C   60 \u00b0C  2100 MHz   97 %   N/A      1.0/2.0 GB\n",
        "TIMESTAMP  GPU  POWER  PWR_CAP   GPU_T   GFX_CLK   GFX%   MEM%   ENC%      VRAM_USAGE\n"
        "1753969973    0  612 W   750 W   71 \u00b0C  2100 MHz   97 %   N/A    N/A    7.5/ 15.0 GB\n",
        "gpu,power_usage,hotspot_temperature,gfx,gfx_clock,vram_used,vram_total\n0,612,71,97,2100,1024,2048\n",
    ],
    ids=["ROCm 6", "ROCm 7", "watched", "CSV"],
)
def test_amd_smi_monitor(text):
    """The table of amd-smi monitor is read by its columns, in each release and as CSV."""
    found = values(read(AmdSmiReader(), text))
    has(
        found,
        device_power__0=612.0,
        accelerator_utilization__0=0.97,
        device_memory_used_share__0=0.5,
        sm_clock__0=2.1e9,
    )


def test_the_memory_column_of_amd_smi_metric_is_a_temperature():
    """In the CSV of amd-smi metric 'mem' is the temperature of the memory, and its traffic has a name of its own."""
    head = "gpu,gfx_activity,umc_activity,jpeg_activity,socket_power,hotspot,mem,total_vram,used_vram\n"
    found = values(read(AmdSmiReader(), head + "0,97,41,\"['N/A', 'N/A']\",612,71,60,2048,1024\n"))
    has(found, memory_controller_utilization__0=0.41, device_temperature__0=71.0, device_memory_used__0=1024.0 * 2**20)


def test_kernels_of_ascend():
    """Collectives are told from kernels by the core they ran on, and 'N/A' is no time."""
    text = """Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)
10,aclnnMatmul,MatMulV2,AI_CORE,"1700000000000000.123 ",120.0,3.2
10,aclnnAdd,Add,AI_VECTOR_CORE,"1700000000000100.123 ",40.0,1.0
10,hcom_allReduce_,hcom_allReduce_,HCCL,"1700000000000200.123 ",N/A,N/A
10,hcom_allReduce_,hcom_allReduce_,HCCL,"1700000000000300.123 ",40.0,N/A
"""
    reading = read(AscendKernelsReader(), text)
    has(values(reading), kernel_duration_mean=80e-6, communication_work_share=0.2)
    assert reading.lines_not_understood == 0
    assert "communication_work_share" not in {
        found.measurement for found in read(AscendKernelsReader(), text.replace(",40.0,N/A", ",N/A,N/A")).observations
    }


def test_the_ranks_of_a_saved_nccl_test():
    """The JSON of nccl-tests lists its ranks with their hosts and devices, and codes the version."""
    device = {"group": 0, "pid": 1, "device": 0, "device_hex": "0x1a", "device_info": "NVIDIA H100 80GB HBM3"}
    place = {"time": 50000.1, "alg_bw": 21.47, "bus_bw": 21.47, "nwrong": 0}
    document = {
        "nccl_version": 22902,
        "devices": [{**device, "rank": 0, "hostname": "a"}, {**device, "rank": 1, "hostname": "b"}],
        "results": [{"size": 1073741824, "type": "float", "redop": "sum", "out_of_place": place, "in_place": place}],
        "average_bus_bandwidth": {"bandwidth": 10.7},
    }
    found = values(read(NcclTestsReader(), json.dumps(document)))
    has(found, world_size=2.0, node_count=2.0, accelerator="NVIDIA H100 80GB HBM3", collective_bus_bandwidth=21.47e9)
    has(found, collective_library_version="2.29.2")


def test_a_column_that_stands_twice_counts_twice():
    """A header with a name repeated has as many cells as it has, and no row is read beyond its end."""
    text = "Name,Name,Type,Accelerator Core,Duration(us)\nx,a,MatMulV2,AI_CORE,80.0\nx,a,MatMulV2,80.0\n"
    reading = read(AscendKernelsReader(), text)
    has(values(reading), kernel_duration_mean=80e-6)
    assert reading.lines_not_understood == 1


def test_the_page_of_a_gpu_divides_the_step_into_parts():
    """On a GPU the wait for input is one of the parts of the step, which add up to it."""
    cols = [
        {"id": name} for name in ("stepnum", "deviceComputeTimeMs", "hostWaitInputTimeMs", "unknownTimeMs", "tooltip")
    ]
    rows = [{"c": [{"v": "1"}, {"v": 60.0}, {"v": 30.0}, {"v": 10.0}, {"v": "x"}]}]
    found = values(read(InputPipelineReader(), json.dumps([{"cols": cols, "rows": rows}])))
    has(found, input_gap_share=0.3, step_time=0.1)


def test_pressure_below_a_heading_of_ones_own():
    """A line that names the resource says whose pressure stands below it."""
    row = "some avg10={} avg60=0.00 avg300=0.00 total=1\n"
    found = values(read(KernelCountersReader(), "== cpu\n" + row.format("4.00") + "io:\n" + row.format("8.00")))
    has(found, cpu_pressure_share=0.04, io_pressure_share=0.08)


def test_the_first_releases_of_nsight_compute_call_the_memory_fb():
    """SOL FB is the traffic to device memory of 2019."""
    text = """  volta_sgemm_128x64_nn, 2020-Jul-01 10:11:12, Context 1, Stream 7
    Section: GPU Speed Of Light
    ---------------- --------------- ---------
    SOL FB                         %     61.20
    Memory [%]                     %     62.10
    Duration                 usecond     94.12
    SM [%]                         %     91.10
    ---------------- --------------- ---------
"""
    has(values(read(NcuReader(), text)), memory_throughput_share=0.612, compute_throughput_share=0.911)


def test_translated_memory_columns_of_vmstat():
    """Under a Chinese locale the memory columns have other names, all others keep theirs."""
    head = "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
    columns = (
        " r  b \u4ea4\u6362 \u7a7a\u95f2 \u7f13\u51b2 \u7f13\u5b58   si   so    bi    bo   in   cs us sy id wa st\n"
    )
    row = " 2  0      0 23795612  17880 690132    0    0  1024   793  170  282 13  3 60 24  0\n"
    found = values(read(VmstatReader(), head + columns + row + row))
    has(found, cpu_utilization=0.16, cpu_iowait_share=0.24, disk_read_rate=1024.0 * 1024)


def test_translated_lines_of_top():
    """Tasks and memory of a French top are read by their place, and its swap is not taken for main memory."""
    text = """top - 02:28:17 up 10 min,  0 user,  load average: 0,27, 0,34, 0,19
T\u00e2ches: 196 total,   5 en cours, 190 en veille,   0 arr\u00eat\u00e9,   1 zombie
%Cpu(s): 33,3 ut, 16,7 sy,  0,0 ni, 50,0 id,  0,0 wa,  0,0 hi,  0,0 si,  0,0 st
MiB Mem :  24105,0 total,  23229,0 libr,    440,4 util,    692,3 tamp/cache
MiB \u00c9ch :      0,0 total,      0,0 libr,      0,0 util.  23664,7 dispo Mem
"""
    has(values(read(TopReader(), text)), runnable_processes=5.0, host_memory_total=24105.0 * 2**20, cpu_utilization=0.5)


def test_locust_on_the_terminal():
    """What locust prints at its end says what its CSV says."""
    text = """Type     Name          # reqs      # fails |    Avg     Min     Max    Med |   req/s  failures/s
--------|------------|-------|-------------|-------|-------|-------|-------|--------|-----------
POST     /v1/chat       1000     10(1.00%) |    245     100    1200    230 |   33.21        0.33
--------|------------|-------|-------------|-------|-------|-------|-------|--------|-----------
         Aggregated     1000     10(1.00%) |    245     100    1200    230 |   33.21        0.33

Type     Name            50%    66%    75%    80%    90%    95%    98%    99%  99.9% 99.99%   100% # reqs
--------|------------|--------|------|------|------|------|------|------|------|------|------|------|------
         Aggregated      230    250    280    300    400    510    700    900   1200   1200   1200   1000
"""
    found = values(read(LoadGeneratorReader(), text))
    has(found, request_time=0.245, throughput=33.21, failed_request_share=0.01, request_p99=0.9)


def test_the_history_of_locust_counts_requests_over_time():
    """The rate of a history is that of its counts: the rate column is of the last seconds only."""
    head = "Timestamp,User Count,Type,Name,Requests/s,Failures/s,50%,Total Request Count,Total Average Response Time\n"
    rows = "100,0,,Aggregated,0,0,N/A,0,0.0\n102,8,,Aggregated,5,0,53,100,60.0\n104,8,,Aggregated,23,0,53,360,75.0\n"
    has(values(read(LoadGeneratorReader(), head + rows)), throughput=90.0, request_time=0.075)


def test_a_report_by_symbol_tells_the_kernel_only():
    """Without a column of libraries only the operating system's part is known."""
    text = "# Overhead  Symbol\n# ........  ......\n#\n    60.00%  [.] _PyEval_EvalFrame\n    40.00%  [k] copy_user\n"
    reading = read(PerfReportReader(), text)
    assert list(values(reading)) == ["cycles_kernel_share"]
    assert codes(reading) == {"no-libraries"}


def test_wandb_system_metrics_over_relative_time():
    """A chart of system metrics is drawn over the time of the process and names them with a slash."""
    text = '"Relative Time (Process)","run - system/gpu.0.gpu","run - system/gpu.0.gpu__MIN"\n0,10,10\n15,12,12\n'
    has(values(read(MetricsCsvReader(), text)), accelerator_utilization__0=0.11)


def test_composer_prints_one_metric_to_a_line():
    """Lines of Composer and LLM Foundry are read by the metric's name."""
    text = """[batch=20/100]:
     Train time/batch: 19
     Train loss/train/total: 8.4126
     Train throughput/batches_per_sec: 0.2500
     Train throughput/device/tokens_per_sec: 15800.1
     Train throughput/device/mfu: 0.5488
"""
    has(values(read(TrainingLogReader(), text)), step_time=4.0, mfu=0.5488, device_token_rate=15800.1)


def test_a_limit_that_was_not_set_is_a_row():
    """'not set' of SGLang is understood and is no value."""
    text = "============ Serving Benchmark Result ============\nMax request concurrency: not set\nConcurrency: 210.10\n"
    reading = read(ServingBenchmarkReader(), text)
    assert reading.lines_not_understood == 0
    has(values(reading), requests_in_flight=210.1, concurrency=None)


def test_aiperf_json_and_csv_agree():
    """The inter token latency of genai-perf and aiperf is one value for each request: the time per output token."""
    document = {
        "time_to_first_token": {"unit": "ms", "avg": 1052.31, "p50": 980.1, "p99": 2010.22},
        "inter_token_latency": {"unit": "ms", "avg": 21.3, "p50": 20.1, "p99": 40.2},
        "request_throughput": {"unit": "requests/sec", "avg": 4.82},
    }
    rows = (
        'Metric,avg,min,max,p99,p50\nTime to First Token (ms),"1,052.31",1.0,3000.00,2010.22,980.10\n'
        "Inter Token Latency (ms),21.30,18.10,44.01,40.20,20.10\n\n"
        "Metric,Value\nRequest Throughput (requests/sec),4.82\n"
    )
    found = values(read(AiperfReader(), json.dumps(document)))
    assert found == pytest.approx(values(read(AiperfReader(), rows)))
    has(found, time_to_first_token=1.05231, time_per_output_token=0.0213, throughput=4.82)
