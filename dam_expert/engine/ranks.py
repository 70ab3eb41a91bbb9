"""Of several ranks the one that arrives last at the collectives: what slows it slows all, so its times are the job's.

It is named by a tool or a person, or by what each rank did before the collectives; times of the whole step name nobody,
since ranks that wait for each other have the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.physics.amdahl import last_to_arrive

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.documents.observations import Scope
    from dam_expert.engine.cells import Cell
    from dam_expert.kb.base import Base, Measurement

_NAMED: Final = "last_rank"
_BEFORE: Final = ("pre_collective_time", "collective_arrival_delay")
_OF_THE_STEP: Final = ("share", "duration")


def last_rank(base: Base, members: Mapping[str, Mapping[Scope, Cell | None]]) -> tuple[str, str] | None:
    """Return the scope of the last rank among the members of all measurements, or None where nothing names one.

    Times before the collectives name the rank with the largest, if it lies above every other by more than the
    tolerance of the measurement.
    """
    named = members.get(_NAMED, {}).get(())
    if named is not None and isinstance(named.value, str):
        return "rank", named.value.removeprefix("rank").strip()
    for name in _BEFORE:
        ranks = [scope for scope in members.get(name, {}) if len(scope) == 1 and scope[0][0] == "rank"]
        cells = [members[name][scope] for scope in ranks]
        times = [cell.value for cell in cells if cell is not None and isinstance(cell.value, Interval)]
        if len(ranks) < 2 or len(times) < len(ranks) or any(time.hi == float("inf") for time in times):
            continue
        last = last_to_arrive([time.lo for time in times])
        margin = base.measurements[name].tolerance * times[last].lo
        if all(time.hi + margin < times[last].lo for place, time in enumerate(times) if place != last):
            return ranks[last][0]
    return None


def follows_the_last(measurement: Measurement) -> bool:
    """Whether the job's value is that of its last rank: a time or share of a rank's step that would be averaged."""
    model = measurement.model
    return model.per == "rank" and model.combine == "mean" and model.kind in _OF_THE_STEP
