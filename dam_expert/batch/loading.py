"""Puts plain incidents into the columns of a block, many at a time."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import UNSET

from dam_expert.batch.aims import Aim, Aims
from dam_expert.batch.meanings import NOT_PLAIN, OUTSIDE, SILENT, UNKNOWN, Meaning, Meanings
from dam_expert.batch.numbered import add_numbered
from dam_expert.batch.parts import Parts, Rest
from dam_expert.batch.plain import Long
from dam_expert.batch.sorting import Entries
from dam_expert.documents.answering import absence_of, value_of
from dam_expert.documents.incident_values import SCHEMA
from dam_expert.documents.intervals import Interval
from dam_expert.documents.literals import QuantityError
from dam_expert.documents.observations import Basis
from dam_expert.documents.quantities import LIMITS, parse_quantity
from dam_expert.engine.block.incidents import UNSTATED, Filler
from dam_expert.engine.columns import possible_value
from dam_expert.engine.situation import Plans
from dam_expert.kb.base import folded
from dam_expert.language.conditions import Column

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from dam_expert.batch.coded import Values
    from dam_expert.batch.parts import Targets
    from dam_expert.engine.block.incidents import Sources
    from dam_expert.engine.block.spans import Bools, Floats, Places
    from dam_expert.kb.base import Measurement

_MEMORY: Final = 200_000
"""Texts whose reading is remembered; more is no vocabulary but data."""

_KNOWN: Final = frozenset({SCHEMA, UNSET})
_NUMBERS: Final = frozenset({float})
_REMEMBERED: Final = frozenset({str, bool})
"""Types of values whose meaning is looked up."""

_BASES: Final = {"tool": Basis.TOOL, "reported": Basis.REPORTED, "said": Basis.SAID}


class _Codes(dict[str, int]):
    """The number of the measurement that a name means, found once a name."""

    def __init__(self, sources: Sources) -> None:
        super().__init__()
        self._resolve = sources.base.names.resolve
        self._numbers = {name: number for number, name in enumerate(sources.base.measurements)}

    def __missing__(self, name: str) -> int:
        found = self._resolve(name) if "[" not in name else None
        code = UNKNOWN if found is None else self._numbers[found]
        if len(self) < _MEMORY:
            self[name] = code
        return code


class Loader:
    """Fills blocks from plain documents with one base; remembers what it has read."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.base = sources.base
        measurements = list(self.base.measurements.values())
        self.measurements = measurements
        self.columns = [Column(m.id) for m in measurements]
        self.codes = _Codes(sources)
        self.is_word = np.array([m.name.is_word for m in measurements], bool)
        self.limits = _bounds([None if m.name.is_word else Interval(*LIMITS[m.name.kind]) for m in measurements])
        self.ranges = _bounds([m.range for m in measurements])
        self.whole = np.array([m.whole for m in measurements], bool)
        finite = np.finfo(float)
        self._usual = (
            np.where(self.is_word, math.inf, np.maximum(self.limits[0], self.ranges[0]).clip(min=finite.min)),
            np.minimum(self.limits[1], self.ranges[1]).clip(max=finite.max),
        )
        """Within which a number is a value of its measurement if it is whole where that is asked; none is of a word."""
        self.weak = np.array([m.model.weak for m in measurements], bool)
        self.needs_tool = np.array([m.model.needs_tool for m in measurements], bool)
        self.deciding = ~(self.weak | self.needs_tool)
        """Of which measurements a number may decide that a person reports."""
        self.spelling: dict[str, int] = {}
        self.meanings = Meanings(self)
        self.aims = Aims(self.base)

    def filler(self, size: int) -> Filler:
        """Return an empty block for so many rows; words keep their codes from block to block."""
        if len(self.meanings) > _MEMORY or len(self.spelling) > _MEMORY:
            self.spelling, self.meanings = {}, Meanings(self)
        if len(self.aims) > _MEMORY:
            self.aims = Aims(self.base)
        return Filler(self.sources, size, self.spelling)

    def are_usual(self, codes: Places, starts: Places, ends: Places, numbers: Floats) -> Bools:
        """Return of which measurements all values are numbers that they can have; NaN is none.

        The values of each are those from its start to its end, at least one, and follow those of the one before.
        """
        low, high = self._usual
        usual: Bools = np.minimum.reduceat(numbers, starts) >= low[codes]
        usual &= np.maximum.reduceat(numbers, starts) <= high[codes]
        for place in np.flatnonzero(usual & self.whole[codes]).tolist():
            values = numbers[starts[place] : ends[place]]
            usual[place] = bool((values == np.rint(values)).all())
        return usual

    def load(self, filler: Filler, documents: Sequence[Any], rows: Places) -> Bools:
        """Put documents into rows of a block; return which of them are not plain after all, and left out."""
        batch = Batch(self, filler, rows)
        batch.take(Parts(documents), 0)
        return batch.filled()

    def meaning(self, code: int, given: Any) -> Meaning:  # noqa: ANN401
        """Return what a value of a measurement means."""
        measurement, names = self.measurements[code], self.base.names
        if absence_of(given, measurement.id, names) is not None:
            return SILENT
        try:
            value, basis = value_of(given, measurement.id, names)
        except QuantityError:
            return NOT_PLAIN
        inside, reason = possible_value(measurement, value)
        if reason is not None or inside is None:
            return OUTSIDE
        if isinstance(inside, str):
            return Meaning(word=inside, basis=basis)
        return Meaning(lo=inside.lo, hi=inside.hi, basis=basis)

    def target_text(self, measurement: Measurement, given: str) -> Meaning:
        """Return what a text says that a target should be or is."""
        name = measurement.name
        try:
            interval = parse_quantity(given, unit=name.unit, kind=name.kind, words=name.words).interval
        except QuantityError:
            return NOT_PLAIN
        return Meaning(lo=interval.lo, hi=interval.hi)


