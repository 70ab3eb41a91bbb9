"""Accelerators named in a report, and how many of them: ``8x B200``, ``2 nodes with 4 A100 each``."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis

if TYPE_CHECKING:
    from dam_expert.physics.hardware import Catalogue
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage

_DIGIT = re.compile(r"\d")
_COUNT = re.compile(r"(?:^|[^\w.])(\d{1,5})\s?[x×*]?\s?(?:NVIDIA |AMD |Intel )?$")
_MODELS_IN_A_SENTENCE = 1


def read_hardware(passage: Passage, collected: Collected) -> None:
    """Take the accelerator that a passage names, if it names just one, and the number before it."""
    pattern = _names(collected.vocabulary.base.catalogue)
    if pattern is None or _DIGIT.search(passage.text) is None:
        return
    found = list(pattern.finditer(passage.text))
    if len({match[0].casefold() for match in found}) != _MODELS_IN_A_SENTENCE:
        return
    match = found[0]
    basis = Basis.REPORTED
    collected.state(passage, match.start(), match.end(), "accelerator", match[0], basis, "name of an accelerator")
    count = _COUNT.search(passage.text, max(0, match.start() - 16), match.start())
    if count is not None and int(count[1]):
        number = Interval.point(float(count[1]))
        collected.state(passage, count.start(1), match.end(), "device_count", number, basis, "number before a name")


@functools.lru_cache(maxsize=4)
def _names(catalogue: Catalogue) -> re.Pattern[str] | None:
    """Return what finds the names of accelerators: those that mix letters and digits, the longest first."""
    names = {
        name
        for each in catalogue.accelerators
        for name in (each.id, each.name, *each.printed, *each.name.replace("-", " ").split())
        if re.search(r"[A-Za-z]", name) and re.search(r"\d", name) and not re.fullmatch(r"(?i)\d+[gt]i?b", name)
    }
    if not names:
        return None
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w])", re.IGNORECASE)
