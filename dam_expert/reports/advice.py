"""What to do first, what would be wasted, what to measure next, and plans that contradict the diagnosis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports.glossary import Glossary, factor
from dam_expert.reports.model import Line, Section, Tone
from dam_expert.reports.wording import capital, minutes, prose

if TYPE_CHECKING:
    from dam_expert.documents.diagnosis import Diagnosis, LeverAdvice, NextMeasurement

_SHOWN = 3


def acting(diagnosis: Diagnosis) -> list[LeverAdvice]:
    """Return the levers that work on the leading constraint, in the order of the diagnosis."""
    return [lever for lever in diagnosis.levers if lever.effect == "works"]


def first_section(diagnosis: Diagnosis) -> Section:
    """Name the interventions that work, with ceiling, effort, how to do and how to verify them."""
    proven = diagnosis.status == "confirmed"
    title = "What to do first" if proven else "What would help, once it is proven"
    items: list[Line] = []
    for place, lever in enumerate(acting(diagnosis)[:_SHOWN], start=1):
        items.append(Line(prose(lever.title), mark=f"{place}.", tone=Tone.STRONG))
        gain = "gain not known" if lever.ceiling is None else f"at most {factor(lever.ceiling)} as fast"
        effort = f", effort: {prose(lever.effort)}" if lever.effort else ""
        items.append(Line(f"{capital(gain)}{effort}.", depth=1))
        if lever.how:
            items.append(Line(prose(lever.how), depth=1))
        if lever.verify_by:
            items.append(Line(f"Verify: {prose(lever.verify_by)}", depth=1))
    return Section(id="levers", title=title, items=tuple(items))


def wasted_section(diagnosis: Diagnosis) -> Section:
    """Name the interventions that would gain nothing here, and why."""
    wasted = [lever for lever in diagnosis.levers if lever.effect == "wasted"]
    items = [Line(f"{prose(lever.title)}: {prose(lever.why)}", mark="-") for lever in wasted[:_SHOWN]]
    if len(wasted) > _SHOWN:
        items.append(Line(f"and {len(wasted) - _SHOWN} more; --format json lists them all", tone=Tone.FAINT))
    return Section(id="wasted", title="What would be wasted", items=tuple(items))


def unknown_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Name what is not known and would decide, with the exact command that tells."""
    items: list[Line] = []
    for place, step in enumerate(diagnosis.next_measurements[:_SHOWN], start=1):
        items += _measurement(place, step, words)
    more = len(diagnosis.next_measurements) - _SHOWN
    if more > 0:
        items.append(Line(f"and {more} more; --format json lists them all", tone=Tone.FAINT))
    return Section(id="unknown", title="What is unknown, and what would tell", items=tuple(items))


def _measurement(place: int, step: NextMeasurement, words: Glossary) -> list[Line]:
    name = f"{prose(words.title(step.measurement))} ({minutes(step.effort_minutes)})"
    items = [Line(name, mark=f"{place}.", tone=Tone.STRONG), Line(capital(prose(step.why)), depth=1)]
    for way in step.commands:
        if way.command:
            items += [Line(row, mark="$", depth=1, verbatim=True) for row in way.command.splitlines() if row.strip()]
        if way.how:
            items.append(Line(prose(way.how), depth=1))
    if step.disturbs:
        items.append(Line(f"Disturbs: {prose(step.disturbs)}", depth=1))
    known = f"Then: dam diagnose … --set {step.measurement}=VALUE"
    return [*items, Line(known, depth=1, tone=Tone.FAINT)]


def anti_pattern_section(diagnosis: Diagnosis) -> Section:
    """Name planned or tried actions that contradict the diagnosis; the action is quoted from the incident."""
    items: list[Line] = []
    for each in diagnosis.anti_patterns:
        items.append(Line(f"{each.action}: {prose(each.title)}", mark="!", tone=Tone.BAD))
        items.append(Line(prose(each.because), depth=1))
    return Section(id="anti_patterns", title="In the plan", items=tuple(items))
