"""Reports that are made to hurt: work grows with their size and no faster, and nothing in them raises."""

from __future__ import annotations

import gc
import time

import pytest

DOUBLINGS_MAY_COST = 3.2
"""Twice the text may take twice the time; the rest is the unrest of a shared machine. Squares would take 4 times."""

SHORTEST = 0.5
"""Seconds below which a measurement says nothing; squares of these lengths would take far longer."""

HOSTILE = {
    "digits": "1",
    "numbers with commas": "1,",
    "ranges": "1 to 2 to ",
    "clocks": "1h2m3s ",
    "colons": "a: b: ",
    "units": "1 GB/s/s/s ",
    "stars": "*",
    "brackets": "[(",
    "less-than": "<b",
    "quotes": ">",
    "options": "--a b=c ",
    "negations": "not never ",
    "turns": ", but while ",
    "questions": "? ",
    "Chinese": "数据加载慢",
    "links": "https://",
    "controls": "\x00\x1b[2J\u202e",
    "items": "- a: 1\n",
    "headings": "# a\n\n",
    "fences": "```\n",
    "rows": "| a | b |\n",
    "lines": "the loader waits for data\n",
    "chat": "[10:00] a: it is 5 ms\n",
    "comments": "<!--\n",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_work_grows_with_the_size(read, piece):
    """A text of twice the length takes no more than about twice the time, and none raises."""

    def seconds(repeats):
        text = "# Slow\n\n" + piece * repeats
        gc.collect()  # else what is measured is also how much else this process holds
        gc.disable()
        try:
            start = time.process_time()
            read(text)
            return time.process_time() - start
        finally:
            gc.enable()

    repeats = 60_000 // len(piece)
    read("# warm\n\n" + piece * 100)
    once = min(seconds(repeats) for _ in range(2))
    twice = min(seconds(2 * repeats) for _ in range(2))
    assert twice < max(DOUBLINGS_MAY_COST * once, SHORTEST)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000, '{"title": "x", "body": ' + "[" * 100_000])
def test_deep_nesting_is_no_issue(read, text):
    """JSON nested deeper than anything a person exports is text like any other."""
    assert read(text).file == "report.md"


def test_control_characters_do_not_leave_in_values(read):
    """What is kept of the words of a report is escaped where it is shown; numbers beside them are still read."""
    report = read("# Slow\n\nGPU utilisation is 35 % \x1b[2J\u202e and the loader waits.\n")
    values = {each.observation.measurement: each.observation.value for each in report.findings}
    assert values["accelerator_utilization"].lo == 0.35
