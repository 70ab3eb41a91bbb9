"""Whether a model fits into the memory of one device, what takes the room, and what each lever would free at most."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.physics import memory
from dam_expert.physics.inputs import count, nonnegative
from dam_expert.physics.utilization import Recompute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A transformer and one micro-batch of it; None leaves out the part that needs the number."""

    layers: int | None = None
    hidden: int | None = None
    heads: int | None = None
    kv_heads: int | None = None
    head_size: int | None = None
    vocabulary: int | None = None
    sequence: int | None = None
    batch: int = 1


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """How it is trained: optimizer states by name (see ``STATES``), sharding, recomputation, tensor parallelism."""

    parameters: float
    states: str = "adam-mixed"
    shards: int = 1
    stage: int = 0
    recompute: Recompute = Recompute.NONE
    tensor_parallel: int = 1
    sequence_parallel: bool = False


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """How it is served: bits per weight and per cached element, over ``shards`` devices in tensor parallel."""

    parameters: float
    weight_bits: float = 16
    cache_bits: float = 16
    shards: int = 1


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """What is needed beyond the sum of the parts; both shares (see :func:`dam_expert.physics.memory.fit`)."""

    fragmentation: float
    headroom: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Lever:
    """A change, the bytes that would be required after it with margins, whether it then fits, and its factor.

    ``of_unknown`` names the part it works on where that part was not counted: what it frees is then not known, and
    the other values are those of the counted parts alone.
    """

    id: str
    required_bytes: float
    fits: bool
    gain: float
    of_unknown: str | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFit:
    """The answer; all bytes are those of one device.

    ``largest_batch`` is the largest micro-batch (training) or number of sequences (serving) that fits, 0 if none does,
    None where nothing known grows with it. ``not_counted`` names the parts that lack a number, each with the names of
    what is lacking: as long as there are any, ``fits`` speaks of the others alone.
    """

    parts: Mapping[str, float]
    margins: Margins
    capacity_bytes: float
    usable_bytes: float
    required_bytes: float
    fits: bool
    largest: str
    levers: tuple[Lever, ...]
    largest_batch: int | None
    not_counted: Mapping[str, tuple[str, ...]]

    @property
    def room_bytes(self) -> float:
        """Bytes left over; negative where it does not fit."""
        return self.usable_bytes - self.required_bytes


def training_parts(how: Training, shape: Shape) -> dict[str, float]:
    """Return what training keeps on a device. Without a shape only the states are known.

    >>> parts = training_parts(Training(parameters=7e9), Shape())
    >>> {name: round(size / 2**30, 1) for name, size in parts.items()}
    {'weights': 13.0, 'gradients': 13.0, 'optimizer states': 78.2}
    """
    states = memory.STATES[how.states]
    only = {
        "weights": dataclasses.replace(states, gradients=0.0, optimizer=0.0),
        "gradients": dataclasses.replace(states, weights=0.0, optimizer=0.0),
        "optimizer states": dataclasses.replace(states, weights=0.0, gradients=0.0),
    }
    own = how.parameters / float(count("tensor_parallel", how.tensor_parallel))
    parts = {name: float(memory.training_state_bytes(own, each, how.shards, how.stage)) for name, each in only.items()}
    if shape.sequence is None:
        return parts
    if shape.layers and shape.hidden and shape.heads:
        parts["activations"] = shape.layers * float(
            memory.layer_activation_bytes(
                sequence=shape.sequence, batch=shape.batch, hidden=shape.hidden, heads=shape.heads,
                tensor_parallel=how.tensor_parallel, sequence_parallel=how.sequence_parallel, recompute=how.recompute,
            )
        )  # fmt: skip
    if shape.vocabulary:
        tokens = shape.sequence * shape.batch
        parts["logits"] = float(memory.logit_bytes(tokens, shape.vocabulary)) / how.tensor_parallel
    return parts


def serving_parts(how: Serving, shape: Shape) -> dict[str, float]:
    """Return what serving keeps on a device: the weights, and the cache of ``batch`` sequences of full length.

    >>> llama = Shape(layers=32, kv_heads=8, head_size=128, sequence=8192, batch=4)
    >>> parts = serving_parts(Serving(parameters=8.03e9), llama)
    >>> {name: round(size / 2**30, 1) for name, size in parts.items()}
    {'weights': 15.0, 'key-value cache': 4.0}
    """
    devices = float(count("shards", how.shards))
    parts = {"weights": float(memory.weight_bytes(how.parameters, how.weight_bits)) / devices}
    if shape.layers and shape.kv_heads and shape.head_size and shape.sequence:
        each = memory.kv_cache_bytes_per_token(shape.layers, shape.kv_heads, shape.head_size, how.cache_bits / 8)
        split = min(devices, shape.kv_heads)  # a head is never split: further devices hold copies
        parts["key-value cache"] = float(each) * shape.sequence * shape.batch / split
    return parts


