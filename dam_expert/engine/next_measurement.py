"""What to measure next: the unknown that is expected to sharpen the belief in causes most, per minute of effort.

Every outcome of every obtainable unknown is imagined (:mod:`dam_expert.engine.worlds`). The order is: what advice
rules ask for of the leading cause, or where they ask for nothing of it, what decides it; what settles a finer cause
of the one that binds; what else rules ask for; and in each of these information gain per minute; undecided rules that
would be decided per minute; how many open decisive rules wait for it, weighed by belief, per minute (one answer alone
often moves nothing when a rule needs two); id. Of what is known as a whole only the values of the members are
lacking: it comes behind what is not known at all.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.documents.diagnosis import Command, NextMeasurement
from dam_expert.documents.intervals import Interval
from dam_expert.engine.belief import PRIOR, belief, expected_gains
from dam_expert.engine.interventions import STALE
from dam_expert.engine.waiting import OpenRule, is_settled, obtainable
from dam_expert.engine.worlds import worlds_of
from dam_expert.language.conditions import Column
from dam_expert.language.expressions import formula_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.models import MeasurementModel, ObtainModel

#: A measurement is never counted as cheaper than this many minutes: answering takes a moment too.
_LEAST_EFFORT: Final = 0.5
#: Gains are compared to this many bits, so that the order never hangs on the last digit of a sum.
_DIGITS: Final = 9


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """What measuring something is worth: bits of belief, rules decided, and the belief that waits for it."""

    gain: float = 0.0
    decided: float = 0.0
    waiting: float = 0.0


def next_measurements(evaluated: Evaluated, waiting: Sequence[OpenRule]) -> list[NextMeasurement]:
    """Return the next measurements, best first; those that cannot be had (by the incident's answers) are left out."""
    if evaluated.verdict.status in ("resolved", "no_fault"):
        return []
    asked = _asked(evaluated, waiting)
    decides: dict[str, list[str]] = {name: [] for name in asked}
    for open_rule in waiting:
        for name in open_rule.lacking:
            targets = decides.setdefault(name, [])
            if open_rule.hypothesis not in targets:
                targets.append(open_rule.hypothesis)
    refused = dict(evaluated.incident.answers)
    names = [
        name
        for name in decides
        if evaluated.ways(name) and name not in refused and not _is_beside(evaluated, name, decides[name])
    ]
    worth = worth_of(evaluated, names, waiting)

    of_the_lead = {name for name in names if _decides_the_lead(evaluated, decides[name])}
    first = of_the_lead.intersection(asked) or _of_the_lead_itself(evaluated, decides) & set(names)

    def rank(name: str) -> tuple[bool, bool, bool, bool, float, float, float, str]:
        beside_the_binding = not _settles_the_binding(evaluated, decides[name])
        minutes = max(_LEAST_EFFORT, effort(evaluated, name))
        value = worth[name]
        gain, decided, waits = (round(-x / minutes, _DIGITS) for x in (value.gain, value.decided, value.waiting))
        known = _is_known_as_a_whole(evaluated, name)
        return (name not in first, beside_the_binding, name not in asked, known, gain, decided, waits, name)

    order = {name: position for position, name in enumerate(evaluated.verdict.ranked)}
    return [
        _described(evaluated, name, sorted(decides[name], key=order.__getitem__), asked.get(name))
        for name in sorted(names, key=rank)
    ]


def _decides_the_lead(evaluated: Evaluated, decides: list[str]) -> bool:
    """Whether what is decided holds the leading hypothesis or one of its finer causes; without a lead, always."""
    leading = evaluated.verdict.leading
    if leading is None:
        return True
    return any(leading in (name, *evaluated.base.hypotheses[name].ancestors) for name in decides)


def _of_the_lead_itself(evaluated: Evaluated, decides: Mapping[str, Sequence[str]]) -> set[str]:
    """Return what decides the leading hypothesis itself and is not known as a word, which a tool would but repeat."""
    leading = evaluated.verdict.leading
    cells = {name: evaluated.columns.cell(Column(name)) for name, causes in decides.items() if leading in causes}
    return {name for name, cell in cells.items() if cell is None or isinstance(cell.value, Interval)}


def _settles_the_binding(evaluated: Evaluated, decides: list[str]) -> bool:
    """Whether what is decided holds a finer cause of the hypothesis that binds: that it binds is settled by itself."""
    binding = evaluated.verdict.binding
    return binding is not None and any(binding in evaluated.base.hypotheses[name].ancestors for name in decides)


def _is_known_as_a_whole(evaluated: Evaluated, name: str) -> bool:
    """Whether only values of each rank or device are lacking: it is known, or follows from what is known."""
    if is_settled(evaluated, Column(name)):
        return True
    for derived in evaluated.base.derived_order:
        formula = evaluated.base.measurements[derived].formula
        inputs = () if formula is None else tuple(formula_columns(formula))
        if Column(name) in inputs and all(
            is_settled(evaluated, one) for one in (Column(derived), *inputs) if one != Column(name)
        ):
            return True
    return False


def _is_beside(evaluated: Evaluated, name: str, decides: list[str]) -> bool:
    """Whether a measurement settles causes, but none that is open on the track, or only repeats what was tried."""
    model = evaluated.base.measurements[name].model
    return (model.decides is not None and not decides) or model.probe_of in evaluated.plans.tried


def worth_of(evaluated: Evaluated, names: Sequence[str], waiting: Sequence[OpenRule]) -> dict[str, Worth]:
    """Return what each measurement is worth, by imagining its outcomes.

    A derived measurement that nobody can be asked for is imagined itself, and its missing inputs share its worth at
    their summed effort.
    """
    derived = _derived(evaluated, names)
    worlds = worlds_of(evaluated, [*names, *derived])
    beliefs = belief(evaluated, worlds)
    undecided = _open_columns(evaluated, waiting) & ~worlds.decided[0]
    settled = worlds.decided.T[undecided].sum(axis=0)
    gains = expected_gains(beliefs, worlds.outcomes)
    waits = _waits(evaluated, waiting)
    minutes_of = {one: max(_LEAST_EFFORT, effort(evaluated, one)) for one in dict.fromkeys((*names, *_all(derived)))}
    worth: dict[str, Worth] = {}
    for name, rows in worlds.outcomes.items():
        inputs = derived.get(name, [name])
        minutes = sum(minutes_of[one] for one in inputs)
        likely, whole_gain = gains[name]
        for one in inputs:
            # at the summed effort of all inputs, expressed as if it were this one's alone
            part = minutes_of[one] / minutes
            gain = whole_gain * part if rows else 0.0
            decided = float(likely @ settled[rows.start : rows.stop]) * part if rows else 0.0
            before = worth.get(one, Worth(waiting=waits.get(one, 0.0)))
            worth[one] = Worth(
                gain=max(before.gain, gain), decided=max(before.decided, decided), waiting=before.waiting
            )
    return _bundled(evaluated, worth)


def _bundled(evaluated: Evaluated, worth: Mapping[str, Worth]) -> dict[str, Worth]:
    """Give measurements that one and the same tool yields at once the worth of all of them together."""
    bundles: dict[tuple[str, float], list[str]] = {}
    for name in worth:
        bundles.setdefault(_way(evaluated, name), []).append(name)
    together = {}
    for names in bundles.values():
        gain, decided = sum(worth[name].gain for name in names), sum(worth[name].decided for name in names)
        for name in names:
            # its own worth breaks the tie among those that come together
            own = worth[name]
            together[name] = Worth(gain=gain + own.gain, decided=decided + own.decided, waiting=own.waiting)
    return together


def _way(evaluated: Evaluated, measurement: str) -> tuple[str, float]:
    """Return what obtains a measurement most cheaply: the tool, or the command or words, and the minutes."""
    way = evaluated.ways(measurement)[0]
    return (way.tool or way.command or way.how or "", way.effort_minutes)


def effort(evaluated: Evaluated, measurement: str) -> float:
    """Return the minutes that the cheapest way to obtain a measurement takes."""
    return evaluated.ways(measurement)[0].effort_minutes


def _derived(evaluated: Evaluated, names: Sequence[str]) -> dict[str, list[str]]:
    """Return the unknown derived measurements that cannot be asked for, each with the named inputs that it lacks."""
    found = {}
    for name in evaluated.base.derived_order:
        column = Column(name)
        if evaluated.base.measurements[name].is_obtainable or evaluated.columns.cell(column) is not None:
            continue
        inputs = [other for other in dict.fromkeys(obtainable(evaluated, column)) if other in names]
        if inputs:
            found[name] = inputs
    return found


def _open_columns(evaluated: Evaluated, waiting: Sequence[OpenRule]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    names = {open_rule.rule for open_rule in waiting}
    return np.array([rule.id in names for rule in evaluated.base.program.rules], bool)


def _all(derived: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for inputs in derived.values():
        yield from inputs


def _waits(evaluated: Evaluated, waiting: Sequence[OpenRule]) -> dict[str, float]:
    """Return by measurement the belief that waits for it, of the rules that lack it."""
    found: dict[str, float] = {}
    for one in waiting:
        prior = PRIOR[evaluated.base.hypotheses[one.hypothesis].model.prior]
        belief_in_it = prior * 2.0 ** evaluated.standings.score[one.hypothesis] / len(one.lacking)
        for name in one.lacking:
            found[name] = found.get(name, 0.0) + belief_in_it
    return found


def _described(evaluated: Evaluated, name: str, decides: list[str], asked: str | None) -> NextMeasurement:
    titles = [evaluated.base.hypotheses[hypothesis].model.title for hypothesis in decides]
    why = asked or "it could decide: " + "; ".join(titles)
    return asking_for(evaluated.base.measurements[name].model, evaluated.ways(name), decides, why)


def asking_for(
    model: MeasurementModel, ways: Sequence[ObtainModel], decides: Sequence[str] = (), why: str = ""
) -> NextMeasurement:
    """Return how to ask for a measurement: its question, and the ways to obtain it, of which the first is the quickest.

    Without a way it takes no minutes: then only what is known already can be told.
    """
    return NextMeasurement(
        measurement=model.id,
        question=model.question or f"How large is it: {model.title}?",
        commands=[Command(tool=way.tool, command=way.command, how=way.how) for way in ways],
        effort_minutes=ways[0].effort_minutes if ways else 0.0,
        disturbs=next((way.disturbs for way in ways if way.disturbs is not None), None),
        decides=list(decides),
        why=why,
    )


def _asked(evaluated: Evaluated, waiting: Sequence[OpenRule]) -> dict[str, str]:
    """Return what stands at the head, with the reason: stale values that still matter, and what advice rules ask for.

    What is known already is not asked for again; a derived measurement asks for its inputs.
    """
    lacking = {name for open_rule in waiting for name in open_rule.lacking}
    stale = sorted({observation.measurement for observation in evaluated.now.stale} & lacking)
    found: dict[str, str] = dict.fromkeys(stale, STALE)
    for firing in evaluated.firings:
        rule = evaluated.base.rules[firing.rule]
        for verb, name in rule.conclusions:
            if verb == "ask" and evaluated.columns.cell(Column(name)) is None:
                for wanted in obtainable(evaluated, Column(name)):
                    found.setdefault(wanted, rule.model.because)
    return found
