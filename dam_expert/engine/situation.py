"""What the incident says beside its observations: the missed target and its track, plans, and what was tried."""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.answering import folded as as_words
from dam_expert.documents.answering import holds_word
from dam_expert.documents.vocabulary import APART, TRACKS
from dam_expert.engine.purchases import bought, moved_by
from dam_expert.engine.verdict import Situation
from dam_expert.kb.base import folded
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dam_expert.documents import vocabulary
    from dam_expert.documents.incident import Incident
    from dam_expert.documents.intervals import Interval
    from dam_expert.kb.base import Base

_DENIES: Final = re.compile(r"\b(?:no|not|never|without|don't|won't|không|đừng|chưa)\b|不|别|没", re.IGNORECASE)
_PERCENTILE: Final = re.compile(r"(?:^|[\W_])(?:p|tp)\d{2}(?:[._]?\d+)?(?:$|[\W_])", re.IGNORECASE)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """Levers that are planned or were tried, with the texts in which they were given.

    ``tried`` has the effects of those whose effect is known; of several attempts with one lever the last counts.
    """

    planned: Mapping[str, str]
    tried: Mapping[str, Interval | str]
    tried_texts: Mapping[str, str]
    not_understood: tuple[str, ...]
    """Planned actions and tried things that no lever of the base matches."""
    done: frozenset[str] = frozenset()
    """The levers of changes that were kept: what they gained is had already."""
    ratios: Mapping[str, Interval] = dataclasses.field(default_factory=dict)
    """By planned lever, how many times the figure of the device in use the one to be bought has, where known."""

    def in_vain(self, no_effect: float) -> list[str]:
        """Return the levers that were tried and did nothing for the target: less than the factor ``no_effect``."""
        return [
            lever
            for lever, effect in self.tried.items()
            if (effect in ("nothing", "worse") if isinstance(effect, str) else effect.hi < no_effect)
        ]


NO_PLANS: Final = Plans(planned={}, tried={}, tried_texts={}, not_understood=())


@functools.lru_cache(maxsize=8)
def lever_names(base: Base) -> Mapping[str, str]:
    """Return the levers of the base by every name that documents may give them, folded."""
    return {folded(alias): name for name, lever in base.levers.items() for alias in (name, *lever.model.aliases)}


@functools.lru_cache(maxsize=4096)
def lever_meant(base: Base, text: str) -> str | None:
    """Return the lever that a plan in words means: by any of its names, or the longest one that stands in a sentence.

    A sentence that denies means none, and one in which two names are equally long is left open. The name of a device
    alone is a purchase: what it moves depends on the device that is in use.
    """
    exact = lever_names(base).get(folded(text))
    if exact is not None or _DENIES.search(text):
        return exact
    said = as_words(text)
    within = {
        (len(alias), name)
        for name, lever in base.levers.items()
        for alias in map(as_words, (name, lever.model.title, *lever.model.aliases))
        if (holds_word(said, alias) or holds_word(said, f"{alias}s")) and not base.catalogue.parts_named(alias)
    }
    longest = max((length for length, _ in within), default=0)
    meant = {name for length, name in within if length == longest}
    return meant.pop() if len(meant) == 1 else None


def plans_of(
    base: Base, incident: Incident, effects: Mapping[str, Interval | str], *, names: Mapping[str, str] | None = None
) -> Plans:
    """Match what is planned and was tried with the levers of the base, by id or alias; a plan also inside a sentence.

    ``effects`` are what interventions did to the target, by lever as it was written; they count as tried. ``names``
    are the :func:`lever_names` of the base, for whoever asks of many incidents.
    """
    if not (incident.planned or incident.tried or effects):
        return NO_PLANS
    names = lever_names(base) if names is None else names
    planned: dict[str, str] = {}
    tried: dict[str, Interval | str] = {}
    tried_texts: dict[str, str] = {}
    strange = []
    ratios: dict[str, Interval] = {}
    for plan in incident.planned:
        devices = bought(base, plan.lever)
        lever = names.get(folded(plan.lever)) or lever_meant(base, plan.lever)
        if devices:
            moved = moved_by(base, incident, devices)
            planned |= dict.fromkeys(moved, plan.lever)
            ratios |= {name: ratio for name, ratio in moved.items() if ratio is not None}
        elif lever is not None:
            planned[lever] = plan.lever
        else:
            strange.append(plan.lever)
    for attempt in incident.tried:
        lever = names.get(folded(attempt.lever))
        moves = [lever] if lever is not None else _exchanged(base, incident, attempt.lever)
        if not moves:
            strange.append(attempt.lever)
        for each in moves:
            tried_texts[each] = attempt.lever
            if attempt.effect is not None:
                tried[each] = attempt.effect
    kept = (names.get(folded(made.lever)) for made in incident.interventions if made.kept)
    done = frozenset(lever for lever in kept if lever is not None)
    for text, effect in effects.items():
        lever = names.get(folded(text))
        if lever is not None:
            tried[lever] = effect
            tried_texts[lever] = text
    return Plans(
        planned=planned, tried=tried, tried_texts=tried_texts, not_understood=tuple(strange), done=done, ratios=ratios
    )