#: What each part needs to be counted, by the names of :class:`Shape`.
_NEEDS: dict[bool, dict[str, tuple[str, ...]]] = {
    True: {"activations": ("layers", "hidden", "heads", "sequence"), "logits": ("vocabulary", "sequence")},
    False: {"key-value cache": ("layers", "kv_heads", "head_size", "sequence")},
}
#: The part that a lever works on, where it may not be counted.
_WORKS_ON = {
    "selective recomputation": "activations",
    "full recomputation": "activations",
    "8-bit cache": "key-value cache",
}


def _not_counted(how: Training | Serving, shape: Shape) -> dict[str, tuple[str, ...]]:
    """Return the parts that the shape does not tell, with what is lacking for each."""
    lacking = {
        part: tuple(name for name in names if not getattr(shape, name))
        for part, names in _NEEDS[isinstance(how, Training)].items()
    }
    return {part: names for part, names in lacking.items() if names}


def _parts(how: Training | Serving, shape: Shape) -> dict[str, float]:
    return training_parts(how, shape) if isinstance(how, Training) else serving_parts(how, shape)


def _changes(how: Training | Serving, shape: Shape) -> Iterator[tuple[str, Training | Serving, Shape]]:
    if isinstance(how, Training):
        if how.recompute is Recompute.NONE:
            yield "selective recomputation", dataclasses.replace(how, recompute=Recompute.SELECTIVE), shape
        if how.recompute is not Recompute.FULL:
            yield "full recomputation", dataclasses.replace(how, recompute=Recompute.FULL), shape
        if how.states == "adam-mixed":
            yield "8-bit optimizer", dataclasses.replace(how, states="adam-8bit-mixed"), shape
        shards = how.shards if how.shards > 1 else 8
        for stage in range(how.stage + 1, 4):
            yield f"sharding stage {stage} over {shards}", dataclasses.replace(how, stage=stage, shards=shards), shape
    else:
        for bits in (8, 4):
            if how.weight_bits > bits:
                yield f"{bits}-bit weights", dataclasses.replace(how, weight_bits=bits), shape
        if how.cache_bits > 8:
            yield "8-bit cache", dataclasses.replace(how, cache_bits=8), shape
        yield f"{2 * how.shards} devices", dataclasses.replace(how, shards=2 * how.shards), shape
    if shape.batch > 1:
        yield "half the batch", how, dataclasses.replace(shape, batch=shape.batch // 2)


def _largest_batch(placed: Callable[[int], memory.Fit]) -> int | None:
    """Return the largest batch that fits. Requirements grow in a straight line with it, so two of them tell all."""
    one, two = placed(1), placed(2)
    each = two.required_bytes - one.required_bytes
    if each <= 0:
        return None
    guess = int(max((one.usable_bytes - one.required_bytes) / each, -1.0)) + 1
    return guess if guess < 1 or placed(guess).fits else guess - 1


def memory_fit(
    how: Training | Serving, shape: Shape, capacity_bytes: float, margins: Margins, other_bytes: float = 0.0
) -> MemoryFit:
    """Return whether it fits, with the levers, the best first. ``other_bytes``: context, buffers, other processes.

    >>> none = Margins(fragmentation=0, headroom=0)
    >>> memory_fit(Training(parameters=7e9), Shape(), 80 * 2**30, none).fits
    False
    """
    nonnegative("other", other_bytes)

    def placed(each: Training | Serving, with_shape: Shape) -> memory.Fit:
        parts = _parts(each, with_shape) | ({"other": other_bytes} if other_bytes else {})
        return memory.fit(
            parts, capacity_bytes, fragmentation=margins.fragmentation, headroom=margins.headroom
        )  # fmt: skip

    now, not_counted = placed(how, shape), _not_counted(how, shape)
    levers = []
    for name, changed, changed_shape in _changes(how, shape):
        after = placed(changed, changed_shape)
        levers.append(
            Lever(
                id=name,
                required_bytes=after.required_bytes,
                fits=after.fits,
                gain=now.required_bytes / after.required_bytes,
                of_unknown=part if (part := _WORKS_ON.get(name)) in not_counted else None,
            )
        )
    return MemoryFit(
        parts=now.parts,
        margins=margins,
        capacity_bytes=capacity_bytes,
        usable_bytes=now.usable_bytes,
        required_bytes=now.required_bytes,
        fits=now.fits,
        largest=now.largest,
        levers=tuple(sorted(levers, key=lambda lever: (-lever.gain, lever.id))),
        largest_batch=_largest_batch(lambda batch: placed(how, dataclasses.replace(shape, batch=batch))),
        not_counted=not_counted,
    )
