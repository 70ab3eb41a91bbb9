"""Diagnoses written for people and for programs.

One report model (:mod:`dam_expert.reports.model`) is built once from a diagnosis; a renderer per format writes it:
``text`` for people, ``json`` and ``yaml`` for programs, which get the diagnosis document itself.

Whatever came from an input is escaped in every format: it can neither act on a terminal nor forge a line.
"""

from __future__ import annotations

from dam_expert.reports.build import build_report
from dam_expert.reports.data import to_json, to_yaml
from dam_expert.reports.glossary import Glossary
from dam_expert.reports.model import Bar, Line, Report, Section, Tone
from dam_expert.reports.text import to_text

__all__ = ["Bar", "Glossary", "Line", "Report", "Section", "Tone", "build_report", "to_json", "to_text", "to_yaml"]
