"""The report as one HTML file that needs nothing else: style and pictures stand inside, no script, no link.

Whatever is shown goes through one door: characters that could act or hide are spelt out, the rest is escaped by the
template. The pictures are SVG, drawn twice, for a wide page and for a phone, so that their letters stay readable.
"""

from __future__ import annotations

import functools
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import jinja2
from markupsafe import Markup, escape

from dam_expert.documents.installation import InstallationError
from dam_expert.documents.messages import printable
from dam_expert.reports.html.blocks import blocks, kind_of
from dam_expert.reports.html.course import course
from dam_expert.reports.html.roof import roof
from dam_expert.reports.html.strip import mini, strip
from dam_expert.reports.html.terms import terms
from dam_expert.reports.html.tree import tree
from dam_expert.reports.phrasing import capital
from dam_expert.reports.pictures import Course, Roof, Terms, Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from dam_expert.reports.model import Line, Quote, Report

_WIDTHS: Final = (("wide", 760), ("narrow", 340))
#: The verdict and the facts are the head of the page and are not told twice.
_VERDICT: Final = "verdict"
_IN_HEAD: Final = (_VERDICT, "facts")


def to_html(report: Report, *, brief: bool = False) -> str:
    """Write a report as a page; ``brief`` its head alone. The details are folded, and unfolded in print."""
    verdict = [section for section in report.sections if section.id == _VERDICT]
    rest = [section for section in report.sections if section.id not in _IN_HEAD]
    said: str = _template().render(
        report=report,
        verdict=[item for section in verdict for item in section.items[1:]],
        sections=[] if brief else [(section, blocks(section.items)) for section in rest],
        details=[] if brief else [(section, blocks(section.items)) for section in report.details],
        style=Markup(_file("style.css")),  # our own file
    )
    return said.lstrip()


def check_files() -> None:
    """Raise InstallationError where a file that pages are made from is missing or damaged."""
    _file("style.css")
    _template()


def _file(name: str) -> str:
    try:
        return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InstallationError(f"reports/html/{name}", "cannot be read") from error


@functools.cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined, finalize=_shown
    )
    environment.filters["picture"] = _picture
    environment.filters["quoted"] = _quoted
    environment.filters["strip"] = _both(strip)
    environment.filters["mini"] = mini
    environment.filters["capital"] = capital
    environment.globals["kind_of"] = kind_of
    try:
        return environment.from_string(_file("page.html.j2"))
    except jinja2.TemplateSyntaxError as error:
        raise InstallationError("reports/html/page.html.j2", "is no template") from error


def _shown(value: object) -> object:
    """Spell out what could act or hide, in every text that the template writes; markup of ours is left as it is."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _quoted(line: Line) -> Markup:
    """Return the text of a line, its quotations marked with their language, so that a voice reads them in it."""
    text = printable(line.text)
    spans = sorted(_spans(text, line.quotes))
    pieces: list[Markup] = []
    at = 0
    for start, end, language in spans:
        if start >= at:
            pieces += [escape(text[at:start]), Markup('<span lang="{}">{}</span>').format(language, text[start:end])]
            at = end
    return Markup("").join([*pieces, escape(text[at:])])


def _spans(text: str, quotes: Iterable[Quote]) -> Iterator[tuple[int, int, str]]:
    """Yield where each quotation stands in a text."""
    for quote in quotes:
        said = printable(quote.text)
        start = text.find(said)
        if said and start >= 0:
            yield start, start + len(said), quote.language


def _picture(value: object) -> Markup:
    """Draw a picture of the report model, for a wide page and for a phone."""
    draw: Callable[[Any, int], Markup]
    match value:
        case Terms():
            draw = terms
        case Roof():
            draw = roof
        case Tree():
            draw = tree
        case Course():
            draw = course
        case _:
            raise TypeError(f"not a picture: {value!r}")
    return _both(draw)(value)


def _both(draw: Callable[..., Markup]) -> Callable[..., Markup]:
    def drawn(value: object, *more: object) -> Markup:
        widths = [Markup('<div class="{}">{}</div>').format(name, draw(value, width, *more)) for name, width in _WIDTHS]
        return Markup("\n").join(widths)

    return drawn
