"""What targets aim at, by their metric and track."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.documents.vocabulary import APART
from dam_expert.engine.block.incidents import TRACK_CODES, UNSTATED
from dam_expert.engine.situation import is_percentile

if TYPE_CHECKING:
    from dam_expert.kb.base import Base, Measurement


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What is known of a target by its metric and track."""

    measurement: Measurement | None
    has_metric: bool
    track: int
    has_factor: bool
    is_percentile: bool


class Aims(dict[tuple[str | None, str | None], int]):
    """The number of what a target aims at by its metric and track; each is worked out once."""

    def __init__(self, base: Base) -> None:
        super().__init__()
        self._base = base
        self.made: list[Aim | None] = []
        """None where the metric or track needs the long way."""

    def __missing__(self, key: tuple[str | None, str | None]) -> int:
        number = self[key] = len(self.made)
        self.made.append(self._aim(*key))
        return number

    def _aim(self, metric: str | None, track: str | None) -> Aim | None:
        found = self._base.names.resolve(metric) if metric else None
        if (metric and found is None) or (track is not None and track not in TRACK_CODES):
            return None
        measurement = None if found is None else self._base.measurements[found]
        chosen = track or (None if measurement is None else measurement.model.track)
        return Aim(
            measurement=None if measurement is None or measurement.name.is_word else measurement,
            has_metric=found is not None,
            track=UNSTATED if chosen is None else TRACK_CODES[chosen],
            has_factor=measurement is not None and chosen not in APART,
            is_percentile=found is not None and is_percentile(found),
        )
