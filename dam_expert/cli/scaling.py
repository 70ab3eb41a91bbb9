"""``dam scaling``: a scaling law fitted to runs, and where a training run lies beside the compute optimum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dam_expert.cli import amounts, calculating, tables
from dam_expert.cli.amounts import option
from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.options import (
    examples,
    kept_runbook_option,
    language_option,
    optional_input_options,
    output_options,
)
from dam_expert.cli.tables import Column

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.physics.answers.scaling import Fit
    from dam_expert.reports.calculators.words import Words

_MOST_RUNS = 1000  # what the bootstrap takes seconds for
_SIZES = ("parameters", "tokens", "compute")
_COLUMNS = {
    "name": Column(amount=None, aliases=("run",)),
    "parameters": Column(amount=amounts.NUMBER, aliases=("params", "size", "n")),
    "tokens": Column(amount=amounts.NUMBER, aliases=("d",)),
    "compute": Column(amount=amounts.OPERATIONS, aliases=("flops", "flop", "c")),
    "loss": Column(amount=amounts.RATIO, is_needed=True, aliases=("held_out_loss", "validation_loss")),
}
_OBSERVED = {"parameters": "parameters", "tokens": "training_tokens"}
_OPTIONS = {"parameters": "--parameters", "tokens": "--tokens", "compute": "--compute", "size": "--at",
            "fit_up_to": "--fit-up-to", "huber_delta": "--huber"}  # fmt: skip


class _Sizes(amounts.Amount):
    """A size of any of the three kinds: a plain number, or operations."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Return the number, whichever way it can be read."""
        if isinstance(value, str) and "flop" in value.casefold():
            return amounts.OPERATIONS.convert(value, param, ctx)
        return super().convert(value, param, ctx)


_SIZE = _Sizes("1", amounts.NUMBER.kind, "size")


@click.command(
    epilog=examples(
        "dam scaling --parameters 70B --tokens 1.4T          beside the compute optimum",
        "dam scaling --compute 5.88e23                       the optimum of a budget",
        "dam scaling runs.csv --at 7B                        fit loss over size (columns parameters, loss) and predict",
        "dam scaling runs.csv --fit-up-to 1B                 have the larger runs left the trend of the smaller?",
        "dam scaling runs.csv --huber 0.01 --plot fit.svg    robust fit, drawn with its band",
    )
)
@optional_input_options
@option("--parameters", type=amounts.NUMBER, help="Parameters of a training run.")
@option("--tokens", type=amounts.NUMBER, help="Its training tokens.")
@option("--compute", type=amounts.OPERATIONS, help="Its compute, 6 x parameters x tokens.")
@click.option("--over", type=click.Choice(_SIZES), help="The size column of the table, where it has several.")
@option("--at", type=_SIZE, multiple=True, help="Predict the loss at this size; may be repeated.")
@option("--fit-up-to", type=_SIZE, help="Fit the runs up to this size, and hold the larger ones against the fit.")
@option("--huber", type=amounts.RATIO, help="Robust fit: loss up to which a residual counts squared.")
@amounts.plot_option
@kept_runbook_option
@language_option
@output_options
def scaling(
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    no_input: bool,
    language: str | None,
    form: str,
    output: str | None,
    quiet: bool,
    plot: str | None,
    **given: Any,  # noqa: ANN401
) -> None:
    """Fit loss = floor + coefficient x size^-exponent to runs, or judge a training run by tokens and parameters.

    Refuses to predict far past the fitted range, and names what to check when a curve flattens. PATH is a table of
    runs, or incident files with parameters and training tokens.
    """
    writing = calculating.Writing(form=form, output=output, plot=plot, language=language)
    if len(paths) == 1 and tables.is_table(paths[0], _COLUMNS):
        _write_fit(paths[0], given, writing)
        return
    if plot is not None or given["at"] or given["fit_up_to"] is not None:
        raise Failure(Exit.USAGE, "--plot, --at and --fit-up-to need a table of runs, as in 'dam scaling runs.csv'")
    if paths or settings:
        found = calculating.evaluated(paths, settings, no_input=no_input, quiet=quiet)
        given = calculating.merged(given, calculating.observed(found, _OBSERVED))
    with amounts.impossible(_OPTIONS):
        _write_plan(given, writing)


def _write_plan(given: Mapping[str, Any], writing: calculating.Writing) -> None:
    from dam_expert.physics.answers.scaling import plan
    from dam_expert.reports.calculators.document import document
    from dam_expert.reports.calculators.scaling import plan_sections

    parameters, tokens, compute = (given.get(name) for name in _SIZES)
    if compute is None and (parameters is None or tokens is None):
        raise calculating.lacking("the training run", "--parameters and --tokens, or --compute, or a table of runs")
    answer = plan(parameters, tokens, compute)
    starved = calculating.limits()["data_starved"]
    calculating.write(
        writing,
        lambda: document("scaling-plan", answer, tokens_per_parameter=answer.tokens_per_parameter),
        lambda words, _: plan_sections(answer, starved.value, words),
    )


def _fit(path: str, given: Mapping[str, Any]) -> tuple[str, Fit]:
    """Return which size the runs of a table are fitted over, and the fit."""
    from dam_expert.physics.answers.scaling import fit

    rows = tables.read_table(path, _COLUMNS)
    if len(rows) > _MOST_RUNS:
        raise Failure(
            Exit.INVALID, f"{path}: more than {_MOST_RUNS} runs; give the last loss of each run, not its curve"
        )
    present = [name for name in _SIZES if all(name in row.numbers for row in rows)]
    over = given["over"] or (present[0] if len(present) == 1 else None)
    if over is None or over not in present:
        text = f"{path}: the size is not clear; columns with a value in every row: {', '.join(present) or 'none'}"
        raise Failure(Exit.INVALID, f"{text}; choose with --over")
    limits = calculating.limits()
    with amounts.impossible(_OPTIONS, Exit.INVALID, f"{path}: "):
        return over, fit(
            [row.numbers[over] for row in rows],
            [row.numbers["loss"] for row in rows],
            furthest=limits["extrapolation_reach"].value,
            beyond=limits["flattening_residuals"].value,
            at=given["at"],
            fit_up_to=given["fit_up_to"],
            huber_delta=given["huber"],
        )


def _write_fit(path: str, given: Mapping[str, Any], writing: calculating.Writing) -> None:
    from dam_expert.reports.calculators.document import document
    from dam_expert.reports.calculators.scaling import fit_sections

    over, answer = _fit(path, given)

    def picture(words: Words, ending: str) -> bytes:
        from dam_expert.reports.calculators.figures import scaling_figure

        return scaling_figure(answer, over, ending, words)

    calculating.write(
        writing,
        lambda: document("scaling-fit", answer, over=over),
        lambda words, _: fit_sections(answer, over, words),
        picture,
    )
