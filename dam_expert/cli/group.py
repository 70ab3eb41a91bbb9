"""The command ``dam``: its subcommands, and how errors, interruptions and closed pipes end it."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dam_expert.cli import inputs
from dam_expert.cli.batch import batch
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
from dam_expert.cli.listing import Listed
from dam_expert.cli.memory import memory
from dam_expert.cli.options import examples
from dam_expert.cli.output import end_stdout, open_streams, say
from dam_expert.cli.queue import queue
from dam_expert.cli.read import read
from dam_expert.cli.roofline import roofline
from dam_expert.cli.scaling import scaling
from dam_expert.cli.session import session
from dam_expert.cli.why import why
from dam_expert.cli.why_not import why_not
from dam_expert.documents.installation import InstallationError

if TYPE_CHECKING:
    from collections.abc import Sequence

TRACEBACK = "DAM_TRACEBACK"
"""The environment variable with which a mistake of the program shows its traceback."""


class _Bounded(Listed):
    """A group whose every end is an exit code that means something: never a traceback, never click's 1."""

    def main(  # type: ignore[override]  # click overloads it by whether it returns
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,  # noqa: ANN401
    ) -> int:
        """Run, and turn every end into its exit code; ``standalone_mode`` exits with it."""
        open_streams()
        try:
            code = super().main(args, prog_name, standalone_mode=False, **extra)
        except click.Abort:
            say("dam: interrupted")
            code = Exit.INTERRUPTED
        except click.ClickException as error:
            if not standalone_mode:
                raise
            _complain(error)
            code = error.exit_code
        except SystemExit:  # click's answer to a pipe that was closed: its reader has had enough, which is no error
            code = Exit.DONE
        except OSError as error:  # all files are opened where it is known what they are: this is stdout
            end_stdout()
            where = f"{error.filename}: " if error.filename else "cannot write: "
            say(f"dam: {where}{error.strerror or error}")
            code = Exit.USAGE
        except InstallationError as error:
            say(f"dam: {error}")
            code = Exit.INVALID
        except Exception as error:
            if os.environ.get(TRACEBACK):
                raise
            say(f"dam: {_fault(error)}")
            code = Exit.INVALID
        if standalone_mode:
            sys.exit(int(code or Exit.DONE))
        return int(code or Exit.DONE)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401
        """Run the subcommand; one that is done over inputs with errors in them ends with the code of invalid ones."""
        try:
            result, code = super().invoke(ctx), Exit.DONE
        except click.exceptions.Exit as end:
            result, code = None, Exit(end.exit_code)
        if ctx.parent is None and code in (Exit.DONE, Exit.CONDITION):
            for text in inputs.readings(ctx):
                say(f"mind: {text}")
        if code is Exit.DONE and inputs.faulty(ctx):
            code = Exit.INVALID
        if code is not Exit.DONE:
            ctx.exit(code)
        return result


def _complain(error: click.ClickException) -> None:
    """Say what is wrong with a call, in one line, and where its help is."""
    if not isinstance(error, click.UsageError) or type(error).show is not click.UsageError.show:
        error.show()  # a page of its own, such as the help of a group that was called without a command
        return
    text = error.format_message().replace("\n\t", " ").rstrip(".")
    command = error.ctx.command_path if error.ctx is not None else "dam"
    say(f"dam: {text}; see: {command} --help")


def _fault(error: Exception) -> str:
    """Return what to do about a mistake of the program itself: nothing in any input may lead here."""
    if isinstance(error, MemoryError):
        return "there is not enough memory for these inputs; give it less, for example a shorter capture"
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    return (
        f"a mistake in dam itself ({type(error).__name__} at {where}); please report it with the output of "
        f"'dam doctor -f json'; with {TRACEBACK}=1 it shows where"
    )


@click.group(cls=_Bounded, epilog=examples("dam diagnose run/", "dam read run/ --format yaml", "dam doctor"))
@click.version_option(package_name="dam-expert", message="%(prog)s %(version)s")
def dam() -> None:
    """Find the constraint that binds in a machine-learning system: data, algorithm or machine.

    Give it whatever there is: profiler traces, tool outputs, an incident file. It names the one constraint that
    binds, with the proof, or the cheapest measurement that would decide.
    """


@click.group(cls=Listed, epilog=examples("dam kb check", "dam kb test --min 95", "dam kb schema incident"))
def kb() -> None:
    """Check, test and describe the knowledge base."""


KB_COMMANDS = (check, tests, show, new, fmt, docs, diff, lock, schema)
CALCULATORS = (ironlaw, roofline, memory, queue, scaling, hardware)
COMMANDS = (diagnose, session, batch, compare, read, why, why_not, *CALCULATORS, kb, doctor)

for _command in KB_COMMANDS:
    kb.add_command(_command)
for _command in COMMANDS:
    dam.add_command(_command)
