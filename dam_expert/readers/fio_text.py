r"""fio's normal output, brought into the shape of its JSON: rates, operations and completion latency of each job.

fio 3 prints binary and decimal rates side by side and says the unit of each table of latencies; fio 2 prints ``bw=``
and ``iops=`` in small letters, with a KB of 1024 bytes.

>>> lines = ["randread: (groupid=0, jobs=1): err= 0: pid=1: Thu Jan  1 00:00:00 2026",
...          "read: IOPS=45.1k, BW=176MiB/s (185MB/s)(10.3GiB/60001msec)",
...          "clat (usec): min=60, max=9000, avg=88.20, stdev=9"]
>>> jobs_of(lines)[0]["read"]["iops"], jobs_of(lines)[0]["read"]["clat"]["mean"]
(45100.0, 88.2)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

JOB = re.compile(r"^\S.{0,200}: \(groupid=(\d{1,6}), jobs=\d{1,6}\): err=")
_SIDE = re.compile(r"^(read|write|trim)\s*: ?(?=io=|IOPS=)(.*)$")
_IOPS = re.compile(r"\biops=\s*([\d.]{1,15})([kKmM]?)", re.IGNORECASE)
_RATE = re.compile(r"\bbw=\s*([\d.]{1,15})([KMGT]?)i?B/s", re.IGNORECASE)
_LATENCY = re.compile(r"^(clat|lat) \((nsec|usec|msec)\)\s*: .*\bavg=\s*([\d.]{1,15})(K?)")
_PERCENTILES = re.compile(r"^clat percentiles \((nsec|usec|msec)\)\s*:")
_P99 = re.compile(r"\b99\.00th=\[\s*(\d{1,15})\]")
_MICRO = {"nsec": 1e-3, "usec": 1.0, "msec": 1e3}
_THOUSANDS = {"": 1.0, "k": 1e3, "m": 1e6}
_BINARY = {"": 1.0, "K": 2.0**10, "M": 2.0**20, "G": 2.0**30, "T": 2.0**40}


def jobs_of(lines: Iterable[str]) -> list[dict[str, Any]]:
    """Return the jobs in cleaned lines; latencies are in microseconds, as fio 2 saves them."""
    jobs: list[dict[str, Any]] = []
    side: dict[str, Any] = {}
    unit = ""
    for text in lines:
        if job := JOB.match(text):
            jobs.append({"groupid": int(job[1])})
            side = {}
        elif jobs and (found := _SIDE.match(text)):
            side = jobs[-1].setdefault(found[1], {})
            _rates(side, found[2])
        elif text.startswith("Run status"):
            side = {}
        elif side and (latency := _LATENCY.match(text)):
            mean = _amount(latency[3]) * _MICRO[latency[2]] * (1e3 if latency[4] else 1.0)
            side.setdefault(latency[1], {})["mean"] = mean
        elif side and (percentiles := _PERCENTILES.match(text)):
            unit = percentiles[1]
        elif side and unit and (tail := _P99.search(text)):
            side.setdefault("clat", {})["percentile"] = {"99.000000": float(tail[1]) * _MICRO[unit]}
            unit = ""
    return jobs


def _rates(side: dict[str, Any], text: str) -> None:
    operations, rate = _IOPS.search(text), _RATE.search(text)
    if operations is not None:
        side["iops"] = _amount(operations[1]) * _THOUSANDS[operations[2].lower()]
    if rate is not None:
        side["bw_bytes"] = _amount(rate[1]) * _BINARY[rate[2].upper()]


def _amount(digits: str) -> float:
    return float(digits) if re.fullmatch(r"\d+(?:\.\d*)?|\.\d+", digits) else 0.0
