"""Advice: levers that work on what leads and those that would be wasted on it, and anti-patterns in what is planned."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final

from dam_expert.documents.diagnosis import AntiPatternReport, LeverAdvice, extent
from dam_expert.documents.intervals import Interval
from dam_expert.engine.remembered import remembered
from dam_expert.engine.situation import lever_names
from dam_expert.kb.base import ACTING_BEFORE_DIAGNOSING, NO_EFFECT, WASTED_ACTION, WORTH_RECOVERING, folded
from dam_expert.language.conditions import Column, Planned, leaves

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Literal

    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.base import Base, Hypothesis, Lever

#: The words in which levers state their effort, the least first.
_EFFORTS: Final = ("minutes", "an hour", "hours", "a day", "days", "weeks")
#: Why a lever that works on such a cause is none here.
TRIED_IN_VAIN: Final = "it was tried and did not help"
#: So many pieces of advice are remembered.
_REMEMBERED: Final = 2048
#: What a ceiling can be: a factor by which the target gets better. A formula that gives less says nothing.
_A_GAIN: Final = Interval(1.0, float("inf"))


def levers(evaluated: Evaluated) -> list[LeverAdvice]:
    """Return the levers that work on the leading hypothesis, by ceiling, fit and effort, then those wasted on it.

    Of the wasted ones those that somebody plans come first, then what is likeliest to be thought of. Where nothing is
    at fault, what was confirmed instead (more devices than the work needs, say) takes its place. Once the target is
    reached there are none. What was tried here and did not help is wasted, and what was done and kept is not advised
    again: it has gained what it gains. What shortens another part that is worth recovering is neither.
    """
    leading = evaluated.verdict.leading or _confirmed_innocent(evaluated)
    if leading is None or evaluated.verdict.status == "resolved":
        return []
    done, in_vain = _done(evaluated), evaluated.plans.in_vain(evaluated.base.constant(NO_EFFECT))
    recommended = _advised(evaluated, "recommend")
    warned = _advised(evaluated, "warn")
    helping, wasted = [], []
    fits = _fits(evaluated.base, leading)
    for name, lever in evaluated.base.levers.items():
        is_vain = fits.get(name) is False
        if name not in warned and is_vain and _gains_elsewhere(evaluated, lever, leading):
            continue
        if is_vain or name in warned:
            why = warned.get(name) or lever.model.why_wasted or _why_wasted(evaluated, leading)
            wasted.append(_advice(evaluated, lever, "wasted", None, why))
        elif name in done or not (fits.get(name) or name in recommended):
            continue
        elif name in in_vain:
            wasted.append(_advice(evaluated, lever, "wasted", None, TRIED_IN_VAIN))
        else:
            why = recommended.get(name) or f"it works on what binds: {evaluated.base.hypotheses[leading].model.title}"
            helping.append((_ceiling(evaluated, lever, leading), _advice(evaluated, lever, "works", leading, why)))
    helping.sort(key=lambda pair: _promise(evaluated, pair[0], pair[1], leading))
    ranks = {name: rank for rank, name in enumerate(evaluated.verdict.ranked)}
    return [advice for _, advice in helping] + sorted(wasted, key=lambda advice: _tempting(evaluated, advice, ranks))


@functools.lru_cache(maxsize=1024)
def _fits(base: Base, hypothesis: str) -> Mapping[str, bool]:
    """Return whether levers work on a hypothesis or are wasted on it; those that say nothing of it are left out."""
    cause = base.hypotheses[hypothesis]
    named = {name: lever for name, lever in base.levers.items() if _nearest(lever, cause) is not None}
    return {name: works(lever, cause) for name, lever in named.items()}


def _gains_elsewhere(evaluated: Evaluated, lever: Lever, leading: str) -> bool:
    """Whether a lever works on something beside the leading hypothesis that takes a part worth recovering itself."""
    worth, base = evaluated.base.constant(WORTH_RECOVERING), evaluated.base
    part = _root(base, leading)  # finer causes of one part share it
    others = (name for name in lever.model.works_on if _root(base, name) != part)
    alive = [name for name in others if evaluated.standings.status[name] != "refuted"]
    found = [evaluated.shares.recoverable.get(name) for name in alive]
    return any(recoverable is not None and recoverable.hi >= worth for recoverable in found)


def _root(base: Base, hypothesis: str) -> str:
    return (hypothesis, *base.hypotheses[hypothesis].ancestors)[-1]


def _tempting(evaluated: Evaluated, lever: LeverAdvice, ranks: Mapping[str, int]) -> tuple[bool, bool, bool, int, str]:
    """Return the place of a wasted lever: planned, tried, with a reason of its own, then by the causes it works on."""
    model = evaluated.base.levers[lever.id].model
    best = min((ranks[name] for name in model.works_on if name in ranks), default=len(ranks))
    return lever.planned is None, lever.why != TRIED_IN_VAIN, lever.why != model.why_wasted, best, lever.id


def _done(evaluated: Evaluated) -> frozenset[str]:
    """Return the levers of the changes that were kept."""
    names = lever_names(evaluated.base)
    kept = (names.get(folded(made.lever)) for made in evaluated.incident.interventions if made.kept)
    return frozenset(name for name in kept if name is not None)


def _promise(
    evaluated: Evaluated, ceiling: Interval | None, lever: LeverAdvice, leading: str
) -> tuple[float, bool, int, str]:
    """Return the place of a lever that works: by ceiling, then what works on the cause itself, then by effort."""
    beside = leading not in evaluated.base.levers[lever.id].model.works_on
    return -(ceiling.mid if ceiling is not None else 0.0), beside, _toil(lever), lever.id


def _toil(lever: LeverAdvice) -> int:
    """Return the place of a lever's effort among those that the base writes; one in other words comes last."""
    return _EFFORTS.index(lever.effort) if lever.effort in _EFFORTS else len(_EFFORTS)


