"""Markdown for tickets: what it says, and what an input cannot make of it."""

from __future__ import annotations

import dataclasses

import pytest
from markdown_it import MarkdownIt
from sample_diagnoses import CONFIRMED, GLOSSARY

from dam_expert.reports import Code, Line, Section, build_report, to_markdown
from dam_expert.reports.markdown import escaped

RENDER = MarkdownIt("commonmark").enable("table")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# heading", id="heading"),
        pytest.param("- item", id="list"),
        pytest.param("1. item", id="numbered list"),
        pytest.param("> quotation", id="quotation"),
        pytest.param("<script>alert(1)</script>", id="HTML"),
        pytest.param("[x](http://a/) ![y](z)", id="link and picture"),
        pytest.param("**b** _i_ `c` ~~s~~", id="emphasis"),
        pytest.param("a | b", id="table cell"),
        pytest.param("=== ", id="underlined heading"),
        pytest.param("&lt;b&gt; \\*", id="entities and backslashes"),
    ],
)
def test_text_is_never_markup(text):
    """Rendered again, an escaped text is one paragraph with exactly its letters."""
    rendered = RENDER.render(escaped(text)).replace("<!-- -->", "")
    plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").strip()
    assert rendered == f"<p>{plain}</p>\n"


@pytest.mark.parametrize("text", ["@everyone", "see #12", "!3", "https://evil.example/x", "www.evil.example"])
def test_trackers_find_nothing_to_link(text):
    """Mentions, references and addresses are broken by an empty comment, which readers do not see."""
    assert "<!-- -->" in escaped(text)


def test_numbers_and_ids_stay_readable():
    """A number with a point is no list, and keeps its form."""
    assert escaped("45.7 % of 1.84×") == "45.7 % of 1.84×"


def test_control_characters_are_spelt_out():
    """An escape code or a forged line in a title stays on its line."""
    assert escaped("a\x1b[2J\nb") == "a\\\\x1b\\[2J\\\\nb"


def test_a_fence_in_a_command_does_not_end_the_block():
    """The fence is longer than any in what is to be pasted."""
    section = Section(id="x", title="X", items=(Line("a", mark="1."), Code("echo\n```\n# not a heading", "sh", 1)))
    report = dataclasses.replace(build_report(CONFIRMED, GLOSSARY), sections=(section,))
    assert "<h1># not" not in RENDER.render(to_markdown(report))
    assert "   ````sh\n   echo\n   ```\n" in to_markdown(report)


def test_a_whole_report_holds_no_html_but_comments():
    """Whatever the sample says, a renderer that lets HTML through finds none of it."""
    evil = "<img src=x onerror=alert(1)> @all"
    incident = CONFIRMED.incident.model_copy(update={"title": evil})
    text = to_markdown(build_report(CONFIRMED.model_copy(update={"incident": incident, "unread": [evil]}), GLOSSARY))
    assert "<img" not in RENDER.render(text)
    assert "@all" not in text
