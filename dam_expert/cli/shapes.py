"""Kernels by their shapes: ``MxNxK`` of a matrix product, ``name=number,…`` of attention, convolution and decoding."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.cli import amounts
from dam_expert.cli.failure import Exit, Failure

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.physics.intensity import Work

_GEMM = re.compile(r"^\s*([\d.,]+[kKMB]?)\s*[xX×*]\s*([\d.,]+[kKMB]?)\s*[xX×*]\s*([\d.,]+[kKMB]?)\s*$")
_FIELDS: Mapping[str, Mapping[str, float | None]] = {
    "attention": {"batch": 1, "heads": None, "kv_heads": 0, "queries": None, "keys": None, "head": 128},
    "convolution": {
        "batch": 1, "in": None, "out": None, "height": None, "width": None, "kernel": 3, "stride": 1, "groups": 1,
    },
    "decode": {"parameters": None, "batch": 1, "context": 0, "kv_bytes": 0},
}  # fmt: skip
"""What each shape is given by, with what stands in where it is left out; None where nothing can."""

OPTIONS = ("gemm", *_FIELDS)


@dataclasses.dataclass(frozen=True, slots=True)
class Shape:
    """A kernel that was given by its shape, and the work of it."""

    name: str
    work: Work


def shape_of(kind: str, given: str, bytes_per_element: float) -> Shape:
    """Return the kernel that an option describes. Raises Failure for what is no such shape."""
    from dam_expert.physics import intensity

    if kind == "gemm":
        sizes = _GEMM.match(given)
        if sizes is None:
            raise Failure(Exit.USAGE, f"--gemm: '{given}' is not MxNxK; write for example 4096x4096x4096")
        m, n, k = (_number("--gemm", size) for size in sizes.groups())
        return Shape(f"gemm {m:g}x{n:g}x{k:g}", intensity.gemm(m, n, k, bytes_per_element))
    sizes_by_name = _named(kind, given)
    name = f"{kind} {given.strip()}"[:80]
    return Shape(name, _WORK[kind](sizes_by_name, bytes_per_element))


def _named(kind: str, given: str) -> dict[str, float]:
    fields = _FIELDS[kind]
    needed = ", ".join(f"{name}=…" for name, default in fields.items() if default is None)
    found = {name: default for name, default in fields.items() if default is not None}
    for part in given.split(","):
        name, equals, value = part.partition("=")
        if not equals or name.strip() not in fields:
            known = ", ".join(fields)
            raise Failure(Exit.USAGE, f"--{kind}: '{part.strip()}' is not NAME=NUMBER; names: {known}")
        found[name.strip()] = _number(f"--{kind} {name.strip()}", value)
    missing = [name for name in fields if name not in found]
    if missing:
        raise Failure(Exit.USAGE, f"--{kind}: {', '.join(missing)} missing; it needs {needed}")
    return {name: float(value) for name, value in found.items()}


def _number(option: str, text: str) -> float:
    try:
        return amounts.plain_number(text.strip())
    except ValueError as error:
        raise Failure(Exit.USAGE, f"{option}: {amounts.said(error)}") from error


def _attention(sizes: Mapping[str, float], bytes_per_element: float) -> Work:
    from dam_expert.physics.intensity import attention

    return attention(
        batch=sizes["batch"],
        heads=sizes["heads"],
        kv_heads=sizes["kv_heads"] or sizes["heads"],
        queries=sizes["queries"],
        keys=sizes["keys"],
        head_size=sizes["head"],
        bytes_per_element=bytes_per_element,
    )


def _convolution(sizes: Mapping[str, float], bytes_per_element: float) -> Work:
    from dam_expert.physics.intensity import convolution

    return convolution(
        batch=sizes["batch"],
        channels_in=sizes["in"],
        channels_out=sizes["out"],
        height_out=sizes["height"],
        width_out=sizes["width"],
        kernel_height=sizes["kernel"],
        kernel_width=sizes["kernel"],
        stride=sizes["stride"],
        groups=sizes["groups"],
        bytes_per_element=bytes_per_element,
    )


def _decode(sizes: Mapping[str, float], bytes_per_element: float) -> Work:
    from dam_expert.physics.intensity import decode_step

    return decode_step(
        parameters=sizes["parameters"],
        weight_bytes=sizes["parameters"] * bytes_per_element,
        batch=sizes["batch"],
        context=sizes["context"],
        kv_bytes_per_token=sizes["kv_bytes"],
    )


_WORK = {"attention": _attention, "convolution": _convolution, "decode": _decode}