def _exchanged(base: Base, incident: Incident, text: str) -> list[str]:
    """Return the lever of another device that was tried: a faster one, whatever else it had more of."""
    devices = bought(base, text)
    return list(moved_by(base, incident, devices))[:1] if devices else []


def situation_of(
    base: Base,
    incident: Incident,
    symptoms: Callable[[], Mapping[str, Truth]],
    target_met: bool | None = None,
    *,
    settled: bool = False,
) -> Situation:
    """Return the track and target: as given, else from the target's metric, else from symptoms that carry a track.

    ``settled``: nothing is missed of the target. Where a symptom then tells of a failure on another track, that track
    is judged, and the target neither settles nor resolves it.
    """
    target = incident.target
    stated = stated_track(base, incident)
    met = stated is not None and (settled or target_met is True)
    other = _told(base, symptoms(), [track for track in APART if track != stated]) if met else None
    return Situation(
        track=other or stated or _told(base, symptoms(), TRACKS) or "time",
        has_target=target is not None and (target.wanted is not None or target.metric is not None),
        resolved=target_met is True and other is None,
        beside_target=other is not None,
        percentile_target=has_percentile_target(incident),
    )


def has_percentile_target(incident: Incident) -> bool:
    """Whether the target is a percentile, for which a budget of means bounds nothing."""
    return incident.target is not None and is_percentile(incident.target.metric or "")


def is_percentile(metric: str) -> bool:
    """Whether the name of a metric is that of a percentile.

    >>> is_percentile("request_latency_p99"), is_percentile("step_time")
    (True, False)
    """
    return bool(_PERCENTILE.search(metric))


def target_metric(base: Base, incident: Incident) -> str | None:
    """Return the measurement that the target is stated in; None where it names none that the base knows."""
    target = incident.target
    return base.names.resolve(target.metric) if target is not None and target.metric else None


def stated_track(base: Base, incident: Incident) -> vocabulary.Track | None:
    """Return the track that the incident states, or that of its target's metric; None where only symptoms can tell."""
    target = incident.target
    if target is not None and target.track is not None:
        return target.track.value
    metric = target_metric(base, incident)
    return base.measurements[metric].model.track if metric is not None else None


def _told(base: Base, truths: Mapping[str, Truth], tracks: Sequence[vocabulary.Track]) -> vocabulary.Track | None:
    """Return the track of the first symptom that is certain and carries one of some tracks."""
    for name, symptom in base.symptoms.items():
        if symptom.track in tracks and truths.get(name) is Truth.TRUE:
            return symptom.track
    return None


def miss_of(base: Base, incident: Incident, actual: Interval | None) -> Interval | None:
    """Return how far the target is missed, as a factor above 1, or None where it is not known or not missed.

    A target on the quality or fit track has no factor: its improvement is not a gain in time.
    """
    target = incident.target
    if target is None or target.wanted is None or actual is None or stated_track(base, incident) in APART:
        return None
    metric = target_metric(base, incident)
    if metric is not None and not base.measurements[metric].has_direction:
        return None
    higher = metric is not None and base.measurements[metric].higher_is_better
    try:
        factor = target.wanted / actual if higher else actual / target.wanted
    except ArithmeticError:
        return None
    return factor if factor.lo > 1.0 else None
