"""What was understood of the inputs, in lines: each value with its basis and place, each report with its marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports.marks import marked_report, told, told_target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dam_expert.documents.incident import Incident
    from dam_expert.documents.observations import Observation
    from dam_expert.kb.models import ToolModel
    from dam_expert.prose import Understanding
    from dam_expert.readers.interface import Reading
    from dam_expert.reports.glossary import Glossary


def observation_line(each: Observation, words: Glossary) -> str:
    """Write one observation: measurement, value, basis and place; one that cannot be used says why."""
    basis = words.say(f"basis.{each.basis}")
    line = words.say("read.value", value=told(each, words), basis=basis, origin=each.origin)
    return words.say("read.not_used", line=line, complaint=words.text(each.complaint)) if each.complaint else line


def target_lines(incident: Incident, words: Glossary) -> Iterator[str]:
    """Yield what is missed, where a metric of it is known: metric, what is and what is wanted, basis and place."""
    target = incident.target
    line = "" if target is None else told_target(target, words, str(target.origin or incident.file))
    if line:
        yield line


def explained_lines(
    observations: Iterable[Observation], words: Glossary, tools: Mapping[str, ToolModel]
) -> Iterator[str]:
    """Yield each observation, and below it which tool gave it and how it was derived."""
    for each in observations:
        origin = each.origin
        tool = tools.get(origin.tool or "")
        reader = origin.tool or words.say("read.given")
        if tool is not None:
            reader = words.say("read.trusted", tool=words.text(tool.title), trust=tool.trust)
        given = words.say("read.as_written", given=each.given) if each.given else None
        yield observation_line(each, words)
        detail = words.text(origin.detail) if origin.detail else None
        yield f"    {words.say('semicolon').join(part for part in (reader, detail, given, each.when) if part)}"


def report_lines(reports: Sequence[Understanding], words: Glossary) -> Iterator[str]:
    """Yield each report in prose under its name, marked with what was understood of it."""
    for report in reports:
        yield words.say("read.report", file=report.file)
        yield from marked_report(report, words)


def source_line(reading: Reading, words: Glossary) -> str:
    """Write what one reader found in one source, and how much of it was not understood."""
    files = dict.fromkeys(each.origin.file for each in reading.observations)
    where = next(iter(files), reading.messages[0].file if reading.messages else "-")
    lost, lines = reading.lines_not_understood, reading.lines_read
    understood = words.say("read.lost", lost=lost, lines=lines) if lost else words.say("read.all_understood")
    n = len(reading.observations)
    return words.say("read.source", file=where, tool=reading.tool, n=n, lines=lines, understood=understood)
