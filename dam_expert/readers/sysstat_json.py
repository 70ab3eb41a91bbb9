"""What the JSON of all sysstat tools has in common: arrays of reports, one for each host, whole or cut off by Ctrl-C.

>>> found = list(statistics('{"hosts": [{"number-of-cpus": 2, "statistics": [{"a": 1}, {"b": '))
>>> found, processors('"number-of-cpus": 2,'), processors("")
([([{'a': 1}], False)], 2, None)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dam_expert.readers.json_text import entries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.readers.interface import Teller

_STATISTICS = re.compile(r'"statistics"\s*:\s*\[')
_PROCESSORS = re.compile(r'"number-of-cpus"\s*:\s*(\d{1,6})')


def statistics(text: str) -> Iterator[tuple[list[object], bool]]:
    """Yield the complete reports of each host, and whether its array is closed."""
    for found in _STATISTICS.finditer(text):
        yield entries(text, found.end())


def processors(text: str) -> int | None:
    """Return the number of processors of the first host, or None where it is not told."""
    found = _PROCESSORS.search(text)
    return int(found[1]) if found else None


def ends_early(tell: Teller, reports: int) -> Message:
    """Return that a capture was cut off behind so many complete reports, and how it is not."""
    text = f"the JSON ends early; its {reports} complete reports are used"
    return tell.warn("truncated", text, hint=f"let {tell.tool} finish by itself: give it a count")
