"""Sound inputs that the fuzzing begins from, by group of readers: those of the tests, and real ones where they are."""

from __future__ import annotations

import functools
import gzip
import os
from typing import TYPE_CHECKING

from readers import test_host_and_device_damage, test_serving_and_kernels_damage, training_texts
from readers.traces import NAMES, training
from shared_files import ROOT

from dam_expert.readers.registry import READERS
from dam_expert.readers.source import Source

if TYPE_CHECKING:
    from pathlib import Path

GROUPS = ("traces", "host and device", "serving and kernels", "training")
LARGEST = 120_000
"""Real files are cut to this many bytes: damage in more shows nothing new and takes longer."""

_FOLDERS = {
    "traces": ("pytorch-profiler", "nsys"),
    "host and device": ("nvidia-smi", "iostat", "dcgm", "amd-tpu-neuron"),
    "serving and kernels": ("serving", "nccl", "ncu"),
    "training": ("training", "flops", "pyspy-perf"),
}


@functools.cache
def seeds_of(number: int) -> tuple[bytes, ...]:
    """Return the inputs that a reader recognises, by its place in the registry; some of all where none are its own."""
    every = tuple(each for group in GROUPS for each in seeds(group))
    own = [each for each in every if READERS[number].recognises(Source.of_bytes("fuzz", each))]
    return tuple(own) or every[:20]


@functools.cache
def seeds(group: str) -> tuple[bytes, ...]:
    """Return the inputs of a group, always in the same order."""
    return (*_made(group), *_real(group))


def _made(group: str) -> list[bytes]:
    if group == "traces":
        whole = [training(age).text for age in NAMES]
        return [*whole, gzip.compress(whole[0]), test_serving_and_kernels_damage.EXPORT]
    if group == "host and device":
        return [text.encode() for text in test_host_and_device_damage.TEXTS.values()]
    if group == "serving and kernels":
        return [text.encode() for _, text in test_serving_and_kernels_damage.TEXTS.values()]
    return [text.encode() for _, text in training_texts.TEXTS.values()]


def _real(group: str) -> list[bytes]:
    base = os.environ.get("DAM_SHARED", ROOT.parent / "shared")
    found = []
    for folder in _FOLDERS[group]:
        place: Path = ROOT.__class__(base) / "samples" / folder
        for path in sorted(place.iterdir()) if place.is_dir() else []:
            data = path.read_bytes()
            data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
            found.append(data if data.startswith(b"SQLite") and len(data) < LARGEST else data[:LARGEST])
    return found
