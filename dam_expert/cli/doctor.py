"""``dam doctor``: whether this installation can work, and what is missing if not."""

from __future__ import annotations

import click

from dam_expert.cli.failure import Exit
from dam_expert.cli.options import examples, output_options, runbook_option
from dam_expert.cli.output import emit


@click.command(epilog=examples("dam doctor", "dam doctor -f json"))
@runbook_option
@output_options
@click.pass_context
def doctor(context: click.Context, runbooks: tuple[str, ...], form: str, output: str | None, quiet: bool) -> None:
    """Check Python, the libraries, the inference engine and the knowledge base of this installation.

    One line per check, then one per tool whose output is read, with the versions known; exits with 3 if a check
    fails. As JSON or YAML for a report of a mistake: versions, content of base and runbooks, extras and terminal, no
    name of a person, machine or file. Nothing is sent anywhere.
    """
    from dam_expert.cli.health import all_checks, all_readers, surroundings

    found = [each for each in all_checks(runbooks) if not (quiet and each.is_ok)]
    readers = [] if quiet else all_readers()
    data = surroundings(runbooks) if form != "text" else {}
    data |= {"checks": [{"check": each.name, "ok": each.is_ok, "found": each.found} for each in found]}
    data |= {"readers": [{"reads": title, "versions": versions} for title, versions in readers]} if readers else {}
    lines = [f"{'ok ' if each.is_ok else 'BAD'}  {each.name}: {each.found}\n" for each in found]
    lines += [f"reads {title}: {versions}\n" for title, versions in readers]
    emit(form, data, lambda: "".join(lines), output)
    context.exit(Exit.DONE if all(each.is_ok for each in found) else Exit.INVALID)
