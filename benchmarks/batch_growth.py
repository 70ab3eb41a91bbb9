"""How the cost of a batch grows: with the rules, with what is observed, with the incidents, and with a second process.

Parts of ``benchmarks/batch.py``. Copies of a rule compare with thresholds of their own, each a little larger, so that
no comparison of one serves another.
"""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from dam_expert.documents.intervals import Interval
from dam_expert.kb.base import Base, Rule, Threshold
from dam_expert.language.conditions import All, AtLeast, Comparison, Limit, Not, Number, Tree
from dam_expert.language.conditions import Any as AnyOf
from dam_expert.language.program import RuleSource, compile_program

_STEP = 1e-3


def multiplied(base: Base, times: int) -> Base:
    """Return the base with so many copies of every rule."""
    thresholds: dict[str, Threshold] = dict(base.thresholds)
    rules: dict[str, Rule] = dict(base.rules)
    for copy in range(1, times):
        factor = 1.0 + _STEP * copy
        for name, threshold in base.thresholds.items():
            moved = tuple(
                msgspec.structs.replace(each, value=_scaled(each.value, factor)) for each in threshold.name.alternatives
            )
            named = msgspec.structs.replace(threshold.name, id=f"{name}_{copy}", alternatives=moved)
            thresholds[f"{name}_{copy}"] = msgspec.structs.replace(threshold, name=named)
        for name, rule in base.rules.items():
            other = f"{name}_{copy}"
            rules[other] = msgspec.structs.replace(
                rule,
                id=other,
                when=_moved(rule.when, copy, factor),
                unless=tuple(_moved(tree, copy, factor) for tree in rule.unless),
            )
    sources = [_source(rule) for rule in rules.values()]
    return dataclasses.replace(
        base, thresholds=thresholds, rules=rules, program=compile_program(base.symptom_trees, sources)
    )


def _scaled(value: Interval, factor: float) -> Interval:
    return Interval(value.lo * factor, value.hi * factor)


def _moved(tree: Tree, copy: int, factor: float) -> Tree:
    """Return a condition that compares with the thresholds of one copy."""
    match tree:
        case All(children):
            return All(tuple(_moved(child, copy, factor) for child in children))
        case AnyOf(children):
            return AnyOf(tuple(_moved(child, copy, factor) for child in children))
        case AtLeast(n, children):
            return AtLeast(n, tuple(_moved(child, copy, factor) for child in children))
        case Not(child):
            return Not(_moved(child, copy, factor))
        case Comparison(operand=Limit(name)):
            return msgspec.structs.replace(tree, operand=Limit(f"{name}_{copy}"))
        case Comparison(operand=Number(value)):
            return msgspec.structs.replace(tree, operand=Number(_scaled(value, factor)))
        case _:
            return tree


def _source(rule: Rule) -> RuleSource:
    decided = tuple(name for verb, name in rule.conclusions if verb in ("confirm", "refute"))
    return RuleSource(
        id=rule.id, stage=rule.stage, when=rule.when, unless=rule.unless, decides=rule.decides, hypotheses=decided
    )


class Run(NamedTuple):
    """What one command took: its own CPU time, that of its processes, by the clock, and the most one of them held."""

    own_s: float
    processes_s: float
    wall_s: float
    peak_mib: float

    @property
    def cpu_s(self) -> float:
        """All of its CPU time."""
        return self.own_s + self.processes_s

    def longest_s(self, jobs: int) -> float:
        """Return the CPU time on the longest way through it: its own, and that of one of its processes."""
        return self.own_s + self.processes_s / jobs


_INNER: Final = """
import json, resource, sys
from dam_expert.cli import main
code = 0
try:
    main()
except SystemExit as end:
    code = end.code
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(json.dumps([each.ru_utime + each.ru_stime for each in used]))
sys.exit(code)
"""

_MEASURED: Final = """
import json, os, subprocess, sys, time
began = time.perf_counter()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
times = json.loads(process.stdout.read())
_, status, used = os.wait4(process.pid, 0)
print(json.dumps([*times, time.perf_counter() - began, used.ru_maxrss / 1024]))
sys.exit(os.waitstatus_to_exitcode(status))
"""


def command(arguments: list[str]) -> Run:
    """Run ``dam batch`` with arguments, from a small process: what its parent holds counts as held by a process too.

    Raises CalledProcessError where it fails.
    """
    whole = [sys.executable, "-c", _MEASURED, sys.executable, "-c", _INNER, "batch", *arguments, "--quiet"]
    return Run(*json.loads(subprocess.run(whole, check=True, stdout=subprocess.PIPE).stdout))


def written(source: Path, n: int) -> Path:
    """Write n incidents, the lines of a smaller file again and again with ids of their own."""
    target = source.with_name(f"command-{n}.jsonl")
    lines = [line.partition(b'"observations":') for line in source.read_bytes().splitlines(keepends=True)[:20_000]]
    with target.open("wb") as stream:
        for number in range(n):
            _, key, rest = lines[number % len(lines)]
            stream.write(b'{"schema":"dam-incident/1","id":"incident-%d",' % number + key + rest)
    return target


def commands(source: Path, sizes: list[int]) -> Iterator[tuple[str, int, Run]]:
    """Yield what whole commands take: JSONL of several sizes in one process, the largest also in two."""
    for n in sizes:
        path = written(source, n)
        output = str(path.with_suffix(".out.jsonl"))
        yield "one process", n, command([str(path), "-o", output])
        if n == sizes[-1]:
            yield "two processes", n, command([str(path), "-o", output, "-j", "2"])
        path.unlink()
