"""Reading labelled values: list items, headers of tickets and lines of configuration of the form ``label: value``."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.answering import folded
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.observations import Basis
from dam_expert.prose.amounts import amounts, ends_of, known_unit, leading, value_of
from dam_expert.prose.hardware import hardware_names, model_of, names_hardware
from dam_expert.prose.labels import LABEL, Label, Named, named, read_label
from dam_expert.prose.own_labels import own_metric
from dam_expert.prose.percentiles import of_label
from dam_expert.prose.targets import is_plain_target
from dam_expert.prose.variants import RATIO, case_of, levers_of_label
from dam_expert.prose.vocabulary import folded_unit
from dam_expert.prose.wholes import shares_of, take_share
from dam_expert.prose.words import places_of, significant, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.kb.base import Measurement
    from dam_expert.prose.amounts import Amount
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Token

_TRUE = frozenset({"true", "yes", "on", "enabled", "1", "是", "开启", "có", "bật"})
_FALSE = frozenset({"false", "no", "off", "disabled", "0", "none", "否", "关闭", "không", "tắt"})
BOOLEANS: Final = _TRUE | _FALSE
EMPHASIS = re.compile(r"[*`\"']+|(?<![^\W_])_+|_+(?![^\W_])")
_TAKEN_BACK = frozenset({"negation", "exclusion", "hedge", "condition", "case", "reference", "helped"})
SECOND_NUMBER = re.compile(r"\s*\(\s*[~≈]?\d")
"""A number in brackets behind another one: which of the two is meant is asked, not guessed."""
_USED_WORD = re.compile(r"^(?:used|in use|total|per gpu|each|已用|占用|đã dùng)$", re.I)
_REMARK = re.compile(r"\s*(?:->|=>|[,;(（，；]|\s-\s)")
_HARDWARE = "accelerator"
_LEAST = "min"
_LABEL_WORDS = 8
_STOP = re.compile(r"[.!?](?=\s)|[。！？；;]")
_PARTED = re.compile(r"\s?[,.;，。；、]")
_ABBREVIATED = 2
"""Words before a full stop that may be cut short: *avg. step time*."""
_VALUE_CHARACTERS = 200
_WORD_CHARACTERS = 60


def labelled_lines(passage: Passage) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield the labelled values of a passage with the offset of each."""
    offset = 0
    for line in passage.text.split("\n"):
        found = LABEL.match(line[: _VALUE_CHARACTERS * 2])
        if found is not None and len(found[1].split()) <= _LABEL_WORDS and not _is_told_before(found[1]):
            yield offset, found
        offset += len(line) + 1


def _is_told_before(label: str) -> bool:
    """Whether a statement ends before a name with its value: *the goal is 1 s. max_num_seqs = 256* is no one label."""
    if any(
        each.end() < len(label) and len(tokens(label[: each.end()])) > _ABBREVIATED for each in _STOP.finditer(label)
    ):
        return True
    return any(each.unit and _PARTED.match(label, each.end) for each in amounts(label))


def read_labelled(passage: Passage, collected: Collected, *, only_settings: bool = False) -> None:
    """Take every labelled value of a passage that names a measurement."""
    for offset, found in labelled_lines(passage):
        place = (passage, offset + found.start(1), offset + found.end(2))
        take_labelled(found[1], found[2], place, collected, only_settings=only_settings)


def take_labelled(
    name: str, given: str, place: tuple[Passage, int, int], collected: Collected, *, only_settings: bool = False
) -> None:
    """Take one labelled value as that of the measurement that its label names, if it can be one."""
    label = read_label(name)
    value = EMPHASIS.sub(" ", given[:_VALUE_CHARACTERS]).strip().rstrip(",;\\ ")
    if not value or not label.words:
        return
    inside = places_of(collected.vocabulary.trials.find(label.words))  # *p99 ms CPU limit removed* wants nothing
    found = collected.vocabulary.marks.overlapping(label.words)
    inside |= _of_settings(label, collected)  # *cpu limit: 2* wants nothing either
    marks = {mention.meaning for mention in found if not places_of([mention]) <= inside}
    if not only_settings and _take_other(label, value, place, collected, wanted="reference" in marks):
        return
    for candidate in _candidates(label, collected):
        if only_settings and (candidate.variant or not _is_setting(candidate, collected)):
            continue
        if "reference" in marks or _is_of_reference(candidate, collected):
            _take_wanted(candidate, label, value, place, collected)
            if "before" in marks or "reference" not in marks:  # what a change is compared with, or what it should reach
                _take_case(candidate, label, value, place, collected)
        elif _take_stated(candidate, label, value, place, collected):
            return
    if "reference" in marks and not only_settings:
        _take_wish(label, value, place, collected)
    elif place[0].attempted and not only_settings:
        _take_unnamed_case(label, value, place, collected)
        _take_applied(label, collected)


