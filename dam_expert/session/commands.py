"""Commands of the session: everything one can say beside answering, in the words of any of the languages."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

from dam_expert.reports.model import Line
from dam_expert.session import changing, explaining, intervening, showing
from dam_expert.session.errors import AnswerError
from dam_expert.session.speech import begins_with, spoken
from dam_expert.session.state import Reply, State

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dam_expert.session.conversation import Conversation

    Command = Callable[[Conversation, State, str], tuple[State, Reply]]

COMMANDS: Final[Mapping[str, Command]] = {
    "why_not": explaining.why_not,
    "why": explaining.why,
    "how": explaining.how,
    "what_if": explaining.what_if,
    "change": changing.change,
    "back": changing.back,
    "undo": changing.undo,
    "show": showing.show,
    "report": showing.report,
    "plan": changing.plan,
    "tried": changing.tried,
    "did": intervening.did,
    "note": changing.note,
    "language": changing.language,
    "save": changing.save,
    "quit": changing.leave,
    "help": showing.help_,
}
#: A word of fewer letters is near too many others.
_LEAST_WORD: Final = 3
_NEAR: Final = 0.7
#: Commands that stand alone: with more words behind them it is an answer in words that happens to begin so.
_ALONE: Final = frozenset({"back", "undo", "report", "save", "quit", "help"})


def command_in(text: str) -> tuple[str, str] | None:
    """Return the command that a line is, with what stands behind it; None where it is an answer.

    >>> command_in("why not storage_bound"), command_in("为什么"), command_in("45 %")
    (('why_not', 'storage_bound'), ('why', ''), None)
    """
    if "\n" in text.strip():
        return None
    for name in COMMANDS:
        rest = begins_with(text, spoken(f"command.{name}"))
        if rest is not None and not (name in _ALONE and rest):
            return name, rest
    return None


def command_meant(text: str) -> str | None:
    """Return the word for a command that a line which is no answer probably begins with, misspelt.

    >>> command_meant("languge zh"), command_meant("45 %"), command_meant("shwo")
    ('language', None, 'show')
    """
    first = text.split(maxsplit=1)[0].casefold() if text.strip() else ""
    if len(first) < _LEAST_WORD or not first.isalpha():
        return None
    words = [word for name in COMMANDS for word in spoken(f"command.{name}") if " " not in word and word.isascii()]
    return next(iter(difflib.get_close_matches(first, words, n=1, cutoff=_NEAR)), None)


def run_command(talk: Conversation, state: State, command: str, rest: str) -> tuple[State, Reply]:
    """Run a command. What cannot be done changes nothing and says what to write instead."""
    try:
        return COMMANDS[command](talk, state, rest)
    except AnswerError as error:
        return state, talk.again(state, Line(error.told(talk.words(state))))
