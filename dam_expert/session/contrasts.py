"""Two values of one thing of which one stands against the other: ``0.8 s instead of 2.4 s``, ``0.8 s, now 2.4 s``.

Which of them is wanted is not said by the word between them: that the first is wished, or that it is so, tells.

>>> contrast_in("we want p99 0.8 s instead of 2.4 s")
Contrast(name='we want p99 ', first='0.8 s', second='2.4 s', second_is_now=False)
>>> contrast_in("thay vì 2.4 giây muốn p99 0.8 giây").second, contrast_in("p99 应为 0.8 秒，现在 2.4 秒").second_is_now
('2.4 giây', True)
>>> contrast_in("step time is 180 ms, wanted 110 ms") is None
True
"""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import Final

from dam_expert.documents.answering import whole_word
from dam_expert.session.moves import VALUE
from dam_expert.session.speech import spoken

_BETWEEN: Final = r"[\s,;:，；：(（]*"
_ONE_VALUE: Final = rf"{VALUE.pattern}[\d.,]*\s?[^\W\d]*(?:/[^\W\d]+)?"


@dataclasses.dataclass(frozen=True, slots=True)
class Contrast:
    """The texts of two values, and what stands before the first. ``second_is_now``: the second is what there is."""

    name: str
    first: str
    second: str
    second_is_now: bool


def contrast_in(text: str) -> Contrast | None:
    """Return the two values that a text sets against each other; None where it does not."""
    leading = _patterns()[0].fullmatch(text.strip())
    if leading is not None:
        values = list(VALUE.finditer(leading["rest"]))
        if not values:
            return None
        place = values[-1].start()
        return Contrast(leading["rest"][:place], leading["rest"][place:].strip(), leading["second"].strip(), False)
    for is_now, pattern in enumerate(_patterns()[1:]):
        found = pattern.fullmatch(text.strip())
        if found is not None:
            return Contrast(found["name"], found["first"].strip(), found["second"].strip(), bool(is_now))
    return None


@functools.cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return what a text is that begins with the value that is not so, that sets two apart, and that tells the present.

    They are made when the words are first needed.
    """
    instead, now, small = (
        "|".join(map(whole_word, words))
        for words in (
            spoken("answer.instead"),
            spoken("answer.after"),
            (*spoken("answer.is"), *spoken("answer.about"), *spoken("answer.it")),
        )
    )
    filler = rf"(?:{_BETWEEN}(?:{small}))*{_BETWEEN}"
    first = rf"(?P<name>.*)(?P<first>{VALUE.pattern}[^,;，；]*?){_BETWEEN}"
    flags = re.IGNORECASE | re.DOTALL
    return (
        re.compile(rf"(?:{instead}){filler}(?P<second>{_ONE_VALUE}){_BETWEEN}(?P<rest>.*)", flags),
        re.compile(rf"{first}(?:{instead}){filler}(?P<second>{VALUE.pattern}.*)", flags),
        re.compile(rf"{first}(?:{small}|{_BETWEEN})*(?:{now}){filler}(?P<second>{VALUE.pattern}.*)", flags),
    )
