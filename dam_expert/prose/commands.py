r"""Command lines among words: their options are settings, and nothing else in them tells what happened.

>>> without_commands("It is slow.\n$ python train.py --fp16 --bs 8\nVery.")
'It is slow.\n                               \nVery.'
"""

from __future__ import annotations

import re
from typing import Final

#: A prompt with something behind it, or a program that begins a line.
_PROMPT: Final = re.compile(
    r"\s*(?:\([\w.-]{1,30}\)\s?)?(?:[a-z_][\w.-]{0,31}@[\w.-]{1,60}[: ][^$#\n]{0,80}[$#]|[$➜❯])\s+\S"
)
_PROGRAM: Final = re.compile(
    r"\s*(?:\d+[.)]\s)?(?:sudo\s)?(?:[A-Z][A-Z0-9_]{2,40}=\S*\s)*"
    r"(?:python3?|torchrun|deepspeed|accelerate|docker|vllm|mpirun|mpiexec|srun|sbatch|bash|sh|pip3?|conda|export|kubectl|nohup)\s+[\w./-]*[-./=_]"
)
_OPTIONS: Final = re.compile(r"(?:^|\s)--?[A-Za-z][\w-]*")
_MANY: Final = 3
"""Options in one line that make a command of it."""


def without_commands(text: str) -> str:
    """Return a text of the same length in which command lines, with the lines that go on with them, are blank."""
    if "-" not in text and "=" not in text and "$" not in text:
        return text
    told: list[str] = []
    goes_on = False
    for line in text.split("\n"):
        is_command = goes_on or _is_command(line)
        goes_on = is_command and line.rstrip().endswith("\\")
        told.append(" " * len(line) if is_command else line)
    return "\n".join(told)


def _is_command(line: str) -> bool:
    if _PROMPT.match(line) or _PROGRAM.match(line):
        return True
    return sum(1 for _ in _OPTIONS.finditer(line)) >= _MANY and not line.rstrip().endswith((".", "。", "?", "？", "!"))
