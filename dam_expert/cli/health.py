"""The checks of ``dam doctor``; each says what it found, and what to do where that is not enough."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.metadata
import platform
import re
import sys
from typing import TYPE_CHECKING

from dam_expert.documents.messages import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_DISTRIBUTION = "dam-expert"
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
    try:
        declared = importlib.metadata.requires(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        yield Check(name=_DISTRIBUTION, is_ok=True, found="runs from a checkout, not installed")
        return
    for requirement in declared:
        match = _NAME.match(requirement)
        if match and "extra ==" not in requirement:
            yield _library(match[0])


def _library(name: str) -> Check:
    try:
        return Check(name=name, is_ok=True, found=importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Check(name=name, is_ok=False, found=f"not installed; run: pip install {name}")


def _engine() -> Check:
    """Import the inference engine, which old pins of experta may have broken."""
    try:
        importlib.import_module("dam_expert.engine._experta")
    except ImportError as error:
        return Check(name="engine", is_ok=False, found=f"{printable(str(error))}; see Installing in the README")
    return Check(name="engine", is_ok=True, found="imports")


def _wording() -> Check:
    """Look at the program's own phrases and templates, without which no report can be written."""
    from dam_expert.cli import pipeline

    found = pipeline.report_faults()
    return Check(name="reports", is_ok=not found, found="; ".join(found) or "in three languages")


def _base(runbooks: Sequence[str]) -> Iterator[Check]:
    from dam_expert.cli import pipeline

    checked = pipeline.check_base(runbooks)
    for name, said in checked.runbooks:
        yield Check(name=f"runbook {name}", is_ok=True, found=said)
    if checked.has_errors:
        yield Check(name="knowledge base", is_ok=False, found="has errors; run: dam kb check")
        return
    counted = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in checked.counts.items() if count)
    yield Check(name="knowledge base", is_ok=True, found=counted)
