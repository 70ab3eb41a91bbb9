"""What all entries of a base share: how names, texts and quantities are written in them, and the entry itself."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import msgspec
from msgspec import Meta

#: A name: lower-case words joined by underscores; a runbook's own begin with its name and a dot. Rules and cases
#: join more names by dots.
Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9][a-z0-9_]*)?\Z", max_length=80)]
DottedName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9][a-z0-9_]*)*\Z", max_length=120)]
Text = Annotated[str, Meta(min_length=1, max_length=2000)]
#: A quantity as people write it: ``20 %``, ``1.5 ms``, ``3``.
Given = str | int | float
#: What a lever moves: a variable of the iron law, how its terms overlap, or what stands beside it.
Variable = Literal[
    "bytes",
    "bandwidth",
    "operations",
    "peak",
    "efficiency",
    "latency",
    "overlap",
    "fit",
    "learning",
    "demand",
]
Sources = Annotated[list[Text], Meta(min_length=1)]
#: One id or a list of them.
Ids = DottedName | Annotated[list[DottedName], Meta(min_length=1)]
#: A condition tree; its leaves are strings that :mod:`dam_expert.language` reads.
ConditionTree = str | dict[str, Any]


#: What stands in for a text that is missing; nobody wrote it, so that a complaint with it is about nothing written.
LOST = "zz_lost"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A part of a knowledge file: frozen, and an unknown key is an error."""

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data of JSON, with what is as it is by default."""
        return {name: _plain(getattr(self, name)) for name in self.__struct_fields__}

    def as_written(self) -> dict[str, Any]:
        """Return it as plain data of JSON, without what was left to defaults."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data

    def changed(self, **fields: Any) -> Self:  # noqa: ANN401  # the fields are those of the entry
        """Return it with other values in some fields."""
        return msgspec.structs.replace(self, **fields)


def _plain(value: object) -> object:
    if isinstance(value, Entry):
        return value.as_data()
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return msgspec.to_builtins(value)
