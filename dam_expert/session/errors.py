"""What an answer that cannot be taken says: a phrase with its places, told in the language of the session."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dam_expert.documents.literals import QuantityError
    from dam_expert.reports import Glossary


class AnswerError(ValueError):
    """An answer that cannot be taken, with what to write instead: the key of a phrase and what fills it."""

    def __init__(self, key: str, **places: str) -> None:
        super().__init__(key, places)
        self.key = key
        self.places = places

    @classmethod
    def of(cls, error: QuantityError) -> AnswerError:
        """Return the complaint about a value; its sentences are told in other languages where they are known."""
        if error.hint:
            return cls("session.problem.hinted", text=error.text, hint=error.hint)
        return cls("session.problem.plain", text=error.text)

    def told(self, words: Glossary) -> str:
        """Return it in the language of a glossary."""
        return words.say(self.key, **{name: words.text(text) for name, text in self.places.items()})
