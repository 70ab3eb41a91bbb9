"""Which settings differ after a change that its lever does not name: then nobody knows what the change itself did."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.answering import folded as as_words
from dam_expert.documents.answering import holds_word
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.engine.situation import lever_names
from dam_expert.kb.base import folded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dam_expert.documents.incident import Incident, Intervention
    from dam_expert.documents.observations import Observation
    from dam_expert.kb.base import Base

_APART: Final = re.compile(r"[\W_]+")


def other_settings(base: Base, incident: Incident, made: Intervention) -> list[str]:
    """Return the settings that differ after a change, or are stated only after it, and that its lever does not name.

    What is only stated again is the same value; a setting that was not known before may have been another one.
    """
    before = {one.measurement: one.value for one in _known_before(incident, made)}
    return [
        one.measurement
        for one in made.after
        if base.measurements[one.measurement].model.kind is Kind.SETTING
        and not (one.measurement in before and _is_same(base, before[one.measurement], one.value))
        and not _names(base, made.lever, one.measurement)
    ]


def _known_before(incident: Incident, made: Intervention) -> Iterable[Observation]:
    """Return what was known before a change, the latest last: what earlier changes that were kept left counts."""
    yield from (*incident.settings, *incident.observations)
    for earlier in incident.interventions:
        if earlier is made:
            break
        if earlier.kept:
            yield from earlier.after
    yield from made.before


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
