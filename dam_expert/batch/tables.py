"""Tables of incidents: what each column is, and rows as incident documents.

A column is named by the id or an alias of a measurement, with its unit in the header (``step_time [ms]``, ``loss
(1)``) or in the cell, or by a part of the document: ``id``, ``title``, ``source``, ``target_metric``,
``target_wanted``, ``target_actual``, ``track``, ``planned_actions`` (several between semicolons). Columns that begin
with ``x-`` are free. Any other column is reported once and kept as a free one.
"""

from __future__ import annotations

import dataclasses
import math
import re
from typing import TYPE_CHECKING, Any, Final

from dam_expert.documents.dimensions import UnitError, units_of
from dam_expert.documents.messages import Level, Message, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.kb.base import Base

_PARTS: Final = {
    "id": ("id",),
    "title": ("title",),
    "source": ("source",),
    "target_metric": ("target", "metric"),
    "target_wanted": ("target", "wanted"),
    "target_actual": ("target", "actual"),
    "target_track": ("target", "track"),
    "track": ("target", "track"),
}
_PLANNED: Final = "planned_actions"
_WITH_UNIT: Final = re.compile(r"\s*(?P<name>.+?)\s*(?:\[(?P<square>[^\[\]=]+)\]|\((?P<round>[^()]+)\))\s*")
_SCOPED: Final = re.compile(r"(.+?)\s*(\[[^\[\]]*=[^\[\]]*\])")
_BARE: Final = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One column: a measurement under its id (with its scope, if any), a part of the document, or a free one."""

    title: str
    measurement: str | None = None
    unit: str | None = None
    part: tuple[str, ...] = ()


def fields_of(base: Base, titles: Sequence[str], file: str) -> tuple[list[Field], list[Message]]:
    """Return what the columns are, with a warning about each that is not known."""
    fields = [_field(base, title) for title in titles]
    messages = [
        Message(
            file=file,
            level=Level.WARNING,
            code="unknown-column",
            text=f"the column '{field.title[:60]}' is no measurement and is only kept beside the incident",
            hint=suggestion(field.title, base.names.known_ids()) or "name it x-… to say so",
        )
        for field in fields
        if field.measurement is None and not field.part and not field.title.startswith("x-")
    ]
    return fields, [*messages, *_twice(fields, file)]


def _twice(fields: Sequence[Field], file: str) -> Iterator[Message]:
    """Yield a warning for each column that says the same as one before it."""
    before: dict[object, str] = {}
    for field in fields:
        what = field.measurement or field.part or field.title
        if what in before:
            first, second = before[what][:60], field.title[:60]
            named = "twice" if first == second else f"also as '{first}'"
            text = f"the column '{second}' stands here {named}: of a row that fills both, the later one counts"
            hint = "keep one of them"
            yield Message(file=file, level=Level.WARNING, code="duplicate-column", text=text, hint=hint)
        before.setdefault(what, field.title)


def is_table_of_incidents(base: Base, titles: Sequence[str]) -> bool:
    """Whether most columns of a header are understood, and at least one is a measurement."""
    fields = [_field(base, title) for title in titles]
    understood = [field for field in fields if field.measurement or field.part or field.title.startswith("x-")]
    return any(field.measurement for field in fields) and 2 * len(understood) >= len(fields)


def document_of(fields: Sequence[Field], cells: Sequence[object]) -> dict[str, Any]:
    """Return the incident document of one row; empty cells are left out."""
    document: dict[str, Any] = {}
    observations: dict[str, Any] = {}
    for field, cell in zip(fields, cells, strict=False):
        if is_empty(cell):
            continue
        if field.measurement is not None:
            observations[field.measurement] = with_unit(cell, field.unit)
        elif field.part == (_PLANNED,):
            document[_PLANNED] = [text.strip() for text in str(cell).split(";") if text.strip()]
        elif field.part:
            at = document if len(field.part) == 1 else document.setdefault(field.part[0], {})
            at[field.part[-1]] = cell if field.part[-1] in ("wanted", "actual") else str(cell)
        else:
            document[field.title if field.title.startswith("x-") else f"x-{field.title}"] = _plain(cell)
    if observations:
        document["observations"] = observations
    return document


def is_empty(cell: object) -> bool:
    """Whether a cell says nothing: no value, blanks, or NaN, as frames write it."""
    return (
        cell is None or (isinstance(cell, str) and not cell.strip()) or (isinstance(cell, float) and math.isnan(cell))
    )


def _field(base: Base, title: str) -> Field:
    name = title.strip()
    part = _PARTS.get(name.casefold().replace(" ", "_").replace(".", "_"))
    if part is not None:
        return Field(title=name, part=part)
    if name.casefold().replace(" ", "_") == _PLANNED:
        return Field(title=name, part=(_PLANNED,))
    found = _measured(base, name)
    if found is not None:
        return Field(title=name, measurement=found)
    match = _WITH_UNIT.fullmatch(name)
    if match is None:
        return Field(title=name)
    unit, found = match["square"] or match["round"], _measured(base, match["name"])
    return Field(title=name) if found is None or not _is_unit(unit) else Field(title=name, measurement=found, unit=unit)


def _measured(base: Base, name: str) -> str | None:
    """Return the id that a name means, with the scope that stands behind it."""
    scoped = _SCOPED.fullmatch(name)
    found = base.names.resolve(scoped[1] if scoped else name)
    return found if found is None or scoped is None else f"{found}{scoped[2]}"


def _is_unit(text: str) -> bool:
    try:
        return bool(units_of(text.strip()))
    except UnitError:
        return False


def with_unit(cell: object, unit: str | None) -> object:
    """Put the unit of the header behind a bare number; a cell that states its own keeps it."""
    if unit is None or unit == "1":
        return _plain(cell)
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return f"{cell!r} {unit}"
    return f"{cell} {unit}" if isinstance(cell, str) and _BARE.fullmatch(cell) else _plain(cell)


def _plain(cell: object) -> object:
    return cell if isinstance(cell, str | int | float | bool | list) else str(cell)
