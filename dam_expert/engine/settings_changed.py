"""Which settings differ after a change that its lever does not name: then nobody knows what the change itself did."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.answering import folded as as_words
from dam_expert.documents.answering import holds_word
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.engine.situation import lever_names
from dam_expert.kb.base import folded

if TYPE_CHECKING:
    from dam_expert.documents.incident import Incident, Intervention
    from dam_expert.documents.observations import Observation
    from dam_expert.kb.base import Base

_APART: Final = re.compile(r"[\W_]+")


def other_settings(base: Base, incident: Incident, made: Intervention) -> list[str]:
    """Return the settings that differ after a change, or are stated only after it, and that its lever does not name.

    What is only stated again is the same value; a setting that was not known before may have been another one.
    """
    known = (*incident.settings, *incident.observations, *left_by_earlier(incident, made), *made.before)
    before = {one.measurement: one.value for one in known}
    return [
        one.measurement
        for one in made.after
        if base.measurements[one.measurement].model.kind is Kind.SETTING
        and not (one.measurement in before and _is_same(base, before[one.measurement], one.value))
        and not _names(base, made.lever, one.measurement)
    ]


def left_by_earlier(incident: Incident, made: Intervention) -> list[Observation]:
    """Return what was observed after the changes before this one that were kept, the latest last."""
    earlier = itertools.takewhile(lambda one: one is not made, incident.interventions)
    return [one for change in earlier if change.kept for one in change.after]


def _is_same(base: Base, one: Interval | str | None, other: Interval | str | None) -> bool:
    """Whether two values of a setting are one, however the words are written or a device is called."""
    if not isinstance(one, str) or not isinstance(other, str):
        return one == other
    if _APART.sub("", one.casefold()) == _APART.sub("", other.casefold()):
        return True
    device = base.catalogue.resolve(one)
    return device is not None and device == base.catalogue.resolve(other)


def _names(base: Base, text: str, setting: str) -> bool:
    """Whether a lever changes a setting: one of the base says so, any other names it whole."""
    lever = base.levers.get(lever_names(base).get(folded(text), ""))
    if lever is not None:
        return setting in lever.model.sets
    said = as_words(text)
    names = (setting, *base.measurements[setting].model.aliases)
    return any(holds_word(said, as_words(name)) for name in names)
