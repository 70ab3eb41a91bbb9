"""One side of a comparison: from a path to the diagnoses of one run or of its repeats."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dam_expert.cli import inputs, pipeline
from dam_expert.cli.failure import Exit, Failure
from dam_expert.documents.heads import declares, head_of, is_incident_name
from dam_expert.documents.messages import Level, Message, suggestion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.diagnosis import Diagnosis
    from dam_expert.kb.base import Base

#: Of the documents that are one run each; nothing else in their folder is looked at.
_SUFFIXES: Final = (".json", ".yaml", ".yml")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The diagnoses of one side, the first of which is shown, and what was said while they were made."""

    diagnoses: tuple[Diagnosis, ...]
    messages: tuple[Message, ...]


def side(base: Base, path: str, settings: Sequence[tuple[str, str]] = (), *, no_input: bool = False) -> Side:
    """Read a side, with values beside its inputs. Raises Failure where nothing in it can be used."""
    repeats = _repeats(Path(path))
    if not repeats:
        understood = pipeline.understand(base, [path], settings, no_input=no_input)
        return Side(diagnoses=(pipeline.diagnose(base, understood),), messages=understood.messages)
    found: list[Diagnosis] = []
    messages: list[Message] = []
    for file in repeats:
        if _is_diagnosis(file):
            if settings:
                text = f"--set: {file} is a stored diagnosis, to which nothing can be added; give what it was made of"
                raise Failure(Exit.USAGE, text)
            found.append(stored(file))
        else:
            understood = pipeline.understand(base, [str(file)], settings)
            found.append(pipeline.diagnose(base, understood))
            messages += understood.messages
    return Side(diagnoses=tuple(found), messages=tuple(messages))


def _repeats(path: Path) -> list[Path]:
    """Return the diagnosis at a path, or the documents of a folder that holds diagnoses, or several incidents."""
    if path.is_file():
        return [path] if _is_diagnosis(path) else []
    try:
        files = sorted(file for file in path.iterdir() if file.suffix in _SUFFIXES and file.is_file())
    except OSError:
        return []
    diagnoses = [file for file in files if _is_diagnosis(file)]
    incidents = [file for file in files if is_incident_name(file.name)]
    return diagnoses or (incidents if len(incidents) > 1 else [])


def _is_diagnosis(file: Path) -> bool:
    try:
        return declares(head_of(file), "dam-diagnosis")
    except OSError:
        return False


def stored(file: Path) -> Diagnosis:
    """Read a diagnosis that was stored as JSON or YAML. Raises Failure where it is none."""
    from pydantic import ValidationError

    from dam_expert.documents.diagnosis import Diagnosis
    from dam_expert.kb.source import read_yaml

    inputs.note_used([file])
    document, messages = read_yaml(file)
    if document is None or any(message.level is Level.ERROR for message in messages):
        raise Failure(Exit.INVALID, "a diagnosis cannot be read", messages)
    try:
        return Diagnosis.model_validate(document.data)
    except ValidationError as error:
        found = [
            document.message(each["loc"], text=each["msg"], code="not-a-diagnosis", hint="store it again with -f json")
            for each in error.errors(include_url=False)[:3]
        ]
        raise Failure(Exit.INVALID, "a diagnosis cannot be read", found) from error


def settings_of(base: Base) -> frozenset[str]:
    """Return the measurements that describe a job or a state rather than its speed."""
    from dam_expert.documents.kinds import Kind

    kinds = (Kind.SETTING, Kind.CATEGORY, Kind.FLAG)
    return frozenset(each.id for each in base.measurements.values() if each.model.kind in kinds)


def no_lever(base: Base, name: str) -> str:
    """Return the complaint for a lever that is not there."""
    hint = suggestion(name, base.levers)
    return f"--lever: no lever is called '{name}'" + (f"; {hint}" if hint else "")