def _confirmed_innocent(evaluated: Evaluated) -> str | None:
    """Return the first confirmed hypothesis of the ranking where the diagnosis finds no fault, else None."""
    if evaluated.verdict.status != "no_fault":
        return None
    return next((name for name in evaluated.verdict.ranked if evaluated.standings.status[name] == "confirmed"), None)


def is_wasted(evaluated: Evaluated, lever: Lever, hypothesis: str) -> bool:
    """Whether a lever gains nothing on a hypothesis."""
    return wastes(lever, evaluated.base.hypotheses[hypothesis])


def works(lever: Lever, hypothesis: Hypothesis) -> bool:
    """Whether a lever works on a hypothesis or on the family it belongs to: the nearest that it names decides."""
    named = _nearest(lever, hypothesis)
    return named in lever.model.works_on


def wastes(lever: Lever, hypothesis: Hypothesis) -> bool:
    """Whether a lever gains nothing on a hypothesis: of it, its family and bottleneck the nearest named says so."""
    named = _nearest(lever, hypothesis)
    return named is not None and named not in lever.model.works_on


def _nearest(lever: Lever, hypothesis: Hypothesis) -> str | None:
    """Return what a lever names of a hypothesis, its ancestors from the parent upwards, and its bottleneck."""
    named = (*lever.model.works_on, *lever.model.wasted_on)
    return next((name for name in (hypothesis.id, *hypothesis.ancestors, hypothesis.bottleneck) if name in named), None)


def anti_patterns(evaluated: Evaluated) -> list[AntiPatternReport]:
    """Return the anti-patterns that rules flag, then wasted plans and attempts, then acting before diagnosing."""
    found = list(_flagged(evaluated))
    named = {report.action for report in found}
    verdict, plans = evaluated.verdict, evaluated.plans
    attempts = (lever for lever in plans.tried_texts if not _gained(plans.tried.get(lever)))
    for lever in (*plans.planned, *attempts):
        text = plans.planned.get(lever) or plans.tried_texts.get(lever, lever)
        if text in named:
            continue
        moved = [lever] if lever not in plans.planned else [other for other, by in plans.planned.items() if by == text]
        if verdict.leading is not None and all(_gains_nothing(evaluated, one, verdict.leading) for one in moved):
            because = evaluated.base.levers[lever].model.why_wasted or _why_wasted(evaluated, verdict.leading)
            found.append(_report(evaluated, WASTED_ACTION, text, because, tried=lever not in plans.planned))
            named.add(text)
    if verdict.binding is None and verdict.status not in ("resolved", "no_fault"):
        hasty = dict.fromkeys(text for text in plans.planned.values() if text not in named)
        found += [_report(evaluated, ACTING_BEFORE_DIAGNOSING, text, "nothing is confirmed yet") for text in hasty]
    return found


def _gains_nothing(evaluated: Evaluated, lever: str, leading: str) -> bool:
    """Whether a lever is wasted on the leading hypothesis, or what is to be bought has no more of what it raises."""
    ratio = evaluated.plans.ratios.get(lever)
    no_more = ratio is not None and ratio.hi <= evaluated.base.constant(NO_EFFECT)
    return no_more or is_wasted(evaluated, evaluated.base.levers[lever], leading)


