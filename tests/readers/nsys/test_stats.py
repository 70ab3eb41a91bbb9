"""Tables of nsys stats in the layouts of every version."""

from __future__ import annotations

import pytest
from readers.said import codes, read, values

from dam_expert.readers.nsys.stats import NsysStatsReader
from dam_expert.readers.source import Source

OLD = """
Generating CUDA API Statistics...
CUDA API Statistics (nanoseconds)

Time(%)      Total Time       Calls         Average         Minimum         Maximum  Name
-------  --------------  ----------  --------------  --------------  --------------  -----------------
   73.8      1053104319          20      52655216.0           35314       585874693  cudaMemcpy
    1.1        16299525          10       1629952.5           17321        16071973  cudaLaunchKernel

CUDA Kernel Statistics (nanoseconds)

Time(%)      Total Time   Instances         Average         Minimum         Maximum  Name
-------  --------------  ----------  --------------  --------------  --------------  -----------------
  100.0       100000000           4      25000000.0            9471        81061518  conv_forward_kernel

CUDA Memory Operation Statistics (nanoseconds)

Time(%)      Total Time  Operations         Average         Minimum         Maximum  Name
-------  --------------  ----------  --------------  --------------  --------------  ------------------
   92.9       900000000           6     162046835.7           12672       584985875  [CUDA memcpy DtoH]

CUDA Memory Operation Statistics (KiB)

            Total      Operations            Average            Minimum            Maximum  Name
-----------------  --------------  -----------------  -----------------  -----------------  ------------------
        1757812.5               6           287320.4            148.535          1000000.0  [CUDA memcpy DtoH]
"""

NEW = """
 ** NVTX Range Summary (nvtx_sum):

 Time (%)  Total Time (ns)  Instances  Avg (ns)  Med (ns)  Min (ns)  Max (ns)  StdDev (ns)  Style  Range
 --------  -------  ---------  ----  ----  ---  ---  ---  -------  ---------
  90.0  1,000,000,000  10 100,000,000.0 100,000,000.0  90,000,000 110,000,000  0.0  PushPop  :step
  10.0  100,000,000  10  10,000,000.0  10,000,000.0  9,000,000  11,000,000  0.0  PushPop  :forward

[5/8] Executing 'cuda_api_sum' stats report

 Time (%)  Total Time (ns)  Num Calls    Avg (ns)      Med (ns)     Min (ns)    Max (ns)   StdDev (ns)  Name
 --------  -------  ---------  ----  ----  ---  ---  ---  --------
  50.0  20,300,000  101  3,170.0  3,000.0  1,000  20,000,000  1.0  cudaLaunchKernel

[6/8] Executing 'cuda_gpu_kern_sum' stats report

 Time (%)  Total Time (ns)  Instances   Avg (ns)    Med (ns)   Min (ns)  Max (ns)  StdDev (ns)  Name
 --------  -------  ---------  ---  ---  --------  --------  ---  ---
  75.0  300,000  100  3,000.0  3,000.0  1,000  5,000  1.0  void gemm<float, (int)4>(a)
  25.0  100,000  10  10,000.0  10,000.0  1,000  5,000  1.0  ncclDevKernel_AllReduce…

[7/8] Executing 'cuda_gpu_mem_time_sum' stats report
SKIPPED: report.sqlite does not contain GPU memory data.
"""


def test_old_tables_name_their_unit_in_the_title():
    """Nanoseconds and KiB come from the titles; the longest launch is set aside."""
    reading = read(NsysStatsReader(), OLD)
    found = values(reading)
    assert found["d2h_bandwidth"] == 2e9
    assert found["copy_work_share"] == 0.9
    assert found["kernel_duration_mean"] == 0.025
    assert found["launch_duration_mean"] == pytest.approx(227552 / 9 * 1e-9, abs=1e-9)
    assert reading.lines_not_understood == 0


def test_new_tables_have_units_in_columns_and_commas_in_numbers():
    """Ranges that mark steps give the step time; collectives are told from kernels."""
    reading = read(NsysStatsReader(), NEW)
    found = values(reading)
    assert found["step_time"] == 0.1
    assert found["kernel_duration_mean"] == 0.000003
    assert found["communication_work_share"] == 0.25
    assert found["launch_duration_mean"] == 0.000003
    assert "copy_work_share" not in found
    assert reading.lines_not_understood == 0


CSV = """
Processing [report.sqlite] with [cuda_gpu_kern_sum.py]...
Time (%),Total Time (us),Instances,Avg (us),Med (us),Min (us),Max (us),StdDev (us),Name
60.0,600.0,3,200.0,200.0,1,300,1.0,"void f<int, 4>(a, b)"
40.0,400.0,2,200.0,200.0,1,300,1.0,gemm

Processing [report.sqlite] with [cuda_gpu_mem_size_sum.py]...
Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation
277.0,1,277.0,277.0,277.0,277.0,0.0,[CUDA memcpy Host-to-Device]

Time (%),Total Time (ms),Count,Avg (ms),Med (ms),Min (ms),Max (ms),StdDev (ms),Operation
90.0,9.0,1,9,9,9,9,0,[CUDA memcpy Host-to-Device]
10.0,1.0,1,1,1,1,1,0,[CUDA memset]
"""


def test_csv_has_quoted_names_and_any_time_unit():
    """Commas inside of names do not shift columns; us and ms become seconds."""
    found = values(read(NsysStatsReader(), CSV))
    assert found["kernel_duration_mean"] == 0.0002
    assert found["h2d_bandwidth"] == pytest.approx(277e6 / 9e-3)
    assert found["copy_work_share"] == pytest.approx(9 / 11)


def test_a_report_that_is_repeated_counts_once():
    """The same table twice, as several formats print it, is not added up."""
    assert values(read(NsysStatsReader(), CSV + CSV)) == values(read(NsysStatsReader(), CSV))


@pytest.mark.parametrize("cell", ["-", "N/A", ""])
def test_a_cell_that_is_not_available_is_no_zero(cell):
    """A row without a total is not understood, and nothing is said of it."""
    text = f"Time (%),Total Time (ns),Instances,Name\n100.0,{cell},3,gemm\n"
    reading = read(NsysStatsReader(), text)
    assert codes(reading) == {"no-samples", "lines-not-understood"}
    assert not reading.observations


def test_other_tables_are_left_alone():
    """A table with a time column of another tool is not claimed."""
    assert not NsysStatsReader().recognises(Source.of_bytes("x", b"Time,Step,Value\n1,2,3\n"))


@pytest.mark.parametrize("known", ["90.0,9.0", "60.0,600.0"], ids=["copies", "kernels"])
def test_without_the_time_of_a_row_no_part_is_known(known):
    """Where the time of one row is not available, the share of copies is unknown: neither 0 nor too much."""
    share, _, _ = known.partition(",")
    found = values(read(NsysStatsReader(), CSV.replace(known, f"{share},N/A")))
    assert "copy_work_share" not in found
    assert found["kernel_duration_mean"] == 0.0002


@pytest.mark.parametrize("cell", ["-300000", "-9000"], ids=["as much as the others take", "less"])
def test_a_time_below_zero_is_none(cell):
    """Such a row is not understood, and no part of a sum that lacks it is told."""
    share, _, after = next(line for line in CSV.splitlines() if line.startswith("90.0,")).split(",", 2)
    reading = read(NsysStatsReader(), CSV.replace(f"{share},9.0,{after}", f"{share},{cell},{after}"))
    assert "copy_work_share" not in values(reading)
    assert "lines-not-understood" in codes(reading)
