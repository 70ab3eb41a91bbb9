"""How a session is spoken: plain lines on a pipe, lines with pastes on a terminal, editing where that is installed."""

from __future__ import annotations

import dataclasses
import os
import select
import sys
from typing import TYPE_CHECKING, Final

from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.output import end_stdout

if TYPE_CHECKING:
    from collections.abc import Callable

    from dam_expert.kb.base import Base

#: Lines of a paste follow each other within this time; nobody types a second line so soon.
_PASTE_GAP_S: Final = 0.05


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """Where answers come from and where replies go; ``read`` returns a line, or None at the end of input."""

    read: Callable[[], str | None]
    say: Callable[[str], None]
    reads_nothing: bool = False


def front_for(base: Base, *, plain: bool, no_input: bool) -> Front:
    """Return the front that fits: with editing only on a terminal that can, and where the extra is installed."""
    if no_input:
        return Front(read=_nothing, say=say, reads_nothing=True)
    if not sys.stdin.isatty():
        return Front(read=_line, say=say)
    if not plain and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        try:
            from dam_expert.session.terminal import Terminal
        except ImportError:
            pass
        else:
            return Front(read=Terminal(base).read, say=say)
    return Front(read=_PlainTerminal().read, say=say)


def say(line: str) -> None:
    """Write one line at once; letters that the terminal cannot show are spelt out."""
    if sys.stdout is None:
        return
    encoding = sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.buffer.write(f"{line}\n".encode(encoding, "backslashreplace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        end_stdout()
        raise Failure(Exit.USAGE, f"cannot write: {error.strerror or error}") from error


def _line() -> str | None:
    line = sys.stdin.buffer.readline()
    return line.decode("utf-8", "surrogateescape").rstrip("\r\n") if line else None


def _nothing() -> str | None:
    return None


class _PlainTerminal:
    """Reads lines from a terminal without editing; lines that come at once are a paste, which is one answer."""

    def __init__(self) -> None:
        self._waiting: list[str] = []

    def read(self) -> str | None:
        """Return the next line, or None when the person ends the input."""
        from dam_expert.session.lines import PASTE_BEGINS, PASTE_ENDS

        if self._waiting:
            return self._waiting.pop(0)
        lines = [first] if (first := _line()) is not None else []
        while lines and lines[0].strip() != PASTE_BEGINS and _more_waits():
            line = _line()
            if line is None:
                break
            lines.append(line)
        if len(lines) > 1:
            self._waiting = [*lines, PASTE_ENDS]
            return PASTE_BEGINS
        return lines[0] if lines else None


def _more_waits() -> bool:
    readable, _, _ = select.select([sys.stdin], [], [], _PASTE_GAP_S)
    return bool(readable)
