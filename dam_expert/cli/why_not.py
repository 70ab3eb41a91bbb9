"""``dam why-not``: what kept a rule from firing, and which single change would make it."""

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
    name="why-not",
    epilog=examples(
        "dam why-not input.decode.confirm run/                              what it lacks",
        "dam why-not input.decode.confirm run/ --set cached_pass_speedup=1  with one more value",
    ),
)
@click.argument("rule", metavar="RULE")
@input_options
@runbook_option
@language_option
@output_options
def why_not(
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
    """Show why RULE did not fire: what is false, with actual and needed value, what is unknown, and what would turn it.

    All PATHs together are one incident, as in dam diagnose.
    """
    base = pipeline.load_base(runbooks)
    understood = pipeline.understand(base, paths, settings, no_input=no_input)
    talk(understood.messages, quiet=quiet)
    authoring.emit_why(base, understood, rule, form, output, report_language(language))
