"""What is read first stands first, in every format and language; three lines are three lines, whatever was given."""

from __future__ import annotations

import itertools
import re

import pytest
from click.testing import CliRunner
from rich.cells import cell_len
from sample_diagnoses import BETTER, CONFIRMED, MOVED, SUPPORTED, UNDETERMINED, glossary_in

from dam_expert.cli.group import dam
from dam_expert.engine.cases import run_cases
from dam_expert.kb.load import load_knowledge
from dam_expert.kb.texts import load_texts
from dam_expert.reports import build_report, glossary_of, to_markdown, to_text
from dam_expert.reports.comparing import compare
from dam_expert.reports.comparison import build_comparison
from dam_expert.reports.html import to_html
from dam_expert.reports.wording import LANGUAGES

#: The order of issue 11, point 2; the roofline stands with the reasons, the causes with what was ruled out.
ORDER = (
    "verdict", "missed", "resolved", "budget", "why", "roofline", "causes", "ruled_out", "levers", "iron_law", "wasted",
    "unknown", "following", "anti_patterns", "attempts", "similar", "course", "rejected", "unseen", "warnings",
    "proof", "near", "observations", "versions",
)  # fmt: skip
COMPARED = ("verdict", "target", "gain", "budget", "hypotheses", "settings", "sides")
BASE, _ = load_knowledge()
RESULTS = run_cases(BASE)
EVIL = "</style></script><script>alert(1)</script><img src=x onerror=alert(1)>\x1b[2J\u202e\udc80# |{{ 7*7 }}@all"


def words_in(language):
    texts = {} if language == "en" else load_texts(BASE, language)[0].by_original
    return glossary_of(BASE, language, texts)


def positions(found, order):
    return [order.index(name) for name in found]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_case_is_told_in_one_order(language):
    """The sections of each case stand in the order of the issue: in the model, as text, as Markdown and as a page."""
    words = words_in(language)
    for result in RESULTS:
        report = build_report(result.diagnosis, words)
        sections = [*report.sections, *report.details]
        places = positions([each.id for each in sections], ORDER)
        assert places == sorted(places)
        titles = [each.title for each in sections]
        markdown = re.findall(r"^## (.*)$", to_markdown(report, explain=True), re.M)
        assert [re.sub(r"\\(.)", r"\1", each) for each in markdown] == titles
        page = re.findall(r'<section id="(\w+)"', to_html(report))
        assert page == [each.id for each in sections if each.id != "verdict"]
    flat = [line for line in to_text(report, explain=True, width=500).splitlines() if line and not line.startswith(" ")]
    assert flat == titles


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_comparison_is_told_in_one_order(language):
    """So are those of a comparison."""
    for one, other in itertools.pairwise((CONFIRMED, BETTER, MOVED, SUPPORTED, UNDETERMINED)):
        report = build_comparison(compare([one], [other], noise=0.03, chance=0.1), glossary_in(language))
        places = positions([each.id for each in report.sections], COMPARED)
        assert places == sorted(places)


@pytest.mark.parametrize("language", LANGUAGES)
def test_brief_is_three_lines_of_every_case(language):
    """The verdict, what to do, what to measure: one line each, whatever the status, as text and as Markdown."""
    words = words_in(language)
    for result in RESULTS:
        report = build_report(result.diagnosis, words)
        for written in (to_text(report, brief=True), to_markdown(report, brief=True)):
            lines = written.splitlines()
            assert len(lines) == 3
            assert all(line.strip() for line in lines)
    statuses = {result.diagnosis.status for result in RESULTS}
    assert {"confirmed", "supported", "undetermined", "no_fault"} <= statuses


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"{not json", id="broken"),
        pytest.param(b"\x00\xff\x00\xfe" * 50, id="binary"),
        pytest.param(b"", id="empty"),
        pytest.param(b"nothing of this is a measurement\n", id="nothing in it"),
        pytest.param(b'{"schema": "dam-incident/1", "observations": {"mfu": "140 %"}}', id="cannot be"),
    ],
)
@pytest.mark.parametrize("name", ["a.dam.json", "a.md", "a.csv"])
def test_brief_is_three_lines_or_an_error(tmp_path, name, content, language):
    """What cannot be used gives three lines as well, or an error on stderr and nothing on stdout; never a mixture."""
    path = tmp_path / name
    path.write_bytes(content)
    done = CliRunner().invoke(dam, ["diagnose", str(path), "--brief", "--lang", language])
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert len(done.stdout.splitlines()) == (0 if done.exit_code == 3 and not done.stdout else 3)
    assert done.stdout or done.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_keeps_to_its_columns(language):
    """Nothing is wider than 80 cells but what is to be pasted or has no blank; the columns of tables are aligned."""
    words = words_in(language)
    for result in RESULTS:
        report = build_report(result.diagnosis, words)
        for line in to_text(report, explain=True).splitlines():
            is_code = re.match(r"\s*(\$|with |prof|import |torch|    )", line) is not None
            is_word = " " not in line.strip().removeprefix("- ")
            assert cell_len(line) <= 80 or is_code or is_word, line
        bars = [line for line in to_text(report).splitlines() if re.search(r"[█▒·]{6}", line)]
        starts = {cell_len(re.split(r"[█▒·?]", line)[0]) for line in bars if "?" not in line}
        assert len(starts) <= 1


def test_a_hostile_comparison_is_shown_and_does_nothing():
    """Titles, metrics, causes and settings with markup or escape codes are text in every format of a comparison."""
    sides = [
        each.model_copy(
            update={
                "incident": each.incident.model_copy(update={"title": EVIL, "id": EVIL}),
                "target": each.target.model_copy(update={"metric": EVIL}),
                "hypotheses": [one.model_copy(update={"title": EVIL}) for one in each.hypotheses],
            }
        )
        for each in (CONFIRMED, MOVED)
    ]
    report = build_comparison(compare([sides[0]], [sides[1]], noise=0.03, chance=0.1), glossary_in("en"))
    text, markdown, page = to_text(report), to_markdown(report), to_html(report)
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert not re.search(r"(?<!\\)<(?!!-- -->)", markdown)
    assert not {"\x1b", "\u202e", "\udc80"} & set(text + markdown + page)
