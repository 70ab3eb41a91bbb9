"""The next measurements as one POSIX shell script, for a machine on which nothing can be installed.

The commands only read; each has a time limit and says what it disturbs; what they print goes into a folder that
``dam diagnose`` reads. A command whose tool is missing is passed over, and the script ends well all the same.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.diagnosis import Diagnosis, NextMeasurement

#: A command that runs longer is ended.
TIME_LIMIT_S: Final = 180
_MOST: Final = 12
#: Tools that only read, whatever their options here; everything else is printed for the person to decide.
_PASSIVE: Final = frozenset(
    {"amd-smi", "cat", "curl", "dcgmi", "df", "dmesg", "free", "grep", "ibstat", "iostat", "lscpu", "lspci", "mpstat"}
    | {"nvidia-smi", "pidstat", "ps", "rocm-smi", "sar", "top", "vmstat"}
)
#: A placeholder that the person must replace first: such a command is printed, not run.
_PLACEHOLDER: Final = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b(?:PID|DIR|FILE|URL)\b")


def script(diagnosis: Diagnosis) -> str:
    """Return the script for the next measurements of a diagnosis."""
    lines = [
        "#!/bin/sh",
        "# Measurements for: " + _comment(diagnosis.incident.title or diagnosis.incident.id or "incident"),
        "# Reads only. Run it where the job runs, then: dam diagnose FOLDER",
        'out="${1:-dam-measurements}"',
        'mkdir -p "$out" || exit 1',
        "run() {  # run NAME TOOL COMMAND: prints into a file of its own, within the time limit",
        "    name=$1 tool=$2 command=$3",
        '    if ! command -v "$tool" >/dev/null 2>&1; then',
        '        echo "passed over: $tool is not here ($name)" >&2',
        "        return 0",
        "    fi",
        '    echo "$name: $command" >&2',
        "    if command -v timeout >/dev/null 2>&1; then",
        f'        timeout {TIME_LIMIT_S} sh -c "$command" >"$out/$name.txt" 2>"$out/$name.err" </dev/null',
        "    else",
        '        sh -c "$command" >"$out/$name.txt" 2>"$out/$name.err" </dev/null',
        "    fi",
        "    return 0",
        "}",
        "",
    ]
    seen: set[str] = set()
    for item in diagnosis.next_measurements[:_MOST]:
        lines += _measurement(item, seen)
    lines += ['echo "done: dam diagnose $out" >&2', "exit 0"]
    return "\n".join(lines) + "\n"


def _measurement(item: NextMeasurement, seen: set[str]) -> Iterator[str]:
    yield f"# {_comment(item.question)}"
    if item.disturbs:
        yield f"#   disturbs: {_comment(item.disturbs)}"
    for command in item.commands:
        if command.command is None:
            yield f"#   {_comment(command.how or '')}"
        elif command.command in seen:
            yield "#   measured above"
        elif _by_hand(command.command):
            yield f"#   by hand: {_comment(command.command)}"
        else:
            seen.add(command.command)
            tool = command.command.split()[0]
            yield " ".join(["run", item.measurement, shlex.quote(tool), shlex.quote(command.command)])
    yield ""


def _by_hand(command: str) -> bool:
    """Whether a command is left to the person: it needs a name first, is no shell, or does more than read."""
    words = command.split()
    return bool(_PLACEHOLDER.search(command)) or "\n" in command or not words or words[0] not in _PASSIVE


def _comment(text: str) -> str:
    """Return a text as one line of a comment: nothing in it can end the comment."""
    return " ".join(text.split())
