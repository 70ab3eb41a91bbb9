"""The checks of ``dam doctor``; each says what it found, and what to do where that is not enough."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.metadata
import os
import platform
import re
import shutil
import sys
from typing import TYPE_CHECKING, Any, TextIO

from dam_expert.cli.options import report_language
from dam_expert.documents.messages import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_DISTRIBUTION = "dam-expert"
_DEVELOPING = frozenset({"dev"})
_FOLDER = re.compile(r" \([^()]*/[^()]*\)")
_EXTRA = re.compile(r"""extra\s*==\s*["']([\w-]+)["']""")
_NAME = re.compile(r"[A-Za-z0-9._-]+")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check: its name, whether it is well, and what was found or is to be done."""

    name: str
    is_ok: bool
    found: str


def all_checks(runbooks: Sequence[str] = ()) -> Iterator[Check]:
    """Run the checks one after the other; a failing one does not stop the rest."""
    yield Check(name="python", is_ok=sys.version_info >= (3, 11), found=platform.python_version())
    yield from _libraries()
    yield _engine()
    yield from _base(runbooks)
    yield _wording()


def all_readers() -> list[tuple[str, str]]:
    """Return each output that is read, with the versions that are known, in order of name."""
    from dam_expert.readers.registry import READERS

    return sorted(((reader.title, reader.versions) for reader in READERS), key=lambda pair: pair[0].lower())


def _libraries() -> Iterator[Check]:
    """Look every declared dependency up; those of extras are left out."""
    if _version(_DISTRIBUTION) is None:
        yield Check(name=_DISTRIBUTION, is_ok=True, found="runs from a checkout, not installed")
    for name in _declared(""):
        yield _library(name)


def surroundings(runbooks: Sequence[str] = ()) -> dict[str, Any]:
    """Return what a report of a mistake needs: versions, content of base and runbooks, extras, terminal.

    Nothing private: no name of a person, machine, folder or file.
    """
    return {
        "dam": _version(_DISTRIBUTION) or "checkout",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "libraries": {name: _version(name) for name in _declared("")},
        "extras": {
            extra: {name: _version(name) for name in _declared(extra)}
            for extra in _extras()
            if extra not in _DEVELOPING
        },
        "knowledge": _layers(runbooks),
        "terminal": {
            "stdin": _is_terminal(sys.stdin),
            "stdout": _is_terminal(sys.stdout),
            "stderr": _is_terminal(sys.stderr),
            "encoding": sys.stdout.encoding if sys.stdout is not None else None,
            "columns": shutil.get_terminal_size().columns,
            "type": os.environ.get("TERM"),
            "no_color": bool(os.environ.get("NO_COLOR")),
            "language": report_language(None),
        },
    }


def _layers(runbooks: Sequence[str]) -> dict[str, Any]:
    from dam_expert.cli import pipeline

    base, _ = pipeline.loaded(runbooks)
    if base is None:
        return {"content": None, "runbooks": []}
    layers = [{"name": each.name, "version": each.version, "content": each.digest} for each in base.layers.runbooks]
    return {"content": base.fingerprint, "runbooks": layers}


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _requirements() -> list[str]:
    try:
        return importlib.metadata.requires(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        return []


def _declared(extra: str) -> list[str]:
    """Return the libraries that are needed, or those of an extra."""
    rows = [(_NAME.match(each), _EXTRA.search(each)) for each in _requirements()]
    return [name[0] for name, found in rows if name is not None and (found[1] if found else "") == extra]


def _extras() -> list[str]:
    found = (_EXTRA.search(each) for each in _requirements())
    return list(dict.fromkeys(each[1] for each in found if each is not None))


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _library(name: str) -> Check:
    version = _version(name)
    if version is None:
        return Check(name=name, is_ok=False, found=f"not installed; run: pip install {name}")
    return Check(name=name, is_ok=True, found=version)


def _engine() -> Check:
    """Import the inference engine, which old pins of experta may have broken."""
    try:
        importlib.import_module("dam_expert.engine._experta")
    except ImportError as error:
        said = _FOLDER.sub("", printable(str(error)))  # where a library lies is nobody's business
        return Check(name="engine", is_ok=False, found=f"{said}; see Installing in the README")
    return Check(name="engine", is_ok=True, found="imports")


def _wording() -> Check:
    """Look at the program's own phrases and templates, without which no report can be written."""
    from dam_expert.cli import pipeline

    found = pipeline.report_faults()
    return Check(name="reports", is_ok=not found, found="; ".join(found) or "in three languages")


def _base(runbooks: Sequence[str]) -> Iterator[Check]:
    from dam_expert.cli import checking

    checked = checking.check_base(runbooks)
    for name, said in checked.runbooks:
        yield Check(name=f"runbook {name}", is_ok=True, found=said)
    if checked.has_errors:
        yield Check(name="knowledge base", is_ok=False, found="has errors; run: dam kb check")
        return
    counted = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in checked.counts.items() if count)
    yield Check(name="knowledge base", is_ok=True, found=counted)
