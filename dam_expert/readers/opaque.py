r"""Files that are recognised and not opened: what they are, why not, and what to pass instead.

A memory snapshot of PyTorch is a pickle, and reading a pickle runs what its author wrote into it. TensorBoard event
files are left to TensorBoard, which exports them.

>>> from dam_expert.readers.source import Source
>>> snapshot = b"\x80\x04}\x94(\x8c\x08segments\x94]\x94\x8c\rdevice_traces\x94]\x94u."
>>> MemorySnapshotReader().read(Source.of_bytes("snapshot.pickle", snapshot)).messages[0].code
'not-opened'
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.readers.interface import Reading, Teller

if TYPE_CHECKING:
    from dam_expert.readers.source import Source


@dataclasses.dataclass(frozen=True, slots=True)
class MemorySnapshotReader:
    """Recognises the pickle that ``torch.cuda.memory._dump_snapshot`` writes, and refuses it."""

    tool: str = "allocator_message"
    title: str = "PyTorch memory snapshot"
    versions: str = "any; never opened"

    def recognises(self, source: Source) -> bool:
        """Whether the content is a pickle that names the parts of a snapshot."""
        return source.magic[:1] == b"\x80" and ("device_traces" in source.head or "segments" in source.head)

    def read(self, source: Source) -> Reading:
        """Return the refusal with its reason."""
        text = "it is a memory snapshot, a pickle: opening one runs code that it carries, so it is never opened"
        hint = "pass print(torch.cuda.memory_summary()) and the out-of-memory message instead"
        return _refusal(self.tool, source, text, hint)


@dataclasses.dataclass(frozen=True, slots=True)
class TensorBoardEventsReader:
    """Recognises TensorBoard event files, whose values are asked for as CSV."""

    tool: str = "framework_log"
    title: str = "TensorBoard event file"
    versions: str = "any; not opened"

    def recognises(self, source: Source) -> bool:
        """Whether the first record declares the version of an event file."""
        return "brain.Event:" in source.head[:200] and source.binary

    def read(self, source: Source) -> Reading:
        """Return the way to get values."""
        text = "it is a TensorBoard event file: its binary records are not read"
        hint = "in TensorBoard tick 'Show data download links' and pass the CSV of the loss and of the step time"
        return _refusal(self.tool, source, text, hint)


def _refusal(tool: str, source: Source, text: str, hint: str) -> Reading:
    tell = Teller(file=source.shown, tool=tool)
    return tell.reading(messages=(tell.warn("not-opened", text, hint=hint),))
