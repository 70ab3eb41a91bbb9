"""Which runbooks are in force: those named, those of ``dam.toml``, and those of installed packages.

``dam.toml`` is looked for from the working folder upwards; the first one counts:

    runbooks = ["runbooks/llm_serving", "../team"]   # folders, from where dam.toml lies
    order = ["llm_serving", "team"]                  # where two change the same field, the later one wins
    on_trial = ["team"]                              # what it adds only supports, and it changes nothing below

A package offers a runbook by an entry point of the group ``dam_expert.runbooks`` whose value is the dotted path of
the folder (``acme_runbooks.llm``). It is located without being imported: nothing in it runs.
"""

from __future__ import annotations

import dataclasses
import importlib.machinery
import importlib.metadata
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from dam_expert.documents.files import open_file
from dam_expert.documents.messages import Level, Message, suggestion
from dam_expert.kb.layers import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GROUP: Final = "dam_expert.runbooks"
SETTINGS: Final = "dam.toml"
_KEYS: Final = ("runbooks", "order", "on_trial")
_LARGEST: Final = 1024 * 1024


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class InForce:
    """The runbooks to be laid over the base, lowest first, and the order in which names may overrule each other."""

    sources: tuple[Source, ...] = ()
    order: tuple[str, ...] = ()


def runbooks_in_force(named: Sequence[str], start: Path) -> tuple[InForce, list[Message]]:
    """Find all runbooks: of installed packages, of ``dam.toml`` from ``start`` upwards, and the ``named`` folders.

    A folder that is found twice counts once. Something that cannot be used is a message, never an exception.
    """
    messages: list[Message] = []
    found = [*_installed(messages)]
    settings = _settings_file(start)
    lists: dict[str, list[str]] = {}
    if settings is not None:
        lists = _settings(settings, messages)
        found += [_source(settings.parent / name, shown(settings)) for name in lists["runbooks"]]
    found += [_source(Path(name), "--runbook") for name in named]
    trial = tuple(lists.get("on_trial", ()))
    by_folder = {source.folder.resolve(): msgspec.structs.replace(source, on_trial=trial) for source in found}
    return InForce(sources=tuple(by_folder.values()), order=tuple(lists.get("order", ()))), messages


def shown(path: Path) -> str:
    """Return a path as it is shown: from the working folder where it lies in it, else whole."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100  # resolve() would follow links
    here = Path.cwd()
    return (absolute.relative_to(here) if absolute.is_relative_to(here) else absolute).as_posix()


def _source(folder: Path, found_by: str) -> Source:
    return Source(folder=folder, shown=shown(folder), found_by=found_by)


def _settings_file(start: Path) -> Path | None:
    """Return the nearest ``dam.toml``, or None."""
    for folder in (start, *start.parents):
        path = folder / SETTINGS
        if path.is_file():
            return path
    return None


def _settings(path: Path, messages: list[Message]) -> dict[str, list[str]]:
    """Read the lists of a ``dam.toml``."""

    def say(code: str, text: str, hint: str | None = None) -> None:
        messages.append(Message(file=shown(path), level=Level.ERROR, code=code, text=text, hint=hint))

    lists: dict[str, list[str]] = {key: [] for key in _KEYS}
    try:
        with open_file(path) as stream:
            content = stream.read(_LARGEST + 1)
        data = tomllib.loads(content.decode("utf-8")) if len(content) <= _LARGEST else {}
    except (OSError, ValueError, RecursionError) as error:
        say("not-toml", f"this cannot be read as TOML: {error}", "write: runbooks = ['folder']")
        return lists
    for key, value in data.items():
        if key not in _KEYS:
            say("unknown-key", f"there is no setting '{key}'", suggestion(key, _KEYS) or f"one of {', '.join(_KEYS)}")
        elif not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            say("wrong-type", f"'{key}' is a list of texts", f"write: {key} = ['name']")
        else:
            lists[key] = value
    return lists


def _installed(messages: list[Message]) -> Iterator[Source]:
    """Locate the runbooks of installed packages, in order of their names."""
    for entry in sorted(importlib.metadata.entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        folder = _folder_of(entry.value)
        if folder is None:
            text = f"the runbook '{entry.name}' of an installed package is not there: {entry.value}"
            hint = "the entry point is the dotted path of a folder with a runbook.yaml"
            messages.append(Message(file=entry.name, level=Level.ERROR, code="not-found", text=text, hint=hint))
        else:
            yield Source(folder=folder, shown=f"<{entry.name}>", found_by=f"installed package ({entry.value})")


def _folder_of(value: str) -> Path | None:
    """Return the folder that a dotted path names, without importing anything."""
    top, *rest = value.replace(":", ".").split(".")
    if not all(part.isidentifier() for part in (top, *rest)):
        return None
    spec = importlib.machinery.PathFinder.find_spec(top)
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        folder = Path(place).joinpath(*rest)
        if folder.is_dir():
            return folder
    return None
