"""Sampled stacks of perf, as it prints them and folded."""

from __future__ import annotations

from readers.said import codes, read, values

from dam_expert.documents.intervals import Interval
from dam_expert.readers.perf_stacks import PerfStacksReader
from dam_expert.readers.source import Source

SCRIPT = """python 12559   786.461434:     250000 cpu-clock:ppp:
\t            5e03 deflate_fast (/usr/lib/x86_64-linux-gnu/libz.so.1.2.13)
\t          1a2b3c _PyEval_EvalFrameDefault (/usr/bin/python3.11)

python 12559 [003]  786.461652:     250000 cpu-clock:ppp:
\t          1a2b3c _PyEval_EvalFrameDefault (/usr/bin/python3.11)

python 12559   786.461903:     500000 cpu-clock:ppp:
\tffffffff81000000 copy_user_generic ([kernel.kallsyms])
\t          1a2b3c _PyEval_EvalFrameDefault (/usr/bin/python3.11)

"""
FOLDED = """python;_start;_PyEval_EvalFrameDefault 40
python;_start;deflate;[libz.so.1.2.13] 30
python;do_syscall_64_[k];ksys_read_[k] 20
python;_start;memcpy 10
"""


def test_a_sample_falls_where_its_first_frame_is():
    """Samples count by their period, frames outside of the first do not."""
    found = values(read(PerfStacksReader(), SCRIPT))
    assert found == {"cycles_decode_share": 0.25, "cycles_interpreter_share": 0.25, "cycles_kernel_share": 0.5}


def test_a_folded_frame_that_tells_no_library_may_be_any():
    """The groups have bounds where a name tells nothing, the marked kernel has none."""
    reading = read(PerfStacksReader(), FOLDED)
    found = {each.measurement: each.value for each in reading.observations}
    assert found["cycles_interpreter_share"] == Interval(0.4, 0.5)
    assert found["cycles_decode_share"] == Interval(0.3, 0.4)
    assert found["cycles_kernel_share"] == Interval(0.2, 0.2)


def test_without_the_mark_the_kernel_is_unknown():
    """Stacks that were folded without -a say nothing of the operating system."""
    found = values(read(PerfStacksReader(), FOLDED.replace("_[k]", "")))
    assert "cycles_kernel_share" not in found


def test_a_header_alone_says_so():
    """Samples without frames are no samples."""
    reading = read(PerfStacksReader(), SCRIPT.replace("250000", "0").replace("500000", "0"))
    assert values(reading) == {}
    assert codes(reading) == {"no-samples"}


def test_other_lists_with_semicolons_are_left_to_others():
    """Lines of which only some look folded are no folded stacks."""
    text = "name;value 1\nthis is a log; with a semicolon\nname;value 2\n"
    assert not PerfStacksReader().recognises(Source.of_bytes("x", text.encode()))
