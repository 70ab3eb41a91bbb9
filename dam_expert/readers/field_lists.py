r"""Lists without values: the help of ``nvidia-smi``, field lists of DCGM, pages that were retired.

>>> from dam_expert.readers.source import Source
>>> raw = b'List of valid properties to query for the switch "--query-gpu":\n'
>>> reading = FieldListReader().read(Source.of_bytes("help.txt", raw))
>>> reading.observations, reading.messages[0].code
((), 'no-values')
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.interface import Reading, Teller

if TYPE_CHECKING:
    from dam_expert.readers.source import Source

_HELP = re.compile(r'^List of valid properties to query for the switch "--[\w-]+"', re.MULTILINE)
_RETIRED = re.compile(r"(?m)^[a-z_.]+(?:, [a-z_.]+)*, retired_pages\.")
_FIELD = re.compile(r"^DCGM_FI_[A-Z0-9_]{2,80}$")
_QUERY = "run 'nvidia-smi --query-gpu=timestamp,index,name,utilization.gpu,memory.used,memory.total,power.draw,"
_QUERY += "enforced.power.limit,clocks_event_reasons.active --format=csv -l 1' during the job and pass its output"
_DMON = "run 'dcgmi dmon -e 1002,1003,1004,1005 -d 1000 -c 60' during the job and pass its output"


@dataclasses.dataclass(frozen=True, slots=True)
class FieldListReader:
    """Recognises the help of ``--query-gpu`` and bare lists of DCGM fields, and says how to get values."""

    tool: str = "field_list"
    title: str = "list of fields without values"
    versions: str = "any"

    def recognises(self, source: Source) -> bool:
        """Whether the head is the help text, a list of retired pages, or nothing but names of DCGM fields."""
        return bool(_HELP.search(source.head) or _RETIRED.search(source.head)) or _only_fields(source)

    def read(self, source: Source) -> Reading:
        """Return no observation and the command that gives values."""
        tell = Teller(file=source.shown, tool=self.tool)
        text = "it lists the fields that can be asked for and holds no values"
        hint = _DMON if _only_fields(source) else _QUERY
        if _RETIRED.search(source.head):
            text, hint = (
                "pages that were retired say nothing of speed: it is not read",
                "for errors: nvidia-smi -q -d ECC",
            )
        return tell.reading(messages=(tell.warn("no-values", text, hint=hint),))


def _only_fields(source: Source) -> bool:
    """Whether all whole lines of the head are names; the last may be cut."""
    lines = [line for line in source.head_lines[:-1] if line]
    return bool(lines) and all(_FIELD.match(line) for line in lines)
