r"""Whether what is written around the values of a report is understood and leaves them as they are.

No list holds all the words that make something else of values: an intern typed them, they are of a sheet that somebody
left behind. So a sentence that points at values must be made of words that are known and say nothing of where they come
from, and any other sentence must at least speak of what the base knows: of a metric, a part, a change. Whatever is not
understood so takes the standing of the values.

>>> from dam_expert.kb.load import load_knowledge
>>> from dam_expert.prose import load_vocabulary
>>> from dam_expert.prose.passages import passages
>>> vocabulary, _ = load_vocabulary(load_knowledge()[0])
>>> texts = passages("# Slow\n\nThe GPU idles. My intern typed these.\n\nThe values below were measured today.\n")
>>> [is_innocent(each, vocabulary) for each in texts]
[True, False, True]
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.prose.commands import without_commands
from dam_expert.prose.enclosing import folded_head
from dam_expert.prose.hardware import hardware_names
from dam_expert.prose.labels import COLONS, parted
from dam_expert.prose.others import told_of_others
from dam_expert.prose.passages import FRONT_MATTER, Kind
from dam_expert.prose.sentences import by_sentence, statements
from dam_expert.prose.words import places_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary

SAFE: Final = frozenset(
    {
        *("neutral", "total", "statistic", "comparing", "now", "tried", "helped", "nothing", "persists", "gain"),
        *("worse", "acted", "switched", "presupposes", "contrast", "small", "large", "varies", "part", "negation"),
        *("values_ahead", "values_named", "compared_better", "compared_same", "compared_worse"),
    }
)
_COMPARED: Final = ("compared_better", "compared_same", "compared_worse", "against")
#: Small words that tell of others: they are left out of the words of a statement.
_OTHERS: Final = re.compile(r"\b(?:his|her|he|she|their|theirs|your|yours|you(?= (?:gave|sent)))\b", re.IGNORECASE)
_LABEL_WORDS: Final = 8
_DENIED_FIRST: Final = re.compile(
    r"\s*(?:not|no|if|what if|suppose|imagine)\b|\s*(?:不是|并非|没有|假如|如果)|\s*(?:không phải|nếu)\b",
    re.IGNORECASE,
)
#: Labels that tell where values come from, if their value is in words.
_OF_PLACES: Final = re.compile(
    r"tags?|labels?|environment|env|stage|machine|host|hostname|node|server|cluster|system|机器|主机|环境|服务器|标签"
    r"|máy|máy chủ|môi trường|nhãn",
    re.IGNORECASE,
)
#: Of a pointing sentence, that its values are of something; what they may be of is the job and its tools.
_OF_SOMETHING: Final = re.compile(
    r"\b(?:are|is|were|was|come|comes|came|taken|copied|typed|belongs?)\s(?:from|of|to)\b"
    r"(?!\s(?:(?:the|our|my|this|a)\s)?(?:same\s|own\s|training\s|production\s)?"
    r"(?:training|job|run|profiler|production|nsight|nvidia-smi|steady|log|logs)\b)",
    re.IGNORECASE,
)
#: Marks with which a sentence that points at values makes something else of them.
ELSE: Final = ("condition", "reference", "planned", "hedge", "elsewhere", "case", "unreal", "wrong", "retracts")
#: A bound, not a place: *never above 40 %*.
_BOUND: Final = re.compile(
    r"\b(?:above|below)\s+(?=[~<>]?\s?\d)|\b(?:not|never|no)\s\w+\s(?:above|below)\b|以[上下](?=\s?\d)",
    re.IGNORECASE,
)
_POINTS_FIRST: Final = re.compile(r"\s*(?:this|that)\b", re.IGNORECASE)


def is_innocent(passage: Passage, vocabulary: Vocabulary) -> bool:
    """Whether what a person wrote leaves the values around it as they are. Lists of values, output and tables do."""
    if passage.stranger or passage.kind in (Kind.CODE, Kind.TABLE, Kind.HEADING):
        return True
    if passage.kind is Kind.TITLE or passage.language == FRONT_MATTER:
        return _is_innocent_title(passage, vocabulary)
    if passage.kind is Kind.ITEM and not _is_in_words(passage):
        return not _tells_of_others(passage.text, vocabulary)
    tried = folded_head(passage.heading) in vocabulary.heads.tried
    told = by_sentence(statements(without_commands(passage.text), vocabulary))
    return all(_is_innocent_sentence(each, vocabulary, tried=tried) for each in told)


def tells_a_difference(passage: Passage, vocabulary: Vocabulary) -> bool:
    """Whether what a person wrote tells how runs differ; where an attempt stands, its own words are checked."""
    if passage.kind not in (Kind.TEXT, Kind.ITEM, Kind.QUOTE) or passage.attempted:
        return False
    return vocabulary.of_comparisons.search(passage.text) is not None


def is_wholly_explained(sentence: Sequence[Statement], vocabulary: Vocabulary) -> bool:
    """Whether each word of a sentence is known and says nothing of where values come from."""
    return all(_is_explained(each, vocabulary) for each in sentence) and not _OTHERS.search(_text_of(sentence))


def _text_of(sentence: Sequence[Statement]) -> str:
    """Return a sentence as it is written."""
    return sentence[0].text[sentence[0].clause.start : sentence[-1].clause.end]


def _is_in_words(item: Passage) -> bool:
    """Whether an item is no labelled value."""
    label, colon, rest = parted(item.text)
    return not (colon and rest.strip() and len(label.split()) <= _LABEL_WORDS)


def _tells_of_others(item: str, vocabulary: Vocabulary) -> bool:
    """Whether a labelled value in words names another place: *machine: the vendor's demo box*."""
    label, _, value = parted(item)
    return _OF_PLACES.fullmatch(label.strip(" *`")) is not None and vocabulary.other_texts.search(value) is not None


