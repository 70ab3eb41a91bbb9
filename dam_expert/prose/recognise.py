r"""Telling a report from a tool's output, by its shape alone.

What is surely a report (a mail, a chat, an issue export, Markdown with headings and sentences) is read as one even
where it holds a tool's output; other prose only where no reader knows the file.

>>> from dam_expert.readers.source import Source
>>> report_likelihood(Source.of_bytes("x", b"# Slow\n\nTraining waits for the loader most of the time.\n"))
<Likelihood.SURE: 2>
>>> report_likelihood(Source.of_bytes("x", b"gpu,util\n0,35\n1,40\n"))
<Likelihood.NO: 0>
"""

from __future__ import annotations

import enum
import re
from typing import TYPE_CHECKING

from dam_expert.documents.heads import HEAD, declares
from dam_expert.prose.forms import is_chat, is_mail
from dam_expert.prose.logged import logged_lines
from dam_expert.prose.passages import Kind, passages
from dam_expert.prose.sentence_shape import is_sentence
from dam_expert.readers.other_kinds import PROSE, looks_like
from dam_expert.readers.parts import parts_of, recogniser
from dam_expert.readers.registry import READERS

if TYPE_CHECKING:
    from dam_expert.readers.source import Source

_HEADING = re.compile(r"^#{1,3} +\S.{0,200}$")
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_ITEM = re.compile(r"^\s{0,12}[-*+] +\S")
_ROW = re.compile(r"^\s{0,12}\|.*\|\s*$")
_RULE_ROW = re.compile(r"^\s{0,12}\|(?:\s{0,4}:?-{3,200}:?\s{0,4}\|){1,60}\s*$")
_LABELLED = re.compile(r"^\s{0,12}(?:[-*+] +)?\**[^\W\d_][^:：\n]{0,60}\**[:：]\s*\S")
_ISSUE = re.compile(r'^\s*(?:\[\s*)?\{(?=[\s\S]{0,60000}"title"\s*:)(?=[\s\S]{0,60000}"body"\s*:)')
_COMMENTED = re.compile(r"^# *(?:Collective test|nThread|Using|Rank|gpu|Idx|Entity|\$|HELP|TYPE)")


#: Documents of a repository that describe no incident, by the stem of their name.
_DOCUMENTS = frozenset(
    {"readme", "changelog", "license", "licence", "contributing", "requirements", "notice", "authors"}
)


#: What the reports of this project begin with, after a title in Markdown, in its three languages.
_OWN_REPORT = re.compile(r"\A\s*(?:# [^\n]*\n+## )?(?:Verdict|结论|Kết luận)[ \t]*\n")
#: A line of what ``dam read`` prints: a measurement with its value, and how it is known.
_OWN_READING = re.compile(
    r"\A\s*(?:(?:target|目标|mục tiêu)\s?[:：][^\n]*\n)?"
    r"[a-z][a-z0-9_.]*(?:\[[^\]\n]*\])? = [^\n]+ \((?:tool|reported|said)[,)]"
)
_OWN_KINDS = ("dam-incident", "dam-diagnosis")


#: More lines than a short note has.
_FEW_LINES = 12
#: What no person writes: the line of an exception, of a log, or of a kernel.
_OF_A_LOG = re.compile(
    r"\S*(?:Error|Exception|Warning)\b ?[:(]|Traceback|File \"|[\[(<\d#|+]|[A-Z][a-z]{2} +\d+ \d\d:"
    r"|\S+: (?:command|error)"
    r"|.*\b(?:INFO|WARN|WARNING|ERROR|DEBUG|Tried to allocate \d)"
)


class Likelihood(enum.IntEnum):
    """How likely a text is a report."""

    NO = 0
    MAYBE = 1
    SURE = 2


def report_likelihood(source: Source) -> Likelihood:
    """Return how likely a source is a report that a person wrote; looks at its head only."""
    if source.empty or source.binary:
        return Likelihood.NO
    if source.head.lstrip()[:1] in ("{", "["):
        return Likelihood.SURE if _ISSUE.match(source.head) else _of_lines(source.head.split("\n"), braces=True)
    return _of_lines(source.head.split("\n"))


