"""Makes the comparison document of two sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.documents.comparison import (
    BudgetChange,
    Comparison,
    HypothesisChange,
    LevelReport,
    LocalGain,
    MetricReport,
    PartChange,
    Prediction,
    SettingChange,
    SideReport,
)
from dam_expert.documents.diagnosis import extent
from dam_expert.documents.intervals import Interval
from dam_expert.reports.comparing.levels import Level, chance_of, common_metric, gain_of, level, other_work, outcome_of
from dam_expert.reports.glossary import as_interval

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from dam_expert.documents.comparison import Outcome
    from dam_expert.documents.diagnosis import Diagnosis, Extent, HypothesisReport


def compare(
    before: Sequence[Diagnosis],
    after: Sequence[Diagnosis],
    *,
    settings: Container[str] = (),
    noise: float | None = None,
    chance: float,
    lever: str | None = None,
) -> Comparison:
    """Compare two sides, each one diagnosis or the diagnoses of repeated runs, of which the first is shown.

    ``settings`` are the measurements that describe a job rather than its behaviour. ``noise`` is what the target varies
    by itself, as a share, where the caller knows it. ``chance`` is how often a difference may be called that is none:
    repeats that are too few for that decide nothing. ``lever`` is what was done, where the caller says so.
    """
    first, second = before[0], after[0]
    metric = common_metric(first, second)
    levels = None if metric is None else (level(before, metric[0], noise), level(after, metric[0], noise))
    outcome: Outcome = "incomparable"
    report: MetricReport | None = None
    if metric is not None and levels is not None and levels[0] is not None and levels[1] is not None:
        outcome = outcome_of(levels[0], levels[1], chance, higher_is_better=metric[1])
        report = _metric(metric, levels[0], levels[1], second)
        if other_work(metric[0], first, second):
            outcome = "incomparable"
    budget = _budget(before, after)
    moved = _hypotheses(first, second)
    return Comparison(
        outcome=outcome,
        metric=report,
        local_gains=list(_local(outcome, budget, moved, first, report)),
        prediction=_prediction(first, outcome, report, lever),
        budget=budget,
        hypotheses=moved,
        settings=list(_settings(first, second, settings)),
        before=_side(before),
        after=_side(after),
    )


def _side(side: Sequence[Diagnosis]) -> SideReport:
    first = side[0]
    return SideReport(
        id=first.incident.id,
        title=first.incident.title,
        runs=len(side),
        status=first.status,
        binding=first.binding.hypothesis if first.binding else None,
        claim=first.hypotheses[0].title if first.hypotheses else "",
    )


def _metric(metric: tuple[str, bool], before: Level, after: Level, second: Diagnosis) -> MetricReport:
    name, higher = metric
    gain = gain_of(_sure(before), _sure(after), higher_is_better=higher)
    wanted = second.target.wanted if second.target is not None and second.target.metric == name else None
    return MetricReport(
        metric=name,
        higher_is_better=higher,
        wanted=wanted,
        before=LevelReport(value=extent(before.value), noise=_rounded(before.noise), source=before.source),
        after=LevelReport(value=extent(after.value), noise=_rounded(after.noise), source=after.source),
        gain=extent(gain),
        chance=_rounded(chance_of(before, after)),
    )


def _sure(side: Level) -> Interval:
    """Return the range of a side that its gain is taken over: single steps say nothing of the range of their mean."""
    return side.value if side.range is None or side.source == "steps" else side.range


def _budget(before: Sequence[Diagnosis], after: Sequence[Diagnosis]) -> BudgetChange | None:
    """Put the budgets side by side, each value over all repeats; None where they are not of one kind."""
    sides = [[diagnosis.budget for diagnosis in side if diagnosis.budget is not None] for side in (before, after)]
    if not sides[0] or not sides[1] or sides[0][0].id != sides[1][0].id:
        return None
    shown, kept = sides[0][0], {part.id: part.title for budget in sides[0] + sides[1] for part in budget.parts}
    known = [
        {part: [each for budget in side for each in budget.parts if each.id == part] for part in kept} for side in sides
    ]
    parts = [
        PartChange(
            id=part,
            title=title,
            before_s=_hull([each.seconds for each in known[0][part]]),
            after_s=_hull([each.seconds for each in known[1][part]]),
            before_share=_hull([each.share for each in known[0][part]]),
            after_share=_hull([each.share for each in known[1][part]]),
        )
        for part, title in kept.items()
    ]
    return BudgetChange(
        of=shown.of,
        before_s=_hull([budget.total_s for budget in sides[0]]),
        after_s=_hull([budget.total_s for budget in sides[1]]),
        parts=parts,
        before_residual=_hull([budget.residual for budget in sides[0]]),
        after_residual=_hull([budget.residual for budget in sides[1]]),
    )


def _hull(values: Sequence[Extent]) -> Extent:
    """Return the range of several values; unknown where one of them is."""
    known = [interval for value in values if (interval := as_interval(value)) is not None]
    if not known or len(known) < len(values):
        return None
    hull = known[0]
    for interval in known[1:]:
        hull = hull.hull(interval)
    return extent(hull)


def _hypotheses(before: Diagnosis, after: Diagnosis) -> list[HypothesisChange]:
    """Return the hypotheses whose standing changed, and those confirmed on both sides, in the order of the second."""
    old = {each.id: (rank, each) for rank, each in enumerate(before.hypotheses, 1)}
    new = {each.id: (rank, each) for rank, each in enumerate(after.hypotheses, 1)}
    changes = []
    for name in dict.fromkeys([*new, *old]):
        rank_before, first = old.get(name, (None, None))
        rank_after, second = new.get(name, (None, None))
        if _moved(first, second):
            changes.append(
                HypothesisChange(
                    id=name,
                    title=_title(first, second),
                    before=first.status if first else None,
                    after=second.status if second else None,
                    before_rank=rank_before,
                    after_rank=rank_after,
                    before_share=first.share if first else None,
                    after_share=second.share if second else None,
                )
            )
    return changes


def _moved(first: HypothesisReport | None, second: HypothesisReport | None) -> bool:
    statuses = [each.status if each else None for each in (first, second)]
    return statuses[0] != statuses[1] or statuses == ["confirmed", "confirmed"]


def _title(first: HypothesisReport | None, second: HypothesisReport | None) -> str:
    return next(each.title for each in (second, first) if each is not None)


def _local(
    outcome: Outcome,
    budget: BudgetChange | None,
    moved: Sequence[HypothesisChange],
    before: Diagnosis,
    report: MetricReport | None,
) -> Iterator[LocalGain]:
    """Yield what improved by more than the noise of the whole while the whole did not improve."""
    if outcome not in ("same", "worse"):
        return
    noise = _noise_s(budget, report)
    for part in budget.parts if budget is not None else ():
        first, second = as_interval(part.before_s), as_interval(part.after_s)
        if noise is None or first is None or second is None or second.hi >= first.lo:
            continue
        if first.mid - second.mid > noise:
            yield LocalGain(kind="part", id=part.id, title=part.title, saved_s=_rounded(first.mid - second.mid))
    bound = before.binding.hypothesis if before.binding else None
    for change in moved:
        if change.id == bound and _is_cured(change):
            yield LocalGain(kind="cause", id=change.id, title=change.title, saved_s=None)


def _is_cured(change: HypothesisChange) -> bool:
    """Whether what bound was seen to bind no longer; not confirmed any more it also is where nobody measured it."""
    first, second = as_interval(change.before_share), as_interval(change.after_share)
    is_less = first is not None and second is not None and second.hi < first.lo
    return change.after == "refuted" or (change.after != "confirmed" and is_less)


def _noise_s(budget: BudgetChange | None, report: MetricReport | None) -> float | None:
    """Return what the totals of both sides vary by together, in seconds; None where that is not known."""
    if budget is None or report is None or report.before.noise is None or report.after.noise is None:
        return None
    totals = (as_interval(budget.before_s), as_interval(budget.after_s))
    if totals[0] is None or totals[1] is None:
        return None
    return totals[0].mid * report.before.noise + totals[1].mid * report.after.noise


def _rounded(value: float | None) -> float | None:
    """Keep 9 significant digits, as all numbers of the documents."""
    return None if value is None else float(f"{value:.9g}")


def _prediction(
    before: Diagnosis, outcome: Outcome, report: MetricReport | None, lever: str | None
) -> Prediction | None:
    """Return what was predicted: by the lever that was pulled, else by removing what bound."""
    advice = next((each for each in before.levers if each.id == lever), None)
    if advice is not None:
        title, ceiling = advice.title, as_interval(advice.ceiling)
    elif before.binding is not None:
        title, ceiling = before.binding.title, as_interval(before.binding.ceiling)
    else:
        return None
    gain = None if report is None else as_interval(report.gain)
    reached, exceeded = None, False
    if ceiling is not None and report is not None and gain is not None and outcome == "better" and ceiling.mid > 1.0:
        reached = (1.0 - 1.0 / _plain(report)) / (1.0 - 1.0 / ceiling.mid)
        exceeded = gain.lo > ceiling.hi
    return Prediction(
        lever=advice.id if advice else None,
        title=title,
        ceiling=extent(ceiling),
        reached=_rounded(reached),
        exceeded=exceeded,
    )


def _plain(report: MetricReport) -> float:
    """Return the gain without its noise: the ratio of what was stated or measured."""
    before, after = as_interval(report.before.value), as_interval(report.after.value)
    if before is None or after is None:
        return 1.0
    return gain_of(Interval.point(before.mid), Interval.point(after.mid), higher_is_better=report.higher_is_better).mid


def _settings(before: Diagnosis, after: Diagnosis, settings: Container[str]) -> Iterator[SettingChange]:
    """Yield the settings that both sides know and that differ."""
    sides = [
        {each.measurement: each.value for each in side.observations if each.measurement in settings and not each.scope}
        for side in (before, after)
    ]
    for name in sorted(sides[0].keys() & sides[1].keys()):
        if sides[0][name] != sides[1][name]:
            yield SettingChange(measurement=name, before=sides[0][name], after=sides[1][name])
