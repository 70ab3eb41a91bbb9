"""``dam compare``: whether a change did what it promised, or only moved the time elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dam_expert.cli import pipeline, sides
from dam_expert.cli.failure import Exit
from dam_expert.cli.options import examples, named, report_language, report_options, runbook_option, set_option
from dam_expert.cli.output import emit_report, say, talk

if TYPE_CHECKING:
    from dam_expert.reports import Report

_CONDITIONS = {"regression": ("worse",), "unclear": ("unclear", "incomparable")}


def _share(_context: click.Context, option: click.Parameter, given: str | None) -> float | None:
    """Read a share as people write it; a bare number above 1 has two readings and is refused."""
    if given is None:
        return None
    from dam_expert.documents.kinds import Kind
    from dam_expert.documents.quantities import QuantityError, parse_quantity

    try:
        value = parse_quantity(given, unit="1", kind=Kind.SHARE).interval
    except QuantityError as error:
        raise click.BadParameter(f"{error.text}, as in {option.opts[0]} '3 %'") from error
    return value.hi


@click.command(
    epilog=examples(
        "dam compare before/ after/                           two folders of tool outputs",
        "dam compare before.json after/                       a stored diagnosis, and what came after",
        "dam compare runs-before/ runs-after/                 folders of stored diagnoses are repeats",
        "dam compare a/ b/ --noise '2 %' --fail-on regression for CI: exit code 1 if the target got worse",
        "dam compare a/ b/ --fail-on regression --fail-on unclear   and where that cannot be told",
        "dam compare a/ b/ --lever more_loader_workers        what was done, to hold its ceiling against",
    )
)
@click.argument("before", metavar="BEFORE", callback=named)
@click.argument("after", metavar="AFTER", callback=named)
@click.option("--noise", metavar="SHARE", callback=_share, help="What the target varies by itself, as in '3 %'.")
@click.option(
    "--chance",
    metavar="SHARE",
    callback=_share,
    default="10 %",
    show_default=True,
    help="How often repeats of equal runs may be called different; too few repeats decide nothing.",
)
@click.option("--lever", metavar="LEVER", help="The lever that was pulled: its ceiling is what was predicted.")
@click.option("--no-input", is_flag=True, help="Never wait for the keyboard.")
@set_option
@runbook_option
@report_options
@click.option(
    "--fail-on",
    type=click.Choice(tuple(_CONDITIONS)),
    multiple=True,
    help="Exit with 1 if the target got worse beyond the noise (regression), or if that cannot be told (unclear, also "
    "where the two are not comparable); may be repeated. What cannot be told passes 'regression' with a warning.",
)
@click.pass_context
def compare(
    context: click.Context,
    before: str,
    after: str,
    noise: float | None,
    chance: float,
    lever: str | None,
    no_input: bool,
    settings: tuple[tuple[str, str], ...],
    runbooks: tuple[str, ...],
    form: str,
    output: str | None,
    quiet: bool,
    language: str | None,
    brief: bool,
    explain: bool,
    fail_on: tuple[str, ...],
) -> None:
    """Compare what was diagnosed BEFORE a change with what is diagnosed AFTER it.

    Each is a folder of tool outputs, an incident file, a diagnosis stored with --format json, or a folder of several
    incident or diagnosis files: these are repeats of one run. A difference is called only where it exceeds what the
    target varies by itself; where that is not known, the report says what would tell. What --set adds holds for both
    sides.
    """
    if brief and explain:
        raise click.UsageError("--brief and --explain exclude each other")
    base = pipeline.load_base(runbooks)
    if lever is not None and lever not in base.levers:
        raise click.UsageError(sides.no_lever(base, lever))
    pair = [sides.side(base, path, settings, no_input=no_input) for path in (before, after)]
    for each in pair:
        talk(each.messages, quiet=quiet)

    from dam_expert.reports.comparing import compare as compared

    comparison = compared(
        pair[0].diagnoses,
        pair[1].diagnoses,
        settings=sides.settings_of(base),
        noise=noise,
        chance=chance,
        lever=lever,
    )

    def report() -> Report:
        from dam_expert.reports.comparison import build_comparison

        return build_comparison(comparison, pipeline.glossary(base, report_language(language)))

    emit_report(form, comparison.as_data, report, output, brief=brief, explain=explain)
    holds = any(comparison.outcome in _CONDITIONS[condition] for condition in fail_on)
    if fail_on and not holds and comparison.outcome in _CONDITIONS["unclear"] and not quiet:
        what = "give --noise or folders of repeats"
        if comparison.outcome == "incomparable":
            what = "give both the same target" if comparison.metric is None else "compare runs of equal work"
        text = "warning: whether the target got worse cannot be told, so '--fail-on regression' passes; "
        say(f"{text}{what}, or fail this too: --fail-on unclear [cannot-tell]")
    context.exit(Exit.CONDITION if holds else Exit.DONE)
