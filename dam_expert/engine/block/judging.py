"""Shares, evidence and statuses of a block: by hypothesis, over rows."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dam_expert.documents.intervals import Interval
from dam_expert.engine.block.spans import NOWHERE, Bools, Floats, Span, together
from dam_expert.engine.block.words import Words, none, packed, some, unpacked
from dam_expert.engine.budget import WORK
from dam_expert.engine.claims import probes_of_parts
from dam_expert.engine.evidence import SUPPORTED_FROM
from dam_expert.kb.base import CLEAR_EFFECT
from dam_expert.language.conditions import Column
from dam_expert.physics.amdahl import ceiling, recoverable_share
from dam_expert.physics.budget import exceeds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import numpy.typing as npt

    from dam_expert.engine.block.known import Known
    from dam_expert.kb.base import Base, Budget, Hypothesis

    Codes = npt.NDArray[np.uint8]
    Scores = npt.NDArray[np.int16]

#: Statuses as codes, in the order in which hypotheses rank.
CONFIRMED, CONFLICTING, SUPPORTED, CANDIDATE, REFUTED = range(5)
STATUS_WORDS: Final = ("confirmed", "conflicting", "supported", "candidate", "refuted")
_WHOLE: Final = Interval(0.0, 1.0)
_LARGEST: Final = np.iinfo(np.int8).max


@dataclasses.dataclass(frozen=True, slots=True)
class Shares:
    """By hypothesis what it costs and what removing it could give back; absent where unknown in every row."""

    share: dict[str, Span]
    recoverable: dict[str, Span]


def shares_of(base: Base, known: Known, *, older: bool = False) -> Shares:
    """Compute the share of every hypothesis, through its budget part or its own formula.

    ``older``: with what is older than the last change.
    """
    return _shares_of(base, Older(known) if older else known)


class Older:
    """What is known of a block, in which what is older than a change stands for the present."""

    def __init__(self, known: Known) -> None:
        self.size = known.size
        self.present = known.span
        self.present_value_of = known.value_of


def _shares_of(base: Base, known: Known | Older) -> Shares:
    parts, waiting = _parts(base, known)
    share: dict[str, Span] = {}
    recoverable: dict[str, Span] = {}
    for hypothesis in base.hypotheses.values():
        own = share_of(hypothesis, parts, known)
        if not own.rows.size:
            continue
        share[hypothesis.id] = own
        if hypothesis.attained is not None:
            recoverable[hypothesis.id] = _missing_part(own, known.present_value_of(hypothesis.attained), known.size)
        elif waiting.get(hypothesis.part or "", hypothesis.bottleneck not in WORK and hypothesis.part is None):
            recoverable[hypothesis.id] = own
    return Shares(share, {name: span for name, span in recoverable.items() if span.rows.size})


def _taken(budget: Budget, known: Known | Older) -> Floats:
    """Return what the known parts of a budget take at least."""
    total = np.zeros(known.size)
    for part in budget.model.parts:
        span = known.present(Column(part.share))
        total[span.rows] += span.lo
    return total


def overfull(base: Base, known: Known) -> dict[str, Words]:
    """Return by measurement where the parts of a budget with it add up to more than the whole."""
    found: dict[str, Words] = {}
    for budget in base.budgets.values():
        beyond = exceeds(_taken(budget, known), budget.tolerance)
        if beyond.any():
            words = packed(beyond)
            for part in budget.model.parts:
                found[part.share] = found[part.share] | words if part.share in found else words
    return found


def overclaimed(base: Base, known: Known) -> Iterator[tuple[str, Words]]:
    """Yield probes and parts of budgets, and where together they would take more than the whole."""
    clear = base.constant(CLEAR_EFFECT)
    for budget in base.budgets.values():
        probes = probes_of_parts(base).get(budget.model.id)
        if probes is not None:
            yield from _overclaimed(budget, probes, known, clear)


def _overclaimed(
    budget: Budget, probes: Mapping[str, tuple[str, ...]], known: Known, clear_effect: float
) -> Iterator[tuple[str, Words]]:
    spans = {part.share: known.present(Column(part.share)) for part in budget.model.parts}
    taken = np.zeros(known.size)
    for part in budget.model.parts:
        if not part.waiting:
            taken[spans[part.share].rows] += spans[part.share].lo
    most = clear_effect * gain_of_share(np.maximum(1.0 - taken, 0.0))
    total = _taken(budget, known)
    claiming: dict[str, Bools] = {}
    for part in budget.model.parts:
        claimed, is_free = np.zeros(known.size), ~spans[part.share].known(known.size)
        for probe in probes[part.share]:
            gain = known.present(Column(probe)).where(is_free)
            counts = (gain.lo > clear_effect) & (gain.lo <= most[gain.rows])
            gain = gain.only(counts & unpacked(known.decisive(Column(probe)), known.size)[gain.rows])
            if gain.rows.size:
                claimed[gain.rows] = np.maximum(claimed[gain.rows], 1.0 - 1.0 / gain.lo)
                claiming[probe] = np.zeros(known.size, bool)
                claiming[probe][gain.rows] = True
        total = total + claimed
    if not claiming:
        return
    beyond = exceeds(total, budget.tolerance) & np.logical_or.reduce(list(claiming.values()))
    if not beyond.any():
        return
    for name, span in spans.items():
        measured = np.zeros(known.size, bool)
        measured[span.rows] = True
        yield name, packed(measured & beyond)
    for probe, rows in claiming.items():
        yield probe, packed(rows & beyond)


def _parts(base: Base, known: Known | Older) -> tuple[dict[str, Span], dict[str, bool]]:
    parts: dict[str, Span] = {}
    waiting: dict[str, bool] = {}
    for budget in base.budgets.values():
        spans = {part.id: known.present(Column(part.share)) for part in budget.model.parts}
        sound = ~exceeds(_taken(budget, known), budget.tolerance)
        parts |= {name: span.where(sound) for name, span in spans.items()}
        waiting |= {part.id: part.waiting for part in budget.model.parts}
    return parts, waiting


def share_of(hypothesis: Hypothesis, parts: Mapping[str, Span], known: Known | Older) -> Span:
    """Return the share of a hypothesis: that of its part of a budget, or by its own formula."""
    if hypothesis.part is not None:
        return parts.get(hypothesis.part, NOWHERE)
    return NOWHERE if hypothesis.share is None else known.present_value_of(hypothesis.share).cut(_WHOLE)


def _missing_part(share: Span, attained: Span, size: int) -> Span:
    own, reached = together([share, attained.cut(_WHOLE)], size)
    return Span(own.rows, recoverable_share(own.lo, reached.hi), recoverable_share(own.hi, reached.lo))


def gain_of(recoverable: Span) -> Span:
    """Return the improvement factor of removing a recoverable share."""
    lo = gain_of_share(recoverable.lo)
    return Span(recoverable.rows, lo, lo if recoverable.lo is recoverable.hi else gain_of_share(recoverable.hi))


def gain_of_share(share: Floats) -> Floats:
    """Return the improvement factor of removing a share, infinite where it is all of it."""
    return ceiling(np.clip(share, 0.0, 1.0))


class Evidence:
    """Collects pieces of evidence as bits; in each group only the strongest plus and minus count."""

    def __init__(self, base: Base, size: int) -> None:
        self.base = base
        self.size = size
        self.own: dict[str, Words] = {}
        self.denied: dict[str, Words] = {}
        self._sides: dict[str, dict[tuple[str, str], Words]] = {"suggest": {}, "support": {}, "weaken": {}}

    def add(self, hypothesis: str, verb: str, group: str, rows: Words) -> None:
        """Add one piece in the rows where it is given."""
        if not some(rows):
            return
        if verb in ("confirm", "refute"):
            decided = self.own if verb == "confirm" else self.denied
            decided[hypothesis] = decided[hypothesis] | rows if hypothesis in decided else rows
            return
        side = self._sides[verb]
        key = (hypothesis, group)
        side[key] = side[key] | rows if key in side else rows

    def scores(self) -> tuple[Scores, Codes]:
        """Return the sum over groups, one line a hypothesis: suggest counts 1, support 2, weaken -2.

        The codes are the statuses that follow from it where nothing is confirmed or refuted.
        """
        places = {name: place for place, name in enumerate(self.base.hypotheses)}
        scores = np.zeros((len(places), self.size), np.int16)
        codes = np.full(scores.shape, CANDIDATE, np.uint8)
        for name, groups in self._groups().items():
            # small numbers are added in a quarter of the time, and no sum of these is larger than one of them
            kind = np.int8 if 2 * len(groups) <= _LARGEST else np.int16
            line: npt.NDArray[np.signedinteger[Any]] = np.zeros(self.size, kind)
            for group in groups:
                self._add(line, (name, group))
            scores[places[name]] = line
            codes[places[name]] -= (line >= SUPPORTED_FROM).view(np.uint8)
        return scores, codes

    def _groups(self) -> dict[str, dict[str, None]]:
        """Return by hypothesis the groups that say anything of it."""
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for side in self._sides.values():
            for name, group in side:
                found[name][group] = None
        return found

    def _add(self, line: npt.NDArray[np.signedinteger], key: tuple[str, str]) -> None:
        """Add what one group says of a hypothesis."""
        weak, strong, against = (self._sides[verb].get(key) for verb in ("suggest", "support", "weaken"))
        if strong is not None:
            ones = unpacked(strong, self.size).view(np.int8)
            line += ones
            line += ones if weak is None else unpacked(weak | strong, self.size).view(np.int8)
        elif weak is not None:
            line += unpacked(weak, self.size).view(np.int8)
        if against is not None:
            ones = unpacked(against, self.size).view(np.int8)
            line -= ones
            line -= ones


@dataclasses.dataclass(frozen=True, slots=True)
class Statuses:
    """The status of every hypothesis, one line each; where it is confirmed or conflicting also as bits."""

    codes: Codes
    confirmed: dict[str, Words]
    conflicting: dict[str, Words]
    refuted: frozenset[str]
    """Hypotheses that are refuted in some row."""

    def settled(self, base: Base, size: int) -> Bools:
        """Return in which rows a hypothesis is confirmed beside which nothing of the target is missed."""
        found = none(size)
        for name in _settling(base, self.confirmed):
            found = found | self.confirmed[name]
        return unpacked(found, size)

    def without_settled(self, base: Base, rows: Bools) -> Statuses:
        """Return the statuses in which these are candidates in some rows: what confirms them speaks of less."""
        codes, confirmed = self.codes.copy(), dict(self.confirmed)
        for name in _settling(base, self.confirmed):
            here = unpacked(self.confirmed[name], len(rows))
            codes[list(base.hypotheses).index(name)][here & rows] = CANDIDATE
            confirmed[name] = packed(here & ~rows)
        return dataclasses.replace(self, codes=codes, confirmed=confirmed)


def _settling(base: Base, names: Iterable[str]) -> list[str]:
    return [name for name in names if base.hypotheses[name].model.settles]


def statuses(base: Base, evidence: Evidence, codes: Codes) -> Statuses:
    """Return the statuses: confirmation goes up to the ancestors, refutation down to the descendants, at once.

    ``codes`` are those by score alone, which are written over.
    """
    size = evidence.size
    held, refuted = dict(evidence.own), dict(evidence.denied)
    for name, hypothesis in base.hypotheses.items():
        for ancestor in hypothesis.ancestors:
            _join(held, ancestor, evidence.own.get(name))
            _join(refuted, name, evidence.denied.get(ancestor))
    confirmed: dict[str, Words] = {}
    conflicting: dict[str, Words] = {}
    nothing = none(size)
    for place, name in enumerate(base.hypotheses):
        true, false = held.get(name, nothing), refuted.get(name, nothing)
        both, line = true & false, codes[place]
        if some(true):
            line *= unpacked(~true, size).view(np.uint8)
        for words, code in ((false & ~true, REFUTED), (both, CONFLICTING)):
            if some(words):  # where the one is, the other is not, and both are more than what stands there
                np.maximum(line, unpacked(words, size).view(np.uint8) * np.uint8(code), out=line)
        for words, kept in ((true & ~both, confirmed), (both, conflicting)):
            if some(words):
                kept[name] = words
    return Statuses(codes, confirmed, conflicting, frozenset(name for name, words in refuted.items() if some(words)))


def _join(kept: dict[str, Words], name: str, more: Words | None) -> None:
    if more is not None:
        kept[name] = kept[name] | more if name in kept else more
