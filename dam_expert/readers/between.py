r"""The output of a job, in which lines of several tools stand between each other: who reads it beside the first.

A capture of several commands is cut (:mod:`dam_expert.readers.parts`); what one job writes cannot be, since its
library, its training loop and its profiler print in turns. Each reader of logs passes over what is not its own, so all
of them read the whole. A reader is asked again wherever a word of its own stands, also far behind the head of the file.

>>> from dam_expert.readers.registry import READERS
>>> raw = b"gpu1:7:9 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0>\nstep:  1  loss:  8.1  tps: 4,376  mfu: 25%\n"
>>> source = Source.of_bytes("job.log", raw)
>>> [reader.title for reader in others(source, next(each for each in READERS if each.title == "NCCL log"), READERS)]
['training log']
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.readers.allocator import AllocatorReader
from dam_expert.readers.flops import FlopsReader
from dam_expert.readers.kernel_log import KernelLogReader
from dam_expert.readers.key_averages import KeyAveragesReader
from dam_expert.readers.lightning import LightningProfilerReader
from dam_expert.readers.mllog import MllogReader
from dam_expert.readers.nccl.reader import NcclLogReader, NcclTestsReader
from dam_expert.readers.serving.benchmark import ServingBenchmarkReader
from dam_expert.readers.serving.engine_log import EngineLogReader
from dam_expert.readers.source import HEAD_BYTES, DamageError, Source
from dam_expert.readers.training_log import TrainingLogReader
from dam_expert.readers.training_log.dialects import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Reader, Reading

SCANNED_BYTES = 512 * 1024**2
"""How much of a log is searched for words of other tools."""

TRIALS = 20_000
"""Lines with such a word at which one reader is asked: words of training are in every other program, too."""

_WORDS: dict[type, tuple[str, ...]] = {
    TrainingLogReader: tuple(
        dict.fromkeys(
            [
                *(word for dialect in DIALECTS for word in dialect.words),
                "%|",
                "{'",
                '"data_time"',
                " • ",
                " it/s, Epoch",
            ]
        )
    ),
    NcclLogReader: ("NCCL INFO", "NCCL WARN"),
    AllocatorReader: ("out of memory", "memory summary"),
    FlopsReader: ("Flops Profiler", "Flops Results", "Computational complexity", "#flops"),
    MllogReader: (":::MLLOG {",),
    LightningProfilerReader: ("Mean duration (s)",),
    KeyAveragesReader: ("Self CPU %",),
    ServingBenchmarkReader: ("Serving Benchmark Result",),
    EngineLogReader: ("Avg generation throughput", "Decode batch"),
}
_LOGS = (*_WORDS, NcclTestsReader, KernelLogReader)
"""Readers whose output others may print between; what the kernel says stands in a log of its own."""


_OF_SERVERS = frozenset({ServingBenchmarkReader().tool, EngineLogReader().tool})
_OF_BARS = frozenset({"step_time", "step_time_trend", "training_loss", "training_loss_early"})


def others(source: Source, first: Reader | None, readers: Sequence[Reader]) -> list[Reader]:
    """Return the readers of logs that know lines of a source, beside the one that knows its head, if any does."""
    if source.empty or source.binary or (first is not None and not isinstance(first, _LOGS)):
        return []
    whole = len(source.head) < HEAD_BYTES // 4
    if first is None and whole:
        return []  # all of it was looked at
    asked = [reader for reader in readers if type(reader) in _WORDS and not _includes(first, reader)]
    source = dataclasses.replace(source, watch=None)
    present = _present(source, {type(reader) for reader in asked})
    asked = [reader for reader in asked if type(reader) in present]
    known = set(_known(source, asked)) if asked else set()
    return [reader for reader in asked if reader in known]


def new_of(reading: Reading, before: Sequence[Reading]) -> Reading:
    """Return a reading without what others said of the same line: the training log reads failed allocations, too.

    A progress bar beside what a server or its benchmark prints counts requests, and no steps.
    """
    if any(other.tool in _OF_SERVERS for other in before) and not any(
        each.measurement == "workload_kind" for each in reading.observations
    ):
        kept = tuple(each for each in reading.observations if each.measurement not in _OF_BARS)
        reading = dataclasses.replace(reading, observations=kept)
    told = {_key(each) for other in before for each in other.observations}
    kept = tuple(each for each in reading.observations if _key(each) not in told)
    return dataclasses.replace(reading, observations=kept)


def _key(each: Observation) -> tuple[object, ...]:
    return each.measurement, each.scope, each.origin.line, each.origin.tool


def _includes(first: Reader | None, reader: Reader) -> bool:
    """Whether the first reads what the other would: nccl-tests print the library's lines as well."""
    return type(first) is type(reader) or (isinstance(first, NcclTestsReader) and isinstance(reader, NcclLogReader))


def _present(source: Source, kinds: set[type]) -> set[type]:
    """Return the kinds of which some word is in a source: one pass, and fast."""
    words = {kind: [word.encode() for word in _WORDS[kind]] for kind in kinds}
    found: set[type] = set()
    tail, taken = b"", 0
    try:
        for block in source.blocks():
            text = tail + block
            found |= {kind for kind in words.keys() - found if any(word in text for word in words[kind])}
            tail, taken = block[-40:], taken + len(block)
            if found == kinds or taken > SCANNED_BYTES:
                break
    except DamageError:
        pass  # what is damaged is said by who reads it
    return found


def _known(source: Source, asked: Sequence[Reader]) -> Iterator[Reader]:
    """Yield the readers that recognise a line with a word of theirs."""
    by_word = {word: reader for reader in asked for word in _WORDS[type(reader)]}
    pattern = re.compile("|".join(re.escape(word) for word in sorted(by_word, key=len, reverse=True)))
    left = dict.fromkeys(asked, TRIALS)
    try:
        for _, text in source.lines():
            for word in dict.fromkeys(pattern.findall(text[: HEAD_BYTES // 4])):
                reader = by_word[word]
                if reader not in left:
                    continue
                if reader.recognises(Source.of_bytes("", text.encode("utf-8", "replace"))):
                    yield reader
                    del left[reader]
                else:
                    left[reader] -= 1
                    if not left[reader]:
                        del left[reader]
            if not left:
                return
    except DamageError:
        pass
