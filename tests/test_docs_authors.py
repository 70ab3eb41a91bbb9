"""What the page for authors promises: each command of its table does its work on the runbook of the guide."""

from __future__ import annotations

import re

from documented import ROOT, output_of

PAGE = ROOT / "docs" / "runbooks.md"
#: What the guide does first: a runbook with one tested rule.
FIRST = (
    "dam kb new runbook my_team --no-input",
    "dam kb new rule my_team.slow_disk --runbook my_team --when 'disk_read_await > 20 ms'"
    " --when 'input_gap_share >= io_overhead_investigate' --then support=storage_bound"
    " --because 'Reads wait for a disk that is busy.' --source 'team wiki, page Disks'",
)


def commands():
    """Return the commands of the table, in its order."""
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index("| wish | here | command |") :].partition("\n\n")[0]
    return re.findall(r"\| `(dam [^`]*)` \|$", table, re.MULTILINE)


def test_every_wish_has_a_command():
    """No row of the table only claims something."""
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index("| wish | here | command |") :].partition("\n\n")[0]
    assert len(commands()) == len(table.splitlines()) - 2 >= 20


def test_every_command_of_the_table_works():
    """One after the other they succeed."""
    tried = [f"({command}) > out 2>&1 || {{ echo {number}; cat out; }}" for number, command in enumerate(commands())]
    code, printed, _ = output_of("\n".join([*(f"{each} 2> /dev/null" for each in FIRST), *tried]))
    assert (code, printed) == (0, "")
