"""Commands shown in README.md and docs/: finds them, runs them, and can write their output anew.

A ``console`` block shows commands after ``$`` and what they print; an ``sh`` block shows commands alone. The blocks
``console session`` of a page are one session: each command finds what those before it left, and what is shown is what a
terminal shows, talk included. Run ``python tests/documented.py [PAGE…]`` to put today's output into every block.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib.util
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", *(str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs").glob("**/*.md"))))
_BLOCK = re.compile(r"^```(console session|console|sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SESSION = "console session"
_COPIED = ("examples", "runbooks")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fenced block of a page: its language, its text and the line on which the text begins."""

    page: str
    line: int
    language: str
    text: str

    def steps(self) -> list[tuple[str, str | None]]:
        """Return the commands, each with the output shown for it; None where a block shows none."""
        if self.language == "sh":
            return [(self.text, None)]
        steps: list[tuple[str, str | None]] = []
        for line in self.text.splitlines(keepends=True):
            if line.startswith("$ "):
                steps.append((line[2:].rstrip("\n"), ""))
            else:
                command, output = steps.pop()
                steps.append((command, (output or "") + line))
        return steps


def blocks(page: str) -> list[Block]:
    """Return the blocks of a page that hold commands or Python."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(page=page, line=text.count("\n", 0, found.start(2)) + 1, language=found[1], text=found[2])
        for found in _BLOCK.finditer(text)
    ]


def _package_home() -> Path:
    """Return the folder to import the package from: where the tests import it from, else this checkout."""
    found = importlib.util.find_spec("dam_expert")
    return Path(found.origin).parent.parent if found and found.origin else ROOT


@functools.cache
def output_of(command: str) -> tuple[int, str, str]:
    """Run a command in a copy of what it may touch; return its exit code, stdout and stderr."""
    with _copy() as (here, environment):
        script = ["bash", "-euc", command]
        done = subprocess.run(script, cwd=here, env=environment, capture_output=True, check=False, encoding="utf-8")
        return done.returncode, done.stdout, done.stderr


@functools.cache
def session_of(page: str) -> tuple[tuple[str, str, str], ...]:
    """Run the session of a page; return each command with what is shown for it and what it prints, talk included."""
    steps = [step for block in blocks(page) if block.language == SESSION for step in block.steps()]
    with _copy() as (here, environment):
        return tuple(
            (command, shown or "", _shown_by(["bash", "-uc", command], here, environment)) for command, shown in steps
        )


def _shown_by(script: list[str], here: Path, environment: dict[str, str]) -> str:
    return subprocess.run(
        script,
        cwd=here,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        encoding="utf-8",
    ).stdout


@contextlib.contextmanager
def _copy() -> Iterator[tuple[Path, dict[str, str]]]:
    """Give a copy of what commands may touch, and the environment in which ``dam`` is found."""
    with tempfile.TemporaryDirectory() as folder:
        here, tools = Path(folder) / "checkout", Path(folder) / "bin"
        here.mkdir()
        tools.mkdir()
        for name in _COPIED:
            shutil.copytree(ROOT / name, here / name)
        dam = tools / "dam"
        dam.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dam_expert "$@"\n', encoding="utf-8")
        dam.chmod(0o755)
        environment = {
            **os.environ,
            "PATH": f"{tools}:{os.environ['PATH']}",
            "PYTHONPATH": str(_package_home()),
            "PYTHONIOENCODING": "utf-8",
            "LC_ALL": "C.UTF-8",
        }
        yield here, environment


def _fresh(found: re.Match[str]) -> str:
    """Return a block with the output that its commands have today."""
    if found[1] != "console":
        return found[0]
    block = Block(page="", line=0, language=found[1], text=found[2])
    rows = [f"$ {command}\n{output_of(command)[1]}" for command, _ in block.steps()]
    return f"```console\n{''.join(rows)}```"


def main() -> None:
    """Write today's output into the pages that are named, or into every page."""
    for page in sys.argv[1:] or PAGES:
        path = ROOT / page
        session = iter(session_of(page))

        def fresh(found: re.Match[str], session: Iterator[tuple[str, str, str]] = session) -> str:
            if found[1] != SESSION:
                return _fresh(found)
            count = len(Block(page="", line=0, language=SESSION, text=found[2]).steps())
            rows = [f"$ {command}\n{printed}" for command, _, printed in itertools.islice(session, count)]
            return f"```{SESSION}\n{''.join(rows)}```"

        path.write_text(_BLOCK.sub(fresh, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
