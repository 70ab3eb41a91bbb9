"""``dam batch``: many incidents, one row each."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from dam_expert.cli import inputs, pipeline
from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.options import examples, runbook_option
from dam_expert.cli.output import say
from dam_expert.documents.messages import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import BinaryIO

    from dam_expert.batch.output import Output
    from dam_expert.batch.pieces import Piece
    from dam_expert.batch.work import Done, Worker
    from dam_expert.documents.incident import Incident
    from dam_expert.documents.messages import Message
    from dam_expert.kb.base import Base

_FORMS: Final = ("jsonl", "csv", "parquet")
_INPUTS: Final = ("jsonl", "csv", "parquet", "document", "report", "output")


@click.command(
    epilog=examples(
        "dam batch incidents.jsonl -o verdicts.jsonl       one row an incident, in the same order",
        "dam batch reports/ -o verdicts.csv                a folder of incident files, reports and tool outputs",
        "dam batch fleet.parquet -o verdicts.parquet -j 4  four processes",
        "dam batch - -o - < incidents.jsonl | jq .status   streams",
        "dam batch fleet.csv -o verdicts.csv --resume      go on with a run that was cut off",
    )
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("-o", "--output", metavar="FILE", required=True, help="Where the rows go; - for stdout.")
@click.option("--format", "-f", "form", type=click.Choice(_FORMS), help="Of the output; else by its name, else jsonl.")
@click.option("--input", "given", type=click.Choice(_INPUTS), help="What all files are, where their names do not tell.")
@click.option("--rules", is_flag=True, help="Add the rules that fired.")
@click.option("--jobs", "-j", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes.")
@click.option("--resume", is_flag=True, help="Go on with a run that was cut off; it must be the same command.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing on stderr but errors.")
@runbook_option
@click.pass_context
def batch(
    context: click.Context,
    paths: tuple[str, ...],
    output: str,
    form: str | None,
    given: str | None,
    rules: bool,
    jobs: int,
    resume: bool,
    quiet: bool,
    runbooks: tuple[str, ...],
) -> None:
    """Diagnose many incidents: one row each, in the order of the input.

    Each incident file or report is one incident, each line of JSONL, each row of CSV and Parquet, and each folder
    with tool outputs and no incident file. Exit code 3 says that some rows have an error.
    """
    from dam_expert.batch.encoding import Extra
    from dam_expert.batch.work import Form, Order, Worker

    chosen = Form(form or _by_name(output))
    if (resume or chosen is Form.PARQUET) and (output == "-" or not _is_plain(Path(output))):
        raise click.UsageError("--resume and parquet need a file after -o")
    base = pipeline.load_base(runbooks)
    order = Order(form=chosen, extra=Extra(rules=rules), understand=understand)
    job = Job(Worker(base, order), paths, given, jobs, functools.partial(pipeline.load_base, runbooks), quiet=quiet)
    with _as_failure(output):
        if output == "-":
            job.to_stream(sys.stdout.buffer)
        elif _is_plain(Path(output)):
            job.to_file(output, resume=resume)
        else:
            with Path(output).open("wb") as stream:
                job.to_stream(stream)
    if not quiet or job.errors:
        bad = f", {job.errors} of them with an error" if job.errors else ""
        say(f"dam: {job.rows} incidents{bad}")
    context.exit(Exit.INVALID if job.errors or job.refused else Exit.DONE)


class Job:
    """One run: its pieces, its output and what is counted."""

    def __init__(
        self,
        worker: Worker,
        paths: Sequence[str],
        given: str | None,
        jobs: int,
        load: Callable[[], Base],
        *,
        quiet: bool,
    ) -> None:
        self.worker = worker
        self.paths = paths
        self.given = given
        self.jobs = jobs
        self.load = load
        self.quiet = quiet
        self.output: Path | None = None
        self.rows = self.errors = self.refused = 0

    def to_stream(self, out: BinaryIO) -> None:
        """Write rows to a pipe or device as they come."""
        from dam_expert.batch.encoding import csv_header
        from dam_expert.batch.work import Form

        with _closed_pipe():
            if self.worker.order.form is Form.CSV:
                out.write(csv_header(self.worker.order.extra))
            for _, done in self._results(self._pieces()):
                self._count(done.rows, done.errors)
                out.write(done.content)
                out.flush()

    def to_file(self, output: str, *, resume: bool) -> None:
        """Write rows to a file that appears when all are in it."""
        from dam_expert.batch.encoding import csv_header
        from dam_expert.batch.output import Output
        from dam_expert.batch.work import Form

        inputs.note_used(Path(path) for path in self.paths)
        if inputs.holds(Path(output)):
            raise Failure(Exit.USAGE, f"cannot write {output}: it is an input of this command, which would be lost")
        self.output = Path(output)
        into = Output(self.output, self._identity(), resume=resume)
        try:
            if self.worker.order.form is Form.CSV and not into.done:
                into.add(csv_header(self.worker.order.extra), {})
            for record in into.done:
                self._count(record.counts.get("rows", 0), record.counts.get("errors", 0))
            if not into.was_finished:
                self._fill(into)
            into.finish(self._parquet() if self.worker.order.form is Form.PARQUET else None)
        except BaseException:
            into.close() if self.rows else into.discard()
            if self.rows and not self.quiet:
                say(f"dam: {self.rows} rows are kept; the same command with --resume goes on")
            raise

    def _fill(self, into: Output) -> None:
        from dam_expert.batch.work import Form

        header = 1 if self.worker.order.form is Form.CSV else 0
        skipped = _after(self._pieces(), into.pieces - header)
        for _, done in self._results(skipped):
            into.add(done.content, {"rows": done.rows, "errors": done.errors})
            self._count(done.rows, done.errors)

    def _parquet(self) -> Callable[[Path, Path], None]:
        from dam_expert.batch.arrow import parquet_from, result_schema

        return functools.partial(parquet_from, result_schema(self.worker.order.extra))

    def _count(self, rows: int, errors: int) -> None:
        self.rows += rows
        self.errors += errors

    def _pieces(self) -> Iterator[Piece]:
        from dam_expert.batch.planning import Planner, What

        given = What(self.given) if self.given else None
        planner = Planner(self.worker.base, self._say, given=given, without=self.output)
        return planner.pieces(self.paths, sys.stdin.buffer)

    def _results(self, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, Done]]:
        from dam_expert.batch.running import done_by, done_here

        if self.jobs == 1:
            return done_here(self.worker, pieces)
        return done_by(self.worker, self.load, self.jobs, pieces)

    def _say(self, message: Message) -> None:
        self.refused += message.level is Level.ERROR
        if not self.quiet or message.level is Level.ERROR:
            say(str(message))

    def _identity(self) -> str:
        """Return what makes another run the same: inputs as they are, options, and the knowledge."""
        from dam_expert._version import __version__

        order = self.worker.order
        files = [_stamp(path) for path in self.paths]
        said = [__version__, self.worker.base.fingerprint, order.form, order.extra.rules, self.given, files]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def understand(base: Base, paths: Sequence[str]) -> tuple[Incident, Sequence[Message]]:
    """Read paths as one incident, as ``dam diagnose`` does; what cannot be used is told in the messages."""
    from dam_expert.documents.incident import Incident

    try:
        understood = pipeline.understand(base, paths, (), no_input=True, empty=True)
    except Failure as failure:
        return Incident(id="incident", file=paths[0]), failure.messages
    return understood.incident, understood.messages


def _stamp(path: str) -> list[Any]:
    """Return what tells whether an input is still the same; a folder by the newest of what it holds."""
    try:
        found = Path(path).stat()
    except OSError:
        return [path]
    return [path, found.st_size, found.st_mtime_ns]


def _is_plain(path: Path) -> bool:
    """Whether a path is a file, or becomes one: a device or pipe is written to as it is."""
    return not path.exists() or path.is_file()


def _by_name(output: str) -> str:
    suffix = Path(output).suffix.casefold()
    return {".csv": "csv", ".parquet": "parquet"}.get(suffix, "jsonl")


def _after(pieces: Iterator[Piece], done: int) -> Iterator[Piece]:
    for number, piece in enumerate(pieces):
        if number >= done:
            yield piece


@contextlib.contextmanager
def _as_failure(output: str) -> Iterator[None]:
    """Turn what can go wrong outside of incidents into one line."""
    from dam_expert.batch.arrow import ArrowMissingError
    from dam_expert.batch.output import OutputError
    from dam_expert.batch.running import WorkersDieError

    try:
        yield
    except (ArrowMissingError, OutputError) as error:
        raise Failure(Exit.USAGE, str(error)) from None
    except WorkersDieError as error:
        raise Failure(Exit.INVALID, str(error)) from None
    except OSError as error:
        named = error.filename if isinstance(error.filename, str) else output
        raise Failure(Exit.USAGE, f"cannot write {named}: {error.strerror or error}") from None


@contextlib.contextmanager
def _closed_pipe() -> Iterator[None]:
    """End quietly where the reader of a pipe has closed it: it has had enough."""
    try:
        yield
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
