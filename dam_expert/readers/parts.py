r"""One capture with the outputs of several tools one after another, cut into the parts that each reader reads.

A capture is cut at the lines in which a command was typed, and, without such lines, where the unmistakable first line
of another tool's output begins. Numbers of lines stay those of the whole file.

>>> from dam_expert.readers.registry import READERS
>>> raw = b"me@gpu7:~$ vmstat 1 2\nprocs -----------memory----------\n r  b   swpd   id wa\n 1  0 0 90 1\n" \
...       b"me@gpu7:~$ nvidia-smi dmon -c 1\n# gpu  sm\n# Idx   %\n    0  70\n"
>>> [(part.reader.title, part.before) for part in parts_of(Source.of_bytes("notes.txt", raw), READERS)]
[('vmstat', 1), ('nvidia-smi dmon', 5)]
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from typing import TYPE_CHECKING

from dam_expert.readers.between import others
from dam_expert.readers.source import DamageError, Source
from dam_expert.readers.text import ADDRESS, clean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.readers.interface import Reader, Reading

CAPTURE_BYTES = 4 * 1024**2
"""A larger file is one tool's: people collect several by hand."""

BLOCK_CHARACTERS = 16 * 1024
"""How much of an output is looked at to know whose it is."""

HEADING = 4
"""Lines of a heading on each side of its command."""

CANDIDATES = 2000
"""Places that are looked at in one file."""

_WHO = r"(?:\([\w.-]{1,40}\) ?)?(?:\[?[\w.-]{1,40}@[\w.-]{1,60}[^$#%\n]{0,80})"
_TYPED = re.compile(
    rf"^(?:(?:# ?)?(?:{_WHO}|[\w.~/-]{{1,60}} ?)?\$ +|{_WHO}[#%] *|(?:PS )?[A-Z]:\\[^>\n]{{0,80}}> ?|\++ )"
    r"(?:sudo |time |watch |\w+=\S+ |(?:/usr)?/s?bin/)*(?P<program>[A-Za-z][\w.+-]{0,40})(?=[ |;>]|$)"
)
_PROGRAMS = re.compile(
    r"^(?:nvidia-smi|dcgmi|rocm-smi|amd-smi|iostat|mpstat|pidstat|vmstat|sar|top|cat|lscpu|lspci|ibstat|ibstatus|ibv_devinfo|dmesg"
    r"|journalctl|free|fio|py-spy|perf|nsys|ncu|python[\d.]*|torchrun|mpirun|srun|kubectl|docker|curl|wrk|k6|locust"
    r"|vllm|perf_analyzer|pip[\d.]*|\w+_perf|neuron-monitor|npu-smi)(?:\.exe)?$"
)
_RULE = re.compile(r"^(?:#{8,}|={8,}|-{8,}|\*{8,})$")
_BANNER = r"Linux \S+ \([^()\n]*\)[^()\n]*\(\d{1,6} CPU\)$"
_HEAD = re.compile(
    r"^(?:"
    rf"{_BANNER}"
    r"|(?:-*procs-*|procs) -+memory|top - \d\d:|avg-cpu: |Device:? .*(?:tps|r/s|%util)"
    r"|# ?gpu .*\n# ?Idx|# ?(?:Date|Time)\b.* gpu .*\n"
    r"|(?:\w{3} \w{3} +\d+ [\d:]+ \d{4}\n)?\+-+\+\n\| (?:NVIDIA|AMD)-SMI|=+NVSMI LOG=+"
    r"|<\?xml [^>\n]*>\n<(?:!DOCTYPE )?nvidia_smi_log|GPU0\s.*(?:GPU1|NIC0|CPU Affinity)|GPU \d{1,3}: .*\(UUID: GPU-"
    r"|(?=.*\b(?:utilization\.gpu|memory\.used|power\.draw|temperature\.gpu|used_(?:gpu_)?memory)\b)[\w.]+(?:, | \[)"
    r"|(?:some|full) avg10=|#Entity|Architecture: |CA '\w+'$|total +used +free +shared"
    r"|# nThread \d+ nGpus|\{\"sysstat\"|\d{1,15} K total memory$"
    r")",
    re.MULTILINE,
)
_BLOCK = re.compile(r"(?:[^\n]+\n?)+")
_TWO_BLOCKS = re.compile(r"(?:[^\n]+\n?)+\n*(?:[^\n]+\n?)+")
_OF_IOSTAT = ("avg-cpu", "Device")
_DIGITS = re.compile(r"\d+")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a capture: its content, who reads it, and how many lines of the file stand before it."""

    source: Source
    reader: Reader
    before: int

    def numbered(self, reading: Reading) -> Reading:
        """Return a reading of the part with the lines of the whole file."""
        return renumbered(reading, self.before)


def renumbered(reading: Reading, before: int) -> Reading:
    """Return a reading of a part with the lines of the whole, ``before`` of which stand before it."""
    if not before:
        return reading

    def moved(line: int | None) -> int | None:
        return None if line is None else line + before

    observations = tuple(
        dataclasses.replace(each, origin=dataclasses.replace(each.origin, line=moved(each.origin.line)))
        for each in reading.observations
    )
    messages = tuple(dataclasses.replace(each, line=moved(each.line)) for each in reading.messages)
    return dataclasses.replace(reading, observations=observations, messages=messages)


def parts_of(source: Source, readers: Sequence[Reader]) -> tuple[Part, ...]:
    """Return the parts that a reader knows; none for a file that is of one piece, binary or large."""
    if source.empty or source.binary:
        return ()
    lines = _lines(source)
    if lines is None:
        return ()
    cleaned = [clean(line) for line in lines]
    typed = _typed(cleaned)
    starts = [
        start + inner
        for start, end in itertools.pairwise([*(typed or [0]), len(lines)])
        for inner in _headed(cleaned[start:end], readers) or [0]
    ]
    if len(starts) < 2:
        return ()
    found: list[tuple[Reader, int, int]] = []
    for start, end in itertools.pairwise([*starts, len(lines)]):
        piece = _piece(source, lines[start:end])
        reader = recogniser(piece, readers) or next(iter(others(piece, None, readers)), None)
        if reader is None:
            continue
        again = found and found[-1][0] is reader and found[-1][2] >= start - 1  # the same command once more
        if again and not _asks_another(cleaned[max(0, found[-1][1] - 1) : found[-1][1]], cleaned[found[-1][2] : start]):
            found[-1] = (reader, found[-1][1], end)
        else:
            found.append((reader, start, end))
    if not typed and len(found) == 1 and found[0][0] is recogniser(source, readers):
        return ()
    return tuple(
        Part(source=_piece(source, lines[start:end]), reader=reader, before=start) for reader, start, end in found
    )


def _asks_another(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two commands ask different servers: ``curl http://10.0.0.1/metrics``, ``curl http://10.0.0.2/metrics``."""
    asked = [set(ADDRESS.findall("\n".join(lines))) for lines in (one, other)]
    return all(asked) and not asked[0] & asked[1]


