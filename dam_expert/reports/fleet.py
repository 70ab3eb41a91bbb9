"""The report over many incidents: what binds how often, what to measure, and how it compares with labels.

It is made of counts alone (:mod:`dam_expert.batch.tally`), so that it can be drawn of any number of incidents; in
each language from the same numbers and ids.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final

from dam_expert.engine.accelerator import fitting_ways
from dam_expert.language.expressions import formula_columns
from dam_expert.reports.advice import block
from dam_expert.reports.build import labels, present
from dam_expert.reports.glossary import Glossary
from dam_expert.reports.model import Bar, Head, Line, Point, Report, Section, Table, Tone
from dam_expert.reports.phrasing import capital

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from dam_expert.kb.base import Base
    from dam_expert.kb.models import ObtainModel
    from dam_expert.reports.model import Item

_ROWS: Final = 20
"""Rows of a table that are shown; the data has all."""
_MEASURED: Final = 10
"""Measurements that are shown: a list to be worked through from the top."""
_COLUMNS: Final = 4
"""Bottlenecks with a column of their own in a table of groups."""

_OPEN: Final = "open"
_OTHERS: Final = "others"
_STATUSES: Final = ("confirmed", "conflicting", "supported", "undetermined", "no_fault", "resolved", "not diagnosed")
_LABELLED: Final = ("top_1", "top_3", "confirmed_right", "confirmed_wrong", "open")
_COMPARED: Final = ("top_1", "top_3", "confirmed_right", "confirmed_wrong", "asked_right")


def fleet_report(base: Base, counts: Mapping[str, Any], glossary: Glossary | None = None) -> Report:
    """Return the report of counts. ``glossary`` chooses the language."""
    words = glossary or Glossary()
    named = dataclasses.replace(
        labels(words), name=words.say("fleet.name"), part=words.say("fleet.bottleneck"), share=words.say("fleet.share")
    )
    fleet = _Fleet(base, counts, words)
    return Report(labels=named, head=fleet.head(), sections=present(fleet.sections()), details=())


class _Fleet:
    """Counts, and how what is counted is called."""

    def __init__(self, base: Base, counts: Mapping[str, Any], words: Glossary) -> None:
        self.base, self.counts, self.words = base, counts, words
        self.total = int(counts.get("rows", 0))
        self.named = dict(counts.get("bottleneck", {}))
        self.settling = _ordered(counts.get("settles", {}), effort=lambda name: effort(base, name))

    def say(self, key: str, **values: object) -> str:
        """Return a phrase of this report."""
        return self.words.say(f"fleet.{key}", **values)

    def head(self) -> Head:
        """Return what is read first: what binds most often, of how many, and what would settle most of the rest."""
        claim = self.claim()
        facts = [Point(label=label, text=text) for label, text in self.facts()]
        return Head(
            about="",
            verdict=Point(label=self.say("name"), text=claim),
            claim=claim,
            tone=Tone.STRONG,
            detail="",
            facts=tuple(facts),
            steps=tuple(self.steps()),
        )

    def claim(self) -> str:
        """Say what binds most often; all that do, where several are equal."""
        named = {name: n for name, n in self.named.items() if name != _OPEN}
        most = max(named.values(), default=0)
        if not most:
            return self.say("nothing")
        first = [self.title(name) for name, n in _ordered(named) if n == most]
        key = "most" if len(first) == 1 else "most_tied"
        return self.say(
            key, bottleneck=self.words.say("comma").join(first), n=f"{most:,}", total=f"{sum(named.values()):,}"
        )

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield the numbers of the head."""
        yield self.say("incidents"), f"{self.total:,}"
        yield self.say("named"), self.of(self.total - int(self.named.get(_OPEN, 0)), self.total)
        likely = sum(self.counts.get("likely", {}).values())
        if likely:
            yield self.say("likely"), self.of(likely, self.total)
        yield self.say("errors"), f"{int(self.counts.get('errors', 0)):,}"

    def steps(self) -> Iterator[Point]:
        """Yield the one measurement that would settle most incidents, and how to do it."""
        for name, n in self.settling[:1]:
            text = self.say("step", title=self.measured(name), n=f"{n:,}", effort=self.effort(name))
            way = next(iter(_ways(self.base, name)), None)
            code = block(way.command) if way is not None and way.command else None
            how = self.words.text(way.how) if way is not None and way.how and code is None else ""
            yield Point(label=self.words.say("step.measure"), text=text, note=how, code=code)

    def sections(self) -> Iterator[Section]:
        """Yield the parts of the report in the order in which they are read."""
        yield Section(
            id="verdict", title=self.words.say("title.verdict"), items=(Line(self.claim(), tone=Tone.STRONG),)
        )
        told = [self.words.say("joined", label=label, text=text) for label, text in self.facts()]
        yield Section(id="facts", title=self.say("name"), items=tuple(Line(text) for text in told))
        yield self.section("bottlenecks", tuple(self.bars()))
        yield self.section("statuses", self.statuses())
        yield self.section("causes", self.causes("hypothesis"))
        yield self.section("likely_causes", self.causes("likely"))
        yield self.section("measure", self.measures())
        yield self.section("wasted", self.wasted())
        for place, (name, groups) in enumerate(self.counts.get("by", {}).items(), 1):
            yield Section(id=f"by-{place}", title=self.say("title.by", name=name), items=self.grouped(groups))
        if "labels" in self.counts:
            yield self.section("labels", self.labelled(self.counts["labels"]))
        if "moved" in self.counts:
            yield self.section("moved", self.moved(self.counts["moved"]))

    def section(self, name: str, items: Sequence[Item]) -> Section:
        """Return a section with its title."""
        return Section(id=name, title=self.say(f"title.{name}"), items=tuple(items))

    def bars(self) -> Iterator[Item]:
        """Yield how often each bottleneck binds, to scale; what is open comes last."""
        for place, (name, n) in enumerate(_ordered(self.named, last=_OPEN)):
            share = n / self.total if self.total else 0.0
            said = f"{n:,}  ({self.part(n, self.total)})"  # two blanks: where a narrow cell may break
            yield Bar(label=self.title(name), low=share, high=share, text=said, leads=place == 0 and name != _OPEN)

    def statuses(self) -> tuple[Item, ...]:
        """Return how often each status is given."""
        found = self.counts.get("status", {})
        rows = [
            (self.status(word), f"{found[word]:,}", self.part(found[word], self.total))
            for word in _STATUSES
            if word in found
        ]
        return self.table(("status", "incidents", "share"), rows)

    def causes(self, key: str) -> tuple[Item, ...]:
        """Return the hypotheses that bind, or that lead where nothing is proven, by how often."""
        rows = [
            (self.words.text(self.base.hypotheses[name].model.title), name, f"{n:,}")
            for name, n in _ordered(self.counts.get(key, {}))
            if name in self.base.hypotheses
        ]
        return self.table(("cause", "id", "incidents"), rows)

    def measures(self) -> tuple[Item, ...]:
        """Return what to measure: what settles most incidents first, of equals what takes the fewest minutes."""
        rows = [(self.measured(name), name, f"{n:,}", self.effort(name)) for name, n in self.settling]
        return self.table(("measurement", "id", "incidents", "effort"), rows, _MEASURED)

    def wasted(self) -> tuple[Item, ...]:
        """Return the plans that would gain nothing, by how often they are made."""
        rows = [
            (self.words.text(self.base.levers[name].model.title), name, f"{n:,}")
            for name, n in _ordered(self.counts.get("wasted", {}))
        ]
        return self.table(("plan", "id", "incidents"), rows)

    def grouped(self, groups: Mapping[str, Mapping[str, int]]) -> tuple[Item, ...]:
        """Return the groups of a free key or setting, each with what binds in it."""
        sizes = _ordered({value: sum(inside.values()) for value, inside in groups.items()})
        columns, folded = _folded(groups)
        rows = [(value, f"{n:,}", *(f"{folded[value].get(name, 0):,}" for name in columns)) for value, n in sizes]
        return self.table(("value", "incidents"), rows, more=[self.short(name) for name in columns])

    def labelled(self, found: Mapping[str, Any]) -> tuple[Item, ...]:
        """Return how what was named compares with the labels."""
        total = int(found["labelled"])
        lines = [(self.say("labelled"), f"{total:,}")]
        lines += [(self.say(f"label.{name}"), self.of(found[name], total)) for name in _LABELLED]
        lines.append((self.say("label.asked_right"), self.of(found["asked_right"], int(found["asked"]))))
        columns, folded = _folded(found["confusion"])
        rows = [(self.short(truth), *(f"{folded[truth].get(name, 0):,}" for name in columns)) for truth in folded]
        items = [*self.table(("what", "incidents"), lines)]
        items += self.table(("label",), rows, more=[self.short(name) for name in columns])
        if found["wrong"]:
            wrong = self.words.say("joined", label=self.say("label.confirmed_wrong"), text=", ".join(found["wrong"]))
            items.append(Line(wrong, tone=Tone.BAD))
        return tuple(items)

    def moved(self, moved: Mapping[str, Any]) -> tuple[Item, ...]:
        """Return what other runbooks name otherwise."""
        items: list[Item] = [Line(self.words.wording.count("fleet.moved", int(moved["count"])))]
        turns = [(self.turn(name), f"{n:,}") for name, n in _ordered(moved["bottleneck"])]
        items += self.table(("turn", "incidents"), turns)
        for each in moved["ids"]:
            name, _, turn = each.rpartition(": ")
            items.append(Line(self.words.say("joined", label=name, text=self.turn(turn)), mark="-"))
        if "labels" in self.counts and "labels" in moved["other"]:
            one, other = self.counts["labels"], moved["other"]["labels"]
            rows = [(self.say(f"label.{name}"), f"{one[name]:,}", f"{other[name]:,}") for name in _COMPARED]
            items += self.table(("what", "as_it_is", "with_others"), rows)
        return tuple(items)

    def table(
        self,
        header: Sequence[str],
        rows: Sequence[tuple[str, ...]],
        most: int = _ROWS,
        more: Sequence[str] = (),
    ) -> tuple[Item, ...]:
        """Return a table of at most so many rows, with a line that counts the rest."""
        if not rows:
            return ()
        shown = tuple(rows[:most])
        heads = (*(self.say(f"head.{name}") for name in header), *more)
        table = Table(header=heads, rows=shown, tones=(Tone.PLAIN,) * len(shown))
        left = len(rows) - len(shown)
        return (table, Line(self.say("more", n=f"{left:,}"), tone=Tone.FAINT)) if left else (table,)

    def title(self, name: str) -> str:
        """Return what a bottleneck is called."""
        model = self.base.bottlenecks.get(name)
        return self.words.text(model.title) if model is not None else self.say("open") if name == _OPEN else name

    def short(self, name: str) -> str:
        """Return what a bottleneck is called above a column."""
        if name in (_OPEN, _OTHERS):
            return self.say(name)
        return capital(self.words.bottleneck(name)) if name in self.base.bottlenecks else name

    def turn(self, change: str) -> str:
        """Write ``input → open``: what was named, and what is named instead."""
        return " → ".join(map(self.short, change.split(" → ")))

    def status(self, word: str) -> str:
        """Return a status in words."""
        return self.say("undiagnosed") if word == _STATUSES[-1] else self.words.say(f"status.{word}")

    def measured(self, name: str) -> str:
        """Return what a measurement is called."""
        measurement = self.base.measurements.get(name)
        return self.words.text(measurement.model.title) if measurement is not None else name

    def effort(self, name: str) -> str:
        """Return what a measurement takes; that of no way is a sum over what it is derived from."""
        return self.words.minutes(effort(self.base, name))

    def part(self, n: int, total: int) -> str:
        """Return a share of the incidents."""
        return self.words.share(float(f"{n / total:.3g}")) if total else "-"

    def of(self, n: int, total: int) -> str:
        """Return a number out of all."""
        return self.say("of", n=f"{n:,}", total=f"{total:,}", share=self.part(n, total)) if total else f"{n:,}"


