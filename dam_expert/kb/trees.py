"""Second pass: what refers to what. The tree of hypotheses, the order of derived measurements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dam_expert.documents.messages import suggestion
from dam_expert.kb.base import Hypothesis, Measurement
from dam_expert.kb.naming import expect
from dam_expert.language.expressions import formula_columns
from dam_expert.language.names import Role

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dam_expert.documents.vocabulary import Term, Track
    from dam_expert.kb.base import BaseNames
    from dam_expert.kb.located import Located
    from dam_expert.kb.models import BottleneckModel, HypothesisModel, MeasurementModel
    from dam_expert.kb.reading import Problems
    from dam_expert.language.expressions import Formula

_TRACKS_OF_TERM: Mapping[Term | None, frozenset[Track]] = {
    "data_movement": frozenset({"time", "cost"}),
    "compute": frozenset({"time", "cost"}),
    "latency": frozenset({"time", "cost"}),
    "fit": frozenset({"fit"}),
    "learning": frozenset({"quality"}),
    None: frozenset({"time", "cost", "fit", "quality"}),
}


def hypothesis_tree(
    entries: Sequence[Located[HypothesisModel]],
    bottlenecks: Mapping[str, BottleneckModel],
    parts: Mapping[str, str],
    names: BaseNames,
    problems: Problems,
) -> dict[str, Hypothesis]:
    """Resolve what children inherit. ``parts`` are the ids of all budget parts."""
    models = {located.entry.id: located for located in entries}
    resolved: dict[str, Hypothesis] = {}
    for located in entries:
        _resolve(located, models, bottlenecks, parts, names, problems, resolved)
    children: dict[str, list[str]] = {name: [] for name in resolved}
    for hypothesis in resolved.values():
        if hypothesis.ancestors and hypothesis.ancestors[0] in children:
            children[hypothesis.ancestors[0]].append(hypothesis.id)
    return {
        located.entry.id: msgspec.structs.replace(
            resolved[located.entry.id], children=tuple(children[located.entry.id])
        )
        for located in entries
        if located.entry.id in resolved
    }


def _resolve(
    located: Located[HypothesisModel],
    models: Mapping[str, Located[HypothesisModel]],
    bottlenecks: Mapping[str, BottleneckModel],
    parts: Mapping[str, str],
    names: BaseNames,
    problems: Problems,
    resolved: dict[str, Hypothesis],
) -> None:
    model = located.entry
    if model.part is not None and model.part not in parts:
        hint = suggestion(model.part, parts)
        problems.say(located, f"no budget has a part '{model.part}'", "unknown-id", "part", hint=hint)
    for field, named in (("probe", [model.probe] if model.probe else []), ("controlled", model.controlled)):
        for name in named:
            expect(located, name, Role.MEASUREMENT, names, problems, field)
    own = problems.formula(located, model.share, names, "1", "share") if model.share is not None else None
    attained = problems.formula(located, model.attained, names, "1", "attained") if model.attained else None
    ancestors = _ancestors(located, models, names, problems)
    if ancestors is None or model.bottleneck not in bottlenecks:
        if ancestors is not None:
            problems.say(located, f"there is no bottleneck '{model.bottleneck}'", "unknown-id", "bottleneck")
        return
    line = [model, *(models[name].entry for name in ancestors)]
    doubted = any(path[0] == "bottleneck" for name in ancestors for path in models[name].doubts)
    if not doubted and any(ancestor.bottleneck != model.bottleneck for ancestor in line):
        problems.say(located, "a child has the bottleneck of its parent", "other-bottleneck", "bottleneck")
    part = next((entry.part for entry in line if entry.part or entry.share), None)
    share_entry = next((entry for entry in line if entry.part or entry.share), None)
    share_text = share_entry.share if share_entry is not None and share_entry.part is None else None
    if share_text is not None and share_text != model.share:
        own = problems.formula(located, share_text, names, "1", "share")
    bottleneck = bottlenecks[model.bottleneck]
    term = next((entry.term for entry in line if entry.term), bottleneck.term)
    region = next((entry.region for entry in line if entry.region), bottleneck.region)
    own_tracks = next((entry.tracks for entry in line if entry.tracks), bottleneck.tracks)
    resolved[model.id] = Hypothesis(
        model=model,
        ancestors=tuple(ancestors),
        children=(),
        region=tuple(region),
        term=term,
        tracks=frozenset(own_tracks) if own_tracks is not None else _TRACKS_OF_TERM[term],
        part=part,
        share=own if share_text is not None else None,
        attained=attained,
        controlled=frozenset(name for entry in line for name in entry.controlled),
        place=located.place,
    )


def _ancestors(
    located: Located[HypothesisModel],
    models: Mapping[str, Located[HypothesisModel]],
    names: BaseNames,
    problems: Problems,
) -> list[str] | None:
    """Return the chain of parents, nearest first, or None where it is broken or closes on itself."""
    chain: list[str] = []
    parent = located.entry.parent
    while parent is not None:
        if parent == located.entry.id:
            problems.say(located, f"'{located.entry.id}' is its own ancestor", "cycle", "parent")
            return None
        if parent in chain:  # an ancestor is its own: said there
            return None
        if parent not in models:
            if not chain:
                expect(located, parent, Role.HYPOTHESIS, names, problems, "parent")
            return None
        chain.append(parent)
        parent = models[parent].entry.parent
    return chain


def derived_measurements(
    entries: Sequence[Located[MeasurementModel]],
    measurements: Mapping[str, Measurement],
    names: BaseNames,
    problems: Problems,
) -> tuple[dict[str, Measurement], tuple[str, ...]]:
    """Read the formulas and return the measurements with them, and the derived ones in order of evaluation."""
    complete = dict(measurements)
    located_by_id = {located.entry.id: located for located in entries}
    for located in entries:
        model = located.entry
        if model.formula is not None and model.id in complete:
            if complete[model.id].name.is_word:
                problems.say(located, f"a {model.kind} holds words and has no formula", "wrong-kind", "formula")
            formula = problems.formula(located, model.formula, names, model.unit, "formula")
            complete[model.id] = msgspec.structs.replace(complete[model.id], formula=formula)
    order: list[str] = []
    state: dict[str, bool] = {}
    for name, measurement in complete.items():
        if measurement.formula is not None:
            _visit(name, complete, located_by_id, order, state, problems)
    return complete, tuple(order)


def _visit(
    name: str,
    measurements: Mapping[str, Measurement],
    located: Mapping[str, Located[MeasurementModel]],
    order: list[str],
    done: dict[str, bool],
    problems: Problems,
) -> None:
    """Go depth first; ``done`` is False while a measurement is being visited, so that meeting it again is a cycle."""
    formula = measurements[name].formula if name in measurements else None
    if formula is None or done.get(name):
        return
    if name in done:
        problems.say(located[name], f"the formula of '{name}' leads back to itself", "cycle", "formula")
        return
    done[name] = False
    for column in formula_columns(formula):
        _visit(column.measurement, measurements, located, order, done, problems)
    done[name] = True
    order.append(name)


def measurements_behind(formula: Formula, measurements: Mapping[str, Measurement]) -> tuple[str, ...]:
    """Return the measurements that a formula reads, and those that the derived ones among them are made of."""
    found: dict[str, None] = {}
    waiting = [column.measurement for column in formula_columns(formula)]
    while waiting:
        name = waiting.pop(0)
        if name in found or name not in measurements:
            continue
        found[name] = None
        inner = measurements[name].formula
        waiting += [] if inner is None else [column.measurement for column in formula_columns(inner)]
    return tuple(found)
