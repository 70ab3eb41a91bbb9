"""perf report with and without children."""

from __future__ import annotations

from readers.traces import codes, values
from readers.training_texts import PERF

from dam_expert.readers.perf_report import PerfReportReader
from dam_expert.readers.source import Source


def read(text: str):
    source = Source.of_bytes("perf.txt", text.encode())
    assert PerfReportReader().recognises(source)
    return PerfReportReader().read(source)


def test_own_time_counts_and_the_rest_is_open():
    """With children, the second column is a row's own time; 20 % are below the limit and may be anywhere."""
    assert values(read(PERF)) == {
        "cycles_interpreter_share": (0.4, 0.6),
        "cycles_decode_share": (0.3, 0.5),
        "cycles_kernel_share": (0.1, 0.3),
    }


def test_rows_that_are_cut_are_counted():
    """A percentage without a symbol is not understood; a header alone says so."""
    assert read(PERF + "    5.00%  python3\n").lines_not_understood == 1
    assert codes(read("# Overhead  Command  Shared Object  Symbol\n")) == {"no-rows"}
