"""Small pieces of wording that need no words: how texts of the base become paragraphs."""

from __future__ import annotations

import ast
import re
from typing import Final

_LONGEST_SCRIPT: Final = 20_000
#: What a Python block begins with. A bare expression is no sign: ``df -h`` and ``iostat -x`` parse as subtractions.
_STATEMENTS: Final = (ast.With, ast.Import, ast.ImportFrom, ast.For, ast.FunctionDef, ast.Assign, ast.Assert, ast.Try)


def prose(text: str) -> str:
    r"""Return a text of the base as one paragraph; its line breaks are layout of the YAML file.

    >>> prose("Workers decode\n  on the CPU.\n")
    'Workers decode on the CPU.'
    """
    return re.sub(r"[ \n]+", " ", text).strip()


def capital(text: str) -> str:
    """Return a text that begins with a capital; ids in it keep theirs."""
    return text[:1].upper() + text[1:]


def is_python(command: str) -> bool:
    """Whether a command is Python, to be put into a program, and not one for a shell.

    >>> is_python("with torch.profiler.profile() as prof: ...  # prof.step()"), is_python("print(len(x))")
    (True, True)
    >>> is_python("df -h"), is_python("CUDA_LAUNCH_BLOCKING=1 python train.py"), is_python("python -c 'import x'")
    (False, False, False)
    """
    if len(command) > _LONGEST_SCRIPT:
        return False
    try:
        first = ast.parse(command).body[0]
    except (SyntaxError, ValueError, IndexError, RecursionError, MemoryError):
        return False
    calls = isinstance(first, ast.Expr) and isinstance(first.value, ast.Call)
    return calls or isinstance(first, _STATEMENTS)
