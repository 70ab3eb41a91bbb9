"""The hardware catalogue as pages: the list, and one entry with its peaks, ridges, practical ceilings and sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.physics.intensity import critical_batch
from dam_expert.reports.calculators.page import amount, memory, part
from dam_expert.reports.model import Line, Section, Tone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.physics.hardware import Accelerator

_UNKNOWN = "-"


def list_sections(accelerators: Sequence[Accelerator]) -> tuple[Section, ...]:
    """Return a table: id, memory, bandwidth, dense bf16 peak and where both meet."""
    head = f"{'id':<24} {'memory':>8} {'bandwidth':>10} {'bf16 dense':>13} {'FLOP/byte':>9}"
    rows = [Line(head, tone=Tone.FAINT, verbatim=True)]
    for each in accelerators:
        ridge = each.ridge("bf16")
        cells = (
            f"{each.id:<24} {_or(memory, each.memory_bytes):>8} {_bandwidth(each):>10} "
            f"{_or(_flops, each.peak('bf16')):>13} {_UNKNOWN if ridge is None else f'{ridge:.1f}':>9}"
        )
        rows.append(Line(cells, verbatim=True))
    rows.append(Line("'dam hardware NAME' explains one, by its id or by the name that a tool prints."))
    return (Section(id="catalogue", title=f"{len(accelerators)} accelerators", items=tuple(rows)),)


def _or(write: object, value: float | None) -> str:
    return _UNKNOWN if value is None else str(write(value)) if callable(write) else _UNKNOWN


def _flops(value: float) -> str:
    return amount(value, "FLOP/s")


def _bandwidth(each: Accelerator) -> str:
    return _UNKNOWN if each.bandwidth_bytes_per_s is None else amount(each.bandwidth_bytes_per_s, "B/s")


def entry_sections(each: Accelerator, sources: Sequence[str]) -> tuple[Section, ...]:
    """Return the page of one entry; ``sources`` are written out."""
    about = [
        Line(
            f"{each.vendor}, {each.architecture}{f', {each.year}' if each.year else ''}; confidence {each.confidence}"
        ),
        Line(f"names that tools print: {', '.join(each.printed) or 'none known'}"),
    ]
    if each.needs_memory:
        about.append(Line("Another part prints the same name: its memory (--memory) tells them apart."))
    if each.framework_devices > 1:
        n = each.framework_devices
        about.append(
            Line(f"Frameworks count {n} devices per chip: figures here are of the chip, each has 1/{n} of them.")
        )
    found = [Section(id="entry", title=each.name, items=tuple(about)), _peaks(each), _machine(each)]
    notes = [Line(note, mark="-") for note in each.notes] + [Line(f"source: {name}", mark="-") for name in sources]
    found.append(Section(id="notes", title="Notes and sources", items=tuple(notes)))
    return tuple(found)


def _peaks(each: Accelerator) -> Section:
    rows = [
        Line(f"{'precision':<12} {'dense peak':>14} {'ridge':>16} {'best matmul':>12}", tone=Tone.FAINT, verbatim=True)
    ]
    for precision, peak in each.peaks.items():
        ridge, best = each.ridge(precision), each.matmul_measured.get(precision)
        meets = _UNKNOWN if ridge is None else f"{ridge:.1f} FLOP/byte"
        rate = (
            amount(peak, "OP/s" if precision.startswith("int") else "FLOP/s") if precision[:3] != "int" else _ops(peak)
        )
        rows.append(Line(f"{precision:<12} {rate:>14} {meets:>16} {'' if best is None else part(best):>12}".rstrip(),
                         verbatim=True))  # fmt: skip
    if each.matmul_range is not None:
        low, high = each.matmul_range
        rows.append(Line(f"In practice the best dense products reach {part(low)} to {part(high)} of the peak."))
    bf16 = each.peak("bf16")
    if bf16 is not None and each.bandwidth_bytes_per_s is not None:
        batch = float(critical_batch(bf16, each.bandwidth_bytes_per_s))
        rows.append(Line(f"Decoding in bf16 is bound by reading weights below about {batch:.0f} sequences at once."))
    return Section(id="peaks", title="Peaks", items=tuple(rows))


def _ops(peak: float) -> str:
    return amount(peak, "FLOP/s").replace("FLOP/s", "OP/s")


def _machine(each: Accelerator) -> Section:
    lines = []
    if each.memory_bytes is not None:
        usable = "" if each.memory_usable_bytes is None else f", {memory(each.memory_usable_bytes)} usable"
        lines.append(Line(f"memory {memory(each.memory_bytes)}{usable}"))
    if each.bandwidth_bytes_per_s is not None:
        low, high = each.bandwidth_range or (None, None)
        reached = "" if low is None or high is None else f", {part(low)} to {part(high)} of it in practice"
        lines.append(Line(f"memory bandwidth {amount(each.bandwidth_bytes_per_s, 'B/s')}{reached}"))
    lines += [Line(f"{level} cache {amount(rate, 'B/s')}") for level, rate in each.levels.items()]
    if each.link_bytes_per_s is not None:
        lines.append(Line(f"{each.link_kind} {amount(each.link_bytes_per_s, 'B/s')} in one direction"))
    if each.pcie_generation is not None:
        lines.append(Line(f"PCIe {each.pcie_generation} x{each.pcie_lanes}"))
    if each.power_limit_w is not None:
        lines.append(Line(f"power limit {each.power_limit_w:g} W"))
    return Section(id="machine", title="Memory, links and power", items=tuple(lines))
