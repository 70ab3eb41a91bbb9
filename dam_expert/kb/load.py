"""Loads a base: all files, all problems in one pass. The same loader serves ``dam kb check`` and every run."""

from __future__ import annotations

import contextlib
import hashlib
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from dam_expert.documents.messages import Level, Message, has_errors
from dam_expert.documents.problems import fields_of, unknown_key
from dam_expert.kb.check import check
from dam_expert.kb.hardware import load_hardware
from dam_expert.kb.located import Located
from dam_expert.kb.models import ENTRY_MODELS, SECTIONS
from dam_expert.kb.problems import messages_from
from dam_expert.kb.resolve import resolve
from dam_expert.kb.source import SourceDocument, read_yaml
from dam_expert.kb.where import base_files, shipped_folders
from dam_expert.language.leaves import BROKEN_REFERENCE
from dam_expert.physics.hardware import Catalogue

if TYPE_CHECKING:
    from pathlib import Path

    from dam_expert.kb.base import Base


def load_knowledge(folders: list[Path] | None = None) -> tuple[Base | None, list[Message]]:
    """Load the shipped base, or that of the given folders. Returns None for the base if anything in it is an error.

    Messages are in the order of file, line and column; warnings alone do not stop a base.
    """
    sections: dict[str, list[Located[Any]]] = {section: [] for section in SECTIONS}
    messages: list[Message] = []
    broken: list[str] = []
    digest = hashlib.sha256()
    home = folders or shipped_folders()
    for path in base_files(home):
        document = _read(path, _shown(path, home), digest, messages)
        if document is not None:
            broken += collect(document, sections, messages)
    if not any(sections.values()) and not messages:
        text = "there is no knowledge in " + ", ".join(str(folder) for folder in home)
        messages.append(Message(file=str(home[0]), level=Level.ERROR, text=text, code="empty-base"))
    catalogue = _catalogue(home, digest, messages)
    base, found = resolve(sections, digest.hexdigest()[:16], catalogue, broken)
    messages += [message for message in found if message.code != BROKEN_REFERENCE]
    messages += check(base, sections)
    ordered = sorted(messages, key=Message.sort_key)
    return (None if has_errors(ordered) else base), ordered


def _catalogue(home: list[Path], digest: hashlib._Hash, messages: list[Message]) -> Catalogue:
    """Load the hardware catalogue beside the knowledge; a base without one knows no accelerator."""
    folders = [folder / "hardware" for folder in home if (folder / "hardware").is_dir()]
    if not folders:
        return Catalogue(())
    catalogue, found = load_hardware(folders[0])
    messages += found
    for path in sorted(folders[0].glob("*.yaml")):
        with contextlib.suppress(OSError):  # what cannot be read has been complained about
            digest.update(_shown(path, home).encode() + path.read_bytes())
    return catalogue


def _shown(path: Path, home: list[Path]) -> str:
    """Name a file from the folder that holds the base's folders, so that places do not depend on where it lies."""
    for folder in home:
        if path.is_relative_to(folder):
            return str(path.relative_to(folder.parent))
    return str(path)


def _read(path: Path, shown: str, digest: hashlib._Hash, messages: list[Message]) -> SourceDocument | None:
    document, found = read_yaml(path, file=shown)
    messages += found
    if document is not None:
        digest.update(shown.encode())
        digest.update(path.read_bytes())
    return document


def collect(document: SourceDocument, sections: dict[str, list[Located[Any]]], messages: list[Message]) -> list[str]:
    """Validate one file and add its entries; an entry that is wrong does not hide the others. Returns the wrong ids."""
    broken: list[str] = []
    data = document.data
    if not isinstance(data, dict):
        text = "a knowledge file is a mapping whose keys are kinds of entry"
        hint = "begin with 'rules:' or another of " + ", ".join(SECTIONS)
        messages.append(document.message((), text=text, code="not-a-mapping", hint=hint))
        return broken
    for section, entries in data.items():
        if section not in SECTIONS:
            problem = unknown_key((section,), SECTIONS)
            found = document.message((section,), text=problem.text, code=problem.code, hint=problem.hint, key=True)
            messages.append(found)
        elif not isinstance(entries, list):
            messages.append(document.message((section,), text=f"'{section}' is a list of entries", code="wrong-type"))
        else:
            for index, entry in enumerate(entries):
                if not _entry(document, section, index, entry, sections, messages) and isinstance(entry, dict):
                    broken.append(str(entry.get("id")))
    return broken


def _entry(
    document: SourceDocument,
    section: str,
    index: int,
    entry: object,
    sections: dict[str, list[Located[Any]]],
    messages: list[Message],
) -> bool:
    """Validate and add one entry; say whether it could be."""
    model = ENTRY_MODELS[section]
    try:
        validated = model.model_validate(entry)
    except ValidationError as error:
        messages += messages_from(error, document, (section, index), fields_of(model))
        return False
    sections[section].append(Located(validated, document, (section, index)))
    return True
