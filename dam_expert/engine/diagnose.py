"""Writes the diagnosis document from an evaluation. Same bytes in, same bytes out."""

from __future__ import annotations

import functools
import threading
from typing import TYPE_CHECKING, Final

from dam_expert._version import __version__
from dam_expert.documents.diagnosis import (
    AxisStatus,
    Binding,
    BudgetPart,
    BudgetReport,
    Diagnosis,
    Evidence,
    HypothesisReport,
    IncidentReference,
    ObservationReport,
    TargetReport,
    Versions,
    extent,
)
from dam_expert.documents.intervals import Interval
from dam_expert.engine import advice
from dam_expert.engine.accelerator import known_accelerator
from dam_expert.engine.claims import CONTESTED
from dam_expert.engine.columns import bare
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.engine.identity import OTHER_DEVICES, of_other_devices
from dam_expert.engine.interventions import STALE
from dam_expert.engine.next_measurement import next_measurements
from dam_expert.engine.proof import proof
from dam_expert.engine.remembered import remembered
from dam_expert.engine.scorecard import scorecard
from dam_expert.engine.similar import similar_cases
from dam_expert.engine.situation import target_metric
from dam_expert.engine.waiting import open_by_hypothesis, open_rules
from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import columns

#: Why a value that could decide does not.
FEW: Final = "it rests on too few readings to decide anything: record for longer"

#: So many reports of hypotheses are remembered.
_REMEMBERED: Final = 4096

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.diagnosis import Extent
    from dam_expert.documents.incident import Incident
    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.documents.vocabulary import HypothesisStatus
    from dam_expert.engine.budget import BudgetValue
    from dam_expert.engine.evidence import Piece
    from dam_expert.engine.executor import Executor
    from dam_expert.kb.base import Base
    from dam_expert.language.program import Program


def diagnose(
    base: Base, incident: Incident, *, executor: Executor | None = None, messages: Sequence[Message] = ()
) -> Diagnosis:
    """Diagnose one incident. ``messages`` are problems met while it was read: they are listed as unread.

    Without an executor the rules are fired by forward chaining in experta, whose network for a base is kept for the
    next incident of the same thread.
    """
    return written(evaluate(base, incident, executor or _forward_chaining(base.program)), messages)


class _Kept(threading.local):
    """The network built last in this thread: building one costs several diagnoses."""

    program: Program | None = None
    executor: Executor | None = None


_KEPT: Final = _Kept()


def _forward_chaining(program: Program) -> Executor:
    from dam_expert.engine._experta import ExpertaExecutor  # loaded only where it infers

    if _KEPT.executor is None or _KEPT.program is not program:
        _KEPT.program, _KEPT.executor = program, ExpertaExecutor(program)
    return _KEPT.executor


def written(evaluated: Evaluated, messages: Sequence[Message] = (), *, proven: bool = True) -> Diagnosis:
    """Return the document of an evaluation; without its proof if ``proven`` says so, see :func:`with_proof`."""
    verdict, incident = evaluated.verdict, evaluated.incident
    waiting = open_rules(evaluated)
    following = next_measurements(evaluated, waiting)
    lacking = open_by_hypothesis(waiting)
    pieces: dict[str, list[Piece]] = {}
    for piece in evaluated.standings.pieces:
        pieces.setdefault(piece.hypothesis, []).append(piece)
    return Diagnosis(
        incident=IncidentReference(id=incident.id, title=incident.title, source=_sources(incident)),
        target=_target(evaluated),
        status=verdict.status,
        track=evaluated.situation.track,
        binding=None if verdict.binding is None else _binding(evaluated, verdict.binding),
        secondary=[_binding(evaluated, name) for name in verdict.secondary],
        axes=_axes(evaluated),
        hypotheses=[
            _hypothesis(evaluated, name, pieces.get(name, ()), lacking.get(name, [])) for name in verdict.ranked
        ],
        next_measurements=following,
        levers=advice.levers(evaluated),
        anti_patterns=advice.anti_patterns(evaluated),
        budget=_budget(evaluated),
        scorecard=scorecard(evaluated.columns),
        similar_cases=similar_cases(evaluated),
        observations=_observations(evaluated),
        rejected=_rejected(evaluated),
        unread=[str(message) for message in messages],
        proof=proof(evaluated) if proven else [],
        exhausted=not following and verdict.status not in ("resolved", "no_fault"),
        warnings=_warnings(evaluated),
        versions=Versions(
            program=__version__,
            knowledge=evaluated.base.fingerprint,
            runbooks=[runbook.summary() for runbook in evaluated.base.layers.runbooks],
        ),
    )


def with_proof(evaluated: Evaluated, diagnosis: Diagnosis) -> Diagnosis:
    """Return the document of an evaluation that was written without its proof as it is with it."""
    return diagnosis.model_copy(update={"proof": proof(evaluated)})


