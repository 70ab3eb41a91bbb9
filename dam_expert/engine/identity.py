"""Outputs of different devices in one incident: which of them is the job's nobody knows, so that none decides."""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import TYPE_CHECKING, Final, TypeAlias

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dam_expert.documents.observations import Observation, Scope
    from dam_expert.kb.base import Base

#: Why an observation decides nothing although a tool read it.
OTHER_DEVICES: Final = "the outputs are of different devices, and which is the job's nobody knows: measure again on one"

#: One output: the file in which it stands, and the tool that wrote it.
_Output: TypeAlias = tuple[str, str | None]
_NAME: Final = "accelerator"
_MEMORY: Final = "device_memory_total"
_DIVIDED: Final = "mig_enabled"


def of_other_devices(base: Base, observations: Iterable[Observation]) -> frozenset[Observation]:
    """Return what was read in outputs of which two name different accelerators or sizes of one device's memory.

    Names count where the catalogue knows both; sizes where no device is divided, since an instance has a part of the
    memory. What people give is no output of a device.
    """
    read = [one for one in observations if one.basis is Basis.TOOL]
    divided = any(one.measurement == _DIVIDED and one.value == "true" for one in read)
    named: dict[tuple[str, Scope], list[Observation]] = defaultdict(list)
    for one in read:
        if one.measurement == _NAME or (one.measurement == _MEMORY and not divided):
            named[one.measurement, one.scope].append(one)
    pairs = [pair for group in named.values() for pair in itertools.combinations(group, 2) if _are_of_two(base, *pair)]
    outputs = {_output(one) for pair in pairs for one in pair}
    return frozenset(one for one in read if _output(one) in outputs) if outputs else frozenset()


def _output(observation: Observation) -> _Output:
    return observation.origin.file, observation.origin.tool


def _are_of_two(base: Base, first: Observation, second: Observation) -> bool:
    if _output(first) == _output(second):
        return False
    one, other = first.value, second.value
    if isinstance(one, Interval) and isinstance(other, Interval):
        return one.is_apart(other, base.measurements[_MEMORY].tolerance)
    if isinstance(one, str) and isinstance(other, str):
        known = [base.catalogue.resolve(name) for name in (one, other)]
        return None not in known and known[0] != known[1]
    return False
