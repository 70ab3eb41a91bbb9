"""Nsight Compute's text and CSV, old and new labels and units."""

from __future__ import annotations

import pytest
from readers.said import codes, read, values

from dam_expert.readers.ncu.reader import NcuReader
from dam_expert.readers.source import Source

HEAD = '"ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Description"\n'


def details(number: int, duration: str, **metrics: float) -> str:
    names = {
        "dram": "DRAM Throughput",
        "memory": "Memory Throughput",
        "sm": "Compute (SM) Throughput",
        "l1": "L1/TEX Cache Throughput",
    }
    rows = [f'"{number}","f(int, int)","SOL","Duration","ns","{duration}","",""']
    rows += [f'"{number}","f(int, int)","SOL","{names[name]}","%","{value}","",""' for name, value in metrics.items()]
    rows += [f'"{number}","f(int, int)","Memory","Memory Throughput","byte/s","196,456,177,859.63","",""']
    rows += [f'"{number}","f(int, int)","SOL","","","","Bottleneck","two lines\nof advice, with commas"']
    return "\n".join(rows) + "\n"


def test_kernels_are_weighted_by_their_duration():
    """A kernel that takes nine tenths of the time counts nine tenths; thousands separators are read."""
    text = (
        "==PROF== Connected\nepoch 1\n"
        + HEAD
        + details(0, "9,000", dram=80, sm=10)
        + details(1, "1,000", dram=30, sm=60)
    )
    reading = read(NcuReader(), text)
    found = values(reading)
    assert found["memory_throughput_share"] == pytest.approx(0.75)
    assert found["compute_throughput_share"] == pytest.approx(0.15)
    assert found["kernels_profiled"] == 2
    assert reading.lines_not_understood == 0


def test_the_busiest_cache_is_not_device_memory():
    """Memory throughput of 97 % with DRAM at 25 % says nothing of device memory."""
    found = values(read(NcuReader(), HEAD + details(0, "1", memory=97.5, dram=25, l1=97.5)))
    assert found["memory_throughput_share"] == 0.25
    assert found["memory_subsystem_share"] == 0.975
    assert found["l1_throughput_share"] == 0.975


def test_without_dram_the_memory_throughput_is_an_upper_bound():
    """Device memory is at most as busy as the busiest part of the memory system."""
    assert values(read(NcuReader(), HEAD + details(0, "1", memory=49)))["memory_throughput_share"] == (0.0, 0.49)


RAW = '"ID","Process Name","Kernel Name","gpu__time_duration.sum",'
RAW += '"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed","launch__waves_per_multiprocessor"\n'
RAW += '"","","","usecond","%",""\n"0","python","f","10.0","50.0","0.5"\n"1","python","g","30.0","n/a","1.5"\n'


def test_the_raw_page_has_a_row_of_units():
    """Units stand in the second row; a value that is not available leaves its kernel out of that mean."""
    found = values(read(NcuReader(), RAW))
    assert found["memory_throughput_share"] == 0.5
    assert found["waves_per_multiprocessor"] == 1.25


PRINTED = """
  conv(float *), 2021-Oct-01 10:00:00, Context 1, Stream 7
    Section: GPU Speed Of Light
    -------------------------------------------------- --------------- ------------------------------
    DRAM Frequency                                       cycle/nsecond                           4.96
    Duration                                                   usecond                       1,000.00
    {sm}                                                                              %                          55.10
    {dram}                                                                            %                           5.20
    -------------------------------------------------- --------------- ------------------------------
    WRN   This kernel exhibits low compute throughput and memory bandwidth utilization

    Section: Launch Statistics
    Waves Per SM                                                                                 6.40
    Section: Occupancy
    Achieved Occupancy                                               %                          67.00
"""


@pytest.mark.parametrize(
    ("sm", "dram"),
    [("SOL SM", "SOL DRAM"), ("SM [%]", "DRAM Throughput"), ("Compute (SM) Throughput", "DRAM Throughput")],
)
def test_text_of_every_version(sm, dram):
    """Labels and units changed; pasted with indentation or not."""
    for text in (PRINTED, PRINTED.replace("\n  ", "\n")):
        found = values(read(NcuReader(), text.format(sm=sm, dram=dram)))
        assert found["compute_throughput_share"] == 0.551
        assert found["memory_throughput_share"] == 0.052
        assert found["achieved_occupancy"] == 0.67
        assert found["waves_per_multiprocessor"] == 6.4
        assert found["kernels_profiled"] == 1


@pytest.mark.parametrize("cell", ["n/a", "", "(!) n/a", "-"])
def test_a_metric_that_is_not_available_is_no_zero(cell):
    """Counters may be missing: nothing is said of them."""
    reading = read(NcuReader(), HEAD + f'"0","f","SOL","DRAM Throughput","%","{cell}","",""\n')
    assert codes(reading) == {"no-samples", "lines-not-understood"}


def test_ids_that_start_again_are_other_kernels():
    """Two runs in one file do not overwrite each other."""
    text = HEAD + details(0, "1", dram=20) + HEAD + details(0, "1", dram=40)
    assert values(read(NcuReader(), text))["memory_throughput_share"] == pytest.approx(0.3)


def test_other_tables_are_left_alone():
    """A CSV with a kernel name and no metrics is not claimed."""
    assert not NcuReader().recognises(Source.of_bytes("x", b"Kernel Name,Time\nf,3\n"))
