"""One evaluation: runs an incident through the stages and keeps everything that was concluded on the way."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.engine.accelerator import fitting_ways, vendor_of
from dam_expert.engine.asked import answers, answers_about_the_verdict, read_by_sanity
from dam_expert.engine.budget import Shares, gain, most_gained, overfull, shares_of
from dam_expert.engine.claims import overclaimed
from dam_expert.engine.columns import Columns, bare
from dam_expert.engine.counting_executor import settled_nodes
from dam_expert.engine.evidence import Piece, Standings, pieces_of, settles, standings, without
from dam_expert.engine.interventions import Current, current
from dam_expert.engine.leaves import NOTHING_EXPECTED, Expectation, points_up, probes_something, truth_of
from dam_expert.engine.situation import Plans, miss_of, plans_of, situation_of
from dam_expert.engine.verdict import Judge, Verdict
from dam_expert.engine.wholes import exceeded
from dam_expert.kb.base import NO_EFFECT
from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import Binds, Comparison, Known, Leaf, Planned, Standing
from dam_expert.language.program import Question, Reading, Stage
from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dam_expert.documents.incident import Incident
    from dam_expert.engine.accelerator import Ways
    from dam_expert.engine.executor import Executor, Firing
    from dam_expert.engine.verdict import Situation
    from dam_expert.kb.base import Base
    from dam_expert.kb.models import ObtainModel


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """Everything that one evaluation concluded; the diagnosis document is written from it."""

    base: Base
    incident: Incident
    now: Current
    raw: Columns
    columns: Columns
    beyond: Mapping[str, str]
    """The measurements that decide nothing because parts exceed a whole, each with that whole."""
    plans: Plans
    expected: Expectation
    shares: Shares
    standings: Standings
    situation: Situation
    judge: Judge
    verdict: Verdict
    firings: tuple[Firing, ...]
    leaf_truths: Mapping[int, Truth]
    """The truths of the leaves of the program that are not unknown, by their positions."""
    contested: frozenset[str]
    """Probes, and parts of budgets beside them, that together would take more than the whole."""
    vendor: str | None
    """The maker of the accelerator in use, in lower case, or None where nothing tells."""
    workload: str | None
    """The kind of the job, or None where it is not known, or only said."""

    def ways(self, measurement: str) -> tuple[ObtainModel, ...]:
        """Return the ways to obtain a measurement here, the quickest first; none where its tools do not work here."""
        return self.all_ways()[measurement]

    def all_ways(self) -> Ways:
        """Return these by measurement."""
        return fitting_ways(self.base, self.vendor, self.workload)

    def truth(self, question: Question) -> Truth:
        """Return the truth of any leaf as it was asked."""
        leaf = question.leaf
        if isinstance(leaf, Comparison):
            if question.reading is Reading.RAW:
                return truth_of(question, self.raw, NOTHING_EXPECTED)
            return truth_of(question, self.columns, self.expected)
        return _about_verdict(leaf, self.base, self.columns, self.plans, self.standings, self.verdict)

    def node_truths(self) -> list[Truth]:
        """Return the truth of every node of the program."""
        settled = settled_nodes(self.base.program, self.leaf_truths)
        told = {True: Truth.TRUE, False: Truth.FALSE, None: Truth.UNKNOWN}
        return [told[settled.get(position)] for position in range(len(self.base.program.nodes))]


def evaluate(base: Base, incident: Incident, executor: Executor, *, drafts: bool = False) -> Evaluated:
    """Evaluate an incident. The executor fires the rules; all else is done here, the same for every executor.

    Rules that are drafts take part only if ``drafts`` says so, in tests of their own.
    """
    evaluation, left_out = executor.begin(), frozenset[str]() if drafts else _drafts(base)

    def run(stage: Stage, known: Mapping[int, Truth]) -> list[Firing]:
        fired = evaluation.run(stage, known)
        return [firing for firing in fired if firing.rule not in left_out] if left_out else fired

    now = current(base, incident)
    plans = plans_of(base, incident, now.effects)
    known = functools.partial(Columns, base, now.observations, plans.tried, stale=now.stale, done=plans.done)
    raw = known(raw=True, derived=read_by_sanity(base))
    first = answers(raw, NOTHING_EXPECTED, raw=True)
    insane = run(Stage.SANITY, first)
    rejected, doubted = _sanity(base, insane)
    believed = functools.partial(known, before=raw)
    columns, contested, beyond = _believed(base, doubted, lambda held: believed(rejected=rejected, doubted=held))
    shares = shares_of(base, columns)
    expected = _expected(base, incident, now, columns, shares)
    then = answers(columns, expected)
    fired = run(Stage.EVIDENCE, then)
    pieces = pieces_of(base, fired)
    stands = standings(base, [*pieces, *_tried_in_vain(base, plans)])
    shares = _with_probed(base, pieces, columns, expected, shares)
    settled = settles(base, stands)
    situation = situation_of(base, incident, evaluation.symptoms, now.target_met, settled=bool(settled))
    if situation.beside_target:
        stands = without(stands, settled)
    judge = Judge(base, stands, shares, situation)
    verdict = judge.verdict()
    binding = () if verdict.binding is None else _named_by(base, verdict.binding)
    last = answers_about_the_verdict(base.program, columns, plans.planned, stands.status, binding)
    advice = run(Stage.ADVICE, last)
    return Evaluated(
        base=base,
        incident=incident,
        now=now,
        raw=raw,
        beyond=beyond,
        columns=columns,
        plans=plans,
        expected=expected,
        shares=shares,
        standings=stands,
        situation=situation,
        judge=judge,
        verdict=verdict,
        firings=(*insane, *fired, *advice),
        leaf_truths=first | then | last,
        contested=contested,
        vendor=vendor_of(base, columns.cell, (one.origin.tool for one in (*incident.settings, *incident.observations))),
        workload=_workload(columns),
    )


def _believed(
    base: Base, doubted: frozenset[str], settle: Callable[[frozenset[str]], Columns]
) -> tuple[Columns, frozenset[str], dict[str, str]]:
    """Return the columns as they are believed: parts of a budget that add up to more than the whole are doubted too.

    So are a probe and the parts beside which what it gained would be more than the whole, and what belongs to another
    whole that its parts exceed: they come with the columns.
    """
    columns = settle(doubted)
    contested, beyond = overclaimed(base, columns), exceeded(base, columns)
    impossible = overfull(base, columns) | contested | beyond.keys()
    return settle(doubted | impossible) if impossible else columns, contested, beyond


def _expected(base: Base, incident: Incident, now: Current, columns: Columns, shares: Shares) -> Expectation:
    """Return what removing each cause should gain; for that what is older than a change still counts."""
    predicted = shares_of(base, columns, older=True) if now.stale else shares
    return Expectation(
        gain={name: gain(value) for name, value in predicted.recoverable.items()},
        miss=miss_of(base, incident, now.actual),
        most=most_gained(base, columns),
    )


def _workload(columns: Columns) -> str | None:
    cell = columns.cell(bare("workload_kind"))
    if cell is None or cell.basis is Basis.SAID or not isinstance(cell.value, str):
        return None
    return cell.value.strip().lower()


def _sanity(base: Base, firings: list[Firing]) -> tuple[dict[str, str], frozenset[str]]:
    """Return the rejected measurements with the reason of the first rule that rejects each, and the doubted ones."""
    rejected: dict[str, str] = {}
    doubted = set()
    for firing in firings:
        rule = base.rules[firing.rule]
        for verb, measurement in rule.conclusions:
            if verb == "reject":
                rejected.setdefault(measurement, f"{rule.model.because} ({rule.id})")
            else:
                doubted.add(measurement)
    return rejected, frozenset(doubted)


@functools.lru_cache(maxsize=8)
def _drafts(base: Base) -> frozenset[str]:
    """Return the rules that are drafts."""
    return frozenset(name for name, rule in base.rules.items() if rule.status == "draft")


def _tried_in_vain(base: Base, plans: Plans) -> list[Piece]:
    """Weaken the causes that a lever works on where it was tried and did nothing, never their parents."""
    pieces = []
    for lever in plans.in_vain(base.constant(NO_EFFECT)):
        for hypothesis in base.levers[lever].model.works_on:
            group = f"tried.{lever}"
            pieces.append(Piece(rule=group, hypothesis=hypothesis, verb="weaken", group=group))
    return pieces


def _with_probed(base: Base, pieces: list[Piece], columns: Columns, expected: Expectation, shares: Shares) -> Shares:
    """Add the shares that confirming probes give: an effect r stands for 1 - 1/r where nothing was measured."""
    share, recoverable = dict(shares.share), dict(shares.recoverable)
    for piece in pieces:
        if piece.verb != "confirm" or piece.hypothesis in shares.share:
            continue
        hypothesis = base.hypotheses[piece.hypothesis]
        if hypothesis.term in ("fit", "learning"):
            continue
        probed = _probed_share(base, piece, columns, expected)
        if probed is None:
            continue
        for name in (piece.hypothesis, *hypothesis.ancestors):
            share.setdefault(name, probed)
            recoverable.setdefault(name, probed)
    return dataclasses.replace(shares, share=share, recoverable=recoverable)


def _probed_share(base: Base, piece: Piece, columns: Columns, expected: Expectation) -> Interval | None:
    for leaf in _deciding_probes(base)[piece.rule]:
        truth = truth_of(Question(leaf, Reading.STRICT, (piece.hypothesis,)), columns, expected)
        value = columns.present(leaf.column)
        if truth is not Truth.UNKNOWN and points_up(leaf, truth) and value is not None and value.lo >= 1.0:
            return Interval(1.0 - 1.0 / value.lo, 1.0 - 1.0 / value.hi)
    return None


@functools.lru_cache(maxsize=8)
def _deciding_probes(base: Base) -> Mapping[str, tuple[Comparison, ...]]:
    """Return by rule the comparisons in its body by which a probe decides."""
    return {
        name: tuple(
            leaf
            for leaf in expanded_leaves(rule.when, base.symptom_trees)
            if isinstance(leaf, Comparison) and leaf.decides and probes_something(leaf, base)
        )
        for name, rule in base.rules.items()
    }


def _about_verdict(
    leaf: Leaf, base: Base, columns: Columns, plans: Plans, stands: Standings, verdict: Verdict
) -> Truth:
    match leaf:
        case Known(column, wanted):
            holds = (columns.cell(column) is not None) == wanted
        case Standing(hypothesis, status):
            holds = stands.status[hypothesis] == status
        case Planned(lever):
            holds = lever in plans.planned
        case Binds(what):
            holds = verdict.binding is not None and what in _named_by(base, verdict.binding)
        case _:
            raise TypeError(f"not about the verdict: {leaf}")
    return Truth.TRUE if holds else Truth.FALSE


def _named_by(base: Base, binding: str) -> tuple[str, ...]:
    """Everything that ``binding is`` may name: the hypothesis, its ancestors and their bottleneck."""
    hypothesis = base.hypotheses[binding]
    return (binding, *hypothesis.ancestors, hypothesis.bottleneck)
