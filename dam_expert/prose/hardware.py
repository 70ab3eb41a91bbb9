"""Accelerators named in a report, and how many of them: ``8x B200``, ``2 nodes with 4 A100 each``."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.prose.sentences import statements

if TYPE_CHECKING:
    from dam_expert.physics.hardware import Catalogue
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage

_RUN = re.compile(r"[A-Za-z0-9]+")
_COUNT = re.compile(r"(?:^|[^\w.])(\d{1,5})\s?[x×*]?\s?(?:NVIDIA |AMD |Intel )?$")
_MODELS_IN_A_SENTENCE = 1


def read_hardware(passage: Passage, collected: Collected) -> None:
    """Take the accelerator that a passage names, if it names just one, and the number before it."""
    pattern, beginnings = _names(collected.vocabulary.base.catalogue)
    if pattern is None:
        return
    found: list[re.Match[str]] = []
    for run in _RUN.finditer(passage.text):
        if run[0].casefold() in beginnings and (not found or run.start() >= found[-1].end()):
            match = pattern.match(passage.text, run.start())
            found += [] if match is None else [match]
    found = [each for each in found if _is_of_this_job(each, passage, collected)] if found else found
    if len({each[0].casefold() for each in found}) != _MODELS_IN_A_SENTENCE:
        return
    first = found[0]
    basis = Basis.REPORTED
    collected.state(passage, first.start(), first.end(), "accelerator", first[0], basis, "name of an accelerator")
    count = _COUNT.search(passage.text, max(0, first.start() - 16), first.start())
    if count is not None and int(count[1]):
        number = Interval.point(float(count[1]))
        collected.state(passage, count.start(1), first.end(), "device_count", number, basis, "number before a name")


def _is_of_this_job(name: re.Match[str], passage: Passage, collected: Collected) -> bool:
    """Whether the clause of a name says that the job runs there: no wish, question, denial, or machine of others."""
    for statement in statements(passage.text, collected.vocabulary):
        if statement.clause.start <= name.start() < statement.clause.end:
            first = next((at for at, word in enumerate(statement.words) if word.end > name.start()), None)
            return statement.is_of_this_job and (first is None or not statement.negated(first))
    return True


@functools.lru_cache(maxsize=4)
def _names(catalogue: Catalogue) -> tuple[re.Pattern[str] | None, frozenset[str]]:
    """Return what finds the names of accelerators, and what they begin with: no other text need be searched.

    Names are those that mix letters and digits, the longest first.
    """
    names = {
        name
        for each in catalogue.accelerators
        for name in (each.id, each.name, *each.printed, *each.name.replace("-", " ").split())
        if re.search(r"[A-Za-z]", name) and re.search(r"\d", name) and not re.fullmatch(r"(?i)\d+[gt]i?b|\d[a-z]", name)
    }
    if not names:
        return None, frozenset()
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w])", re.IGNORECASE)
    return pattern, frozenset(run[0] for name in names if (run := _RUN.search(name.casefold())))