def _piece(source: Source, lines: list[str]) -> Source:
    return Source.of_bytes(source.shown, "\n".join(lines).encode("utf-8", "replace"))


def recogniser(source: Source, readers: Sequence[Reader]) -> Reader | None:
    """Return the first reader that recognises a source."""
    return None if source.empty else next((reader for reader in readers if reader.recognises(source)), None)


def _lines(source: Source) -> list[str] | None:
    """Return the lines of a source, those before its damage if it has any; None where it is too large."""
    parts, size = [], 0
    try:
        for block in source.blocks():
            parts.append(block)
            size += len(block)
            if size > CAPTURE_BYTES:
                return None
    except DamageError:
        return None
    return b"".join(parts).decode("utf-8", "replace").split("\n")


def _typed(lines: list[str]) -> list[int]:
    """Return where the outputs of typed commands begin, and the text before the first; none without known commands.

    Known are the tools read here, and any command in a heading as collecting scripts print it: ``# $ command``.
    """
    typed = [(number, match["program"]) for number, line in enumerate(lines) if (match := _TYPED.match(line))]
    if not any(_PROGRAMS.match(program) or lines[number].startswith("# $") for number, program in typed):
        return []
    starts = [0]
    for number, _ in typed[:CANDIDATES]:
        first, after = _heading(lines, number)
        starts += [first, after]
    return list(dict.fromkeys(starts))


def _heading(lines: list[str], number: int) -> tuple[int, int]:
    """Return the first line of the heading in which a command stands, and the line after it."""
    first, after = number, number + 1
    if not lines[number].startswith("#"):
        return first, after
    for step in range(1, HEADING + 1):
        if first == number and number >= step and _RULE.match(lines[number - step]):
            first = number - step
        if after == number + 1 and number + step < len(lines) and _RULE.match(lines[number + step]):
            after = number + step + 1
    return first, after


def _headed(lines: list[str], readers: Sequence[Reader]) -> list[int]:
    """Return where the output of another tool begins; none where there is only one."""
    text = "\n".join(lines)
    known: dict[str, Reader | None] = {}
    starts: list[int] = []
    current: Reader | None = None
    for number, trial in _trials(text):
        if not starts:
            starts.append(0)
            before = Source.of_bytes("", "\n".join(lines[:number]).encode("utf-8", "replace"))
            current = recogniser(before, readers)
        key = _DIGITS.sub("0", trial[:400])
        if key not in known:
            known[key] = recogniser(Source.of_bytes("", trial.encode("utf-8", "replace")), readers)
        if known[key] is not None and known[key] is not current:
            current = known[key]
            if number:
                starts.append(number)
    return starts if len(starts) > 1 else []


def _trials(text: str) -> Iterator[tuple[int, str]]:
    """Yield the places of first lines, with the block of lines that each begins; that of a banner has the next too."""
    number, at = 0, 0
    heads = list(itertools.islice(_HEAD.finditer(text), CANDIDATES))
    for place, head in enumerate(heads):
        number += text.count("\n", at, head.start())
        at = head.start()
        is_banner = head[0].startswith("Linux ")
        later = (
            each.start()
            for each in itertools.islice(heads, place + 1, None)
            if not (is_banner and each[0].startswith(_OF_IOSTAT))
        )
        end = min(next(later, len(text)), at + BLOCK_CHARACTERS)
        block = (_TWO_BLOCKS if is_banner else _BLOCK).match(text, at, end)
        yield number, text[at : block.end() if block else end]
