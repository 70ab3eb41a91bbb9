"""Labels: what the cause of an incident turned out to be, and how what was concluded compares with it."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
from typing import TYPE_CHECKING, Any, Final, get_args

import msgspec

from dam_expert.documents.vocabulary import Bottleneck
from dam_expert.kb.source import read_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from dam_expert.batch.rows import Rows
    from dam_expert.engine.block.evaluating import Evaluator

OPEN: Final = "open"
"""Stands in the place of a bottleneck where none is confirmed."""

_ACCEPTED: Final = ("accepts", "accepted", "bottlenecks", "bottleneck")
_SPLIT: Final = re.compile(r"[;,|\s]+")
_SHOWN: Final = 50
"""Ids that are kept of what was confirmed wrongly."""


class LabelError(Exception):
    """A file of labels that cannot be used, in one line."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """The accepted bottlenecks, the first the best, and the hypothesis where it is known."""

    accepts: tuple[str, ...]
    hypothesis: str | None = None


def read_labels(path: Path) -> dict[str, Label]:
    """Read labels by id from YAML, JSON (a list) or JSON lines, or CSV: ``id``, ``accepts`` (or ``bottlenecks``).

    Raises LabelError for what is none, and OSError where it cannot be read.
    """
    found: dict[str, Label] = {}
    for number, item in enumerate(_items(path), 1):
        name = item.get("id") if isinstance(item, dict) else None
        if not isinstance(name, str) or not name:
            raise LabelError(f"{path}: label {number} has no id")
        given = next((item[key] for key in _ACCEPTED if item.get(key)), None)
        accepts = tuple(given) if isinstance(given, list) else tuple(filter(None, _SPLIT.split(str(given or ""))))
        strange = [word for word in accepts if word not in get_args(Bottleneck)]
        if not accepts or strange:
            said = f"'{strange[0]}' is no bottleneck" if strange else "no bottleneck stands under 'accepts'"
            raise LabelError(f"{path}: label '{name}': {said}; known: {', '.join(get_args(Bottleneck))}")
        if name in found:
            raise LabelError(f"{path}: '{name}' is labelled twice")
        found[name] = Label(accepts=accepts, hypothesis=item.get("hypothesis") or None)
    return found


def _items(path: Path) -> list[Any]:
    if path.suffix in (".csv", ".tsv"):
        text = path.read_text(encoding="utf-8-sig", errors="replace")
        return list(csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if path.suffix == ".tsv" else ","))
    if path.suffix in (".jsonl", ".ndjson"):
        try:
            return list(msgspec.json.Decoder().decode_lines(path.read_bytes()))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise LabelError(f"{path}: not JSON lines: {error}") from None
    document, messages = read_yaml(path)
    if document is None or not isinstance(document.data, list):
        raise LabelError(str(messages[0]) if messages else f"{path}: a list of labels is expected")
    return document.data


def judged(
    evaluator: Evaluator, rows: Rows, labels: Mapping[str, Label], question_of: Callable[[int], list[str] | None]
) -> dict[str, Any]:
    """Compare the rows that have a label with it.

    ``question_of`` returns the hypotheses that the first question of a row would decide, None where there is none.
    """
    names = ("labelled", "top_1", "top_3", "confirmed_right", "confirmed_wrong", "open", "asked", "asked_right")
    counts: dict[str, Any] = dict.fromkeys(names, 0)
    confusion: dict[str, dict[str, int]] = {}
    wrong: list[str] = []
    named = named_by(evaluator, rows)
    for row, name in enumerate(rows.ids):
        label = labels.get(name)
        if label is None:
            continue
        counts["labelled"] += 1
        group = confusion.setdefault(label.accepts[0], {})
        group[named[row]] = group.get(named[row], 0) + 1
        ranked = _ranked(evaluator, rows, row)
        counts["top_1"] += any(each in label.accepts for each in ranked[:1])
        counts["top_3"] += any(each in label.accepts for each in ranked[:3])
        if named[row] != OPEN:
            is_right = named[row] in label.accepts
            counts["confirmed_right" if is_right else "confirmed_wrong"] += 1
            wrong += [] if is_right or len(wrong) >= _SHOWN else [name]
            continue
        counts["open"] += 1
        decided = question_of(row) if rows.diagnosed[row] else None
        if decided is not None:
            counts["asked"] += 1
            counts["asked_right"] += any(
                each == label.hypothesis or evaluator.base.hypotheses[each].bottleneck in label.accepts
                for each in decided
            )
    return {**counts, "confusion": confusion, "wrong": wrong}


def named_by(evaluator: Evaluator, rows: Rows) -> list[str]:
    """Return by row the bottleneck that is confirmed, ``none`` where nothing is at fault, or that it is open."""
    hypotheses = evaluator.layout.hypotheses
    return [
        hypotheses[binding].bottleneck if binding >= 0 else "none" if status == "no_fault" else OPEN
        for binding, status in zip(rows.binding.tolist(), rows.statuses(), strict=True)
    ]


def _ranked(evaluator: Evaluator, rows: Rows, row: int) -> list[str]:
    """Return the bottlenecks of a row in the order in which their first hypothesis ranks."""
    if not rows.diagnosed[row]:
        return []
    binding = int(rows.binding[row])
    places = [*([binding] if binding >= 0 else []), *rows.following[row].tolist()]
    found = dict.fromkeys(evaluator.layout.hypotheses[place].bottleneck for place in places if place >= 0)
    return list(found)
