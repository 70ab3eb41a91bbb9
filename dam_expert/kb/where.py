"""Where the shipped base lies: beside the package in a checkout, inside it in an installation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDERS = ("knowledge", "rules")

#: Folders under ``knowledge/`` that are not made of the entries of :mod:`dam_expert.kb.models`.
OTHER_FOLDERS = frozenset({"hardware", "prose", "texts"})


def shipped_folders(names: Sequence[str] = FOLDERS) -> list[Path]:
    """Return the folders of the shipped base. Raises FileNotFoundError where an installation lacks them."""
    package = Path(__file__).resolve().parent.parent
    for home in (package, package.parent):
        folders = [home / name for name in names]
        if all(folder.is_dir() for folder in folders):
            return folders
    raise FileNotFoundError(
        "the shipped base is missing: install dam-expert again (knowledge/ and rules/ are not there)"
    )


def base_files(folders: list[Path]) -> list[Path]:
    """Return the YAML files of a base in a stable order; hidden files and other folders are left out."""
    found = []
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder).parts
            hidden = any(part.startswith(".") for part in inside)
            if path.suffix in {".yaml", ".yml"} and not hidden and inside[0] not in OTHER_FOLDERS and path.is_file():
                found.append(path)
    return found
