"""What to measure next: the unknown that is expected to sharpen the belief in causes most, per minute of effort.

Every outcome of every obtainable unknown is imagined (:mod:`dam_expert.engine.worlds`). The order is: what advice
rules ask for of the leading cause, or where they ask for nothing of it, what decides it; what settles a finer cause
of the one that binds; what else rules ask for; and in each of these information gain per minute; undecided rules that
would be decided per minute; how many open decisive rules wait for it, weighed by belief, per minute (one answer alone
often moves nothing when a rule needs two); id. What only tools could tell that are not to be had here comes last.
Of what is known as a whole only the values of the members are lacking: it comes behind what is not known at all.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

import msgspec

from dam_expert.documents.diagnosis import Command, NextMeasurement
from dam_expert.documents.incident import Absence
from dam_expert.documents.intervals import Interval
from dam_expert.engine.belief import PRIOR
from dam_expert.engine.claims import CONTESTED
from dam_expert.engine.columns import bare
from dam_expert.engine.evidence import members
from dam_expert.engine.expecting import expected
from dam_expert.engine.interventions import STALE
from dam_expert.engine.reads import followed_from
from dam_expert.engine.remembered import remembered
from dam_expert.engine.second_question import varied
from dam_expert.engine.waiting import OpenRule, is_settled, obtainable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.base import Base
    from dam_expert.kb.models import MeasurementModel, ObtainModel

#: A measurement is never counted as cheaper than this many minutes: answering takes a moment too.
_LEAST_EFFORT: Final = 0.5
#: Gains are compared to this many bits, so that the order never hangs on the last digit of a sum.
_DIGITS: Final = 9
#: With more suspects than these none of them is asked about before it is known where the time goes.
_FEW: Final = 2
#: So many texts of measurements are remembered.
_REMEMBERED: Final = 2048


class Worth(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What measuring something is worth: bits of belief, rules decided, and the belief that waits for it."""

    gain: float = 0.0
    decided: float = 0.0
    waiting: float = 0.0


def next_measurements(evaluated: Evaluated, waiting: Sequence[OpenRule]) -> list[NextMeasurement]:
    """Return the next measurements, best first; those that cannot be had (by the incident's answers) are left out."""
    if evaluated.verdict.status in ("resolved", "no_fault"):
        return []
    asked = _asked(evaluated, waiting)
    told: dict[str, dict[str, None]] = {name: {} for name in asked}
    for open_rule in waiting:
        for name in open_rule.lacking:
            if name not in told:
                told[name] = {}
            told[name][open_rule.hypothesis] = None
    decides = {name: list(causes) for name, causes in told.items()}
    refused, ways = dict(evaluated.incident.answers), evaluated.all_ways()
    names = [
        name
        for name in decides
        if ways[name] and name not in refused and not _is_beside(evaluated, name, decides[name])
    ]
    worth = worth_of(evaluated, names, waiting)

    binding = evaluated.verdict.binding
    first = _of_the_lead(evaluated, decides, asked, names)
    # that a cause binds is settled by itself
    finer = frozenset() if binding is None else frozenset(members(evaluated.base)[binding]) - {binding}

    lost = _lost_ways(evaluated)

    def rank(name: str) -> tuple[bool, bool, bool, bool, bool, float, float, float, str]:
        minutes, value = max(_LEAST_EFFORT, ways[name][0].effort_minutes), worth[name]
        return (
            bool(lost) and all(_key(way) in lost for way in ways[name]),
            name not in first,
            finer.isdisjoint(decides[name]),
            name not in asked,
            _is_known_as_a_whole(evaluated, name),
            round(-value.gain / minutes, _DIGITS),
            round(-value.decided / minutes, _DIGITS),
            round(-value.waiting / minutes, _DIGITS),
            name,
        )

    order = {name: position for position, name in enumerate(evaluated.verdict.ranked)}
    return [
        _described(
            evaluated.base,
            ways[name],
            name,
            tuple(sorted(decides[name], key=order.__getitem__)),
            asked.get(name),
        )
        for name in varied(evaluated, sorted(names, key=rank), decides)
    ]


