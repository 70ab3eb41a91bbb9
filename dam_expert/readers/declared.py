r"""Readings that a runbook declares: a column of a table, or a metric in the Prometheus text format, without Python.

>>> from dam_expert.kb.load import load_knowledge
>>> from dam_expert.kb.overlay_models import ToolMappingModel
>>> model = ToolMappingModel(format="prometheus", match='wait_ms{route="chat"}', measurement="queue_time", unit="ms")
>>> text = 'wait_ms_sum{route="chat"} 3000\nwait_ms_count{route="chat"} 12\n'
>>> (reader,) = declared_readers([("llm", model)], load_knowledge()[0].measurements)
>>> reading = reader.read(Source.of_bytes("metrics.txt", text.encode()))
>>> [(found.measurement, found.value.lo, found.origin.tool) for found in reading.observations]
[('queue_time', 0.25, 'llm')]
"""

from __future__ import annotations

import csv
import dataclasses
import itertools
import re
from typing import TYPE_CHECKING

from dam_expert.documents.quantities import QuantityError, parse_quantity
from dam_expert.kb.overlay_tools import METRIC
from dam_expert.readers.interface import Reading, Teller
from dam_expert.readers.source import DamageError, Source
from dam_expert.readers.text import number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.kb.base import Measurement
    from dam_expert.kb.overlay_models import ToolMappingModel
    from dam_expert.readers.interface import Reader

_LINES = 1_000_000
"""Lines of a table or export that are read; more is cut, and said."""
_HEAD_LINES = 5
_SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+-?\d+)?")
_LABEL = re.compile(r'([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"')


def declared_readers(
    tools: Iterable[tuple[str, ToolMappingModel]], measurements: Mapping[str, Measurement]
) -> list[Reader]:
    """Return a reader for each runbook and format that its ``tools`` declare."""
    by_kind: dict[tuple[str, str], list[Declared]] = {}
    for runbook, model in tools:
        declared = Declared(model=model, measurement=measurements[model.measurement])
        by_kind.setdefault((runbook, model.format), []).append(declared)
    return [
        TableReader(tool=name, declared=tuple(found)) if form == "csv" else MetricsReader(name, tuple(found))
        for (name, form), found in by_kind.items()
    ]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Declared:
    """One declared reading with the measurement that it gives."""

    model: ToolMappingModel
    measurement: Measurement

    def told(self, samples: _Samples, tell: Teller) -> Iterator[Observation]:
        """Yield the mean of each member, in the canonical unit; a value that cannot be is a complaint."""
        model, wanted = self.model, self.measurement.model
        for member, values in samples.values.items():
            scope = () if member is None or wanted.per is None else ((wanted.per, member),)
            detail = f"{model.match}, mean of {len(values)}" if len(values) > 1 else model.match
            given = f"{sum(values) / len(values)!r} {'' if model.unit == '1' else model.unit}".strip()
            line = samples.first[member]
            try:
                value = parse_quantity(given, unit=wanted.unit, kind=wanted.kind).interval
            except QuantityError:
                yield tell.reject(wanted.id, given, scope=scope, line=line, detail=detail)
            else:
                yield tell.observe(wanted.id, value, scope=scope, line=line, detail=detail)


@dataclasses.dataclass(slots=True)
class _Samples:
    """Numbers of one declared reading, by the member they belong to."""

    values: dict[str | None, list[float]] = dataclasses.field(default_factory=dict)
    first: dict[str | None, int] = dataclasses.field(default_factory=dict)

    def add(self, member: str | None, value: float, line: int) -> None:
        self.values.setdefault(member, []).append(value)
        self.first.setdefault(member, line)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class TableReader:
    """Reads declared columns of a table with a header row, separated by commas, semicolons or tabs."""

    tool: str
    declared: tuple[Declared, ...]
    title: str = "a table that a runbook declares"
    versions: str = "as declared"

    def recognises(self, source: Source) -> bool:
        """Whether the header row has one of the declared columns."""
        _, names = _header(source.head.splitlines()[:_HEAD_LINES])
        return any(each.model.match in names for each in self.declared)

    def read(self, source: Source) -> Reading:
        """Return the mean of each declared column, per member where one is declared."""
        tell = Teller(file=source.shown, tool=self.tool)
        separator, names = _header(source.head.splitlines()[:_HEAD_LINES])
        wanted = [(each, names.index(each.model.match)) for each in self.declared if each.model.match in names]
        samples = {each: _Samples() for each, _ in wanted}
        messages: list[Message] = []
        strange = count = 0
        for line, text in _lines(source, tell, messages):
            row = next(csv.reader([text], delimiter=separator), [])
            if [cell.strip() for cell in row] == names:
                continue
            count += 1
            for each, column in wanted:
                cell = row[column] if column < len(row) else ""
                value = number(cell, decimal_comma=separator != ",")
                if value is None:
                    strange += bool(cell.strip())
                    continue
                samples[each].add(_member(row, names, each.model), value, line)
        messages += tell.not_understood(strange, count * len(wanted), first=None)
        return _reading(self.tool, samples, tell, messages, count)


