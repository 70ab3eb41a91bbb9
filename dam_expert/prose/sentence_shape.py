"""Whether a line reads like part of a sentence, in any language: by its words that only hold others together."""

from __future__ import annotations

import re
from typing import Final

from dam_expert.prose.words import tokens

_SENTENCE_WORDS: Final = 4
_FUNCTION: Final = """
    the a an and or is are was were we i it my our to of in on with but not when while after for at that this than from
    only all do have has can get got và là không khi của cho với các một được thì chỉ nhưng bị
"""
_FUNCTION_WORDS: Final = frozenset(_FUNCTION.split())
_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def is_sentence(line: str) -> bool:
    """Whether a line reads like part of a sentence: several words, some of which only hold others together.

    >>> is_sentence("GPU utilisation is low and the CPU is busy"), is_sentence("sda 0.00 3.00 0.00 12.00")
    (True, False)
    """
    if _CJK.search(line):
        return len(_CJK.findall(line)) >= _SENTENCE_WORDS
    words = [token.word for token in tokens(line)]
    letters = [word for word in words if word.isalpha()]
    return len(letters) >= _SENTENCE_WORDS and len(letters) * 2 > len(words) and not _FUNCTION_WORDS.isdisjoint(words)
