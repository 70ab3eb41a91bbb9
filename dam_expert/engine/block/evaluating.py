"""Evaluates a block: the same stages as for one incident, each on columns."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

import numpy as np

from dam_expert.documents.vocabulary import TRACKS
from dam_expert.engine.block.comparing import Expected, Truths, truths_of
from dam_expert.engine.block.firing import Firing
from dam_expert.engine.block.judging import (
    CONFIRMED,
    CONFLICTING,
    STATUS_WORDS,
    SUPPORTED,
    Evidence,
    Ranking,
    Shares,
    Weigher,
    gain_of,
    most_gained,
    overfull,
    shares_of,
    statuses,
)
from dam_expert.engine.block.known import Known
from dam_expert.engine.block.spans import Bools, Floats, Span, unknown
from dam_expert.engine.evidence import SOFTENED
from dam_expert.kb.base import NO_EFFECT
from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import Binds, Comparison, Limit, Operator, Planned, Standing
from dam_expert.language.conditions import Known as KnownLeaf
from dam_expert.language.program import Join, Question, Reading, Stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from dam_expert.engine.block.incidents import Block
    from dam_expert.engine.block.judging import Codes
    from dam_expert.kb.base import Base

_UPWARD: Final = (Operator.MORE, Operator.AT_LEAST)
NOBODY: Final = -1


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class BlockVerdict:
    """What was concluded of every row. Hypotheses are columns in the order of the base, -1 where there is none."""

    names: tuple[str, ...]
    status: Codes
    """The status of every hypothesis."""
    score: npt.NDArray[np.int16]
    diagnosis: npt.NDArray[np.int8]
    """The status of the diagnosis, an index into ``DIAGNOSIS``."""
    binding: npt.NDArray[np.int32]
    leading: npt.NDArray[np.int32]
    first: npt.NDArray[np.int32]
    """The first hypotheses in rank."""
    share: Span
    recoverable: Span
    ceiling: Span
    """Of the binding hypothesis; unknown where none binds or where it has no meaning."""
    track: npt.NDArray[np.int8]
    full: Bools
    """Which rules fired at full strength; columns are the rules of the program."""
    reduced: Bools


#: The statuses of a diagnosis, by code.
DIAGNOSIS: Final = ("resolved", "conflicting", "confirmed", "no_fault", "supported", "undetermined")


def evaluate_block(base: Base, block: Block, *, ranked: int = 4) -> BlockVerdict:
    """Evaluate a block. ``ranked`` is how many hypotheses of each row are put in order."""
    return _Run(base, block).verdict(ranked)


class _Run:
    """One block on its way through the stages."""

    def __init__(self, base: Base, block: Block) -> None:
        self.base = base
        self.block = block
        self.firing = Firing(base.program, block.size)
        self.rules = [base.rules[rule.id] for rule in base.program.rules]

    def verdict(self, ranked: int) -> BlockVerdict:
        known = self._sane()
        shares = shares_of(self.base, known)
        gains = {name: gain_of(span) for name, span in shares.recoverable.items()}
        expected = Expected(gains, most_gained(self.base, known), self.block.miss)
        answers = self._answers(known, expected, (Reading.PLAIN, Reading.STRICT))
        self.firing.run(answers)
        evidence = self._evidence()
        shares = self._probed(shares, known, expected)
        status = statuses(self.base, evidence)
        track = self._track()
        on_track = self._on_track(track)
        ranking = Ranking(self.base, status, evidence, shares, on_track, self.block.size)
        roots, binding = self._binding(ranking)
        first = ranking.first(ranked)
        supported = _at(status, first[:, 0]) == SUPPORTED
        led = np.where(supported & _at(on_track, first[:, 0]), first[:, 0], NOBODY)
        leading = np.where(binding >= 0, binding, led).astype(np.int32)
        self.firing.run(self._about_verdict(known, status, binding))
        fired = [self._fired(position) for position in range(len(self.rules))]
        share, recoverable = self._of(binding, shares.share), self._of(binding, shares.recoverable)
        return BlockVerdict(
            names=ranking.names,
            status=status,
            score=evidence.score,
            diagnosis=self._diagnosis(ranking, status, on_track, roots, binding, leading),
            binding=binding,
            leading=leading,
            first=first,
            share=share,
            recoverable=recoverable,
            ceiling=self._ceiling(binding, recoverable),
            track=track,
            full=np.column_stack([full for full, _ in fired]) if fired else np.zeros((self.block.size, 0), bool),
            reduced=np.column_stack([soft for _, soft in fired]) if fired else np.zeros((self.block.size, 0), bool),
        )

    def _fired(self, position: int) -> tuple[Bools, Bools]:
        """Return in which rows a rule fired at full and at reduced strength; a draft does nowhere."""
        if self.rules[position].model.status == "draft":
            return np.zeros(self.block.size, bool), np.zeros(self.block.size, bool)
        return self.firing.fired(position)

    def _sane(self) -> Known:
        """Run the rules of sanity on what was observed, and return what is left."""
        raw = Known(self.base, self.block, raw=True)
        self.firing.run(self._answers(raw, Expected({}, {}, self.block.miss), (Reading.RAW,)))
        rejected: dict[str, Bools] = {}
        doubted: dict[str, Bools] = {}
        for position, rule in enumerate(self.rules):
            if rule.stage is not Stage.SANITY:
                continue
            rows, _ = self._fired(position)
            for verb, name in rule.conclusions if rows.any() else ():
                side = rejected if verb == "reject" else doubted
                side[name] = side[name] | rows if name in side else rows
        known = Known(self.base, self.block, rejected=rejected, doubted=doubted)
        impossible = overfull(self.base, known)
        if not impossible:
            return known
        for name, rows in impossible.items():
            doubted[name] = doubted[name] | rows if name in doubted else rows
        return Known(self.base, self.block, rejected=rejected, doubted=doubted)

    def _answers(self, known: Known, expected: Expected, readings: tuple[Reading, ...]) -> dict[int, Truths]:
        return {
            position: truths_of(node.question, known, expected)
            for position, node in enumerate(self.base.program.nodes)
            if node.join is Join.LEAF
            and node.question is not None
            and node.question.reading in readings
            and isinstance(node.question.leaf, Comparison)
        }

    def _evidence(self) -> Evidence:
        weigher = Weigher(self.base, self.block.size)
        for position, rule in enumerate(self.rules):
            if rule.stage is not Stage.EVIDENCE:
                continue
            full, reduced = self._fired(position)
            if not (full.any() or reduced.any()):
                continue
            on_trial = rule.model.status == "test"
            for verb, name in rule.conclusions:
                soft = SOFTENED.get(verb)
                if soft is None:
                    weigher.add(name, verb, rule.group, full | reduced)
                    continue
                if not on_trial:
                    weigher.add(name, verb, rule.group, full)
                weigher.add(name, soft, rule.group, (full | reduced) if on_trial else reduced)
        self._tried_in_vain(weigher)
        return weigher.weighed()

    def _tried_in_vain(self, weigher: Weigher) -> None:
        no_effect = self.base.constant(NO_EFFECT)
        rows: dict[str, Bools] = {}
        for row, plans in enumerate(self.block.plans):
            for lever, effect in plans.tried.items():
                nothing = effect in ("nothing", "worse") if isinstance(effect, str) else effect.hi < no_effect
                if nothing:
                    rows.setdefault(lever, np.zeros(self.block.size, bool))[row] = True
        for lever, where in rows.items():
            for name in self.base.levers[lever].model.works_on:
                weigher.add(name, "weaken", f"tried.{lever}", where)

    def _probed(self, shares: Shares, known: Known, expected: Expected) -> Shares:
        """Add the shares that confirming probes give, where nothing was measured."""
        share, recoverable = dict(shares.share), dict(shares.recoverable)
        for position, rule in enumerate(self.rules):
            if rule.stage is not Stage.EVIDENCE or rule.model.status == "test":
                continue
            full, _ = self._fired(position)
            for verb, name in rule.conclusions if full.any() else ():
                hypothesis = self.base.hypotheses.get(name)
                if verb != "confirm" or hypothesis is None or hypothesis.term in ("fit", "learning"):
                    continue
                measured = shares.share.get(name)
                rows = full if measured is None else full & ~measured.known
                probed = self._probe_share(rule.id, name, known, expected).where(rows)
                for one in (name, *hypothesis.ancestors) if rows.any() else ():
                    share[one] = share.get(one, unknown(self.block.size)).otherwise(probed)
                    recoverable[one] = recoverable.get(one, unknown(self.block.size)).otherwise(probed)
        return Shares(share, recoverable)

    def _probe_share(self, rule: str, hypothesis: str, known: Known, expected: Expected) -> Span:
        found = unknown(self.block.size)
        for leaf in expanded_leaves(self.base.rules[rule].when, self.base.symptom_trees):
            if not (isinstance(leaf, Comparison) and leaf.decides and known.is_probe(leaf.column)):
                continue
            if not isinstance(leaf.operand, Limit):
                continue
            question = Question(leaf, Reading.STRICT, (hypothesis,))
            certain, possible = truths_of(question, known, expected)
            value = known.span(leaf.column)
            up = certain if leaf.operator in _UPWARD else ~possible
            with np.errstate(invalid="ignore", divide="ignore"):
                rows = up & (value.lo >= 1.0)
                found = found.otherwise(Span(1.0 - 1.0 / value.lo, 1.0 - 1.0 / value.hi).where(rows))
        return found

    def _track(self) -> npt.NDArray[np.int8]:
        codes = {track: code for code, track in enumerate(TRACKS)}
        stated = np.array([-1 if track is None else codes[track] for track in self.block.track], np.int8)  # type: ignore[index]
        for name, symptom in self.base.symptoms.items():
            if symptom.track is not None and (stated < 0).any():
                stated = np.where((stated < 0) & self.firing.symptom(name), np.int8(codes[symptom.track]), stated)
        return np.where(stated < 0, np.int8(codes["time"]), stated)

    def _on_track(self, track: npt.NDArray[np.int8]) -> Bools:
        bound = np.array([[name in h.tracks for h in self.base.hypotheses.values()] for name in TRACKS])
        result: Bools = bound[track]
        return result

    def _binding(self, ranking: Ranking) -> tuple[Bools, npt.NDArray[np.int32]]:
        """Return the roots that compete, those with a confirmed member on the track, and what binds."""
        hypotheses = list(self.base.hypotheses.values())
        may = np.array([not h.ancestors and h.bottleneck != "none" for h in hypotheses])
        roots = np.column_stack([(ranking.binding & family).any(axis=1) for family in ranking.family]) & may[None, :]
        recoverable, share = ranking.weight
        worthy = (roots & (recoverable >= ranking.worth)).any(axis=1, keepdims=True)
        size = np.where(roots, np.where(worthy, recoverable, share), -1.0)
        winner = ranking.best(roots & (size == size.max(axis=1, keepdims=True)))
        binding = np.full(self.block.size, NOBODY, np.int32)
        depth = np.array([len(h.ancestors) for h in hypotheses])
        for column in range(len(hypotheses)):
            rows = winner == column
            if not rows.any():
                continue
            members = ranking.binding & ranking.family[column][None, :] & rows[:, None]
            deepest = np.where(members, depth[None, :], -1)
            binding = np.where(
                rows, ranking.best(members & (deepest == deepest.max(axis=1, keepdims=True))), binding
            ).astype(np.int32)
        return roots, binding

    def _diagnosis(
        self,
        ranking: Ranking,
        status: Codes,
        on_track: Bools,
        roots: Bools,
        binding: npt.NDArray[np.int32],
        leading: npt.NDArray[np.int32],
    ) -> npt.NDArray[np.int8]:
        disputed = (status == CONFLICTING) & on_track
        none = np.array([h.bottleneck == "none" for h in self.base.hypotheses.values()])
        innocent = ((status == CONFIRMED) & none[None, :]).any(axis=1)
        strongest, challenger = _heaviest(ranking, roots), _heaviest(ranking, disputed)
        wins = (challenger[0] > strongest[0]) | ((challenger[0] == strongest[0]) & (challenger[1] >= strongest[1]))
        in_dispute = disputed.any(axis=1) & (~roots.any(axis=1) | wins)
        cases: Sequence[tuple[Bools, str]] = (
            (self.block.resolved, "resolved"),
            (in_dispute, "conflicting"),
            (binding >= 0, "confirmed"),
            (innocent & self.block.has_target, "no_fault"),
            (leading >= 0, "supported"),
        )
        codes = np.select(
            [rows for rows, _ in cases], [DIAGNOSIS.index(word) for _, word in cases], DIAGNOSIS.index("undetermined")
        )
        return codes.astype(np.int8)

    def _of(self, column: npt.NDArray[np.int32], spans: dict[str, Span]) -> Span:
        """Return the span of the hypothesis that each row names."""
        found = unknown(self.block.size)
        for position, name in enumerate(self.base.hypotheses):
            rows = column == position
            if name in spans and rows.any():
                found = found.otherwise(spans[name].where(rows))
        return found

    def _ceiling(self, binding: npt.NDArray[np.int32], recoverable: Span) -> Span:
        without = np.array([h.term in ("fit", "learning") for h in self.base.hypotheses.values()] + [True])
        return gain_of(recoverable).where(~without[binding] & ~self.block.percentile)

    def _about_verdict(self, known: Known, status: Codes, binding: npt.NDArray[np.int32]) -> dict[int, Truths]:
        answers: dict[int, Truths] = {}
        place = {name: column for column, name in enumerate(self.base.hypotheses)}
        words = {word: code for code, word in enumerate(STATUS_WORDS)}
        for position, node in enumerate(self.base.program.nodes):
            leaf = None if node.question is None else node.question.leaf
            match leaf:
                case KnownLeaf(column, wanted):
                    rows = known.has(column) == wanted
                case Standing(hypothesis, word):
                    rows = status[:, place[hypothesis]] == words[word]
                case Binds(what):
                    named = [self._names(h, what) for h in self.base.hypotheses] + [False]
                    rows = np.array(named)[binding]
                case Planned(lever):
                    rows = np.array([lever in plans.planned for plans in self.block.plans], bool)
                case _:
                    continue
            answers[position] = (rows, rows)
        return answers

    def _names(self, hypothesis: str, what: str) -> bool:
        model = self.base.hypotheses[hypothesis]
        return what in (hypothesis, *model.ancestors, model.bottleneck)


def _at(matrix: npt.NDArray, columns: npt.NDArray[np.int32]) -> npt.NDArray:  # type: ignore[type-arg]
    """Return the entry of each row that a column names."""
    return np.take_along_axis(matrix, columns[:, None].astype(np.int64), axis=1)[:, 0]


def _heaviest(ranking: Ranking, among: Bools) -> tuple[Floats, Floats]:
    """Return the largest (recoverable, share) of each row among some hypotheses; negative if there is none."""
    recoverable, share = ranking.weight
    most = np.where(among, recoverable, -1.0).max(axis=1)
    level = among & (recoverable == most[:, None])
    return most, np.where(level, share, -1.0).max(axis=1)
