"""Every entrance through which strangers' bytes come in: what takes them, and sound inputs to begin from.

What takes them must end without an exception, whatever the bytes are. Refusals are messages, not exceptions; the few
exceptions that a layer promises to its caller are caught here, and nothing else is.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import io
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING

import click
from fuzz.corpus import seeds_of
from session.dialogue import base, dialogue
from shared_files import ROOT

from dam_expert.batch.encoding import Extra
from dam_expert.batch.planning import Planner, What
from dam_expert.batch.work import Form, Order, Worker
from dam_expert.cli.options import _settings
from dam_expert.cli.tables import read_table
from dam_expert.documents.answering import value_of
from dam_expert.documents.incident import Incident, canonical, incident_from
from dam_expert.documents.messages import UNSAFE
from dam_expert.documents.quantities import QuantityError
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.evaluate import evaluate
from dam_expert.kb.load import load_knowledge
from dam_expert.kb.source import read_yaml
from dam_expert.prose import load_vocabulary
from dam_expert.prose.report import understand_text
from dam_expert.readers.found_files import searched
from dam_expert.readers.registry import READERS
from dam_expert.readers.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLE = ROOT / "examples" / "starved-accelerator"
SOUND = ROOT / "tests" / "broken" / "sound"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Entrance:
    """One way in. ``seeds`` are sound inputs, always in the same order."""

    take: Callable[[bytes], None]
    seeds: Callable[[], tuple[bytes, ...]]


def _reader(number: int, data: bytes) -> None:
    """Let one reader read anything, recognised or not: recognising looks at the head alone."""
    reader = READERS[number]
    reading = reader.read(Source.of_bytes("fuzz", data))
    assert reading.observations or reading.messages, "it says nothing"


def _incident(data: bytes) -> None:
    """Read an incident, diagnose what was understood, and write it again."""
    document, _ = read_yaml(data.decode("utf-8", "replace"), file="fuzz.dam.yaml")
    if document is None:
        return
    place = functools.partial(_place, document)
    incident, _ = incident_from(document.data, base().names, document.origin, place_of=place)
    evaluate(base(), incident, BitExecutor(base().program))
    canonical(incident, base().names)


def _place(document: object, path: object, key: bool) -> tuple[int, int]:
    return document.place(path, key=key)  # type: ignore[attr-defined]


def _incident_seeds() -> tuple[bytes, ...]:
    files = [*sorted((ROOT / "examples").rglob("*.dam.yaml")), ROOT / "knowledge" / "cases" / "training.yaml"]
    made = b"""schema: dam-incident/1
id: a
target: {metric: step_time, actual: 180 ms, wanted: 110 ms, track: time}
workload: {workload_kind: training, batch_size: 256}
observations:
  accelerator_utilization: 10-40 %
  step_time: {value: 3m48s, basis: said, when: '2026-05-14T10:00:00'}
  input_gap_share[device=0]: ~30 %
