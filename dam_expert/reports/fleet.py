"""The report over many incidents: what binds how often, what to measure, and how it compares with labels.

It is made of counts alone (:mod:`dam_expert.batch.tally`), so that it can be drawn of any number of incidents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from dam_expert.reports.model import Bar, Head, Item, Labels, Line, Point, Report, Section, Table, Tone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from dam_expert.kb.base import Base

_ROWS: Final = 20
"""Rows of a table that are shown; the data has all."""

_OPEN: Final = "open"
_STATUSES: Final = ("confirmed", "conflicting", "supported", "undetermined", "no_fault", "resolved", "not diagnosed")
_LABELS: Final = Labels(
    language="en",
    name="Fleet",
    joined="{label}: {text}",
    part="Bottleneck",
    share="Share of the incidents",
    sources="Sources",
    appendix="Details",
)


def fleet_report(base: Base, counts: Mapping[str, Any]) -> Report:
    """Return the report of counts."""
    total, errors = int(counts.get("rows", 0)), int(counts.get("errors", 0))
    named = dict(counts.get("bottleneck", {}))
    found = total - int(named.get(_OPEN, 0))
    facts = [
        Point(label="Incidents", text=f"{total:,}"),
        Point(label="Named", text=_of(found, total)),
        Point(label="With an error", text=f"{errors:,}"),
    ]
    first = next(iter(_settling(base, counts)), None)
    steps = [Point(label="Measure next", text=first[0], note=f"it would settle {first[2]} incidents")] if first else []
    largest = next(iter(_ordered({name: n for name, n in named.items() if name != _OPEN})), None)
    claim = f"{_title(base, largest[0])} binds most often" if largest else "Nothing is named yet"
    head = Head(
        about="",
        verdict=Point(label="Fleet", text=claim),
        claim=claim,
        tone=Tone.STRONG,
        detail="",
        facts=tuple(facts),
        steps=tuple(steps),
    )
    sections = [section for section in _sections(base, counts, total) if section.items]
    return Report(labels=_LABELS, head=head, sections=tuple(sections), details=())


def _sections(base: Base, counts: Mapping[str, Any], total: int) -> Iterator[Section]:
    named = counts.get("bottleneck", {})
    yield Section(id="bottlenecks", title="What binds", items=tuple(_bars(base, named, total)))
    statuses = counts.get("status", {})
    rows = [(word, f"{statuses[word]:,}", _part(statuses[word], total)) for word in _STATUSES if word in statuses]
    yield Section(id="statuses", title="Status of the diagnoses", items=_table(("Status", "Incidents", "Share"), rows))
    settles = list(_settling(base, counts))
    yield Section(
        id="measure",
        title="Measure this, and so many incidents can be settled",
        items=_table(("Measurement", "Id", "Incidents"), settles),
    )
    wasted = [(base.levers[name].model.title, name, f"{n:,}") for name, n in _ordered(counts.get("wasted", {}))]
    yield Section(id="wasted", title="Plans that would be wasted", items=_table(("Plan", "Id", "Incidents"), wasted))
    for name, groups in counts.get("by", {}).items():
        yield Section(id=f"by-{name}", title=f"By {name}", items=_grouped(groups))
    if "labels" in counts:
        yield Section(id="labels", title="Compared with the labels", items=_labelled(counts["labels"]))
    if "moved" in counts:
        yield Section(id="moved", title="What the other runbooks move", items=_moved(counts))


def _bars(base: Base, named: Mapping[str, int], total: int) -> Iterator[Item]:
    for place, (name, n) in enumerate(_ordered(named, last=_OPEN)):
        share = n / total if total else 0.0
        said = f"{n:,} ({share:.0%})"
        yield Bar(label=_title(base, name), low=share, high=share, text=said, leads=place == 0 and name != _OPEN)


def _settling(base: Base, counts: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for name, n in _ordered(counts.get("settles", {})):
        measurement = base.measurements.get(name)
        yield (measurement.model.title if measurement is not None else name, name, f"{n:,}")


def _grouped(groups: Mapping[str, Mapping[str, int]]) -> tuple[Item, ...]:
    sizes = _ordered({value: sum(inside.values()) for value, inside in groups.items()})
    names = [name for name, _ in _ordered(_summed(groups.values()), last=_OPEN)]
    rows = [(value, f"{n:,}", *(f"{groups[value].get(name, 0):,}" for name in names)) for value, n in sizes]
    return _table(("Value", "Incidents", *names), rows)


def _labelled(found: Mapping[str, Any]) -> tuple[Item, ...]:
    total = int(found["labelled"])
    lines = [
        ("Labelled", f"{total:,}"),
        ("First in rank is right", _of(found["top_1"], total)),
        ("Right among the first three", _of(found["top_3"], total)),
        ("Confirmed, rightly", _of(found["confirmed_right"], total)),
        ("Confirmed, wrongly", _of(found["confirmed_wrong"], total)),
        ("Open", _of(found["open"], total)),
        ("First question leads to the cause", _of(found["asked_right"], int(found["asked"]))),
    ]
    confusion = found["confusion"]
    names = [name for name, _ in _ordered(_summed(confusion.values()), last=_OPEN)]
    rows = [(truth, *(f"{confusion[truth].get(name, 0):,}" for name in names)) for truth in sorted(confusion)]
    items = [*_table(("", "Incidents"), lines), *_table(("Label \\ named", *names), rows)]
    if found["wrong"]:
        items.append(Line("Confirmed wrongly: " + ", ".join(found["wrong"]), tone=Tone.BAD))
    return tuple(items)


def _moved(counts: Mapping[str, Any]) -> tuple[Item, ...]:
    moved = counts["moved"]
    items: list[Item] = [Line(f"{moved['count']:,} incidents are named otherwise.")]
    items += _table(("From → to", "Incidents"), [(name, f"{n:,}") for name, n in _ordered(moved["bottleneck"])])
    items += [Line(each, mark="-") for each in moved["ids"]]
    if "labels" in counts and "labels" in moved["other"]:
        one, other = counts["labels"], moved["other"]["labels"]
        names = ("top_1", "top_3", "confirmed_right", "confirmed_wrong", "asked_right")
        rows = [(name.replace("_", " "), f"{one[name]:,}", f"{other[name]:,}") for name in names]
        items += _table(("Against the labels", "As it is", "With the other runbooks"), rows)
    return tuple(items)


def _table(header: Sequence[str], rows: Sequence[tuple[str, ...]]) -> tuple[Item, ...]:
    if not rows:
        return ()
    shown = tuple(rows[:_ROWS])
    table = Table(header=tuple(header), rows=shown, tones=tuple(Tone.PLAIN for _ in shown))
    left = len(rows) - len(shown)
    return (table, Line(f"and {left:,} more", tone=Tone.FAINT)) if left else (table,)


def _ordered(counts: Mapping[str, int], last: str | None = None) -> list[tuple[str, int]]:
    key: Callable[[tuple[str, int]], tuple[bool, int, str]] = lambda pair: (pair[0] == last, -pair[1], pair[0])  # noqa: E731
    return sorted(counts.items(), key=key)


def _summed(groups: Any) -> dict[str, int]:  # noqa: ANN401  (values of a mapping)
    found: dict[str, int] = {}
    for group in groups:
        for name, n in group.items():
            found[name] = found.get(name, 0) + n
    return found


def _title(base: Base, name: str) -> str:
    model = base.bottlenecks.get(name)
    return model.title if model is not None else "Still open" if name == _OPEN else name


def _part(n: int, total: int) -> str:
    return f"{n / total:.1%}" if total else "-"


def _of(n: int, total: int) -> str:
    return f"{n:,} of {total:,} ({_part(n, total)})" if total else f"{n:,}"
