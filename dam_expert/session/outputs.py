"""Answers that are the output of a tool or a report: the path of a file or folder, or the text itself, pasted."""

from __future__ import annotations

import contextlib
import dataclasses
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dam_expert.documents.messages import printable
from dam_expert.prose import is_report, read_report
from dam_expert.prose.report import understand_text
from dam_expert.readers.declared import declared_readers
from dam_expert.readers.gather import gather, read_all
from dam_expert.readers.kernel_log import KernelLogReader
from dam_expert.readers.registry import READERS
from dam_expert.readers.source import Source
from dam_expert.reports.model import Line, Tone
from dam_expert.session.errors import AnswerError
from dam_expert.session.prose import SESSION, holds_something, understood_items

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.kb.base import Base
    from dam_expert.prose import Understanding
    from dam_expert.readers.interface import Reader, Reading
    from dam_expert.reports import Glossary
    from dam_expert.reports.model import Item
    from dam_expert.session.conversation import Conversation

_PASTED: Final = "<pasted>"
_LOOKS_LIKE_A_PATH: Final = re.compile(r"(?:/|\./|\.\./|~/)\S*$|\S+/\S+\.\w+$")
_LONGEST_PATH: Final = 4096
_SHOWN: Final = 3


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What an output or a report held, and what to say of it."""

    observations: tuple[Observation, ...] = ()
    reports: tuple[Understanding, ...] = ()
    items: tuple[Item, ...] = ()


def read_output(talk: Conversation, words: Glossary, text: str) -> Read | None:
    """Read an answer that is a path or the pasted output of a tool; None where it is neither. Raises AnswerError.

    Of the kernel log a single line is an output as well: who has one pastes it.
    """
    if "\n" in text.strip() or KernelLogReader().recognises(_source(text)):
        return _pasted(talk, words, text)
    paths = paths_in(text)
    if not paths:
        if _LOOKS_LIKE_A_PATH.fullmatch(text.strip()):
            raise AnswerError("session.problem.no_file", path=text.strip())
        return None
    gathered = gather(paths, also=_declared(talk.base), is_report=is_report)
    reports = tuple(read_report(source, talk.vocabulary) for source in gathered.reports)
    if gathered.observations or any(map(holds_something, reports)):
        read = _read(words, gathered.observations, gathered.readings, gathered.messages)
        told = (item for report in reports for item in understood_items(words, report))
        return dataclasses.replace(read, reports=reports, items=(*read.items, *told))
    if gathered.incident_files:
        raise AnswerError("session.problem.incident", path=text.strip())
    raise AnswerError("session.problem.unread", text=_joined(words, gathered.messages) or text.strip())


def _declared(base: Base) -> list[Reader]:
    return declared_readers(base.layers.tools, base.measurements)


def paths_in(text: str) -> list[Path]:
    """Return the files and folders that an answer names, quoted or not; none if one of them is not there.

    A bare word is a path only where it names something and holds a dot, a slash or a tilde: ``low`` stays a word.
    """
    said = text.strip()
    if not re.search(r"[/\\.~]", said) or len(said) > _LONGEST_PATH:
        return []
    whole = _path(said)
    if _exists(whole):
        return [whole]
    try:
        found = [_path(part) for part in shlex.split(said)]
    except ValueError:
        return []
    return found if found and all(map(_exists, found)) else []


def _path(said: str) -> Path:
    """Return a path with the home of a user in the place of a tilde; as it stands where there is no such user."""
    with contextlib.suppress(RuntimeError):
        return Path(said).expanduser()
    return Path(said)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _pasted(talk: Conversation, words: Glossary, text: str) -> Read:
    """Read the lines of a paste by the readers; as words only where none of them knows the whole of it."""
    readers = (*READERS, *_declared(talk.base))
    source = _source(text)
    readings, messages = read_all(source, readers)
    observations = tuple(one for reading in readings for one in reading.observations)
    if observations:
        return _read(words, observations, readings, messages)
    if any(reader.recognises(source) for reader in readers):  # its lines are no sentences, whatever words they hold
        told = [*messages, *(message for reading in readings for message in reading.messages)]
        raise AnswerError("session.problem.unread", text=_joined(words, told))
    report = understand_text(text, SESSION, talk.vocabulary)
    if not holds_something(report):
        raise AnswerError("session.problem.unread", text=_joined(words, messages))
    return Read(reports=(report,), items=tuple(understood_items(words, report)))


def _source(text: str) -> Source:
    return Source.of_bytes(_PASTED, text.encode("utf-8", "surrogateescape"))


def _read(
    words: Glossary, observations: Sequence[Observation], readings: Sequence[Reading], messages: Sequence[Message]
) -> Read:
    """Say which tools were read and how many values they gave, and what of them could not be read."""
    if not readings:
        return Read()
    tools = ", ".join(dict.fromkeys(reading.tool for reading in readings))
    told_of = Line(words.say("session.noted.read", n=len(observations), tools=tools))
    items: list[Item] = [told_of, *_named(words, observations)]
    told = [*messages, *(message for reading in readings for message in reading.messages if message not in messages)]
    items += [Line(_told(words, message), tone=Tone.FAINT) for message in told[:_SHOWN]]
    return Read(observations=tuple(observations), items=tuple(items))


def _named(words: Glossary, observations: Sequence[Observation]) -> Iterator[Line]:
    """Name the first of the values that were read, those of the whole before those of its parts."""
    shown = sorted(observations, key=lambda one: len(one.scope))
    told = list(dict.fromkeys(_value(words, one) for one in shown))
    text = words.say("semicolon").join(told[:_SHOWN])
    text += words.say("session.and_more", n=len(told) - _SHOWN) if len(told) > _SHOWN else ""
    yield Line(text, mark="-")


def _value(words: Glossary, one: Observation) -> str:
    place = "".join(f" [{name}={member}]" for name, member in one.scope)
    return f"{words.title(one.measurement)}{place} = {words.observed(one)}"


def _joined(words: Glossary, messages: Sequence[Message]) -> str:
    return words.say("semicolon").join(_told(words, message) for message in messages[:_SHOWN])


def _told(words: Glossary, message: Message) -> str:
    """Write what a reader said in the language of the session, with what to do next."""
    said = [words.text(message.text), *([words.text(message.hint)] if message.hint else [])]
    place = message.file if message.line is None else f"{message.file}:{message.line}"
    text = words.say("semicolon").join(said)
    return printable(text if place == _PASTED else words.say("joined", label=place, text=text))
