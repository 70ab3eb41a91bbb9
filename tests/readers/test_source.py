"""Opening content within bounds."""

from __future__ import annotations

import gzip

import pytest

from dam_expert.readers import source as source_module
from dam_expert.readers.source import DamageError, Source


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"a\nb\n", id="plain"),
        pytest.param(b"\xef\xbb\xbfa\r\nb", id="byte order mark and CRLF"),
        pytest.param("a\nb".encode("utf-16"), id="UTF-16 with mark"),
        pytest.param("a\nb\n#####".encode("utf-16-le")[:-10], id="UTF-16 without mark"),
        pytest.param(gzip.compress(b"a\nb"), id="gzip"),
        pytest.param(gzip.compress(b"a\n") + gzip.compress(b"b\n"), id="two gzip members"),
        pytest.param(gzip.compress(b"a\nb") + b"\0" * 512, id="padded gzip"),
    ],
)
def test_the_content_is_what_counts(data):
    """Encoding and compression are recognised by content."""
    data = data if data[:2] != b"a\0" else data + "\ncccc".encode("utf-16-le")
    lines = [text for _, text in Source.of_bytes("name.bin", data).lines()]
    assert lines[:2] == ["a", "b"]


def test_lines_keep_their_numbers():
    """Blank lines are left out and counted."""
    assert list(Source.of_bytes("x", b"\n\na\n\nb").lines()) == [(3, "a"), (5, "b")]


def test_a_bomb_is_cut_off(monkeypatch):
    """Content that expands without end stops early."""
    monkeypatch.setattr(source_module, "BOMB_BYTES", 1024 * 1024)
    bomb = Source.of_bytes("bomb.gz", gzip.compress(b"\0" * 64 * 1024 * 1024))
    seen: list[int] = []
    with pytest.raises(DamageError) as stop:
        seen.extend(len(block) for block in bomb.blocks())
    assert stop.value.code == "too-large"
    assert sum(seen) <= 3 * 1024 * 1024


def test_a_source_has_a_largest_size(monkeypatch):
    """What is larger than the bound is cut there, and says so."""
    monkeypatch.setattr(source_module, "SOURCE_BYTES", 1024 * 1024)
    with pytest.raises(DamageError) as stop:
        list(Source.of_bytes("x", b"a\n" * 1024 * 1024).lines())
    assert stop.value.code == "too-large"


def test_a_line_without_end_is_cut():
    """A file without line ends is not held in memory as one line."""
    lengths = [len(text) for _, text in Source.of_bytes("x", b"a" * 200_000).lines()]
    assert lengths == [65536, 65536, 65536, 3392]


def test_the_good_part_of_a_cut_archive_comes_first():
    """Damage is raised after all that was readable."""
    data = gzip.compress(b"\n".join(b"%d" % number for number in range(100_000)))
    lines = Source.of_bytes("x.gz", data[: len(data) // 2]).lines()
    seen = []
    with pytest.raises(DamageError) as stop:
        seen.extend(lines)
    assert stop.value.code == "truncated"


@pytest.mark.parametrize("end", ["\r", "\u2028", "\u2029", "\x85", "\r\n", "\n"])
def test_whatever_ends_lines_ends_lines(end):
    """Lines that end otherwise than with a line feed are lines all the same, across blocks too."""
    text = end.join(f"line {number}" for number in range(150_000)) + end
    lines = list(Source.of_bytes("x", text.encode()).lines())
    assert (len(lines), lines[0], lines[-1]) == (150_000, (1, "line 0"), (150_000, "line 149999"))


def test_a_carriage_return_within_lines_ends_none():
    """Where lines end with line feeds, a carriage return is what overwrites a progress bar."""
    assert len(list(Source.of_bytes("x", b"10%\r20%\r30%\nnext\n").lines())) == 2
