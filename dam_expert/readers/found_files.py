"""Which files a list of paths means: files as given, folders searched in order, nothing that is not a plain file."""

from __future__ import annotations

import dataclasses
import os
import stat
from typing import TYPE_CHECKING

from dam_expert.documents.files import NotAFileError
from dam_expert.documents.messages import Level, Message

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

DEPTH = 8
"""Folders within folders that are entered."""

FILES = 5000
"""Files that are looked at; more is a data set, not an incident."""


@dataclasses.dataclass(slots=True)
class Search:
    """Collects files. Each file and folder is taken once, by what it is and not by its name, so that links end.

    A folder that was named is entered whatever it is; within it, a link to a folder elsewhere is not followed.
    """

    files: list[Path] = dataclasses.field(default_factory=list)
    messages: list[Message] = dataclasses.field(default_factory=list)
    _seen: set[tuple[int, int]] = dataclasses.field(default_factory=set)
    _full: bool = False
    _home: Path | None = None
    """The folder that was named, under its real name."""

    def add(self, path: Path, depth: int = 0) -> None:
        """Add a file, or all files under a folder in order of name."""
        try:
            status = path.stat()
        except (OSError, ValueError) as error:  # a name with a NUL byte is a ValueError
            self._refuse(path, *reason(error))
            return
        identity = (status.st_dev, status.st_ino)
        if identity in self._seen:
            return
        if not stat.S_ISDIR(status.st_mode):
            self._seen.add(identity)
        if stat.S_ISDIR(status.st_mode):
            self._home = path.resolve() if depth == 0 else self._home
            if self._home is not None and leads_out(path, self._home):
                self.messages.append(left_alone(path))
            else:
                self._seen.add(identity)
                self._enter(path, depth)
        elif not stat.S_ISREG(status.st_mode):
            self._refuse(path, "not-a-file", "it is a pipe, socket or device", "save the content to a file first")
        elif len(self.files) >= FILES:
            self._stop(path)
        else:
            self.files.append(path)

    def _enter(self, folder: Path, depth: int) -> None:
        if depth > DEPTH:
            self._refuse(folder, "too-deep", f"folders are entered {DEPTH} deep", "pass this folder by itself")
            return
        try:
            inside = sorted(os.listdir(folder))  # noqa: PTH208 - names alone are enough to sort
        except OSError as error:
            self._refuse(folder, *reason(error))
            return
        visible = [name for name in inside if not name.startswith(".")]
        if not visible and not depth:
            self._refuse(folder, "empty-folder", "the folder holds no files", "pass the folder with the tool outputs")
        for name in visible:
            self.add(folder / name, depth + 1)

    def _stop(self, path: Path) -> None:
        if not self._full:
            self._refuse(path, "too-many-files", f"only {FILES} files are read", "pass fewer files")
        self._full = True

    def _refuse(self, path: Path, code: str, text: str, hint: str) -> None:
        self.messages.append(Message(file=str(path), level=Level.WARNING, code=code, text=text, hint=hint))


def leads_out(folder: Path, home: Path) -> bool:
    """Whether a folder within another one, whose real name is ``home``, is a link to one that does not lie in it."""
    return folder.is_symlink() and not folder.resolve().is_relative_to(home)


def left_alone(folder: Path) -> Message:
    """Return what is said of a link that leads out of the folder that was named."""
    text = "this link leads out of the folder that was named: not followed"
    return Message(file=str(folder), level=Level.NOTE, code="outside", text=text, hint="pass what it names by itself")


def reason(error: OSError | ValueError) -> tuple[str, str, str]:
    """Return code, text and next step for a file that the system does not hand over."""
    if isinstance(error, FileNotFoundError):
        return "not-found", "there is no such file or folder", "check the spelling"
    if isinstance(error, PermissionError):
        return "unreadable", "it may not be read", "give read permission, for example chmod a+r"
    if isinstance(error, NotAFileError):
        return "not-a-file", error.text, "save the content to a file first"
    said = getattr(error, "strerror", None) or error
    return "unreadable", f"the system cannot read it ({said})", "copy it to a local disk"


def searched(paths: Iterable[Path]) -> Search:
    """Return the files that the paths mean, and what could not be used."""
    search = Search()
    for path in paths:
        search.add(path)
    return search
