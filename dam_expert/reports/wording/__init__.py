"""The program's own phrases, one file of data per language; ids, numbers and units are the same in all.

Those of the calculators and of readers stand apart, in ``calculators/`` and ``readers/``: a command reads only what it
says.

``en.yaml`` is the original: every other file has the same keys with the same places in braces. A phrase is chosen by
its key, and a sentence that the engine has written in English is recognised by its pattern under ``said``.

>>> load_wording("en").say("step.measure"), load_wording("zh").say("axis.data")
('Measure next', '数据')
"""

from __future__ import annotations

import dataclasses
import functools
import re
import string
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, get_args

import yaml

from dam_expert.documents.installation import InstallationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

Language = Literal["en", "zh", "vi"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
Group = Literal["", "calculators", "readers"]
GROUPS: Final[tuple[Group, ...]] = get_args(Group)

_SAID: Final = "said."
_HOLE: Final = re.compile(r"\{\w+\}")
_PLACE: Final = re.compile(r"\\\{(\w+)\\\}")
#: What stands side by side in a sentence, and the phrase that parts it in a language.
_BETWEEN: Final = (("; ", "semicolon"), (", ", "comma"))
#: A name, an option or a number: the same in all languages.
_UNTOLD: Final = re.compile(r"\S+")
#: Places of numbers, with a unit at most: no other words belong to them.
_NUMBERS: Final = frozenset({"n", "m"})
_NUMBER: Final = r"(?:[^\s,;]|,(?=\d))+(?: [%\w]{1,3})?"


@dataclasses.dataclass(frozen=True, slots=True)
class Pattern:
    """Recognises the sentences of one English phrase; most others are told apart without its expression."""

    phrase: str
    part: str
    """The longest part of the phrase between its places: it stands in every sentence of it."""

    def match(self, sentence: str) -> re.Match[str] | None:
        """Return what fills the places of the phrase in a sentence, or None where it is another sentence."""
        return _pattern(self.phrase).fullmatch(sentence) if self.part in sentence else None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The phrases of one language by key; ``patterns`` recognise the English sentences of the engine."""

    language: Language
    phrases: Mapping[str, str]
    patterns: Mapping[str, Pattern]
    file: str
    """The file of the phrases, to be named where it lacks one."""

    def say(self, key: str, **values: object) -> str:
        """Return a phrase with its places filled. Raises InstallationError where the file lacks it or its places."""
        try:
            phrase = self.phrases[key]
            return phrase.format(**values) if values else phrase
        except (LookupError, ValueError) as error:
            raise InstallationError(self.file, f"lacks the phrase '{key}' or one of its places") from error

    def count(self, key: str, number: int, **values: object) -> str:
        """Return the phrase for a number of things: ``KEY.one`` for one, else ``KEY.many``."""
        return self.say(f"{key}.one" if number == 1 else f"{key}.many", n=number, **values)

    def retold(self, sentence: str, part: Callable[[str], str]) -> str | None:
        """Return a sentence of the engine in this language, or None if none of its patterns fits.

        ``part`` translates what was filled in; a list joined by ``; `` is translated one by one.
        """
        return self._matched(sentence, part) or self._in_pieces(sentence, part)

    def _matched(self, sentence: str, part: Callable[[str], str]) -> str | None:
        for key, pattern in self.patterns.items():
            found = pattern.match(sentence)
            if found:
                between = self.phrases.get("semicolon", "; ")
                filled = {
                    name: between.join(part(each) for each in value.split("; "))
                    for name, value in found.groupdict().items()
                }
                return self.say(key, **filled)
        if self.file == _name(self.language, ""):
            return load_wording(self.language, "readers")._matched(sentence, part)
        return None

    def _in_pieces(self, sentence: str, part: Callable[[str], str]) -> str | None:
        """Tell what stands side by side piece by piece; None where one of the pieces is told by no pattern."""
        for mark, key in _BETWEEN:
            pieces = sentence.split(mark)
            told = list(self._runs(pieces, mark, part)) if len(pieces) > 1 else []
            if told and None not in told and "".join(filter(None, told)) != "".join(pieces):
                return self.phrases.get(key, mark).join(filter(None, told))
        return None

    def _runs(self, pieces: Sequence[str], mark: str, part: Callable[[str], str]) -> Iterator[str | None]:
        """Yield the longest runs of pieces that are told as one, then what follows; None for what nothing tells."""
        start = 0
        while start < len(pieces):
            runs = ((end, mark.join(pieces[start:end])) for end in range(len(pieces), start, -1))
            tries = ((end, self._matched(run, part)) for end, run in runs)
            end, told = next(((end, each) for end, each in tries if each is not None), (start + 1, None))
            alone = pieces[start]
            yield (
                told
                or (self._in_pieces(alone, part) if mark != ", " else None)
                or (alone if _UNTOLD.fullmatch(alone) else None)
            )
            start = end


def language_named(name: str) -> Language:
    """Return a language by its code. Raises KeyError for one that there are no phrases for."""
    return {language: language for language in LANGUAGES}[name]  # type: ignore[index]  # a str that may be one


@functools.cache
def load_wording(language: Language, group: Group = "") -> Wording:
    """Return the phrases of a language: those of reports, or of a group that stands apart."""
    phrases = _read(language, group)
    english = phrases if language == "en" else _read("en", group)
    said = [(key, text) for key, text in english.items() if key.startswith(_SAID)]
    said.sort(
        key=lambda pair: len(_HOLE.sub("", pair[1])), reverse=True
    )  # what says more of a sentence knows it better
    patterns = {key: Pattern(text, max(_HOLE.split(text), key=len)) for key, text in said}
    return Wording(language=language, phrases=phrases, patterns=patterns, file=_name(language, group))


def _read(language: str, group: Group) -> dict[str, str]:
    name = _name(language, group)
    try:
        text = (Path(__file__).parent / group / f"{language}.yaml").read_text(encoding="utf-8")
        data = yaml.load(text, Loader=yaml.CSafeLoader)
    except OSError as error:
        raise InstallationError(name, f"cannot be read ({error.strerror})") from error
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise InstallationError(name, "is not YAML") from error
    if not isinstance(data, dict) or not all(isinstance(each, str) for pair in data.items() for each in pair):
        raise InstallationError(name, "is not a list of phrases")
    return data


def _name(language: str, group: Group) -> str:
    return "/".join(filter(None, ("reports/wording", group, f"{language}.yaml")))


def wording_faults() -> Iterator[str]:
    """Yield what is wrong with the files of phrases: unreadable, or with other keys or places than their neighbours."""
    for group in GROUPS:
        yield from _faults(group)


def _faults(group: Group) -> Iterator[str]:
    found: dict[Language, Mapping[str, str]] = {}
    for language in LANGUAGES:
        try:
            found[language] = _read(language, group)
        except InstallationError as error:
            yield str(error)
    every = dict.fromkeys(key for phrases in found.values() for key in phrases)
    for language, phrases in found.items():
        lacking = [key for key in every if key not in phrases]
        other = [
            key
            for key, phrase in phrases.items()
            if any(_places(phrase) != _places(others[key]) for others in found.values() if key in others)
        ]
        if lacking:
            yield str(
                InstallationError(_name(language, group), f"lacks {len(lacking)} phrases, such as '{lacking[0]}'")
            )
        elif other:
            text = f"differs from another language in the places of '{other[0]}'"
            yield str(InstallationError(_name(language, group), text))


def _places(phrase: str | None) -> frozenset[str | None] | None:
    """Return the names of the places in braces; None for no phrase, and for one that cannot be filled."""
    if phrase is None:
        return None
    try:
        return frozenset(name for _, name, _, _ in string.Formatter().parse(phrase) if name is not None)
    except ValueError:
        return None


@functools.cache
def _pattern(text: str) -> re.Pattern[str]:
    def place(found: re.Match[str]) -> str:
        return f"(?P<{found[1]}>{_NUMBER if found[1] in _NUMBERS else '.+'})"

    return re.compile(_PLACE.sub(place, re.escape(text)), re.DOTALL)
