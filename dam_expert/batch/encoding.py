"""Rows as JSON lines, CSV records and Arrow batches."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dam_expert.batch.rows import NEXT, status_word
from dam_expert.documents.diagnosis import extent
from dam_expert.documents.intervals import Interval

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.batch.rows import Rows
    from dam_expert.engine.block.evaluating import Ends
    from dam_expert.kb.base import Base

COLUMNS: Final = (
    "id", "source", "status", "hypothesis", "bottleneck", "axes", "share_low", "share_high", "ceiling_low",
    "ceiling_high", *(f"next_{number + 1}" for number in range(NEXT)), "error",
)  # fmt: skip
"""Of a flat row; a share or ceiling that is known exactly has the same low and high."""

_ACTS_IN_A_SHEET: Final = ("=", "+", "-", "@", "\t", "\r")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """What a row has beside the compact columns."""

    rules: bool = False
    full: bool = False


def compact(base: Base, rows: Rows, extra: Extra) -> Iterator[dict[str, Any]]:
    """Yield each row as it stands in JSON: extents as in a diagnosis, lists as lists, what is not known as null."""
    names = list(base.hypotheses)
    fired = _fired(base, rows) if extra.rules else {}
    for row in range(rows.size):
        binding = int(rows.binding[row])
        hypothesis = base.hypotheses[names[binding]] if binding >= 0 else None
        said: dict[str, Any] = {
            "id": rows.ids[row],
            "source": rows.sources[row],
            "status": status_word(int(rows.status[row])),
            "hypothesis": None if hypothesis is None else hypothesis.id,
            "bottleneck": None if hypothesis is None else hypothesis.bottleneck,
            "axes": [] if hypothesis is None else list(hypothesis.region),
            "share": _extent(rows.share, row),
            "ceiling": _extent(rows.ceiling, row),
            "next": [names[column] for column in rows.following[row] if column >= 0],
            "error": rows.errors.get(row),
        }
        if extra.rules:
            said["rules"], said["rules_reduced"] = fired.get(row, ([], []))
        yield said


def flat(said: dict[str, Any]) -> dict[str, Any]:
    """Return a compact row with one value under each of ``COLUMNS``."""
    following = [*said["next"], *[None] * NEXT]
    made = {key: said[key] for key in ("id", "source", "status", "hypothesis", "bottleneck", "error")}
    made["axes"] = " ".join(said["axes"]) or None
    for name in ("share", "ceiling"):
        value = said[name]
        made[f"{name}_low"], made[f"{name}_high"] = value if isinstance(value, tuple) else (value, value)
    made |= {f"next_{number + 1}": following[number] for number in range(NEXT)}
    made |= {name: " ".join(said[name]) for name in ("rules", "rules_reduced") if name in said}
    return made


def jsonl(base: Base, rows: Rows, extra: Extra) -> bytes:
    """Return rows as lines of JSON."""
    encode = msgspec.json.Encoder().encode
    return b"".join(encode(said) + b"\n" for said in compact(base, rows, extra))


def csv_header(extra: Extra) -> bytes:
    """Return the first record."""
    return (",".join(columns_of(extra)) + "\r\n").encode()


def csv_records(base: Base, rows: Rows, extra: Extra) -> bytes:
    """Return rows as records of RFC 4180; a text that a spreadsheet would run as a formula gets a quote before it."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns_of(extra))
    for said in compact(base, rows, extra):
        writer.writerow({key: _harmless(value) for key, value in flat(said).items()})
    return text.getvalue().encode("utf-8", "backslashreplace")


def columns_of(extra: Extra) -> tuple[str, ...]:
    """Return the columns of a flat row."""
    return (*COLUMNS, "rules", "rules_reduced") if extra.rules else COLUMNS


def _harmless(value: object) -> object:
    if isinstance(value, str) and value.startswith(_ACTS_IN_A_SHEET):
        return f"'{value}"
    return value


def _extent(span: Ends, row: int) -> Any:  # noqa: ANN401  (an extent)
    low, high = float(span.lo[row]), float(span.hi[row])
    return None if math.isnan(low) else extent(Interval(low, high))


def _fired(base: Base, rows: Rows) -> dict[int, tuple[list[str], list[str]]]:
    """Return by row the rules that fired at full strength and those that fired reduced."""
    if rows.verdict is None:
        return {}
    names = [rule.id for rule in base.program.rules]
    full, reduced = rows.verdict.rules(rows.verdict.full), rows.verdict.rules(rows.verdict.reduced)
    return {
        int(row): ([names[i] for i in full[place]], [names[i] for i in reduced[place]])
        for place, row in enumerate(rows.diagnosed)
    }
