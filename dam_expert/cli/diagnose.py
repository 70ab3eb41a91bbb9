"""``dam diagnose``: from whatever there is to the constraint that binds, or to what would decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import click

from dam_expert.cli import authoring, pipeline
from dam_expert.cli.failure import Exit
from dam_expert.cli.options import examples, input_options, report_language, report_options, runbook_option
from dam_expert.cli.output import emit_report, talk_beside, write_text
from dam_expert.documents.vocabulary import DiagnosisStatus

if TYPE_CHECKING:
    from dam_expert.reports import Report


@click.command(
    epilog=examples(
        "dam diagnose run/                                  a folder of tool outputs",
        "dam diagnose trace.json.gz incident.dam.yaml       several paths are one incident",
        "nvidia-smi dmon -c 30 | dam diagnose -             what a tool prints",
        "dam diagnose run/ --set cached_pass_speedup=1.02   one more value",
        "dam diagnose run/ --explain                        the whole proof",
        "dam diagnose run/ -f html -o diagnosis.html        one page with pictures, to keep or to send",
        "dam diagnose run/ -f markdown --lang zh            for a ticket, in Chinese",
        "dam diagnose run/ -f json -o diagnosis.json        the document, for programs",
        "dam diagnose run/ --script > next.sh                what to measure next, for a node without dam",
        "dam diagnose run/ --fail-on confirmed --brief      for CI: exit code 1 if something binds",
    )
)
@input_options
@runbook_option
@report_options
@click.option("--script", "as_script", is_flag=True, help="Print the next measurements as a POSIX shell script.")
@click.option(
    "--fail-on",
    type=click.Choice(get_args(DiagnosisStatus)),
    metavar="STATUS",
    multiple=True,
    help=f"Exit with 1 if the diagnosis has this status: {', '.join(get_args(DiagnosisStatus))}; may be repeated.",
)
@click.pass_context
def diagnose(
    context: click.Context,
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    no_input: bool,
    runbooks: tuple[str, ...],
    form: str,
    output: str | None,
    quiet: bool,
    language: str | None,
    brief: bool,
    explain: bool,
    as_script: bool,
    fail_on: tuple[str, ...],
) -> None:
    """Name the constraint that binds, with the proof and the ceiling of each fix.

    Where the evidence does not reach that far, name the cheapest measurement that would decide, as a command to
    paste. All PATHs together are one incident: files and folders of tool outputs, an incident file, or - for stdin.
    """
    if brief and explain:
        raise click.UsageError("--brief and --explain exclude each other")
    base = pipeline.load_base(runbooks)
    understood = pipeline.understand(base, paths, settings, no_input=no_input)
    talk_beside(understood.messages, form, output, quiet=quiet, listed=not brief)
    diagnosis = pipeline.diagnose(base, understood)
    if as_script:
        text = pipeline.measuring_script(base, diagnosis, report_language(language), paths)
        write_text(text, output)
        context.exit(Exit.CONDITION if diagnosis.status in fail_on else Exit.DONE)
    if brief:
        authoring.tell_eased(base)  # its three lines have no room, and it must be known

    def report() -> Report:
        from dam_expert.engine.resolution import what_worked
        from dam_expert.reports import build_report

        near = authoring.near_misses(base, understood) if explain else []
        words = pipeline.glossary(base, report_language(language))
        worked = what_worked(base, understood.incident) if diagnosis.status == "resolved" else []
        return build_report(diagnosis, words, near, pipeline.course(base, understood), worked)

    emit_report(form, diagnosis.as_data, report, output, brief=brief, explain=explain)
    context.exit(Exit.CONDITION if diagnosis.status in fail_on else Exit.DONE)
