"""From paths to observations: everything that can be read of one incident, and a message for everything else."""

from __future__ import annotations

import dataclasses
import functools
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dam_expert.documents.heads import is_incident
from dam_expert.documents.messages import Level, Message
from dam_expert.readers.between import new_of, others
from dam_expert.readers.found_files import reason, searched
from dam_expert.readers.joining import joined
from dam_expert.readers.other_kinds import looks_like
from dam_expert.readers.parts import parts_of, recogniser
from dam_expert.readers.quoted import as_quoted, is_quoting
from dam_expert.readers.registry import READERS
from dam_expert.readers.serving.metrics import ServerMetricsReader
from dam_expert.readers.serving.pairs import read_together
from dam_expert.readers.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO, Literal

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reader, Reading

STDIN_BYTES = 1024**3
"""Standard input is held in memory; more than this is cut."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What was found. ``incident_files`` are left for their own reader; ``unread`` names what gave nothing."""

    observations: tuple[Observation, ...] = ()
    messages: tuple[Message, ...] = ()
    unread: tuple[str, ...] = ()
    incident_files: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()
    """All files that were looked at, incident files among them."""
    readings: tuple[Reading, ...] = ()
    reports: tuple[Source, ...] = ()
    """What a person wrote: left for the layer that reads prose."""


def gather(
    paths: Sequence[Path | Literal["-"]],
    readers: Sequence[Reader] = READERS,
    *,
    stdin: BinaryIO | None = None,
    also: Sequence[Reader] = (),
    watch: Callable[[Path, int], None] | None = None,
    is_report: Callable[[Source], bool] | None = None,
) -> Gathered:
    """Read all paths as one incident; ``-`` is standard input. Never raises on what it finds there.

    The readers of ``also`` read beside the others: one export may hold a known tool's metrics and a team's own.
    ``watch`` is told of each file how many bytes of it were taken, each time that some were. What ``is_report`` calls
    a report is left unread and returned.
    """
    search = searched(path for path in paths if isinstance(path, Path))
    messages, unread = list(search.messages), [message.file for message in search.messages]
    incidents: list[Path] = []
    sources: list[Source] = []
    if "-" in paths:
        data = (stdin or sys.stdin.buffer).read(STDIN_BYTES)
        sources.append(Source.of_bytes("<stdin>", data))
    for path in search.files:
        try:
            source = Source.of_path(path)
        except OSError as error:
            code, text, hint = reason(error)
            messages.append(_warning(str(path), code, text, hint))
            unread.append(str(path))
            continue
        if is_incident(path.name, source.head):
            incidents.append(path)
        else:
            told = None if watch is None else functools.partial(watch, path)
            sources.append(dataclasses.replace(source, watch=told))
    reports = [source for source in sources if is_report is not None and is_report(source)]
    left = {id(source) for source in reports}
    readings, sources, notes = _scrapes_together([source for source in sources if id(source) not in left], readers)
    messages += notes
    for source in sources:
        beside = [own for reader in also if (own := read_one(source, (reader,))[0]) is not None]
        found, problems = read_all(source, readers)
        if is_quoting(source.shown):
            found = [as_quoted(reading) for reading in found]
        if beside:
            problems = [problem for problem in problems if problem.code != "not-recognised"]
        readings += [*beside, *found]
        messages += problems
        if not beside and not any(reading.observations for reading in found):
            unread.append(source.shown)
    readings = joined(readings)
    return Gathered(
        observations=tuple(found for reading in readings for found in reading.observations),
        messages=(*(message for reading in readings for message in reading.messages), *messages),
        unread=tuple(dict.fromkeys(unread)),
        incident_files=tuple(incidents),
        files=tuple(search.files),
        readings=tuple(readings),
        reports=tuple(reports),
    )


def _scrapes_together(
    sources: list[Source], readers: Sequence[Reader]
) -> tuple[list[Reading], list[Source], list[Message]]:
    """Return readings of files that are scrapes of one server at several times, the sources left, and notes on them."""
    scrapes = [source for source in sources if isinstance(recogniser(source, readers), ServerMetricsReader)]
    if len(scrapes) < 2:
        return [], sources, []
    readings, alone, notes = read_together(scrapes)
    joined = {id(source) for source in scrapes} - {id(source) for source in alone}
    return readings, [source for source in sources if id(source) not in joined], notes


def read_all(source: Source, readers: Sequence[Reader] = READERS) -> tuple[list[Reading], list[Message]]:
    """Return the readings of all outputs that stand one after another in a source, and what could not be read."""
    readings: list[Reading] = []
    problems: list[Message] = []
    parts = parts_of(source, readers)
    for part in parts:
        found, trouble = _all_of(part.source, part.reader, readers)
        readings += [part.numbered(reading) for reading in found]
        problems += trouble
    if parts:
        return readings, problems
    return _all_of(source, recogniser(source, readers), readers)


def _all_of(source: Source, first: Reader | None, readers: Sequence[Reader]) -> tuple[list[Reading], list[Message]]:
    """Return what the reader of the head and those of lines between say of one output."""
    beside = others(source, first, readers)
    problems: list[Message] = []
    readings: list[Reading] = []
    if first is not None or not beside:
        reading, problem = read_one(source, readers) if first is None else _by_reader(source, first)
        readings += [] if reading is None else [reading]
        problems += [] if problem is None else [problem]
    for reader in beside:
        reading, problem = _by_reader(source, reader)
        if reading is not None and (reading := new_of(reading, readings)).observations:
            readings.append(reading)
        problems += [] if problem is None else [problem]
    return readings, problems


def read_one(source: Source, readers: Sequence[Reader] = READERS) -> tuple[Reading | None, Message | None]:
    """Return the reading of the first reader that recognises the source, or a message that says why there is none."""
    if source.empty and source.damage is not None:
        return None, _warning(source.shown, source.damage.code, source.damage.text, source.damage.hint)
    if source.empty:
        return None, _warning(source.shown, "empty-file", "the file is empty", "let the tool finish, then copy again")
    reader = recogniser(source, readers)
    if reader is not None:
        return _by_reader(source, reader)
    kind = looks_like(source)
    if kind is None:
        return None, _warning(source.shown, "empty-file", "the file holds only blanks", "let the tool finish")
    return None, _warning(source.shown, "not-recognised", f"it looks like {kind.what}: not read", kind.hint)


def _by_reader(source: Source, reader: Reader) -> tuple[Reading | None, Message | None]:
    try:
        return reader.read(source), None
    except OSError as error:
        return None, _warning(source.shown, *reason(error))
    except Exception as error:  # the promise of this module: one bad file never loses the others
        text = f"the reader of '{reader.title}' failed on it ({type(error).__name__})"
        return None, _warning(source.shown, "reader-failed", text, "please report this file")


def _warning(file: str, code: str, text: str, hint: str) -> Message:
    return Message(file=file, level=Level.WARNING, code=code, text=text, hint=hint)
