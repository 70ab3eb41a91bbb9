"""``dam kb lock``: the content hashes of everything in force, to be committed and compared with."""

from __future__ import annotations

from pathlib import Path

import click

from dam_expert.cli import inspecting, pipeline
from dam_expert.cli.failure import Exit
from dam_expert.cli.options import examples, named, runbook_option
from dam_expert.cli.output import write_text


@click.command(epilog=examples("dam kb lock", "dam kb lock --check", "dam kb lock -o team.lock --runbook my_team"))
@click.option("--check", is_flag=True, help="Compare with the file and exit with 1 if anything differs.")
@click.option(
    "-o", "--output", metavar="FILE", callback=named, default="dam.lock", show_default=True, help="The lock file."
)
@runbook_option
@click.pass_context
def lock(context: click.Context, check: bool, output: str, runbooks: tuple[str, ...]) -> None:
    """Write content hashes of base, runbooks and entries; a diagnosis names those of base and runbooks.

    With --check, a runbook that changed without a new version is named as such.
    """
    from dam_expert.kb.lock import lock_text

    base = pipeline.load_base(runbooks)
    if not check:
        write_text(lock_text(base), output)
        return
    messages = inspecting.checked_lock(base, Path(output))
    for message in messages:
        click.echo(str(message))
    context.exit(Exit.CONDITION if messages else Exit.DONE)
