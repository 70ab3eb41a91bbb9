"""The message of a failed allocation on the device, and the sums that it holds.

Wording by version of PyTorch: up to 1.3 ``… cached`` (what is cached and not allocated), to 2.0 ``(GPU 0; … reserved
in total by PyTorch)``, from 2.1 ``GPU 0 has a total capacity of … of which … is free. … Of the allocated memory …``;
2.1 and 2.2 write ``capacty``. All units count in 1024, also where MB is written. The message may be broken over lines.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation, Scope
    from dam_expert.readers.interface import Teller

LARGEST_DEVICE = 2.0**50
"""No device has a pebibyte of memory. A driver that cannot tell reports all bits set: 17179869184 GiB."""

_LINES = 8
_SIZE = r"([\d.]{1,20})\s*((?:[KMGT]i?)?B|bytes)\b"
_POWERS = {"B": 0, "BYTES": 0, "K": 1, "M": 2, "G": 3, "T": 4}

_ASKED = re.compile(
    r"Tried to allocate|[Oo]ut of memory while trying to allocate|OOM when allocating tensor"
    r"|\btorch\.(?:cuda\.)?OutOfMemoryError\b|(?:CUDA|HIP) (?:error: )?out of memory|hipErrorOutOfMemory"
    r"|cudaErrorMemoryAllocation|[A-Z]*BLAS_STATUS_ALLOC_FAILED"
)
_WORDS = ("alloc", "emory", "ALLOC", "Alloc")
_DEVICE = re.compile(r"[GXN]PU (\d{1,4})(?:;| has)")
_OTHER_PROCESS = re.compile(rf"Process \d+ has {_SIZE} memory in use")
_PARTS = {
    "requested": re.compile(rf"(?:Tried|trying) to allocate {_SIZE}"),
    "total": re.compile(rf"{_SIZE} total capacity|total capaci?ty of {_SIZE}"),
    "free": re.compile(rf"{_SIZE} free\b|of which {_SIZE} is free"),
    "allocated": re.compile(rf"{_SIZE} already allocated|Of the allocated memory {_SIZE} is allocated"),
    "reserved": re.compile(rf"{_SIZE} reserved in total"),
    "idle": re.compile(rf"{_SIZE} is reserved by PyTorch but unallocated|{_SIZE} cached\)"),
    "process": re.compile(rf"this process has {_SIZE} memory in use"),
}
_MEASURED = {"total": "device_memory_total", "free": "device_memory_free", "allocated": "memory_allocated"}


@dataclasses.dataclass(slots=True)
class Failure:
    """One failed allocation: sizes in bytes by part, absent where the message does not tell."""

    line: int
    device: str | None
    sizes: dict[str, float]
    others: list[float]
    broken: dict[str, str]
    """Parts whose size no device can have, as they are written."""

    @classmethod
    def of(cls, line: int, text: str) -> Failure:
        """Return the failure that a message tells of."""
        device = _DEVICE.search(text)
        failure = cls(line=line, device=device[1] if device else None, sizes={}, others=[], broken={})
        for part, pattern in _PARTS.items():
            found = pattern.search(text)
            if found is not None:
                failure._keep(part, [group for group in found.groups() if group is not None])
        failure.others = [
            size for each in _OTHER_PROCESS.finditer(text) if (size := _bytes(*each.groups())) is not None
        ]
        failure._complete()
        return failure

    def _keep(self, part: str, groups: list[str]) -> None:
        size = _bytes(*groups)
        if size is not None and size < LARGEST_DEVICE:
            self.sizes[part] = size
        else:
            self.broken[part] = " ".join(groups)

    def _complete(self) -> None:
        """Add what follows: reserved is allocated plus idle; a listed process that holds all of that is this one."""
        sizes = self.sizes
        self.others = [size for size in self.others if size < LARGEST_DEVICE]
        if "allocated" not in sizes:
            return
        if "idle" in sizes and "reserved" not in sizes:
            sizes["reserved"] = sizes["allocated"] + sizes["idle"]
        own = [size for size in self.others if size >= sizes.get("reserved", sizes["allocated"])]
        if own and "process" not in sizes and "process" not in self.broken:
            sizes["process"] = min(own)
            self.others.remove(min(own))

    def observations(self, tell: Teller) -> Iterator[Observation]:
        """Yield the figures of this device."""
        scope: Scope = (("device", self.device),) if self.device is not None else ()
        for part, measurement in (*_MEASURED.items(), ("reserved", "memory_reserved")):
            if part in self.sizes:
                detail = (
                    "allocated plus unallocated" if part == "reserved" and "idle" in self.sizes else "in the message"
                )
                yield self._said(tell, measurement, self.sizes[part], scope, detail)
            elif part in self.broken:
                yield tell.reject(measurement, self.broken[part], scope=scope, line=self.line, detail="in the message")
        others = self._other_processes()
        if others is not None:
            yield self._said(tell, "memory_other_processes", others[0], scope, others[1])
        held, reserved = self.sizes.get("process"), self.sizes.get("reserved")
        if held is not None and reserved is not None and held >= reserved:
            detail = "this process minus reserved"
            yield self._said(tell, "memory_outside_allocator", held - reserved, scope, detail)

    def request(self, tell: Teller) -> Iterator[Observation]:
        """Yield what the job as a whole asked for and had idle when it failed."""
        state = "device_out_of_memory"
        yield tell.observe("allocation_state", state, line=self.line, detail="an allocation on the device failed")
        if "requested" in self.sizes:
            yield self._said(tell, "memory_requested", self.sizes["requested"], (), "of the first failure")
        if "idle" in self.sizes:
            yield self._said(tell, "memory_reserved_free", self.sizes["idle"], (), "reserved but unallocated")

    def _other_processes(self) -> tuple[float, str] | None:
        sizes = self.sizes
        if self.others:
            return sum(self.others), f"{len(self.others)} processes listed"
        if "process" not in sizes or "total" not in sizes or "free" not in sizes:
            return None
        rest = sizes["total"] - sizes["free"] - sizes["process"]
        return max(rest, 0.0), "total minus free minus this process, the driver's own part included"

    def _said(self, tell: Teller, measurement: str, size: float, scope: Scope, detail: str) -> Observation:
        return tell.observe(measurement, Interval.point(size), scope=scope, line=self.line, detail=detail)


@dataclasses.dataclass(slots=True)
class Failures:
    """Finds the failures in a text, line by line; the first one of each device counts."""

    first: dict[str | None, Failure] = dataclasses.field(default_factory=dict)
    count: int = 0
    _line: int = 0
    _parts: list[str] = dataclasses.field(default_factory=list)

    @staticmethod
    def begins(text: str) -> bool:
        """Whether a line reports a failed allocation on the device."""
        if not any(word in text for word in _WORDS):
            return False
        return _ASKED.search(text) is not None and "DefaultCPUAllocator" not in text

    def take(self, line: int, text: str) -> None:
        """Take one line."""
        asked = _PARTS["requested"]
        if self._parts and (len(self._parts) >= _LINES or (asked.search(text) and asked.search(" ".join(self._parts)))):
            self._finish()
        if self._parts:
            self._parts.append(text)
        elif self.begins(text):
            self._line, self._parts = line, [text]

    def _finish(self) -> None:
        failure = Failure.of(self._line, " ".join(self._parts))
        self._parts = []
        self.count += 1
        self.first.setdefault(failure.device, failure)

    def found(self) -> list[Failure]:
        """Return the first failure of each device, those with sizes before those without, then in order of line."""
        if self._parts:
            self._finish()
        sized = [failure for failure in self.first.values() if failure.sizes]
        return sorted(sized or self.first.values(), key=lambda failure: failure.line)

    def observations(self, tell: Teller) -> Iterator[Observation]:
        """Yield what the failures tell."""
        found = self.found()
        if found:
            yield from found[0].request(tell)
        for failure in found:
            yield from failure.observations(tell)

    def messages(self, tell: Teller) -> Iterator[Message]:
        """Yield notes on what was left out or is missing."""
        found = self.found()
        if found and not found[0].sizes:
            text, hint = (
                "the message holds no sizes",
                "pass the line that says 'Tried to allocate', or memory_summary()",
            )
            yield tell.note("no-sizes", text, hint=hint, line=found[0].line)
        if self.count > len(found) and found:
            text = f"{self.count} failed allocations; the first of each device is used"
            yield tell.note("repeated", text, line=found[0].line)


def _bytes(digits: str, unit: str) -> float | None:
    """Return a size in bytes; the allocator counts in 1024 whatever it writes.

    >>> _bytes("1.50", "GiB") == _bytes("1.5", "GB") == 1.5 * 2**30
    True
    """
    value = number(digits)
    power = _POWERS[unit.upper() if unit in {"bytes", "B"} else unit[0].upper()]
    return None if value is None else value * 1024.0**power
