"""Makes a base of its files: every file is read and checked, and all problems are found in one pass."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import difflib
import hashlib
import re
from typing import TYPE_CHECKING, Any

from dam_expert.documents.messages import Level, Message, has_errors
from dam_expert.kb.check import check
from dam_expert.kb.entries import collect
from dam_expert.kb.hardware import load_hardware
from dam_expert.kb.laid import Laid
from dam_expert.kb.models import SECTIONS, ToolModel
from dam_expert.kb.renames import old_ids, with_current_ids
from dam_expert.kb.resolve import resolve
from dam_expert.kb.source import SourceDocument, read_yaml
from dam_expert.kb.where import base_files, hardware_files
from dam_expert.language.leaves import BROKEN_REFERENCE
from dam_expert.physics.hardware import Catalogue

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from dam_expert.kb.base import Base
    from dam_expert.kb.layers import Source
    from dam_expert.kb.located import Located


_LOST = frozenset(
    ("binary", "control-character", "encoding", "not-a-file", "too-deep", "too-large", "unreadable", "yaml-syntax")
)
"""Codes of files of which nothing is known."""

_QUOTED = re.compile(r"'([^']+)'")
_NEAR = 0.85
"""Similarity from which a name is a misspelling of another, and not another name."""

_FOLLOWING = frozenset(("unknown-id", "irrefutable", "never-confirmed"))
"""Codes of what one file lacks where another one is lost."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What files came to. ``base`` is None where a file is lost; with an error in it, it is for authors only."""

    base: Base | None
    messages: list[Message]
    sections: dict[str, list[Located[Any]]]

    @property
    def is_sound(self) -> bool:
        """Whether the base may be diagnosed with."""
        return self.base is not None and not has_errors(self.messages)


def build(
    home: list[Path], runbooks: Sequence[Source], order: Sequence[str], today: datetime.date | None
) -> tuple[Base | None, list[Message]]:
    """Make the base of the given folders, with runbooks laid over it. Returns None for a base with an error in it."""
    built = build_for_authors(home, runbooks, order, today)
    return (built.base if built.is_sound else None), built.messages


def build_for_authors(
    home: list[Path], runbooks: Sequence[Source], order: Sequence[str], today: datetime.date | None
) -> Built:
    """Make the base as far as it goes, with everything that is wrong with it."""
    sections: dict[str, list[Located[Any]]] = {section: [] for section in SECTIONS}
    messages: list[Message] = []
    broken: list[str] = []
    digest = hashlib.sha256()
    mended: list[str] = []
    for path in base_files(home):
        document = _read(path, _shown(path, home), digest, messages)
        if document is not None:
            mended += [document.file] if document.aside is not None else []
            broken += collect(document, sections, messages)
    if not any(sections.values()) and not messages:
        text = "there is no knowledge in " + ", ".join(str(folder) for folder in home)
        messages.append(Message(file=str(home[0]), level=Level.ERROR, text=text, code="empty-base"))
    messages += _dotted(sections)
    laid = _laid(sections, runbooks, order, today, messages)
    whole = {*mended, *laid.mended}
    lost = sorted((each for each in messages if each.code in _LOST and each.file not in whole), key=Message.sort_key)
    renamed = old_ids(sections, messages)
    with_current_ids(sections, renamed, messages)
    gone = [each.entry.id for each in sections["tombstones"] if each.entry.replaced_by is None]
    catalogue = _grown(_catalogue(home, digest, messages), laid, messages)
    base, found = resolve(sections, digest.hexdigest()[:16], catalogue, [*broken, *laid.broken, *gone])
    messages += found
    messages += [laid.blamed(message) for message in check(base, sections)]
    ordered = sorted((each for each in messages if each.code != BROKEN_REFERENCE), key=Message.sort_key)
    if lost:
        return Built(base=None, messages=_without_consequences(ordered, lost), sections=sections)
    base = base if has_errors(ordered) else _complete(base, laid, renamed)
    return Built(base=base, messages=ordered, sections=sections)


def _laid(
    sections: dict[str, list[Located[Any]]],
    runbooks: Sequence[Source],
    order: Sequence[str],
    today: datetime.date | None,
    messages: list[Message],
) -> Laid:
    if not runbooks:
        return Laid()
    from dam_expert.kb.overlay import lay

    return lay(sections, runbooks, order, today or datetime.date.today(), messages)


def _grown(catalogue: Catalogue, laid: Laid, messages: list[Message]) -> Catalogue:
    """Return the catalogue with what runbooks add."""
    if not laid.accelerators:
        return catalogue
    from dam_expert.kb.overlay_hardware import with_accelerators

    return with_accelerators(catalogue, laid.accelerators, messages)


def _without_consequences(messages: Sequence[Message], lost: Sequence[Message]) -> list[Message]:
    """Return messages with a note in the place of those that may only follow from files of which nothing is known.

    A name that is nearly one of those known is misspelt all the same.
    """
    waiting = [each for each in messages if each.code in _FOLLOWING and not _misspelt(each)]
    if not waiting:
        return list(messages)
    text = f"{len(waiting)} more messages wait: they may only follow from what this file holds"
    hint = "mend it and check again"
    note = Message(file=lost[0].file, level=Level.NOTE, text=text, hint=hint, code="not-yet-checked")
    kept = [message for message in messages if message not in waiting]
    return [*lost, note, *(message for message in kept if message not in lost)]


def _misspelt(message: Message) -> bool:
    """Whether what is not known is nearly what the hint suggests."""
    names = [found[1] for text in (message.text, message.hint or "") if (found := _QUOTED.search(text))]
    return len(names) == 2 and difflib.SequenceMatcher(None, names[0], names[1]).ratio() > _NEAR


def _complete(base: Base, laid: Laid, renamed: dict[str, str]) -> Base:
    """Return the base with its layers: what they change, what they ease, and the tools that they bring."""
    for old, new in renamed.items():
        if new in base.measurements:
            base.names.define_old(old, new)
    if not laid.layers.runbooks:
        return dataclasses.replace(base, old_ids=renamed)
    from dam_expert.kb.overlay_effect import eased

    brought = {book.name: ToolModel(id=book.name, title=book.description) for book in laid.layers.runbooks}
    return dataclasses.replace(
        base, layers=eased(base, laid.layers, laid.before), old_ids=renamed, tools={**base.tools, **brought}
    )


def _dotted(sections: dict[str, list[Located[Any]]]) -> list[Message]:
    """Keep dots for runbooks: in the base only rules and cases, which nothing in a condition names, have them."""
    return [
        located.message(f"the id '{located.entry.id}' has a dot, as only a runbook's may", "dotted-id", "id")
        for section, entries in sections.items()
        if section not in ("rules", "cases", "tombstones")
        for located in entries
        if "." in located.entry.id
    ]


def _catalogue(home: list[Path], digest: hashlib._Hash, messages: list[Message]) -> Catalogue:
    """Load the hardware catalogue beside the knowledge; a base without one knows no accelerator."""
    folders = [folder / "hardware" for folder in home if (folder / "hardware").is_dir()]
    if not folders:
        return Catalogue(())
    catalogue, found = load_hardware(folders[0])
    messages += found
    for path in hardware_files(home):
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
    document, found = read_yaml(path, file=shown, entries=True)
    messages += found
    if document is not None:
        digest.update(shown.encode())
        digest.update(path.read_bytes())
    return document
