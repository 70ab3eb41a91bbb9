"""``dam kb test``: the rules' own tests and the cases, and how many leaves of the conditions they reach."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import click

from dam_expert.cli import checking, findings, pipeline
from dam_expert.cli.failure import Exit
from dam_expert.cli.options import examples, output_options, runbook_option
from dam_expert.cli.output import emit, write_text

if TYPE_CHECKING:
    from dam_expert.documents.messages import Message


@click.command(
    name="test",
    epilog=examples(
        "dam kb test",
        "dam kb test --min 95",
        "dam kb test --runbook runbooks/llm_serving",
        "dam kb test -f junit -o report.xml",
    ),
)
@click.option("--min", "least", type=click.FloatRange(0, 100), help="Exit with 1 below this leaf coverage, in percent.")
@runbook_option
@output_options(formats=findings.FORMATS)
@click.pass_context
def tests(
    context: click.Context,
    least: float | None,
    runbooks: tuple[str, ...],
    form: str,
    output: str | None,
    quiet: bool,
) -> None:
    """Run the tests that stand beside the rules, and the worked cases.

    A leaf of a condition is covered once tests have seen it true, false and unknown. Exits with 3 if a test fails.
    """
    base = pipeline.load_base(runbooks)
    tested = checking.run_tests(base)

    def text() -> str:
        gaps = [] if quiet else tested.gaps
        return "".join(f"{line}\n" for line in [*map(str, tested.messages), *gaps, *tested.summary()])

    if form == "junit":
        write_text(findings.junit("dam kb test", _cases(tested)), output)
    elif form == "github":
        write_text(findings.github(tested.messages), output)
    elif form == "sarif":
        emit("json", findings.sarif(tested.messages), str, output)
    else:
        emit(form, dataclasses.asdict(tested), text, output)
    if tested.has_errors:
        context.exit(Exit.INVALID)
    context.exit(Exit.CONDITION if least is not None and 100 * tested.coverage < least else Exit.DONE)


def _cases(tested: checking.Tested) -> list[tuple[str, str, list[Message]]]:
    """Return each test with its failures; a complaint that belongs to no single test is one of its own."""
    left = [message for message in tested.messages if message.level == "error"]
    found = []
    for outcome in tested.outcomes:
        own = [message for message in left if message.text.startswith((f"{outcome.name}:", f"{outcome.name} ("))]
        left = [message for message in left if message not in own]
        found.append((outcome.name, outcome.place, own))
    found += [(message.text.split(":")[0], f"{message.file}:{message.line}", [message]) for message in left]
    return found
