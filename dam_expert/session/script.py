"""The next measurements as one POSIX shell script, for a machine on which nothing can be installed.

The commands only read; each has a time limit and says what it disturbs; what they print goes into a folder that
``dam diagnose`` reads. A command whose tool is missing is passed over, what needs a person is listed at the end, and
the script ends well all the same.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

from dam_expert.documents.messages import printable
from dam_expert.reports.phrasing import is_python

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from dam_expert.documents.diagnosis import Diagnosis, NextMeasurement
    from dam_expert.reports import Glossary

#: A command that runs longer is ended: those that sample until they are stopped have told enough by then.
TIME_LIMIT_S: Final = 90
#: So many measurements are made, and so many are left to the person; the others can wait for what these tell.
_MADE: Final = 12
_LEFT: Final = 6
#: Tools that only read, whatever their options here; everything else is printed for the person to decide.
_PASSIVE: Final = frozenset(
    {"cat", "df", "free", "grep", "head", "ibstat", "iostat", "lscpu", "lspci", "mpstat", "nproc", "pidstat", "ps"}
    | {"sleep", "smem", "tail", "uname", "uptime", "vmstat", "wc"}
)
#: Tools that can also change, send or write something, with the arguments by which they only read.
_READS_WITH: Final = {
    "amd-smi": re.compile(r"(?:metric|monitor|static|list|topology|process)\b.*"),
    "curl": re.compile(r"(?:-[sSfm]+ |--silent |\d+ )*(?:http://)?localhost\S*"),
    "dcgmi": re.compile(r"dmon\b.*"),
    "top": re.compile(r"-b\b(?: -[dn] \d+)*"),
    "dmesg": re.compile(r"(?:-[THk]+ ?)*"),
    "nvidia-smi": re.compile(r"(?:--query-\S+|--list-gpus|-L|-q|dmon|pmon|topo)(?: (?!-f\b|--filename)\S+)*"),
    "rocm-smi": re.compile(r"(?:(?:--show\S+|--json|--csv) ?)+"),
}
#: What joins commands; the first word behind each is a tool as well.
_JOINS: Final = re.compile(r"\|\||&&|[|;]")
#: A placeholder that the person must replace first: such a command is printed, not run.
_PLACEHOLDER: Final = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b(?:PID|DIR|FILE|URL|NODE|MODEL|IMAGE|NP)\b")
_RUNNER: Final = f"""\
out=${{1:-dam-measurements}}
[ -d "$out" ] || mkdir -p "$out" || out=.
trap 'echo "stopped; what was measured is in $out" >&2; exit 130' INT TERM

# limited COMMAND: run it within the time limit; where nothing can limit it, not at all
limited() {{
    if command -v timeout >/dev/null 2>&1; then
        timeout {TIME_LIMIT_S} sh -c "$1" </dev/null
    elif command -v sleep >/dev/null 2>&1; then
        case $1 in  # a single command takes the place of its shell, so that it is what is ended
            *[';|&']*) sh -c "$1" </dev/null & ;;
            *) sh -c "exec $1" </dev/null & ;;
        esac
        child=$!
        {{ sleep {TIME_LIMIT_S} && kill "$child"; }} >/dev/null 2>&1 &
        watch=$!
        wait "$child"
        kill "$watch" 2>/dev/null
    else
        echo "neither timeout nor sleep is here" >&2
    fi
}}

