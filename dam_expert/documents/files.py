"""Opening files of strangers without waiting, and replacing files in one step.

A file is opened only if it is one: a pipe, a device or a socket could block for ever, or do something when it is read.

Of a file that is replaced the old content stands until the new one is on disk, and nothing else changes. What is
written lies in a locked part file beside it until it is complete. The lock goes with the process, so that the next
write tells the part of a killed one from the part of one that is still writing, and removes it.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from typing_extensions import Buffer

_NAME_BYTES = 200
"""Bytes of a name that its part keeps: a name may have 255."""


LINE_ENDS = (b"\r", "\u2028".encode(), "\u2029".encode(), b"\xc2\x85")
"""What ends lines in texts that hold no line feed: old Macintoshes, and programs that take Unicode at its word."""


def line_end_of(text: bytes) -> bytes | None:
    r"""Return what ends the lines of a UTF-8 text where that is no line feed; None for all that is usual or binary.

    >>> line_end_of(b"a\rb\r"), line_end_of(b"a\r\nb"), line_end_of(b"SQLite\x00\r")
    (b'\r', None, None)
    """
    if b"\n" in text or b"\x00" in text:
        return None
    return next((end for end in LINE_ENDS if end in text), None)


class _Ready(io.FileIO):
    """A file of which nothing is read where nothing is ready: the end, in place of None."""

    def readinto(self, buffer: Buffer, /) -> int:
        return super().readinto(buffer) or 0

    def readall(self) -> bytes:
        return super().readall() or b""


class NotAFileError(OSError):
    """What was to be read as a file is a folder, a pipe, a socket or a device; ``text`` says which."""

    def __init__(self, text: str, path: Path) -> None:
        super().__init__(errno.EINVAL, text, str(path))
        self.text = text


def open_file(path: Path) -> BinaryIO:
    """Open a plain file for reading. Raises NotAFileError for anything else, and any other OSError for what it is.

    Reading never waits: of a file of the kernel that has nothing to say at the moment, nothing is read.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError:
        raise FileNotFoundError(errno.ENOENT, "its name holds a NUL byte", str(path)) from None
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            text = "it is a folder" if stat.S_ISDIR(mode) else "it is a pipe, socket or device"
            raise NotAFileError(text, path)
        return io.BufferedReader(_Ready(handle))
    except BaseException:
        os.close(handle)
        raise


def replace_file(path: Path, content: bytes) -> None:
    """Write a file whole or not at all. Raises OSError, and then the old content stands.

    Links are followed. Rights and owner stay those of the old file. Refused is what would lose something: a file that
    may not be written, and one with other hard links, which would keep the old content under another name. A device
    or a pipe is written to directly.
    """
    target = Path(os.path.realpath(path))
    try:
        old = path.stat()
    except FileNotFoundError:
        old = None
    if old is not None and not stat.S_ISREG(old.st_mode):
        path.write_bytes(content)  # by the name that was given: the real name of a pipe cannot be opened
        return
    if old is not None and old.st_nlink > 1:
        raise OSError(errno.EMLINK, "it has other hard links, which would keep the old content; name another file")
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    _sweep(target)
    with _part(target, 0o666) as (beside, handle):
        if old is not None:
            os.fchmod(handle, stat.S_IMODE(old.st_mode))
            with contextlib.suppress(OSError):  # only root may give a file away; else it is the writer's own
                os.fchown(handle, old.st_uid, old.st_gid)
        _put(beside, handle, content, target)


def put_private_file(path: Path, content: bytes) -> None:
    """Put a new file that is its owner's alone at a name, whole or not at all. Raises OSError.

    Nothing that stands at the name is opened, followed or written: a file, a link, a pipe gives its name to the new
    file, and what a link names stays as it is. A folder is an error.
    """
    _sweep(path)
    with _part(path, 0o600) as (beside, handle):
        _put(beside, handle, content, path)


def _put(beside: Path, handle: int, content: bytes, target: Path) -> None:
    """Fill a part, and give it the name of the target once it is on disk."""
    _write(handle, content)
    os.fsync(handle)
    beside.replace(target)
    _settle(target.parent)


@contextlib.contextmanager
def _part(target: Path, mode: int) -> Iterator[tuple[Path, int]]:
    """Give a new locked file beside the target, and its handle; what is left of it at the end is removed."""
    import secrets  # only where something is written

    while True:
        beside = target.with_name(f".{_short(target.name)}.{secrets.token_hex(4)}.part")
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        try:
            with contextlib.suppress(OSError):  # a file system without locks: then no part is ever taken for a dead one
                fcntl.flock(handle, fcntl.LOCK_EX)
            if os.fstat(handle).st_nlink == 0:  # swept between opening and locking
                continue
            yield beside, handle
            return
        finally:
            os.close(handle)
            beside.unlink(missing_ok=True)


def _write(handle: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]


def _sweep(target: Path) -> None:
    """Remove the parts of earlier writes of this file whose process is gone."""
    part = re.compile(rf"\.{re.escape(_short(target.name))}\.[0-9a-f]{{8}}\.part")
    for name in os.listdir(target.parent):  # noqa: PTH208 - names alone are looked at
        if part.fullmatch(name):
            with contextlib.suppress(OSError):  # still being written, or not ours to remove
                handle = os.open(target.with_name(name), os.O_RDWR | os.O_NOFOLLOW)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    target.with_name(name).unlink()
                finally:
                    os.close(handle)


def _short(name: str) -> str:
    return os.fsdecode(os.fsencode(name)[:_NAME_BYTES])


def _settle(folder: Path) -> None:
    """Make the renaming itself durable, where the file system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
