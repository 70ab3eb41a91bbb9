r"""Words inside of longer names of options and commands: *warmup* in ``--warmup_steps`` is no warm-up.

>>> [is_part_of_a_name(text, *span) for text, span in (("--warmup_steps 20", (2, 8)), ("num_workers 16", (0, 11)),
...  ("preprocessing_num_workers 16", (14, 25)), ("a long warm-up", (7, 14)))]
[True, False, True, False]
"""

from __future__ import annotations

import re
from typing import Final

#: Before a word in the middle of a name: an underscore, or a hyphen or point in what begins as an option does.
_WITHIN: Final = re.compile(r"(?:[A-Za-z0-9]_|(?:^|\s)(?:--?|#)[A-Za-z][\w.-]{0,60}[-.])$")
_GOES_ON: Final = re.compile(r"_[A-Za-z0-9]")
_OPTION_GOES_ON: Final = re.compile(r"[-_.][A-Za-z]")
_OPTION: Final = re.compile(r"(?:^|\s)--[\w.-]{0,60}$")
#: What joins the parts of a name; nothing else need be looked at.
_JOINS: Final = frozenset("_-.")
_LOOKED_AT: Final = 64


def is_part_of_a_name(text: str, start: int, end: int) -> bool:
    """Whether a stretch is only a part of the name of an option, variable or package."""
    if text[start - 1 : start] not in _JOINS and text[end : end + 1] not in _JOINS:
        return False
    before = text[max(0, start - _LOOKED_AT) : start]
    if _WITHIN.search(before) or _GOES_ON.match(text, end):
        return True
    if before.endswith("--") and text[start:end].isalpha():
        return True  # one word after the dashes is what an option is called, and states nothing
    return _OPTION_GOES_ON.match(text, end) is not None and _OPTION.search(before) is not None
