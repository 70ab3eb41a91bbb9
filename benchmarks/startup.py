"""How long starting takes: ``dam --help`` against ``import click``, and loading the base against ``import pydantic``.

Run ``python benchmarks/startup.py``; it prints each pair and exits with 1 where a limit is passed. Whole processes are
compared, by the least processor time of many runs, since everything else on the machine can only add to it. Bytecode is
kept as it is in an installation.
"""

from __future__ import annotations

import dataclasses
import os
import resource
import subprocess
import sys
import tempfile

RUNS = 15
LOADING = "from dam_expert import load_knowledge; assert load_knowledge()[0] is not None"


@dataclasses.dataclass(frozen=True)
class Pair:
    """What is measured, against what, and how many times as much it may take."""

    name: str
    arguments: tuple[str, ...]
    floor: tuple[str, ...]
    limit: float
    cache: bool = True


PAIRS = (
    Pair("dam --help", ("-m", "dam_expert", "--help"), ("-c", "import click"), 3.0),
    Pair("base, from its cache", ("-c", LOADING), ("-c", "import pydantic"), 2.0),
    Pair("base, cold", ("-c", LOADING), ("-c", "import pydantic"), 8.0, cache=False),
)


def seconds(arguments: tuple[str, ...], environment: dict[str, str]) -> float:
    """Return the processor time of one Python process with these arguments."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def factor(pair: Pair, environment: dict[str, str]) -> float:
    """Measure a pair in turn, print it, and return the ratio."""
    environment = {**environment, **({} if pair.cache else {"DAM_CACHE": "off"})}
    seconds(pair.arguments, environment)  # bytecode and cache are there from now on
    runs = [(seconds(pair.arguments, environment), seconds(pair.floor, environment)) for _ in range(RUNS)]
    measured, floor = (min(column) for column in zip(*runs, strict=True))
    print(f"{pair.name} {1000 * measured:.0f} ms, {pair.floor[1]} {1000 * floor:.0f} ms, factor {measured / floor:.2f}")
    return measured / floor


def main() -> int:
    """Measure all pairs, and say whether the limits hold."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"PYTHONPYCACHEPREFIX": f"{folder}/bytecode", "DAM_CACHE": f"{folder}/cache"}
        held = [factor(pair, environment) < pair.limit for pair in PAIRS]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
