"""``dam kb docs``: reference pages of everything in force, whose examples are the tests of the rules."""

from __future__ import annotations

from pathlib import Path

import click

from dam_expert.cli import inspecting, pipeline
from dam_expert.cli.options import examples, named, runbook_option
from dam_expert.cli.output import write_text
from dam_expert.documents.messages import printable


@click.command(
    epilog=examples("dam kb docs -o reference", "dam kb docs -f html -o site", "dam kb docs --codes -o docs/checks.md")
)
@click.option("--codes", is_flag=True, help="Write the page of all codes of dam kb check instead.")
@click.option("--format", "-f", "form", type=click.Choice(("markdown", "html")), default="markdown", show_default=True)
@click.option("-o", "--output", metavar="DIR", callback=named, help="The folder to write into; with --codes the file.")
@runbook_option
def docs(codes: bool, form: str, output: str | None, runbooks: tuple[str, ...]) -> None:
    """Write a page for each rule, hypothesis and measurement in force, and an index."""
    if codes:
        from dam_expert.kb.codes import as_markdown

        write_text(as_markdown(), output)
        return
    if output is None:
        raise click.UsageError("name the folder to write into: -o DIR")
    count = inspecting.write_docs(pipeline.load_base(runbooks), Path(output), form)
    click.echo(f"{count} pages in {printable(output)}")
