"""Coverage-guided fuzzing of one entrance, or of all for some seconds each; needs atheris, which is no dependency.

    PYTHONPATH=tests:. python -m fuzz.harness --seconds 60 [--entrance session] [--into FOLDER]

A failing input is written to FOLDER and named; the run goes on with the next entrance. The seeds are those of the
tests. Each entrance is fuzzed in a process of its own: atheris ends its process.
"""

from __future__ import annotations

import argparse
import pathlib
import subprocess
import sys
import tempfile


def main() -> int:
    """Fuzz, and say of each entrance how many inputs were tried and whether one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entrance", action="append")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--into", type=pathlib.Path, default=pathlib.Path("crashes"))
    parser.add_argument("--here", action="store_true", help="in this process: for one entrance")
    given = parser.parse_args()
    if given.here:
        _fuzz(given.entrance[0], given.seconds, given.into)
    from fuzz.entrances import ENTRANCES

    failed = 0
    given.into.mkdir(parents=True, exist_ok=True)
    for name in given.entrance or ENTRANCES:
        command = [sys.executable, "-m", "fuzz.harness", "--here", "--entrance", name]
        command += ["--seconds", str(given.seconds), "--into", str(given.into)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, errors="replace")
        lines = done.stderr.splitlines() + done.stdout.splitlines()
        counted = next((line for line in reversed(lines) if "DONE" in line or "stat::number_of_executed" in line), "")
        failed += done.returncode != 0
        print(f"{name}: {'ok' if done.returncode == 0 else 'FAILED'} {counted.strip()}", flush=True)
        if done.returncode:
            print("\n".join(lines[-25:]), flush=True)
    print(f"{failed} entrances failed")
    return 1 if failed else 0


def _fuzz(name: str, seconds: int, into: pathlib.Path) -> None:
    import atheris

    with atheris.instrument_imports(include=["dam_expert"]):
        from fuzz.entrances import ENTRANCES
    entrance = ENTRANCES[name]
    with tempfile.TemporaryDirectory() as corpus:
        for number, content in enumerate(entrance.seeds()):
            (pathlib.Path(corpus) / str(number)).write_bytes(content)
            entrance.take(content)  # what is loaded once does not count as the time of an input
        options = [f"-max_total_time={seconds}", f"-artifact_prefix={into}/", "-print_final_stats=1"]
        options += ["-timeout=30", "-rss_limit_mb=4096", "-max_len=200000", "-verbosity=1"]
        atheris.Setup([sys.argv[0], *options, corpus], lambda data: entrance.take(bytes(data)))
        atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
