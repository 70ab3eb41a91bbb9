"""The fields of NVIDIA DCGM that say something about speed.

They are known under the short names of ``dcgmi dmon`` and the old and new names of the exporter.

>>> canonical("0.92", FIELDS["SMACT"]), canonical("9223372036854775794", FIELDS["TMPTR"])
(0.92, None)
>>> FIELDS["DCGM_FI_PROF_SM_ACTIVE"] == FIELDS["DCGM_FI_PROF_SM_UTIL_RATIO"]
True
"""

from __future__ import annotations

from dam_expert.readers.text import number

_MIB, _PERCENT, _MEGA = 2.0**20, 0.01, 1e6

_NAMES: dict[tuple[str, float], tuple[str, ...]] = {
    ("accelerator_utilization", _PERCENT): ("GPUTL", "DEV_GPU_UTIL"),
    ("memory_controller_utilization", _PERCENT): ("MCUTL", "DEV_MEM_COPY_UTIL"),
    ("encoder_utilization", _PERCENT): ("ENCTL", "DEV_ENC_UTIL"),
    ("decoder_utilization", _PERCENT): ("DECTL", "DEV_DEC_UTIL"),
    ("graphics_engine_active", 1.0): ("GRACT", "PROF_GR_ENGINE_ACTIVE", "PROF_GR_ENGINE_UTIL_RATIO"),
    ("sm_active", 1.0): ("SMACT", "PROF_SM_ACTIVE", "PROF_SM_UTIL_RATIO"),
    ("sm_occupancy", 1.0): ("SMOCC", "PROF_SM_OCCUPANCY", "PROF_SM_OCCUPANCY_RATIO"),
    ("tensor_active", 1.0): ("TENSO", "PROF_PIPE_TENSOR_ACTIVE", "PROF_TENSOR_UTIL_RATIO"),
    ("dram_active", 1.0): ("DRAMA", "PROF_DRAM_ACTIVE", "PROF_DRAM_UTIL_RATIO"),
    ("pcie_tx_rate", 1.0): ("PCITX", "PROF_PCIE_TX_BYTES"),
    ("pcie_rx_rate", 1.0): ("PCIRX", "PROF_PCIE_RX_BYTES"),
    ("nvlink_tx_rate", 1.0): ("NVLTX", "PROF_NVLINK_TX_BYTES"),
    ("nvlink_rx_rate", 1.0): ("NVLRX", "PROF_NVLINK_RX_BYTES"),
    ("device_power", 1.0): ("POWER", "DEV_POWER_USAGE"),
    ("power_limit", 1.0): ("PMLMT", "DEV_ENFORCED_POWER_LIMIT"),
    ("device_temperature", 1.0): ("TMPTR", "DEV_GPU_TEMP"),
    ("device_memory_used", _MIB): ("FBUSD", "DEV_FB_USED"),
    ("device_memory_total", _MIB): ("FBTTL", "DEV_FB_TOTAL"),
    ("sm_clock", _MEGA): ("SMCLK", "DEV_SM_CLOCK"),
    ("memory_clock", _MEGA): ("MMCLK", "DEV_MEM_CLOCK"),
    ("last_xid", 1.0): ("DEV_XID_ERRORS",),
}
FIELDS = {name if len(name) == 5 else f"DCGM_FI_{name}": field for field, names in _NAMES.items() for name in names}
"""Field name to measurement and factor. Ratios are 0 to 1, whatever the help text of an exporter says."""

MEASUREMENTS = tuple(dict.fromkeys(measurement for measurement, _ in _NAMES))

_BLANK_DOUBLE = 140737488355328.0
_BLANK_INT32 = (2147483632.0, 2147483647.0)
"""DCGM's marks for blank, not found, not supported and no permission (dcgm_structs.h); the 64-bit ones are larger
than the first."""


def canonical(cell: str, field: tuple[str, float]) -> float | None:
    """Return the value of a cell in the canonical unit of its measurement, None where it is not available."""
    value = number(cell)
    if value is None or value >= _BLANK_DOUBLE or _BLANK_INT32[0] <= value <= _BLANK_INT32[1]:
        return None
    return value * field[1]
