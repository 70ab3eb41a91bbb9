"""The iron law of what was observed (an incident) and of several phases (a table), for ``dam ironlaw``."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import click

from dam_expert.cli import amounts, calculating, pipeline, tables
from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.tables import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.base import Base
    from dam_expert.physics.answers.iron_law import IronLaw
    from dam_expert.physics.answers.step_parts import StepParts

_COLUMNS = {
    "name": Column(amount=None, aliases=("phase", "kernel", "stage")),
    "bytes_moved": Column(amount=amounts.BYTES, aliases=("bytes",)),
    "bandwidth": Column(amount=amounts.BANDWIDTH),
    "data_time": Column(amount=amounts.SECONDS),
    "operations": Column(amount=amounts.OPERATIONS, aliases=("flops", "flop")),
    "peak": Column(amount=amounts.FLOPS),
    "efficiency": Column(amount=amounts.SHARE),
    "compute_time": Column(amount=amounts.SECONDS),
    "latency": Column(amount=amounts.SECONDS),
    "measured": Column(amount=amounts.SECONDS, aliases=("time",)),
}


def is_phases(paths: Sequence[str]) -> bool:
    """Whether the one path is a table of phases."""
    if not tables.is_table(paths[0], _COLUMNS):
        return False
    if len(paths) > 1:
        raise click.UsageError("a table of phases stands alone")
    return True


def phases(path: str, step: Callable[[dict[str, Any]], IronLaw], given: dict[str, Any]) -> list[tuple[str, IronLaw]]:
    """Return each phase of a table with its terms; options hold for the rows that do not say otherwise."""
    found = []
    for number, row in enumerate(tables.read_table(path, _COLUMNS), start=1):
        with amounts.impossible({}, Exit.INVALID, f"{row.place}: "):
            answer = step(calculating.merged(row.numbers, {k: v for k, v in given.items() if v is not None}))
        found.append((row.words.get("name", f"phase {number}"), answer))
    return found


def write_phases(found: Sequence[tuple[str, IronLaw]], writing: calculating.Writing) -> None:
    """Write the phases of a table."""
    from dam_expert.reports.calculators.document import document
    from dam_expert.reports.calculators.iron_law_parts import phase_sections

    rows = [{"name": name, **document("ironlaw", answer)} for name, answer in found]
    for row in rows:
        del row["schema"]
    calculating.write(
        _without_plot(writing),
        lambda: document("ironlaw-phases", {"phases": rows}),
        lambda words, _: phase_sections(found, words),
    )


def step_parts(found: Evaluated) -> StepParts:
    """Return the exposed parts of the observed step or request. Raises Failure where no budget is known."""
    from dam_expert.physics.answers.step_parts import StepParts, part

    budget = found.shares.leading
    if budget is None or budget.residual is None:
        why = f": {budget.contradiction}" if budget is not None and budget.contradiction else ""
        text = f"no budget of the step or request is known{why}; a profiler trace gives it, see 'dam diagnose'"
        raise Failure(Exit.INVALID, text)
    terms: dict[str, set[str]] = {}
    for hypothesis in found.base.hypotheses.values():
        if hypothesis.part is not None and hypothesis.term is not None:
            terms.setdefault(hypothesis.part, set()).add(hypothesis.term)
    waiting = {each.id for each in budget.budget.model.parts if each.waiting}
    parts = [
        part(each.title, sorted(terms.get(each.id, ())), (each.share.lo, each.share.hi), waits=each.id in waiting)
        for each in budget.parts
        if each.share is not None
    ]
    return StepParts(
        total_s=None if budget.total is None else (budget.total.lo, budget.total.hi),
        parts=tuple(sorted(parts, key=lambda each: -each.share[1])),
        residual=(budget.residual.lo, budget.residual.hi),
    )


def write_parts(base: Base, answer: StepParts, writing: calculating.Writing) -> None:
    """Write the parts of an observed step; their titles are texts of the base."""
    from dam_expert.reports.calculators.document import document
    from dam_expert.reports.calculators.iron_law_parts import part_sections

    calculating.write(
        _without_plot(writing),
        lambda: document("ironlaw-parts", answer),
        lambda words, _: part_sections(answer, words),
        texts=lambda language: pipeline.texts(base, language),
    )


def _without_plot(writing: calculating.Writing) -> calculating.Writing:
    if writing.plot is not None:
        raise click.UsageError("--plot draws the terms of one step: give them as options")
    return dataclasses.replace(writing, plot=None)
