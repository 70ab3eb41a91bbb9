"""New runbooks and rules as text: complete, with tests derived from the condition, ready to be edited."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import TYPE_CHECKING, Any

import yaml

from dam_expert.documents.formatting import format_value
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.kb.check import expanded_leaves
from dam_expert.language.conditions import UPWARD, Column, Comparison, Limit, Multiple, Number, Words
from dam_expert.language.expressions import formula_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dam_expert.kb.base import Base
    from dam_expert.language.conditions import Tree

SCHEMA_FILE = "runbook.schema.json"
MODELINE = f"# yaml-language-server: $schema={SCHEMA_FILE}\n"
_PLAIN = re.compile(r"[A-Za-z][\w ,./%()°²µ-]*")
_ABOVE, _BELOW = 1.25, 0.75
"""Where generated facts lie around a limit: well within the factor of 2 that the tests of a rule must keep."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class NewRule:
    """What an author says of a new rule. ``when`` are its comparisons, all of which must hold."""

    id: str
    title: str
    when: tuple[str, ...]
    verb: str
    target: str
    because: str
    source: str


def runbook_text(name: str, description: str) -> str:
    """Return the ``runbook.yaml`` of a new runbook."""
    return (
        f"{MODELINE}"
        f"name: {name}\n"
        "version: 0.1.0\n"
        f"description: {quoted(description)}\n"
        "languages: [en]\n"
        "\n"
        "# What a runbook can say, here or in any other YAML file of this folder:\n"
        "#   add: {rules: [..], measurements: [..], ..}   ids begin with the runbook's name and a dot\n"
        "#   set: [{id: .., field: .., to: .., because: ..}]   another value for one field\n"
        "#   replace: [{id: .., because: .., with: {..}}]   a whole entry\n"
        "#   disable: [{id: .., because: .., until: 2030-01-31}]   a rule, case or lever\n"
        "#   add_exception: [{rule: .., symptom: .., because: ..}]   hold a rule back\n"
        "#   tools: [{format: csv, match: COLUMN, measurement: .., unit: ..}] read your own tables\n"
    )


def rule_text(rule: NewRule, tests: Mapping[str, list[dict[str, str]]]) -> str:
    """Return a file that adds one rule with its tests."""
    lines = [
        MODELINE.rstrip("\n"),
        "add:",
        "  rules:",
        f"    - id: {rule.id}",
        f"      title: {quoted(rule.title)}",
        *_when(rule.when),
        f"      then: {{{rule.verb}: {rule.target}}}",
        f"      because: {quoted(rule.because)}",
        f"      source: [{quoted(rule.source, flow=True)}]",
        "      tests:",
    ]
    for kind, facts in tests.items():
        lines.append(f"        {kind}:")
        lines += [f"          - {{{_facts(each)}}}" for each in facts]
    return "\n".join(lines) + "\n"


def _when(comparisons: tuple[str, ...]) -> list[str]:
    if len(comparisons) == 1:
        return [f"      when: {quoted(comparisons[0])}"]
    return ["      when:", "        all:", *(f"          - {quoted(each)}" for each in comparisons)]


def _facts(facts: Mapping[str, str]) -> str:
    return ", ".join(f"{quoted(name, flow=True)}: {quoted(value, flow=True)}" for name, value in facts.items())


def quoted(text: str, *, flow: bool = False) -> str:
    """Return a text as a YAML scalar, in quotes only where it needs them; ``flow``: inside brackets.

    >>> quoted("Waits long"), quoted("a: b"), quoted("1, 2", flow=True)
    ('Waits long', '"a: b"', '"1, 2"')
    """
    try:
        read = yaml.safe_load(f"[{text}]" if flow else text)
    except yaml.YAMLError:
        read = None
    plain = [text] if flow else text
    number = re.fullmatch(r"-?\d+(?:\.\d+)?(?: [^\s,\[\]{}#:]+)?|[a-z][a-z0-9_.]*", text)
    if number or (read == plain and "#" not in text and "\n" not in text):
        return text
    return json.dumps(text, ensure_ascii=False)


