"""The one error for a file of the program itself that is missing or damaged: no input is at fault."""

from __future__ import annotations


class InstallationError(Exception):
    """A file that came with the program cannot be used. The text names it, and what is wrong with it."""

    def __init__(self, file: str, text: str) -> None:
        super().__init__(f"{file}, a file of the program itself, {text}: install dam-expert again")
