"""A tool's text in source code, configuration or a document is a quotation: it need not be of this run."""

from __future__ import annotations

import dataclasses
import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from dam_expert.documents.observations import Basis

if TYPE_CHECKING:
    from dam_expert.readers.interface import Reading

_CODE = frozenset(
    [
        *(".py", ".pyi", ".ipynb", ".sh", ".bash", ".zsh", ".slurm", ".sbatch", ".c", ".cc", ".cpp", ".cu", ".cuh"),
        *(".h", ".hpp", ".rs", ".go", ".java", ".js", ".ts", ".lua", ".rb", ".pl"),
    ]
)
_CONFIGURATION = frozenset([".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".gin"])
_DOCUMENT = frozenset([".md", ".markdown", ".mdx", ".rst", ".adoc", ".tex", ".html", ".htm", ".org"])
_NAMED = re.compile(
    r"^(?:readme|changelog|changes|notes|troubleshooting|faq|contributing|todo)(?:\.txt)?$", re.IGNORECASE
)


def is_quoting(name: str) -> bool:
    """Return whether a file of this name is code, configuration or a document, in which a tool's text is a quotation.

    >>> is_quoting("src/train.py"), is_quoting("README"), is_quoting("train.log")
    (True, True, False)
    """
    path = PurePath(name)
    return path.suffix.lower() in _CODE | _CONFIGURATION | _DOCUMENT or _NAMED.match(path.name) is not None


def as_quoted(reading: Reading) -> Reading:
    """Return the reading with its observations known only as something said."""
    said = tuple(dataclasses.replace(found, basis=Basis.SAID) for found in reading.observations)
    return dataclasses.replace(reading, observations=said)
