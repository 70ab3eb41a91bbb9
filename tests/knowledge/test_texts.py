"""The shipped base speaks English, Chinese and Vietnamese: every text has its translation."""

from __future__ import annotations

import re

import pytest
from knowledge.rows import base

from dam_expert.kb.texts import load_texts, originals_of

LANGUAGES = ("zh", "vi")

#: Texts that are the same in every language: names of tools, expressions.
_WRITTEN_ALIKE = re.compile(r"^[\x00-\x7f]*$")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated(language: str) -> None:
    """No text of the base is missing, and nothing is wrong with those that are there (their numbers are the same)."""
    texts, messages = load_texts(base(), language)
    assert [str(message) for message in messages] == []
    assert texts.missing == ()


def test_chinese_is_written_in_chinese() -> None:
    """A translated sentence holds Chinese; what stays in Latin letters is a name or an expression."""
    texts, _ = load_texts(base(), "zh")
    originals = dict(originals_of(base()))
    for place, text in texts.by_place.items():
        if place[2] not in ("title", "note") and " " in originals[place]:
            assert not _WRITTEN_ALIKE.match(text), place
