"""``dam kb check``: every mistake in the knowledge base, in one pass."""

from __future__ import annotations

import dataclasses

import click

from dam_expert.cli import pipeline
from dam_expert.cli.failure import Exit
from dam_expert.cli.options import examples, output_options
from dam_expert.cli.output import emit


@click.command(epilog=examples("dam kb check", "dam kb check -f json"))
@output_options
@click.pass_context
def check(context: click.Context, form: str, output: str | None, quiet: bool) -> None:
    """Check knowledge and rules: names, units, sources, and that every decisive rule can decide.

    Prints one line per problem, file:line:column first, and exits with 3 if one of them is an error.
    """
    checked = pipeline.check_base()
    data = {"messages": [dataclasses.asdict(message) for message in checked.messages], "counts": checked.counts}
    problems = [str(message) for message in checked.messages]
    counted = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in checked.counts.items())
    summary = [] if quiet else [f"{'has errors' if checked.has_errors else 'ok'}: {counted or 'nothing loaded'}"]
    emit(form, data, lambda: "".join(f"{line}\n" for line in [*problems, *summary]), output)
    context.exit(Exit.INVALID if checked.has_errors else Exit.DONE)
