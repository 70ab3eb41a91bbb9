"""``dam kb test``: the rules' own tests and the cases, and how many leaves of the conditions they reach."""

from __future__ import annotations

import click

from dam_expert.cli import pipeline
from dam_expert.cli.failure import Exit
from dam_expert.cli.options import examples, output_options
from dam_expert.cli.output import emit


@click.command(name="test", epilog=examples("dam kb test", "dam kb test --min 95", "dam kb test -f json"))
@click.option("--min", "least", type=click.FloatRange(0, 100), help="Exit with 1 below this leaf coverage, in percent.")
@output_options
@click.pass_context
def tests(context: click.Context, least: float | None, form: str, output: str | None, quiet: bool) -> None:
    """Run the tests that stand beside the rules, and the worked cases.

    A leaf of a condition is covered once tests have seen it true and false. Exits with 3 if a test fails.
    """
    base = pipeline.load_base(quiet=quiet)
    outcome = pipeline.run_tests(base)

    def text() -> str:
        known = [] if quiet else list(outcome.uncovered)
        return "".join(f"{line}\n" for line in [*outcome.failures, *known, *outcome.summary()])

    emit(form, outcome.as_data(), text, output)
    if outcome.failures:
        context.exit(Exit.INVALID)
    context.exit(Exit.CONDITION if least is not None and outcome.percent < least else Exit.DONE)