@dataclasses.dataclass(frozen=True, slots=True)
class MetricsReader:
    """Reads declared metrics of an export in the Prometheus text format."""

    tool: str
    declared: tuple[Declared, ...]
    title: str = "metrics that a runbook declares"
    versions: str = "as declared"

    def recognises(self, source: Source) -> bool:
        """Whether the head has a sample of a declared metric, or says that the text is such an export."""
        names = {_metric(each.model)[0] for each in self.declared}
        found = (_SAMPLE.fullmatch(line.strip()) for line in source.head.splitlines())
        return any(each is not None and _base_name(each[1]) & names for each in found)

    def read(self, source: Source) -> Reading:
        """Return each declared metric: a gauge as it is, the mean of a summary or histogram."""
        tell = Teller(file=source.shown, tool=self.tool)
        messages: list[Message] = []
        rows = [
            (line, found[1], dict(_LABEL.findall(found[2] or "")), number(found[3]))
            for line, text in _lines(source, tell, messages)
            if not text.startswith("#") and (found := _SAMPLE.fullmatch(text)) is not None
        ]
        samples = {each: _gathered(each.model, rows) for each in self.declared}
        return _reading(self.tool, samples, tell, messages, len(rows))


def _gathered(model: ToolMappingModel, rows: Sequence[tuple[int, str, dict[str, str], float | None]]) -> _Samples:
    """Return the values of one metric; of a summary or histogram, over all its series, sum divided by count."""
    name, labels = _metric(model)
    samples, sums, counts = _Samples(), _Samples(), _Samples()
    for line, metric, given, value in rows:
        if value is None or any(given.get(label) != wanted for label, wanted in labels.items()):
            continue
        member = given.get(model.per) if model.per is not None else None
        target = {name: samples, f"{name}_sum": sums, f"{name}_count": counts}.get(metric)
        if target is not None and "quantile" not in given:
            target.add(member, value, line)
    for member, values in sums.values.items():
        number_of = sum(counts.values.get(member, ()))
        if number_of > 0:
            samples.add(member, sum(values) / number_of, sums.first[member])
    return samples


def _metric(model: ToolMappingModel) -> tuple[str, dict[str, str]]:
    found = METRIC.fullmatch(model.match)
    return (found[1], dict(_LABEL.findall(found[2] or ""))) if found else (model.match, {})


def _base_name(name: str) -> set[str]:
    return {name, name.removesuffix("_sum"), name.removesuffix("_count")}


def _member(row: Sequence[str], names: Sequence[str], model: ToolMappingModel) -> str | None:
    if model.per is None or model.per not in names:
        return None
    column = names.index(model.per)
    return row[column].strip() if column < len(row) else None


def _header(lines: Sequence[str]) -> tuple[str, list[str]]:
    """Return the separator and the names of the header row: the first line that is not a comment."""
    for line in lines:
        if line.strip() and not line.startswith("#"):
            separator = max(",;\t", key=line.count)
            return separator, [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
    return ",", []


def _lines(source: Source, tell: Teller, messages: list[Message]) -> Iterator[tuple[int, str]]:
    try:
        yield from itertools.islice(source.lines(), _LINES)
    except DamageError as damage:
        messages.append(tell.warn(damage.code, damage.text, hint=damage.hint))


def _reading(
    tool: str, samples: dict[Declared, _Samples], tell: Teller, messages: list[Message], lines: int
) -> Reading:
    observations = tuple(told for each, found in samples.items() for told in each.told(found, tell))
    if not observations and not messages:
        messages.append(tell.warn("no-values", "none of the declared columns or metrics holds a number"))
    return tell.reading(observations=observations, messages=tuple(messages), lines_read=lines)
