"""``dam batch``: many incidents, one row each."""

from __future__ import annotations

import contextlib
import dataclasses
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
from dam_expert.cli.options import examples, language_option, report_language, runbook_option
from dam_expert.cli.output import end_stdout, say
from dam_expert.documents.messages import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import ProcessPoolExecutor
    from typing import BinaryIO

    from dam_expert.batch.labels import Label
    from dam_expert.batch.output import Output
    from dam_expert.batch.pieces import Piece
    from dam_expert.batch.tally import Counts
    from dam_expert.batch.work import Done, Form, Worker
    from dam_expert.cli.progress import Progress
    from dam_expert.documents.incident import Incident
    from dam_expert.documents.messages import Message
    from dam_expert.kb.base import Base
    from dam_expert.reports import Report

_FORMS: Final = ("jsonl", "csv", "parquet")
_SUMMARIES: Final = {
    ".json": "json", ".yaml": "yaml", ".yml": "yaml", ".html": "html", ".htm": "html", ".md": "markdown",
}  # fmt: skip
_INPUTS: Final = ("jsonl", "csv", "parquet", "document", "report", "output")


@click.command(
    epilog=examples(
        "dam batch incidents.jsonl -o verdicts.jsonl       one row an incident, in the same order",
        "dam batch reports/ -o verdicts.csv                a folder of incident files, reports and tool outputs",
        "dam batch fleet.parquet -o verdicts.parquet -j 4  four processes",
        "dam batch - -o - < incidents.jsonl | jq .status   streams",
        "dam batch fleet.csv -o verdicts.csv --resume      go on with a run that was cut off",
        "dam batch fleet.jsonl --summary fleet.html --by x-team   counts and a picture",
        "dam batch cases.jsonl --labels truth.csv          how often it is right",
    )
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("-o", "--output", metavar="FILE", help="Where the rows go, - for stdout; may be left out for counts.")
@click.option("--format", "-f", "form", type=click.Choice(_FORMS), help="Of the output; else by its name, else jsonl.")
@click.option("--input", "given", type=click.Choice(_INPUTS), help="What all files are, where their names do not tell.")
@click.option("--rules", is_flag=True, help="Add the rules that fired.")
@click.option("--full", is_flag=True, help="Add the whole diagnosis of each incident; not in CSV.")
@click.option(
    "--summary", metavar="FILE", help="Write counts to FILE, as .json, .yaml, .html, .md or text; - for text on stdout."
)
@click.option("--by", metavar="NAME", multiple=True, help="Count by a setting or free key (x-team) as well.")
@click.option("--labels", metavar="FILE", help="Compare with the truth: id, accepted bottlenecks, hypothesis.")
@click.option(
    "--against", metavar="DIR", multiple=True, help="Tell what the runbook in DIR, laid over the base instead, moves."
)
@click.option("--jobs", "-j", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes.")
@click.option(
    "--engine", type=click.Choice(("local", "ray")), default="local", show_default=True, help="Where it runs."
)
@click.option("--address", metavar="HOST:PORT", help="Of a running Ray cluster; else Ray runs on this machine.")
@click.option("--resume", is_flag=True, help="Go on with a run that was cut off; it must be the same command.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing on stderr but errors.")
@language_option
@runbook_option
@click.pass_context
def batch(
    context: click.Context,
    paths: tuple[str, ...],
    output: str | None,
    form: str | None,
    given: str | None,
    rules: bool,
    full: bool,
    summary: str | None,
    by: tuple[str, ...],
    labels: str | None,
    against: tuple[str, ...],
    jobs: int,
    engine: str,
    address: str | None,
    resume: bool,
    quiet: bool,
    language: str | None,
    runbooks: tuple[str, ...],
) -> None:
    """Diagnose many incidents: one row each, in the order of the input.

    Each incident file or report is one incident, each line of JSONL, each row of CSV and Parquet, and each folder
    with tool outputs and no incident file. Exit code 3 says that some rows have an error.
    """
    from dam_expert.batch.encoding import Extra
    from dam_expert.batch.tally import Wanted
    from dam_expert.batch.work import Form, Order, Worker

    if output is None and summary is None and labels is None:
        raise click.UsageError("name the file of the rows with -o, or ask for counts with --summary or --labels")
    rows_to = os.devnull if output is None else output
    chosen = Form(form or _by_name(rows_to))
    _refuse(rows_to, chosen, resume=resume, full=full)
    base = pipeline.load_base(runbooks)
    counted = summary is not None or labels is not None
    order = Order(
        form=chosen,
        extra=Extra(rules=rules, full=full),
        understand=understand,
        wanted=Wanted(summary=counted, by=by, labels=_labels(labels)),
        against=functools.partial(pipeline.load_base, against) if against else None,
    )
    load = functools.partial(pipeline.load_base, runbooks)
    job = Job(Worker(base, order), paths, given, jobs, load, quiet=quiet)
    if engine == "ray":
        job.on_ray(address)
    job.begin()
    with _as_failure(rows_to), job.watched():
        job.to(rows_to, resume=resume)
    if counted:
        _write_counts(base, job.counts, summary or "-", report_language(language))
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
        self.counts: Counts = {}
        self.refused = 0
        self._progress: Progress | None = None
        self._address: str | None = None
        self._on_ray = False
        self._cut_for = jobs
        self._begun: ProcessPoolExecutor | None = None

    def on_ray(self, address: str | None) -> None:
        """Run on Ray: on the cluster at an address, or on this machine."""
        self._on_ray, self._address = True, address

    @property
    def rows(self) -> int:
        """How many rows there are so far."""
        return int(self.counts.get("rows", 0))

    @property
    def errors(self) -> int:
        """How many of them have an error."""
        return int(self.counts.get("errors", 0))

    def begin(self) -> None:
        """Start the processes, before anything else has threads."""
        from dam_expert.batch.running import forked

        if self.jobs > 1 and not self._on_ray:
            self._begun = forked(self.worker, self.jobs)

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Show how far the run is, on a terminal."""
        from dam_expert.cli.progress import counted

        sizes = [_size(path) for path in self.paths]
        total = None if None in sizes else sum(size for size in sizes if size is not None)
        with contextlib.nullcontext() if self.quiet else counted(total) as self._progress:
            yield

    def to(self, name: str, *, resume: bool) -> None:
        """Write rows to what a name stands for: standard output, a file, or a pipe or device."""
        if name == "-":
            self.to_stream(sys.stdout.buffer)
        elif _is_plain(Path(name)):
            self.to_file(name, resume=resume)
        else:
            with Path(name).open("wb") as stream:
                self.to_stream(stream)

    def to_stream(self, out: BinaryIO) -> None:
        """Write rows to a pipe or device as they come."""
        from dam_expert.batch.encoding import csv_header
        from dam_expert.batch.work import Form

        with _closed_pipe():
            if self.worker.order.form is Form.CSV:
                out.write(csv_header(self.worker.order.extra))
            for piece, done in self._results(self._pieces()):
                self._count(done.counts, piece.weight)
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
        into = Output(self.output, self._identity(), resume=resume, jobs=self.jobs)
        self._cut_for = into.jobs
        try:
            if self.worker.order.form is Form.CSV and not into.done:
                into.add(csv_header(self.worker.order.extra), {})
            for record in into.done:
                self._count(record.counts, 0)
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
        left = _after(self._pieces(), into.pieces - header)
        for piece, done in self._results(left):
            into.add(done.content, done.counts)
            self._count(done.counts, piece.weight)

    def _parquet(self) -> Callable[[Path, Path], None]:
        from dam_expert.batch.arrow import parquet_from, result_schema

        return functools.partial(parquet_from, result_schema(self.worker.order.extra))

    def _count(self, counts: Counts, weight: int) -> None:
        from dam_expert.batch.tally import added

        self.counts = added(self.counts, counts)
        if self._progress is not None:
            self._progress(weight, self.rows)

    def _pieces(self) -> Iterator[Piece]:
        from dam_expert.batch.planning import Planner, What

        given = What(self.given) if self.given else None
        planner = Planner(self.worker.base, self._say, given=given, without=self.output, jobs=self._cut_for)
        return planner.pieces(self.paths, sys.stdin.buffer)

    def _results(self, pieces: Iterable[Piece]) -> Iterator[tuple[Piece, Done]]:
        from dam_expert.batch.running import done_by, done_here

        if self._on_ray:
            from dam_expert.batch.ray_engine import done_on_ray

            return done_on_ray(self.load, self.worker.order, self.jobs, pieces, address=self._address)
        if self.jobs == 1:
            return done_here(self.worker, pieces)
        begun, self._begun = self._begun, None
        return done_by(self.worker, self.load, self.jobs, pieces, begun)

    def _say(self, message: Message) -> None:
        self.refused += message.level is Level.ERROR
        if not self.quiet or message.level is Level.ERROR:
            say(str(message))

    def _identity(self) -> str:
        """Return what makes another run the same: inputs as they are, options, and the knowledge."""
        from dam_expert._version import __version__

        order = self.worker.order
        files = [_stamp(path) for path in self.paths]
        other = None if self.worker.other is None else self.worker.other.base.fingerprint
        options = [dataclasses.asdict(order.extra), dataclasses.asdict(order.wanted), self.given, other]
        said = [__version__, self.worker.base.fingerprint, order.form, options, files]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def understand(base: Base, paths: Sequence[str]) -> tuple[Incident, Sequence[Message]]:
    """Read paths as one incident, as ``dam diagnose`` does; what cannot be used is told in the messages."""
    from dam_expert.documents.incident import Incident

    try:
        understood = pipeline.understand(base, paths, (), no_input=True, empty=True)
    except Failure as failure:
        return Incident(id="incident", file=paths[0]), failure.messages
    return understood.incident, understood.messages


def _refuse(output: str, form: Form, *, resume: bool, full: bool) -> None:
    """Refuse what does not go together."""
    is_file = output != "-" and _is_plain(Path(output))
    if not is_file and (resume or form == "parquet"):
        raise click.UsageError("--resume and parquet need a file after -o")
    if full and form == "csv":
        raise click.UsageError("a whole diagnosis does not fit into a cell of CSV; write .jsonl or .parquet")


def _labels(path: str | None) -> dict[str, Label]:
    """Read the labels. Raises Failure for what cannot be used."""
    from dam_expert.batch.labels import LabelError, read_labels

    if path is None:
        return {}
    try:
        return read_labels(Path(path))
    except LabelError as error:
        raise Failure(Exit.INVALID, str(error)) from None
    except OSError as error:
        raise Failure(Exit.INVALID, f"cannot read {path}: {error.strerror or error}") from None


def _write_counts(base: Base, counts: Counts, to: str, language: str) -> None:
    """Write the counts in the format that the name of the file asks for."""
    from dam_expert.cli.output import emit_report
    from dam_expert.reports.fleet import fleet_report

    form = _SUMMARIES.get(Path(to).suffix.casefold(), "text")

    def report() -> Report:
        return fleet_report(base, counts, pipeline.glossary(base, language))

    emit_report(form, lambda: counts, report, None if to == "-" else to, brief=False, explain=False)


def _size(path: str) -> int | None:
    """Return the bytes of a file; None where it is a stream or a folder, whose size nobody knows beforehand."""
    try:
        return Path(path).stat().st_size if Path(path).is_file() else None
    except OSError:
        return 0


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
    from dam_expert.batch.ray_engine import RayMissingError
    from dam_expert.batch.running import WorkersDieError

    try:
        yield
    except (ArrowMissingError, OutputError, RayMissingError) as error:
        raise Failure(Exit.USAGE, str(error)) from None
    except WorkersDieError as error:
        raise Failure(Exit.INVALID, str(error)) from None
    except OSError as error:
        if output == "-":
            end_stdout()
        named = error.filename if isinstance(error.filename, str) else output
        raise Failure(Exit.USAGE, f"cannot write {named}: {error.strerror or error}") from None


@contextlib.contextmanager
def _closed_pipe() -> Iterator[None]:
    """End quietly where the reader of a pipe has closed it: it has had enough."""
    try:
        yield
    except BrokenPipeError:
        end_stdout()
