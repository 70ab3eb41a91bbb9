"""Batch: what each part costs an incident, against decoding alone, experta and CLIPS, all in one run.

    python benchmarks/batch.py [N] > benchmarks/batch.md

N incidents (by default 100 000) with 15 to 30 observations each are drawn on the shipped base. Times are CPU time of
the process, so that other work on the machine disturbs little; ratios are between times of the same run. CLIPS is
measured where clipspy is installed, Parquet where pyarrow is.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import platform
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from random_documents import Documents

from dam_expert import load_knowledge
from dam_expert.batch.encoding import Extra
from dam_expert.batch.entries import entry_of
from dam_expert.batch.pieces import Kind, Piece, line_pieces, parquet_pieces
from dam_expert.batch.work import Form, Order, Worker
from dam_expert.engine._experta import ExpertaExecutor
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.diagnose import written
from dam_expert.engine.evaluate import evaluate
from dam_expert.kb.base import Base
from dam_expert.language.program import Join, Literal

CLIPS = importlib.util.find_spec("clips") is not None
ARROW = importlib.util.find_spec("pyarrow") is not None
SINGLES = 60
PLAIN = 3
"""Incidents in plain experta, of which each takes a second."""


def cpu(action: Callable[[], object]) -> float:
    """Return the seconds of CPU time that an action takes."""
    began = time.process_time()
    action()
    return time.process_time() - began


def best(action: Callable[[], object], times: int = 3) -> float:
    return min(cpu(action) for _ in range(times))


def draw(base: Base, folder: Path, n: int) -> Path:
    """Write n plain incidents; beyond some thousand they repeat with other values."""
    drawn, chance = Documents(base, 3), random.Random(3)
    documents = [drawn.plain(number) for number in range(min(n, 20_000))]
    path = folder / f"{n}.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for number in range(n):
            document = documents[number % len(documents)]
            document["id"] = f"incident-{number}"
            document["target"] = {"metric": "step_time", "actual": round(chance.uniform(0.5, 3), 3), "wanted": 0.5}
            stream.write(json.dumps(document, separators=(",", ":")) + "\n")
    return path


def worker(base: Base, form: Form = Form.JSONL, *, full: bool = False) -> Worker:
    return Worker(base, Order(form=form, extra=Extra(full=full), understand=lambda *_: None))  # type: ignore[arg-type]


def pieces(path: Path) -> list[Piece]:
    with path.open("rb") as stream:
        return list(line_pieces(str(path), stream, keep=False))


class Clips:
    """The rules of the base in CLIPS: a rule for each way in which a node becomes true or false, and one a rule."""

    def __init__(self, base: Base) -> None:
        import clips

        self.environment = clips.Environment()
        for number, construct in enumerate(self._constructs(base)):
            self.environment.build(f"(defrule r{number} {construct})")

    def fired(self, answers: dict[int, Any]) -> int:
        """Assert the truths of the leaves, run, and count what fired."""
        environment = self.environment
        environment.reset()
        for leaf, truth in answers.items():
            if truth.word != "unknown":
                environment.assert_string(f"({truth.word[0]} {leaf})")
        environment.run()
        return sum(fact.template.name == "fired" for fact in environment.facts())

    def _constructs(self, base: Base) -> Iterator[str]:
        for position, node in enumerate(base.program.nodes):
            if node.join is Join.LEAF:
                continue
            count = len(node.children)
            need = {Join.ALL: count, Join.ANY: 1}.get(node.join, node.n)
            for true, enough in ((True, need), (False, count - need + 1)):
                for chosen in itertools.combinations(node.children, enough):
                    left = " ".join(self._fact(child, true) for child in chosen)
                    yield f"{left} => (assert ({'t' if true else 'f'} {position}))"
        for number, rule in enumerate(base.program.rules):
            unless = " ".join(self._fact(literal, False) for literal in rule.unless)
            yield f"{self._fact(rule.body, True)} {unless} => (assert (fired {number}))"

    @staticmethod
    def _fact(literal: Literal, wanted: bool) -> str:
        node, positive = literal
        return f"({'t' if positive == wanted else 'f'} {node})"


def plain_experta(base: Base, incidents: list[Any]) -> float:
    """Return the seconds of an incident in experta as it is published, without the project's matcher."""
    from experta.matchers import ReteMatcher

    from dam_expert.engine import _experta

    indexed, _experta._Memory.__matcher__ = _experta._Memory.__matcher__, ReteMatcher
    try:
        executor = ExpertaExecutor(base.program)
        evaluate(base, incidents[0], executor)
        return cpu(lambda: [evaluate(base, each, executor) for each in incidents[:PLAIN]]) / PLAIN
    finally:
        _experta._Memory.__matcher__ = indexed


