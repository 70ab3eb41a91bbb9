"""The accelerator of an incident and its figures, for ``hardware.FIELD`` in formulas."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.language.conditions import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from dam_expert.engine.cells import Cell
    from dam_expert.kb.base import Base
    from dam_expert.kb.models import ObtainModel
    from dam_expert.physics.hardware import Accelerator, Catalogue

#: The measurements that say which accelerator it is, and in which precision it works.
_NAME, _MEMORY, _PRECISION = Column("accelerator"), Column("device_memory_total"), Column("precision")

_FIGURES: Final[Mapping[str, Callable[[Accelerator, str], float | None]]] = {
    "peak": lambda accelerator, precision: accelerator.peak(precision),
    "ridge": lambda accelerator, precision: accelerator.ridge(precision),
    "memory": lambda accelerator, _: accelerator.memory_usable_bytes or accelerator.memory_bytes,
    "memory_bandwidth": lambda accelerator, _: accelerator.bandwidth_bytes_per_s,
    "link_bandwidth": lambda accelerator, _: accelerator.link_bytes_per_s,
    "power_limit": lambda accelerator, _: accelerator.power_limit_w,
}

#: The figures that differ by precision.
PRECISION_FIGURES: Final = frozenset({"peak", "ridge"})


def columns_of(field: str) -> tuple[Column, ...]:
    """Return the columns that a figure depends on: name, memory (it tells two of one name apart), precision."""
    return (_NAME, _MEMORY, *((_PRECISION,) if field in PRECISION_FIGURES else ()))


def lacking(catalogue: Catalogue, cell_of: Callable[[Column], Cell | None], field: str) -> list[Column]:
    """Return the unknown columns that an unknown figure waits for; its memory is asked only of a device with a name."""
    if figure(catalogue, cell_of, field) is not None:
        return []
    asked = [column for column in columns_of(field) if cell_of(column) is None]
    return [column for column in asked if column != _MEMORY or _NAME not in asked]


def figure(catalogue: Catalogue, cell_of: Callable[[Column], Cell | None], field: str) -> Interval | None:
    """Return a figure of the accelerator in use, of what a framework calls one device.

    Unknown where the accelerator's name does not resolve to exactly one entry, where the precision is needed and not
    known, or where the catalogue does not have the figure: nothing similar stands in for it.
    """
    name = _word(cell_of(_NAME))
    if name is None:
        return None
    memory = cell_of(_MEMORY)
    size = memory.value.mid if memory is not None and isinstance(memory.value, Interval) else None
    value = figure_of(catalogue, name, size, _word(cell_of(_PRECISION)) or "", field)
    return None if value is None else Interval.point(value)


def known_accelerator(catalogue: Catalogue, cell_of: Callable[[Column], Cell | None]) -> Accelerator | None:
    """Return the accelerator in use, or None where its name and memory do not resolve to exactly one entry."""
    name, memory = _word(cell_of(_NAME)), cell_of(_MEMORY)
    size = memory.value.mid if memory is not None and isinstance(memory.value, Interval) else None
    return None if name is None else catalogue.resolve(name, size)


def figure_of(catalogue: Catalogue, name: str, memory_bytes: float | None, precision: str, field: str) -> float | None:
    """Return a figure of a named accelerator, or None where nothing of that name is known for certain."""
    accelerator = catalogue.resolve(name, memory_bytes)
    return None if accelerator is None else _FIGURES[field](accelerator.per_framework_device(), precision)


def vendor_of(base: Base, cell_of: Callable[[Column], Cell | None], tools: Iterable[str | None]) -> str | None:
    """Return the maker of the accelerator in use, in lower case, or None where nothing tells.

    Its name tells, in the catalogue or by a word in it; without a name, a tool that works with one maker's devices.
    """
    name = _word(cell_of(_NAME))
    if name is not None:
        known = known_accelerator(base.catalogue, cell_of)
        vendor = known.vendor if known is not None else base.catalogue.vendor_of(name)
        if vendor is not None:
            return vendor.casefold()
    used = {tool for tool in tools if tool is not None and tool in base.tools}
    vendors = {tuple(base.tools[tool].vendors) for tool in used if len(base.tools[tool].vendors) == 1}
    return vendors.pop()[0] if len(vendors) == 1 else None


class Ways(dict[str, tuple["ObtainModel", ...]]):
    """The ways to obtain measurements that work on accelerators of a maker, the quickest first; found on demand.

    ``workload`` is the kind of the job, where that is known: a training job has no server to be asked.
    """

    def __init__(self, base: Base, vendor: str | None, workload: str | None) -> None:
        super().__init__()
        self._base, self._vendor, self._workload = base, vendor, workload

    def __missing__(self, measurement: str) -> tuple[ObtainModel, ...]:
        """Find those of a measurement of the base."""
        found = self[measurement] = _fitting(self._base, measurement, self._vendor, self._workload)
        return found


@functools.lru_cache(maxsize=64)
def fitting_ways(base: Base, vendor: str | None, workload: str | None = None) -> Ways:
    """Return the ways to obtain measurements of a base with some accelerators in some kind of job."""
    return Ways(base, vendor, workload)


def _fitting(base: Base, measurement: str, vendor: str | None, workload: str | None) -> tuple[ObtainModel, ...]:
    ways = [
        way
        for way in base.measurements[measurement].model.obtain
        if (vendor is None or vendor in (_vendors(base, way) or [vendor]))
        and (workload is None or workload in (_workloads(base, way) or [workload]))
    ]
    return tuple(sorted(ways, key=lambda way: way.effort_minutes))


def _vendors(base: Base, way: ObtainModel) -> list[str]:
    tool = base.tools.get(way.tool or "")
    return way.vendors or (tool.vendors if tool is not None else [])


def _workloads(base: Base, way: ObtainModel) -> list[str]:
    tool = base.tools.get(way.tool or "")
    return way.workloads or (tool.workloads if tool is not None else [])


def _word(cell: Cell | None) -> str | None:
    return cell.value if cell is not None and isinstance(cell.value, str) else None