def _is_innocent_sentence(sentence: Sequence[Statement], vocabulary: Vocabulary, *, tried: bool) -> bool:
    """Whether a sentence takes nothing from values; what was tried may be named in any words."""
    text = _text_of(sentence)
    if tells_of_others(text, vocabulary) and not any(each.has(*_COMPARED) for each in sentence):
        return False
    whole = is_wholly_explained(sentence, vocabulary)
    ends = text.rstrip(" *_\n").endswith(COLONS)
    if ends or vocabulary.pointing.search(_BOUND.sub(" ", text)) or _POINTS_FIRST.match(text):
        return whole and not (_OF_SOMETHING.search(text) or any(each.has(*ELSE) for each in sentence))
    return tried or whole or any(_base_places(each, vocabulary) for each in sentence)


def tells_of_others(text: str, vocabulary: Vocabulary) -> bool:
    """Whether a text names another text, or what is somebody else's."""
    return vocabulary.other_texts.search(text) is not None or any(told_of_others(text))


def _is_innocent_title(title: Passage, vocabulary: Vocabulary) -> bool:
    """Whether a title is a complaint of the reporter's job."""
    return not (
        tells_of_others(title.text, vocabulary) or _DENIED_FIRST.match(title.text) or _is_called(title.text, vocabulary)
    )


def _is_called(title: str, vocabulary: Vocabulary) -> bool:
    """Whether several words that are not known stand before the colon of a title: *Screenshot from the fair: slow*."""
    head, colon, _ = parted(title)
    return bool(colon) and any(
        len(each.words) - len(_known_places(each, vocabulary)) > 1 for each in statements(head, vocabulary)
    )


def _is_explained(statement: Statement, vocabulary: Vocabulary) -> bool:
    return len(_known_places(statement, vocabulary)) == len(statement.words)


def _known_places(statement: Statement, vocabulary: Vocabulary) -> set[int]:
    words = statement.words
    explained = set(_base_places(statement, vocabulary))
    explained |= places_of(each for each in statement.marks if each.meaning in SAFE)
    explained |= places_of(vocabulary.innocent.overlapping(words))
    numbered = {at for at, word in enumerate(words) if any(letter.isdigit() for letter in word.word)}
    return explained | numbered


def _base_places(statement: Statement, vocabulary: Vocabulary) -> set[int]:
    """Return the places of words that the base knows: names, levers, what topics and statements are found by, cards."""
    words = statement.words
    named = (vocabulary.keys, vocabulary.names, vocabulary.track_words, vocabulary.levers, vocabulary.trials)
    places = vocabulary.known_places(words, *named)
    catalogue = vocabulary.base.catalogue
    start, end = statement.clause.start, statement.clause.end
    for match in hardware_names(statement.text[start:end], catalogue):
        places |= {at for at, word in enumerate(words) if start + match.start() <= word.start < start + match.end()}
    return places
