"""Which of the things that words may name can be told by a metric: *unquantised* beside an accuracy, or beside a time.

A metric of quality tells which part of a gap a probe closed, any other one how much faster it made the job. So beside a
metric of quality words name a probe of a gap, and a lever the one probe of a gap of what it works on; beside any other
metric they name none of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.documents.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dam_expert.kb.base import Base
    from dam_expert.prose.vocabulary import Vocabulary


def told_by(metric: str, key: str, vocabulary: Vocabulary) -> str | None:
    """Return what a lever or probe is called where a metric tells of it; None where it can tell nothing of it."""
    measurement = vocabulary.base.measurements.get(metric)
    if measurement is None or measurement.model.track != "quality":
        return None if key in vocabulary.gaps else key
    return key if key in vocabulary.gaps else vocabulary.gap_of.get(key)


def all_told_by(metric: str, named: Iterable[Iterable[str]], vocabulary: Vocabulary) -> frozenset[frozenset[str]]:
    """Return what stretches of words may name, of each what a metric can tell of; those without any are left out."""
    told = ({told_by(metric, key, vocabulary) for key in stretch} - {None} for stretch in named)
    return frozenset(frozenset(key for key in stretch if key is not None) for stretch in told if stretch)


def gaps_of(base: Base) -> frozenset[str]:
    """Return the probes that tell which part of a gap in quality goes away."""
    return frozenset(
        name
        for hypothesis in base.hypotheses.values()
        if hypothesis.bottleneck == "quality"
        for name in hypothesis.model.controlled
        if base.measurements[name].model.kind is Kind.RATIO
    )


def gaps_of_levers(base: Base) -> Mapping[str, str]:
    """Return by lever the probe of a gap of what it works on, where there is but one."""
    gaps = gaps_of(base)
    found: dict[str, str] = {}
    for key, lever in base.levers.items():
        probes = {name for hypothesis in lever.model.works_on for name in base.hypotheses[hypothesis].model.controlled}
        if len(probes & gaps) == 1:
            found[key] = next(iter(probes & gaps))
    return found
