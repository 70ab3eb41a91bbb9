"""What the command at hand was given, kept with its call: no input is replaced, no error or doubtful reading forgotten.

The state lies in click's context, so it lives as long as one call and outside of a command there is none.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_USED: Final = "dam_expert.cli.inputs.used"
_READINGS: Final = "dam_expert.cli.inputs.readings"
_QUIET: Final = "dam_expert.cli.inputs.quiet"
_FAULTY: Final = "dam_expert.cli.inputs.faulty"


def note_used(paths: Iterable[Path]) -> None:
    """Remember files that the command has read."""
    context = click.get_current_context(silent=True)
    if context is not None:
        used: set[tuple[int, int]] = context.meta.setdefault(_USED, set())
        used.update(found for path in paths if (found := _identity(path)) is not None)


def holds(path: Path) -> bool:
    """Whether a path is one of the files that the command has read, under whatever name."""
    context = click.get_current_context(silent=True)
    return context is not None and _identity(path) in context.meta.get(_USED, set())


def note_reading(text: str) -> None:
    """Remember how something was read that could have been meant otherwise; it is said beside the answer."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta.setdefault(_READINGS, []).append(text)


def note_quiet() -> None:
    """Remember that only errors are to be said."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[_QUIET] = True


def readings(context: click.Context) -> list[str]:
    """Return how things were read in a call that could have been meant otherwise, each once; nothing to the quiet."""
    return [] if context.meta.get(_QUIET) else list(dict.fromkeys(context.meta.get(_READINGS, [])))


def note_faulty() -> None:
    """Remember that something in the inputs is an error: the command does not end as if all were well."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[_FAULTY] = True


def faulty(context: click.Context) -> bool:
    """Whether something in the inputs of a call was an error."""
    return bool(context.meta.get(_FAULTY))


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what a regular file is, whatever its name; None for anything else."""
    try:
        status = os.stat(path)  # noqa: PTH116 - a path with a NUL byte is a ValueError here
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino)