def _of_the_lead(
    evaluated: Evaluated, decides: Mapping[str, Sequence[str]], asked: Mapping[str, str], names: Sequence[str]
) -> set[str]:
    """Return what comes first for the leading hypothesis; without a lead or suspects nothing is put before the rest.

    That is what rules ask for and decides it or a finer cause, else what it is a case of, else another cause of its
    bottleneck; where rules ask for nothing of the kind, what decides the lead itself.
    """
    leading = evaluated.verdict.leading
    wanted = {name: decides[name] for name in names if name in asked}
    if leading is None:
        return _of_suspects(evaluated, wanted) & set(names)
    family = frozenset(members(evaluated.base)[leading])
    above = frozenset(evaluated.base.hypotheses[leading].ancestors)
    hypotheses = evaluated.base.hypotheses
    bottleneck = hypotheses[leading].model.bottleneck
    like = frozenset(name for name, each in hypotheses.items() if each.model.bottleneck == bottleneck)
    for causes in (family, above, like):
        found = {name for name, decided in wanted.items() if not causes.isdisjoint(decided)}
        if found:
            return found
    return _of_the_lead_itself(evaluated, decides) & set(names)


def _of_suspects(evaluated: Evaluated, wanted: Mapping[str, Sequence[str]]) -> set[str]:
    """Return what settles the few causes that something speaks for, where nothing is likely yet.

    That is what rules ask for and decides one of them, or else what settles it, behind whatever rules ask for. Where
    as much speaks for several families of causes, finding out where the time goes comes first.
    """
    standings, hypotheses = evaluated.standings, evaluated.base.hypotheses
    score = {name: standings.score[name] for name in evaluated.verdict.ranked if standings.status[name] == "candidate"}
    most = max(score.values(), default=0)
    suspects = [name for name, points in score.items() if most > 0 and points == most]
    finest = [name for name in suspects if all(name not in hypotheses[other].ancestors for other in suspects)]
    if len(finest) > _FEW:
        return set()
    found = {name for name, decided in wanted.items() if not set(finest).isdisjoint(decided)}
    return found or {*wanted, *(probe for name in finest if (probe := hypotheses[name].model.probe) is not None)}


def _of_the_lead_itself(evaluated: Evaluated, decides: Mapping[str, Sequence[str]]) -> set[str]:
    """Return what decides the leading hypothesis itself and is not known as a word, which a tool would but repeat."""
    leading = evaluated.verdict.leading
    cells = {name: evaluated.columns.cell(bare(name)) for name, causes in decides.items() if leading in causes}
    return {name for name, cell in cells.items() if cell is None or isinstance(cell.value, Interval)}


def _is_known_as_a_whole(evaluated: Evaluated, name: str) -> bool:
    """Whether only values of each rank or device are lacking: it is known, or follows from what is known."""
    if name in evaluated.columns.known and is_settled(evaluated, bare(name)):
        return True
    known = evaluated.columns.known
    return any(
        all(one.measurement in known and is_settled(evaluated, one) for one in others)
        for others in followed_from(evaluated.base).get(name, ())
    )


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
    waits = _waits(evaluated, waiting)
    ways = evaluated.all_ways()
    worth: dict[str, Worth] = {}
    for name, (whole_gain, rules) in expected(evaluated, [*names, *derived], waiting).items():
        inputs = derived.get(name, (name,))
        minutes = {one: max(_LEAST_EFFORT, ways[one][0].effort_minutes) for one in inputs}
        together = sum(minutes.values())
        for one in inputs:
            # at the summed effort of all inputs, expressed as if it were this one's alone
            part = minutes[one] / together
            before = worth.get(one)
            worth[one] = Worth(
                gain=max(0.0 if before is None else before.gain, whole_gain * part),
                decided=max(0.0 if before is None else before.decided, rules * part),
                waiting=waits.get(one, 0.0),
            )
    return _bundled(evaluated, worth)


