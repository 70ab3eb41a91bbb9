"""What the session says and understands, in the language it is held in.

Phrases and words stand in the wording of the reports, under ``session.``; texts of the base are translated where there
is a translation. Words that people type are understood in every language at once.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

from dam_expert.documents.answering import holds_word, is_han
from dam_expert.kb.texts import load_texts
from dam_expert.reports import Glossary, glossary_of
from dam_expert.reports.wording import LANGUAGES, language_named, load_wording

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dam_expert.kb.base import Base

_BETWEEN: Final = ";"
_ENDS: Final = " ,:?!，：？！"


class Speech:
    """The glossaries of one base, each made when its language is first spoken."""

    def __init__(self, base: Base, language: str = "en") -> None:
        self._base = base
        self.language = language
        self._known: dict[str, Glossary] = {}

    def of(self, language: str | None) -> Glossary:
        """Return how things are called in a language; None is the language of the front."""
        name = language if language in LANGUAGES else self.language
        if name not in self._known:
            self._known[name] = self._made(name)
        return self._known[name]

    def _made(self, name: str) -> Glossary:
        language = language_named(name)
        if language == "en":
            return glossary_of(self._base)
        texts, _ = load_texts(self._base, language)
        return glossary_of(self._base, language, texts.by_original)


@functools.cache
def spoken(key: str) -> tuple[str, ...]:
    """Return the words that mean one thing in all languages, the longest first, without regard to case.

    >>> "unknown" in spoken("answer.unknown"), "不知道" in spoken("answer.unknown")
    (True, True)
    """
    found = (word.strip().casefold() for name in LANGUAGES for word in _listed(name, key))
    return tuple(sorted(dict.fromkeys(filter(None, found)), key=len, reverse=True))


def _listed(language: str, key: str) -> list[str]:
    return load_wording(language_named(language)).phrases[f"session.{key}"].split(_BETWEEN)


def begins_with(text: str, words: Iterable[str]) -> str | None:
    """Return what follows one of the words at the beginning of a text; None where it begins with none of them.

    A word ends at a blank, a mark or the end; Chinese is written without blanks.

    >>> begins_with("Why not x", ("why not",)), begins_with("whynot", ("why",)), begins_with("为什么不x", ("为什么不",))
    ('x', None, 'x')
    """
    said = text.strip()
    for word in words:
        if said[: len(word)].casefold() != word:
            continue
        rest = said[len(word) :]
        if not rest or is_han(word[-1]) or rest[0].isspace() or rest[0] in _ENDS:
            return rest.lstrip(_ENDS).strip()
    return None


def holds_any(text: str, words: Iterable[str]) -> bool:
    """Whether a text holds one of the words as a whole word; Chinese is written without blanks.

    >>> holds_any("We tried it", ("tried",)), holds_any("retried", ("tried",)), holds_any("我们试过", ("试过",))
    (True, False, True)
    """
    said = text.casefold().replace("’", "'")
    return any(holds_word(said, word) for word in words)
