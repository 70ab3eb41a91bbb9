r"""``lspci -vv``: what link each accelerator could have and has at this moment.

``LnkCap`` is what the device can do, ``LnkSta`` what the link does now. Whether the device is busy now is not said,
and an idle device lowers its link on purpose: so the state is told as one moment's, never as that under load.
The forms for scripts (``-mm``, ``-vmm``) list devices and never a link.

>>> from dam_expert.readers.source import Source
>>> raw = b'''1e:00.0 3D controller: NVIDIA Corporation GA100 [A100 SXM4 80GB] (rev a1)
... 	LnkCap:	Port #0, Speed 16GT/s, Width x16, ASPM not supported
... 	LnkSta:	Speed 2.5GT/s (downgraded), Width x16 (ok)'''
>>> reading = LspciReader().read(Source.of_bytes("lspci.txt", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations]
[('pcie_link_gen_max', 4.0), ('pcie_link_width_max', 16.0), ('pcie_link_gen_now', 1.0), ('pcie_link_width_now', 16.0)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.lines import any_line, read_lines, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_DEVICE = re.compile(r"^(?:[0-9A-Fa-f]{4,8}:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-7] (\w.{2,80}?)(?: \[\w{4}\])?: (.+)$")
_QUOTED = re.compile(r'^(?:[0-9A-Fa-f]{4,8}:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-7] "([^"]{2,90})" "([^"]{1,160})" "')
_SLOT = re.compile(r"^Slot:\s*(?:[0-9A-Fa-f]{4,8}:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-7]$")
_FIELD = re.compile(r"^(Class|Vendor):\s*(\S.{0,160})$")
_ACCELERATOR = re.compile(r"3D controller|Processing accelerators|VGA compatible|Display controller")
_MAKER = re.compile(r"NVIDIA|Advanced Micro Devices|\[AMD|Habana|Intel Corporation (?:Ponte|Data Center GPU)|Huawei")
_LINK = re.compile(r"^Lnk(Cap|Sta):.*?Speed ([\d.]{1,5})GT/s[^,]{0,20}, Width x(\d{1,2})\b")
_GENERATION = {"2.5": 1, "5": 2, "5.0": 2, "8": 3, "8.0": 3, "16": 4, "16.0": 4, "32": 5, "32.0": 5, "64": 6, "64.0": 6}
"""Transfer rate to generation (PCI Express Base Specification)."""

_NAMES = {"Cap": ("pcie_link_gen_max", "pcie_link_width_max"), "Sta": ("pcie_link_gen_now", "pcie_link_width_now")}


@dataclasses.dataclass(frozen=True, slots=True)
class LspciReader:
    """Reads ``lspci -vv`` (as root, else links are hidden); of ``-mm`` and ``-vmm`` whether there is an accelerator."""

    tool: str = "lspci"
    title: str = "lspci -vv"
    versions: str = "pciutils 3; -mm and -vmm, which show no link"

    def recognises(self, source: Source) -> bool:
        """Whether a line is the head of a PCI device or its link state."""
        return any(any_line(source, pattern) for pattern in (_DEVICE, _LINK, _QUOTED, _SLOT))

    def read(self, source: Source) -> Reading:
        """Return the links of accelerators, numbered in the order of the bus as nvidia-smi numbers them."""
        return read_lines(source, self.tool, _Devices())


@dataclasses.dataclass(slots=True)
class _Devices:
    """The links of the accelerators so far; None is a device of another kind."""

    links: list[dict[str, tuple[float, int]]] = dataclasses.field(default_factory=list)
    inside: bool = False
    kind: str = ""
    """The class of the device whose fields stand one a line."""

    def take(self, line: int, text: str) -> bool:
        if _SLOT.match(text):
            self.kind, self.inside = "", False
        elif field := _FIELD.match(text):
            if field[1] == "Class":
                self.kind = field[2]
            elif _ACCELERATOR.search(self.kind) and _MAKER.search(field[2]):
                self.links.append({})
        elif head := _DEVICE.match(text) or _QUOTED.match(text):
            self.inside = bool(_ACCELERATOR.search(head[1]) and _MAKER.search(head[2]))
            if self.inside:
                self.links.append({})
        elif self.inside and text.startswith(("LnkCap:", "LnkSta:")):
            found = _LINK.match(text)
            if found is None or found[2] not in _GENERATION:
                return "unknown" in text  # what lspci prints where the device does not answer
            generation, width = _NAMES[found[1]]
            self.links[-1][generation] = (_GENERATION[found[2]], line)
            self.links[-1][width] = (int(found[3]), line)
        return True

    def observations(self, tell: Teller) -> Iterator[Observation]:
        for index, links in enumerate(self.links):
            for measurement, (value, line) in links.items():
                scope = (("device", str(index)),)
                yield from said(tell, measurement, float(value), "order on the bus", line=line, scope=scope)

    def complaints(self, tell: Teller) -> Iterator[Message]:
        if not self.links:
            yield tell.warn("no-device", "it lists no accelerator", hint="run 'sudo lspci -vv' on the host of the job")
        elif not any(self.links):
            yield tell.warn("no-values", "it shows no link of an accelerator", hint="run it as root: 'sudo lspci -vv'")
        else:
            hint = (
                "while the job runs: nvidia-smi --query-gpu=pcie.link.gen.current,pcie.link.gen.max --format=csv -l 1"
            )
            yield tell.note("load-unknown", "whether the device was busy is not said", hint=hint)