def _gained(effect: Interval | str | None) -> bool:
    """Whether an attempt did something for the target: then it was not wasted, whatever leads."""
    return effect == "helped" or (isinstance(effect, Interval) and effect.lo > 1.0)


def _flagged(evaluated: Evaluated) -> Iterator[AntiPatternReport]:
    for firing in evaluated.firings:
        rule = evaluated.base.rules[firing.rule]
        for verb, name in rule.conclusions:
            if verb == "flag":
                planned = [leaf.lever for leaf in leaves(rule.when) if isinstance(leaf, Planned)]
                texts = [evaluated.plans.planned[lever] for lever in planned if lever in evaluated.plans.planned]
                for text in dict.fromkeys(texts) or [rule.model.title]:
                    yield _report(evaluated, name, text, rule.model.because)


def _report(evaluated: Evaluated, name: str, action: str, because: str, *, tried: bool = False) -> AntiPatternReport:
    model = evaluated.base.anti_patterns[name]
    return AntiPatternReport(id=name, title=model.title, action=action, because=because, tried=tried)


def _advised(evaluated: Evaluated, wanted: str) -> dict[str, str]:
    """Return the levers that advice rules recommend or warn of, with the reason of the first."""
    found: dict[str, str] = {}
    for firing in evaluated.firings:
        rule = evaluated.base.rules[firing.rule]
        for verb, name in rule.conclusions:
            if verb == wanted:
                found.setdefault(name, rule.model.because)
    return found


def _ceiling(evaluated: Evaluated, lever: Lever, hypothesis: str) -> Interval | None:
    if lever.ceiling is None or not evaluated.judge.has_ceilings(hypothesis):
        return evaluated.judge.ceiling(hypothesis)
    value = evaluated.columns.present_value_of(lever.ceiling)
    return None if value is None else value.intersection(_A_GAIN)


def _within_purchase(evaluated: Evaluated, lever: Lever, hypothesis: str) -> Interval | None:
    """Return the ceiling of a lever; of a device that is to be bought also by how much more it has, by Amdahl's law."""
    most, ratio = _ceiling(evaluated, lever, hypothesis), evaluated.plans.ratios.get(lever.model.id)
    share = evaluated.shares.share.get(hypothesis)
    if ratio is None or share is None or lever.model.moves == "fit" or not evaluated.judge.has_ceilings(hypothesis):
        return most
    ends = ((share.lo, ratio.lo), (share.hi, ratio.hi))
    lo, hi = (1.0 / (1.0 - part + part / max(factor, 1.0)) for part, factor in ends)
    return Interval(lo, hi) if most is None else Interval(min(lo, most.lo), min(hi, most.hi))


def _advice(
    evaluated: Evaluated, lever: Lever, effect: Literal["works", "wasted"], hypothesis: str | None, why: str
) -> LeverAdvice:
    model = lever.model
    ceiling = None if hypothesis is None else extent(_within_purchase(evaluated, lever, hypothesis))
    how = _how(evaluated, lever) if effect == "works" else None
    planned = evaluated.plans.planned.get(model.id)

    def made() -> LeverAdvice:
        return LeverAdvice(
            id=model.id,
            title=model.title,
            effect=effect,
            ceiling=ceiling,
            effort=model.effort,
            how=how,
            verify_by=model.verify_by if effect == "works" else None,
            why=why,
            planned=planned,
        )

    return remembered(_said(evaluated.base), (model.id, effect, ceiling, how, why, planned), _REMEMBERED, made)


@functools.lru_cache(maxsize=4)
def _said(base: Base) -> dict[tuple[object, ...], LeverAdvice]:
    """Return what was said of the levers of a base, by all that it says."""
    return {}


def _how(evaluated: Evaluated, lever: Lever) -> str:
    """Return how to do it: in general words where another framework is in use than the one it is written for."""
    model, cell = lever.model, evaluated.columns.cell(Column("framework"))
    used = cell.value.casefold() if cell is not None and isinstance(cell.value, str) else None
    elsewhere = model.framework is not None and used is not None and model.framework not in used
    return model.how_elsewhere or model.how if elsewhere else model.how


def _why_wasted(evaluated: Evaluated, leading: str) -> str:
    return f"it does not touch what binds: {evaluated.base.hypotheses[leading].model.title}"
