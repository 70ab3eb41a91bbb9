"""Where data and talk go: stdout or a file, stderr, closed pipes, colour and width."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dam_expert.cli import inputs, telling
from dam_expert.cli.failure import Exit, Failure
from dam_expert.documents.messages import Level, grouped, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from typing_extensions import Buffer

    from dam_expert.documents.messages import Message
    from dam_expert.reports import Report

_WIDTH, _NARROWEST = 80, 40


def emit(form: str, data: Mapping[str, Any], text: Callable[[], str], output: str | None) -> None:
    """Write data in the format asked for; ``text`` is called only where text is wanted."""
    if form == "text":
        _write(text(), output, exact=False)
        return
    from dam_expert.reports.data import to_json, to_yaml

    _write(to_json(data) if form == "json" else to_yaml(data), output, exact=True)


def write_text(text: str, output: str | None) -> None:
    """Write text in a format of its own, such as XML."""
    _write(text, output, exact=True)


def emit_report(
    form: str,
    data: Callable[[], Mapping[str, Any]],
    report: Callable[[], Report],
    output: str | None,
    *,
    brief: bool,
    explain: bool,
) -> None:
    """Write a report, or for programs the document itself: whichever the format asks for is made."""
    if form == "html":
        from dam_expert.reports.html import to_html

        _write(to_html(report(), brief=brief), output, exact=True)
    elif form == "markdown":
        from dam_expert.reports import to_markdown

        _write(to_markdown(report(), brief=brief, explain=explain), output, exact=True)
    elif form == "text":
        from dam_expert.reports import to_text

        color, width = use_color(output), text_width(output)
        _write(to_text(report(), brief=brief, explain=explain, color=color, width=width), output, exact=False)
    else:
        emit(form, data(), str, output)


def talk_beside(messages: Iterable[Message], form: str, output: str | None, *, quiet: bool, listed: bool) -> None:
    """Print messages on stderr, unless the same screen shows them in the report, where they are ``listed``."""
    if not (listed and form == "text" and output is None and same_screen()):
        talk(messages, quiet=quiet)


def same_screen() -> bool:
    """Whether data and talk both go to a terminal."""
    return _on_terminal() and sys.stderr is not None and sys.stderr.isatty()


def talk(messages: Iterable[Message], *, quiet: bool = False) -> None:
    """Print messages, one for all files of a folder of which the same is said; ``quiet`` keeps only errors."""
    spoken = telling.language()
    for message in grouped(messages):
        if not quiet or message.level is Level.ERROR:
            say(str(telling.told(message, spoken)))


def use_color(output: str | None) -> bool:
    """Whether escape codes are welcome: on a terminal that is not dumb, unless NO_COLOR is set to anything."""
    unwanted = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return output is None and not unwanted and _on_terminal()


def text_width(output: str | None) -> int:
    """Return 80, or less where the terminal is narrower."""
    if output is not None or not _on_terminal():
        return _WIDTH
    return max(min(shutil.get_terminal_size().columns, _WIDTH), _NARROWEST)


def _on_terminal() -> bool:
    """Whether stdout is a terminal; a process may also have been started without one."""
    return sys.stdout is not None and sys.stdout.isatty()


def _write(text: str, output: str | None, *, exact: bool) -> None:
    if output is None or output == "-":
        _to_stdout(text, exact=exact)
    else:
        write_file(Path(output), text.encode("utf-8", "backslashreplace"))


def _to_stdout(text: str, *, exact: bool) -> None:
    """Write to stdout. A reader that has closed the pipe has had enough: that is no error.

    ``exact`` data is UTF-8 whatever the terminal speaks; letters that it cannot show are spelt out in text.
    """
    if sys.stdout is None:  # its reader has left a session
        return
    encoding = "utf-8" if exact else sys.stdout.encoding or "utf-8"
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode(encoding, "backslashreplace"))
        sys.stdout.buffer.flush()
    except OSError as error:
        end_stdout()
        if not isinstance(error, BrokenPipeError):
            raise Failure(Exit.USAGE, f"cannot write: {error.strerror or error}") from error


def open_streams() -> None:
    """Give a process that was started without stdin, stdout or stderr one in its place: to write to stdout is an error.

    Else the first files it opens would be taken for them, and what is written there would end up in those files.
    """
    for handle in range(3):
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number: this one
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - for the whole process
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(_Closed(os.open(os.devnull, os.O_RDONLY), "w")), "utf-8")


class _Closed(io.FileIO):
    """The stdout of a process that has none: what is written is an error, not lost without a word.

    Its file is one that cannot be written, until :func:`end_stdout` puts one there that takes everything.
    """

    def write(self, content: Buffer, /) -> int:
        try:
            return super().write(content)
        except OSError:
            raise OSError(errno.EBADF, "stdout is closed") from None


def end_stdout() -> None:
    """Send what is still to come on stdout nowhere, or the interpreter would complain when it flushes at exit."""
    with contextlib.suppress(OSError, ValueError):  # a stdout of no file has nothing to flush
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def say(line: str) -> None:
    """Say one line on stderr, spelt out where it could act on a terminal; nobody hearing it is no error."""
    with contextlib.suppress(OSError):
        click.echo(printable(line), err=True)


def write_file(path: Path, content: bytes) -> None:
    """Replace a file in one step. Raises Failure where it cannot be written, or is an input of the same command."""
    from dam_expert.documents.files import replace_file

    if inputs.holds(path):
        text = f"cannot write {path}: it is an input of this command, which would be lost; name another file with -o"
        raise Failure(Exit.USAGE, text)
    try:
        replace_file(path, content)
    except OSError as error:
        raise Failure(Exit.USAGE, f"cannot write {path}: {error.strerror or error}") from error
