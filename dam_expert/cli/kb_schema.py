"""``dam kb schema``: the JSON Schemas of the documents, for editors and other programs."""

from __future__ import annotations

import click

from dam_expert.cli import pipeline
from dam_expert.cli.options import examples
from dam_expert.cli.output import emit


@click.command(epilog=examples("dam kb schema incident", "dam kb schema knowledge -o knowledge.schema.json"))
@click.argument("document", type=click.Choice(("incident", "diagnosis", "comparison", "knowledge", "runbook")))
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, whole or not at all, instead of stdout.")
def schema(document: str, output: str | None) -> None:
    """Print the JSON Schema (draft 2020-12) of a kind of document.

    incident and diagnosis are what goes in and comes out, comparison what dam compare writes; knowledge is a file
    under knowledge/ or rules/, runbook a file of a runbook.
    """
    emit("json", pipeline.schema(document), str, output)
