"""The accelerator of an incident and its figures, for ``hardware.FIELD`` in formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.language.conditions import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dam_expert.engine.cells import Cell
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


def figure_of(catalogue: Catalogue, name: str, memory_bytes: float | None, precision: str, field: str) -> float | None:
    """Return a figure of a named accelerator, or None where nothing of that name is known for certain."""
    accelerator = catalogue.resolve(name, memory_bytes)
    return None if accelerator is None else _FIGURES[field](accelerator.per_framework_device(), precision)


def _word(cell: Cell | None) -> str | None:
    return cell.value if cell is not None and isinstance(cell.value, str) else None
