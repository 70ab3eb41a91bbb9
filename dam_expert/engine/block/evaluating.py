"""Evaluates a block: the same stages as for one incident, each on columns."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.documents.vocabulary import APART
from dam_expert.engine.block.asking import Asking
from dam_expert.engine.block.comparing import answer_to
from dam_expert.engine.block.expecting import Expected, Room, nothing_expected
from dam_expert.engine.block.firing import Firing
from dam_expert.engine.block.incidents import TRACK_CODES
from dam_expert.engine.block.judging import (
    STATUS_WORDS,
    SUPPORTED,
    Evidence,
    Shares,
    Statuses,
    gain_of_share,
    overclaimed,
    overfull,
    shares_of,
    statuses,
)
from dam_expert.engine.block.known import Known
from dam_expert.engine.block.ranking import NOBODY, Layout, Ranking
from dam_expert.engine.block.spans import NOWHERE, Bools, Floats, Span
from dam_expert.engine.block.wholes import exceeded
from dam_expert.engine.block.words import Words, none, of_rows, packed, some, unpacked
from dam_expert.engine.evidence import SOFTENED
from dam_expert.engine.leaves import probes_something
from dam_expert.kb.base import NO_EFFECT
from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import UPWARD, Binds, Comparison, Planned, Standing
from dam_expert.language.conditions import Known as KnownLeaf
from dam_expert.language.program import Question, Reading, Stage

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from dam_expert.engine.block.comparing import Answer
    from dam_expert.engine.block.incidents import Block
    from dam_expert.kb.base import Base, Rule

    Codes = npt.NDArray[np.int8]


#: The statuses of a diagnosis, by code.
DIAGNOSIS: Final = ("resolved", "conflicting", "confirmed", "no_fault", "supported", "undetermined")


@dataclasses.dataclass(frozen=True, slots=True)
class Ends:
    """Both ends of an interval in every row, NaN where it is unknown."""

    lo: Floats
    hi: Floats


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Fired:
    """What the rules made of a block. ``full`` and ``reduced`` say by rule of the program where it fired."""

    known: Known
    firing: Firing
    shares: Shares
    statuses: Statuses
    scores: npt.NDArray[np.int16]
    track: Codes
    beside_target: Bools
    """Where the target is met, and what is judged is a failure on another track."""
    full: dict[int, Words]
    reduced: dict[int, Words]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class BlockVerdict:
    """What was concluded of every row. Hypotheses are numbered in the order of the base, -1 where there is none."""

    names: tuple[str, ...]
    status: npt.NDArray[np.uint8]
    """The status of every hypothesis, a row an incident."""
    score: npt.NDArray[np.int16]
    diagnosis: Codes
    """The status of the diagnosis, an index into ``DIAGNOSIS``."""
    binding: npt.NDArray[np.int32]
    leading: npt.NDArray[np.int32]
    first: npt.NDArray[np.int32]
    """The first hypotheses in rank."""
    share: Ends
    recoverable: Ends
    ceiling: Ends
    """Of the binding hypothesis; unknown where none binds or where it has no meaning."""
    track: Codes
    full: dict[int, Words]
    """Where each rule of the program fired at full strength, of those that fired anywhere."""
    reduced: dict[int, Words]
    fired: Fired

    def rules(self, which: dict[int, Words]) -> list[list[int]]:
        """Return by row which rules fired, as positions in the program."""
        size = len(self.binding)
        found: list[list[int]] = [[] for _ in range(size)]
        for position in sorted(which):
            for row in np.flatnonzero(unpacked(which[position], size)).tolist():
                found[row].append(position)
        return found


class Evaluator:
    """Evaluates blocks with one base; what depends on the base alone is worked out once."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self.layout = Layout(base)
        self.place = {name: place for place, name in enumerate(base.hypotheses)}
        self.rules = [base.rules[rule.id] for rule in base.program.rules]
        self.by_stage = {
            stage: [
                position
                for position, rule in enumerate(self.rules)
                if rule.stage is stage and rule.model.status != "draft"
            ]
            for stage in Stage
        }

        self.asked = {node.question: position for position, node in enumerate(base.program.nodes) if node.question}
        """By what is asked the leaf of the program that asks it."""
        self.asking = {stage: Asking(base, stage) for stage in Stage}
        """By stage what its rules ask."""
        self.probes = [
            (position, name, leaves)
            for position in self.by_stage[Stage.EVIDENCE]
            for name, leaves in _probes(base, self.rules[position])
        ]
        """The rules whose probes give a share, each with the hypothesis that it confirms and its probes."""

    def evaluate(self, block: Block, *, ranked: int = 4) -> BlockVerdict:
        """Evaluate a block. ``ranked`` is how many hypotheses of each row are put in order."""
        return _Judging(self, block, self.fire(block)).verdict(ranked)

    def fire(self, block: Block) -> Fired:
        """Evaluate a block as far as statuses and the rules of sanity and evidence, without ranking anything."""
        return _Firing(self, block).fired()


