r"""The levers that words name: by a name of their own, or by a verb and what it makes more or less of.

>>> from dam_expert.kb.load import load_knowledge
>>> from dam_expert.prose import load_vocabulary
>>> from dam_expert.prose.words import significant, tokens
>>> vocabulary, _ = load_vocabulary(load_knowledge()[0])
>>> [found.meaning for text in ("bumped num_workers to 16", "把 worker 数量调大", "more than 8 workers")
...  for found in levers_in(significant(tokens(text)), text, vocabulary)]
['more_loader_workers', 'more_loader_workers']
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.prose.words import Mention, stem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dam_expert.prose.entries import ChangeModel
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Token

_REACH: Final = 4
"""Significant words that may stand between a verb and what it changes."""
_TURN: Final = re.compile(r"->|=>|→|\bto\b|到|至|成|\b(?:lên|xuống|thành|sang)\b")
#: Between the name of an option and its value.
_SET_TO: Final = re.compile(r"[`'\"]?\s?(?:=|:|to|设为|改为|thành)\s?[`'\"]?", re.IGNORECASE)
#: Behind *disable*, that it is so.
_IS_SET: Final = re.compile(r"\s?[=:]\s?(?:1|true|on|yes)\b", re.IGNORECASE)
_RAISE, _LOWER, _SET = "raise", "lower", "set"


def levers_named(
    sentence: Sequence[Statement], vocabulary: Vocabulary, values: Mapping[str, float]
) -> tuple[tuple[Mention[str], ...], ...]:
    """Return by clause of a sentence the levers that it names; all that is asked of them begins with these."""
    return tuple(tuple(levers_in(each.words, each.text, vocabulary, values)) for each in sentence)


def is_taken_off(mention: Mention[str], statement: Statement) -> bool:
    """Whether words right beside the name of a lever take it off: *disabling pinned memory*, ``bf16=False``."""
    return any(
        (each.meaning == "off" and each.after == mention.first)
        or (each.meaning == "set_off" and _SET_TO.fullmatch(statement.text, mention.end, each.start))
        for each in statement.marks
    )


def takes_off(statement: Statement, named: Sequence[Mention[str]], vocabulary: Vocabulary) -> bool:
    """Whether words anywhere in a clause take off one of the things that it names; those of a name do not.

    ``X_DISABLE=1`` does, whatever it is a part of.
    """
    return any(
        not any(each.start <= mark.start < each.end for each in named) or _IS_SET.match(statement.text, mark.end)
        for mark in statement.marks
        if mark.meaning == "off"
    ) or _is_split_off(statement, vocabulary)


def _is_split_off(statement: Statement, vocabulary: Vocabulary) -> bool:
    """Whether a verb that takes off stands apart from its *off*: *turned the workers off*."""
    verbs = {
        stem(first) for first, _, last in (word.partition(" ") for word in vocabulary.words_of["off"]) if last == "off"
    }
    words = [token.word for token in statement.words]
    return any(word == "off" and not verbs.isdisjoint(words[max(0, at - _REACH) : at]) for at, word in enumerate(words))


def levers_in(
    words: Sequence[Token], text: str, vocabulary: Vocabulary, values: Mapping[str, float] | None = None
) -> list[Mention[str]]:
    """Return the levers that some words of a text name, in order.

    What was changed from one value to another tells more than a name: *num_workers 16 -> 4* are fewer. ``values`` are
    the settings that are known: *set to 32* is more than 8.
    """
    found = vocabulary.levers.find(words)
    objects = vocabulary.changed.find(words)
    if not objects:
        return found
    verbs = vocabulary.verbs.find(words)
    for thing in objects:
        turned = _turned(thing, words, text) or _set(thing, verbs, words, values or {})
        lever = _lever_of(thing, turned, objects, verbs, words)
        named = [each for each in found if each.first < thing.after and thing.first < each.after]
        if lever is None or (named and turned is None) or any(each.meaning == lever.meaning for each in found):
            continue
        found = [each for each in found if each not in named]
        found.append(lever)
    return sorted(found, key=lambda each: (each.first, each.after))


def _lever_of(
    thing: Mention[ChangeModel],
    direction: str | None,
    objects: Sequence[Mention[ChangeModel]],
    verbs: Sequence[Mention[str]],
    words: Sequence[Token],
) -> Mention[str] | None:
    """Return the lever that changing a thing is, in a known direction or that of the nearest verb, or None."""
    near: Mention[str] | Mention[ChangeModel] = thing
    if direction is None:
        verb = min(
            (each for each in verbs if each.meaning != _SET and _reaches(each, thing, objects, words)),
            key=lambda each: (max(thing.first - each.after, each.first - thing.after), each.first),
            default=None,
        )
        if verb is None:
            return None
        direction, near = verb.meaning, verb
    name = {_RAISE: thing.meaning.raised, _LOWER: thing.meaning.lowered}.get(direction, "")
    if not name:
        return None
    first, after = min(near.first, thing.first), max(near.after, thing.after)
    return Mention(name, min(near.start, thing.start), max(near.end, thing.end), first, after)


def _reaches(
    verb: Mention[str],
    thing: Mention[ChangeModel],
    objects: Sequence[Mention[ChangeModel]],
    words: Sequence[Token],
) -> bool:
    """Whether a verb stands near a thing, in its clause and with no other thing between."""
    if verb.after <= thing.first:
        first, after = verb.after, thing.first
    elif thing.after <= verb.first:
        first, after = thing.after, verb.first
    else:
        return False
    if after - first > _REACH or words[verb.first].clause != words[thing.first].clause:
        return False
    return not any(other is not thing and first <= other.first < after for other in objects)


def _turned(thing: Mention[ChangeModel], words: Sequence[Token], text: str) -> str | None:
    """Return the direction of two values right behind a thing: *num_workers from 4 to 16*, *从 4 调到 16*."""
    behind = words[thing.after : thing.after + _REACH * 2]
    numbers = [place for place, token in enumerate(behind) if token.word.isascii() and token.word.isdigit()]
    if len(numbers) < 2 or numbers[0] > 1 or numbers[1] - numbers[0] > _REACH:
        return None
    first, second = behind[numbers[0]], behind[numbers[1]]
    if first.clause != second.clause or not _TURN.search(text, first.end, second.start):
        return None
    before, now = int(first.word), int(second.word)
    return None if before == now else _RAISE if now > before else _LOWER


def _set(
    thing: Mention[ChangeModel], verbs: Sequence[Mention[str]], words: Sequence[Token], values: Mapping[str, float]
) -> str | None:
    """Return the direction in which a thing of a known value was set to another: *把 num_workers 调到 32*."""
    before = values.get(thing.meaning.measurement)
    if before is None or not any(each.meaning == _SET and abs(each.first - thing.after) <= _REACH for each in verbs):
        return None
    behind = words[thing.after : thing.after + _REACH + 1]
    number = next((token.word for token in behind if token.word.isascii() and token.word.isdigit()), None)
    now = before if number is None else float(number)
    return None if now == before else _RAISE if now > before else _LOWER
