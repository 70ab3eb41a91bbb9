"""Nothing in a Chinese or Vietnamese report is left in English, save what is marked as a quotation, an id or a command.

Whatever a report of any case says is searched for the small words of English, which the other two languages do not
have. What may stay is marked in the model (``Line.quotes``): citations, conditions of rules, words of the input.
"""

from __future__ import annotations

import dataclasses
import itertools
import re

import pytest
from click.testing import CliRunner

from dam_expert.cli.group import dam
from dam_expert.engine.cases import run_cases
from dam_expert.kb.load import load_knowledge
from dam_expert.kb.texts import load_texts
from dam_expert.reports import build_report, glossary_of
from dam_expert.reports.comparing import compare
from dam_expert.reports.comparison import build_comparison
from dam_expert.reports.html import to_html
from dam_expert.reports.model import Code, Line
from dam_expert.reports.pictures import Node

BASE, _ = load_knowledge()
RESULTS = run_cases(BASE)
#: Words that stand in nearly every English sentence; in Vietnamese some of the short ones are words as well.
ENGLISH = re.compile(
    r"(?<![\w.*/'-])(?:the|of|is|are|and|with|from|for|not|that|which|than|its|was|were|when|where|what|this|these|"
    r"does|have|has|been|but|only|they|there|would|could|should|into)(?![\w.*/'-])",
    re.I,
)
#: What is written like a word of the two languages or is a name: titles of documents and of programs.
NAMES = re.compile(r"Hoffmann et al\. 2022|Making Deep Learning Go Brrrr From First Principles")


def said(item, given):
    """Yield every text of a part of the model, without its quotations; what the input said is left out."""
    if isinstance(item, str):
        yield item
    elif isinstance(item, Code):
        return
    elif isinstance(item, Line):
        text = item.text
        for quote in item.quotes:
            assert quote.text in text, (quote.text, text)
            text = text.replace(quote.text, "")
        yield text
    elif isinstance(item, Node):
        yield item.text  # the note is the condition itself and the id of the rule
        for child in item.children:
            yield from said(child, given)
    elif dataclasses.is_dataclass(item):
        for field in dataclasses.fields(item):
            yield from said(getattr(item, field.name), given)
    elif isinstance(item, tuple):
        for each in item:
            yield from said(each, given)


def left_in_english(report, given):
    texts = said((report.sections, report.details, report.head), given)
    found = []
    for text in texts:
        for each in sorted(given, key=len, reverse=True):
            text = text.replace(each, "")
        text = NAMES.sub("", text)
        if ENGLISH.search(text):
            found.append(text)
    return found


@pytest.mark.parametrize("language", ["zh", "vi"])
def test_every_case(language):
    """The report of every stage of every case, with its whole appendix."""
    words = glossary_of(BASE, language, load_texts(BASE, language)[0].by_original)
    found = set()
    for result in RESULTS:
        incident = result.diagnosis.incident
        given = [each for each in (incident.title, *(a.action for a in result.diagnosis.anti_patterns)) if each]
        found |= set(left_in_english(build_report(result.diagnosis, words), given))
    assert sorted(found) == []


@pytest.mark.parametrize("language", ["zh", "vi"])
def test_every_comparison(language):
    """Each stage of a case against the one after it."""
    words = glossary_of(BASE, language, load_texts(BASE, language)[0].by_original)
    found = set()
    for one, other in itertools.pairwise(RESULTS):
        pair = one.diagnosis, other.diagnosis
        given = [each.incident.title for each in pair if each.incident.title]
        comparison = compare([pair[0]], [pair[1]], noise=0.03, chance=0.1)
        found |= set(left_in_english(build_comparison(comparison, words), given))
    assert sorted(found) == []


@pytest.mark.parametrize("language", ["zh", "vi"])
@pytest.mark.parametrize(
    "command",
    [
        *(["hardware", each.id] for each in BASE.catalogue.accelerators[::9]),
        ["hardware"],
        ["ironlaw", "--compute-time", "60ms", "--data-time", "40ms", "--latency", "5ms", "--lever", "bandwidth=2x"],
        [
            "roofline",
            "--peak",
            "312TFLOP/s",
            "--bandwidth",
            "2.039TB/s",
            "--intensity",
            "40",
            "--achieved",
            "60TFLOP/s",
        ],
        ["memory", "--parameters", "7B", "--capacity", "80GiB"],
        ["queue", "--arrivals", "60/s", "--service", "12ms"],
        ["scaling", "--parameters", "70B", "--tokens", "1.4T"],
    ],
    ids=" ".join,
)
def test_every_calculator(command, language):
    """The calculators and the hardware catalogue speak the language as well; sources are cited as they are."""
    done = CliRunner().invoke(dam, [*command, "--lang", language])
    assert done.exit_code == 0, done.stderr
    source = {"zh": "来源", "vi": "nguồn"}[language]
    lines = [line for line in done.stdout.splitlines() if source not in line.casefold()]
    assert [line for line in lines if ENGLISH.search(line)] == []


def test_quotations_are_marked_on_the_page():
    """A page names the language of what is quoted, so that it is read aloud in it; words of the input have none."""
    words = glossary_of(BASE, "vi", load_texts(BASE, "vi")[0].by_original)
    page = to_html(build_report(RESULTS[0].diagnosis, words))
    assert '<span lang="en">' in page
    assert '<p class="about" lang="">' in page
    english = to_html(build_report(RESULTS[0].diagnosis, glossary_of(BASE)))
    assert '<span lang="en">' not in english
