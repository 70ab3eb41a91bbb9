"""The page: valid, self-contained, accessible, small, and closed to whatever is in an input."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import html5lib
import pytest
from sample_diagnoses import BETTER, CONFIRMED, GLOSSARY, SUPPORTED, UNDETERMINED, glossary_in

from dam_expert.documents.diagnosis import ObservationReport
from dam_expert.engine.cases import run_cases
from dam_expert.kb.load import load_knowledge
from dam_expert.kb.texts import load_texts
from dam_expert.reports import build_report, glossary_of
from dam_expert.reports.comparing import compare
from dam_expert.reports.comparison import build_comparison
from dam_expert.reports.html import to_html

EVIL = "</style></script><script>alert(1)</script><img src=x onerror=alert(1)>\x1b[2J\u202e\udc80&amp;{{ 7*7 }}'\""
SVG = "{http://www.w3.org/2000/svg}svg"
STYLE = (Path(to_html.__code__.co_filename).parent / "style.css").read_text(encoding="utf-8")


def _observed(measurement, value):
    return ObservationReport(
        measurement=measurement, value=value, given=None, basis="tool", scope={}, origin="x", tool=None, detail=None
    )


ROOFLINE = CONFIRMED.model_copy(
    update={
        "observations": [
            _observed("arithmetic_intensity", 20.0),
            _observed("ridge_intensity", 150.0),
            _observed("mfu", 0.05),
        ]
    }
)
PAGES = {
    "confirmed": build_report(CONFIRMED, GLOSSARY),
    "chinese": build_report(CONFIRMED, glossary_in("zh")),
    "supported": build_report(SUPPORTED, GLOSSARY),
    "undetermined": build_report(UNDETERMINED, GLOSSARY),
    "roofline": build_report(ROOFLINE, GLOSSARY),
    "comparison": build_comparison(compare([CONFIRMED], [BETTER], noise=0.02, chance=0.1), GLOSSARY),
}


def _tree(page):
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)


@pytest.fixture(name="page", params=PAGES)
def _page(request):
    return to_html(PAGES[request.param])


def test_the_page_is_valid(page):
    """A strict parser finds nothing to mend; ids are unique, and what refers to one finds it."""
    tree = _tree(page)
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert {element.get("aria-labelledby") for element in tree.iter() if element.get("aria-labelledby")} <= set(ids)


def test_nothing_is_loaded_from_anywhere(page):
    """There is no script and no address in the page, and its policy would let none through."""
    tree = _tree(page)
    assert not {element.tag for element in tree.iter()} & {"script", "link", "img", "iframe", "a", "object", "form"}
    names = {name for element in tree.iter() for name in element.attrib}
    assert not names & {"src", "href", "srcset", "style", "xlink:href"}
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page


def test_the_page_can_be_read_without_seeing_it(page):
    """One first heading, no level left out, header cells with a scope, and a text for every picture."""
    tree = _tree(page)
    levels = [int(element.tag[1]) for element in tree.iter() if re.fullmatch(r"h\d", str(element.tag))]
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert all(element.get("scope") for element in tree.iter("th"))
    pictures = [each for each in tree.iter(SVG) if each.get("aria-hidden") != "true"]
    assert all(picture.get("role") == "img" and picture.get("aria-label") for picture in pictures)
    assert tree.get("lang") in ("en", "zh", "vi")


@pytest.mark.parametrize(
    ("name", "pictures"),
    [
        pytest.param("confirmed", 3, id="budget, proof, iron law"),
        pytest.param("roofline", 4, id="and the roofline"),
        pytest.param("comparison", 1, id="both budgets"),
        pytest.param("undetermined", 0, id="nothing to draw"),
    ],
)
def test_pictures(name, pictures):
    """Each picture is drawn twice, for a wide page and for a phone, and says the same to whoever cannot see it."""
    drawn = [each for each in _tree(to_html(PAGES[name])).iter(SVG) if each.get("role") == "img"]
    assert len(drawn) == 2 * pictures
    assert [each.get("aria-label") for each in drawn[::2]] == [each.get("aria-label") for each in drawn[1::2]]


def test_the_verdict_and_what_to_do_stand_first():
    """The head says what binds, how sure that is, what to do and what is planned in vain."""
    header = next(_tree(to_html(PAGES["confirmed"])).iter("header"))
    text = " ".join("".join(header.itertext()).split())
    for said in ("Confirmed The step waits for input", "45.7 %", "1.84×", "More loader workers", "buy H100s"):
        assert said in text


def test_whatever_an_input_says_is_shown_and_does_nothing():
    """Titles, values, file names, reasons and plans with markup, escape codes or template code are text."""
    update = {
        "incident": CONFIRMED.incident.model_copy(update={"title": EVIL, "source": [EVIL]}),
        "target": CONFIRMED.target.model_copy(update={"metric": EVIL}),
        "rejected": [CONFIRMED.rejected[0].model_copy(update={"given": EVIL, "origin": EVIL, "scope": {EVIL: EVIL}})],
        "anti_patterns": [CONFIRMED.anti_patterns[0].model_copy(update={"action": EVIL, "title": EVIL})],
        "unread": [EVIL],
        "hypotheses": [CONFIRMED.hypotheses[0].model_copy(update={"title": EVIL})],
        "binding": CONFIRMED.binding.model_copy(update={"title": EVIL}),
        "observations": [CONFIRMED.observations[0].model_copy(update={"measurement": EVIL, "value": EVIL})],
        "proof": [CONFIRMED.proof[0].model_copy(update={"rule": EVIL, "place": EVIL})],
        "levers": [lever.model_copy(update={"title": EVIL, "planned": EVIL}) for lever in CONFIRMED.levers],
        "next_measurements": [CONFIRMED.next_measurements[0].model_copy(update={"measurement": EVIL, "why": EVIL})],
    }
    page = to_html(build_report(CONFIRMED.model_copy(update=update), GLOSSARY))
    harmless = to_html(PAGES["confirmed"])
    tags = [sorted({str(element.tag) for element in _tree(each).iter()}) for each in (page, harmless)]
    assert tags[0] == tags[1]
    assert "&lt;script&gt;" in page
    assert "{{ 7*7 }}" in page
    assert not [character for character in page if character != "\n" and (ord(character) < 32 or character == "\u202e")]
    page.encode("utf-8")


def _luminance(color):
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(first, second):
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


PALETTES = [
    dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block)) for block in re.findall(r":root \{(.*?)\}", STYLE, re.S)
]


@pytest.mark.parametrize("palette", PALETTES, ids=["light", "dark", "print"])
def test_contrast(palette):
    """Every text has a contrast of 4.5 to 1 against what it stands on (WCAG 2.2, 1.4.3), by day, night and on paper."""
    on_page = [(text, ground) for text in ("ink", "muted", "good", "warning", "bad") for ground in ("bg", "card")]
    fills = ("binds", "part0", "part1", "data_movement", "compute", "device", "latency", "residual")
    on_bars = [("ink", fill) for fill in fills]
    weak = [pair for pair in on_page + on_bars if _contrast(palette[pair[0]], palette[pair[1]]) < 4.5]
    assert weak == []


def _mixed(fill, ground, opacity):
    parts = [
        round(opacity * int(fill[place : place + 2], 16) + (1 - opacity) * int(ground[place : place + 2], 16))
        for place in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02x}" for part in parts)


@pytest.mark.parametrize("palette", PALETTES, ids=["light", "dark", "print"])
def test_contrast_of_paler_stretches(palette):
    """Letters on a stretch that is drawn paler have the same contrast."""
    shades = [float(found) for found in re.findall(r"\.shade\d \{ opacity: ([\d.]+); \}", STYLE)]
    assert shades
    fills = ("data_movement", "compute", "device", "latency")
    weak = [
        (fill, shade)
        for fill in fills
        for shade in shades
        if _contrast(palette["ink"], _mixed(palette[fill], palette["bg"], shade)) < 4.5
    ]
    assert weak == []


@pytest.mark.parametrize("palette", PALETTES[:2], ids=["light", "dark"])
def test_contrast_of_lines(palette):
    """What carries meaning in a picture has a contrast of 3 to 1 against the page (WCAG 2.2, 1.4.11)."""
    lines = [*(f"trace{number}" for number in range(5)), "good", "warning", "bad", "ink", "muted"]
    grounds = ("bg", "card")
    assert [(n, g) for n in lines for g in grounds if _contrast(palette[n], palette[g]) < 3.0] == []


def test_every_text_colour_of_the_style_is_checked():
    """A colour that text is drawn in, and that no test of contrast knows, would be noticed."""
    coloured = set(re.findall(r"(?<![-\w])color: var\(--(\w+)\)", STYLE))
    assert coloured <= {"ink", "muted", "good", "warning", "bad"}
    text_fills = set(re.findall(r"svg text[^{]*\{[^}]*fill: var\(--(\w+)\)", STYLE))
    assert text_fills == {"ink", "muted"}


def test_every_case_of_the_base_gives_a_small_valid_page():
    """The page of every stage of every case is valid and under 300 kB, in all three languages."""
    base, _ = load_knowledge()
    results = run_cases(base)
    assert results
    words = {
        language: glossary_of(base, language, {} if language == "en" else load_texts(base, language)[0].by_original)
        for language in ("en", "zh", "vi")
    }
    for number, result in enumerate(results):
        for language in ("en", "zh", "vi"):
            page = to_html(build_report(result.diagnosis, words[language]))
            assert len(page.encode("utf-8")) < 300_000
            if language != ("en", "zh", "vi")[number % 3]:
                continue  # the elements are the same in all three, and the strict parser is slow
            ids = [element.get("id") for element in _tree(page).iter() if element.get("id")]
            assert len(ids) == len(set(ids))


def test_brief_is_the_head_alone():
    """A brief page has no sections."""
    assert not list(_tree(to_html(PAGES["confirmed"], brief=True)).iter("section"))