def _of_settings(label: Label, collected: Collected) -> set[int]:
    """Return the places of all words of a label that is the name of a setting; none of any other label."""
    exact = any(each.exact and _is_setting(each, collected) for each in named(label, collected.vocabulary))
    return set(range(len(label.words))) if exact else set()


def _take_stated(
    candidate: Named, label: Label, value: str, place: tuple[Passage, int, int], collected: Collected
) -> bool:
    """Take what a label states as it is: of the changed case where it names one, else of the job."""
    changed = candidate.variant or _is_changed(candidate, place[0], collected)
    take = _take_case if changed else _take
    return take(candidate, label, value, place, collected)


def _candidates(label: Label, collected: Collected) -> Iterator[Named]:
    """Yield the measurements that a label may name, below the words above it."""
    for each in named(label, collected.vocabulary):
        candidate = of_label(each, label, collected.family, collected.vocabulary)
        if candidate is not None:
            yield candidate


def _take_other(
    label: Label, value: str, place: tuple[Passage, int, int], collected: Collected, *, wanted: bool
) -> bool:
    """Take a value that is no number of the measurement that its label names: a ratio, or what is used of a whole."""
    if _take_ratio(label, value, place, collected) or (not wanted and _take_share(label, value, place, collected)):
        return True
    if not wanted:
        _keep_own(label, value, place, collected)
    return False


def _take_share(label: Label, value: str, place: tuple[Passage, int, int], collected: Collected) -> bool:
    """Take what is used of what there is: *GPU memory: 44 GB of 46 GB*; False where the label names no memory."""
    share = next(shares_of(value), None)
    if share is None or value[: share.start].strip(" ~≈(") or not _ends_share(value[share.end :]):
        return False
    whose = collected.vocabulary.wholes.find(label.words)
    small = [each for each in collected.vocabulary.marks.overlapping(label.words) if each.meaning == "neutral"]
    return len(places_of((*whose, *small))) == len(label.words) and take_share(share, label.words, place, collected)


def _ends_share(rest: str) -> bool:
    return not _USED_WORD.sub("", rest.strip(" .;,()（）")).strip()


def _take_ratio(label: Label, value: str, place: tuple[Passage, int, int], collected: Collected) -> bool:
    """Keep ``speedup with cuda graphs: 1.8`` as what the lever did; False where a label is none such."""
    rest = [token for token in label.words if token.word != RATIO]
    first = leading(value)
    if len(rest) == len(label.words) or first is None or not _ends(value[first.end :]):
        return False
    if any(not each for each in (not label.unit, label.scope is None, not first.hedged, len(first.numbers) == 1)):
        return False
    if first.unit not in ("", "x", "×") or any(candidate.exact for candidate in named(label, collected.vocabulary)):
        return False
    ratio = float(first.numbers[0].replace(",", "")) if first.numbers[0][:1].isdigit() else 0.0
    case = case_of(RATIO, Interval.point(ratio), rest, place, collected)
    if ratio <= 0.0 or not case.changed or case.words or case.sizes:
        return False
    collected.cases.append(case)
    return True


def _keep_own(label: Label, value: str, place: tuple[Passage, int, int], collected: Collected) -> None:
    """Keep a labelled time or rate under its own words, to be compared with one of the same words."""
    first = leading(value)
    metric = own_metric(label, first)
    if metric is None or first is None or label.scope is not None or not _ends(value[first.end :]):
        return
    if _is_least(label, first):
        return
    collected.cases.append(case_of(*metric, label.words, place, collected))


def _take_unnamed_case(label: Label, value: str, place: tuple[Passage, int, int], collected: Collected) -> None:
    """Keep a value whose label names but a lever or says *after*: of the one metric of the report that it can be."""
    first = leading(value)
    unit = label.unit if first is None else first.unit or label.unit
    if first is None or not unit or not _ends(value[first.end :]) or _is_least(label, first):
        return
    known = collected.vocabulary.base.measurements
    named_by_unit = collected.vocabulary.by_unit.get(folded_unit(unit))
    stated = dict.fromkeys(each.observation.measurement for each in collected.findings)
    metrics = [
        (name, read[0])
        for name in stated
        if known[name].model.track is not None and named_by_unit in (None, name)
        for read in [value_of(first, known[name], label.unit)]
        if read is not None
    ]
    if len(metrics) == 1:
        case = case_of(*metrics[0], label.words, place, collected)
        if case.changed and not case.words:
            collected.cases.append(case)


