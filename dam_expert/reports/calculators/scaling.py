"""Scaling laws as a page: the fit, its intervals and predictions, a tail off the trend, the compute optimum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.physics.answers.scaling import REFIT, RULE
from dam_expert.physics.scaling import TOKENS_PER_PARAMETER
from dam_expert.reports.calculators.page import count, part
from dam_expert.reports.model import Line, Section, Tone

if TYPE_CHECKING:
    from dam_expert.physics.answers.scaling import Fit, Plan, Tail

_SCOPE = "Held-out loss in nats of dense autoregressive transformers; no promise of task accuracy."


def fit_sections(answer: Fit, of: str) -> tuple[Section, ...]:
    """Return the page of a fit; ``of`` names the size: parameters, tokens or compute."""
    law, band = answer.law, answer.band
    level = part(band.confidence)
    fitted = len(answer.sizes) - (len(answer.tail.sizes) if answer.tail is not None else 0)
    items = [
        Line(f"loss = {law.floor:.4g} + {law.coefficient:.4g} × {of}^-{law.exponent:.4g}", tone=Tone.STRONG),
        Line(f"{level} intervals: floor {_span(band.floor)}, exponent {_span(band.exponent)}", mark="-"),
        Line(f"{fitted} runs, fitted over {count(law.smallest)} to {count(law.largest)} {of}", mark="-"),
        Line(f"residual standard deviation {law.residual_std:.3g}", mark="-"),
    ]
    low, high = count(law.smallest / answer.furthest), count(law.largest * answer.furthest)
    for each in answer.predictions:
        said = f"at {count(each.size)} {of}: {each.loss:.4g} ({each.lower:.4g} to {each.upper:.4g})"
        beyond = "" if law.smallest <= each.size <= law.largest else ", past the fitted range"
        items.append(Line(said + beyond, mark="-", tone=Tone.WARNING if beyond else Tone.PLAIN))
    items.append(Line(f"Outside {low} to {high} {of} nothing is predicted: the law holds where it was fitted."))
    found = [Section(id="fit", title="Scaling law", items=tuple(items))]
    if answer.tail is not None:
        found.append(_tail(answer.tail))
    return tuple(found)


def _span(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.4g} to {ends[1]:.4g}"


def _tail(tail: Tail) -> Section:
    runs = f"{len(tail.sizes)} later run{'s' if len(tail.sizes) > 1 else ''}"
    where = f"{runs}, on average {abs(tail.excess):.3g} {'above' if tail.excess > 0 else 'below'} the fit"
    if not tail.causes:
        return Section(
            id="tail",
            title="Later runs",
            items=(Line(f"{where}, within {tail.limit:.3g}: on the trend.", tone=Tone.GOOD),),
        )
    items = [
        Line(f"{where}, more than {tail.limit:.3g}: the curve has left its trend.", tone=Tone.BAD),
        Line("Flatness alone does not say why. Check, before more compute or parameters:"),
        *(Line(f"{cause.id}: {cause.check}", mark="-") for cause in tail.causes),
    ]
    return Section(id="tail", title="Later runs", items=tuple(items))


def plan_sections(answer: Plan, starved: float) -> tuple[Section, ...]:
    """Return the page of a training plan; below the share ``starved`` of the rule a model is starved of data."""
    ratio = answer.tokens_per_parameter
    title = f"{count(answer.parameters)} parameters, {count(answer.tokens)} tokens: {ratio:.3g} tokens per parameter"
    items = [
        Line(title, tone=Tone.STRONG),
        Line(f"Compute 6 × parameters × tokens = {answer.compute_flops:.3g} FLOP."),
        Line(f"Loss by the refit: {answer.loss:.4g}. {_SCOPE}"),
        _judged(ratio / TOKENS_PER_PARAMETER, starved),
    ]
    lines = []
    for each in answer.optima:
        said = f"{count(each.parameters)} parameters, {count(each.tokens)} tokens, {each.tokens_per_parameter:.3g} each"
        loss = "" if each.loss is None else f", loss {each.loss:.4g}"
        use = Tone.PLAIN if each.source in (RULE, REFIT) else Tone.FAINT
        lines.append(Line(f"{each.source}: {said}{loss}", mark="-", tone=use))
    lines.append(
        Line(
            "The printed constants contradict the 20 to 1 that the same paper draws: they were rounded and the fit "
            "stopped early (Besiroglu et al. 2024). Use the rule or the refit."
        )
    )
    return (
        Section(id="plan", title="Training run", items=tuple(items)),
        Section(id="optima", title="Compute-optimal at this compute", items=tuple(lines)),
    )


def _judged(over_rule: float, starved: float) -> Line:
    if over_rule < starved:
        return Line(
            f"Starved of data: {part(over_rule)} of the rule; more parameters would be wasted, more tokens help.",
            tone=Tone.BAD,
        )
    if over_rule > 1 / starved:
        return Line("Far past the rule: a choice that makes inference cheap, at more compute for the same loss.")
    return Line("Near the compute optimum.", tone=Tone.GOOD)
