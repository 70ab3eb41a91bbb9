"""Rows as JSON lines, CSV records and Arrow batches."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec
import numpy as np

from dam_expert.batch.rows import NEXT, status_word
from dam_expert.documents.diagnosis import extent
from dam_expert.documents.intervals import Interval

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from dam_expert.batch.rows import Rows
    from dam_expert.engine.block.evaluating import Ends
    from dam_expert.kb.base import Base

#: Returns the whole diagnosis of a row as JSON.
Full: TypeAlias = "Callable[[Rows, int], bytes]"

COLUMNS: Final = (
    "id", "source", "status", "hypothesis", "bottleneck", "axes", "share_low", "share_high", "ceiling_low",
    "ceiling_high", "likely", *(f"next_{number + 1}" for number in range(NEXT)), "error",
)  # fmt: skip
"""Of a flat row; a share or ceiling that is known exactly has the same low and high."""

_encode: Final = msgspec.json.Encoder().encode
_ACTS_IN_A_SHEET: Final = re.compile(
    r"\A[\t\r]|(?:\A|(?<=[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]))(?=[^\S\n\r]*[=+\-@＝＋－＠])"
)
"""Where a text would be run: at its beginning or that of a line, blanks and wide forms of the signs included."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """What a row has beside the compact columns."""

    rules: bool = False
    full: bool = False


def compact(base: Base, rows: Rows, extra: Extra) -> Iterator[dict[str, Any]]:
    """Yield each row as it stands in JSON: extents as in a diagnosis, lists as lists, what is not known as null."""
    named = fired(base, rows) if extra.rules else ([], [])
    for row in range(rows.size):
        said = _said(base, rows, row) | {
            "share": _extent(rows.share, row),
            "ceiling": _extent(rows.ceiling, row),
            "error": rows.errors.get(row),
        }
        if extra.rules:
            said["rules"], said["rules_reduced"] = (each[row] for each in named)
        yield said


def _said(base: Base, rows: Rows, row: int) -> dict[str, Any]:
    """Return a row in the order of its keys, with what many rows have in common filled in."""
    names = list(base.hypotheses)
    binding, likely = int(rows.binding[row]), int(rows.likely[row])
    hypothesis = base.hypotheses[names[binding]] if binding >= 0 else None
    return {
        "id": rows.ids[row],
        "source": rows.sources[row],
        "status": status_word(int(rows.status[row])),
        "hypothesis": None if hypothesis is None else hypothesis.id,
        "bottleneck": None if hypothesis is None else hypothesis.bottleneck,
        "axes": [] if hypothesis is None else list(hypothesis.region),
        "share": None,
        "ceiling": None,
        "likely": names[likely] if likely >= 0 else None,
        "next": [names[column] for column in rows.following[row] if column >= 0],
        "error": None,
    }


def flat(said: dict[str, Any]) -> dict[str, Any]:
    """Return a compact row with one value under each of ``COLUMNS``."""
    following = [*said["next"], *[None] * NEXT]
    made = {key: said[key] for key in ("id", "source", "status", "hypothesis", "bottleneck", "likely", "error")}
    made["axes"] = " ".join(said["axes"]) or None
    for name in ("share", "ceiling"):
        value = said[name]
        made[f"{name}_low"], made[f"{name}_high"] = value if isinstance(value, tuple) else (value, value)
    made |= {f"next_{number + 1}": following[number] for number in range(NEXT)}
    made |= {name: " ".join(said[name]) for name in ("rules", "rules_reduced") if name in said}
    return made


def jsonl(base: Base, rows: Rows, extra: Extra, full: Full) -> bytes:
    """Return rows as lines of JSON; ``full`` gives the whole diagnosis of one, where it is wanted."""
    if extra.full:
        return b"".join(
            _encode(said)[:-1] + b',"diagnosis":' + full(rows, row) + b"}\n"
            for row, said in enumerate(compact(base, rows, extra))
        )
    if extra != Extra():
        return b"".join(_encode(said) + b"\n" for said in compact(base, rows, extra))
    ids, sources = _texts(rows.ids), _texts(rows.sources)
    shares, ceilings = _extents(rows.share), _extents(rows.ceiling)
    heads, tails = _middles(base, rows)
    for row, error in rows.errors.items():
        tails[row] = tails[row].replace('"error":null', f'"error":{_encode(error).decode()}')
    lines = [
        f'{{"id":{name},"source":{source},{head}"share":{share},"ceiling":{ceiling},{tail}\n'
        for name, source, head, share, ceiling, tail in zip(ids, sources, heads, shares, ceilings, tails, strict=True)
    ]
    return "".join(lines).encode()


def _texts(texts: Sequence[str]) -> list[str]:
    """Return texts as JSON."""
    return msgspec.json.Encoder().encode_lines(texts).decode().split("\n")[:-1]


def _extents(ends: Ends) -> list[str]:
    """Return each extent as JSON."""
    said = ["null"] * len(ends.lo)
    rows = np.flatnonzero(np.isfinite(ends.lo) & (ends.lo == ends.hi))
    for row, value in zip(rows.tolist(), ends.lo[rows].tolist(), strict=True):
        said[row] = f"{value:.9g}"
    for row in np.flatnonzero(ends.lo != ends.hi).tolist():
        said[row] = _encode(_extent(ends, row)).decode()
    return said


def _middles(base: Base, rows: Rows) -> tuple[list[str], list[str]]:
    """Return what stands before the share and behind the ceiling; what many rows say is written once."""
    names = [_encode(name).decode() for name in base.hypotheses]
    heads: dict[tuple[int, int], str] = {}
    pairs = list(zip(rows.status.tolist(), rows.binding.tolist(), strict=True))
    for row, pair in enumerate(pairs):
        if pair not in heads:
            said = _said(base, rows, row)
            head = {key: said[key] for key in ("status", "hypothesis", "bottleneck", "axes")}
            heads[pair] = _encode(head).decode()[1:-1] + ","
    places = list(zip(rows.likely.tolist(), *rows.following.T.tolist(), strict=True))
    tails = {key: _tail(names, *key) for key in set(places)}
    return list(map(heads.__getitem__, pairs)), list(map(tails.__getitem__, places))


def _tail(names: Sequence[str], likely: int, *following: int) -> str:
    """Return what stands behind the ceiling, given the places of hypotheses; where one is missing, none is named."""
    if following[-1] < 0:
        return '"likely":null,"next":[],"error":null}'
    first, behind = names[likely] if likely >= 0 else "null", ",".join(names[place] for place in following)
    return f'"likely":{first},"next":[{behind}],"error":null}}'


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
    return (*COLUMNS, *(("rules", "rules_reduced") if extra.rules else ()), *(("diagnosis",) if extra.full else ()))


def _harmless(value: object) -> object:
    return _ACTS_IN_A_SHEET.sub(_quoted, value) if isinstance(value, str) else value


def _quoted(found: re.Match[str]) -> str:
    return f"'{found.group()}"


def _extent(span: Ends, row: int) -> Any:  # noqa: ANN401  (an extent)
    low, high = float(span.lo[row]), float(span.hi[row])
    return None if math.isnan(low) else extent(Interval(low, high))


def fired(base: Base, rows: Rows) -> tuple[list[list[str]], list[list[str]]]:
    """Return by row the rules that fired at full strength and those that fired reduced; none of what is no incident."""
    names = [rule.id for rule in base.program.rules]

    def of_rows(positions: list[list[int]]) -> list[list[str]]:
        known = zip(positions, rows.diagnosed, strict=True)
        return [[names[position] for position in here] if is_known else [] for here, is_known in known]

    verdict = rows.verdict
    return of_rows(verdict.rules(verdict.full)), of_rows(verdict.rules(verdict.reduced))