def _take_applied(label: Label, collected: Collected) -> None:
    """Take a label that names one lever and no metric as what was applied, for the labels below it: *draft length: 1*.

    Only where the sentence before them names nothing.
    """
    named_here = levers_of_label(label.words, collected.vocabulary)
    if not collected.applied and len(named_here) == 1:
        collected.applied = named_here


def _take_wish(label: Label, value: str, place: tuple[Passage, int, int], collected: Collected) -> None:
    """Take a wanted number whose label names no metric: ``target: 200 ms``."""
    first = leading(value)
    if first is not None:
        wish = dataclasses.replace(first, start=place[1], end=place[2], unit=first.unit or label.unit)
        if wish.unit or not value[first.end :].strip(" .;,"):
            collected.wish(place[0], wish)


def _take_case(
    candidate: Named, label: Label, value: str, place: tuple[Passage, int, int], collected: Collected
) -> bool:
    """Keep a value of a metric in another case, to be compared with its plain value; False where it is no value."""
    measurement = collected.vocabulary.base.measurements[candidate.measurement]
    first = leading(value)
    if measurement.model.track is None or first is None or not _ends(value[first.end :]):
        return False
    read = value_of(first, measurement, label.unit)
    if read is None and not (label.unit or first.unit) and collected.given(measurement.id):
        read = value_of(first, measurement, _PERCENT if measurement.model.kind is Kind.SHARE else "")
    hedged = read is not None and read[1] and len(first.numbers) == 1
    if read is None or hedged or label.scope is not None or _is_least(label, first):
        return False
    collected.cases.append(case_of(measurement.id, read[0], candidate.rest, place, collected))
    return True


#: What a number above 1 is that is compared with a share.
_PERCENT: Final = "%"


def _is_changed(candidate: Named, passage: Passage, collected: Collected) -> bool:
    """Whether a value is that of the metric after the change that the sentence before it tells."""
    metric = collected.vocabulary.base.measurements[candidate.measurement].model.track
    return passage.attempted and metric is not None and len(collected.applied) == 1


def _is_of_reference(candidate: Named, collected: Collected) -> bool:
    """Whether a score is the one that should be reached: *reported exact match*, *accuracy in the paper*."""
    track = collected.vocabulary.base.measurements[candidate.measurement].model.track
    return track == "quality" and bool(collected.vocabulary.references.find(candidate.rest))


def _is_setting(candidate: Named, collected: Collected) -> bool:
    return collected.vocabulary.base.names.kind(candidate.measurement) is Kind.SETTING


def _take_wanted(
    candidate: Named, label: Label, value: str, place: tuple[Passage, int, int], collected: Collected
) -> None:
    """Take a value as the one that is wanted or expected of a metric."""
    measurement = collected.vocabulary.base.measurements[candidate.measurement]
    first = leading(value)
    read = None if first is None else value_of(first, measurement, label.unit)
    if read is not None:
        collected.want(*place, measurement.id, read[0])
        known = collected.wanted[measurement.id]
        plainly = known.plainly or is_plain_target(measurement.id, candidate.rest, label, value, place[0], collected)
        collected.wanted[measurement.id] = dataclasses.replace(known, plainly=plainly and known.value == read[0])


def _take(candidate: Named, label: Label, value: str, place: tuple[Passage, int, int], collected: Collected) -> bool:
    """Take a value as one of a measurement; False where it cannot be one."""
    measurement = collected.vocabulary.base.measurements[candidate.measurement]
    word = word_value(measurement, label, value, collected.vocabulary)
    if word is not None:
        collected.state(*place, measurement.id, word, Basis.REPORTED, "label and value")
        return True
    said = measurement.name.words.get(value.casefold())
    if said is not None:
        collected.state(*place, measurement.id, said, Basis.SAID, f"'{value}' for {measurement.model.title.lower()}")
        return True
    first = next(iter(amounts(value)), None)
    rest = "" if first is None else value[first.end :]
    if first is not None and value[: first.start].rstrip(" ~≈<>≤≥")[-1:] in ("(", "（"):
        rest = rest.lstrip().lstrip(")）")  # closes what was opened before the number
    if first is None or not _ends(rest):
        return False
    before = value[: first.start].strip(" ~≈<>≤≥(（about")
    if before and not _is_range_word(value[: first.start], measurement.id, collected):
        return False
    changed = first.turned
    first = ends_of(first)[1] if changed else first
    named_by_unit = collected.vocabulary.by_unit.get(folded_unit(first.unit or label.unit), measurement.id)
    read = value_of(first, measurement, label.unit) if named_by_unit == measurement.id else None
    if read is None:
        return False
    scope = () if label.scope is None or measurement.model.per is None else ((measurement.model.per, label.scope[1]),)
    if label.scope is not None and not scope:
        return False
    # what stands behind the number may take it back
    alone = not before and not rest.strip(" .;,")
    alone = alone and not _is_least(label, first)
    basis = Basis.REPORTED if alone and not read[1] and not changed else Basis.SAID
    collected.state(*place, measurement.id, read[0], basis, "label and value", scope=scope)
    collected.discuss(measurement.id, first.unit or label.unit)
    return True


