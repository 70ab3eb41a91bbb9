"""Reports: diagnoses and comparisons written for people and for programs.

One report model (:mod:`dam_expert.reports.model`) is built once from a document, in one language; a renderer per
format writes it: ``text`` for a terminal, ``markdown`` for a ticket, ``html`` as one file with pictures. ``json`` and
``yaml`` are for programs, which get the document itself.

Vocabulary
    glossary     what a report must know beside the document: names, units, translations, the language
    wording      the program's own phrases, one file of data per language
    picture      what a figure shows, as numbers and labels; the lines beside it say the same
    head         what is read first: the verdict, the numbers that weigh it, what to do

Where to add a section
    Write a function from the document and the glossary to a ``Section``, its phrases into every file of
    ``reports/wording/``, and name it in ``build.py``. No renderer needs to know of it.

Whatever came from an input is escaped in every format: it can neither act on a terminal or a page nor forge a line.
"""

from __future__ import annotations

from dam_expert.reports.build import build_report
from dam_expert.reports.data import to_json, to_yaml
from dam_expert.reports.glossary import Glossary
from dam_expert.reports.markdown import to_markdown
from dam_expert.reports.model import Bar, Code, Line, Report, Section, Table, Tone
from dam_expert.reports.reference import glossary_of
from dam_expert.reports.text import items_text, to_text

__all__ = [
    "Bar",
    "Code",
    "Glossary",
    "Line",
    "Report",
    "Section",
    "Table",
    "Tone",
    "build_report",
    "glossary_of",
    "items_text",
    "to_json",
    "to_markdown",
    "to_text",
    "to_yaml",
]
