"""The report over many incidents: the same numbers in each language, ranked and cut, closed to what inputs say."""

from __future__ import annotations

import re

import html5lib
import pytest

from dam_expert.kb.load import load_knowledge
from dam_expert.kb.texts import load_texts
from dam_expert.reports import glossary_of, to_markdown, to_text
from dam_expert.reports.fleet import effort, fleet_report
from dam_expert.reports.html import to_html
from dam_expert.reports.wording import LANGUAGES

BASE, _ = load_knowledge()
EVIL = "</td><script>alert(1)</script>\x1b[2J\u202e| # {{ 7*7 }}"
COUNTS = {
    "rows": 1234,
    "errors": 3,
    "status": {"confirmed": 700, "supported": 30, "undetermined": 501, "not diagnosed": 3},
    "bottleneck": {"input": 400, "host": 300, "open": 534},
    "hypothesis": {"input_wait": 400, "host_gaps": 300},
    "likely": {"request_queueing": 30},
    "settles": dict.fromkeys(sorted(BASE.measurements)[:40], 7) | {"input_gap_share": 11},
    "wasted": {"faster_accelerator": 5},
    "by": {"x-team": {"vision": {"input": 400}, "语言": {"host": 300, "open": 534}}},
    "labels": {
        "labelled": 9, "top_1": 5, "top_3": 7, "confirmed_right": 4, "confirmed_wrong": 1, "open": 4, "asked": 4,
        "asked_right": 3, "wrong": ["one"], "confusion": {"input": {"input": 4, "host": 1, "open": 4}},
    },
    "moved": {"count": 1, "bottleneck": {"input → open": 1}, "ids": ["one: input → open"], "other": {}},
}  # fmt: skip


def report_in(language, counts=COUNTS):
    texts = {} if language == "en" else load_texts(BASE, language)[0].by_original
    return fleet_report(BASE, counts, glossary_of(BASE, language, texts))


def rendered(report):
    return [to_text(report, width=200), to_markdown(report), to_html(report)]


def numbers(text):
    return sorted(re.findall(r"\d[\d,.]*", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_and_ids_are_the_same_in_every_language(language):
    """Only words change: each format has the numbers and ids of the English report."""
    for ours, english in zip(rendered(report_in(language)), rendered(report_in("en")), strict=True):
        body = [text.split("<body>")[-1] for text in (ours, english)]
        without_drawings = [re.sub(r"<svg.*?</svg>", "", text, flags=re.S) for text in body]
        assert numbers(without_drawings[0]) == numbers(without_drawings[1])
        ours = ours.replace("\\", "")
        assert all(name in ours for name in ("input_gap_share", "request_queueing", "faster_accelerator", "x-team"))


@pytest.mark.parametrize("language", ["zh", "vi"])
def test_nothing_is_left_in_english(language):
    """No phrase of the English report stands in another language, apart from ids and what was given."""
    said = report_in(language)
    english = {line for line in to_text(report_in("en")).splitlines() if line.strip()}
    kept = {line for line in to_text(said).splitlines() if line.strip()} & english
    assert kept == set()


def test_what_to_measure_is_ranked_and_cut():
    """By the incidents that it could settle, then by the minutes it takes; the rest is counted."""
    (table, more) = next(each for each in report_in("en").sections if each.id == "measure").items
    assert table.rows[0][1] == "input_gap_share"
    ranked = [row[1] for row in table.rows[1:]]
    assert ranked == sorted(ranked, key=lambda name: (effort(BASE, name), name))
    assert len(table.rows) == 10
    assert more.text == "and 31 more (all of them: --summary FILE.json)"


def test_what_is_derived_takes_what_its_inputs_take():
    """A measurement that nobody can be asked for takes the minutes of all that it is made of."""
    derived = [each for each in BASE.measurements.values() if each.formula is not None and not each.is_obtainable]
    assert any(effort(BASE, each.id) > 0 for each in derived)
    assert effort(BASE, "input_gap_share") > 0


def test_what_is_likely_is_named():
    """The cause that leads where nothing is proven is listed, and not counted as named."""
    report = report_in("en")
    table = next(each for each in report.sections if each.id == "likely_causes").items[0]
    assert table.rows == ((BASE.hypotheses["request_queueing"].model.title, "request_queueing", "30"),)
    assert [fact.text for fact in report.head.facts] == ["1,234", "700 of 1,234 (56.7 %)", "30 of 1,234 (2.43 %)", "3"]


def test_equals_are_named_together():
    """Where two bind equally often, neither is put before the other."""
    counts = COUNTS | {"bottleneck": {"input": 2, "host": 2, "open": 1}}
    claim = report_in("en", counts).head.claim
    assert claim == "Bind most often: Host overhead, Input pipeline (2 each of 4 named)"
    assert report_in("en", {"rows": 0, "errors": 0}).head.claim == "Nothing is named yet"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_valid_and_closed(language):
    """Values, ids and names from the input act in no format; the page stays valid."""
    counts = COUNTS | {
        "by": {EVIL: {EVIL: {"input": 1}}},
        "labels": COUNTS["labels"] | {"wrong": [EVIL]},
        "moved": {"count": 1, "bottleneck": {}, "ids": [EVIL], "other": {}},
    }
    text, markdown, page = rendered(report_in(language, counts))
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    assert "script" not in {element.tag for element in tree.iter()}
    assert len(page) < 300_000
    assert not re.search(r"(?<!\\)<", markdown)
    assert not {"\x1b", "\u202e"} & set(text + markdown + page)


def test_many_groups_fit_the_width():
    """A table of groups has a few columns, the rest is put together; what is too wide is told line by line."""
    many = {name: 10 - place for place, name in enumerate(sorted(BASE.bottlenecks))}
    counts = COUNTS | {"by": {"x-team": {"a name that takes the room of thirty letters": many}}}
    for language in LANGUAGES:
        shown = to_text(report_in(language, counts))
        wide = [line for line in shown.splitlines() if len(line) > 80]
        assert wide == []
