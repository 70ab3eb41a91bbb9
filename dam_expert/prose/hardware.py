"""Accelerators named in a report, and how many of them: ``8x B200``, ``2 nodes with 4 A100 each``."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.physics.hardware import Catalogue
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement

_RUN = re.compile(r"[A-Za-z0-9]+")
#: How many of them, as a number or a word, with what counts things in Chinese and Vietnamese.
_COUNT = re.compile(
    r"(?:(?:^|[^A-Za-z0-9_.])(?P<number>\d{1,5})\s?[x×*]?|(?:^|[^\w])(?P<word>one|two|three|four|six|eight|sixteen|một|hai|ba|bốn|tám)"
    r"|(?P<sign>[一二两双三四八单]))\s?(?:张|块|片|卡|个|card|chiếc|cái|con)?\s?(?:\d{2,3}\s?GB?\s)?"
    r"(?:NVIDIA |AMD |Intel )?$",
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
    r"(?<![\w-])(?<!\bor )(?P<word>two|three|four|six|eight|sixteen|hai|ba|bốn|tám)\s(?!or\b)(?:\w+\s)?"
    r"(?:nodes|machines|hosts|nút|node|máy chủ)\b"
    r"|(?P<sign>[两双二三四八])\s?(?:台\s?)?(?:机(?!会|制|构)|节点|台服务器|台主机)",
    re.IGNORECASE,
)
_DEVICES = re.compile(
    r"(?<![\w-])(?P<word>two|three|four|six|eight|sixteen|hai|ba|bốn|tám)\s(?:gpus|cards|gpu|card)\b"
    r"|(?P<sign>[两双三四八])\s?(?:张|块|个)?\s?(?:显卡|GPU|卡(?!顿|住|死))",
    re.IGNORECASE,
)
#: Cards of series that the catalogue has but a few of.
_SERIES = re.compile(r"(?:RTX|GTX)[ -]?A?\d{4}(?: ?(?:Ti|SUPER|Ada))?(?![A-Za-z0-9_])", re.IGNORECASE)
_OF_SERIES = re.compile(r"(?:rtx|gtx)(?:a?\d{4})?", re.IGNORECASE)
#: The same without their first word, where what stands around them says that they are cards: *my 3080*, 显卡为4090.
_NUMBERED = re.compile(
    r"(?:10[5-8]0|16[56]0|20[5-8]0|30[5-9]0|40[5-9]0|50[5-9]0)(?:\s?Ti|\s?SUPER|\s?D(?=\b))?"
    r"(?=$|\s*(?:[,.;:)）(（，。、]|\d{1,3}\s?G|(?:with|and|gpus?|cards?|graphics|on|for|but|in|is|we|or)\b|[\u4e00-\u9fff]|$))",
    re.IGNORECASE,
)
_OF_CARD = re.compile(
    r"(?:\b(?:my|our|a|an|one|two|single|the|nvidia|geforce|card|cards|gpu|gpus|device|\d{1,2}\s?[x×*])|显卡|显卡型号|卡|用的?是?|张|块)"
    r"[\s:：(（为是]{0,3}$",
    re.IGNORECASE,
)
_DIGITS_ONLY = 4
_BARE_RUN = re.compile(r"\d{4}(?:ti|super|d)?", re.IGNORECASE)
_MODELS_IN_A_SENTENCE = 1


def read_hardware(passage: Passage, told: Sequence[Statement], collected: Collected) -> None:
    """Take the accelerator that a passage names, if it names just one, and the number before it.

    ``told`` are the clauses of the passage.
    """
    _read_counts(passage, told, collected)
    found = list(hardware_names(passage.text, collected.vocabulary.base.catalogue))
    found = [each for each in found if _is_of_this_job(each, passage, told)]
    if len({each[0].casefold() for each in found}) != _MODELS_IN_A_SENTENCE:
        return
    first = found[0]
    basis = Basis.REPORTED
    model = model_of(first)
    collected.state(passage, first.start(), first.end(), "accelerator", model, basis, "name of an accelerator")
    count = _COUNT.search(passage.text, max(0, first.start() - 24), first.start())
    devices = 0 if count is None else _number(count)
    if count is not None and devices:
        start = count.start(count.lastgroup or 0)
        number = Interval.point(float(devices))
        collected.state(passage, start, first.end(), "device_count", number, basis, "number before a name")


def _read_counts(passage: Passage, told: Sequence[Statement], collected: Collected) -> None:
    """Take the number of nodes or devices that a passage gives in words: *on two nodes*, *两机*, *hai nút*."""
    for pattern, name in ((_NODES, "node_count"), (_DEVICES, "device_count")):
        for found in pattern.finditer(passage.text):
            if _is_of_this_job(found, passage, told):
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
        if match is None and _BARE_RUN.fullmatch(run[0]):
            match = _numbered_card(text, run.start())
        found += [] if match is None else [match]
    return tuple(found)


def _numbered_card(text: str, start: int) -> re.Match[str] | None:
    """Return the number of a consumer card at a place, if the words before it say that it is one."""
    before = text[max(0, start - 16) : start]
    found = _NUMBERED.match(text, start)
    if found is None or not (len(found[0]) > _DIGITS_ONLY or _OF_CARD.search(before) or not before.strip()):
        return None
    return found


def model_of(name: re.Match[str]) -> str:
    """Return the name of an accelerator as its maker writes it: a bare number is one of a series."""
    if not name[0][0].isdigit():
        return name[0]
    return f"{'GTX' if name[0][0] == '1' else 'RTX'} {name[0]}" if _NUMBERED.match(name[0]) else name[0]


def names_hardware(value: str) -> bool:
    """Whether a value may be the name of an accelerator: it has a model in letters and digits (``all`` has none)."""
    return any(re.search(r"[A-Za-z]", run[0]) and re.search(r"\d", run[0]) for run in _RUN.finditer(value)) or (
        _SERIES.search(value) is not None or re.search(r"[A-Za-z]{3,}\W+[A-Za-z]?\d{2,4}", value) is not None
    )


def _is_of_this_job(name: re.Match[str], passage: Passage, told: Sequence[Statement]) -> bool:
    """Whether the clause of a name says that the job runs there: no wish, question, denial, or machine of others."""
    for statement in told:
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
    names_of_any = "|".join(map(re.escape, longest_first))
    pattern = re.compile(rf"(?<![A-Za-z0-9_-])(?:{names_of_any})(?![A-Za-z0-9_])", re.IGNORECASE)
    return pattern, frozenset(run[0] for name in names if (run := _RUN.search(name.casefold())))
