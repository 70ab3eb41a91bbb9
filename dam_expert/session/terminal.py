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

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding import KeyPressEvent

    from dam_expert.kb.base import Base

_ABOUT_NAMES = {"how", "why", "what", "change"}
_ABOUT_LEVERS = {"plan", "tried", "did"}


class NameCompleter(Completer):
    """Completes commands at the start of a line, and behind them the names that they take."""

    def __init__(self, base: Base) -> None:
        self._names = sorted({*base.measurements, *base.hypotheses, *base.rules})
        self._levers = sorted(base.levers)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield what the word before the cursor could become."""
        line = document.text_before_cursor
        word = document.get_word_before_cursor(WORD=True)
        first, _, rest = line.lstrip().partition(" ")
        if not rest and not line.endswith(" "):
            known: Iterable[str] = COMMANDS
        elif first in _ABOUT_NAMES:
            known = self._names
        elif first in _ABOUT_LEVERS:
            known = self._levers
        else:
            return
        for name in known:
            if name.startswith(word):
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