planned_actions: [buy H100]
tried: [{lever: more_loader_workers, effect: 1.3x}]
interventions: [{lever: prefetch_batches, before: 180 ms, after: 100 ms, kept: true}]
answers: {cached_pass_speedup: cannot_measure}
x-note: {a: [1, &b {c: 1e3}, *b]}
"""
    return (made, *(path.read_bytes() for path in files if path.is_file()))


def _base(data: bytes) -> None:
    """Lay a file of knowledge beside a sound base, and load both."""
    with tempfile.TemporaryDirectory() as folder:
        for path in SOUND.glob("*.yaml"):
            (pathlib.Path(folder) / path.name).write_bytes(path.read_bytes())
        (pathlib.Path(folder) / "fuzz.yaml").write_bytes(data)
        load_knowledge([pathlib.Path(folder)])


def _base_seeds() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted((ROOT / "tests" / "broken").glob("*.yaml")))


def _session(data: bytes) -> None:
    """Answer a session line by line, a dozen at most: each is a diagnosis."""
    dialogue(*data.decode("utf-8", "replace").split("\n")[:12])


def _session_seeds() -> tuple[bytes, ...]:
    return (
        b"1\nstep_time is 900 ms, wanted 500 ms\n45 %\nwhy\nunknown\nback\nwhat if input_gap_share is 40 %\nquit\n",
        b"serving\np99 900 ms wanted 200 ms\ncannot measure\nplan more_loader_workers\ntried prefetch_batches 1.3x\n",
        b"<<<\n# gpu  sm\n# Idx   %\n    0  70\n>>>\nnote x\nhow input_wait\nwhy not input.wait.confirm_by_gap\n",
        "太慢了\n步时间 900 ms，想要 500 ms\n不知道\n".encode(),
    )


def _batch(what: What, data: bytes) -> None:
    """Diagnose the rows of a table or of lines."""
    worker = _worker()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rows"
        path.write_bytes(data)
        planner = Planner(base(), lambda _: None, given=what)
        for piece in planner.pieces([str(path)], io.BytesIO()):
            worker.do(piece)


@functools.cache
def _worker() -> Worker:
    order = Order(form=Form.JSONL, extra=Extra(rules=False), understand=lambda *_: (Incident(id="x", file="x"), ()))
    return Worker(base(), order)


def _lines_seeds() -> tuple[bytes, ...]:
    return (
        b'{"id":"a","observations":{"input_gap_share":"45 %"},"target":{"metric":"step_time","actual":"9 ms"}}\n'
        b'{"id":"b","observations":[{"measurement":"step_time","value":"12 ms","scope":{"rank":"0"}}]}\n\n{"id":3}\n',
        b'{"schema":"dam-incident/1","id":"c","tried":[{"lever":"more_loader_workers","effect":"nothing"}]}\n',
    )


def _rows_seeds() -> tuple[bytes, ...]:
    return (
        b"id,input_gap_share,step_time [ms],accelerator\na,45 %,12,A100\nb,,N/A,\n",
        b'id;report\n1;"The GPU is idle, utilization about 30 %"\n',
    )


def _report(data: bytes) -> None:
    understand_text(data.decode("utf-8", "replace"), "fuzz.md", _vocabulary())


@functools.cache
def _vocabulary() -> object:
    vocabulary, _ = load_vocabulary(base())
    return vocabulary


def _report_seeds() -> tuple[bytes, ...]:
    return (
        b"# Training is slow\n\nWe train a ResNet-50 on 8x A100. GPU utilization is about 30 %, step time went from\n"
        b"110 ms to 180 ms after the update.\n\n- iowait 40 %\n- tried num_workers=16: no effect\n\n"
        b"```\n# gpu  sm\n# Idx   %\n    0  70\n```\n| metric | value |\n|---|---|\n| p99 | 900 ms |\n",
        "GPU 利用率只有 30 %，我们想换 H100。\n".encode(),
        "GPU chỉ chạy khoảng 30 %, bước mất 180 ms.\n".encode(),
        (ROOT / "README.md").read_bytes(),
    )


def _set(data: bytes) -> None:
    """Read what --set is given: name and value, for every measurement of a few kinds."""
    text = data.decode("utf-8", "replace")
    with contextlib.suppress(click.BadParameter):
        ((name, value),) = _settings(click.Context(click.Command("x")), click.Option(["--set"]), (text,))
        names = [base().names.resolve(name) or "step_time", "accelerator_utilization", "accelerator", "batch_size"]
        for each in names:
            with contextlib.suppress(QuantityError):
                value_of(value, each, base().names)


def _set_seeds() -> tuple[bytes, ...]:
    values = ("35 %", "10-40 %", "~3m48s", "2.5 s/it", "1.5k tok/s", ">= 90 %", "[1, 2]", "35 ± 5 %", "pegged", "A100")
    return tuple(f"accelerator_utilization={value}".encode() for value in values)


def _path(data: bytes) -> None:
    """Look for a file under any name, there or not, and say what became of it."""
    name = os.fsdecode(data[:300])
    with tempfile.TemporaryDirectory() as folder:
        with contextlib.suppress(OSError, ValueError):  # not every name can be one
            (pathlib.Path(folder) / pathlib.PurePath(name).name).write_bytes(b"x")
        for each in (pathlib.Path(name), pathlib.Path(folder), pathlib.Path(folder) / name.lstrip("/")):
            found = searched([each] if not each.is_absolute() or str(each).startswith(folder) else [])
            assert not [each for each in found.messages if UNSAFE.search(str(each))]


def _path_seeds() -> tuple[bytes, ...]:
    return (b"a.txt", b"../a\n\x1b[2J", "a\u202eb\u2028".encode(), b"\xff\xfe", b"a" * 300, b".", b"a\0b", b"~/-o")


def _table(data: bytes) -> None:
    from dam_expert.cli.failure import Failure
    from dam_expert.cli.queue import _COLUMNS

    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        pathlib.Path(file.name).write_bytes(data)
        with contextlib.suppress(Failure):
            read_table(file.name, _COLUMNS)


def _table_seeds() -> tuple[bytes, ...]:
    return (b"name,arrivals,service [ms],servers\na,60/s,12,1\nb,N/A,,2\n", b'name;arrivals;service\n"a;b";60/s;12ms\n')


ENTRANCES: dict[str, Entrance] = {
    **{
        f"reader {reader.title}": Entrance(
            take=functools.partial(_reader, number), seeds=functools.partial(seeds_of, number)
        )
        for number, reader in enumerate(READERS)
    },
    "incident": Entrance(take=_incident, seeds=_incident_seeds),
    "base": Entrance(take=_base, seeds=_base_seeds),
    "session": Entrance(take=_session, seeds=_session_seeds),
    "report": Entrance(take=_report, seeds=_report_seeds),
    "lines": Entrance(take=functools.partial(_batch, What.LINES), seeds=_lines_seeds),
    "rows": Entrance(take=functools.partial(_batch, What.RECORDS), seeds=_rows_seeds),
    "table": Entrance(take=_table, seeds=_table_seeds),
    "setting": Entrance(take=_set, seeds=_set_seeds),
    "path": Entrance(take=_path, seeds=_path_seeds),
}
