"""The one error of the command line: what to print, and the exit code."""

from __future__ import annotations

import contextlib
import enum
from typing import IO, TYPE_CHECKING, Any

import click

from dam_expert.cli import telling
from dam_expert.documents.messages import grouped, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.messages import Message


class Exit(enum.IntEnum):
    """What the exit code of ``dam`` means."""

    DONE = 0
    CONDITION = 1
    """A condition of ``--fail-on`` or ``--min`` holds."""
    USAGE = 2
    INVALID = 3
    """An input or the knowledge base cannot be used."""
    INTERRUPTED = 130


class Failure(click.ClickException):
    """Ends a command: its messages and its text go to stderr, its code to the caller."""

    def __init__(self, code: Exit, text: str = "", messages: Sequence[Message] = ()) -> None:
        super().__init__(text)
        self.exit_code = int(code)  # type: ignore[misc]  # click has one code per class
        self.messages = tuple(messages)
        self._language = telling.language()  # it is shown when the command is over

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the messages, one a line, then the text."""
        lines = [str(telling.told(message, self._language)) for message in grouped(self.messages)]
        text = telling.told_text(self.message, self._language)
        lines += [f"dam: {printable(text)}"] if text else []
        for line in lines:
            with contextlib.suppress(OSError):  # nobody hearing it is no error
                click.echo(line, file=file, err=file is None)
