"""``dam kb new``: a runbook, a rule with its tests, or a case, written so that it passes before it is edited."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dam_expert.cli import authoring, pipeline
from dam_expert.cli.listing import Listed
from dam_expert.cli.options import examples, named, runbook_option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from dam_expert.kb.base import Base

VERBS = ("suggest", "support", "weaken", "refute", "confirm", "flag", "recommend", "warn", "ask", "reject", "doubt")


@click.group(
    name="new",
    cls=Listed,
    epilog=examples(
        "dam kb new runbook my_team",
        "dam kb new rule my_team.slow_disk --runbook my_team",
        "dam kb new case my_team.case.monday incident.dam.yaml --runbook my_team",
    ),
)
def new() -> None:
    """Write a new runbook, rule or case. What is not given by options is asked for, on a terminal."""


@new.command(epilog=examples("dam kb new runbook my_team", "dam kb new runbook my_team --folder runbooks/my_team"))
@click.argument("name")
@click.option("--folder", metavar="DIR", callback=named, help="Where to write it; by default a folder of its name.")
@click.option("--description", help="What it knows, in a sentence.")
@click.option("--no-input", is_flag=True, help="Never ask.")
def runbook(name: str, folder: str | None, description: str | None, no_input: bool) -> None:
    """Write a runbook called NAME: its header, and the schema that completes it in an editor."""
    said = _asked("What does it know, in a sentence", description, f"What the team {name} knows.", no_input=no_input)
    authoring.write_runbook(Path(folder or name), name, said)


@new.command(
    epilog=examples(
        "dam kb new rule my_team.slow_disk --runbook my_team",
        "dam kb new rule my_team.slow_disk --runbook my_team --when 'disk_read_await > 20 ms' "
        "--then support=storage_bound --because 'The disk is slow.' --source 'wiki, Disks'",
    )
)
@click.argument("name", metavar="ID")
@runbook_option
@click.option("--title", help="What it says, in a few words.")
@click.option("--when", "conditions", multiple=True, help="A comparison; all that are given must hold.")
@click.option("--then", "conclusion", metavar="VERB=ID", help=f"What follows: one of {', '.join(VERBS)}.")
@click.option("--because", help="Why, in a sentence that a report can show.")
@click.option("--source", help="Where that can be looked up.")
@click.option("--no-input", is_flag=True, help="Never ask.")
def rule(
    name: str,
    runbooks: tuple[str, ...],
    title: str | None,
    conditions: tuple[str, ...],
    conclusion: str | None,
    because: str | None,
    source: str | None,
    no_input: bool,
) -> None:
    """Write a rule called ID into its runbook, with tests on both sides of every limit."""
    if len(runbooks) != 1:
        raise click.UsageError("name the runbook it belongs to: --runbook DIR")
    base = pipeline.load_base(runbooks)
    authoring.own_id(base, Path(runbooks[0]), name)
    needed = {"--when": conditions, "--then": conclusion, "--because": because, "--source": source}
    _complete({option: bool(value) for option, value in needed.items()}, no_input=no_input)
    given = conditions or tuple(_comparisons(base, no_input=no_input))
    authoring.read_comparisons(base, list(given))

    def sound(answer: str) -> str:
        authoring.read_conclusion(base, answer)
        return answer

    target = sound(_asked("Then, as in support=storage_bound", conclusion, None, no_input=no_input, check=sound))
    authoring.write_rule(
        base,
        Path(runbooks[0]),
        name,
        given,
        target,
        title=_asked("Title", title, name.rpartition(".")[2].replace("_", " ").capitalize(), no_input=no_input),
        because=_asked("Because", because, None, no_input=no_input),
        source=_asked("Source", source, None, no_input=no_input),
    )


@new.command(epilog=examples("dam kb new case my_team.case.monday incident.dam.yaml --runbook my_team"))
@click.argument("name", metavar="ID")
@click.argument("paths", metavar="FROM...", nargs=-1, required=True, callback=named)
@runbook_option
def case(name: str, paths: tuple[str, ...], runbooks: tuple[str, ...]) -> None:
    """Turn the incident FROM, once it is decided, into a case called ID.

    Its first stage is what was known before the deciding measurement, its second what that one decided.
    """
    if len(runbooks) != 1:
        raise click.UsageError("name the runbook it belongs to: --runbook DIR")
    base = pipeline.load_base(runbooks)
    understood = pipeline.understand(base, paths, (), no_input=True)
    authoring.write_case(base, Path(runbooks[0]), name, understood)


def _comparisons(base: Base, *, no_input: bool) -> Iterator[str]:
    """Ask for comparisons until an empty line; each is checked before the next one is asked for."""

    def sound(answer: str) -> str:
        if answer.strip():
            authoring.read_comparisons(base, [answer])
        return answer.strip()

    yield _asked("When, as in 'disk_read_await > 20 ms'", None, None, no_input=no_input, check=sound)
    question = "Another one that must hold as well (empty: no more)"
    while answer := _asked(question, None, "", no_input=no_input, check=sound):
        yield answer


def _complete(options: Mapping[str, bool], *, no_input: bool) -> None:
    """Name every option that is lacking at once where nobody can be asked. Raises UsageError."""
    lacking = [option for option, given in options.items() if not given]
    if lacking and not _somebody_answers(no_input=no_input):
        raise click.UsageError(f"nobody can be asked: give {', '.join(lacking)}; the help shows an example")


def _somebody_answers(*, no_input: bool) -> bool:
    return not no_input and sys.stdin.isatty() and sys.stderr.isatty()


def _asked(
    question: str,
    given: str | None,
    default: str | None,
    *,
    no_input: bool,
    check: Callable[[str], str] | None = None,
) -> str:
    """Return what an option gives; else ask where somebody can answer, else use the default.

    ``check`` raises UsageError for an answer that cannot be used: the complaint is shown and it is asked again.
    """
    if given is not None:
        return given
    if default is None or _somebody_answers(no_input=no_input):
        answer: str = click.prompt(question, default=default, show_default=bool(default), err=True, value_proc=check)
        return answer
    return default