def _is_least(label: Label, amount: Amount) -> bool:
    """Whether *min* in a label is the least of many values and no unit: the value has another one."""
    return label.unit == _LEAST and amount.unit not in ("", _LEAST)


def _is_range_word(before: str, name: str, collected: Collected) -> bool:
    """Whether what stands before a number is but a word for a range, which tells less: *low (35 %)*."""
    words = significant(tokens(before))
    ranges = collected.vocabulary.range_words.get(name)
    found = [] if ranges is None else ranges.find(words)
    small = [each for each in collected.vocabulary.marks.overlapping(words) if each.meaning in ("neutral", "varies")]
    return bool(found) and len(places_of((*found, *small))) == len(words)


def _ends(rest: str) -> bool:
    """Whether what stands behind a number leaves it as it is."""
    return not rest.strip() or (rest.lstrip()[:1] in "(,;.-–[/" and not SECOND_NUMBER.match(rest))


def _stated(measurement: Measurement, words: Sequence[Token], vocabulary: Vocabulary) -> str | None:
    """Return the value of a measurement that a phrase among some words states, the longest one, or None.

    Where the words deny, doubt or wish, nothing is stated.
    """
    marks = {mention.meaning for mention in vocabulary.marks.overlapping(words)}
    if not marks.isdisjoint(_TAKEN_BACK):
        return None
    found = [
        (mention.after - mention.first, meaning.value)
        for meaning, [(_, mention), *others] in vocabulary.statements.find([words])
        if meaning.measurement == measurement.id and not others
    ]
    return max(found, key=lambda each: each[0])[1] if found else None


def _is_timed(value: str) -> bool:
    """Whether a value is nothing but a time or a rate."""
    first = leading(value)
    unit = None if first is None or value[first.end :].strip() else known_unit(first.unit)
    return unit is not None and unit.dimension.second != 0


def _hardware_value(value: str, vocabulary: Vocabulary) -> str | None:
    """Return the accelerator that a value is; a number beside "gpus" counts them, and ``all`` is none."""
    found = hardware_names(value, vocabulary.base.catalogue)
    if found and found[0].start() == 0 and found[0][0][0].isdigit():
        return model_of(found[0])
    return value if len(value) <= _WORD_CHARACTERS and (found or names_hardware(value)) else None


def word_value(measurement: Measurement, label: Label, value: str, vocabulary: Vocabulary) -> str | None:
    """Return the word that a value is for a measurement of words, or None.

    ``oom: true`` states what its label does: the words of the label are looked up then.
    """
    kind = measurement.model.kind
    plain = value.casefold().strip(" .")
    if kind is Kind.FLAG:
        return "true" if plain in _TRUE else "false" if plain in _FALSE else None
    if kind is Kind.CATEGORY:
        known = vocabulary.base.names.categories(measurement.id)
        own = next((word for word in sorted(known) if folded(word) == folded(value)), None)
        words = label.words if plain in _TRUE else significant(tokens("" if "?" in value else value))
        return own or _stated(measurement, words, vocabulary)
    if kind is Kind.SETTING and not measurement.model.unit and _is_timed(value):
        return None  # a time or rate is no name
    if measurement.id == _HARDWARE:
        return _hardware_value(value, vocabulary)
    first = _REMARK.split(plain, maxsplit=1)[0].strip()
    if (
        kind is Kind.SETTING
        and not measurement.model.unit
        and first != plain
        and first in (_TRUE | _FALSE) - {"1", "0"}
    ):
        return "true" if first in _TRUE else "false"  # what stands behind it tells what it did
    if kind is Kind.SETTING and not measurement.model.unit and len(value) <= _WORD_CHARACTERS:
        return "true" if plain in _TRUE - {"1"} else "false" if plain in _FALSE - {"0", "none"} else value
    return None