def _sources(incident: Incident) -> list[str]:
    """Return the files that observations come from; of an incident document its own file."""
    return sorted({observation.origin.file for observation in (*incident.settings, *incident.observations)})


def _target(evaluated: Evaluated) -> TargetReport | None:
    target = evaluated.incident.target
    if target is None or target.metric is None:
        return None
    metric = evaluated.base.names.resolve(target.metric)
    return TargetReport(
        metric=metric or target.metric,
        actual=extent(evaluated.now.actual or target.actual),
        wanted=extent(target.wanted),
        higher_is_better=metric is not None and evaluated.base.measurements[metric].higher_is_better,
    )


def _binding(evaluated: Evaluated, name: str) -> Binding:
    hypothesis = evaluated.base.hypotheses[name]
    return Binding(
        hypothesis=name,
        title=hypothesis.model.title,
        bottleneck=hypothesis.bottleneck,
        axes=list(hypothesis.region),
        term=hypothesis.term,
        depth="bottleneck" if not hypothesis.ancestors and hypothesis.children else "cause",
        share=extent(evaluated.shares.share.get(name)),
        recoverable=extent(evaluated.shares.recoverable.get(name)),
        ceiling=extent(evaluated.judge.ceiling(name)),
    )


def _axes(evaluated: Evaluated) -> list[AxisStatus]:
    return [
        AxisStatus(
            axis=axis,
            status=status,
            hypothesis=name,
            share=extent(evaluated.shares.share.get(name)) if name is not None else None,
        )
        for axis, (status, name) in evaluated.verdict.axes.items()
    ]


def _hypothesis(evaluated: Evaluated, name: str, pieces: Sequence[Piece], lacking: list[str]) -> HypothesisReport:
    """Return the report of a hypothesis; from one answer to the next most of them stay as they were."""
    found = (
        evaluated.standings.status[name],
        evaluated.standings.score[name],
        extent(evaluated.shares.share.get(name)),
        extent(evaluated.shares.recoverable.get(name)),
        extent(evaluated.judge.ceiling(name)),
    )
    key = (name, found, tuple(pieces), tuple(lacking))
    memory = _reports(evaluated.base)
    return remembered(memory, key, _REMEMBERED, lambda: _reported(evaluated, name, found, pieces, lacking))


@functools.lru_cache(maxsize=4)
def _reports(base: Base) -> dict[tuple[object, ...], HypothesisReport]:
    """Return what was reported of the hypotheses of a base, by all that it says."""
    return {}


def _reported(
    evaluated: Evaluated,
    name: str,
    found: tuple[HypothesisStatus, int, Extent, Extent, Extent],
    pieces: Sequence[Piece],
    lacking: list[str],
) -> HypothesisReport:
    hypothesis = evaluated.base.hypotheses[name]
    status, score, share, recoverable, ceiling = found
    return HypothesisReport(
        id=name,
        title=hypothesis.model.title,
        parent=hypothesis.model.parent,
        bottleneck=hypothesis.bottleneck,
        axes=list(hypothesis.region),
        status=status,
        score=score,
        share=share,
        recoverable=recoverable,
        ceiling=ceiling,
        evidence_for=[_evidence(evaluated, piece) for piece in pieces if piece.speaks_for],
        against=[_evidence(evaluated, piece) for piece in pieces if not piece.speaks_for],
        open=lacking,
    )


def _evidence(evaluated: Evaluated, piece: Piece) -> Evidence:
    rule = evaluated.base.rules.get(piece.rule)
    if rule is None:  # a lever that was tried and did nothing: evidence without a rule
        return Evidence(rule=piece.rule, strength=piece.verb, measurements=[piece.group], because=advice.TRIED_IN_VAIN)
    names = dict.fromkeys(
        column.measurement
        for leaf in expanded_leaves(rule.when, evaluated.base.symptom_trees)
        for column in columns(leaf)
    )
    return Evidence(
        rule=rule.id,
        strength=piece.verb,
        measurements=list(names),
        because=rule.model.because,
        on_trial=piece.on_trial,
    )


def _statistic(evaluated: Evaluated, value: BudgetValue) -> str:
    """Return what of the steps or requests a budget tells: their mean, or of several ranks that of the last."""
    last = evaluated.columns.last
    of_ranks = last is not None and any(last in each.scope for each in evaluated.now.observations)
    return "last_rank" if of_ranks and value.budget.model.of == "step" else value.budget.model.statistic


