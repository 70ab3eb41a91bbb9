r"""``nvidia-smi -q -x``: the long report as XML, of every schema from v10 to v13.

The number of the schema does not tell the names of the fields, so every name that ever was is known. The document
type is never read and nothing it names is fetched; a reference to an entity of its own ends the reading.

>>> from dam_expert.readers.source import Source
>>> raw = b'<nvidia_smi_log><gpu id="0"><utilization><gpu_util>98 %</gpu_util></utilization></gpu></nvidia_smi_log>'
>>> reading = NvidiaXmlReader().read(Source.of_bytes("gpu.xml", raw))
>>> [(found.measurement, found.value.lo) for found in reading.observations]
[('accelerator_utilization', 0.98), ('utilization_samples', 1.0), ('device_count', 1.0)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING
from xml.parsers import expat

from dam_expert.readers.lines import read_lines
from dam_expert.readers.nvidia_snapshot import Snapshot, complaints, moment, observations

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reading, Teller
    from dam_expert.readers.source import Source

_ROOT, _END = "<nvidia_smi_log", "</nvidia_smi_log>"
_DEPTH = 32
"""Elements within elements; the report has ten."""

_TEXT = 200
"""Characters of one element that are kept; values are short."""

_PATHS = {
    "utilization/gpu_util": "util",
    "utilization/memory_util": "memory_util",
    "utilization/encoder_util": "encoder_util",
    "utilization/decoder_util": "decoder_util",
    "fb_memory_usage/total": "fb_total",
    "fb_memory_usage/used": "fb_used",
    "power_readings/power_draw": "power",
    "power_readings/power_limit": "limit",
    "power_readings/enforced_power_limit": "limit_enforced",
    "gpu_power_readings/power_draw": "power",
    "gpu_power_readings/average_power_draw": "power_average",
    "gpu_power_readings/instant_power_draw": "power_instant",
    "gpu_power_readings/current_power_limit": "limit_current",
    "gpu_power_readings/enforced_power_limit": "limit_enforced",
    "clocks/sm_clock": "sm_clock",
    "clocks/mem_clock": "memory_clock",
    "max_clocks/sm_clock": "sm_clock_max",
    "temperature/gpu_temp": "temperature",
    "pcie_gen/current_link_gen": "gen",
    "pcie_gen/max_link_gen": "gen_max",
    "link_widths/current_link_width": "width",
    "link_widths/max_link_width": "width_max",
    "pci/tx_util": "tx",
    "pci/rx_util": "rx",
    "remapped_rows/remapped_row_pending": "remap_pending",
    "remapped_rows/remapped_row_failure": "remap_failure",
    "mig_mode/current_mig": "mig",
    "gpu/product_name": "name",
    "gpu/minor_number": "minor",
    "counters/sw_power_cap": "counter_sw_power",
    "counters/sw_therm_slowdown": "counter_sw_thermal",
    "counters/hw_therm_slowdown": "counter_hw_thermal",
    "counters/hw_power_brake": "counter_hw_brake",
}
_REASON = re.compile(r"^clocks_(?:event|throttle)_reasons?_(?P<counters>counters_)?(?P<name>\w+)$")


@dataclasses.dataclass(frozen=True, slots=True)
class NvidiaXmlReader:
    """Reads the XML of ``nvidia-smi -q -x``, once or in a loop."""

    tool: str = "nvidia_smi_report"
    title: str = "nvidia-smi -q -x"
    versions: str = "DTD v10 to v13, drivers 450 to 610"

    def recognises(self, source: Source) -> bool:
        """Whether the head has the root element."""
        return f"{_ROOT}>" in source.head

    def read(self, source: Source) -> Reading:
        """Return the values of each device, and shares of time where the report repeats."""
        return read_lines(source, self.tool, _Documents())


@dataclasses.dataclass(slots=True)
class _Documents:
    """The reports so far, and the parser of the one that is open."""

    snapshots: list[Snapshot] = dataclasses.field(default_factory=list)
    parser: expat.XMLParserType | None = None
    path: list[str] = dataclasses.field(default_factory=list)
    text: str = ""
    entities: int | None = None
    broken: int | None = None

    def take(self, line: int, text: str) -> bool:
        if self.parser is None:
            if "<!ENTITY" in text:
                self.entities = self.entities or line
            at = text.find(_ROOT)
            if at < 0:
                return True
            self._begin(line)
            text = text[at:]
        head, end, _ = text.partition(_END)
        return self._feed(head + end, line, last=bool(end))

    def _begin(self, line: int) -> None:
        self.snapshots.append(Snapshot(line=line, whole=False))
        self.path, self.text = [], ""
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def _feed(self, text: str, line: int, *, last: bool) -> bool:
        try:
            if self.parser is not None:
                self.parser.Parse((text + "\n").encode("utf-8", "replace"), last)
        except (expat.ExpatError, _TooDeepError):
            self.parser, self.broken = None, self.broken or line
            return False
        if last:
            self.parser, self.snapshots[-1].whole = None, True
        return True

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        self.path.append(name)
        self.text = ""
        if len(self.path) > _DEPTH:
            raise _TooDeepError
        if self.path[1:] == ["gpu"]:
            self.snapshots[-1].devices.append({})

    def _characters(self, text: str) -> None:
        self.text = (self.text + text)[:_TEXT]

    def _end(self, name: str) -> None:
        value, self.text = self.text.strip(), ""
        parent = self.path[-2] if len(self.path) > 1 else ""
        inside = self.path[1:2] == ["gpu"]
        self.path.pop()
        snapshot = self.snapshots[-1]
        if not inside:
            _header(snapshot, name, value)
        elif "mig_device" not in self.path and snapshot.devices:
            _cell(snapshot.devices[-1], parent, name, value)

    def observations(self, tell: Teller) -> Iterable[Observation]:
        return observations(self.snapshots, tell)

    def complaints(self, tell: Teller) -> Iterable[Message]:
        if self.entities is not None:
            text = "it declares entities, which no tool does: the declarations are not read"
            yield tell.warn("entities-refused", text, line=self.entities, hint="look at where the file comes from")
        if self.broken is not None:
            text = "the XML is damaged here; what came before is used"
            yield tell.warn("truncated", text, line=self.broken, hint="let nvidia-smi finish, or copy the file again")
        elif self.parser is not None:
            yield tell.warn("truncated", "the XML ends early; what is there is used", hint="copy the file again")
        yield from complaints(self.snapshots, tell)


class _TooDeepError(Exception):
    """Elements are nested deeper than any report does."""


def _header(snapshot: Snapshot, name: str, value: str) -> None:
    if name == "timestamp":
        snapshot.time = moment(value)
    elif name == "attached_gpus" and re.fullmatch(r"\d{1,4}", value):
        snapshot.attached = int(value)
    elif name == "driver_version" and value != "N/A":
        snapshot.driver = value[:40]
    elif name == "cuda_version" and value != "N/A":
        snapshot.cuda = value[:40]


def _cell(cells: dict[str, str], parent: str, name: str, value: str) -> None:
    reason = _REASON.match(name)
    if reason is not None:
        if reason["counters"]:
            parent, name = "counters", reason["name"]
        else:
            cells[f"reason_{reason['name']}"] = value
    if parent == "volatile" and name.startswith(("sram_", "dram_")):
        kind = "uncorrected" if "uncorrectable" in name else "corrected"
        cells[f"ecc_{kind}_{name}"] = value
    if parent == "process_info" and name == "type" and value in {"C", "C+G", "M+C"}:
        cells["processes"] = str(int(cells.get("processes", "0")) + 1)
    canonical = _PATHS.get(f"{parent}/{name}")
    if canonical is not None:
        cells[canonical] = value
