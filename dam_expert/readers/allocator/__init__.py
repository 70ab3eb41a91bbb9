r"""Messages of failed device allocations (PyTorch on CUDA and HIP by version, JAX, TensorFlow) and allocator summaries.

>>> from dam_expert.readers.source import Source
>>> raw = b'''RuntimeError: CUDA out of memory. Tried to allocate 62.00 MiB (GPU 0; 12.00 GiB total capacity;
... 10.57 GiB already allocated; 0 bytes free; 10.71 GiB reserved in total by PyTorch)'''
>>> reading = AllocatorReader().read(Source.of_bytes("err.txt", raw))
>>> {found.measurement: found.value.lo / 2**20 for found in reading.observations[1:]}["memory_requested"]
62.0
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.readers.allocator.failure import Failures
from dam_expert.readers.allocator.summary import Summaries, is_title
from dam_expert.readers.content import each_line
from dam_expert.readers.interface import Reading, Teller

if TYPE_CHECKING:
    from dam_expert.documents.messages import Message
    from dam_expert.readers.source import Source


@dataclasses.dataclass(frozen=True, slots=True)
class AllocatorReader:
    """Reads out-of-memory messages, whole or broken over lines, and ``torch.cuda.memory_summary()``."""

    tool: str = "allocator_message"
    title: str = "out-of-memory message or allocator summary"
    versions: str = "PyTorch 1 to 2.13, CUDA and HIP"

    def recognises(self, source: Source) -> bool:
        """Whether a line reports a failed allocation on the device or is the title of a summary."""
        lines = source.head_lines
        return any(Failures.begins(line) or is_title(line) for line in lines)

    def read(self, source: Source) -> Reading:
        """Return the arithmetic of the first failure of each device, and of each summary."""
        tell, failures, summaries = Teller(file=source.shown, tool=self.tool), Failures(), Summaries()
        messages: list[Message] = []
        seen = 0
        for line, text in each_line(source, tell, messages):
            seen += 1
            failures.take(line, text)
            summaries.take(line, text)
        odd = summaries.odd
        messages += [*failures.messages(tell), *tell.not_understood(odd, seen, first=summaries.first_odd)]
        told = (*failures.observations(tell), *summaries.observations(tell))
        if not told:
            text, hint = "the summary has a title and no values", "paste the whole box, from its first line to its last"
            messages.append(tell.warn("no-values", text, hint=hint))
        return tell.reading(
            observations=told,
            messages=tuple(messages),
            lines_read=seen,
            lines_not_understood=odd,
        )
