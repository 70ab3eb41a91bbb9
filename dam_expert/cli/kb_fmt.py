"""``dam kb fmt``: one format for knowledge and runbook files; every comment stays."""

from __future__ import annotations

import click

from dam_expert.cli import inspecting
from dam_expert.cli.failure import Exit
from dam_expert.cli.options import examples, named
from dam_expert.cli.output import say
from dam_expert.documents.messages import printable


@click.command(epilog=examples("dam kb fmt runbooks/my_team", "dam kb fmt --check runbooks/my_team"))
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 if something would change.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, callback=named)
@click.pass_context
def fmt(context: click.Context, check: bool, paths: tuple[str, ...]) -> None:
    """Format YAML files: indentation, spacing, line ends. Needs the extra dam-expert[author].

    Comments and values stay as they are; a file for which that cannot be had is named and left alone.
    """
    changed, messages = inspecting.format_files(paths, write=not check)
    for message in messages:
        say(str(message))
    for path in changed:
        click.echo(f"{'would format' if check else 'formatted'} {printable(path)}")
    if messages:
        context.exit(Exit.INVALID)
    context.exit(Exit.CONDITION if check and changed else Exit.DONE)
