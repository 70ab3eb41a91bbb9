"""The text renderer: whole reports at a fixed width, and what hostile input can not do to a terminal."""

from __future__ import annotations

import dataclasses

import pytest
from rich.cells import cell_len
from sample_diagnoses import CONFIRMED, GLOSSARY

from dam_expert.reports import Bar, Line, Section, build_report, to_text


@pytest.mark.parametrize("width", [80, 60, 44])
def test_the_text_fits_into_its_width_but_for_commands(width):
    """No row is wider than the terminal, except commands, which are never broken."""
    rows = to_text(build_report(CONFIRMED, GLOSSARY), explain=True, width=width).splitlines()
    assert [row.split()[0] for row in rows if cell_len(row) > width] == ["$"]


def _one(*items):
    section = Section(id="x", title="X", items=items)
    return dataclasses.replace(build_report(CONFIRMED, GLOSSARY), sections=(section,), details=())


@pytest.mark.parametrize(
    ("given", "drawn"),
    [
        pytest.param("[bold red]x[/]", "[bold red]x[/]", id="rich markup"),
        pytest.param("[link=file:///etc]x", "[link=file:///etc]x", id="link"),
        pytest.param(":bomb:", ":bomb:", id="emoji code"),
        pytest.param("a\x1b[2Jb", "a\\x1b[2Jb", id="escape code"),
        pytest.param("a\rb\nc", "a\\rb\\nc", id="forged line"),
        pytest.param("a\u202eb", "a\\u202eb", id="direction mark"),
        pytest.param("a\u200bb", "a\\u200bb", id="zero width"),
        pytest.param("a\udc80b", "a\\udc80b", id="undecodable file name"),
    ],
)
def test_hostile_text_is_spelt_out(given, drawn):
    """Text from an input is shown as it is, with everything that could act on a terminal spelt out."""
    expected = f"X\n  {drawn}\n  {drawn}  ????  1 %\n"
    text = to_text(_one(Line(given), Bar(label=given, low=0.0, high=1.0, text="1 %")))
    assert expected == text.replace("▒" * 24, "????")


def test_hostile_titles_values_and_names_reach_the_text_only_spelt_out():
    """A title, a value, a file name and a plan with escape codes and markup leave no control character behind."""
    evil = "\x1b]8;;http://x\x07[red]\u202e"
    incident = CONFIRMED.incident.model_copy(update={"title": evil, "source": [evil]})
    rejected = [CONFIRMED.rejected[0].model_copy(update={"given": evil, "origin": evil, "scope": {evil: evil}})]
    plans = [CONFIRMED.anti_patterns[0].model_copy(update={"action": evil})]
    changes = {"incident": incident, "rejected": rejected, "anti_patterns": plans, "unread": [evil]}
    text = to_text(build_report(CONFIRMED.model_copy(update=changes), GLOSSARY), explain=True)
    assert not any(ord(c) < 32 and c != "\n" for c in text)
    assert "\u202e" not in text
    assert text.count("[red]") == 7


def test_wide_characters_keep_bars_aligned():
    """A label of wide characters takes two cells each, so that all bars begin in one column."""
    text = to_text(_one(*(Bar(label=label, low=0.5, high=0.5, text="50 %") for label in ("数据等待", "device"))))
    assert text.splitlines()[1:] == [
        "  数据等待  ████████████············  50 %",
        "  device    ████████████············  50 %",
    ]


def test_color_only_when_asked():
    """Escape codes are written when the caller asks for colour and never otherwise."""
    report = build_report(CONFIRMED, GLOSSARY)
    assert "\x1b" not in to_text(report)
    assert "\x1b[1;32mConfirmed" in to_text(report, color=True)
