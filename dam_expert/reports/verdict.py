"""The verdict in one sentence, how sure it is, what was missed, and the three lines of ``--brief``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports.advice import acting
from dam_expert.reports.details import runbook_lines
from dam_expert.reports.glossary import UNKNOWN, Glossary, factor, share
from dam_expert.reports.model import Line, Section, Tone
from dam_expert.reports.wording import prose, region

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.diagnosis import Binding, Diagnosis, HypothesisReport

_TONES = {
    "confirmed": Tone.GOOD,
    "no_fault": Tone.GOOD,
    "resolved": Tone.GOOD,
    "supported": Tone.WARNING,
    "undetermined": Tone.WARNING,
    "conflicting": Tone.BAD,
}


def verdict_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Say what binds and how sure that is, and what a fix of it could gain at most."""
    items = [Line(sentence(diagnosis, words), tone=_TONES[diagnosis.status])]
    if diagnosis.binding is not None:
        items.append(Line(_weight(diagnosis.binding)))
        if diagnosis.binding.depth == "bottleneck":
            items.append(Line("Which of its causes it is remains open; see what to measure."))
    if diagnosis.exhausted:
        items.append(Line("Nothing that could still be measured would decide more."))
    items += runbook_lines(diagnosis)
    return Section(id="verdict", title="Verdict", items=tuple(items))


def sentence(diagnosis: Diagnosis, words: Glossary) -> str:
    """Return the verdict as one sentence that names its status."""
    if diagnosis.status == "resolved":
        return "Resolved: the last measurement meets the target."
    if diagnosis.binding is not None and diagnosis.status == "confirmed":
        binding = diagnosis.binding
        where = region(binding.axes)
        return f"Confirmed: {binding.bottleneck} binds ({where}). {prose(binding.title).rstrip('.')}."
    first = _leading(diagnosis)
    if diagnosis.status == "no_fault":
        return f"No fault: {prose(first.title).rstrip('.')}." if first else "No fault: nothing binds."
    if diagnosis.status == "conflicting" and first is not None:
        return f"Conflicting: the evidence both confirms and refutes: {prose(first.title).rstrip('.')}."
    if diagnosis.status == "supported" and first is not None:
        where = f"{first.bottleneck}, {region(first.axes)}" if first.axes else first.bottleneck
        return f"Likely, not proven: {prose(first.title).rstrip('.')} ({where})."
    return f"Undetermined: the evidence does not single out a cause{_missing(diagnosis, words)}."


def _missing(diagnosis: Diagnosis, words: Glossary) -> str:
    """Say which measurement is missing most."""
    if not diagnosis.next_measurements:
        return ""
    return f"; missing first of all: {prose(words.title(diagnosis.next_measurements[0].measurement))}"


def _leading(diagnosis: Diagnosis) -> HypothesisReport | None:
    """Return the hypothesis that the verdict speaks of: the first ranked one."""
    return diagnosis.hypotheses[0] if diagnosis.hypotheses else None


def _weight(binding: Binding) -> str:
    """Say how much of the time it costs and what removing it would gain."""
    parts = []
    if binding.share is not None:
        parts.append(f"It costs {share(binding.share)} of the time")
    if binding.ceiling is not None:
        parts.append(f"removing it makes the work at most {factor(binding.ceiling)} as fast")
    text = "; ".join(parts) if parts else "What removing it would gain at most is unknown"
    return f"{text[0].upper()}{text[1:]}."


def missed_section(diagnosis: Diagnosis, missed: Sequence[str]) -> Section:
    """Name the incident and the target it missed."""
    incident = diagnosis.incident
    items = [Line(incident.title, tone=Tone.STRONG)] if incident.title else []
    items += [Line(text) for text in missed]
    if not missed:
        items.append(Line(f"No target is given; judged on {diagnosis.track}."))
    return Section(id="missed", title="What was missed", items=tuple(items))


def brief(diagnosis: Diagnosis, words: Glossary) -> tuple[Line, Line, Line]:
    """Return the verdict, what to do first and what to measure next, one line each."""
    works = acting(diagnosis)
    if works:
        gain = factor(works[0].ceiling)
        limit = "its gain is not known" if gain == UNKNOWN else f"at most {gain}"
        first = f"First: {prose(works[0].title)} ({limit})."
    elif diagnosis.status in ("resolved", "no_fault"):
        first = "First: nothing to change."
    else:
        first = "First: measure; nothing is proven that a change could act on."
    following = "Measure: nothing more."
    if diagnosis.next_measurements:
        step = diagnosis.next_measurements[0]
        ways = [way.command or way.how or "" for way in step.commands]
        following = f"Measure: {prose(words.title(step.measurement))}" + (f": {prose(ways[0])}" if ways else "")
    return (
        Line(sentence(diagnosis, words), tone=_TONES[diagnosis.status], verbatim=True),
        Line(first, verbatim=True),
        Line(following, verbatim=True),
    )