def effort(base: Base, name: str) -> float:
    """Return the minutes that a measurement takes the quickest way: its own, or all that it is derived from."""
    return _effort(base, name, frozenset())


def _effort(base: Base, name: str, above: frozenset[str]) -> float:
    ways = _ways(base, name)
    if ways:
        return ways[0].effort_minutes
    measurement = base.measurements.get(name)
    formula = measurement.formula if measurement is not None else None
    inputs = {each.measurement for each in formula_columns(formula)} if formula is not None else set()
    return sum(_effort(base, each, above | {name}) for each in sorted(inputs - above - {name}))


def _ways(base: Base, name: str) -> tuple[ObtainModel, ...]:
    """Return the ways to obtain a measurement, the quickest first."""
    return fitting_ways(base, None)[name] if name in base.measurements else ()


def _ordered(
    counts: Mapping[str, int], last: str | None = None, effort: Callable[[str], float] = lambda _: 0.0
) -> list[tuple[str, int]]:
    """Return counts, the largest first; of equals what takes less, then by name."""

    def key(pair: tuple[str, int]) -> tuple[bool, int, float, str]:
        return pair[0] == last, -pair[1], effort(pair[0]), pair[0]

    return sorted(counts.items(), key=key)


def _folded(groups: Mapping[str, Mapping[str, int]]) -> tuple[list[str], dict[str, dict[str, int]]]:
    """Return the columns of a table of groups, and the groups with what has no column of its own put together."""
    names = [name for name, _ in _ordered(_summed(groups.values())) if name != _OPEN]
    kept = names if len(names) <= _COLUMNS + 1 else names[:_COLUMNS]
    rest = names[len(kept) :]
    folded = {
        value: {
            **{name: inside.get(name, 0) for name in (*kept, _OPEN)},
            _OTHERS: sum(inside.get(name, 0) for name in rest),
        }
        for value, inside in sorted(groups.items())
    }
    is_open = any(inside.get(_OPEN) for inside in groups.values())
    return [*kept, *([_OTHERS] if rest else []), *([_OPEN] if is_open else [])], folded


def _summed(groups: Iterable[Mapping[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for group in groups:
        for name, n in group.items():
            found[name] = found.get(name, 0) + n
    return found