def is_report(source: Source) -> bool:
    """Whether a source is to be read as a report: surely one, or likely one that no reader knows."""
    if source.path is not None and source.path.stem.lower() in _DOCUMENTS:
        return False
    if is_of_this_project(source.head):
        return False
    likelihood = report_likelihood(source)
    if likelihood is not Likelihood.MAYBE:
        return likelihood is Likelihood.SURE
    known = recogniser(source, READERS) is not None or bool(parts_of(source, READERS))
    return looks_like(source) is PROSE if not known else _is_told(source)


def _is_told(source: Source) -> bool:
    r"""Whether a few lines that hold a tool's words are what somebody says of them: *we fixed the CUDA out of memory*.

    A reader knows such a line wherever it stands; the sentences beside it may deny it, or tell of another day.
    """
    lines = [line.strip() for line in source.head.split("\n") if line.strip()]
    if len(lines) > _FEW_LINES:
        return False
    return any(not _OF_A_LOG.match(line) and is_sentence(line) for line in lines)


def is_of_this_project(head: str) -> bool:
    r"""Whether a text is a document or report of this project: what was concluded once is no evidence.

    >>> is_of_this_project("schema: dam-incident/1\nid: slow\n"), is_of_this_project("Verdict\n  Confirmed: input")
    (True, True)
    >>> is_of_this_project("# Slow job\n\n## Verdict of the team\n")
    False
    """
    if any(declares(head, kind) for kind in _OWN_KINDS):
        return True
    return any(pattern.search(head[:HEAD]) for pattern in (_OWN_REPORT, _OWN_READING))


def _of_lines(lines: list[str], *, braces: bool = False) -> Likelihood:
    looked = [line[:400] for line in lines if line.strip()]
    if not looked:
        return Likelihood.NO
    if not braces and (is_mail(lines) or is_chat(looked)):
        return Likelihood.SURE
    sentences, headings, items, labels, fences, fenced = _counts(looked)
    written = sentences + items + headings
    mostly_written = written * 3 >= len(looked) - fenced
    if headings and not braces and written > headings and mostly_written and _begins_as_prose(looked):
        return Likelihood.SURE
    if fences > 1 and sentences:
        return Likelihood.SURE
    if not braces and _is_table(looked):
        return Likelihood.MAYBE
    if not braces and fences > 1 and _holds_log(lines):
        return Likelihood.MAYBE
    if sentences and sentences * 4 >= len(looked):
        return Likelihood.MAYBE
    return Likelihood.MAYBE if labels and (labels + sentences) * 2 > len(looked) and not braces else Likelihood.NO


def _holds_log(lines: list[str]) -> bool:
    """Whether lines of a log stand between fences: such a report may hold nothing else."""
    blocks = (each for each in passages(lines) if each.kind is Kind.CODE)
    return any(next(logged_lines(each), None) is not None for each in blocks)


def _is_table(lines: list[str]) -> bool:
    """Whether most lines are rows of a Markdown table, one of which parts its heading from the rest."""
    rows = sum(_ROW.match(line) is not None for line in lines)
    return rows * 2 > len(lines) and any(_RULE_ROW.match(line) for line in lines)


def _counts(lines: list[str]) -> tuple[int, int, int, int, int, int]:
    """Count sentences, headings, list items and labelled lines outside of fences; fences, and lines inside of them."""
    sentences = headings = items = labels = fences = fenced = 0
    inside = False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if _FENCE.match(line):
            inside = not inside
            fences += 1
            fenced += 1
        elif inside:
            fenced += 1
        else:
            heading = _HEADING.match(line) is not None and not following.startswith("#")  # else comments
            headings += heading
            items += not heading and _ITEM.match(line) is not None
            labels += _LABELLED.match(line) is not None
            sentences += not heading and is_sentence(line)
    return sentences, headings, items, labels, fences, fenced


def _begins_as_prose(lines: list[str]) -> bool:
    """Whether the first line is not that of a script or a tool: such have comments, which look like headings."""
    return not _COMMENTED.match(lines[0]) and not lines[0].startswith(("#!", "import ", "from __future__"))
