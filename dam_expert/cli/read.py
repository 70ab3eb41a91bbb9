"""``dam read``: what was understood of the inputs, before anything is concluded from it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import click

from dam_expert.cli import pipeline
from dam_expert.cli.options import (
    examples,
    input_options,
    language_option,
    output_options,
    report_language,
    runbook_option,
)
from dam_expert.cli.output import emit, talk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.redacting import Redactor


@click.command(
    epilog=examples(
        "dam read run/                                   every value with the place it came from",
        "dam read run/ -f yaml -o incident.dam.yaml      as an incident file, to edit and diagnose",
        "dam read run/ --explain                         with the tool and derivation of each value",
        "dam read run/ --redact -f json                  without names of hosts, users and files",
    )
)
@input_options
@runbook_option
@language_option
@output_options
@click.option("--explain", is_flag=True, help="As text: say for each value which tool gave it and how it was derived.")
@click.option("--redact", is_flag=True, help="Replace hosts, users, paths and addresses by stable placeholders.")
def read(
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    no_input: bool,
    runbooks: tuple[str, ...],
    language: str | None,
    form: str,
    output: str | None,
    quiet: bool,
    explain: bool,
    redact: bool,
) -> None:
    """Show what was understood of PATHs, as one incident.

    As text: one value a line, with its basis and its place. As JSON or YAML: the incident document.
    """
    base = pipeline.load_base(runbooks)
    understood = pipeline.understand(base, paths, settings, no_input=no_input)
    redactor = pipeline.redactor(understood) if redact else None
    talk(_redacted(understood.messages, redactor), quiet=quiet)

    def text() -> str:
        from dam_expert.documents.messages import printable

        spoken = report_language(language)
        if explain:  # a person's own words cannot be made anonymous
            lines = pipeline.explanation_lines(base, understood, spoken, quoting=redactor is None)
        else:
            lines = pipeline.observation_lines(base, understood, spoken)
        shown = lines if redactor is None else [redactor.text(line) for line in lines]
        return "".join(f"{printable(line)}\n" for line in shown)

    data = pipeline.incident_data(base, understood) if form != "text" else {}
    emit(form, data if redactor is None else redactor.data(data), text, output)


def _redacted(messages: Iterable[Message], redactor: Redactor | None) -> Iterator[Message]:
    for each in messages:
        if redactor is None:
            yield each
        else:
            hint = None if each.hint is None else redactor.text(each.hint)
            yield dataclasses.replace(each, file=redactor.text(each.file), text=redactor.text(each.text), hint=hint)
