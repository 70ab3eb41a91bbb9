"""``dam why``: the conditions of a rule with what the incident says to each, and what would stop it."""

from __future__ import annotations

import click

from dam_expert.cli import authoring, pipeline
from dam_expert.cli.options import (
    examples,
    input_options,
    language_option,
    output_options,
    report_language,
    runbook_option,
)
from dam_expert.cli.output import talk


@click.command(
    epilog=examples(
        "dam why input.wait.confirm_by_gap run/                  what it rests on",
        "dam why input.wait.confirm_by_gap run/ -f json          the same, for programs",
    ),
)
@click.argument("rule", metavar="RULE")
@input_options
@runbook_option
@language_option
@output_options
def why(
    rule: str,
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    no_input: bool,
    runbooks: tuple[str, ...],
    language: str | None,
    form: str,
    output: str | None,
    quiet: bool,
) -> None:
    """Show why RULE fired on an incident: every condition with its value, its source, and what would stop it.

    All PATHs together are one incident, as in dam diagnose.
    """
    base = pipeline.load_base(runbooks)
    understood = pipeline.understand(base, paths, settings, no_input=no_input)
    talk(understood.messages, quiet=quiet)
    authoring.emit_why(base, understood, rule, form, output, report_language(language))
