"""Hypothesis strategies for every entrance: sound inputs damaged, and documents made of the words of the base."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import yaml
from fuzz.damage import ABSENT, damaged
from hypothesis import strategies as st
from session.dialogue import base

if TYPE_CHECKING:
    from fuzz.entrances import Entrance
    from hypothesis.strategies import SearchStrategy

UNITS = ("", "%", "ms", "s/it", "GB/s", "GiB", "tok/s", "x", "k", "TFLOP/s", "°C", "min", "d")
JOINERS = ("", " ", "-", " to ", "±", "~", ">= ", "<", "about ", "between ", " and ", ",", "[", "]", ":", "e", "..")
HOSTILE = ("\x00", "\x1b[31m", "\u202e", "\u2028", "²", "٣", "\ud800", "=cmd|' /C calc'!A0", "<b>", "../..", "|" * 9)
KEYS = (
    "schema",
    "id",
    "target",
    "workload",
    "observations",
    "tried",
    "answers",
    "interventions",
    "x-a",
    "rules",
    "when",
)


def damage(entrance: Entrance) -> SearchStrategy[bytes]:
    """Sound inputs with one to five kinds of damage that know their structure; a failing one is told by its number."""
    return st.integers(0, 2**48).map(lambda number: damaged(random.Random(number), entrance.seeds()))


def words() -> SearchStrategy[str]:
    """Ids of the base, words for nothing, and texts that act on terminals, pages and tables."""
    known = (*base().measurements, *base().levers, *base().rules)
    return st.sampled_from(known) | st.sampled_from((*ABSENT, *HOSTILE)) | st.text(max_size=20)


def amounts() -> SearchStrategy[str]:
    """Numbers, units and what stands between them, in any order."""
    numbers = (
        st.integers(-(10**40), 10**40).map(str) | st.floats().map(str) | st.sampled_from(("1,5", "1.234,5", "9" * 500))
    )
    part = numbers | st.sampled_from(UNITS) | st.sampled_from(JOINERS) | st.sampled_from(HOSTILE)
    return st.lists(part, min_size=1, max_size=6).map("".join)


def documents() -> SearchStrategy[bytes]:
    """Incidents and knowledge of the right keys with anything under them, as YAML."""
    leaf = words() | amounts() | st.none() | st.booleans() | st.integers() | st.floats()
    keys = st.sampled_from(KEYS) | words()
    value = st.recursive(leaf, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4))
    whole = st.dictionaries(keys, value, max_size=6) | value
    return whole.map(lambda data: yaml.safe_dump(data, allow_unicode=True).encode("utf-8", "replace"))


def settings_given() -> SearchStrategy[bytes]:
    """Put a name and anything on the two sides of what stands after --set."""
    return st.tuples(words(), amounts() | words()).map(lambda pair: "=".join(pair).encode("utf-8", "replace"))


def answers() -> SearchStrategy[bytes]:
    """Lines of a session: commands with names behind them, values, and anything."""
    commands = st.sampled_from(
        (
            "why",
            "how",
            "why not",
            "what if",
            "back",
            "plan",
            "tried",
            "did",
            "note",
            "status",
            "change",
            "<<<",
            "unknown",
        )
    )
    line = st.tuples(commands, words()).map(" ".join) | amounts() | words()
    return st.lists(line, min_size=1, max_size=5).map(lambda lines: "\n".join(lines).encode("utf-8", "replace"))
