"""The files of one runbook, read within bounds: nothing outside its folder, nothing that makes loading hang."""

from __future__ import annotations

import dataclasses
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from dam_expert.documents.messages import Level, Message
from dam_expert.kb.source import SourceDocument, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.kb.layers import Source

HEADER = "runbook.yaml"
TEXTS = "texts"
"""The folder of translations, which :mod:`dam_expert.kb.texts` reads."""
MAX_FILES = 500
MAX_DEPTH = 8
MAX_TOTAL = 8 * 1024 * 1024
"""Bytes of all files together: some ten thousand rules."""
MAX_ENTRIES = 5_000


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class RunbookFiles:
    """The documents of a runbook; ``header`` is None where ``runbook.yaml`` is missing or unreadable."""

    header: SourceDocument | None
    documents: tuple[SourceDocument, ...]
    digest: str


def read_runbook(source: Source, messages: list[Message]) -> RunbookFiles:
    """Read ``runbook.yaml`` and all other YAML files of the folder, in order of their paths."""
    header: SourceDocument | None = None
    documents = []
    digest = hashlib.sha256()
    total = 0
    for number, (path, shown) in enumerate(_files(source, messages)):
        if number >= MAX_FILES:
            messages.append(_error(shown, "too-many-files", f"a runbook has at most {MAX_FILES} files", "join some"))
            break
        total += path.stat().st_size
        if total > MAX_TOTAL:
            text = f"the files of a runbook hold at most {MAX_TOTAL >> 20} MiB together"
            messages.append(_error(shown, "too-large", text, "split the runbook"))
            break
        document, found = read_yaml(path, file=shown, entries=True)
        messages += found
        if document is None:
            continue
        digest.update(path.relative_to(source.folder.resolve()).as_posix().encode() + b"\0")
        digest.update(path.read_bytes())
        documents.append(document)
        if shown == f"{source.shown}/{HEADER}":
            header = document
    if header is None and not any(message.file.startswith(source.shown) for message in messages):
        text = f"a runbook is a folder with a {HEADER}"
        messages.append(_error(source.shown, "no-runbook", text, "write one with: dam kb new runbook NAME"))
    return RunbookFiles(header=header, documents=tuple(documents), digest=digest.hexdigest()[:12])


def _files(source: Source, messages: list[Message]) -> Iterator[tuple[Path, str]]:
    """Yield each YAML file with its name in messages; links that lead out of the folder are refused."""
    home = source.folder.resolve()
    if not home.is_dir():
        messages.append(_error(source.shown, "not-found", "there is no such folder", "check the spelling"))
        return
    for folder, inside, names in os.walk(home):
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        for name in sorted(names):
            path = Path(folder) / name
            relative = path.relative_to(home)
            shown = f"{source.shown}/{relative.as_posix()}"
            if name.startswith(".") or path.suffix not in {".yaml", ".yml"} or relative.parts[0] == TEXTS:
                continue
            if len(relative.parts) > MAX_DEPTH:
                messages.append(_error(shown, "too-deep", f"folders are entered {MAX_DEPTH} deep", "move it up"))
            elif not path.resolve().is_relative_to(home):
                messages.append(_error(shown, "outside", "this link leads out of the runbook", "copy the file"))
            elif not path.is_file():
                messages.append(_error(shown, "not-a-file", "this is not a regular file", "remove it"))
            else:
                yield path, shown


def _error(file: str, code: str, text: str, hint: str) -> Message:
    return Message(file=file, level=Level.ERROR, code=code, text=text, hint=hint)
