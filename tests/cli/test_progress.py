"""Long files have a bar on a terminal, and nowhere else."""

from __future__ import annotations

import io

import pytest

from dam_expert.cli import progress
from dam_expert.readers.gather import gather


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_without_a_terminal_nothing_is_shown(monkeypatch):
    """A pipe or a file on stderr gets no bar, nor does a process without stderr."""
    for stream in (io.StringIO(), None):
        monkeypatch.setattr("sys.stderr", stream)
        with progress.shown() as watch:
            assert watch is None


@pytest.mark.parametrize(
    ("long", "is_shown"), [pytest.param(10, True, id="long"), pytest.param(10**9, False, id="short")]
)
def test_a_long_file_has_a_bar(monkeypatch, tmp_path, long, is_shown):
    """The bar names the file and counts its bytes as they are read; a short file has none."""
    log = tmp_path / "gpu[1].log"
    log.write_text("# gpu  sm\n# Idx   %\n    0  70\n")
    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(progress, "LONG", long)
    with progress.shown() as watch:
        assert gather([log], watch=watch).messages == ()
    assert ("gpu[1].log" in terminal.getvalue()) == is_shown


def test_every_byte_is_told(tmp_path):
    """What is told of a file adds up to its size, or to a multiple of it where it is looked at before it is read."""
    log = tmp_path / "gpu.log"
    log.write_text("# gpu  sm\n# Idx   %\n    0  70\n")
    told = []
    gather([log], watch=lambda path, more: told.append((path, more)))
    assert {path for path, _ in told} == {log}
    assert sum(more for _, more in told) % log.stat().st_size == 0
