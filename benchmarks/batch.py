"""Batch: what each part costs an incident, against decoding alone, experta and CLIPS, all in one run.

    python benchmarks/batch.py [N] > benchmarks/batch.md

N incidents (by default 100 000) with 15 to 30 observations each are drawn on the shipped base. Times are CPU time of
the process, so that other work on the machine disturbs little; ratios are between times of the same run, of things that
are measured in turn. CLIPS is measured where clipspy is installed, Parquet where pyarrow is. With ``--million`` whole
commands are run on up to a million incidents; with ``--single`` only what takes incidents one by one is measured.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import platform
import random
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from batch_growth import Run, commands, multiplied
from random_documents import Documents

from dam_expert import load_knowledge
from dam_expert.batch.encoding import Extra
from dam_expert.batch.entries import entry_of
from dam_expert.batch.pieces import Kind, Piece, line_pieces, parquet_pieces
from dam_expert.batch.work import BLOCK, Form, Order, Worker
from dam_expert.batch.work import blocks as chunks_of
from dam_expert.engine._experta import ExpertaExecutor
from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.diagnose import written
from dam_expert.engine.evaluate import evaluate
from dam_expert.kb.base import Base
from dam_expert.language.program import Join, Literal

CLIPS = importlib.util.find_spec("clips") is not None
ARROW = importlib.util.find_spec("pyarrow") is not None
SINGLES = 60
GROWTH = 32_768
"""Incidents in the block in which rules and observations are multiplied."""
PLAIN = 3
"""Incidents in plain experta, of which each takes a second."""


def cpu(action: Callable[[], object]) -> float:
    """Return the seconds of CPU time that an action takes."""
    began = time.process_time()
    action()
    return time.process_time() - began


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
        # what was diagnosed once is remembered in part: each measure has incidents of its own
        lines, for_writing, for_full, for_ones, before = (list(itertools.islice(stream, SINGLES)) for _ in range(5))
    incidents, written_ones = (
        [entry_of(base, json.loads(line), str(path), 1).incident for line in each] for each in (lines, for_writing)
    )
    counting, experta = CountingExecutor(base.program), ExpertaExecutor(base.program)
    one, whole = worker(base), worker(base, full=True)
    singles = [Piece(kind=Kind.LINES, paths=("x",), data=line.encode()) for line in for_ones]
    together, first = (Piece(kind=Kind.LINES, paths=("x",), data="".join(each).encode()) for each in (for_full, before))
    whole.do(first)  # what a base alone says is worked out, as CLIPS builds its rules before it is measured
    evaluate(base, incidents[0], counting)
    evaluate(base, incidents[0], experta)
    found = [
        ("one incident in the library: evaluate", cpu(lambda: [evaluate(base, each, counting) for each in incidents])),
        ("one incident as a batch of one", cpu(lambda: [one.do(piece) for piece in singles])),
        ("experta (indexed matcher): evaluate", cpu(lambda: [evaluate(base, each, experta) for each in incidents])),
        ("whole diagnosis: written", cpu(lambda: [written(evaluate(base, each, counting)) for each in written_ones])),
        ("--full, lines of one piece", cpu(lambda: whole.do(together))),
        ("--full, a batch of one", cpu(lambda: [whole.do(piece) for piece in singles])),
    ]
    if CLIPS:
        clips = Clips(base)
        nodes = base.program.nodes
        asked = [position for position, node in enumerate(nodes) if node.join is Join.LEAF]
        answers = []
        for each in incidents:
            truths = evaluate(base, each, counting).node_truths()
            answers.append({position: truths[position] for position in asked})
        found.append(("CLIPS: assert the truths, run, read", cpu(lambda: [clips.fired(each) for each in answers])))
    plain = ("experta, plain: evaluate", plain_experta(base, incidents))
    return [plain, *((name, seconds / len(lines)) for name, seconds in found)]


def in_turn(actions: dict[str, Callable[[], object]], times: int = 3) -> list[tuple[str, float]]:
    """Return the seconds of CPU time that each action takes at the least, measured one after the other."""
    rounds = [{name: cpu(action) for name, action in actions.items()} for _ in range(times)]
    return [(name, min(each[name] for each in rounds)) for name in actions]


def blocks_of(doing: Worker, content: list[bytes]) -> list[Any]:
    """Return the lines of pieces as blocks, as large as those of a batch."""
    loader, blocks = doing.diagnoser.loader, []
    lines = b"".join(content).splitlines(keepends=True)
    for start in range(0, len(lines), BLOCK):
        documents = doing.decoder.lines(b"".join(lines[start : start + BLOCK]))
        filler = loader.filler(len(documents or ()))
        loader.load(filler, documents or [], np.arange(len(documents or ())))
        blocks.append(filler.block())
    return blocks


def block_rows(base: Base, path: Path, n: int) -> list[tuple[str, float]]:
    """Return the seconds an incident of the parts of a batch."""
    doing, cut = worker(base), pieces(path)
    typed = msgspec.json.Decoder(dict[str, Any])
    content = [piece.content() for piece in cut]
    chunks = [chunk for each in content for block in chunks_of(each) for chunk, _ in block]
    doing.do(cut[0])
    evaluator, blocks = doing.diagnoser.evaluator, blocks_of(doing, content)
    found = in_turn(
        {
            "decode: msgspec into dicts": lambda: [typed.decode_lines(each) for each in content],
            "decode: own, typed": lambda: [doing.decoder.lines(each) for each in content],
            "decode: own, typed, in the chunks of a batch": lambda: deque(map(doing.decoder.lines, chunks), maxlen=0),
            "JSONL to JSONL, one process": lambda: [doing.do(piece) for piece in cut],
            "engine: fired rules and statuses": lambda: [evaluator.fire(block) for block in blocks],
            "engine: with ranking and advice": lambda: [evaluator.evaluate(block) for block in blocks],
        }
    )
    if ARROW:
        found += parquet_rows(base, path)
    return [(name, seconds / n) for name, seconds in found]


def growth(base: Base, path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield how the engine's part grows with the rules and with what is observed."""
    doing = worker(base)
    with path.open("rb") as stream:
        lines = list(itertools.islice(stream, GROWTH))
    (block,) = blocks_of(doing, [b"".join(lines)])
    many = worker(multiplied(base, 16)).diagnoser.evaluator
    drawn = Documents(base, 5)
    full = [json.dumps(drawn.plain(number, 60, 120)).encode() + b"\n" for number in range(len(lines))]
    (wide,) = blocks_of(doing, [b"".join(full)])
    few = doing.diagnoser.evaluator
    took = dict(
        in_turn({"one": lambda: few.fire(block), "rules": lambda: many.fire(block), "wide": lambda: few.fire(wide)})
    )
    yield "16 times the rules, engine", "≤ 16", f"{took['rules'] / took['one']:.2f}"
    yield "4 times the observations, engine", "≤ 1.5", f"{took['wide'] / took['one']:.2f}"


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
    doing.do(cut[0])
    return in_turn(
        {
            "Parquet: read_table": lambda: pq.read_table(target),
            "Parquet to Parquet, one process": lambda: [doing.do(piece) for piece in cut],
        }
    )


