"""What the long report of nvidia-smi (``-q``, as text or XML) says of each device, under one set of names.

Every value is of one instant. Slowdown reasons of an instant are said as such (``..._now``) and never as a share;
a share of time comes only from the counters of two snapshots. The link state is said as the state under load only
where the same snapshot shows the device busy, because an idle device lowers its link on purpose.

>>> amount("22437 MiB"), amount("16x"), amount("4217 KB/s"), amount("N/A")
(23526899712.0, 16.0, 4217000.0, None)
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.lines import only, said
from dam_expert.readers.series import Series

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation, Scope
    from dam_expert.readers.interface import Teller

_UNITS = {
    "%": 0.01, "MiB": 2.0**20, "MB": 2.0**20, "W": 1.0, "MHz": 1e6, "C": 1.0, "x": 1.0, "KB/s": 1e3, "MB/s": 1e6,
    "us": 1e-6, "ns": 1e-9, "": 1.0,
}  # fmt: skip
_AMOUNT = re.compile(r"^(-?\d{1,15}(?:\.\d{1,6})?)\s*(%|MiB|MB/s|MB|W|MHz|C|x|KB/s|us|ns|)$")
_PLAIN = {
    "accelerator_utilization": ("util_average", "util"),
    "memory_controller_utilization": ("memory_util_average", "memory_util"),
    "encoder_utilization": ("encoder_util",),
    "decoder_utilization": ("decoder_util",),
    "device_memory_used": ("fb_used",),
    "device_memory_total": ("fb_total",),
    "device_power": ("power_average", "power", "power_instant"),
    "power_limit": ("limit_enforced", "limit_current", "limit"),
    "sm_clock": ("sm_clock",),
    "sm_clock_max": ("sm_clock_max",),
    "memory_clock": ("memory_clock",),
    "device_temperature": ("temperature",),
    "pcie_rx_rate": ("rx",),
    "pcie_tx_rate": ("tx",),
    "pcie_link_gen_max": ("gen_max",),
    "pcie_link_width_max": ("width_max",),
    "processes_on_device": ("processes",),
}
_LINK = {"pcie_link_gen": "gen", "pcie_link_width": "width"}
_RATIOS = {
    "device_memory_used_share": ("device_memory_used", "device_memory_total"),
    "power_share": ("device_power", "power_limit"),
}
_NOW = {
    "power_capped_now": ("reason_sw_power_cap",),
    "thermal_slowdown_now": ("reason_sw_thermal_slowdown", "reason_hw_thermal_slowdown"),
    "hw_slowdown_now": ("reason_hw_slowdown", "reason_hw_power_brake_slowdown"),
}
_COUNTERS = {
    "power_capped_share": ("counter_sw_power",),
    "thermal_slowdown_share": ("counter_sw_thermal", "counter_hw_thermal"),
    "hw_slowdown_share": ("counter_hw_brake",),
}
_FLAGS = {"row_remap_failed": "remap_failure", "row_remap_pending": "remap_pending"}


@dataclasses.dataclass(slots=True)
class Snapshot:
    """One report: its time, how many devices the host has, and the cells of each device under canonical names."""

    line: int
    time: float | None = None
    attached: int | None = None
    whole: bool = True
    """Whether the report was read to its end: else more devices may follow than are listed."""
    driver: str = ""
    cuda: str = ""
    devices: list[dict[str, str]] = dataclasses.field(default_factory=list)

    def index(self, place: int) -> str:
        """Return the index of a device: its place, or its minor number where only some devices are listed."""
        minor = self.devices[place].get("minor", "")
        partial = self.attached is not None and self.attached != len(self.devices)
        return minor if partial and re.fullmatch(r"\d{1,4}", minor) else str(place)


def amount(cell: str | None) -> float | None:
    """Return a cell in its canonical unit; None for everything that is not a number with a known unit."""
    found = _AMOUNT.match((cell or "").strip())
    return float(found[1]) * _UNITS[found[2]] if found else None


def moment(text: str) -> float | None:
    """Return the seconds of a time as nvidia-smi prints it, for differences only.

    >>> moment("Tue Jul 14 09:00:46 2026") - moment("Tue Jul 14 09:00:44 2026"), moment("N/A")
    (2.0, None)
    """
    with contextlib.suppress(ValueError):
        found = datetime.datetime.strptime(text.strip(), "%a %b %d %H:%M:%S %Y")
        return (found - datetime.datetime(2000, 1, 1)).total_seconds()
    return None


def observations(snapshots: Sequence[Snapshot], tell: Teller) -> Iterator[Observation]:
    """Yield what the snapshots say of each device: means, and states of the last."""
    series, flags, indices = Series(), dict[tuple[str, str], str](), dict[str, None]()
    for snapshot in snapshots:
        for place, cells in enumerate(snapshot.devices):
            device = snapshot.index(place)
            indices[device] = None
            _keep(series, flags, device, cells, snapshot.line)
    for device in indices:
        yield from _device(series, flags, device, tell)
        yield from _shares(snapshots, device, tell)
    yield from _environment(snapshots, tell)


def _keep(series: Series, flags: dict[tuple[str, str], str], device: str, cells: dict[str, str], line: int) -> None:
    values = {
        measurement: next((found for name in names if (found := amount(cells.get(name))) is not None), None)
        for measurement, names in _PLAIN.items()
    }
    for measurement, value in values.items():
        series.add(device, measurement, value, line)
    averaged = amount(cells.get("util_samples")) if amount(cells.get("util_average")) is not None else None
    known = values["accelerator_utilization"] is not None
    series.add(device, "samples", averaged if averaged is not None else float(known), line)
    for measurement, (part, whole) in _RATIOS.items():
        used, limit = values[part], values[whole]
        series.add(device, measurement, used / limit if used is not None and limit else None, line)
    for measurement, name in _LINK.items():
        suffix = "" if values["accelerator_utilization"] else "_now"
        series.add(device, measurement + suffix, amount(cells.get(name)), line)
    for measurement, names in _NOW.items():
        words = [word for name in names if (word := cells.get(name, "").lower()) in {"active", "not active"}]
        if words:
            flags[device, measurement] = "true" if "active" in words else flags.get((device, measurement), "false")
    for measurement, name in _FLAGS.items():
        if cells.get(name, "").lower() in {"yes", "no"}:
            flags[device, measurement] = "true" if cells[name].lower() == "yes" else "false"
    for kind in ("uncorrected", "corrected"):
        counts = [
            value
            for name, cell in cells.items()
            if name.startswith(f"ecc_{kind}")
            if (value := amount(cell)) is not None
        ]
        series.add(device, f"ecc_{kind}_errors", sum(counts) if counts else None, line)


def _device(series: Series, flags: dict[tuple[str, str], str], device: str, tell: Teller) -> Iterator[Observation]:
    scope: Scope = (("device", device),)
    for measurement in (*_PLAIN, *_RATIOS, *_LINK, *(f"{name}_now" for name in _LINK)):
        yield from series.said(tell, scope, device, measurement, measurement)
    for kind in ("uncorrected", "corrected"):
        most = series.largest(device, f"ecc_{kind}_errors")
        yield from said(tell, f"ecc_{kind}_errors", most, "since the driver was loaded", scope=scope)
    samples = series.total(device, "samples")
    yield from said(tell, "utilization_samples", samples or None, "known samples", scope=scope)
    for (owner, measurement), word in flags.items():
        if owner == device:
            yield from said(tell, measurement, word, "state at the time of the report", scope=scope)


def _shares(snapshots: Sequence[Snapshot], device: str, tell: Teller) -> Iterator[Observation]:
    """Yield the share of time that slowdown counters grew by between the first and the last snapshot."""
    timed = [
        (snapshot, cells)
        for snapshot in snapshots
        if snapshot.time is not None
        for place, cells in enumerate(snapshot.devices)
        if snapshot.index(place) == device
    ]
    if len(timed) < 2:
        return
    (first, before), (last, after) = timed[0], timed[-1]
    passed = (last.time or 0.0) - (first.time or 0.0)
    for measurement, names in _COUNTERS.items():
        pairs = [(amount(before.get(name)), amount(after.get(name))) for name in names]
        grown = [end - start for start, end in pairs if start is not None and end is not None]
        if grown and passed > 0 and min(grown) >= 0:
            detail = f"counter over {passed:g} s"
            share = min(max(grown) / passed, 1.0)  # timestamps are whole seconds
            scope, seconds = (("device", device),), int(passed)  # as many as one reading a second would be
            yield from said(tell, measurement, share, detail, line=last.line, scope=scope, samples=seconds)


def _environment(snapshots: Sequence[Snapshot], tell: Teller) -> Iterator[Observation]:
    last = next((snapshot for snapshot in reversed(snapshots) if snapshot.devices), None)
    if last is None:
        return
    if last.attached is not None or last.whole:
        count = max(last.attached or 0, len(last.devices))
        yield tell.observe("device_count", Interval.point(count), detail="attached devices")
    names = {cells["name"][:80] for cells in last.devices if cells.get("name", "N/A") not in {"", "N/A"}}
    yield from said(tell, "accelerator", only(names), "product name")
    yield from said(tell, "driver_version", last.driver, "report header", line=last.line)
    yield from said(tell, "driver_cuda_version", last.cuda, "highest version the driver supports", line=last.line)
    modes = {cells.get("mig", "").lower() for cells in last.devices} & {"enabled", "disabled"}
    yield from said(tell, "mig_enabled", _flag("enabled" in modes) if modes else None, "MIG mode of any device")


def _flag(value: bool) -> str:
    return "true" if value else "false"


def complaints(snapshots: Sequence[Snapshot], tell: Teller) -> Iterable[Message]:
    """Yield what keeps the snapshots from saying more."""
    if not any(snapshot.devices for snapshot in snapshots):
        yield tell.warn("no-samples", "no device is listed in it", hint="run 'nvidia-smi -q' on the host of the job")
    elif len(snapshots) == 1 and not any("util_average" in cells for cells in snapshots[0].devices):
        hint = "for shares over time: nvidia-smi dmon -s pucvmet -c 60"
        yield tell.note("one-instant", "it shows one instant", hint=hint)