def single_rows(base: Base, path: Path) -> list[tuple[str, float]]:
    """Return the seconds an incident of what takes incidents one by one."""
    with path.open(encoding="utf-8") as stream:
        lines = list(itertools.islice(stream, SINGLES))
    incidents = [entry_of(base, json.loads(line), str(path), 1).incident for line in lines]
    bits, experta = BitExecutor(base.program), ExpertaExecutor(base.program)
    one, whole = worker(base), worker(base, full=True)
    singles = [Piece(kind=Kind.LINES, paths=("x",), data=line.encode()) for line in lines]
    found = [
        ("one incident in the library: evaluate", cpu(lambda: [evaluate(base, each, bits) for each in incidents])),
        ("one incident as a batch of one", cpu(lambda: [one.do(piece) for piece in singles])),
        ("experta (indexed matcher): evaluate", cpu(lambda: [evaluate(base, each, experta) for each in incidents])),
        ("whole diagnosis: written", cpu(lambda: [written(evaluate(base, each, bits)) for each in incidents])),
        ("--full", cpu(lambda: [whole.do(piece) for piece in singles])),
    ]
    if CLIPS:
        clips = Clips(base)
        nodes = base.program.nodes
        asked = [position for position, node in enumerate(nodes) if node.join is Join.LEAF]
        answers = []
        for each in incidents:
            truths = evaluate(base, each, bits).node_truths()
            answers.append({position: truths[position] for position in asked})
        found.append(("CLIPS: assert the truths, run, read", cpu(lambda: [clips.fired(each) for each in answers])))
    plain = ("experta, plain: evaluate", plain_experta(base, incidents))
    return [plain, *((name, seconds / len(lines)) for name, seconds in found)]


def block_rows(base: Base, path: Path, n: int) -> list[tuple[str, float]]:
    """Return the seconds an incident of the parts of a batch."""
    doing, cut = worker(base), pieces(path)
    typed = msgspec.json.Decoder(dict[str, Any])
    content = [piece.content() for piece in cut]
    doing.do(cut[0])
    found = [
        ("decode: msgspec into dicts", best(lambda: [typed.decode_lines(each) for each in content])),
        ("decode: own, typed", best(lambda: [doing.decoder.lines(each) for each in content])),
        ("JSONL to JSONL, one process", best(lambda: [doing.do(piece) for piece in cut])),
    ]
    loader, evaluator = doing.diagnoser.loader, doing.diagnoser.evaluator
    blocks = []
    for each in content:
        documents = doing.decoder.lines(each)
        filler = loader.filler(len(documents))
        loader.load(filler, documents, np.arange(len(documents)))
        blocks.append(filler.block())
    found += [
        ("engine: fired rules and statuses", best(lambda: [evaluator.fire(block) for block in blocks])),
        ("engine: with ranking and advice", best(lambda: [evaluator.evaluate(block) for block in blocks])),
    ]
    if ARROW:
        found += parquet_rows(base, path)
    return [(name, seconds / n) for name, seconds in found]


def parquet_rows(base: Base, path: Path) -> list[tuple[str, float]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with path.open(encoding="utf-8") as stream:
        documents = [json.loads(line) for line in stream]
    names = list(dict.fromkeys(name for each in documents for name in each["observations"]))
    columns: dict[str, list[Any]] = {"id": [each["id"] for each in documents]}
    columns |= {f"target_{key}": [each["target"][key] for each in documents] for key in ("metric", "wanted", "actual")}
    for name in names:
        columns[name] = [each["observations"].get(name) for each in documents]
    target = path.with_suffix(".parquet")
    pq.write_table(pa.table(columns), target)
    doing = worker(base, Form.PARQUET)
    cut = list(parquet_pieces(str(target)))
    return [
        ("Parquet: read_table", best(lambda: pq.read_table(target))),
        ("Parquet to Parquet, one process", best(lambda: [doing.do(piece) for piece in cut])),
    ]


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    base, _ = load_knowledge()
    with tempfile.TemporaryDirectory() as folder:
        path = draw(base, Path(folder), n)
        rows = block_rows(base, path, n) + single_rows(base, path)
    took = dict(rows)
    own, plain = took["decode: own, typed"], took["decode: msgspec into dicts"]
    print("# Batch: what an incident costs\n")
    print(f"Made by `python benchmarks/batch.py {n}` with Python {platform.python_version()}: {len(base.rules)} rules,")
    print(
        f"{len(base.measurements)} measurements, {len(base.hypotheses)} hypotheses; 15 to 30 observations an incident."
    )
    print(f"CPU time; peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB.\n")
    print("| what | µs an incident | × own decode |\n|---|---:|---:|")
    for name, seconds in rows:
        print(f"| {name} | {seconds * 1e6:,.2f} | {seconds / own:,.2f} |")
    print("\n| ratio | goal | measured |\n|---|---:|---:|")
    for name, goal, value in ratios(took, own, plain):
        print(f"| {name} | {goal} | {value:,.2f} |")


def ratios(took: dict[str, float], own: float, plain: float) -> Iterator[tuple[str, str, float]]:
    fire, ranked = took["engine: fired rules and statuses"], took["engine: with ranking and advice"]
    yield "plain experta / engine", "≥ 30 000", took["experta, plain: evaluate"] / fire
    clips = took.get("CLIPS: assert the truths, run, read")
    if clips is not None:
        yield "CLIPS / engine", "≥ 1 000", clips / fire
        yield "CLIPS / engine with ranking", "≥ 300", clips / ranked
        yield "CLIPS / one incident in the library", "≥ 10", clips / took["one incident in the library: evaluate"]
    yield "engine / decode", "≤ 0.3", fire / plain
    yield "engine with ranking / decode", "≤ 0.7", ranked / plain
    yield "JSONL to JSONL / own decode", "≤ 3", took["JSONL to JSONL, one process"] / own
    yield "JSONL to JSONL / msgspec", "≤ 4", took["JSONL to JSONL, one process"] / plain
    if ARROW:
        yield (
            "Parquet to Parquet / read_table",
            "≤ 4",
            (took["Parquet to Parquet, one process"] / took["Parquet: read_table"]),
        )
    yield "--full, ms", "≤ 3", took["--full"] * 1e3


if __name__ == "__main__":
    main()
