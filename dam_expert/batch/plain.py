"""Plain incidents: documents whose values can go straight into the columns of a block.

Plain is a document with at most one unscoped value of each measurement, a target in the unit of its metric, and plans
by name. Whatever else a line may hold is read by the code that reads incident files, one by one; a differential test
holds both ways equal.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_READ: Final = re.compile(rb'\s*(?:null\b|\{\s*"file"\s*:\s*"[^"])')
"""A source that names a file is taken as it is."""


class Long(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A value with what may be known of it without making a difference to the verdict."""

    value: float | bool | str | None = None
    basis: str | None = None
    given: str | None = None
    source: msgspec.Raw = msgspec.Raw()

    @property
    def is_told(self) -> bool:
        """Whether something stands beside the value that may make it hearsay: words, or a source that is no reading."""
        given = self.given is not None and self.given != self.value
        return given or (bool(self.source) and not _READ.match(bytes(self.source)))


class Named(Long, forbid_unknown_fields=True, gc=False):
    """A value in a list names its measurement."""

    measurement: str = ""


Plain: TypeAlias = float | bool | str | list[float] | Long | None
Section: TypeAlias = dict[str, Plain]


class Target(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """What is missed."""

    metric: str | None = None
    wanted: float | str | None = None
    actual: float | str | None = None
    track: str | None = None


class Document(msgspec.Struct, forbid_unknown_fields=True, rename={"schema_": "schema"}):
    """A plain incident document."""

    schema_: str | msgspec.UnsetType = msgspec.UNSET
    id: str | None = None
    title: str | None = None
    source: str | None = None
    target: Target | None = None
    workload: Section | None = None
    environment: Section | None = None
    observations: Section | list[Named] | None = None
    planned_actions: list[str] | None = None


class Decoder:
    """Decodes lines. Free keys (``x-…``) are learnt as they occur: with an unknown key a line is not plain."""

    def __init__(self) -> None:
        self.free: tuple[str, ...] = ()
        self._make()

    def lines(self, content: bytes | memoryview) -> list[Any] | None:
        """Decode lines, all of which must be plain; None where one is not."""
        try:
            return self._decoder.decode_lines(content)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    def line(self, content: bytes) -> Any | None:  # noqa: ANN401  (a Document with the free keys as well)
        """Decode one line; None where it is not plain."""
        try:
            return self._decoder.decode(content)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    def plain(self, data: object) -> Any | None:  # noqa: ANN401
        """Return plain data as a document; None where it is not plain."""
        try:
            return msgspec.convert(data, self.made)
        except (msgspec.ValidationError, TypeError, RecursionError):
            return None

    def learn(self, keys: Iterable[str]) -> None:
        """Make free keys known, as long as they are few."""
        found = (*self.free, *(key for key in keys if key.startswith("x-") and key not in self.free))
        if found != self.free and len(found) <= _FREE_KEYS:
            self.free = found
            self._make()

    def free_of(self, document: Any) -> dict[str, str]:  # noqa: ANN401
        """Return the plain values of the free keys."""
        return {
            key: str(value)
            for number, key in enumerate(self.free)
            if isinstance(value := getattr(document, f"free_{number}", None), str | int | float | bool)
        }

    def _make(self) -> None:
        self.made = made_line(self.free, {})
        self._decoder = msgspec.json.Decoder(self.made)


_FREE_KEYS = 64


def made_line(free: Iterable[str], other: Mapping[str, Any]) -> Any:  # noqa: ANN401  (a struct)
    """Return the document with free keys as well, and some of its fields of other types."""
    names = {f"free_{number}": key for number, key in enumerate(free)}
    return msgspec.defstruct(
        "Line",
        [*((name, kind, None) for name, kind in other.items()), *((name, Any, None) for name in names)],
        bases=(Document,),
        rename={"schema_": "schema", **names},
        forbid_unknown_fields=True,
    )
