"""What stands beside a value and takes it back: a remark in the place of its words, or a source that only tells."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final

from dam_expert.documents.answering import folded, value_of
from dam_expert.documents.intervals import Interval
from dam_expert.documents.literals import QuantityError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.documents.incident_values import Vocabulary
    from dam_expert.documents.observations import Value

_FILE: Final = re.compile(r"(?:[\w.+@%~-]*[/\\])*[\w+@%~-][\w.+@%~-]*\.[A-Za-z]\w{0,9}(?::\d+)?|-|--?\w[\w-]*")
"""A file, with its line where that is told, or an option of a command: neither has blanks."""


def is_hearsay(long: Mapping[str, Any], value: Value, measurement: str, vocabulary: Vocabulary) -> bool:
    """Whether what stands beside a value makes it hearsay.

    ``given`` is the value as it was written; of what was read elsewhere it is a passage, which may hold more than the
    value. A text as ``source`` names a tool, a file or the lever that was tried; else it tells where it was heard.
    """
    given, source = long.get("given"), long.get("source")
    if isinstance(source, dict) and not source.get("file") and not source.get("tool"):
        source = source.get("detail")
    if isinstance(source, str) and not _FILE.fullmatch(source.strip()) and not vocabulary.is_source(source):
        return True
    if not given:
        return False
    if isinstance(source, dict) and (not isinstance(value, Interval) or any(map(str.isdigit, given))):
        return False
    return not _is_written_so(given, value, measurement, vocabulary)


def _is_written_so(given: str, value: Value, measurement: str, vocabulary: Vocabulary) -> bool:
    """Whether a text reads as a value, and as this one."""
    try:
        read, _ = value_of(given, measurement, vocabulary)
    except QuantityError:
        return False
    if isinstance(read, str) or isinstance(value, str):
        return isinstance(read, str) and isinstance(value, str) and folded(read) == folded(value)
    return _at_most(read.lo, value.hi) and _at_most(value.lo, read.hi)


def _at_most(low: float, high: float) -> bool:
    return low <= high or math.isclose(low, high)
