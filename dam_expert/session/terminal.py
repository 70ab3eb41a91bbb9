"""The front for a terminal: line editing, history, completion of names, pasting of whole tool outputs.

It speaks the same protocol of lines as a pipe; only the way an answer is typed differs. Needs the extra ``tui``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings

from dam_expert.session.commands import COMMANDS
from dam_expert.session.lines import PASTE_BEGINS, PASTE_ENDS
from dam_expert.session.speech import begins_with, spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding import KeyPressEvent

    from dam_expert.kb.base import Base

_ABOUT_NAMES = ("how", "why_not", "what_if", "change")
_ABOUT_LEVERS = ("plan", "tried", "did")


class NameCompleter(Completer):
    """Completes commands at the start of a line, and behind them the names that they take."""

    def __init__(self, base: Base) -> None:
        self._names = sorted({*base.measurements, *base.hypotheses, *base.rules})
        self._levers = sorted(base.levers)
        self._commands = sorted({word for name in COMMANDS for word in spoken(f"command.{name}")})

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield what the word before the cursor could become."""
        line = document.text_before_cursor
        for names, commands in ((self._names, _ABOUT_NAMES), (self._levers, _ABOUT_LEVERS)):
            for command in commands:
                rest = begins_with(line, spoken(f"command.{command}"))
                if rest is not None and (rest or line.endswith(" ")):
                    yield from _beginning(names, rest.split(" ")[-1])
                    return
        yield from _beginning([*self._commands, *self._names], line.lstrip())


def _beginning(names: Iterable[str], word: str) -> Iterator[Completion]:
    for name in names:
        if name.startswith(word.casefold()):
            yield Completion(name, start_position=-len(word))


class Terminal:
    """Reads answers from a terminal; a pasted text of several lines becomes one answer."""

    def __init__(self, base: Base) -> None:
        bindings = KeyBindings()

        @bindings.add("enter")
        def _send(event: KeyPressEvent) -> None:
            event.current_buffer.validate_and_handle()

        self._prompt: PromptSession[str] = PromptSession(
            "> ",
            completer=NameCompleter(base),
            complete_while_typing=False,
            history=InMemoryHistory(),
            multiline=True,
            key_bindings=bindings,
        )
        self._waiting: Iterator[str] = iter(())

    def read(self) -> str | None:
        """Return the next line, or None when the person ends the input (Ctrl-D); Ctrl-C clears the line."""
        for line in self._waiting:
            return line
        while True:
            try:
                text = self._prompt.prompt()
            except KeyboardInterrupt:
                continue
            except EOFError:
                return None
            if "\n" not in text.strip():
                return text.strip()
            self._waiting = iter([*text.splitlines(), PASTE_ENDS])
            return PASTE_BEGINS
