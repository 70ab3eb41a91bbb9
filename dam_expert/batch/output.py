"""The output while it is made: a hidden file beside the wanted one, and a journal that says what is in it.

A killed run leaves both; the next one with ``--resume`` cuts the file to what the journal says and goes on with the
next piece. The wanted file appears in one step when everything is in it.
"""

from __future__ import annotations

import dataclasses
import fcntl
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO


class OutputError(Exception):
    """The output cannot be made, in one line."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One line of the journal: how many pieces are done, where the file ends after them, and the piece's counts."""

    pieces: int
    end: int
    counts: dict[str, Any]


class Output:
    """One unfinished output. A lock on the hidden file keeps two runs from writing to it at once."""

    def __init__(self, target: Path, run: str, *, resume: bool, jobs: int = 1) -> None:
        self.target = Path(os.path.realpath(target))
        self.part = self.target.with_name(f".{self.target.name}.dam-part")
        self.journal = self.target.with_name(f".{self.target.name}.dam-journal")
        self.run = run
        self.jobs = jobs
        """For how many processes the input is cut into pieces: of a run that goes on as when it began."""
        self.done: list[Record] = []
        self.was_finished = False
        """Whether everything was done before, but for removing the journal."""
        self._stream, self._log = self._opened(resume=resume)

    @property
    def pieces(self) -> int:
        """How many pieces are in the file."""
        return self.done[-1].pieces if self.done else 0

    def add(self, content: bytes, counts: dict[str, Any]) -> None:
        """Append a piece and note it. What is noted is in the file; what is not noted is cut off by the next run."""
        self._stream.write(content)
        self._stream.flush()
        record = Record(pieces=self.pieces + 1, end=self._stream.tell(), counts=counts)
        self._note(dataclasses.asdict(record))
        self.done.append(record)

    def finish(self, made: Callable[[Path, Path], None] | None = None) -> None:
        """Let the wanted file appear; ``made`` writes it from the hidden one where the format needs that."""
        if not self.was_finished:
            self._note({"finished": True})
            if made is not None:
                whole = self.target.with_name(f".{self.target.name}.dam-whole")
                made(self.part, whole)
                whole.replace(self.target)
            else:
                self.part.replace(self.target)
        self.part.unlink(missing_ok=True)
        self.journal.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Let go of the files; an unfinished output stays for ``--resume``."""
        self._stream.close()
        self._log.close()

    def discard(self) -> None:
        """Remove an unfinished output in which there is nothing."""
        self.close()
        self.part.unlink(missing_ok=True)
        self.journal.unlink(missing_ok=True)

    def _opened(self, *, resume: bool) -> tuple[BinaryIO, BinaryIO]:
        stream = self.part.open("ab")
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            stream.close()
            raise OutputError(f"another run is writing {self.target.name}") from None
        try:
            self.done = self._known(os.fstat(stream.fileno()).st_size) if resume else []
            end = self.done[-1].end if self.done and not self.was_finished else 0
            stream.truncate(end)
            stream.seek(end)
            log = self.journal.open("ab" if self.done else "wb")
        except BaseException:
            stream.close()
            raise
        self._log = log
        if not self.done:
            self._note({"run": self.run, "jobs": self.jobs})
        elif not self.was_finished:
            log.truncate(self._sound)
            log.seek(self._sound)
        return stream, log

    def _known(self, size: int) -> list[Record]:
        """Return what the journal says is in the file; a line that was cut off says nothing."""
        self._sound = 0
        lines = self._journal_lines()
        if not lines:
            return []
        if lines[0][0].get("run") != self.run:
            raise OutputError(
                f"the unfinished {self.target.name} is of another run (other inputs, options or knowledge); "
                "leave out --resume to begin anew"
            )
        jobs = lines[0][0].get("jobs")
        self.jobs = jobs if isinstance(jobs, int) and jobs > 0 else 1
        found = [Record(**said) for said, _ in lines[1:] if "end" in said]
        if "finished" in lines[-1][0] and size == 0 and self.target.exists():
            self.was_finished = True  # it was cut off between its last two steps
            return found
        sound = [record for record in found if record.end <= size]
        self._sound = sum(length for _, length in lines[: 1 + len(sound)])
        return sound

    def _journal_lines(self) -> list[tuple[dict[str, Any], int]]:
        """Return the whole lines of the journal, each with its length in bytes."""
        try:
            lines = self.journal.read_bytes().splitlines(keepends=True)
        except FileNotFoundError:
            return []
        found = []
        for line in lines:
            try:
                found.append((json.loads(line), len(line)))
            except ValueError:
                break
            if not line.endswith(b"\n"):
                return found[:-1]
        return found

    def _note(self, data: dict[str, Any]) -> None:
        self._log.write(json.dumps(data, separators=(",", ":")).encode() + b"\n")
        self._log.flush()
