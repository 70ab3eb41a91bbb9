"""Builds the report of a diagnosis: which sections there are, and in which order they are read."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.reports import advice, causes, details, verdict
from dam_expert.reports.course import course_section
from dam_expert.reports.glossary import Glossary
from dam_expert.reports.iron_law import iron_law_section
from dam_expert.reports.model import Labels, Report
from dam_expert.reports.resolved import changed, lever_title, resolved_section
from dam_expert.reports.roofline import roofline_section

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dam_expert.documents.diagnosis import Diagnosis
    from dam_expert.engine.course import Moment
    from dam_expert.engine.resolution import Worked
    from dam_expert.reports.model import Section


def build_report(
    diagnosis: Diagnosis,
    glossary: Glossary | None = None,
    near: Sequence[tuple[str, str, str, str]] = (),
    course: Sequence[Moment] = (),
    worked: Sequence[Worked] = (),
) -> Report:
    """Build the report model of a diagnosis. ``glossary`` gives names and units, and chooses the language.

    ``near`` are the rules that one comparison kept from deciding: id, conclusions, comparison and present value.
    ``course`` is how a session went; ``worked`` what solved it.
    """
    words = glossary or Glossary()
    levers = {each.id: each.title for each in diagnosis.levers} | {
        each.lever: lever_title(each, words) for each in worked
    }
    sections = (
        verdict.verdict_section(diagnosis, words),
        verdict.missed_section(diagnosis, words),
        resolved_section(worked, words),
        causes.budget_section(diagnosis, words),
        causes.why_section(diagnosis, words),
        roofline_section(diagnosis, words),
        causes.ranking_section(diagnosis, words),
        causes.ruled_out_section(diagnosis, words),
        advice.first_section(diagnosis, words),
        iron_law_section(diagnosis, words),
        advice.wasted_section(diagnosis, words),
        advice.unknown_section(diagnosis, words),
        advice.following_section(diagnosis, words),
        advice.anti_pattern_section(diagnosis, words),
        advice.attempt_section(diagnosis, words),
        details.similar_section(diagnosis, words),
        course_section(course, {each.id: each.title for each in diagnosis.hypotheses}, words, levers),
        details.rejected_section(diagnosis, words),
        details.unseen_section(diagnosis, words),
        details.warning_section(diagnosis, words),
    )
    more = (
        details.proof_section(diagnosis, words),
        details.near_section(near, words),
        details.observation_section(diagnosis, words),
        details.version_section(diagnosis, words),
    )
    head = verdict.head(diagnosis, words)
    if worked and not head.detail:  # what binds is gone: what did it is what a reader wants to know
        head = dataclasses.replace(head, detail=changed(worked[-1], words))
    return Report(labels=labels(words), head=head, sections=present(sections), details=present(more))


def labels(words: Glossary) -> Labels:
    """Return the words that renderers need, in the language of a glossary."""
    return Labels(
        language=words.wording.language,
        name=words.say("page.name"),
        joined=words.say("joined"),
        sentences=words.say("sentences"),
        part=words.say("page.part"),
        share=words.say("page.share"),
        sources=words.say("page.sources"),
        appendix=words.say("page.appendix"),
    )


def present(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Leave out sections that have nothing to say."""
    return tuple(section for section in sections if section.items)
