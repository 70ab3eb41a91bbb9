"""Which term of the iron law binds, by how much, and what acting on each of them can give at most."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from dam_expert.physics import iron_law as law
from dam_expert.physics.errors import PhysicsError
from dam_expert.physics.inputs import positive

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.physics.iron_law import Term

#: Which term each variable stands in, and whether more of it means more time.
VARIABLES: Mapping[str, tuple[Term, bool]] = {
    "bytes": (law.Term.DATA_MOVEMENT, True),
    "bandwidth": (law.Term.DATA_MOVEMENT, False),
    "operations": (law.Term.COMPUTE, True),
    "peak": (law.Term.COMPUTE, False),
    "efficiency": (law.Term.COMPUTE, False),
    "latency": (law.Term.LATENCY, True),
}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class TermShare:
    """One term: its seconds, its share of the sum, and the factor on the whole if it took no time at all.

    ``overlapped_gain`` is that factor where data movement and compute overlap perfectly: 1 for the smaller of them.
    """

    term: Term
    seconds: float
    share: float
    sequential_gain: float
    overlapped_gain: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A measured time against the two bounds. ``gain_left`` is what perfect overlap can still give on it."""

    seconds: float
    overlap_achieved: float | None
    unexplained_s: float
    gain_left: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class IronLaw:
    """The terms of one step. ``margin`` is the binding term over the next largest; infinite where that is 0."""

    terms: tuple[TermShare, ...]
    binding: Term
    margin: float
    sequential_s: float
    bound_s: float
    overlap_gain: float
    measured: Measured | None

    def of(self, term: Term) -> TermShare:
        """Return one term."""
        return next(each for each in self.terms if each.term is term)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What levers do to the terms: the step before and after them, and the factor on both bounds."""

    levers: tuple[tuple[str, float], ...]
    after: IronLaw
    sequential_gain: float
    overlapped_gain: float


def _ratio(above: float, below: float) -> float:
    return above / below if below > 0 else float("inf")


def iron_law(
    data_s: float = 0.0, compute_s: float = 0.0, latency_s: float = 0.0, measured_s: float | None = None
) -> IronLaw:
    """Return the terms of one step; a term that is not given takes no time. All of them 0 is an error.

    Checkpoint of the appendix: 60 ms of compute, 40 ms of data movement, 5 ms of latency.

    >>> step = iron_law(0.040, 0.060, 0.005)
    >>> str(step.binding), round(step.margin, 2), round(step.overlap_gain, 2)
    ('compute', 1.5, 1.62)
    """
    seconds = dict(zip(law.Term, (data_s, compute_s, latency_s), strict=True))
    total, bound = float(law.sequential_s(*seconds.values())), float(law.overlapped_bound_s(*seconds.values()))
    if total == 0:
        raise PhysicsError("terms", "no term takes any time", "give bytes and bandwidth, operations and peak, or times")
    ranked = sorted(seconds, key=lambda term: -seconds[term])
    terms = []
    for term in law.Term:
        without = {**seconds, term: 0.0}.values()
        terms.append(
            TermShare(
                term=term,
                seconds=seconds[term],
                share=seconds[term] / total,
                sequential_gain=_ratio(total, float(law.sequential_s(*without))),
                overlapped_gain=_ratio(bound, float(law.overlapped_bound_s(*without))),
            )
        )
    return IronLaw(
        terms=tuple(terms),
        binding=ranked[0],
        margin=_ratio(seconds[ranked[0]], seconds[ranked[1]]),
        sequential_s=total,
        bound_s=bound,
        overlap_gain=total / bound,
        measured=None if measured_s is None else _measured(measured_s, data_s, compute_s, latency_s),
    )


def _measured(measured_s: float, *terms: float) -> Measured:
    achieved = float(law.overlap_achieved(measured_s, *terms))
    return Measured(
        seconds=measured_s,
        overlap_achieved=None if achieved != achieved else achieved,  # NaN: there is nothing to overlap
        unexplained_s=float(law.unexplained_s(measured_s, *terms)),
        gain_left=float(law.gain_left(measured_s, *terms)),
    )


def change(before: IronLaw, levers: tuple[tuple[str, float], ...]) -> Change:
    """Return the step after each lever has multiplied its variable: ``("bytes", 0.5)`` halves the bytes.

    >>> change(iron_law(0.040, 0.060, 0.005), (("bandwidth", 2.0),)).overlapped_gain
    1.0
    """
    seconds = {each.term: each.seconds for each in before.terms}
    for variable, factor in levers:
        term, slows = VARIABLES[variable]
        size = float(positive(variable, factor))
        seconds[term] = seconds[term] * size if slows else seconds[term] / size
    after = iron_law(*seconds.values())
    return Change(
        levers=levers,
        after=after,
        sequential_gain=before.sequential_s / after.sequential_s,
        overlapped_gain=before.bound_s / after.bound_s,
    )