def _bundled(evaluated: Evaluated, worth: Mapping[str, Worth]) -> dict[str, Worth]:
    """Give measurements that one and the same tool yields at once the worth of all of them together."""
    bundles: dict[tuple[str, float], list[str]] = {}
    ways = evaluated.all_ways()
    for name in worth:
        way = ways[name][0]  # what obtains it most cheaply
        bundles.setdefault((_key(way), way.effort_minutes), []).append(name)
    together = {}
    for names in bundles.values():
        if len(names) == 1:  # most tools yield one: its worth counts twice, as below
            own = worth[names[0]]
            together[names[0]] = Worth(gain=2.0 * own.gain, decided=2.0 * own.decided, waiting=own.waiting)
            continue
        gain, decided = sum(worth[name].gain for name in names), sum(worth[name].decided for name in names)
        for name in names:
            # its own worth breaks the tie among those that come together
            own = worth[name]
            together[name] = Worth(gain=gain + own.gain, decided=decided + own.decided, waiting=own.waiting)
    return together


def _key(way: ObtainModel) -> str:
    """Return what a way takes: the tool, or the command or words."""
    return way.tool or way.command or way.how or ""


def _lost_ways(evaluated: Evaluated) -> frozenset[str]:
    """Return the tools that are not to be had here, as far as somebody could not measure something with them."""
    lost = (name for name, absence in evaluated.incident.answers if absence is Absence.CANNOT_MEASURE)
    return frozenset(_key(way) for name in lost if name in evaluated.base.measurements for way in evaluated.ways(name))


def effort(evaluated: Evaluated, measurement: str) -> float:
    """Return the minutes that the cheapest way to obtain a measurement takes."""
    return evaluated.ways(measurement)[0].effort_minutes


def _derived(evaluated: Evaluated, names: Sequence[str]) -> dict[str, list[str]]:
    """Return the unknown derived measurements that cannot be asked for, each with the named inputs that it lacks."""
    found, asked = {}, frozenset(names)
    for name in evaluated.base.derived_order:
        column = bare(name)
        if evaluated.base.measurements[name].is_obtainable or evaluated.columns.cell(column) is not None:
            continue
        inputs = [other for other in dict.fromkeys(obtainable(evaluated, column)) if other in asked]
        if inputs:
            found[name] = inputs
    return found


def _waits(evaluated: Evaluated, waiting: Sequence[OpenRule]) -> dict[str, float]:
    """Return by measurement the belief that waits for it, of the rules that lack it."""
    found: dict[str, float] = {}
    for one in waiting:
        prior = PRIOR[evaluated.base.hypotheses[one.hypothesis].model.prior]
        belief_in_it = prior * 2.0 ** evaluated.standings.score[one.hypothesis] / len(one.lacking)
        for name in one.lacking:
            found[name] = found.get(name, 0.0) + belief_in_it
    return found


def _described(
    base: Base, ways: tuple[ObtainModel, ...], name: str, decides: tuple[str, ...], asked: str | None
) -> NextMeasurement:
    """Return how to ask for a measurement; from one answer to the next most of them stay as they were."""
    key = (name, decides, asked, *map(id, ways))

    def made() -> NextMeasurement:
        titles = [base.hypotheses[hypothesis].model.title for hypothesis in decides]
        why = asked or "it could decide: " + "; ".join(titles)
        return asking_for(base.measurements[name].model, ways, decides, why)

    return remembered(_texts(base), key, _REMEMBERED, made)


@functools.lru_cache(maxsize=4)
def _texts(base: Base) -> dict[tuple[object, ...], NextMeasurement]:
    """Return what was said of the measurements of a base; the ways are told by their place in memory, as it is its."""
    return {}


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
    """Return what stands at the head, with the reason: stale and contested values that matter, what advice rules ask.

    What is known already is not asked for again; a derived measurement asks for its inputs.
    """
    lacking = {name for open_rule in waiting for name in open_rule.lacking}
    stale = sorted({observation.measurement for observation in evaluated.now.stale} & lacking)
    found: dict[str, str] = dict.fromkeys(stale, STALE)
    for name in sorted(evaluated.contested):
        for wanted in obtainable(evaluated, bare(name)):
            if wanted in lacking:
                found.setdefault(wanted, CONTESTED)
    for firing in evaluated.firings:
        rule = evaluated.base.rules[firing.rule]
        for verb, name in rule.conclusions:
            if verb == "ask" and evaluated.columns.cell(bare(name)) is None:
                for wanted in obtainable(evaluated, bare(name)):
                    found.setdefault(wanted, rule.model.because)
    return found
