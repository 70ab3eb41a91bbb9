"""Whether a change reached the target: what has to be so beside the metric itself, and what takes it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.observations import Basis
from dam_expert.documents.vocabulary import APART
from dam_expert.engine.columns import Columns
from dam_expert.engine.leaves import tree_truth
from dam_expert.engine.settings_changed import left_by_earlier, other_settings
from dam_expert.language.conditions import Comparison, leaves
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dam_expert.documents.incident import Incident, Intervention
    from dam_expert.documents.observations import Observation
    from dam_expert.kb.base import Base

FAILS: Final = "after the change the job fails or stands still: the target is not reached by that"
QUALITY: Final = "after the change the quality is worse, or nothing says what it was before: the target is not reached"
WORSE: Final = "after the change less work is done, or more of it fails, than before: the target is not reached by that"
OTHER_SETTINGS: Final = "before and after the change other settings differ as well: what it did cannot be told"
OTHER_START: Final = "before the change something else was measured than the target states: which of them is right?"
UNDATED: Final = "the metric was also observed missing the target, and nothing tells whether before or after the change"


def doubts(base: Base, incident: Incident, last: Intervention, fresh: Sequence[Observation], metric: str) -> list[str]:
    """Return why a metric that meets the target after the last change that was kept is no target that is reached."""
    found = doubts_of_change(base, incident, last, [*fresh, *_perhaps_after(base, incident, last, fresh)], metric)
    return [*found, UNDATED] if _may_miss_again(base, incident, last, fresh, metric) else found


def doubts_of_change(
    base: Base, incident: Incident, made: Intervention, fresh: Sequence[Observation], metric: str
) -> list[str]:
    """Return why a better metric after any change, kept or not, does not tell that the change was one for the better.

    ``fresh`` is what was observed after it.
    """
    later = {id(one) for one in fresh}  # what is equal to a value of afterwards is still one of before
    known = [one for one in (*incident.settings, *incident.observations) if id(one) not in later]
    known += [*left_by_earlier(incident, made), *made.before]
    found = {
        FAILS: _fails(base, fresh),
        QUALITY: _loses_quality(base, known, fresh, metric),
        WORSE: _loses_work(base, known, fresh, metric),
        OTHER_SETTINGS: bool(other_settings(base, incident, made)),
        OTHER_START: starts_elsewhere(base, incident, made, metric),
    }
    return [reason for reason, holds in found.items() if holds]


def _perhaps_after(
    base: Base, incident: Incident, last: Intervention, fresh: Sequence[Observation]
) -> list[Observation]:
    """Return what was observed at a time that may be after the change, as another value than stood just before it."""
    found = []
    for one in incident.observations:
        before = _values(one.measurement, last.before)
        dated = last.when is not None and one.when is not None
        if not before or one in fresh or one.scope or dated or not isinstance(one.value, Interval):
            continue
        if one.value.is_apart(before[-1], base.measurements[one.measurement].tolerance):
            found.append(one)
    return found


def starts_elsewhere(base: Base, incident: Incident, made: Intervention, metric: str) -> bool:
    """Whether the first change starts from another value than the target states, which is not the one after it."""
    first = next(iter(incident.interventions), None)
    actual = None if incident.target is None else incident.target.actual
    if first is None or made is not first or actual is None:
        return False
    tolerance = base.measurements[metric].tolerance
    before, after = (_values(metric, side) for side in (made.before, made.after))
    agrees = any(not value.is_apart(actual, tolerance) for value in (*before, *after))
    return bool(before) and not agrees


def _fails(base: Base, fresh: Sequence[Observation]) -> bool:
    """Whether what was seen after a change shows a job that does not run, or does nothing."""
    for one in fresh:
        measurement = base.measurements[one.measurement]
        still = isinstance(one.value, Interval) and one.value.hi <= 0.0
        if still and measurement.model.kind is Kind.RATE and measurement.higher_is_better:
            return True
    columns = Columns(base, fresh, {})
    trees = [base.symptom_trees[name] for name, one in base.symptoms.items() if one.fails or one.track in APART]
    plain = (tree for tree in trees if all(isinstance(leaf, Comparison) for leaf in leaves(tree)))
    return any(tree_truth(tree, columns) is Truth.TRUE for tree in plain)


def _loses_quality(base: Base, before: Sequence[Observation], fresh: Sequence[Observation], metric: str) -> bool:
    """Whether a figure of quality is not surely as good as before the change."""
    for one in fresh:
        model = base.measurements[one.measurement].model
        if one.measurement == metric or model.track != "quality" or not isinstance(one.value, Interval):
            continue
        earlier = _values(one.measurement, before)
        if not earlier or model.better is None or _is_worse(base, one.measurement, earlier[-1], one.value):
            return True
    return False


def _loses_work(base: Base, before: Sequence[Observation], fresh: Sequence[Observation], metric: str) -> bool:
    """Whether another figure of which more or less is better in every job was known before and is now worse.

    Times and costs are none: larger batches take longer each, and more devices cost more.
    """
    for one in fresh:
        measurement = base.measurements[one.measurement]
        model = measurement.model
        if one.measurement == metric or model.better is None or not isinstance(one.value, Interval):
            continue
        if model.kind is not Kind.RATE and model.track is not None:
            continue
        earlier = _values(one.measurement, before)
        if earlier and _is_worse(base, one.measurement, earlier[-1], one.value):
            return True
    return False


def _is_worse(base: Base, name: str, before: Interval, now: Interval) -> bool:
    """Whether a value is worse than before by more than its measurement varies."""
    measurement = base.measurements[name]
    return not measurement.reaches(now, before) and now.is_apart(before, measurement.tolerance)


def _may_miss_again(
    base: Base, incident: Incident, last: Intervention, fresh: Sequence[Observation], metric: str
) -> bool:
    """Whether the metric was observed missing the target, at a time that may be after the change.

    What agrees with the target as it was stated, or with what was measured before a change, was observed before it.
    """
    target, measurement = incident.target, base.measurements[metric]
    if target is None or target.wanted is None:
        return False
    started = _values(metric, [one for made in incident.interventions for one in made.before])
    started += [] if target.actual is None else [target.actual]
    for one in incident.observations:
        dated = last.when is not None and one.when is not None
        if one.measurement != metric or one.scope or one in fresh or dated or one.basis is Basis.SAID:
            continue
        misses = isinstance(one.value, Interval) and not measurement.reaches(one.value, target.wanted)
        if misses and all(one.value.is_apart(start, measurement.tolerance) for start in started):  # type: ignore[union-attr]
            return True
    return False


def _values(metric: str, observations: Iterable[Observation]) -> list[Interval]:
    return [
        one.value
        for one in observations
        if one.measurement == metric and not one.scope and isinstance(one.value, Interval)
    ]
