r"""FLOP counters: DeepSpeed, calflops, fvcore, ptflops and ``FlopCounterMode``, each with its own meaning of a FLOP.

What is printed as one number means different things, so every observation names the convention and the two are
never mixed:

- DeepSpeed prints both MACs and ``flops`` (2 per MAC, normalisation and activations counted); ``FLOPS`` is per second
- calflops prints both as well; there ``FLOPS`` is a count, and the backward pass is assumed to cost twice the forward
- fvcore's ``#flops`` and ptflops' ``MMac`` are multiply-accumulates
- ``FlopCounterMode`` counts 2 per MAC, matrix products, convolutions and attention only, the backward pass if it ran

DeepSpeed's iteration leaves out the wait for input and is slowed down by its own hooks: it is no step time.

>>> from dam_expert.readers.source import Source
>>> raw = b"| module | #parameters or shape | #flops |\n|:---|:---|:---|\n| model  | 20.106K | 0.279G |"
>>> [(found.measurement, found.value.lo) for found in FlopsReader().read(Source.of_bytes("x", raw)).observations]
[('parameters', 20106.0), ('forward_macs', 279000000.0)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.series import checked
from dam_expert.readers.source import DamageError
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_POWERS = {"": 1.0, "K": 1e3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_AMOUNT = re.compile(r"^([\d.]{1,20})\s*([KkMGTP]?)(?:MACs|MMACs|Macs?|FLOPS|FLOPs|flops)?$")
_TIME = re.compile(r"^([\d.]{1,20})\s*(us|ms|s)$")
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}

_DEEPSPEED = re.compile(r"DeepSpeed Flops Profiler(?! Enabled)")
_CALFLOPS = re.compile(r"Calculate Flops Results")
_FVCORE = re.compile(
    r"^\|\s*module\s*\|\s*#parameters or shape\s*\|\s*#flops\s*\||^#params: [\d.]+[KMGT]?, #flops: ", re.IGNORECASE
)
_FVCORE_ROOT = re.compile(r"^#params: (\S{1,20}), #flops: (\S{1,20})(?:,|$)")
_COUNTER = re.compile(r"^Module\s+FLOP\s+% Total$")
_PTFLOPS = re.compile(r"Computational complexity:?\s+([\d.]{1,20} ?[KMGT]?)Macs?\b|\bMac, [\d.]+% MACs", re.IGNORECASE)
_PTFLOPS_ROOT = re.compile(r"^([\d.]{1,20} ?[KMGT]?), 100\.000% Params, ([\d.]{1,20} ?[KMGT]?)Mac, 100\.000% MACs")
_PTFLOPS_PARAMETERS = re.compile(r"Number of parameters:?\s+([\d.]{1,20} ?[KMGT]?)")
_TOOLS = {
    "deepspeed": "deepspeed_flops_profiler",
    "calflops": "flop_counter",
    "fvcore": "flop_counter",
    "counter": "flop_counter",
    "ptflops": "flop_counter",
}

_ITERATION = "iteration without the wait for input, under the profiler"
_DEEPSPEED_LABELS = (
    (re.compile(r"params per (?:gpu|device)"), "parameters", "per device"),
    (re.compile(r"fwd macs per (?:gpu|device)"), "forward_macs", "MACs of one forward pass"),
    (re.compile(r"fwd flops per (?:gpu|device)(?: = 2 \* fwd macs.*)?"), "forward_flops", "operations, 2 per MAC"),
    (re.compile(r"fwd latency"), "forward_time", "forward pass under the profiler"),
    (re.compile(r"bwd latency"), "backward_time", "backward pass under the profiler"),
    (re.compile(r"step latency"), "update_time", "optimizer step under the profiler"),
    (re.compile(r"flops per (?:gpu|device) = \d+(?:\.\d+)? \* fwd flops.*"), "device_flops_rate", _ITERATION),
    (re.compile(r"fwd flops per (?:gpu|device) = fwd flops per .*latency"), "forward_rate", "forward pass"),
    (re.compile(r"world size"), "world_size", "in the summary"),
    (re.compile(r"batch size per (?:gpu|device)"), "batch_size", "per device"),
)
_CALFLOPS_LABELS = (
    (re.compile(r"total training params"), "parameters", "trained"),
    (re.compile(r"fwd macs"), "forward_macs", "MACs of one forward pass"),
    (re.compile(r"fwd flops"), "forward_flops", "operations, 2 per MAC; a count, though spelled FLOPS"),
    (re.compile(r"fwd\+bwd flops"), "step_flops", "operations, 2 per MAC; backward assumed, not counted"),
)


@dataclasses.dataclass(frozen=True, slots=True)
class FlopsReader:
    """Reads the table or summary of five FLOP counters."""

    tool: str = "flop_counter"
    title: str = "FLOP counter"
    versions: str = "DeepSpeed 0.9 to 0.19, fvcore 0.1, ptflops 0.7, calflops 0.3, FlopCounterMode of PyTorch 2"

    def recognises(self, source: Source) -> bool:
        """Whether a line is the title or the table header of one of them."""
        return any(_kind(line) for line in source.head_lines)

    def read(self, source: Source) -> Reading:
        """Return operations by convention, and the times and rates where they were measured."""
        counts = _Counts()
        damages: list[DamageError] = []
        try:
            for line, text in source.lines():
                counts.take(line, text)
        except DamageError as damage:
            damages.append(damage)
        tell = Teller(file=source.shown, tool=_TOOLS.get(counts.kind, self.tool))
        messages: list[Message] = [tell.warn(each.code, each.text, hint=each.hint) for each in damages]
        messages += tell.not_understood(counts.odd, counts.seen, first=counts.first_odd)
        told = tuple(_observations(counts, tell))
        if not told:
            messages.append(
                tell.warn("no-values", "the counter's title is there and no totals", hint="paste all of it")
            )
        return tell.reading(
            observations=told,
            messages=tuple(messages),
            lines_read=counts.seen,
            lines_not_understood=counts.odd,
        )


def _kind(text: str) -> str:
    """Return which counter a line announces, or nothing."""
    marks = (("deepspeed", _DEEPSPEED), ("calflops", _CALFLOPS), ("fvcore", _FVCORE), ("counter", _COUNTER))
    found = next((name for name, mark in marks if mark.search(text)), "")
    return found or ("ptflops" if _PTFLOPS.search(text) or _PTFLOPS_ROOT.search(text) else "")


@dataclasses.dataclass(slots=True)
class _Counts:
    """The state between lines; of several summaries the first counts."""

    kind: str = ""
    values: dict[str, tuple[float, int, str]] = dataclasses.field(default_factory=dict)
    backward: bool = False
    seen: int = 0
    odd: int = 0
    first_odd: int | None = None

    def take(self, line: int, text: str) -> None:
        self.seen += 1
        announced = _kind(text)
        self.kind = self.kind or announced
        if self.kind in {"deepspeed", "calflops"}:
            labels = _DEEPSPEED_LABELS if self.kind == "deepspeed" else _CALFLOPS_LABELS
            understood = self._labelled(line, text, labels)
        elif self.kind == "fvcore":
            understood = self._fvcore(line, text)
        elif self.kind == "counter":
            understood = self._counter(line, text)
        else:
            understood = self._ptflops(line, text)
        if not understood:
            self.odd += 1
            self.first_odd = self.first_odd or line

    def _keep(self, quantity: str, cell: str, line: int, detail: str, factor: float = 1.0) -> bool:
        value = _amount(cell)
        if value is None:
            return False
        if not (quantity == "parameters" and value == 0.0):  # sharded models print 0 where they mean unknown
            self.values.setdefault(quantity, (value * factor, line, detail))
        return True

    def _labelled(self, line: int, text: str, labels: tuple[tuple[re.Pattern[str], str, str], ...]) -> bool:
        """Take a line ``label: value``; labels changed case between releases."""
        label, colon, cell = text.rpartition(":")
        if not colon or "{" in text or "(" in cell:
            return True
        name = " ".join(label.lower().split())
        for pattern, quantity, detail in labels:
            if pattern.fullmatch(name):
                return self._keep(quantity, cell.strip(), line, detail)
        return True

    def _fvcore(self, line: int, text: str) -> bool:
        """Take the first row of the table or the first line of the tree: it is the whole model, whatever its name."""
        if "forward_macs" in self.values or (_FVCORE.match(text) and text.startswith("|")):
            return True
        if root := _FVCORE_ROOT.match(text):
            cells = ["", root[1], root[2]]
        else:
            cells = [cell.strip() for cell in text.strip("|").split("|")]
        if len(cells) not in {3, 4} or re.fullmatch(":?-{2,}:?", cells[2]):
            return True
        self._keep("parameters", cells[1], line, "whole model")
        return self._keep("forward_macs", cells[2], line, "MACs, though headed #flops; whole model")

    def _counter(self, line: int, text: str) -> bool:
        """Take a row of FlopCounterMode: the first module is the whole; its operations are bulleted below it."""
        self.backward = self.backward or "_backward" in text
        cells = text.split()
        if len(cells) == 3 and cells[2] == "100.00%" and not text.startswith(("-", "Global")):
            return self._keep("total", cells[1], line, "matrix products, convolutions and attention, 2 per MAC")
        return True

    def _ptflops(self, line: int, text: str) -> bool:
        total, root, parameters = _PTFLOPS.search(text), _PTFLOPS_ROOT.search(text), _PTFLOPS_PARAMETERS.search(text)
        if root is not None:
            self._keep("parameters", root[1], line, "whole model")
            return self._keep("forward_macs", root[2], line, "MACs; backends differ by some percent")
        if total is not None and total[1] is not None:
            return self._keep("forward_macs", total[1], line, "MACs; backends differ by some percent")
        if parameters is not None:
            return self._keep("parameters", parameters[1], line, "whole model")
        return True


def _amount(cell: str) -> float | None:
    """Return a count, a time in seconds or a rate, prefixes decimal.

    >>> _amount("274.56 MMACs"), _amount("557.96 M"), _amount("17.24 ms"), _amount("32.37 GFLOPS"), _amount("-")
    (274560000.0, 557960000.0, 0.01724, 32370000000.0, None)
    """
    time = _TIME.match(cell)
    value = number(time[1]) if time else None
    if time is not None and value is not None:
        return round(value * _SECONDS[time[2]], 12)
    found = _AMOUNT.match(cell.replace("MMACs", "M").replace("GMACs", "G").replace("KMACs", "K").replace("TMACs", "T"))
    value = number(found[1]) if found else None
    return None if found is None or value is None else round(value * _POWERS[found[2]], 3)


def _observations(counts: _Counts, tell: Teller) -> Iterator[Observation]:
    values = dict(counts.values)
    total = values.pop("total", None)
    if total is not None:
        value, line, detail = total
        measurement = "step_flops" if counts.backward else "forward_flops"
        ran = "forward and backward" if counts.backward else "forward only"
        yield tell.observe(measurement, Interval.point(value), line=line, detail=f"{ran}; {detail}")
    rate = values.pop("forward_rate", None)
    for measurement, (value, line, detail) in values.items():
        yield checked(tell, measurement, value, (), line, detail)
    if rate is not None and "device_flops_rate" not in values:
        detail = "forward pass under the profiler, 2 per MAC"
        yield checked(tell, "device_flops_rate", rate[0], (), rate[1], detail)
