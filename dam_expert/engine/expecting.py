"""What measuring each unknown is expected to tell, remembered as long as nothing else becomes known.

That something could not be answered changes what can be asked for, not what an answer would tell: after it nothing
is imagined anew. Only the last incident of a base is remembered.
"""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING

from dam_expert.engine.belief import belief, expected_of
from dam_expert.engine.worlds import settled_in, worlds_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.incident import Incident
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.engine.executor import Firing
    from dam_expert.engine.waiting import OpenRule
    from dam_expert.kb.base import Base


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Expected:
    """What was expected of measurements, and all that it rests on."""

    incident: Incident
    firings: tuple[Firing, ...]
    rules: frozenset[str]
    found: dict[str, tuple[float, float]]

    def holds(self, incident: Incident, firings: tuple[Firing, ...], rules: frozenset[str]) -> bool:
        """Whether it rests on the same."""
        return self.rules == rules and self.firings == firings and self.incident == incident


def expected(evaluated: Evaluated, names: Sequence[str], waiting: Sequence[OpenRule]) -> dict[str, tuple[float, float]]:
    """Return for each measurement the bits that it is expected to tell and how many of the open rules it settles."""
    incident = dataclasses.replace(evaluated.incident, answers=())
    rules = frozenset(open_rule.rule for open_rule in waiting)
    memory = _latest(evaluated.base)
    latest = memory.get("latest")
    if latest is None or not latest.holds(incident, evaluated.firings, rules):
        latest = _Expected(incident=incident, firings=evaluated.firings, rules=rules, found={})
        memory["latest"] = latest
    found = latest.found
    lacking = [name for name in names if name not in found]
    if lacking:
        worlds = worlds_of(evaluated, lacking)
        settled = settled_in(evaluated.base.program, worlds, rules)
        found |= expected_of(belief(evaluated, worlds), worlds.like, worlds.outcomes, settled)
    return {name: found[name] for name in names}


@functools.lru_cache(maxsize=4)
def _latest(base: Base) -> dict[str, _Expected]:
    """Return what is remembered of a base."""
    return {}
