"""The iron law of several phases, and of an observed step, as pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports.calculators.iron_law import NAMES
from dam_expert.reports.calculators.page import at_most, seconds
from dam_expert.reports.glossary import duration, factor, share
from dam_expert.reports.model import Bar, Line, Section, Tone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.physics.answers.iron_law import IronLaw
    from dam_expert.physics.answers.step_parts import Part, StepParts


def phase_sections(found: Sequence[tuple[str, IronLaw]]) -> tuple[Section, ...]:
    """Return the page of phases that run one after another: each with its terms, and the bounds of all."""
    total = sum(answer.sequential_s for _, answer in found)
    bound = sum(answer.bound_s for _, answer in found)
    bars = [
        Bar(
            label=name,
            low=answer.sequential_s / total,
            high=answer.sequential_s / total,
            text=f"{seconds(answer.sequential_s):>8}, {NAMES[answer.binding]} binds",
        )
        for name, answer in found
    ]
    largest, heaviest = max(found, key=lambda each: each[1].bound_s)
    said = (
        f"One after another {seconds(total)}; with overlap inside each phase at least {seconds(bound)}. Overlap alone "
        f"gives {at_most(total / bound)}."
    )
    first = f"The largest phase is {largest}: {NAMES[heaviest.binding]} binds it."
    return (Section(id="phases", title="Iron law by phase", items=(Line(first, tone=Tone.STRONG), *bars, Line(said))),)


def part_sections(answer: StepParts) -> tuple[Section, ...]:
    """Return the page of an observed step."""
    bars = [
        Bar(label=each.title, low=each.share[0], high=each.share[1], text=share(each.share)) for each in answer.parts
    ]
    low, high = answer.residual
    bars.append(Bar(label="explained by no part", low=low, high=high, text=share(answer.residual)))
    total = [Line(f"Total {duration(answer.total_s)}.")] if answer.total_s is not None else []
    gains = [Line(_gain(each), mark="-") for each in answer.parts if each.share[1] > 0]
    note = Line("Exposed time only: what runs beside something else gains nothing when removed.", tone=Tone.FAINT)
    return (
        Section(id="parts", title="Where the step went", items=(*total, *bars)),
        Section(id="levers", title="What removing a part would give at most", items=(*gains, note)),
    )


def _gain(each: Part) -> str:
    terms = " or ".join(term.replace("_", " ") for term in each.terms) or "of no term"
    if each.gain is None:
        return f"{each.title} ({terms}): up to its distance from the roof, see 'dam roofline'"
    low, high = each.gain
    return f"{each.title} ({terms}): {factor(low if low == high else (low, high))}"