def evaluate_block(base: Base, block: Block, *, ranked: int = 4) -> BlockVerdict:
    """Evaluate one block; for several of one base an :class:`Evaluator` is kept."""
    return Evaluator(base).evaluate(block, ranked=ranked)


def _probes(base: Base, rule: Rule) -> Iterator[tuple[str, tuple[Comparison, ...]]]:
    """Yield the hypotheses that a rule confirms and that have a share of time, each with the probes that decide it."""
    leaves = tuple(
        leaf
        for leaf in expanded_leaves(rule.when, base.symptom_trees)
        if isinstance(leaf, Comparison) and leaf.decides and probes_something(leaf, base)
    )
    for verb, name in rule.conclusions if leaves and rule.model.status != "test" else ():
        hypothesis = base.hypotheses.get(name)
        if verb == "confirm" and hypothesis is not None and hypothesis.term not in ("fit", "learning"):
            yield name, leaves


class _Firing:
    """One block on its way through the stages up to the statuses."""

    def __init__(self, evaluator: Evaluator, block: Block) -> None:
        self.base = evaluator.base
        self.evaluator = evaluator
        self.block = block
        self.firing = Firing(self.base.program, block.size)
        self.full: dict[int, Words] = {}
        self.reduced: dict[int, Words] = {}

    def fired(self) -> Fired:
        known = self._sane()
        shares = shares_of(self.base, known)
        before = shares_of(self.base, known, older=True) if self.block.stale else shares
        room = Room(self.base, known, before.share)
        expected = Expected(self.block.size, before.recoverable, room.most, self.block.miss)
        self.firing.run(Stage.EVIDENCE, self.evaluator.asking[Stage.EVIDENCE].answers(known, expected))
        fire_stage(self.firing, self.evaluator.by_stage[Stage.EVIDENCE], self.full, self.reduced)
        evidence = self._evidence()
        scores, standing = evidence.scores()
        stands = statuses(self.base, evidence, standing)
        settled = stands.settled(self.base, self.block.size)
        track, beside = self._track(settled | self.block.resolved)
        return Fired(
            known=known,
            firing=self.firing,
            shares=self._probed(shares, known, expected),
            statuses=stands.without_settled(self.base, beside) if (beside & settled).any() else stands,
            scores=scores,
            track=track,
            beside_target=beside,
            full=self.full,
            reduced=self.reduced,
        )

    def _sane(self) -> Known:
        """Run the rules of sanity on what was observed, and return what is left."""
        raw = Known(self.base, self.block, raw=True)
        answers = self.evaluator.asking[Stage.SANITY].answers(raw, nothing_expected(self.block.size))
        self.firing.run(Stage.SANITY, answers)
        fire_stage(self.firing, self.evaluator.by_stage[Stage.SANITY], self.full, self.reduced)
        sides: dict[str, dict[str, Words]] = {"reject": {}, "doubt": {}}
        for position in self.evaluator.by_stage[Stage.SANITY]:
            rows = self.full.get(position)
            if rows is None:
                continue
            for verb, name in self.evaluator.rules[position].conclusions:
                side = sides[verb]
                side[name] = side[name] | rows if name in side else rows
        rejected, doubted = sides["reject"], sides["doubt"]
        known = Known(self.base, self.block, rejected=rejected, doubted=doubted)
        contested = [*overclaimed(self.base, known), *exceeded(self.base, known).items()]
        impossible = [*overfull(self.base, known).items(), *contested]
        if not impossible:
            return known
        for name, rows in impossible:
            doubted[name] = doubted[name] | rows if name in doubted else rows
        return known.doubting(doubted)

    def _evidence(self) -> Evidence:
        evidence = Evidence(self.base, self.block.size)
        nothing = none(self.block.size)
        for position in self.evaluator.by_stage[Stage.EVIDENCE]:
            full, reduced = self.full.get(position, nothing), self.reduced.get(position, nothing)
            rule = self.evaluator.rules[position]
            on_trial = rule.model.status == "test"
            for verb, name in rule.conclusions if position in self.full or position in self.reduced else ():
                soft = SOFTENED.get(verb)
                if soft is None:
                    evidence.add(name, verb, rule.group, full | reduced)
                    continue
                if not on_trial:
                    evidence.add(name, verb, rule.group, full)
                evidence.add(name, soft, rule.group, (full | reduced) if on_trial else reduced)
        self._tried_in_vain(evidence)
        return evidence

    def _tried_in_vain(self, evidence: Evidence) -> None:
        no_effect = self.base.constant(NO_EFFECT)
        rows: dict[str, list[int]] = {}
        for row, plans in self.block.plans.items():
            for lever in plans.in_vain(no_effect):
                rows.setdefault(lever, []).append(row)
        for lever, where in rows.items():
            words = of_rows(np.array(where, np.intp), self.block.size)
            for name in self.base.levers[lever].model.works_on:
                evidence.add(name, "weaken", f"tried.{lever}", words)

    def _probed(self, shares: Shares, known: Known, expected: Expected) -> Shares:
        """Add the shares that confirming probes give, where nothing was measured."""
        share, recoverable = dict(shares.share), dict(shares.recoverable)
        size = self.block.size
        for position, name, leaves in self.evaluator.probes:
            full = self.full.get(position)
            if full is None:
                continue
            wanted = unpacked(full, size).copy()
            wanted[shares.share.get(name, NOWHERE).rows] = False
            probed = self._probe_share(name, leaves, wanted, known, expected)
            for one in (name, *self.base.hypotheses[name].ancestors) if probed.rows.size else ():
                before, given = share.get(one, NOWHERE), recoverable.get(one, NOWHERE)
                share[one] = before.otherwise(probed, size)
                recoverable[one] = share[one] if given is before else given.otherwise(probed, size)
        return Shares(share, recoverable)

    def _probe_share(
        self, hypothesis: str, leaves: tuple[Comparison, ...], wanted: Bools, known: Known, expected: Expected
    ) -> Span:
        """Return the shares that the probes of one rule give in the rows that are wanted, of several the first."""
        found, size = NOWHERE, self.block.size
        for leaf in leaves:
            value = known.present(leaf.column).where(wanted)
            if not value.rows.size:
                continue
            question = Question(leaf, Reading.STRICT, (hypothesis,))
            position = self.evaluator.asked.get(question)
            if position is None:
                certain, settled = answer_to(question, known, expected)
            else:
                certain, settled = self.firing.answer(position)
            up = certain if leaf.operator in UPWARD else settled & ~certain
            above = value.only(unpacked(up, size)[value.rows] & (value.lo >= 1.0))
            lo = 1.0 - 1.0 / above.lo
            hi = lo if above.lo is above.hi else 1.0 - 1.0 / above.hi
            found = found.otherwise(Span(above.rows, lo, hi), size)
        return found

    def _track(self, met: Bools) -> tuple[Codes, Bools]:
        """Return the track of every row, and where it is another than that of its target, which is met."""
        track = self.block.track.copy()
        unstated = track < 0
        beside = np.zeros(self.block.size, bool)
        for name, symptom in self.base.symptoms.items():
            if symptom.track is None:
                continue
            code = np.int8(TRACK_CODES[symptom.track])
            free = track < 0
            if symptom.track in APART:
                other = met & ~unstated & ~beside & (track != code)
                free = free | other
            if free.any():
                told = unpacked(self.firing.symptom(name), self.block.size) & free
                beside |= told & ~unstated
                track[told] = code
        track[track < 0] = TRACK_CODES["time"]
        return track, beside


