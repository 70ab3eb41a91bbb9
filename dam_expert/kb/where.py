"""Where the shipped base lies: beside the package in a checkout, inside it in an installation."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    return [path for folder in folders for path in sorted(_files(folder), key=lambda found: found.parts)]


def hardware_files(folders: list[Path]) -> list[Path]:
    """Return the files of the hardware catalogue of a base, which lie beside its knowledge."""
    homes = [folder / "hardware" for folder in folders if (folder / "hardware").is_dir()]
    return sorted(homes[0].glob("*.yaml")) if homes else []


def loaded_files(folders: list[Path]) -> list[Path]:
    """Return every file that a base is made of; translations and the words of reports are read apart."""
    return [*base_files(folders), *hardware_files(folders)]


def _files(folder: Path) -> Iterator[Path]:
    for place, inner, names in os.walk(folder, followlinks=False):
        at = Path(place)
        if at == folder:
            inner[:] = [name for name in inner if name not in OTHER_FOLDERS]
        inner[:] = [name for name in inner if not name.startswith(".")]
        for name in names:
            path = at / name
            if path.suffix in {".yaml", ".yml"} and not name.startswith(".") and path.is_file():
                yield path
