"""The command line: one thin file per command, which parses, calls, renders and exits.

Vocabulary
    talk         what is said to the person, on stderr; ``--quiet`` leaves only errors
    data         what the command was asked for, on stdout or in the file of ``-o``
    failure      the one error class; it carries the exit code and the messages to print

Where to add a command
    Write ``cli/NAME.py`` with one click command, and name it in :data:`dam_expert.cli.group.COMMANDS`. Whatever is
    slow to import is imported inside the command: ``dam --help`` must not pay for it.

Exit codes
    0 done, 1 a ``--fail-on`` or ``--min`` condition holds, 2 usage, 3 input or base invalid, 130 interrupted
"""

from __future__ import annotations


def main() -> None:
    """Run ``dam`` with the arguments of the process, and exit with its code."""
    from dam_expert.cli.group import dam

    dam(prog_name="dam")
