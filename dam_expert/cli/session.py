"""``dam session``: the guided session, over plain lines or on a terminal."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dam_expert.cli import pipeline
from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.fronts import Front, front_for
from dam_expert.cli.options import (
    REPORT_FORMATS,
    examples,
    language_option,
    named,
    optional_input_options,
    report_language,
    runbook_option,
)
from dam_expert.cli.output import emit_report, say, talk, text_width, use_color
from dam_expert.documents.files import open_file
from dam_expert.documents.messages import has_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dam_expert.documents.incident import Incident
    from dam_expert.kb.base import Base
    from dam_expert.session.state import State


@click.command(
    epilog=examples(
        "dam session                            begin with nothing; kept in ./session.dam.yaml",
        "dam session slow.dam.yaml              begin, or go on where it stopped",
        "dam session run/ -o slow.dam.yaml      begin with tool outputs",
        "dam session slow.dam.yaml --script     the next measurements as a shell script",
        "dam session slow.dam.yaml --report slow.html -f html   with a report at the end",
        "dam session --lang vi                  in Vietnamese; 'language zh' changes it on the way",
    )
)
@optional_input_options
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    callback=named,
    help="Where the session is kept; else the incident file, or ID.dam.yaml.",
)
@click.option(
    "--report",
    "report_to",
    metavar="FILE",
    callback=named,
    help="Write the closing report to FILE; with --format, --brief or --explain alone it goes to stdout.",
)
@click.option("--format", "-f", "form", type=click.Choice(REPORT_FORMATS), help="Close with a report in this format.")
@click.option("--brief", is_flag=True, help="Close with a report of three lines.")
@click.option("--explain", is_flag=True, help="Close with a report that holds the whole proof.")
@click.option("--script", "as_script", is_flag=True, help="Print the next measurements as a POSIX shell script.")
@click.option("--plain", is_flag=True, help="Plain lines on a terminal too, without editing and completion.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing on stderr but errors.")
@language_option
@runbook_option
def session(
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    no_input: bool,
    output: str | None,
    report_to: str | None,
    form: str | None,
    brief: bool,
    explain: bool,
    as_script: bool,
    plain: bool,
    quiet: bool,
    language: str | None,
    runbooks: tuple[str, ...],
) -> None:
    """Find what binds by question and answer, then follow the fix through to the re-measurement.

    Every answer is on disk before the next question; the same command goes on where a session stopped. With
    --no-input it shows where the session stands and ends. A report of how it stands at the end is written with
    --report, --format, --brief or --explain; with --no-input it is all that is written.
    """
    from dam_expert.session.state import resumed

    if brief and explain:
        raise click.UsageError("--brief and --explain exclude each other")
    base = pipeline.load_base(runbooks)
    incident, path = _begun(base, paths, settings, output, language, quiet=quiet)
    state = resumed(incident)
    if language is not None:
        state = dataclasses.replace(state, language=language)
    if as_script:
        _print_script(base, state, report_language(state.language), path)
        return
    front = front_for(base, plain=plain, no_input=no_input)
    wanted = form is not None or report_to is not None or brief or explain
    closing = Closing(form=form or "text", output=report_to, brief=brief, explain=explain) if wanted else None
    if closing is None or not no_input:
        state = _held(base, state, path, front, report_language(language), quiet=quiet)
    if closing is not None:
        closing.write(base, state, report_language(state.language or language))


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """How the report at the end of a session is written."""

    form: str
    output: str | None
    brief: bool
    explain: bool

    def write(self, base: Base, state: State, language: str) -> None:
        """Write how a session stands."""
        from dam_expert.engine.diagnose import diagnose
        from dam_expert.engine.resolution import what_worked
        from dam_expert.reports import build_report

        diagnosis = diagnose(base, state.incident)
        words = pipeline.glossary(base, language)
        emit_report(
            self.form,
            diagnosis.as_data,
            lambda: build_report(diagnosis, words, worked=what_worked(base, state.incident)),
            self.output,
            brief=self.brief,
            explain=self.explain,
        )


def _begun(
    base: Base,
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    output: str | None,
    language: str | None,
    *,
    quiet: bool,
) -> tuple[Incident, Path]:
    """Return the incident to begin with, and where it is kept."""
    new = len(paths) == 1 and paths[0].endswith((".dam.yaml", ".dam.yml")) and _is_blank(Path(paths[0]))
    if not paths or new:
        path = Path(output or (paths[0] if paths else "session.dam.yaml"))
        if not _is_blank(path):
            if output is None:
                _say(_phrase("session.going_on", path, report_language(language)), quiet=quiet)
            return _gone_on(base, [str(path)], settings, path, quiet=quiet)
        fresh = pipeline.understand(base, [], settings, empty=True).incident
        return dataclasses.replace(fresh, id=path.name.split(".")[0], file=str(path)), path
    understood = pipeline.understand(base, paths, settings, empty=True)
    own = Path(understood.incident.file)
    if _is_incident(own) and output in (None, str(own)):
        return _gone_on(base, paths, settings, own, quiet=quiet)
    talk(understood.messages, quiet=quiet)
    path = Path(output or f"{understood.incident.id}.dam.yaml")
    _refuse_other(path)
    return understood.incident, path


def _refuse_other(path: Path) -> None:
    """Refuse a file that this session did not begin with: keeping it there would replace what the file holds."""
    if _is_blank(path):
        return
    if not _is_incident(path):
        raise Failure(Exit.USAGE, f"{path} is no incident: a session there would replace it; name another file with -o")
    text = f"{path} holds a session already: 'dam session {path}' goes on with it; name another file with -o"
    raise Failure(Exit.USAGE, text)


def _gone_on(
    base: Base, paths: Sequence[str], settings: tuple[tuple[str, str], ...], path: Path, *, quiet: bool
) -> tuple[Incident, Path]:
    """Return the incident of the file that a session goes on in. Raises Failure where that would lose something."""
    try:
        open_file(path).close()
    except OSError as error:
        raise Failure(Exit.INVALID, f"{path} cannot be read: {error.strerror}; name another file with -o") from error
    understood = pipeline.understand(base, paths, settings, empty=True)
    if has_errors(understood.messages):
        text = f"a session in {path} would lose what was not understood; mend it first, or name another file with -o"
        raise Failure(Exit.INVALID, text, understood.messages)
    talk(understood.messages, quiet=quiet)
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


def _print_script(base: Base, state: State, language: str, path: Path) -> None:
    """Print the next measurements; the last line gives them beside the session, if it is on disk."""
    from dam_expert.engine.diagnose import diagnose

    beside = (str(path),) if path.exists() else ()
    click.echo(pipeline.measuring_script(base, diagnose(base, state.incident), language, beside), nl=False)


def _held(base: Base, state: State, path: Path, front: Front, language: str, *, quiet: bool) -> State:
    """Hold the session and return how it stands at its end."""
    from dam_expert.engine._experta import ExpertaExecutor
    from dam_expert.session.conversation import Conversation
    from dam_expert.session.lines import converse
    from dam_expert.session.storing import BusyError, Keeper, held

    conversation = Conversation(base, ExpertaExecutor(base.program), language)
    color, width = use_color(None), text_width(None)

    last = state

    def hold(keep: Callable[[State], None]) -> State:
        return converse(conversation, state, front.read, front.say, keep, color=color, width=width)

    def moved(before: Path, beside: Path) -> None:
        say(_phrase("session.kept_beside", before, last.language or language).replace("{beside}", str(beside)))

    if front.reads_nothing:
        return hold(lambda _: None)
    keeper = None
    try:
        with held(path):
            keeper = Keeper(base, state, path, moved=moved)
            try:
                last = hold(keeper.save)
            finally:
                keeper.settle()
    except BusyError as error:
        raise Failure(Exit.INVALID, f"{error}: close it, or give this one another file with -o") from error
    except BrokenPipeError:
        sys.stdout = None  # nobody reads on; what was answered is on disk
    except OSError as error:
        raise Failure(Exit.INVALID, f"cannot keep the session in {path}: {error.strerror or error}") from error
    kept = path if keeper is None else keeper.path
    _say(_phrase("session.kept", kept, last.language or language), quiet=quiet)
    if kept != path:
        raise Failure(Exit.INVALID, f"{path} was changed while the session was open: its answers are in {kept}")
    return last


def _phrase(key: str, path: Path, language: str) -> str:
    from dam_expert.reports.wording import language_named, load_wording

    return load_wording(language_named(language)).phrases[key].replace("{path}", str(path))


def _say(text: str, *, quiet: bool) -> None:
    if not quiet:
        say(text)
