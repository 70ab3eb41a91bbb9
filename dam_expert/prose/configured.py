r"""Settings out of commands and code: ``--num-workers 4``, ``num_workers=0``, ``"train_batch_size": 8``.

Only settings are taken: what code says of the job, never what a comment in it claims was measured.
"""

from __future__ import annotations

import bisect
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.kinds import Kind
from dam_expert.documents.observations import Basis
from dam_expert.prose.amounts import amounts, value_of
from dam_expert.prose.hardware import names_hardware
from dam_expert.prose.labels import named, read_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement

_OPTION: Final = re.compile(
    r"(?<![\w.-])(?:--([A-Za-z][\w.-]{1,40})(?:[ =]{1,2}[\"']?((?!--?[A-Za-z])[\w.+/:@~-]{1,80})[\"']?)?"
    r"|([A-Za-z_]\w{2,40})\s?=\s?(?!=)([\w.+-]{1,40}|[\"'][^\"'\n]{1,40}[\"'])"
    r"|[\"']([A-Za-z_][\w.]{2,40})[\"']\s?:\s?([\w.+-]{1,40}|[\"'][^\"'\n]{1,40}[\"'])"
    r"|(?<=[{,\s])([a-z]\w*_\w{1,40}): ?(\d[\w.]{0,20}|true|false)(?=[\s},]))"
)
#: Settings whose value is a name.
_NAMED_THINGS: Final = frozenset({"model", "dataset", "accelerator", "framework", "optimizer"})
_HARDWARE: Final = "accelerator"
#: A line that is commented out; behind the prompt of a root shell stands an option with hyphens.
_COMMENT: Final = re.compile(r"[^\S\n]*(?:#|//|;)[^\n]*")
_WORDS_BESIDE: Final = 24
"""Characters between a word for an earlier state or a wish and the option that it stands before."""
_SWITCHES: Final = {"true": "true", "false": "false", "none": "false"}


def read_options(passage: Passage, collected: Collected, told: Sequence[Statement] = ()) -> None:
    """Take the settings among the options, keyword arguments and keys of a passage.

    ``told`` are the clauses of what a person wrote: an option that one plans, asks for, imagines, quotes or had once is
    no setting of the job. In a block that are the lines that are commented out.
    """
    starts = [each.clause.start for each in told]
    for found in _OPTION.finditer(passage.text):
        own = told[max(0, bisect.bisect_right(starts, found.start()) - 1)] if told else None
        if _is_commented_out(found) if own is None else not _is_of_the_job(found, own):
            continue
        name = found[1] or found[3] or found[5] or found[7]
        value = (found[2] or found[4] or found[6] or found[8] or "true").strip("\"'")
        label = read_label(name.replace(".", " ").replace("-", " "))
        for candidate in named(label, collected.vocabulary):
            if candidate.exact and _take(candidate.measurement, value, label.unit, (passage, *found.span()), collected):
                break


def _is_commented_out(found: re.Match[str]) -> bool:
    line = found.string.rfind("\n", 0, found.start()) + 1
    return found[1] is None and _COMMENT.match(found.string, line) is not None


def _is_of_the_job(found: re.Match[str], own: Statement) -> bool:
    """Whether the clause that an option stands in tells what is."""
    start, end = found.span()
    if not own.clause.start <= start < own.clause.end:
        return True
    if own.is_conditional or own.has("planned", "not_used") or own.is_of_another_case(start, end):
        return False
    former = [each for each in own.marks if each.meaning in ("reference", "hopes")]
    return not any(each.end <= start <= each.end + _WORDS_BESIDE for each in former)


def _is_switch(name: str, value: str, word: str | None) -> bool:
    """Whether a value says no more than that something is given: ``--model``, ``--gpus all``."""
    return (word == "true" and name in _NAMED_THINGS) or (name == _HARDWARE and not names_hardware(value))


def _take(name: str, value: str, unit: str, place: tuple[Passage, int, int], collected: Collected) -> bool:
    measurement = collected.vocabulary.base.measurements[name]
    model = measurement.model
    word = _SWITCHES.get(value.casefold())
    if model.kind is Kind.FLAG and word is not None:
        collected.state(*place, name, word, Basis.REPORTED, "option")
        return True
    if model.kind is not Kind.SETTING:
        return False
    if not model.unit and _is_switch(name, value, word):
        return False  # a name of something is no switch
    if not model.unit:
        collected.state(*place, name, word or value, Basis.REPORTED, "option")
        return True
    amount = next(iter(amounts(value)), None)
    read = None if amount is None or amount.end < len(value) else value_of(amount, measurement, unit)
    if read is None:
        return False
    collected.state(*place, name, read[0], Basis.REPORTED, "option")
    return True
