"""Every cause that is confirmed, beside every other single fact of the base: what is still confirmed, and what is not.

``python -m truth.pairs [MEASUREMENT …]`` adds to the facts of each test in which a rule confirms every measurement at
its ends (shares, counts, times and rates near nothing and near all, every word of a state), one at a time, and says for
each value which causes are no longer confirmed. What is left untouched has to say nothing of the cause: why, stands in
:mod:`truth.innocent`; what contradicts a cause, in :mod:`truth.beside` and :mod:`truth.contradictions`.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from truth.jobs import in_block, job, shipped
from truth.test_beside import confirming

from dam_expert.documents.kinds import Kind
from dam_expert.engine.block.judging import CONFIRMED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Values at both ends of a kind, and between; those with a unit get that of the measurement.
ENDS: Final = {
    Kind.SHARE: ("0 %", "2 %", "50 %", "98 %"),
    Kind.RATIO: (0, 1.0, 1.5, 50),
    Kind.DURATION: ("0 s", "1 us", "10 h"),
    Kind.COUNT: (0, 1, 1000),
    Kind.BYTES: ("0 B", "1 MB", "50 TB"),
    Kind.RATE: ("0", "1", "1e9", "1e15"),
    Kind.SETTING: ("0", "1", "1000"),
    Kind.LEVEL: ("0", "1", "1000"),
}
#: Words of settings that hold any text.
WORDS: Final = {
    "workload_kind": ("training", "serving"),
    "precision": ("fp32", "bf16"),
    "pinned_memory": ("true", "false"),
    "persistent_workers": ("true", "false"),
    "storage_kind": ("nvme", "nfs"),
}
ROWS: Final = 4000
Found = dict[tuple[str, str], tuple[set[str], set[str]]]


def ends(name: str) -> tuple[Any, ...]:
    """Return the values at which a measurement is tried; none of one that holds free text."""
    measurement = shipped().measurements[name]
    if measurement.name.is_word:
        return WORDS.get(name) or tuple(sorted(measurement.name.listed))
    unit = measurement.model.unit
    values = ENDS[measurement.model.kind]
    if measurement.model.kind in (Kind.RATE, Kind.SETTING, Kind.LEVEL) and unit != "1":
        return tuple(f"{value} {unit}" for value in values)
    return values


def minimal() -> list[tuple[str, dict[str, Any]]]:
    """Return each cause with facts that confirm it, once."""
    found: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {}
    for _, hypothesis, facts in confirming():
        found.setdefault((hypothesis, str(sorted(facts.items()))), (hypothesis, facts))
    return list(found.values())


def pairs(names: Iterable[str]) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Yield measurement, value, cause and facts of each pair."""
    for name in names:
        for value in ends(name):
            for hypothesis, facts in minimal():
                if name not in facts:
                    yield name, str(value), hypothesis, {**facts, name: value}


def searched(names: Iterable[str]) -> Found:
    """Return for each measurement and value the causes that are no longer confirmed, and those that are."""
    found: Found = defaultdict(lambda: (set(), set()))
    todo = list(pairs(names))
    for start in range(0, len(todo), ROWS):
        part = todo[start : start + ROWS]
        verdict = in_block(job(facts) for *_, facts in part)
        numbers = {name: number for number, name in enumerate(verdict.names)}
        for row, (name, value, hypothesis, _) in enumerate(part):
            found[name, value][int(verdict.status[row][numbers[hypothesis]] == CONFIRMED)].add(hypothesis)
    return dict(found)


def main() -> None:
    """Search, and print what each value keeps from being confirmed."""
    found = searched(sys.argv[1:] or list(shipped().measurements))
    for (name, value), (silenced, kept) in found.items():
        print(f"{name} {value}: {len(kept)} still confirmed, no longer {', '.join(sorted(silenced)) or 'none'}")
    silent = {name for name, _ in found} - {name for (name, _), (silenced, _) in found.items() if silenced}
    tried = {name for name, _ in found}
    print(f"{len(found)} values of {len(tried)} measurements, of which {len(silent)} contradict nothing")


if __name__ == "__main__":
    main()