def _budget(evaluated: Evaluated) -> BudgetReport | None:
    value = evaluated.shares.leading
    if value is None:
        return None
    total = value.total or _stated_total(evaluated, value)
    parts = [
        BudgetPart(
            id=part.id,
            title=part.title,
            seconds=extent(None if part.share is None or total is None else part.share * total),
            share=extent(part.share),
            recoverable=extent(part.recoverable),
        )
        for part in value.parts
    ]
    return BudgetReport(
        id=value.budget.model.id,
        of=value.budget.model.of,
        total_s=extent(total),
        statistic=_statistic(evaluated, value),
        parts=parts,
        residual=extent(value.residual),
        contradiction=value.contradiction,
    )


def _stated_total(evaluated: Evaluated, value: BudgetValue) -> Interval | None:
    """Return the target as it is now where it is the total of a budget: who states it need not observe it as well."""
    metric = target_metric(evaluated.base, evaluated.incident)
    return evaluated.now.actual if metric == value.budget.model.total else None


def _observations(evaluated: Evaluated) -> list[ObservationReport]:
    unused = {_identity(rejection.observation) for rejection in evaluated.columns.rejections}
    used = [observation for observation in evaluated.now.observations if _identity(observation) not in unused]
    stale = evaluated.now.stale
    others = _other_devices(evaluated)
    few = {one for one in used if evaluated.base.rests_on_few(one)}
    contested = {one for one in used if one.measurement in evaluated.contested}
    reasons = [(stale, STALE), (others, OTHER_DEVICES), (few, FEW), (contested, CONTESTED)]
    beyond = {name: evaluated.base.wholes[whole].model.because for name, whole in evaluated.beyond.items()}
    told = [
        _observation(one, next((reason for ones, reason in reasons if one in ones), beyond.get(one.measurement)))
        for one in used
    ]
    return sorted(told, key=_order)


def _identity(observation: Observation) -> tuple[object, ...]:
    """Return what makes an observation itself even after its value was cut to its range."""
    return (observation.measurement, observation.scope, observation.origin, observation.when, observation.given)


def _rejected(evaluated: Evaluated) -> list[ObservationReport]:
    found = [_observation(rejection.observation, rejection.reason) for rejection in evaluated.columns.rejections]
    return sorted(found, key=_order)


def _observation(observation: Observation, reason: str | None = None) -> ObservationReport:
    value = observation.value
    return ObservationReport(
        measurement=observation.measurement,
        value=extent(value) if isinstance(value, Interval) else value,
        given=observation.given,
        basis=observation.basis.value,
        scope=dict(observation.scope),
        origin=str(observation.origin),
        tool=observation.origin.tool,
        detail=observation.origin.detail,
        reason=reason,
    )


def _order(report: ObservationReport) -> tuple[str, str, str, str]:
    return (report.measurement, str(report.scope), report.origin, str(report.value))


def _warnings(evaluated: Evaluated) -> list[str]:
    deprecated = [
        f"the rule '{firing.rule}' is deprecated and still fired{_instead(evaluated.base, firing.rule)}"
        for firing in evaluated.firings
        if evaluated.base.rules[firing.rule].status == "deprecated"
    ]
    strange = [f"no lever of the base matches '{text}'" for text in evaluated.plans.not_understood]
    beyond = [evaluated.base.wholes[name].model.because for name in dict.fromkeys(evaluated.beyond.values())]
    others = [*_unmatched(evaluated), *_of_others(evaluated)]
    return [*evaluated.base.layers.eased(), *deprecated, *strange, *beyond, *others, *evaluated.now.doubts]


def _of_others(evaluated: Evaluated) -> list[str]:
    """Return which outputs are of different devices."""
    files = sorted({one.origin.file for one in _other_devices(evaluated)})
    return [f"{', '.join(files[:4])}: {OTHER_DEVICES}"] if files else []


def _other_devices(evaluated: Evaluated) -> frozenset[Observation]:
    now = evaluated.now
    return of_other_devices(evaluated.base, (one for one in now.observations if one not in now.stale))


def _unmatched(evaluated: Evaluated) -> list[str]:
    """Return that the accelerator is not in the catalogue, where a figure of it is what is missing."""
    cell = evaluated.columns.cell
    named, ridge = cell(bare("accelerator")), cell(bare("ridge_intensity"))
    wanted = cell(bare("arithmetic_intensity")) is not None
    if named is None or not isinstance(named.value, str) or ridge is not None or not wanted:
        return []
    if known_accelerator(evaluated.base.catalogue, cell) is not None:
        return []  # what is missing is the precision
    text = f"the catalogue has no accelerator '{named.value[:80]}', and nothing similar stands in: "
    return [text + "give --set ridge_intensity, or add it to a runbook"]


def _instead(base: Base, rule: str) -> str:
    replaced_by = base.rules[rule].model.replaced_by
    return f"; use '{replaced_by}'" if replaced_by else ""
