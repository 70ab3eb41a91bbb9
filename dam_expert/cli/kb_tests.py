"""``dam kb test``: the rules' own tests and the cases, and how many leaves of the conditions they reach."""

from __future__ import annotations

import dataclasses

import click

from dam_expert.cli import pipeline
from dam_expert.cli.failure import Exit
from dam_expert.cli.options import examples, output_options, runbook_option
from dam_expert.cli.output import emit


@click.command(name="test", epilog=examples("dam kb test", "dam kb test --min 95", "dam kb test -f json"))
@click.option("--min", "least", type=click.FloatRange(0, 100), help="Exit with 1 below this leaf coverage, in percent.")
@runbook_option
@output_options
@click.pass_context
def tests(
    context: click.Context, runbooks: tuple[str, ...], least: float | None, form: str, output: str | None, quiet: bool
) -> None:
    """Run the tests that stand beside the rules, and the worked cases.

    A leaf of a condition is covered once tests have seen it true, false and unknown. Exits with 3 if a test fails.
    """
    base = pipeline.load_base(runbooks)
    tested = pipeline.run_tests(base)

    def text() -> str:
        gaps = [] if quiet else tested.gaps
        return "".join(f"{line}\n" for line in [*map(str, tested.messages), *gaps, *tested.summary()])

    emit(form, dataclasses.asdict(tested), text, output)
    if tested.has_errors:
        context.exit(Exit.INVALID)
    context.exit(Exit.CONDITION if least is not None and 100 * tested.coverage < least else Exit.DONE)
