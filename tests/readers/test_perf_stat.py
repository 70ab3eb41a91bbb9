"""Counters of ``perf stat`` in each of its forms and locales."""

from __future__ import annotations

import json

import pytest
from readers.said import read, values

from dam_expert.readers.perf_stat import PerfStatReader

TEXT = """
 Performance counter stats for process id '4242':

          8,012.44 msec task-clock                #    0.801 CPUs utilized
             1,234      context-switches          #  154.012 /sec
    24,123,456,789      cycles                    #    3.011 GHz                      (83.31%)
    12,061,728,394      instructions              #    0.50  insn per cycle           (83.33%)
   <not supported>      stalled-cycles-frontend
       120,000,000      LLC-loads                 #   14.977 M/sec                    (66.67%)
        72,000,000      LLC-load-misses           #   60.00% of all LL-cache accesses  (66.68%)

      10.003112345 seconds time elapsed
"""
CSV = """# started on Sun Nov 29 16:55:20 2026

8012.44,msec,task-clock,8012440000,100.00,0.801,CPUs utilized
24123456789,,cycles,6676366666,83.31,3.011,GHz
12061728394,,instructions,6676366666,83.33,0.50,insn per cycle
<not supported>,,stalled-cycles-frontend,0,100.00,,
120000000,,LLC-loads,5341626666,66.67,14.977,M/sec
72000000,,LLC-load-misses,5341626666,66.68,60.00,of all LL-cache accesses
"""
JSON = "\n".join(
    json.dumps({"counter-value": value, "unit": unit, "event": event, "metric-value": metric, "metric-unit": name})
    for value, unit, event, metric, name in (
        ("8012.44", "msec", "task-clock", "0.801", "CPUs utilized"),
        ("24123456789.000000", "", "cycles", "3.011", "GHz"),
        ("12061728394.000000", "", "instructions:u", "0.5", "insn per cycle"),
        ("120000000.000000", "", "LLC-loads", 0.0, ""),
        ("72000000.000000", "", "LLC-load-misses", 0.0, ""),
    )
)
GERMAN = TEXT.translate(str.maketrans(",.", ".,"))
KNOWN = {"process_cpu_cores": 0.801, "instructions_per_cycle": 0.5, "last_cache_miss_share": 0.6}


@pytest.mark.parametrize(
    "text", [TEXT, CSV, CSV.replace(",", ";"), JSON, GERMAN], ids=["text", "csv", "semicolon", "json", "german"]
)
def test_every_form_says_the_same(text):
    """Text in two locales, CSV and JSON of one run give the same cores, instructions per cycle and cache misses."""
    assert values(read(PerfStatReader(), text)) == pytest.approx(KNOWN, rel=1e-3)


def test_intervals_are_summed():
    """With -I the cores in use are the task clock over the time of all intervals, also of the short last one."""
    row = "     {}   {} msec task-clock  #  1.000 CPUs utilized\n"
    rows = row.format("0.500000000", "500.00") + row.format("0.600000000", "400.00")
    found = values(read(PerfStatReader(), "#           time             counts unit events\n" + rows))
    assert found == {"process_cpu_cores": pytest.approx(1.5)}


def test_what_a_virtual_machine_does_not_count_is_unknown():
    """Counters that are not supported give no value and a note, never 0."""
    reading = read(
        PerfStatReader(), "Performance counter stats for 'x':\n <not supported>  cycles\n <not counted> instructions\n"
    )
    assert values(reading) == {}
    assert {message.code for message in reading.messages} == {"not-counted"}


def test_a_whole_host_is_no_process():
    """cpu-clock of -a is the time of every core and gives no cores of a process."""
    assert values(read(PerfStatReader(), "637.03;msec;cpu-clock;637029413;100.00;2.006;CPUs utilized\n")) == {}


def test_a_number_without_its_beginning_is_none():
    """What is left of a grouped number is not 0."""
    text = "\n".join(
        f"      {value}      {event}" for value, event in ((",000,000", "cycles"), ("5,000", "instructions"))
    )
    found = values(read(PerfStatReader(), " Performance counter stats for 'x':\n\n" + text + "\n"))
    assert "instructions_per_cycle" not in found
