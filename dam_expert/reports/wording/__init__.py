"""The program's own phrases, one file of data per language; ids, numbers and units are the same in all.

``en.yaml`` is the original: every other file has the same keys with the same places in braces. A phrase is chosen by
its key, and a sentence that the engine has written in English is recognised by its pattern under ``said``.

>>> load_wording("en").say("step.measure"), load_wording("zh").say("axis.data")
('Measure next', '数据')
"""

from __future__ import annotations

import dataclasses
import functools
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, get_args

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Language = Literal["en", "zh", "vi"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)

_SAID: Final = "said."
_PLACE: Final = re.compile(r"\\\{(\w+)\\\}")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The phrases of one language by key; ``patterns`` recognise the English sentences of the engine."""

    language: Language
    phrases: Mapping[str, str]
    patterns: Mapping[str, re.Pattern[str]]

    def say(self, key: str, **values: object) -> str:
        """Return a phrase with its places filled. A key that is not there is a mistake of the program: KeyError."""
        return self.phrases[key].format(**values) if values else self.phrases[key]

    def count(self, key: str, number: int, **values: object) -> str:
        """Return the phrase for a number of things: ``KEY.one`` for one, else ``KEY.many``."""
        return self.say(f"{key}.one" if number == 1 else f"{key}.many", n=number, **values)

    def retold(self, sentence: str, part: Callable[[str], str]) -> str | None:
        """Return a sentence of the engine in this language, or None if none of its patterns fits.

        ``part`` translates what was filled in; a list joined by ``; `` is translated one by one.
        """
        for key, pattern in self.patterns.items():
            found = pattern.fullmatch(sentence)
            if found:
                filled = {
                    name: "; ".join(part(each) for each in value.split("; "))
                    for name, value in found.groupdict().items()
                }
                return self.say(key, **filled)
        return None


def language_named(name: str) -> Language:
    """Return a language by its code. Raises KeyError for one that there are no phrases for."""
    return {language: language for language in LANGUAGES}[name]  # type: ignore[index]  # a str that may be one


@functools.cache
def load_wording(language: Language) -> Wording:
    """Return the phrases of a language."""
    phrases = _read(language)
    english = phrases if language == "en" else _read("en")
    patterns = {key: _pattern(text) for key, text in english.items() if key.startswith(_SAID)}
    return Wording(language=language, phrases=phrases, patterns=patterns)


def _read(language: str) -> dict[str, str]:
    path = Path(__file__).with_name(f"{language}.yaml")
    data: dict[str, str] = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return data


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(_PLACE.sub(r"(?P<\1>.+)", re.escape(text)), re.DOTALL)