def facts_for(base: Base, tree: Tree) -> dict[str, list[dict[str, str]]]:
    """Return facts that make a conjunction true, false one comparison at a time, and unknown.

    Derived measurements are given by their inputs where the inputs are a quotient; words take a value that is listed.
    """
    leaves = [leaf for leaf in expanded_leaves(tree, base.symptom_trees) if isinstance(leaf, Comparison)]
    true = dict(_facts_of(base, leaves, failing=None))
    silent = [dict(_facts_of(base, leaves, failing=leaf)) for leaf in leaves]
    first = next(iter(true), None)
    undecided = {name: value for name, value in true.items() if name != first} or _unrelated(base, true)
    return {"fires": [true], "silent": _distinct(silent), "undecided": [undecided]}


def _distinct(facts: list[dict[str, str]]) -> list[dict[str, str]]:
    return [each for index, each in enumerate(facts) if each and each not in facts[:index]]


def _unrelated(base: Base, used: Mapping[str, str]) -> dict[str, str]:
    """Return a fact about something else, so that the condition stays unknown."""
    for name, measurement in base.measurements.items():
        read = {column.measurement for column in formula_columns(measurement.formula)} if measurement.formula else set()
        if name not in used and measurement.name.kind is Kind.SHARE and not read:
            return {name: "50 %"}
    return {}


def _facts_of(base: Base, leaves: list[Comparison], failing: Comparison | None) -> Iterator[tuple[str, str]]:
    for leaf in leaves:
        wanted = leaf is not failing
        if isinstance(leaf.operand, Words):
            word = _word(base, leaf.column, leaf.operand.words, wanted=wanted)
            if word is not None:
                yield str(leaf.column), word
            continue
        limit = _limit(base, leaf)
        upward = (leaf.operator in UPWARD) == wanted
        if isinstance(leaf.operand, Multiple):
            other = _written(base, leaf.operand.column, 1.0)
            yield str(leaf.operand.column), other
            yield str(leaf.column), _written(base, leaf.column, leaf.operand.factor * (_ABOVE if upward else _BELOW))
        elif limit is not None:
            end = limit.hi * _ABOVE if upward else limit.lo * _BELOW
            yield str(leaf.column), _written(base, leaf.column, _within(base, leaf.column, end, limit, upward=upward))


def _within(base: Base, column: Column, value: float, limit: Interval, *, upward: bool) -> float:
    """Keep a value inside the range of its measurement, half-way between the limit and the end."""
    measurement = base.measurements.get(column.measurement)
    allowed = measurement.range if measurement is not None else None
    if allowed is None or allowed.lo <= value <= allowed.hi:
        return value
    return (limit.hi + allowed.hi) / 2.0 if upward else (limit.lo + allowed.lo) / 2.0


def _limit(base: Base, leaf: Comparison) -> Interval | None:
    match leaf.operand:
        case Number(value):
            return value
        case Limit(name):
            return base.thresholds[name].name.alternatives[-1].value
    return None


def _word(base: Base, column: Column, words: frozenset[str], *, wanted: bool) -> str | None:
    if wanted:
        return sorted(words)[0]
    measurement = base.measurements.get(column.measurement)
    listed = measurement.name.values if measurement is not None else frozenset()
    if measurement is not None and measurement.name.kind is Kind.FLAG:
        listed = frozenset({"true", "false"})
    return next(iter(sorted(listed - words)), None)


def _written(base: Base, column: Column, value: float) -> str:
    measurement = base.measurements.get(column.measurement)
    if measurement is None:
        return f"{value:g}"
    model: Any = measurement.model
    if model.kind in (Kind.RATIO, Kind.COUNT) or not model.unit:
        return f"{value:g}"
    return format_value(Interval.point(value), unit=model.unit, kind=model.kind)
