"""What a reader is handed, what it gives back, and what it has to offer."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Protocol

from dam_expert.documents.messages import Level, Message
from dam_expert.documents.observations import Observation, Origin

if TYPE_CHECKING:
    from dam_expert.documents.observations import Scope, Value
    from dam_expert.readers.collectives import Collectives
    from dam_expert.readers.source import Source


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one reader understood of one source.

    ``lines_not_understood`` counts lines (or events) that should have held data and did not parse; ``lines_read``
    counts all that were looked at. A reading without observations always has a message that says why.
    """

    tool: str
    observations: tuple[Observation, ...] = ()
    messages: tuple[Message, ...] = ()
    lines_read: int = 0
    lines_not_understood: int = 0
    collectives: Collectives | None = None
    """What can be compared with the traces of other ranks, where the source is the trace of one."""


class Reader(Protocol):
    """One tool's output format."""

    @property
    def tool(self) -> str:
        """The id of the tool in the knowledge base, and the ``tool`` of every origin."""

    @property
    def title(self) -> str:
        """What a person calls this output."""

    @property
    def versions(self) -> str:
        """Which versions and forms of the output were seen or are documented; newer ones are tried all the same."""

    def recognises(self, source: Source) -> bool:
        """Whether the head of the source has the shape of this tool's output. Never looks at the name."""

    def read(self, source: Source) -> Reading:
        """Return what the source says. Never raises on bad content."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Teller:
    """Makes the observations and messages of one source, so that each carries its file and tool.

    >>> from dam_expert.documents.intervals import Interval
    >>> Teller(file="a.txt", tool="iostat").observe("host_cores", Interval.point(2), line=1).origin.file
    'a.txt'
    """

    file: str
    tool: str

    def observe(
        self,
        measurement: str,
        value: Value,
        *,
        scope: Scope = (),
        line: int | None = None,
        detail: str | None = None,
        samples: int | None = None,
    ) -> Observation:
        """Return one observation of this source; ``samples`` where it is a mean or a rate over that many events."""
        origin = Origin(file=self.file, line=line, tool=self.tool, detail=detail)
        return Observation(measurement=measurement, value=value, origin=origin, scope=scope, samples=samples)

    def reject(
        self, measurement: str, given: str, *, scope: Scope = (), line: int | None = None, detail: str | None = None
    ) -> Observation:
        """Return an observation whose value cannot be one of the measurement; it is listed as rejected."""
        origin = Origin(file=self.file, line=line, tool=self.tool, detail=detail)
        complaint = f"the tool's output says {given}, which this measurement cannot be"
        return Observation(
            measurement=measurement, value=None, origin=origin, scope=scope, given=given, complaint=complaint
        )

    def warn(self, code: str, text: str, *, hint: str | None = None, line: int | None = None) -> Message:
        """Return a warning: something is missing, the rest is used."""
        return Message(file=self.file, level=Level.WARNING, code=code, text=text, hint=hint, line=line)

    def note(self, code: str, text: str, *, hint: str | None = None, line: int | None = None) -> Message:
        """Return a note: nothing is lost, but the reader should know."""
        return Message(file=self.file, level=Level.NOTE, code=code, text=text, hint=hint, line=line)

    def reading(
        self,
        *,
        observations: tuple[Observation, ...] = (),
        messages: tuple[Message, ...] = (),
        lines_read: int = 0,
        lines_not_understood: int = 0,
        collectives: Collectives | None = None,
    ) -> Reading:
        """Return the reading of this source; one without a value and without a message says that it holds no value."""
        if not observations and not messages:
            text = "it is recognised and holds no known value"
            messages = (self.warn("no-values", text, hint="capture it again"),)
        return Reading(
            tool=self.tool,
            observations=observations,
            messages=messages,
            lines_read=lines_read,
            lines_not_understood=lines_not_understood,
            collectives=collectives,
        )

    def not_understood(self, count: int, of: int, *, first: int | None) -> tuple[Message, ...]:
        """Return the message that ``count`` of ``of`` lines did not parse, or none when all did."""
        if not count:
            return ()
        text = f"{count} of {of} lines were not understood and are left out"
        hint = "look at the first of them" if first is not None else None
        return (self.warn("lines-not-understood", text, hint=hint, line=first),)