def main() -> None:
    if "--single" in sys.argv:
        one_by_one()
        return
    numbers = [int(each) for each in sys.argv[1:] if each.isdecimal()]
    n, million = numbers[0] if numbers else 100_000, "--million" in sys.argv
    base, _ = load_knowledge()
    with tempfile.TemporaryDirectory() as folder:
        path = draw(base, Path(folder), n)
        rows = block_rows(base, path, n) + single_rows(base, path)
        grown = list(growth(base, path))
        sizes = [1, 100, 10_000, 100_000, *([1_000_000] if million else [])]
        ran = {(how, size): run for how, size, run in commands(path, sizes)}
    took = dict(rows)
    own, plain = took["decode: own, typed"], took["decode: msgspec into dicts"]
    print("# Batch: what an incident costs\n")
    print(f"Made by `python benchmarks/batch.py {' '.join(sys.argv[1:])}` with Python {platform.python_version()}:")
    print(f"{len(base.rules)} rules, {len(base.measurements)} measurements, {len(base.hypotheses)} hypotheses;")
    print(f"{n} incidents with 15 to 30 observations. CPU time.\n")
    print("| what | µs an incident | × own decode |\n|---|---:|---:|")
    for name, seconds in rows:
        print(f"| {name} | {seconds * 1e6:,.2f} | {seconds / own:,.2f} |")
    print("\n| whole command, start included | incidents | CPU s | s | peak MiB |\n|---|---:|---:|---:|---:|")
    for (how, size), run in ran.items():
        print(f"| {how} | {size:,} | {run.cpu_s:.2f} | {run.wall_s:.2f} | {run.peak_mib:.0f} |")
    print("\n| ratio | goal | measured |\n|---|---:|---:|")
    for name, goal, value in ratios(took, own, plain):
        print(f"| {name} | {goal} | {value:,.2f} |")
    for name, goal, text in [*grown, *grown_commands(ran)]:
        print(f"| {name} | {goal} | {text} |")


def one_by_one() -> None:
    """Print only what takes incidents one by one."""
    base, _ = load_knowledge()
    with tempfile.TemporaryDirectory() as folder:
        rows = single_rows(base, draw(base, Path(folder), 5 * SINGLES))
    took = dict(rows)
    for name, seconds in rows:
        print(f"| {name} | {seconds * 1e6:,.2f} |")
    if CLIPS:
        clips, one = took["CLIPS: assert the truths, run, read"], took["one incident in the library: evaluate"]
        print(f"CLIPS / one incident in the library: {clips / one:.2f}")


def grown_commands(ran: dict[tuple[str, int], Run]) -> Iterator[tuple[str, str, str]]:
    """Yield what whole commands show: two processes against one, and a million incidents against a tenth of them."""
    for (how, size), two in ran.items():
        if how == "two processes":
            one = ran["one process", size]
            yield f"one process / two, {size:,} incidents, by the clock", "≥ 1.5", f"{one.wall_s / two.wall_s:.2f}"
            longest = one.cpu_s / two.longest_s(2)
            yield f"one process / two, {size:,} incidents, CPU time of the longest way", "≥ 1.5", f"{longest:.2f}"
    one = ran["one process", 100_000]
    large = ran.get(("one process", 1_000_000))
    if large is not None:
        yield "an incident of 1 000 000 / of 100 000", "≤ 1.2", f"{large.cpu_s / one.cpu_s / 10:.2f}"
        yield "peak of 1 000 000 / of 100 000", "≤ 1.2", f"{large.peak_mib / one.peak_mib:.2f}"
        yield "peak of 1 000 000, MiB", "< 1 024", f"{large.peak_mib:.0f}"


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
    yield "--full, ms", "≤ 3", took["--full, lines of one piece"] * 1e3


if __name__ == "__main__":
    main()
