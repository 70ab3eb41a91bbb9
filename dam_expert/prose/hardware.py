"""Accelerators named in a report, and how many of them: ``8x B200``, ``2 nodes with 4 A100 each``."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.prose.sentences import statements

if TYPE_CHECKING:
    from dam_expert.physics.hardware import Catalogue
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage

_RUN = re.compile(r"[A-Za-z0-9]+")
#: How many of them, as a number or a word, with what counts things in Chinese and Vietnamese.
_COUNT = re.compile(
    r"(?:(?:^|[^\w.])(?P<number>\d{1,5})\s?[x×*]?|(?:^|[^\w])(?P<word>one|two|three|four|six|eight|sixteen|một|hai|ba|bốn|tám)"
    r"|(?P<sign>[一二两双三四八单]))\s?(?:张|块|片|卡|个|card|chiếc|cái|con)?\s?(?:NVIDIA |AMD |Intel )?$",
    re.IGNORECASE,
)
_WORDS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "six": 6,
    "eight": 8,
    "sixteen": 16,
    "một": 1,
    "hai": 2,
    "ba": 3,
    "bốn": 4,
    "tám": 8,
    "一": 1,
    "单": 1,
    "二": 2,
    "两": 2,
    "双": 2,
    "三": 3,
    "四": 4,
    "八": 8,
}
_NODES = re.compile(
    r"(?<![\w-])(?P<word>two|three|four|six|eight|sixteen|hai|ba|bốn|tám)\s(?:\w+\s)?"
    r"(?:nodes|machines|hosts|nút|node|máy chủ)\b"
    r"|(?P<sign>[两双二三四八])\s?(?:台\s?)?(?:机(?!会|制|构)|节点|台服务器|台主机)",
    re.IGNORECASE,
)
_DEVICES = re.compile(
    r"(?<![\w-])(?P<word>two|three|four|six|eight|sixteen|hai|ba|bốn|tám)\s(?:gpus|cards|gpu|card)\b"
    r"|(?P<sign>[两双三四八])\s?(?:张|块)?\s?(?:显卡|GPU|卡(?!顿|住|死))",
    re.IGNORECASE,
)
#: Cards of series that the catalogue has but a few of.
_SERIES = re.compile(r"(?:RTX|GTX)[ -]?A?\d{4}(?: ?(?:Ti|SUPER|Ada))?(?!\w)", re.IGNORECASE)
_OF_SERIES = re.compile(r"(?:rtx|gtx)(?:a?\d{4})?", re.IGNORECASE)
_MODELS_IN_A_SENTENCE = 1


def read_hardware(passage: Passage, collected: Collected) -> None:
    """Take the accelerator that a passage names, if it names just one, and the number before it."""
    _read_counts(passage, collected)
    found = list(hardware_names(passage.text, collected.vocabulary.base.catalogue))
    found = [each for each in found if _is_of_this_job(each, passage, collected)] if found else found
    if len({each[0].casefold() for each in found}) != _MODELS_IN_A_SENTENCE:
        return
    first = found[0]
    basis = Basis.REPORTED
    collected.state(passage, first.start(), first.end(), "accelerator", first[0], basis, "name of an accelerator")
    count = _COUNT.search(passage.text, max(0, first.start() - 16), first.start())
    devices = 0 if count is None else _number(count)
    if count is not None and devices:
        start = count.start(count.lastgroup or 0)
        number = Interval.point(float(devices))
        collected.state(passage, start, first.end(), "device_count", number, basis, "number before a name")


def _read_counts(passage: Passage, collected: Collected) -> None:
    """Take the number of nodes or devices that a passage gives in words: *on two nodes*, *两机*, *hai nút*."""
    for pattern, name in ((_NODES, "node_count"), (_DEVICES, "device_count")):
        for found in pattern.finditer(passage.text):
            if _is_of_this_job(found, passage, collected):
                number = Interval.point(float(_WORDS[(found["word"] or found["sign"]).casefold()]))
                collected.state(passage, *found.span(), name, number, Basis.REPORTED, "number in words")
                break


def _number(count: re.Match[str]) -> int:
    return int(count["number"]) if count["number"] else _WORDS[(count["word"] or count["sign"]).casefold()]


@functools.lru_cache(maxsize=8)
def hardware_names(text: str, catalogue: Catalogue) -> tuple[re.Match[str], ...]:
    """Return the names of accelerators in a text; a passage is looked at several times, one after the other."""
    pattern, beginnings = _names(catalogue)
    found: list[re.Match[str]] = []
    for run in _RUN.finditer(text) if pattern is not None else ():
        if found and run.start() < found[-1].end():
            continue
        match = None
        if pattern is not None and run[0].casefold() in beginnings:
            match = pattern.match(text, run.start())
        if match is None and _OF_SERIES.fullmatch(run[0]):
            match = _SERIES.match(text, run.start())
        found += [] if match is None else [match]
    return tuple(found)


def _is_of_this_job(name: re.Match[str], passage: Passage, collected: Collected) -> bool:
    """Whether the clause of a name says that the job runs there: no wish, question, denial, or machine of others."""
    for statement in statements(passage.text, collected.vocabulary):
        if statement.clause.start <= name.start() < statement.clause.end:
            first = next((at for at, word in enumerate(statement.words) if word.end > name.start()), None)
            if passage.second_hand and statement.of_its_writer:
                return False
            said = not (statement.is_question or statement.is_conditional or statement.has("planned"))
            own = said and not statement.is_of_another_case(name.start(), name.end())
            return own and (first is None or not statement.negated(first))
    return True


@functools.lru_cache(maxsize=4)
def _names(catalogue: Catalogue) -> tuple[re.Pattern[str] | None, frozenset[str]]:
    """Return what finds the names of accelerators, and what they begin with: no other text need be searched.

    Names are those that mix letters and digits, the longest first.
    """
    names = {
        name
        for each in catalogue.accelerators
        for name in (each.id, each.name, *each.printed, *each.name.replace("-", " ").split())
        if re.search(r"[A-Za-z]", name) and re.search(r"\d", name) and not re.fullmatch(r"(?i)\d+[gt]i?b|\d[a-z]", name)
    }
    if not names:
        return None, frozenset()
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w])", re.IGNORECASE)
    return pattern, frozenset(run[0] for name in names if (run := _RUN.search(name.casefold())))
