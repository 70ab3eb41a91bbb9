r"""Whether an item beside values is understood, so that it leaves the others of its list as they are.

No list holds all labels that tell where values come from: a phase, a branch, the state before an upgrade. So an item
must be one that the base knows: the value of a measurement or setting, a figure with its unit, or something that is
known to say nothing of the others. Any other one may speak for all of its list.

>>> from dam_expert.kb.load import load_knowledge
>>> from dam_expert.prose import load_vocabulary
>>> vocabulary, _ = load_vocabulary(load_knowledge()[0])
>>> [is_understood(*each, vocabulary) for each in (("step time", "1 s"), ("driver", "550.54"), ("phase", "validation"))]
[True, True, False]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.documents.kinds import Kind as Sort
from dam_expert.prose.amounts import amounts, known_unit, leading, value_of
from dam_expert.prose.enclosing import folded_head
from dam_expert.prose.hardware import hardware_names, model_of
from dam_expert.prose.innocent import ELSE, is_wholly_explained, tells_of_others
from dam_expert.prose.labelled import BOOLEANS, EMPHASIS, word_value
from dam_expert.prose.labels import LABEL, Label, named, parted, read_label
from dam_expert.prose.passages import Kind
from dam_expert.prose.sentences import by_sentence, statements
from dam_expert.prose.tables import table_pairs
from dam_expert.prose.words import places_of, significant, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.prose.passages import Passage
    from dam_expert.prose.vocabulary import Vocabulary

_SMALL: Final = ("neutral", "varies", "hedge", "statistic", "total")
_FACTORS: Final = ("x", "×")


def has_strange_sibling(section: Sequence[Passage], title: str, vocabulary: Vocabulary) -> bool:
    """Whether a section holds an item or row that is not understood, or names other accelerators than the title."""
    pairs = [pair for each in section for pair in _pairs(each)]
    if not all(_is_known_item(each, vocabulary) for each in section):
        return True
    if any(_is_of_other_hardware(label, value, title, vocabulary) for label, value in pairs):
        return True
    return not all(is_understood(*pair, vocabulary) for pair in pairs) or _has_another_setting(pairs, vocabulary)


def is_understood(name: str, given: str, vocabulary: Vocabulary) -> bool:
    """Whether a labelled value is one that the base knows, or says nothing of those beside it."""
    value = EMPHASIS.sub(" ", given).strip().rstrip(",;\\ ")
    label = read_label(name)
    if not value or not label.words:
        return True  # no value is stated
    plain = folded_head(EMPHASIS.sub(" ", name))
    if _is_one_of_many(plain, label, value, vocabulary):
        return False
    if any(_is_value(each.measurement, label, value, vocabulary) for each in named(label, vocabulary)):
        return not tells_of_others(value, vocabulary)
    if plain in vocabulary.heads.labels:
        return not tells_of_others(value, vocabulary)
    return _is_figure(label, value) or _is_target(label, value, vocabulary)


def _is_known_item(item: Passage, vocabulary: Vocabulary) -> bool:
    """Whether of an item without a label each word is known: *500 steps take 20 min*, not *typed in on day 2*."""
    if (
        item.kind is not Kind.ITEM
        or any(True for _ in _pairs(item))
        or hardware_names(item.text, vocabulary.base.catalogue)
    ):
        return True
    return all(is_wholly_explained(each, vocabulary) for each in by_sentence(statements(item.text, vocabulary)))


def _pairs(passage: Passage) -> Iterator[tuple[str, str]]:
    """Yield the labelled values of an item or table."""
    if passage.kind is Kind.TABLE:
        yield from table_pairs(passage.text)
    elif passage.kind is Kind.ITEM:
        found = LABEL.match(passage.text)
        label, colon, rest = parted(passage.text)
        if found is not None:
            yield found[1], found[2]
        elif colon and rest.strip():
            yield label, rest


def _is_value(name: str, label: Label, value: str, vocabulary: Vocabulary) -> bool:
    """Whether a text can be a value of a measurement: a number, or a word that it has."""
    measurement = vocabulary.base.measurements[name]
    if word_value(measurement, label, value, vocabulary) is not None:
        return True
    if measurement.name.words.get(value.casefold()) is not None:
        return True
    number = leading(value)
    if number is not None:
        bare = measurement.model.kind is Sort.SHARE  # *accuracy: 75.8* is one of a hundred
        return bare or value_of(number, measurement, label.unit) is not None
    if value.casefold().strip(" .") in BOOLEANS:
        return True
    first = next(iter(amounts(value)), None)
    words = significant(tokens(value if first is None else value[: first.start]))
    ranges = vocabulary.range_words.get(name)
    found = [] if ranges is None else ranges.find(words)
    small = [each for each in vocabulary.marks.overlapping(words) if each.meaning in _SMALL]
    if words and len(places_of((*found, *small))) == len(words):
        return True
    return measurement.model.kind is Sort.SHARE and _is_told_plainly(value, vocabulary)


def _is_told_plainly(value: str, vocabulary: Vocabulary) -> bool:
    """Whether each word of a share told in words is known: *cpu utilization: all cores pinned*."""
    told = list(by_sentence(statements(value, vocabulary)))
    return all(is_wholly_explained(each, vocabulary) and not any(part.has(*ELSE) for part in each) for each in told)


def _is_one_of_many(name: str, label: Label, value: str, vocabulary: Vocabulary) -> bool:
    """Whether a bare number says which member of the job was measured, or how much: *rank: 7*, *steps seen: 1*."""
    first = leading(value)
    if first is None or first.unit or label.unit:
        return False
    if name in vocabulary.heads.members:
        return True
    counts = [each for each in named(label, vocabulary) if _is_count(each.measurement, vocabulary)]
    return any(vocabulary.sampling.find(each.rest) for each in counts)


def _is_count(name: str, vocabulary: Vocabulary) -> bool:
    measurement = vocabulary.base.measurements[name].model
    return measurement.kind is Sort.SETTING and measurement.unit == "1"


def _is_figure(label: Label, value: str) -> bool:
    """Whether a value is a number with a unit: what else was measured."""
    first = leading(value)
    if first is None:
        return False
    unit = first.unit or label.unit
    return unit in _FACTORS or known_unit(unit) is not None if unit else False


def _is_target(label: Label, value: str, vocabulary: Vocabulary) -> bool:
    """Whether a label says that its number is wanted."""
    marks = {mention.meaning for mention in vocabulary.marks.overlapping(label.words)}
    return "reference" in marks and leading(value) is not None


def _is_of_other_hardware(label: str, value: str, title: str, vocabulary: Vocabulary) -> bool:
    """Whether a value names accelerators of which the title of the report names none, though it names others."""
    catalogue = vocabulary.base.catalogue
    own = [model_of(each).casefold() for each in hardware_names(title, catalogue)]
    here = [model_of(each).casefold() for each in hardware_names(f"{label}: {value}", catalogue)]
    return bool(own and here) and not any(one in other or other in one for one in own for other in here)


def _has_another_setting(pairs: Sequence[tuple[str, str]], vocabulary: Vocabulary) -> bool:
    """Whether a side of a probe has a setting that the job has not: *batch size of the synthetic run: 8*."""
    plain: dict[str, str] = {}
    others: list[tuple[str, str]] = []
    for name, value in pairs:
        label = read_label(name)
        candidates = list(named(label, vocabulary))
        first = next((each for each in candidates if _is_setting(each.measurement, vocabulary)), None)
        if first is None or any(vocabulary.base.measurements[each.measurement].model.track for each in candidates):
            continue
        if not first.variant:
            plain[first.measurement] = value.strip().casefold()
        elif vocabulary.sides.find(first.rest):
            others.append((first.measurement, value.strip().casefold()))
    return any(plain.get(name) != value for name, value in others)


def _is_setting(name: str, vocabulary: Vocabulary) -> bool:
    return vocabulary.base.measurements[name].model.kind is Sort.SETTING
