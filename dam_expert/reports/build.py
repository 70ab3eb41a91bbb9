"""Builds the report of a diagnosis: which sections there are, and in which order they are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports import advice, causes, details, verdict
from dam_expert.reports.glossary import Glossary
from dam_expert.reports.model import Report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.diagnosis import Diagnosis
    from dam_expert.reports.model import Section


def build_report(
    diagnosis: Diagnosis, glossary: Glossary | None = None, missed: Sequence[str] = (), near: Sequence[str] = ()
) -> Report:
    """Build the report model of a diagnosis.

    ``glossary`` gives titles and units of measurements; ``missed`` are sentences on the target that was missed,
    which the diagnosis document does not repeat from the incident; ``near`` are sentences on rules that one
    comparison kept from deciding.
    """
    words = glossary or Glossary()
    sections = (
        verdict.verdict_section(diagnosis, words),
        verdict.missed_section(diagnosis, missed),
        causes.budget_section(diagnosis),
        causes.why_section(diagnosis, words),
        causes.ranking_section(diagnosis),
        causes.ruled_out_section(diagnosis),
        advice.first_section(diagnosis),
        advice.wasted_section(diagnosis),
        advice.unknown_section(diagnosis, words),
        advice.anti_pattern_section(diagnosis),
        details.rejected_section(diagnosis, words),
        details.unread_section(diagnosis),
        details.warning_section(diagnosis),
    )
    more = (
        details.proof_section(diagnosis, words),
        details.near_section(near),
        details.observation_section(diagnosis, words),
        details.version_section(diagnosis),
    )
    return Report(brief=verdict.brief(diagnosis, words), sections=_present(sections), details=_present(more))


def _present(sections: Sequence[Section]) -> tuple[Section, ...]:
    """Leave out sections that have nothing to say."""
    return tuple(section for section in sections if section.items)
