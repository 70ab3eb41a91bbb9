"""``dam session``: the guided session, over plain lines."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dam_expert.cli import pipeline
from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.options import examples, named, runbook_option
from dam_expert.cli.output import say, talk
from dam_expert.documents.files import open_file
from dam_expert.documents.messages import has_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dam_expert.documents.incident import Incident
    from dam_expert.kb.base import Base
    from dam_expert.session.state import State


@click.command(
    epilog=examples(
        "dam session                            begin with nothing; saved to ./session.dam.yaml",
        "dam session slow.dam.yaml              begin, or go on where it stopped",
        "dam session run/ -o slow.dam.yaml      begin with tool outputs",
        "dam session slow.dam.yaml --script     the next measurements as a shell script",
    )
)
@click.argument("paths", nargs=-1, metavar="[PATH]...", callback=named)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    callback=named,
    help="Where the session is kept; else the incident file, or ID.dam.yaml.",
)
@click.option("--script", "as_script", is_flag=True, help="Print the next measurements as a POSIX shell script.")
@click.option("--plain", is_flag=True, help="Plain lines on a terminal too, without editing and completion.")
@click.option("--no-input", is_flag=True, help="Ask nothing: show where the session stands and end.")
@runbook_option
def session(
    paths: tuple[str, ...],
    output: str | None,
    as_script: bool,
    plain: bool,
    no_input: bool,
    runbooks: tuple[str, ...],
) -> None:
    """Find what binds by question and answer, then follow the fix through to the re-measurement.

    Every answer is on disk before the next question; the same command goes on where a session stopped.
    """
    from dam_expert.session.state import resumed

    base = pipeline.load_base(runbooks)
    incident, path = _begun(base, paths, output)
    state = resumed(incident)
    if as_script:
        _print_script(base, state)
    else:
        _held(base, state, path, _nothing if no_input else _front(base, plain=plain))


def _begun(base: Base, paths: tuple[str, ...], output: str | None) -> tuple[Incident, Path]:
    """Return the incident to begin with, and where it is kept."""
    from dam_expert.documents.incident import Incident

    new = len(paths) == 1 and paths[0].endswith((".dam.yaml", ".dam.yml")) and _is_blank(Path(paths[0]))
    if not paths or new:
        path = Path(output or (paths[0] if paths else "session.dam.yaml"))
        if not _is_blank(path):
            return _gone_on(base, [str(path)], path)
        return Incident(id=path.name.split(".")[0], file=str(path)), path
    own = paths[0] if len(paths) == 1 and _is_incident(Path(paths[0])) else None
    if own is not None and output in (None, own):
        return _gone_on(base, paths, Path(own))
    understood = pipeline.understand(base, paths, [], empty=True)
    talk(understood.messages)
    path = Path(output or f"{understood.incident.id}.dam.yaml")
    if not _is_blank(path) and not _is_incident(path):
        raise Failure(Exit.USAGE, f"{path} is no incident: a session there would replace it; name another file with -o")
    return understood.incident, path


def _gone_on(base: Base, paths: Sequence[str], path: Path) -> tuple[Incident, Path]:
    """Return the incident of the file that a session goes on in. Raises Failure where that would lose something."""
    try:
        open_file(path).close()
    except OSError as error:
        raise Failure(Exit.INVALID, f"{path} cannot be read: {error.strerror}; name another file with -o") from error
    understood = pipeline.understand(base, paths, (), empty=True)
    if has_errors(understood.messages):
        text = f"a session in {path} would lose what was not understood; mend it first, or name another file with -o"
        raise Failure(Exit.INVALID, text, understood.messages)
    talk(understood.messages)
    return understood.incident, path


def _is_blank(path: Path) -> bool:
    """Tell whether a session may begin in a file: one that is not there, or says nothing."""
    from dam_expert.documents.heads import head_of

    try:
        return not head_of(path).strip()
    except FileNotFoundError:
        return True
    except OSError:
        return False


def _is_incident(path: Path) -> bool:
    from dam_expert.documents.heads import head_of, is_incident, is_incident_name

    try:
        return is_incident(path.name, head_of(path))
    except OSError:
        return is_incident_name(path.name)


def _print_script(base: Base, state: State) -> None:
    from dam_expert.engine.diagnose import diagnose
    from dam_expert.session.script import script

    click.echo(script(diagnose(base, state.incident)), nl=False)


def _held(base: Base, state: State, path: Path, read: Callable[[], str | None]) -> None:
    from dam_expert.engine._experta import ExpertaExecutor
    from dam_expert.session.conversation import Conversation
    from dam_expert.session.lines import converse
    from dam_expert.session.storing import BusyError, held, save

    conversation = Conversation(base, ExpertaExecutor(base.program))
    if read is _nothing:
        converse(conversation, state, read, click.echo, lambda _: None)
        return
    try:
        with held(path):
            if not path.exists():
                save(base, state, path)
            converse(conversation, state, read, click.echo, lambda now: save(base, now, path))
    except BusyError as error:
        raise Failure(Exit.INVALID, f"{error}: close it, or give this one another file with -o") from error
    except OSError as error:
        raise Failure(Exit.INVALID, f"cannot keep the session in {path}: {error.strerror or error}") from error
    say(f"kept in {path}")


def _front(base: Base, *, plain: bool) -> Callable[[], str | None]:
    """Return how answers are read: with editing on a terminal that can, where the extra is installed; else as lines."""
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    if plain or not on_terminal:
        return _read
    try:
        from dam_expert.session.terminal import Terminal
    except ImportError:
        return _read
    return Terminal(base).read


def _read() -> str | None:
    line = sys.stdin.readline()
    return line.rstrip("\r\n") if line else None


def _nothing() -> str | None:
    return None
