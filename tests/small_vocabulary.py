"""A vocabulary of a few measurements, for tests that read incidents without a knowledge base."""

from __future__ import annotations

import dataclasses

from dam_expert.documents.incident import folded
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind


@dataclasses.dataclass(frozen=True, slots=True)
class Measurement:
    """What reading needs to know of one measurement."""

    kind: Kind
    unit: str | None = "1"
    aliases: tuple[str, ...] = ()
    words: dict[str, Interval] = dataclasses.field(default_factory=dict)
    categories: tuple[str, ...] = ()


SMALL = {
    "accelerator_utilization": Measurement(
        Kind.SHARE, aliases=("gpu_util", "GPU-Util"), words={"low": Interval(0.0, 0.3), "pegged": Interval(0.95, 1.0)}
    ),
    "step_time": Measurement(Kind.DURATION, "s", aliases=("iter_time",)),
    "queue_time": Measurement(Kind.DURATION, "s"),
    "throughput": Measurement(Kind.RATE, "1/s", aliases=("samples_per_second",)),
    "host_memory": Measurement(Kind.BYTES, "B"),
    "recompiles": Measurement(Kind.COUNT),
    "cached_pass_speedup": Measurement(Kind.RATIO),
    "temperature": Measurement(Kind.LEVEL, "°C"),
    "transport": Measurement(Kind.CATEGORY, None, categories=("IB", "RoCE", "Socket", "unknown")),
    "amp": Measurement(Kind.FLAG, None),
    "batch_size": Measurement(Kind.SETTING, aliases=("samples_per_gpu",)),
    "accelerator": Measurement(Kind.SETTING, None, aliases=("gpu",)),
}


class SmallVocabulary:
    """Answers from SMALL; ids and aliases in any spelling."""

    def __init__(self) -> None:
        self._names = {folded(name): key for key, found in SMALL.items() for name in (key, *found.aliases)}

    def resolve(self, name):
        return self._names.get(folded(name))

    def unit(self, measurement):
        return SMALL[measurement].unit

    def is_source(self, name):
        return name in ("tool", "more_loader_workers")

    def kind(self, measurement):
        return SMALL[measurement].kind

    def words(self, measurement):
        return SMALL[measurement].words

    def categories(self, measurement):
        return SMALL[measurement].categories

    def known_ids(self):
        return list(SMALL)
