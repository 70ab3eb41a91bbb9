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


def test_a_report_by_library():
    """Sorted by library alone, rows have no symbol and no mark of the kernel; graphs below them are passed over."""
    text = "# Overhead  Shared Object\n# ........  .............\n#\n    60.00%  libpython3.11.so.1.0\n            |\n"
    text += (
        "            |--22.22%--_PyEval_EvalFrameDefault\n    30.00%  [kernel.kallsyms]\n    10.00%  libjpeg.so.62\n"
    )
    found = values(read(text))
    assert found["cycles_interpreter_share"] == 0.6
    assert found["cycles_kernel_share"] == 0.3
    assert found["cycles_decode_share"] == 0.1
