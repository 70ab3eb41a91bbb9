"""What a person means by a name: an id, an alias or a title in any spelling, in the language of the session."""

from __future__ import annotations

import dataclasses
import difflib
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.answering import is_han
from dam_expert.documents.figures import is_factor_in_words
from dam_expert.documents.incident import folded
from dam_expert.engine.situation import lever_meant
from dam_expert.prose.levers import levers_in
from dam_expert.prose.words import significant, tokens
from dam_expert.session.errors import AnswerError
from dam_expert.session.speech import begins_with, spoken
from dam_expert.session.spelling import plainly_written

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dam_expert.kb.base import Base
    from dam_expert.prose import Vocabulary
    from dam_expert.reports import Glossary

#: A factor on the target: 1.3x, 1.3 times.
_FACTOR: Final = re.compile(r"[\d.]+\s*[x×]")
#: An option with what it is set to: OMP_NUM_THREADS=1.
_ASSIGNED: Final = re.compile(r"[A-Za-z][\w.-]*=[\w.]*\w")
_EFFECTS: Final = ("nothing", "helped", "worse")
#: What parts the effect of an attempt from what was tried, the clearest first.
_BEFORE_EFFECT: Final = (":", "：", "->", "→", "，", "；", ";", ",", "—", "–")
_MARKS: Final = " ,:;，：；"
#: Spellings as near as this are slips of the pen, whatever else may be meant.
_SLIP: Final = 0.9
#: Spellings less alike than this are other words.
_NEAR: Final = 0.75
#: Spellings this much alike are still worth to be offered.
_FAR: Final = 0.6
_OFFERED: Final = 3
#: Shorter words are a little like too much.
_LEAST_OFFERED: Final = 6
_MOST: Final = 5
#: Of a number of a choice; of thousands of digits Python makes none.
_DIGITS: Final = 9
#: A shorter piece of a title or an alias is in too many of them to mean one.
_LEAST_PIECE: Final = 4


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The id that is meant. ``guessed``: the spelling was not one of its own, and it is said what was understood."""

    id: str
    guessed: bool = False


def choice(text: str, count: int) -> int | None:
    """Return the place in a list of so many that a number means, from 0; None for words. Raises AnswerError.

    >>> choice("2", 7), choice("half", 7)
    (1, None)
    """
    number = text.strip()
    if not number.isdecimal():
        return None
    if len(number) > _DIGITS or not 1 <= int(number) <= count:
        raise AnswerError("session.problem.choice", n=str(count))
    return int(number) - 1


def measurement_named(base: Base, words: Glossary, text: str) -> Found:
    """Return the measurement that is meant. Raises AnswerError."""
    resolved = base.names.resolve(text.strip())
    if resolved is not None:
        return Found(id=resolved)
    return _found(text, {name: [one.model.title, *one.model.aliases] for name, one in base.measurements.items()}, words)


def thing_named(base: Base, words: Glossary, text: str, *, rules: bool = False) -> Found:
    """Return the hypothesis or measurement, or also the rule, that is meant. Raises AnswerError."""
    current = base.current(text.strip())
    if current in base.hypotheses or (rules and current in base.rules):
        return Found(id=current)
    known = {name: [one.model.title] for name, one in base.hypotheses.items()}
    only = [name for name in known if folded(text) in name.split("_")]
    if len(only) == 1 and rules:
        return Found(id=only[0], guessed=True)  # a cause is meant rather than the many rules that are named after it
    resolved = base.names.resolve(text.strip())
    if resolved is not None and not rules:
        return Found(id=resolved)
    roots = _roots_of_bottleneck(base, words, text)
    if len(roots) == 1:
        return Found(id=roots[0], guessed=True)
    if roots:
        raise AnswerError("session.problem.several", text=text.strip(), names=", ".join(roots[:_MOST]))
    if rules:
        known |= {name: [one.model.title] for name, one in base.rules.items()}
    else:
        known |= {name: [one.model.title, *one.model.aliases] for name, one in base.measurements.items()}
    return _found(text, known, words)


def _roots_of_bottleneck(base: Base, words: Glossary, text: str) -> list[str]:
    """Return the roots of the bottleneck that is named, as ``queue``, ``queue_bound`` or in words; else none."""
    said = folded(text).removesuffix(" bound")
    return [
        name
        for name, one in base.hypotheses.items()
        if not one.ancestors and said in (folded(one.bottleneck), folded(words.bottleneck(one.bottleneck)))
    ]


def lever_named(base: Base, words: Glossary, text: str, vocabulary: Vocabulary) -> Found:
    """Return the lever that is meant, by id, title or alias, also inside a sentence. Raises AnswerError.

    What an option is set to tells more than its name. What is called by no name is what the same words mean in a
    report: a verb and what it makes more of, *tăng worker*.
    """
    current = base.current(text.strip())
    if current in base.levers:
        return Found(id=current)
    meant = _set_by(base, text) or lever_meant(base, text) or _told_lever(base, text, vocabulary)
    if meant is not None:
        return Found(id=meant)
    own = {
        name: [words.text(one.model.title), one.model.title, *one.model.aliases] for name, one in base.levers.items()
    }
    try:
        return _found(text, own, words)
    except AnswerError:
        near = _levers_of_the_like(text, vocabulary)
        if not near:
            raise
        raise AnswerError("session.problem.near_names", text=text.strip(), names=", ".join(near[:_MOST])) from None


def _set_by(base: Base, text: str) -> str | None:
    """Return the only lever that tells how to set an option to just what a text does; None where none or several do."""
    pairs = {pair.casefold() for pair in _ASSIGNED.findall(text)}
    levers = {
        name
        for name, lever in base.levers.items()
        if pairs.intersection(pair.casefold() for pair in _ASSIGNED.findall(lever.model.how or ""))
    }
    return levers.pop() if len(levers) == 1 else None


def _told_lever(base: Base, text: str, vocabulary: Vocabulary) -> str | None:
    """Return the lever of the longest words that name one as a report does; None where two are as long.

    The name of a device alone names none: to profile on it is not to buy it.
    """
    named = levers_in(significant(tokens(text)), text, vocabulary)
    found = [one for one in named if not base.catalogue.parts_named(text[one.start : one.end])]
    longest = max((one.end - one.start for one in found), default=0)
    meant = {one.meaning for one in found if one.end - one.start == longest}
    return meant.pop() if len(meant) == 1 else None


def _levers_of_the_like(text: str, vocabulary: Vocabulary) -> list[str]:
    """Return the levers of the things whose names hold what a verb stands before: *并发* is like *最大并发*."""
    words = significant(tokens(text))
    verbs = [verb for verb in vocabulary.verbs.find(words) if verb.meaning in ("raise", "lower")]
    rest = [token.word for at, token in enumerate(words) if not any(v.first <= at < v.after for v in verbs)]
    if not verbs or not rest:
        return []
    raised = verbs[0].meaning == "raise"
    like = (
        change.raised if raised else change.lowered for name, change in vocabulary.changed if set(rest) <= set(name)
    )
    return list(dict.fromkeys(filter(None, like)))


def lever_and_rest(base: Base, words: Glossary, text: str, vocabulary: Vocabulary) -> tuple[Found, str]:
    """Split what was tried from what it did, which stands behind it. Raises AnswerError."""
    for mark in _BEFORE_EFFECT:
        named, found, effect = text.rpartition(mark)
        if found and named.strip() and (effect_word(effect.strip()) is not None or is_effect(effect)):
            return lever_named(base, words, named, vocabulary), effect.strip()
    pieces = text.split()
    for split in range(1, len(pieces)):
        rest = " ".join(pieces[split:])
        if is_effect(rest):
            return lever_named(base, words, " ".join(pieces[:split]).rstrip(_MARKS), vocabulary), rest
    said = text.strip(f"{_MARKS}.。!！").casefold()
    for word in (word for effect in _EFFECTS for word in spoken(f"answer.{effect}") if is_han(word[-1])):
        named = text[: len(said) - len(word)].rstrip(_MARKS)
        if said.endswith(word) and named:
            return lever_named(base, words, named, vocabulary), word
    raise AnswerError("session.problem.tried")


def is_effect(text: str) -> bool:
    """Whether a text is what something did: a word for it, or a factor."""
    word = effect_word(text)
    said = plainly_written(text).strip()
    return (word is not None and not word[1]) or _FACTOR.fullmatch(said) is not None or is_factor_in_words(said)


def effect_word(text: str) -> tuple[str, str] | None:
    """Return helped, nothing or worse for the words that mean it, and what stands behind them."""
    for effect in _EFFECTS:
        rest = begins_with(text, spoken(f"answer.{effect}"))
        if rest is not None:
            return effect, rest
    return None


def _found(text: str, known: Mapping[str, Iterable[str]], words: Glossary) -> Found:
    """Return the entry whose id or title is meant: the same, the only one that holds it, or the nearest spelling."""
    said = folded(text)
    called: dict[str, list[str]] = {}
    for name, titles in known.items():
        for title in (name, *titles, *(words.text(title) for title in titles)):
            called.setdefault(folded(title), []).append(name)
    if said in called and len(set(called[said])) == 1:
        return Found(id=called[said][0])
    if len(said) < _LEAST_PIECE:
        within = [name for name in known if said in name.replace(".", "_").split("_")]
        if len(within) == 1:
            return Found(id=within[0], guessed=True)
        if not within:
            raise AnswerError("session.problem.no_name", text=text.strip())
        raise AnswerError("session.problem.several", text=text.strip(), names=", ".join(within[:_MOST]))
    within = list(dict.fromkeys(name for title, names in called.items() if said in title for name in names))
    if len(within) == 1:
        return Found(id=within[0], guessed=True)
    slips = difflib.get_close_matches(said, list(called), n=1, cutoff=_SLIP)
    if slips:
        return Found(id=called[slips[0]][0], guessed=True)
    if within:
        raise AnswerError("session.problem.several", text=text.strip(), names=", ".join(within[:_MOST]))
    nearest = difflib.get_close_matches(said, list(called), n=_OFFERED, cutoff=_FAR)
    if nearest and difflib.SequenceMatcher(None, nearest[0], said).ratio() >= _NEAR:
        return Found(id=called[nearest[0]][0], guessed=True)
    if nearest and len(said) >= _LEAST_OFFERED:
        names = ", ".join(dict.fromkeys(called[one][0] for one in nearest))
        raise AnswerError("session.problem.near_names", text=text.strip(), names=names)
    raise AnswerError("session.problem.no_name", text=text.strip())
