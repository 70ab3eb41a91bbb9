"""Scaling laws as a page: the fit, its intervals and predictions, a tail off the trend, the compute optimum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.physics.answers.scaling import REFIT, RULE
from dam_expert.physics.scaling import TOKENS_PER_PARAMETER
from dam_expert.reports.calculators.page import count, part
from dam_expert.reports.calculators.words import spoken
from dam_expert.reports.model import Line, Section, Tone

if TYPE_CHECKING:
    from dam_expert.physics.answers.scaling import Fit, Plan, Tail
    from dam_expert.reports.calculators.words import Words


def fit_sections(answer: Fit, of: str, words: Words | None = None) -> tuple[Section, ...]:
    """Return the page of a fit; ``of`` names the size: parameters, tokens or compute."""
    words = words or spoken()
    law, size = answer.law, words.say(f"size.{of}")
    items = [*_law(answer, size, words)]
    for each in answer.predictions:
        beyond = not law.smallest <= each.size <= law.largest
        key, tone = ("scaling.at_beyond", Tone.WARNING) if beyond else ("scaling.at", Tone.PLAIN)
        span = words.span(f"{each.lower:.4g}", f"{each.upper:.4g}")
        said = words.say(key, size=count(each.size), of=size, loss=f"{each.loss:.4g}", span=span)
        items.append(Line(said, mark="-", tone=tone))
    span = words.span(count(law.smallest / answer.furthest), count(law.largest * answer.furthest))
    items.append(Line(words.say("scaling.outside", span=span, of=size)))
    found = [Section(id="fit", title=words.say("scaling.title"), items=tuple(items))]
    if answer.tail is not None:
        found.append(_tail(answer.tail, words))
    return tuple(found)


def _law(answer: Fit, size: str, words: Words) -> tuple[Line, ...]:
    """Return the fitted law, the intervals of its constants, and what it was fitted over."""
    law, band = answer.law, answer.band
    fitted = len(answer.sizes) - (len(answer.tail.sizes) if answer.tail is not None else 0)
    constants = {"floor": law.floor, "coefficient": law.coefficient, "exponent": law.exponent}
    written = {name: f"{value:.4g}" for name, value in constants.items()}
    floor, exponent = (words.span(*(f"{end:.4g}" for end in ends)) for ends in (band.floor, band.exponent))
    over = words.span(count(law.smallest), count(law.largest))
    return (
        Line(words.say("scaling.law", of=size, **written), tone=Tone.STRONG),
        Line(words.say("scaling.intervals", level=part(band.confidence), floor=floor, exponent=exponent), mark="-"),
        Line(words.say("scaling.runs", n=fitted, span=over, of=size), mark="-"),
        Line(words.say("scaling.residual", value=f"{law.residual_std:.3g}"), mark="-"),
    )


def _tail(tail: Tail, words: Words) -> Section:
    key = "tail.above" if tail.excess > 0 else "tail.below"
    where = words.wording.count(key, len(tail.sizes), excess=f"{abs(tail.excess):.3g}")
    limit = f"{tail.limit:.3g}"
    if tail.causes:
        items = [
            Line(words.say("tail.left", where=where, limit=limit), tone=Tone.BAD),
            Line(words.say("tail.check")),
            *(
                Line(words.say("joined", label=words.text(cause.id), text=words.text(cause.check)), mark="-")
                for cause in tail.causes
            ),
        ]
    else:
        items = [Line(words.say("tail.on_trend", where=where, limit=limit), tone=Tone.GOOD)]
    return Section(id="tail", title=words.say("tail.title"), items=tuple(items))


def plan_sections(answer: Plan, starved: float, words: Words | None = None) -> tuple[Section, ...]:
    """Return the page of a training plan; below the share ``starved`` of the rule a model is starved of data."""
    words = words or spoken()
    ratio = answer.tokens_per_parameter
    sizes = {"parameters": count(answer.parameters), "tokens": count(answer.tokens)}
    items = [
        Line(words.say("plan.head", ratio=f"{ratio:.3g}", **sizes), tone=Tone.STRONG),
        Line(words.say("plan.compute", compute=f"{answer.compute_flops:.3g} FLOP")),
        Line(words.say("plan.loss", loss=f"{answer.loss:.4g}")),
        _judged(ratio / TOKENS_PER_PARAMETER, starved, words),
    ]
    lines = []
    for each in answer.optima:
        told = {"parameters": count(each.parameters), "tokens": count(each.tokens)}
        told |= {"source": words.text(each.source), "ratio": f"{each.tokens_per_parameter:.3g}"}
        key = "plan.optimum"
        if each.loss is not None:
            told["loss"], key = f"{each.loss:.4g}", "plan.optimum_loss"
        use = Tone.PLAIN if each.source in (RULE, REFIT) else Tone.FAINT
        lines.append(Line(words.say(key, **told), mark="-", tone=use))
    lines.append(Line(words.say("plan.contradiction")))
    return (
        Section(id="plan", title=words.say("plan.title"), items=tuple(items)),
        Section(id="optima", title=words.say("plan.optima"), items=tuple(lines)),
    )


def _judged(over_rule: float, starved: float, words: Words) -> Line:
    if over_rule < starved:
        return Line(words.say("plan.starved", share=part(over_rule)), tone=Tone.BAD)
    if over_rule > 1 / starved:
        return Line(words.say("plan.past"))
    return Line(words.say("plan.near"), tone=Tone.GOOD)
