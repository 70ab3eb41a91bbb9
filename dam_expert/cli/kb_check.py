"""``dam kb check``: every mistake in the knowledge base and its runbooks, in one pass."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import TYPE_CHECKING

import click

from dam_expert.cli import checking, findings
from dam_expert.cli.failure import Exit
from dam_expert.cli.options import examples, output_options, runbook_option
from dam_expert.cli.output import emit, write_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dam_expert.documents.messages import Message


@click.command(
    epilog=examples(
        "dam kb check",
        "dam kb check --runbook runbooks/llm_serving",
        "dam kb check -f sarif -o findings.sarif",
        "dam kb check --code not-decisive",
    )
)
@click.option("--code", metavar="CODE", help="Say what a code means and what to do, and check nothing.")
@click.option("--tested", is_flag=True, help="Run all tests and cases too, and name the rules that never fire.")
@click.option("--strict", is_flag=True, help="Exit with 3 for warnings as well.")
@runbook_option
@output_options(formats=findings.FORMATS)
@click.pass_context
def check(
    context: click.Context,
    code: str | None,
    tested: bool,
    strict: bool,
    runbooks: tuple[str, ...],
    form: str,
    output: str | None,
    quiet: bool,
) -> None:
    """Check knowledge, rules and runbooks: names, units, sources, that every decisive rule can decide.

    Prints one line per problem, file:line:column first, and exits with 3 if one of them is an error.
    """
    if code is not None:
        write_text(_meaning(code), output)
        return
    checked = checking.check_base(runbooks, tested=tested)
    problems = [each for each in checked.messages if not quiet or each.level == "error"]
    if form == "sarif":
        emit("json", findings.sarif(problems), str, output)
    elif form == "github":
        write_text(findings.github(problems), output)
    elif form == "junit":
        write_text(findings.junit("dam kb check", _by_file(problems)), output)
    else:
        data = {
            "messages": [dataclasses.asdict(message) for message in checked.messages],
            "counts": checked.counts,
            "runbooks": dict(checked.runbooks),
        }
        emit(form, data, lambda: _lines(checked, problems, quiet=quiet), output)
    bad = checked.has_errors or (strict and bool(checked.messages))
    context.exit(Exit.INVALID if bad else Exit.DONE)


def _lines(checked: checking.Checked, problems: list[Message], *, quiet: bool) -> str:
    counted = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in checked.counts.items())
    levels = Counter(str(each.level) for each in checked.messages)
    found = ", ".join(f"{count} {level}{'s' * (count > 1)}" for level, count in sorted(levels.items()))
    summary = [] if quiet else [f"has errors: {found}" if checked.has_errors else f"ok: {counted}"]
    return "".join(f"{line}\n" for line in [*map(str, problems), *summary])


def _by_file(problems: Iterable[Message]) -> list[tuple[str, str, list[Message]]]:
    """Return one test case for each file with problems, or one that passes."""
    files: dict[str, list[Message]] = {}
    for message in problems:
        files.setdefault(message.file, []).append(message)
    return [(name, "knowledge", found) for name, found in files.items()] or [("all files", "knowledge", [])]


def _meaning(code: str) -> str:
    """Return what a code means. Raises UsageError for an unknown one, with the nearest."""
    from dam_expert.documents.messages import suggestion
    from dam_expert.kb.codes import CODES, help_page

    if code not in CODES:
        hint = suggestion(code, CODES) or "they stand in docs/checks.md"
        raise click.UsageError(f"there is no code '{code}'; {hint}")
    known = CODES[code]
    return f"{code}: {known.meaning}\n\n{known.remedy}\n\n{help_page(code)}\n"
