"""The command ``dam``: its subcommands, and how errors, interruptions and closed pipes end it."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Any

import click

from dam_expert.cli.compare import compare
from dam_expert.cli.diagnose import diagnose
from dam_expert.cli.doctor import doctor
from dam_expert.cli.failure import Exit
from dam_expert.cli.hardware import hardware
from dam_expert.cli.iron_law import ironlaw
from dam_expert.cli.kb_check import check
from dam_expert.cli.kb_diff import diff
from dam_expert.cli.kb_docs import docs
from dam_expert.cli.kb_fmt import fmt
from dam_expert.cli.kb_lock import lock
from dam_expert.cli.kb_new import new
from dam_expert.cli.kb_schema import schema
from dam_expert.cli.kb_show import show
from dam_expert.cli.kb_tests import tests
from dam_expert.cli.memory import memory
from dam_expert.cli.options import examples
from dam_expert.cli.queue import queue
from dam_expert.cli.read import read
from dam_expert.cli.roofline import roofline
from dam_expert.cli.scaling import scaling
from dam_expert.cli.session import session
from dam_expert.cli.why import why
from dam_expert.cli.why_not import why_not
from dam_expert.documents.messages import printable

if TYPE_CHECKING:
    from collections.abc import Sequence


class _Interruptible(click.Group):
    """A group that exits with 130 when interrupted, where click would say 1."""

    def main(  # type: ignore[override]  # click overloads it by whether it returns
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,  # noqa: ANN401
    ) -> int:
        """Run, and turn every expected end into its exit code; ``standalone_mode`` exits with it."""
        try:
            code = super().main(args, prog_name, standalone_mode=False, **extra)
        except click.Abort:
            click.echo("dam: interrupted", err=True)
            code = Exit.INTERRUPTED
        except click.ClickException as error:
            if not standalone_mode:
                raise
            shown = io.StringIO()
            error.show(shown)
            for line in shown.getvalue().expandtabs().splitlines():
                click.echo(printable(line), err=True)  # complaints quote arguments
            code = error.exit_code
        if standalone_mode:
            sys.exit(int(code or Exit.DONE))
        return int(code or Exit.DONE)


@click.group(cls=_Interruptible, epilog=examples("dam diagnose run/", "dam read run/ --format yaml", "dam doctor"))
@click.version_option(package_name="dam-expert", message="%(prog)s %(version)s")
def dam() -> None:
    """Find the constraint that binds in a machine-learning system: data, algorithm or machine.

    Give it whatever there is: profiler traces, tool outputs, an incident file. It names the one constraint that
    binds, with the proof, or the cheapest measurement that would decide.
    """


@click.group(epilog=examples("dam kb check", "dam kb test --min 95", "dam kb schema incident"))
def kb() -> None:
    """Check, test and describe the knowledge base."""


KB_COMMANDS = (check, tests, show, new, fmt, docs, diff, lock, schema)
CALCULATORS = (ironlaw, roofline, memory, queue, scaling, hardware)
COMMANDS = (diagnose, session, compare, read, why, why_not, *CALCULATORS, kb, doctor)

for _command in KB_COMMANDS:
    kb.add_command(_command)
for _command in COMMANDS:
    dam.add_command(_command)
