"""Options that are alike everywhere: who has them, and that one name means one thing."""

from __future__ import annotations

import click
import pytest

from dam_expert.cli.group import CALCULATORS, COMMANDS, KB_COMMANDS
from dam_expert.cli.hardware import hardware

BY_NAME = {command.name: command for command in COMMANDS if not isinstance(command, click.Group)}
ON_INCIDENTS = ["diagnose", "session", "read", "why", "why-not", *(c.name for c in CALCULATORS if c is not hardware)]
#: Options whose help may differ: what they write, or which values they take, is the command's own.
_OWN = {"--output", "--format", "--script", "--jobs", "--explain", "--brief"}


def options(command: click.Command) -> dict[str, click.Option]:
    return {name: each for each in command.params if isinstance(each, click.Option) for name in each.opts}


@pytest.mark.parametrize("name", ON_INCIDENTS)
def test_what_reads_an_incident_takes_values_and_runbooks(name: str) -> None:
    """--set, --runbook, --no-input, --quiet and -o are there wherever an incident is read."""
    assert {"--set", "--runbook", "--no-input", "--quiet", "--output", "-o"} <= set(options(BY_NAME[name]))


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_what_rests_on_the_base_takes_runbooks(name: str) -> None:
    """Every command can be told which runbooks are in force."""
    assert "--runbook" in options(BY_NAME[name])


def test_one_name_means_one_thing() -> None:
    """An option that several commands have has one help, one short name and one kind of value in all of them."""
    seen: dict[str, tuple[object, ...]] = {}
    for command in [*BY_NAME.values(), *(each for each in KB_COMMANDS if not isinstance(each, click.Group))]:
        for name, option in options(command).items():
            if name in _OWN or not name.startswith("--") or name not in {"--set", "--runbook", "--lang", "--quiet"}:
                continue
            told = (option.help, tuple(option.opts), option.multiple, option.is_flag)
            assert seen.setdefault(name, told) == told, (command.name, name)
