"""``dam read``: what was understood of the inputs, before anything is concluded from it."""

from __future__ import annotations

import click

from dam_expert.cli import pipeline
from dam_expert.cli.options import examples, input_options, output_options, runbook_option
from dam_expert.cli.output import emit, talk


@click.command(
    epilog=examples(
        "dam read run/                                   every value with the place it came from",
        "dam read run/ -f yaml -o incident.dam.yaml      as an incident file, to edit and diagnose",
    )
)
@input_options
@runbook_option
@output_options
def read(
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    no_input: bool,
    runbooks: tuple[str, ...],
    form: str,
    output: str | None,
    quiet: bool,
) -> None:
    """Show what was understood of PATHs, as one incident.

    As text: one value a line, with its basis and its place. As JSON or YAML: the incident document.
    """
    base = pipeline.load_base(runbooks)
    understood = pipeline.understand(base, paths, settings, no_input=no_input)
    talk(understood.messages, quiet=quiet)

    def text() -> str:
        from dam_expert.documents.messages import printable

        lines = pipeline.observation_lines(base, understood)
        return "".join(f"{printable(line)}\n" for line in lines)

    emit(form, pipeline.incident_data(base, understood) if form != "text" else {}, text, output)
