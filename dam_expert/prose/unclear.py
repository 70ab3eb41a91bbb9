r"""What a report leaves open becomes a question with its readings: never a guess.

Three kinds: names and units with several meanings (TPS, gb/s), pairs such as ``0.21 (0.50)`` of which one is the last
and one the mean, and rates on several devices that may be those of one or of all.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.prose.words import significant, tokens

if TYPE_CHECKING:
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.entries import SharedModel
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.understood import Finding
    from dam_expert.prose.words import Phrases

_NUMBER_AND_UNIT: Final = re.compile(r"(?<![\w.])\d{1,12}(?:\.\d{1,9})?\s?([A-Za-z]{2,5}(?:/s)?)(?![\w/])")
_PAIR: Final = re.compile(
    r"(?<![\w.(])\d{1,9}(?:\.\d{1,9})?\s?[A-Za-z%/]{0,8}\s?\(\s?\d{1,9}(?:\.\d{1,9})?\s?[A-Za-z%/]{0,8}\s?\)"
)
#: A number of more digits than any measured value has, with a unit; at once, however many there are.
_OVERLONG: Final = re.compile(
    r"(?<![\w.])(?>\d{16,})(?:\.\d{0,15})?\s?(?:[mµμun]?s|sec|seconds?|min|minutes?|h|hours?|%|[KMGT]i?B(?:/s)?|[a-z]{1,12}/s)(?!\w)"
)
_OVERLONG_QUESTION: Final = "a number has too many digits to be a measured value: it is not read"
_OVERLONG_ANSWER: Final = "write the value with its unit, such as 'step time: 180 ms'"
_PAIR_QUESTION: Final = "of two numbers, one in brackets, it is not said which is the last and which the mean"
_PAIR_ANSWER: Final = "give the mean with --set"


def ask_of(passage: Passage, collected: Collected) -> None:
    """Ask for what a passage names by a word or unit with several meanings, or as a pair of numbers."""
    vocabulary = collected.vocabulary
    for mention in vocabulary.ambiguous.find(significant(tokens(passage.text))):
        near = passage.text[max(0, mention.start - 24) : mention.end + 24]
        if any(sign.isdigit() for sign in near):
            collected.ask(passage, mention.start, mention.end, mention.meaning.question, mention.meaning.answer)
    for found in _NUMBER_AND_UNIT.finditer(passage.text):
        entry = vocabulary.ambiguous_units.get(found[1])
        if entry is not None:
            collected.ask(passage, *found.span(), entry.question, entry.answer)
    for found in _OVERLONG.finditer(passage.text):
        collected.ask(passage, *found.span(), _OVERLONG_QUESTION, _OVERLONG_ANSWER)
    for found in _PAIR.finditer(passage.text) if "(" in passage.text else ():
        collected.ask(passage, *found.span(), _PAIR_QUESTION, _PAIR_ANSWER)


def doubt_shared(collected: Collected) -> None:
    """Let what may be of one device or of all count as said, and ask, where there are several devices."""
    for entry, words in collected.vocabulary.shared:
        if _most(entry, collected) > 1:
            collected.findings[:] = [_doubted(each, entry, words, collected) for each in collected.findings]
            collected.settings[:] = [_doubted(each, entry, words, collected) for each in collected.settings]


def _most(entry: SharedModel, collected: Collected) -> float:
    """Return the largest number of devices that the report states."""
    counts = [
        each.observation.value.hi
        for each in collected.settings
        if each.observation.measurement in entry.counts and isinstance(each.observation.value, Interval)
    ]
    return max(counts, default=1.0)


def _doubted(finding: Finding, entry: SharedModel, words: Phrases[bool], collected: Collected) -> Finding:
    observation = finding.observation
    if observation.measurement not in entry.measurements or words.find(significant(tokens(observation.given or ""))):
        return finding
    collected.ask_at(finding.span, f"{observation.measurement}: {entry.question}", entry.answer)
    return dataclasses.replace(finding, observation=dataclasses.replace(observation, basis=Basis.SAID))
