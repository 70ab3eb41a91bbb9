"""Phrases of several parts: all of them in one sentence, wherever they stand in it."""

from __future__ import annotations

import dataclasses

import pytest

from dam_expert.prose.combined import Combined
from dam_expert.prose.words import significant, tokens


@dataclasses.dataclass(frozen=True)
class Meant:
    """A phrase of a test."""

    name: str
    phrase: int
    parts: int


def combined(*phrases):
    """Return a set of phrases, each named by its text."""
    return Combined(
        (part, Meant(text, number, len(text.split(" + "))))
        for number, text in enumerate(phrases)
        for part in text.split(" + ")
    )


PHRASES = combined("slower + upgrade", "slower", "slower + after + upgrade", "gpu waits + data", "slower + slower")


@pytest.mark.parametrize(
    ("clauses", "names"),
    [
        (["It is slower"], ["slower"]),
        (["It is slower", "since the upgrade"], ["slower + upgrade", "slower"]),
        (["after the upgrade it is slower"], ["slower + after + upgrade", "slower + upgrade", "slower"]),
        (["the GPU waits for data"], ["gpu waits + data"]),
        (["the GPU is not slow"], []),
    ],
)
def test_every_part_must_stand_in_the_sentence(clauses, names):
    """A phrase is found where each of its parts is, in the order in which the text begins them."""
    found = PHRASES.find([significant(tokens(clause)) for clause in clauses])
    assert [meaning.name for meaning, _ in found] == names


def test_the_clause_of_each_part_is_told():
    """Each part comes with the clause in which it stands first, in the order of the text."""
    found = PHRASES.find([significant(tokens(text)) for text in ("after the upgrade", "it is slower, so much slower")])
    places = {meaning.name: [clause for clause, _ in at] for meaning, at in found}
    assert places == {"slower + after + upgrade": [0, 0, 1], "slower + upgrade": [0, 1], "slower": [1]}