class _Judging:
    """One block from the statuses to the verdict and the advice."""

    def __init__(self, evaluator: Evaluator, block: Block, fired: Fired) -> None:
        self.evaluator = evaluator
        self.base = evaluator.base
        self.block = block
        self.fired = fired
        self.ranking = Ranking(evaluator.layout, fired.statuses, fired.scores, fired.shares, fired.track)

    def verdict(self, ranked: int) -> BlockVerdict:
        layout = self.evaluator.layout
        settled = self.fired.statuses.settled(self.base, self.block.size)
        binding = np.where(settled, np.int32(NOBODY), self.ranking.binding())
        best, first = self.ranking.first(ranked)
        led = ((best >> layout.status_at) == SUPPORTED) if first.size else np.zeros(self.block.size, bool)
        leading = np.where(binding >= 0, binding, np.where(led & ~settled, first[:, 0], np.int32(NOBODY)))
        full, reduced = dict(self.fired.full), dict(self.fired.reduced)
        self.fired.firing.run(Stage.ADVICE, self._answers(binding))
        fire_stage(self.fired.firing, self.evaluator.by_stage[Stage.ADVICE], full, reduced)
        share, recoverable = (
            self._of(binding, known) for known in (self.fired.shares.share, self.fired.shares.recoverable)
        )
        return BlockVerdict(
            names=tuple(self.base.hypotheses),
            status=self.fired.statuses.codes.T,
            score=self.fired.scores.T,
            diagnosis=self._diagnosis(settled, binding, leading),
            binding=binding,
            leading=leading.astype(np.int32),
            first=first,
            share=share,
            recoverable=recoverable,
            ceiling=self._ceiling(binding, recoverable),
            track=self.fired.track,
            full=full,
            reduced=reduced,
            fired=self.fired,
        )

    def _diagnosis(self, settled: Bools, binding: npt.NDArray[np.int32], leading: npt.NDArray[np.int32]) -> Codes:
        size, confirmed = self.block.size, self.fired.statuses.confirmed
        hypotheses = self.evaluator.layout.hypotheses
        innocent = none(size)
        for place in self.evaluator.layout.innocent:
            found = confirmed.get(hypotheses[place].id)
            if found is not None:
                innocent = innocent | (found & self.ranking.on_track(place))
        cases: tuple[tuple[Bools, str], ...] = (
            (self.block.resolved & ~self.fired.beside_target, "resolved"),
            (unpacked(self.ranking.in_dispute(), size), "conflicting"),
            (binding >= 0, "confirmed"),
            (settled, "no_fault"),
            (unpacked(innocent, size) & self.block.has_target, "no_fault"),
            (leading >= 0, "supported"),
        )
        codes = np.full(size, DIAGNOSIS.index("undetermined"), np.int8)
        for rows, word in reversed(cases):
            codes[rows] = DIAGNOSIS.index(word)
        return codes

    def _of(self, column: npt.NDArray[np.int32], spans: dict[str, Span]) -> Ends:
        """Return the span of the hypothesis that each row names."""
        lo, hi = np.full(self.block.size, np.nan), np.full(self.block.size, np.nan)
        for place in np.unique(column).tolist():
            span = spans.get(self.evaluator.layout.hypotheses[place].id) if place >= 0 else None
            if span is not None:
                here = span.where(column == place)
                lo[here.rows], hi[here.rows] = here.lo, here.hi
        return Ends(lo, hi)

    def _ceiling(self, binding: npt.NDArray[np.int32], recoverable: Ends) -> Ends:
        hypotheses = self.evaluator.layout.hypotheses
        without = np.array([h.term in ("fit", "learning") for h in hypotheses] + [True])
        missing = without[binding] | self.block.percentile
        return Ends(*(np.where(missing, np.nan, gain_of_share(end)) for end in (recoverable.lo, recoverable.hi)))

    def _answers(self, binding: npt.NDArray[np.int32]) -> dict[int, Answer]:
        """Answer what advice asks: comparisons as in evidence, and what the verdict says."""
        asking = self.evaluator.asking[Stage.ADVICE]
        answers = asking.answers(self.fired.known, nothing_expected(self.block.size))
        for position, leaf in asking.about_verdict:
            answers[position] = (self._about_verdict(leaf, binding), self.fired.known.full)
        return answers

    def _about_verdict(self, leaf: object, binding: npt.NDArray[np.int32]) -> Words:
        known, size = self.fired.known, self.block.size
        match leaf:
            case KnownLeaf(column, wanted):
                return known.has(column) if wanted else known.full & ~known.has(column)
            case Standing(hypothesis, word):
                place = self.evaluator.place[hypothesis]
                return packed(self.fired.statuses.codes[place] == STATUS_WORDS.index(word))
            case Binds(what):
                named = [self._names(h.id, what) for h in self.evaluator.layout.hypotheses]
                return packed(np.array([*named, False])[binding])
            case Planned(lever):
                rows = [row for row, plans in self.block.plans.items() if lever in plans.planned]
                return of_rows(np.array(rows, np.intp), size)
            case _:
                raise TypeError(f"not about the verdict: {leaf}")

    def _names(self, hypothesis: str, what: str) -> bool:
        model = self.base.hypotheses[hypothesis]
        return what in (hypothesis, *model.ancestors, model.bottleneck)


def fire_stage(firing: Firing, positions: list[int], full: dict[int, Words], reduced: dict[int, Words]) -> None:
    """Note where the rules of a stage fired; what fired nowhere is left out."""
    for position in positions:
        found = firing.fired(position)
        if found is None:
            continue
        at_full, at_reduced = found
        if some(at_full):
            full[position] = at_full
        if at_reduced is not None and some(at_reduced):
            reduced[position] = at_reduced
