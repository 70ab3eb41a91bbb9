r"""Labelled values, ``- step time: 482, 535 s``: which measurement a label names, in which unit, and for which case.

A label that names a variant (another batch, one rank, before a fix) states nothing of the job as it is.

>>> read_label("step ms batch 1").unit, read_label("kv cache usage pct").unit, read_label("generation").unit
('ms', '%', '')
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.kinds import Kind
from dam_expert.prose.words import Token, places_of, significant, stem, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Mention

LABEL = re.compile(
    r"^\s*[*_`]{0,3}([^\W\d_][^:：=\n|]{0,78}?)[*_`]{0,3}\s*(?:[:：]|\s=|=(?!=))[*_`]{0,3}\s*(?=\S)(.*)$", re.DOTALL
)
COLONS = (":", "：")
_UNITS = {
    "ms": "ms",
    "us": "us",
    "microseconds": "us",
    "milliseconds": "ms",
    "ns": "ns",
    "s": "s",
    "sec": "s",
    "secs": "s",
    "second": "s",
    "seconds": "s",
    "min": "min",
    "minutes": "min",
    "h": "h",
    "hours": "h",
    "gb": "GB",
    "mb": "MB",
    "gib": "GiB",
    "mib": "MiB",
    "kb": "kB",
    "tb": "TB",
    "pct": "%",
    "percent": "%",
    "w": "W",
    "watts": "W",
    "mhz": "MHz",
    "ghz": "GHz",
    "tflops": "TFLOPS",
    "gflops": "GFLOPS",
    "gbps": "Gbps",
    "usd": "$",
}
_BEFORE_RATE = {"gb": "GB/s", "gib": "GiB/s", "mb": "MB/s", "mib": "MiB/s", "kb": "kB/s", "tb": "TB/s"}
_SECOND = frozenset({"s", "sec", "second"})
_PERIODS = {"min": "1/min", "minute": "1/min", "h": "1/h", "hr": "1/h", "hour": "1/h"}
#: ``it`` in a label is an iteration, and no filler.
_WORDS = {"it": "iteration", "its": "iterations", "iter": "iteration", "iters": "iterations"}
#: What names a rate only together with ``per s``: by itself it counts, or takes a time.
_COUNTED = frozenset({"iteration", "iterations", "step", "steps", "batch", "batches", "request", "requests", "req"})
#: A time of a part is given per such a piece of the job.
_PIECES = frozenset({"iteration", "step", "batch"})
#: What a label leaves out beside the unit of a time.
_TIME = stem("time")
_TIMES = frozenset({"ns", "us", "ms", "s", "min", "h"})
_SCOPED = re.compile(r"^(rank|gpu|device|node|worker)(\d{1,5})$")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A label taken apart: its words without the unit, the unit, and the member of a scope that it names."""

    words: tuple[Token, ...]
    unit: str = ""
    scope: tuple[str, str] | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A measurement that a label may name.

    ``exact``: nothing in the label is left over. ``variant``: what is left over names another case than the job.
    ``others``: the words that do so. ``rest``: all words beside the name.
    """

    measurement: str
    covered: int
    exact: bool
    variant: bool
    others: tuple[Token, ...] = ()
    rest: tuple[Token, ...] = ()


def read_label(text: str) -> Label:
    """Take a label apart."""
    plain = re.sub(r"[()\[\]/,]", lambda match: " ", text)
    words = [(match[0].casefold(), match.start(), match.end()) for match in re.finditer(r"[^\s_]+", plain)]
    words = [(_WORDS.get(word, word), start, end) for word, start, end in words]
    kept: list[tuple[str, int, int]] = []
    unit = ""
    scope: tuple[str, str] | None = None
    place = 0
    while place < len(words):
        word = words[place][0].strip(":")
        following = [each[0] for each in words[place + 1 : place + 3]]
        scoped = _SCOPED.match(word)
        if word == "per" and following and following[0] in _SECOND:
            unit = "1/s"
            place += 2
            if kept and kept[-1][0] in _COUNTED:
                kept[-1] = (f"{kept[-1][0]} per s", *kept[-1][1:])
            continue
        if word == "per" and following and following[0] in _PERIODS:
            unit = unit or _PERIODS[following[0]]
            place += 2
            continue
        if word in _BEFORE_RATE and (following[:1] == ["s"] or (following[:1] == ["per"] and following[1:2] == ["s"])):
            unit = _BEFORE_RATE[word]
            place += 3 if following[0] == "per" else 2
            continue
        if word in _UNITS and (kept or place + 1 < len(words) or word == "tflops"):
            unit = unit or _UNITS[word]
        elif scoped:
            scope = (scoped[1] if scoped[1] != "gpu" else "device", scoped[2])
        else:
            kept.append(words[place])
        place += 1
    found = [token for word, start, _ in kept for token in _moved(word, start)]
    return Label(words=tuple(significant(found)), unit=unit, scope=scope)


def _moved(word: str, start: int) -> list[Token]:
    return [dataclasses.replace(token, start=token.start + start, end=token.end + start) for token in tokens(word)]


def named(label: Label, vocabulary: Vocabulary) -> Iterator[Named]:
    """Yield the measurements that a label may name, what covers most of its words first."""
    found = vocabulary.keys.overlapping(label.words)
    found += _times_in_short(label, found, vocabulary)
    for mention in sorted(found, key=lambda each: (each.first - each.after, each.first, each.meaning)):
        rest = [*label.words[: mention.first], *label.words[mention.after :]]
        others = without_neutral(rest, vocabulary)
        if vocabulary.base.names.kind(mention.meaning) is Kind.DURATION:
            others = [token for token in others if not _is_per_piece(token, rest)]
        yield Named(
            measurement=mention.meaning,
            covered=mention.after - mention.first,
            exact=not rest,
            variant=bool(others),
            others=tuple(others),
            rest=tuple(rest),
        )


def _times_in_short(label: Label, found: Sequence[Mention[str]], vocabulary: Vocabulary) -> list[Mention[str]]:
    """Return the times that a label calls by what they are of, where its unit says that it is one: *request ms*."""
    kinds = vocabulary.base.names
    if label.unit not in _TIMES or any(kinds.kind(each.meaning) is Kind.DURATION for each in found):
        return []
    short: list[Mention[str]] = []
    for at in range(1, len(label.words) + 1):
        beside = label.words[at - 1]
        time = dataclasses.replace(beside, word=_TIME)
        words = [*label.words[:at], time, *label.words[at:]]
        ending = [each for each in vocabulary.keys.overlapping(words) if each.after == at + 1 and each.first < at]
        short += [
            dataclasses.replace(each, after=at, end=beside.end)
            for each in ending
            if kinds.kind(each.meaning) is Kind.DURATION
        ]
    return short


def _is_per_piece(token: Token, rest: list[Token]) -> bool:
    """Whether a word only says of which piece of the job a time is: *data wait per iteration*."""
    place = rest.index(token)
    return stem(token.word) in _PIECES and place > 0 and rest[place - 1].word == "per"


def parted(text: str) -> tuple[str, str, str]:
    """Return what stands before the first colon of a text, the colon if there is one, and what stands behind it."""
    return text.replace("：", ":").partition(":")


def without_neutral(rest: Sequence[Token], vocabulary: Vocabulary) -> list[Token]:
    """Return the words that are neither neutral nor part of the circumstances of every measurement."""
    neutral = places_of(each for each in vocabulary.marks.overlapping(rest) if each.meaning == "neutral")
    return [token for place, token in enumerate(rest) if place not in neutral]