# run NAME TOOL COMMAND: what it prints goes into a file of its own; no output, no file
run() {{
    if ! command -v "$2" >/dev/null 2>&1; then
        echo "passed over: $2 is not here ($1)" >&2
        return 0
    fi
    echo "$1: $3" >&2
    limited "$3" >"$out/$1.txt" || true
    [ -s "$out/$1.txt" ] || rm -f "$out/$1.txt" 2>/dev/null || true
}}
"""


def script(
    diagnosis: Diagnosis,
    words: Glossary,
    beside: str = "",
    probes: Container[str] = frozenset(),
    first: Sequence[tuple[str, str]] = (),
) -> str:
    """Return the script for the next measurements of a diagnosis, in the language of a glossary.

    ``first`` are names and commands of what one runs before suspecting anything; they come before what was asked for.

    ``beside`` names the files that belong to the incident, to be given again with what the script measured.
    ``probes`` are measurements that compare two runs: no command that only reads gives one, so they are left to the
    person.
    """
    named = diagnosis.incident.title or diagnosis.incident.id or "incident"
    lines = [
        "#!/bin/sh",
        "# " + _comment(words.say("script.title", name=named)),
        "# " + _comment(words.say("script.reads_only", seconds=TIME_LIMIT_S)),
        "",
        _RUNNER,
    ]
    runs = {item.measurement for item in diagnosis.next_measurements if item.measurement not in probes}
    made = [item for item in diagnosis.next_measurements if item.measurement in runs and _commands(item)][:_MADE]
    left = [item for item in diagnosis.next_measurements if item.measurement not in runs or not _commands(item)][:_LEFT]
    seen: set[str] = set()
    lines += _first_minute(first, words, seen)
    for item in made:
        lines += _measurement(item, words, seen)
    lines += _by_hand(left, words)
    lines.append(f"""echo "{words.say("script.next")}: dam diagnose $out{_quoted_inside(beside)}" >&2""")
    return "\n".join([*lines, "exit 0"]) + "\n"


def _first_minute(first: Sequence[tuple[str, str]], words: Glossary, seen: set[str]) -> Iterator[str]:
    """Yield what tells in the first minute whether the machine itself is well, one line a tool."""
    allowed = [(name, command) for name, command in first if _may_run(command)]
    if allowed:
        yield f"# {_comment(words.say('script.first_minute'))}"
        for name, command in allowed:
            seen.add(command)
            yield _run(name, command)
        yield ""


def _run(name: str, command: str) -> str:
    return " ".join(["run", shlex.quote(name), shlex.quote(command.split()[0]), shlex.quote(command)])


def _commands(item: NextMeasurement) -> list[str]:
    """Return the commands of a measurement that may be run unasked."""
    return [way.command for way in item.commands if way.command and _may_run(way.command)]


def _measurement(item: NextMeasurement, words: Glossary, seen: set[str]) -> Iterator[str]:
    """Yield the commands of one measurement, each into a file of its own; a command is run once."""
    yield f"# {_comment(words.text(item.question))}"
    if item.disturbs:
        yield f"#   {_comment(words.say('measure.disturbs', what=words.text(item.disturbs)))}"
    for number, command in enumerate(_commands(item), 1):
        if command in seen:
            yield f"#   {_comment(words.say('script.above'))}"
            continue
        seen.add(command)
        name = item.measurement if number == 1 else f"{item.measurement}-{number}"
        yield _run(name, command)
    yield ""


def _by_hand(items: list[NextMeasurement], words: Glossary) -> Iterator[str]:
    """Yield what is left to the person: the value to add to the last command, and the way to find it."""
    if not items:
        return
    yield f"# {_comment(words.say('script.by_hand'))}"
    for item in items:
        yield f"#   --set {item.measurement}=...  {_comment(words.text(item.question))}"
        for way in item.commands:
            shown = way.command if way.command else words.text(way.how or "")
            yield f"#       {_comment(shown)}"
    yield ""


def _may_run(command: str) -> bool:
    """Whether a command may run unasked: it needs no name first, is for a shell, and each of its tools only reads."""
    if _PLACEHOLDER.search(command) or "\n" in command or is_python(command):
        return False
    bare = re.sub(r"'[^']*'|\"[^\"$`]*\"", " q ", command)  # what is quoted is an argument
    if re.search(r"[`<>&]|\$", bare.replace("2>&1", " ").replace("2>/dev/null", " ").replace("&&", " ")):
        return False
    pieces = [piece.split() for piece in _JOINS.split(bare)]
    return all(piece and _only_reads(*piece) for piece in pieces)


def _only_reads(tool: str, *arguments: str) -> bool:
    allowed = _READS_WITH.get(tool)
    return tool in _PASSIVE if allowed is None else allowed.fullmatch(" ".join(arguments)) is not None


def _comment(text: str) -> str:
    """Return a text as one line of a comment: nothing in it can end the comment or act on a terminal."""
    return printable(" ".join(text.split()))


def _quoted_inside(names: str) -> str:
    """Return names of files as they stand inside double quotes: to be read, never to be expanded."""
    return re.sub(r'([\\"$`])', r"\\\1", printable(f" {names}")) if names else ""