class Batch:
    """Documents on their way into one block."""

    def __init__(self, loader: Loader, filler: Filler, rows: Places) -> None:
        self.loader = loader
        self.filler = filler
        self.rows = rows
        self.entries = Entries(loader)
        self.odd = np.zeros(len(rows), bool)
        """Which documents are not plain."""
        self.states = np.zeros(len(rows), bool)
        """Which say anything at all."""
        self._rest = Rest()
        self._coded: list[Values] = []

    def take_coded(self, values: Values, parts: Parts) -> None:
        """Take the next documents, of which the values were decoded into numbers."""
        self._coded.append(values)
        self._rest.add(parts)

    def take(self, parts: Parts, first: int) -> None:
        """Take some of the documents, of which the first has that number; none of them is needed any more after it."""
        keys, values, owners = parts.flattened(first)
        codes = np.fromiter(map(self.loader.codes.__getitem__, keys), np.int32, len(keys))
        self.odd[owners[codes == UNKNOWN]] = True
        are_numbers = [value.__class__ is float for value in values]
        usual = np.frombuffer(bytes(are_numbers), bool)
        numbers = np.fromiter(itertools.compress(values, are_numbers), float)
        if len(numbers) == len(values):
            self.add_numbers(codes, owners, numbers)
        else:
            self.add_numbers(codes[usual], owners[usual], numbers)
            others = ~usual
            names, given = (list(itertools.compress(each, others.tolist())) for each in (keys, values))
            self._others(names, given, codes[others], owners[others])
        self._rest.add(parts)

    def add_column(self, code: int, owners: Places, numbers: Floats, *, alone: bool) -> None:
        """Add the numbers of one measurement, by owner; ``alone`` says that no others of it are added."""
        whole = np.array([code]), np.array([0]), np.array([len(numbers)])
        if not (alone and self.loader.are_usual(*whole, numbers)[0]):
            self.add_numbers(np.full(len(numbers), code, np.int32), owners, numbers)
            return
        self.states[owners] = True
        self.entries.add_column(code, owners, numbers)

    def add_numbers(self, codes: npt.NDArray[np.int32], owners: Places, numbers: Floats) -> None:
        """Add bare numbers, which are reported; NaN is none."""
        loader = self.loader
        usual = ~np.isnan(numbers) & (codes != UNKNOWN)
        bad = usual & ~(_within(numbers, codes, loader.limits) & np.isfinite(numbers) & ~loader.is_word[codes])
        self.odd[owners[bad]] = True
        self.states[owners[usual]] = True
        usual &= _within(numbers, codes, loader.ranges) & ~bad
        usual &= ~(loader.whole[codes] & (numbers != np.rint(numbers)))
        if not usual.all():
            codes, owners, numbers = codes[usual], owners[usual], numbers[usual]
        self.entries.add(codes, owners, numbers)

    def add_meanings(self, codes: npt.NDArray[np.int32], owners: Places, numbers: npt.NDArray[np.int32]) -> None:
        """Add texts, words and flags by the numbers of their meanings."""
        table = self.loader.meanings.table(self.filler)
        self.odd[owners[~table.is_plain[numbers]]] = True
        self.states[owners[table.is_said[numbers]]] = True
        useful = table.useful[numbers]
        is_word = table.word[numbers] >= 0
        for kept, word in ((useful & ~is_word, False), (useful & is_word, True)):
            chosen, decisive = numbers[kept], table.decisive[numbers[kept]]
            lo = table.word[chosen].astype(float) if word else table.lo[chosen]
            hi = None if word else table.hi[chosen]
            self.entries.add(codes[kept], owners[kept], lo, hi=hi, decisive=decisive, words=word)

    def filled(self, words: Sequence[str | bool | None] = ()) -> Bools:
        """Fill the block with what was taken; return which documents are not plain, and left out."""
        if self._coded:
            add_numbered(self, self._coded, words, alone=self.entries.is_empty)
        rest = self._rest
        if rest.schemas:
            self.rest(rest.schemas, rest.plans, rest.targets())
        self.odd |= self.entries.repeated(self.filler, len(self.rows))
        self.entries.fill(self.filler, self.rows, ~self.odd)
        return self.odd

    def _others(self, names: list[str], given: list[Any], codes: npt.NDArray[np.int32], owners: Places) -> None:
        """Read what is no bare number: words, texts and flags by what is remembered, long forms one by one."""
        if not _REMEMBERED.issuperset(map(type, given)):
            plain = [value.__class__ in _REMEMBERED for value in given]
            for place, value in enumerate(given):
                if not plain[place] and codes[place] != UNKNOWN:
                    self._one(int(codes[place]), int(owners[place]), value)
            names, given = (list(itertools.compress(each, plain)) for each in (names, given))
            codes, owners = codes[plain], owners[plain]
        pairs = zip(names, given, strict=True)
        numbers = np.fromiter(map(self.loader.meanings.__getitem__, pairs), np.int32, len(given))
        self.add_meanings(codes, owners, numbers)

    def _one(self, code: int, owner: int, value: Any) -> None:  # noqa: ANN401
        """Read a long form, a range or nothing at all."""
        stated = None
        if isinstance(value, Long):
            stated = None if value.basis is None else _BASES.get(value.basis)
            self.odd[owner] |= stated is None and value.basis is not None
            self.odd[owner] |= value.is_told
            value = value.value
        found = self.loader.meaning(code, value)
        self.odd[owner] |= not found.is_plain
        self.states[owner] |= found.is_said
        if found.word is not None or not math.isnan(found.lo):
            basis = found.basis if stated is None or found.basis is Basis.SAID else stated
            self.entries.add_one(code, owner, found, basis)

    def rest(self, schemas: Sequence[object], plans: Sequence[list[str] | None], targets: Targets) -> None:
        """Look at the rest of all documents: their schemas, their plans and their targets."""
        if schemas.count(SCHEMA) + schemas.count(UNSET) < len(schemas):
            self.odd[[number for number, schema in enumerate(schemas) if schema not in _KNOWN]] = True
        if plans.count(None) < len(plans):
            for number, planned in enumerate(plans):
                if planned and schemas[number] in _KNOWN:
                    self._planned(number, planned)
        self._targets(targets)

    def _planned(self, number: int, texts: list[str]) -> None:
        self.states[number] = True
        levers = self.loader.sources.levers
        known = {levers.get(folded(text)): text for text in texts}
        strange = tuple(text for text in texts if folded(text) not in levers)
        planned = {lever: text for lever, text in known.items() if lever is not None}
        if planned and not self.odd[number]:
            plans = Plans(planned=planned, tried={}, tried_texts={}, not_understood=strange)
            self.filler.plans[int(self.rows[number])] = plans

    def _targets(self, targets: Targets) -> None:
        self.odd |= ~self.states & ~targets.stated
        kept = ~self.odd[targets.stated]
        if not kept.any():
            return
        places = np.flatnonzero(targets.stated)[kept]
        chosen = kept.tolist()
        aims = itertools.compress(zip(targets.metric, targets.track, strict=True), chosen)
        wanted, actual = (
            each if kept.all() else list(itertools.compress(each, chosen)) for each in (targets.wanted, targets.actual)
        )
        numbers = np.fromiter(map(self.loader.aims.__getitem__, aims), np.intp, len(places))
        found = np.flatnonzero(np.bincount(numbers)).tolist()
        for number in found:
            here = np.flatnonzero(numbers == number)
            aim = self.loader.aims.made[number]
            if aim is None:
                self.odd[places[here]] = True
            elif len(found) == 1:
                self._aimed(aim, places, wanted, actual)
            else:
                some = ([column[place] for place in here.tolist()] for column in (wanted, actual))
                self._aimed(aim, places[here], *some)

    def _aimed(
        self, aim: Aim, places: Places, to_reach: Sequence[float | str | None], reached: Sequence[float | str | None]
    ) -> None:
        """Put the targets of one metric and track into the block."""
        wanted, plain = self._ends(aim, to_reach)
        actual, also = self._ends(aim, reached)
        says = aim.has_metric or aim.track != UNSTATED
        plain &= also & (~np.isnan(wanted[0]) | ~np.isnan(actual[0]) | says)
        if aim.measurement is not None:  # a target that is met says so: the long way
            met = actual[0] >= wanted[1] if aim.measurement.higher_is_better else actual[1] <= wanted[0]
            plain &= ~met
        self.odd[places[~plain]] = True
        rows, filler = self.rows[places[plain]], self.filler
        filler.track[rows] = aim.track
        filler.has_target[rows] = ~np.isnan(wanted[0][plain]) | aim.has_metric
        filler.percentile[rows] = aim.is_percentile
        if not aim.has_factor or aim.measurement is None:
            return
        above, below = (wanted, actual) if aim.measurement.higher_is_better else (actual, wanted)
        with np.errstate(all="ignore"):
            inverse = 1.0 / below[1], 1.0 / below[0]
            products = [x * y for x in above for y in inverse]
            lo, hi = np.minimum.reduce(products), np.maximum.reduce(products)
            missed = plain & (lo > 1.0) & np.isfinite(hi) & ((below[0] > 0.0) | (below[1] < 0.0))
        filler.miss[0][self.rows[places[missed]]] = lo[missed]
        filler.miss[1][self.rows[places[missed]]] = hi[missed]
        doubtful = plain & ~missed & np.isinf(np.stack([*above, *below])).any(axis=0)
        self.odd[places[doubtful]] = True

    def _ends(self, aim: Aim, given: Sequence[float | str | None]) -> tuple[tuple[Floats, Floats], Bools]:
        """Read the values of targets, NaN where there is none; the second says which are plain."""
        read = self.loader.target_text
        measurement = aim.measurement
        are_numbers = _NUMBERS.issuperset(map(type, given))
        values = given if are_numbers else [value if value.__class__ is float else math.nan for value in given]
        lo = np.fromiter(values, float, len(given))
        if measurement is None:
            return (lo, lo), np.array([value is None for value in given], bool)
        low, high = LIMITS[measurement.name.kind]
        plain = np.isnan(lo) | ((lo >= low) & (lo <= high) & np.isfinite(lo))
        if are_numbers:
            return (lo, lo), plain
        hi = lo.copy()
        for place, value in enumerate(given):
            if isinstance(value, str):
                found = read(measurement, value)
                plain[place] = found.is_plain
                lo[place], hi[place] = found.lo, found.hi
        return (lo, hi), plain


def _bounds(intervals: Sequence[Interval | None]) -> tuple[Floats, Floats]:
    return (
        np.array([-math.inf if each is None else each.lo for each in intervals]),
        np.array([math.inf if each is None else each.hi for each in intervals]),
    )


def _within(numbers: Floats, codes: npt.NDArray[np.int32], bounds: tuple[Floats, Floats]) -> Bools:
    return (numbers >= bounds[0][codes]) & (numbers <= bounds[1][codes])
