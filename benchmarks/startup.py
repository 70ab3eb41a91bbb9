"""How long ``dam --help`` takes against ``python -c "import click"``: it must stay under three times.

Run ``python benchmarks/startup.py``; it prints both and exits with 1 where the limit is passed. The least of many
runs is compared, since everything else on the machine can only add to it.
"""

from __future__ import annotations

import subprocess
import sys
import time

LIMIT = 3.0
RUNS = 20


def least(*arguments: str) -> float:
    """Return the shortest wall time of a Python process with these arguments, in seconds."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> int:
    """Measure, print, and say whether the limit holds."""
    floor = least("-c", "import click")
    measured = least("-m", "dam_expert", "--help")
    print(f"import click {1000 * floor:.0f} ms, dam --help {1000 * measured:.0f} ms, factor {measured / floor:.2f}")
    return 0 if measured < LIMIT * floor else 1


if __name__ == "__main__":
    sys.exit(main())
