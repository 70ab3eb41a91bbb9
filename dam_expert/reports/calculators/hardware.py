"""The hardware catalogue as pages: the list, and one entry with its peaks, ridges, practical ceilings and sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.physics.intensity import critical_batch
from dam_expert.reports.calculators.page import amount, cells, memory, part
from dam_expert.reports.calculators.words import spoken
from dam_expert.reports.model import Line, Section, Tone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.physics.hardware import Accelerator
    from dam_expert.reports.calculators.words import Words

_UNKNOWN = "-"


def list_sections(accelerators: Sequence[Accelerator], words: Words | None = None) -> tuple[Section, ...]:
    """Return a table: id, memory, bandwidth, dense bf16 peak and where both meet."""
    words = words or spoken()
    named = (("memory", -8), ("bandwidth", -10), ("bf16", -13))
    columns = [("id", 24), *((words.say(f"hardware.{name}"), width) for name, width in named), ("FLOP/byte", -9)]
    head = " ".join(cells(name, width) for name, width in columns)
    rows = [Line(head, tone=Tone.FAINT, verbatim=True)]
    for each in accelerators:
        ridge = each.ridge("bf16")
        row = (
            f"{each.id:<24} {_or(memory, each.memory_bytes):>8} {_bandwidth(each):>10} "
            f"{_or(_flops, each.peak('bf16')):>13} {_UNKNOWN if ridge is None else f'{ridge:.1f}':>9}"
        )
        rows.append(Line(row, verbatim=True))
    rows.append(Line(words.say("hardware.explains")))
    return (Section(id="catalogue", title=words.say("hardware.list", n=len(accelerators)), items=tuple(rows)),)


def _or(write: object, value: float | None) -> str:
    return _UNKNOWN if value is None else str(write(value)) if callable(write) else _UNKNOWN


def _flops(value: float) -> str:
    return amount(value, "FLOP/s")


def _bandwidth(each: Accelerator) -> str:
    return _UNKNOWN if each.bandwidth_bytes_per_s is None else amount(each.bandwidth_bytes_per_s, "B/s")


def entry_sections(each: Accelerator, sources: Sequence[str], words: Words | None = None) -> tuple[Section, ...]:
    """Return the page of one entry; ``sources`` are written out."""
    words = words or spoken()
    maker = f"{each.vendor}, {each.architecture}{f', {each.year}' if each.year else ''}"
    confidence = words.say(f"confidence.{each.confidence}")
    names = ", ".join(each.printed) or words.say("hardware.none")
    about = [
        Line(words.say("hardware.about", maker=maker, confidence=confidence)),
        Line(words.say("hardware.printed", names=names)),
    ]
    if each.needs_memory:
        about.append(Line(words.say("hardware.same_name")))
    if each.framework_devices > 1:
        about.append(Line(words.say("hardware.halves", n=each.framework_devices)))
    entry = Section(id="entry", title=each.name, items=tuple(about))
    notes = [Line(words.text(note), mark="-") for note in each.notes]
    notes += [Line(words.say("hardware.source", name=name), mark="-") for name in sources]
    told = Section(id="notes", title=words.say("hardware.notes"), items=tuple(notes))
    return (entry, _peaks(each, words), _machine(each, words), told)


def _peaks(each: Accelerator, words: Words) -> Section:
    columns = (("precision", 12), ("peak", -14), ("ridge", -16), ("matmul", -12))
    head = " ".join(cells(words.say(f"hardware.{name}"), width) for name, width in columns)
    rows = [Line(head, tone=Tone.FAINT, verbatim=True)]
    for precision, peak in each.peaks.items():
        ridge, best = each.ridge(precision), each.matmul_measured.get(precision)
        meets = _UNKNOWN if ridge is None else f"{ridge:.1f} FLOP/byte"
        rate = _ops(peak) if precision.startswith("int") else _flops(peak)
        rows.append(Line(f"{precision:<12} {rate:>14} {meets:>16} {'' if best is None else part(best):>12}".rstrip(),
                         verbatim=True))  # fmt: skip
    if each.matmul_range is not None:
        rows.append(Line(words.say("hardware.practice", span=words.span(*map(part, each.matmul_range)))))
    bf16 = each.peak("bf16")
    if bf16 is not None and each.bandwidth_bytes_per_s is not None:
        batch = float(critical_batch(bf16, each.bandwidth_bytes_per_s))
        rows.append(Line(words.say("hardware.decoding", n=f"{batch:.0f}")))
    return Section(id="peaks", title=words.say("hardware.peaks"), items=tuple(rows))


def _ops(peak: float) -> str:
    return _flops(peak).replace("FLOP/s", "OP/s")


def _machine(each: Accelerator, words: Words) -> Section:
    said = []
    if each.memory_bytes is not None:
        size, usable = memory(each.memory_bytes), each.memory_usable_bytes
        if usable is None:
            said.append(words.say("hardware.size", size=size))
        else:
            said.append(words.say("hardware.size_usable", size=size, usable=memory(usable)))
    if each.bandwidth_bytes_per_s is not None:
        rate = amount(each.bandwidth_bytes_per_s, "B/s")
        if each.bandwidth_range is None:
            said.append(words.say("hardware.rate", rate=rate))
        else:
            span = words.span(*map(part, each.bandwidth_range))
            said.append(words.say("hardware.rate_reached", rate=rate, span=span))
    caches = each.levels.items()
    said += [words.say("hardware.cache", level=level, rate=amount(rate, "B/s")) for level, rate in caches]
    if each.link_bytes_per_s is not None:
        said.append(words.say("hardware.link", kind=each.link_kind, rate=amount(each.link_bytes_per_s, "B/s")))
    if each.pcie_generation is not None:
        said.append(f"PCIe {each.pcie_generation} x{each.pcie_lanes}")
    if each.power_limit_w is not None:
        said.append(words.say("hardware.power", power=f"{each.power_limit_w:g} W"))
    return Section(id="machine", title=words.say("hardware.machine"), items=tuple(map(Line, said)))
