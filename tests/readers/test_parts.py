"""Captures with the outputs of several tools one after another."""

from __future__ import annotations

import itertools

import pytest
from readers.said import values
from shared_files import shared

from dam_expert.readers.gather import gather, read_all
from dam_expert.readers.parts import CAPTURE_BYTES, parts_of
from dam_expert.readers.registry import READERS
from dam_expert.readers.source import Source

DMON = "# gpu  sm\n# Idx   %\n    0  70\n"
VMSTAT = (
    "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
    " 6  1      0    21   78   32    0    0    3    7    6   15 24 10 65  1  1\n"
    " 3  3      0    21   78   32    4    0   20    7    7 1543 74 24  0  2  0\n"
)
IOSTAT = (
    "Linux 6.1.0 (node7) \t11/29/26 \t_x86_64_\t(8 CPU)\n\navg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
    "          50.00    0.00    5.00   10.00    0.00   35.00\n\n"
    "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
    "          60.00    0.00    5.00   20.00    0.00   15.00\n"
)
LOG = "".join(f" {2 * step}%|#   | {step}/50 [00:{2 * step:02}<01:30,  2.00s/it, loss=2.1]\n" for step in (5, 10, 15))
ALONE = {"dmon": DMON, "vmstat": VMSTAT, "iostat": IOSTAT}


def tools(text: str) -> list[tuple[str, int]]:
    return [(part.reader.tool, part.before) for part in parts_of(Source.of_bytes("notes", text.encode()), READERS)]


def found(text: str) -> dict[str, object]:
    readings, problems = read_all(Source.of_bytes("notes", text.encode()))
    assert problems == []
    return {key: value for reading in readings for key, value in values(reading).items()}


@pytest.mark.parametrize(
    ("first", "second"), [pytest.param(*pair, id="+".join(pair)) for pair in itertools.permutations(ALONE, 2)]
)
@pytest.mark.parametrize(
    "between",
    [
        pytest.param("", id="nothing"),
        pytest.param("\n", id="blank line"),
        pytest.param("```\nand this:\n\n```text\n", id="Markdown fences"),
        pytest.param("\nroot@node7:~# tool 1 2\n", id="prompt of an unknown tool"),
        pytest.param("me@node7:~$ nvidia-smi dmon\n", id="prompt"),
    ],
)
def test_two_outputs_give_what_each_gives(first, second, between):
    """Whatever stands between two outputs, each is read as if it were alone."""
    assert found(ALONE[first] + between + ALONE[second]) == found(ALONE[first]) | found(ALONE[second])


@pytest.mark.parametrize(
    "prompt",
    [
        pytest.param("$ vmstat 1 2", id="bare dollar"),
        pytest.param("user@host:~/run$ vmstat 1 2 | tee x", id="bash"),
        pytest.param("[user@host run]$ sudo vmstat 1 2", id="Red Hat"),
        pytest.param("(base) user@host:~$ vmstat 1 2", id="conda"),
        pytest.param("root@host:/workspace# vmstat 1 2", id="root"),
        pytest.param("+ vmstat 1 2", id="set -x"),
        pytest.param("C:\\Users\\me> vmstat 1 2", id="Windows"),
        pytest.param("# $ vmstat 1 2", id="commented"),
        pytest.param("#########\n# load :: vmstat\n# $ vmstat 1 2\n#########", id="heading of a script"),
    ],
)
def test_commands_that_were_typed_cut_a_capture(prompt):
    """Each form of a prompt ends the output above it; what no reader knows is left out with its command."""
    text = f"hello\n{prompt}\n{VMSTAT}{prompt.replace('vmstat', 'nvidia-smi')}\n{DMON}$ ls\na.txt\n"
    size = prompt.count("\n") + 1
    assert tools(text) == [("vmstat", 1 + size), ("nvidia_smi_dmon", 5 + 2 * size)]


def test_lines_are_those_of_the_whole_file(tmp_path):
    """Origins and messages carry the line on which a value or a fault stands in the file."""
    capture = tmp_path / "notes.txt"
    capture.write_text(f"$ vmstat 1 2\n{VMSTAT}$ nvidia-smi dmon\n{DMON}oops\n")
    gathered = gather([capture])
    lines = {each.measurement: each.origin.line for each in gathered.observations}
    assert (lines["cpu_iowait_share"], lines["accelerator_utilization"]) == (5, 9)
    assert [(message.code, message.line) for message in gathered.messages] == [("lines-not-understood", 10)]


def test_a_log_before_a_table_is_still_a_log():
    """Text before the first unmistakable line belongs to its own reader."""
    assert tools(LOG + "\n" + DMON) == [("framework_log", 0), ("nvidia_smi_dmon", 4)]


def test_the_same_command_once_more_is_one_output():
    """Repeated snapshots are samples of one thing, not sources that contradict each other."""
    assert tools(f"$ nvidia-smi dmon\n{DMON}$ nvidia-smi dmon\n{DMON}") == [("nvidia_smi_dmon", 1)]


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in {**ALONE, "log": LOG}.items()])
def test_one_output_is_of_one_piece(text):
    """A file with one tool's output is not cut, nor is one with a dollar in its text."""
    assert tools(text) == []
    assert tools(text + "$ 5 per hour\n$ pip-like words\n") == []


def test_large_and_binary_files_are_not_looked_through(monkeypatch):
    """Only what people collect by hand is cut."""
    monkeypatch.setattr("dam_expert.readers.parts.CAPTURE_BYTES", 100)
    assert CAPTURE_BYTES > 100
    assert tools(VMSTAT + DMON) == []
    assert parts_of(Source.of_bytes("x", b"\0\1" * 50), READERS) == ()


def test_a_real_capture_with_another_section_is_read_without_it():
    """The list of symbols behind the samples of a device is not counted as lines that were not understood."""
    readings, problems = read_all(Source.of_path(shared("samples/nvidia-smi/h100_590_dmon_load.txt")))
    assert [(reading.tool, reading.lines_not_understood) for reading in readings] == [("nvidia_smi_dmon", 0)]
    assert problems == []
    assert values(readings[0])["accelerator_utilization[0]"] == 1.0
