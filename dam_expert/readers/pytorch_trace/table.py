"""The events that are kept, in columns: some forty bytes each, whatever the size of the trace."""

from __future__ import annotations

import array
import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dam_expert.readers.pytorch_trace import spans
from dam_expert.readers.pytorch_trace.events import CALL_KINDS, DEVICE_KINDS, Kind, collective_of, kind_of
from dam_expert.readers.pytorch_trace.stream import Args

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dam_expert.readers.pytorch_trace.spans import Spans, Times
    from dam_expert.readers.pytorch_trace.stream import Event, Loose

MICROSECOND = 1e-6
NAME_CHARACTERS = 512
"""What an event is shows in this much of its name; kernel names of many kilobytes exist."""

NAMES_REMEMBERED = 200_000
"""Kinds are remembered by name up to here; beyond, names are unique and remembering them only costs memory."""

LATEST = 1e16
LONGEST = 1e12
"""Microseconds beyond which a time stamp (the year 2286) or a duration (eleven days) is junk."""

_FRAME = "python_function"
_LABELLED = frozenset((Kind.STEP, Kind.COMMUNICATION, Kind.LAUNCHING))
_NAN = float("nan")
_SAYS_NOTHING, _COUNTED = -1, -2
_NOTHING = Args()
"""The arguments of an event that has none."""

_TOO_LARGE = 2**62

Numbers = npt.NDArray[np.int64]


@dataclasses.dataclass(frozen=True, slots=True)
class Track:
    """Events of some kinds. Times in seconds; ``bytes`` is NaN and ``correlation`` -1 where the trace has none.

    ``label`` is the place in the labels of the trace for step marks, for operators that always launch, and for
    collectives that keep all ranks, else -1.
    """

    start: Times
    end: Times
    thread: Numbers
    device: Numbers
    correlation: Numbers
    bytes: Times
    label: Numbers

    def __len__(self) -> int:
        return len(self.start)

    def where(self, which: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Track:
        """Return the events for which the mask is true, or those with the given numbers in their order."""
        return Track(*(getattr(self, field.name)[which] for field in dataclasses.fields(self)))

    def on(self, device: int) -> Track:
        """Return the events of one device."""
        return self.where(self.device == device)

    @property
    def covered(self) -> Spans:
        """The time covered by the events."""
        return spans.union(self.start, self.end)


@dataclasses.dataclass(frozen=True, slots=True)
class Trace:
    """All that is kept of one trace. ``process`` gives the process of each thread number."""

    tracks: dict[Kind, Track]
    process: tuple[str, ...]
    loader_modes: frozenset[str]
    events: int
    labels: tuple[tuple[str, str], ...] = ()
    """Name of a step mark, or collective and process group with its ranks ("" where the trace does not say)."""
    frames: Times = dataclasses.field(default_factory=lambda: np.empty(0))
    """When Python calls were recorded, in seconds."""
    instants: Times = dataclasses.field(default_factory=lambda: np.empty(0))
    """When single moments were recorded, such as allocations."""

    def of(self, *kinds: Kind) -> Track:
        """Return the events of some kinds together."""
        parts = [self.tracks[kind] for kind in kinds]
        names = [field.name for field in dataclasses.fields(Track)]
        return Track(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def column(self, field: str, *kinds: Kind) -> npt.NDArray[Any]:
        """Return one field of the events of some kinds together, without the memory of the others."""
        return np.concatenate([getattr(self.tracks[kind], field) for kind in kinds])

    @property
    def device_side(self) -> Track:
        """Everything that ran on a device."""
        return self.of(*DEVICE_KINDS)

    @property
    def calls(self) -> Track:
        """Every call into the device's runtime or driver."""
        return self.of(*CALL_KINDS)


class _Columns:
    """A track while it grows."""

    def __init__(self) -> None:
        self.start: array.array[float] = array.array("d")
        self.end: array.array[float] = array.array("d")
        self.thread: array.array[int] = array.array("q")
        self.device: array.array[int] = array.array("q")
        self.correlation: array.array[int] = array.array("q")
        self.bytes: array.array[float] = array.array("d")
        self.label: array.array[int] = array.array("q")

    def track(self) -> Track:
        return Track(*(np.array(getattr(self, field.name)) for field in dataclasses.fields(Track)))


class Collector:
    """Takes events, keeps what is needed of them."""

    def __init__(self) -> None:
        self._columns = {kind: _Columns() for kind in Kind}
        self._kinds: dict[tuple[str | None, str | None], int] = {}
        self._threads: dict[tuple[str, str], int] = {}
        self._places: dict[tuple[Loose, Loose], int] = {}
        self._labels: dict[tuple[str, str], int] = {}
        self._modes: set[str] = set()
        self._events = 0
        self._frames: array.array[float] = array.array("d")
        self._instants: array.array[float] = array.array("d")
        self._base: float | None = None

    def take(self, events: Iterable[Event]) -> None:
        """Add events; those without category, time or meaning are passed over."""
        kind_known, count = self._kinds.get, 0
        kept: dict[int, list[Event]] = {}
        for event in events:  # most events mean nothing here: one look-up tells
            count += 1
            kind = kind_known((event.cat, event.name))
            if kind is None:
                kind = self._kind(event.cat, event.name)
            if (kind == _SAYS_NOTHING and event.ph != "i") or event.ts is None or event.cat is None:
                continue
            if event.ph == "i":  # only how many there are and when: they cost the host time
                self._instants.append(event.ts)
            elif event.cat == _FRAME:
                self._frames.append(event.ts)
            if kind >= 0 and event.ph == "X":
                kept.setdefault(kind, []).append(event)
        self._events += count
        for kind, bunch in kept.items():
            self._keep(Kind(kind), bunch)

    def _kind(self, category: str | None, name: str | None) -> int:
        """Return the kind of a category and the beginning of a name, below 0 for one that is not kept."""
        key = (category, None if name is None else name[:NAME_CHARACTERS])
        if key in self._kinds:
            return self._kinds[key]
        found = None if key[0] is None or key[1] is None else kind_of(key[0], key[1])
        kind = int(found) if found is not None else _COUNTED if category == _FRAME and name else _SAYS_NOTHING
        if len(self._kinds) < NAMES_REMEMBERED:
            self._kinds[key] = kind
        return kind

    def _keep(self, kind: Kind, bunch: list[Event]) -> None:
        """Add events of one kind, a column at a time."""
        starts = np.array([event.ts for event in bunch], np.float64)
        lengths = np.array([_NAN if event.dur is None else event.dur for event in bunch], np.float64)
        # an unknown duration is no duration of zero: the event counts as lost
        sound = (np.abs(starts) < LATEST) & (lengths >= 0.0) & (lengths < LONGEST)
        if not sound.all():
            bunch = [event for event, whole in zip(bunch, sound, strict=True) if whole]
            starts, lengths = starts[sound], lengths[sound]
        if not bunch:
            return
        if self._base is None:  # times since the first event keep the digits that Unix times lose
            self._base = float(starts[0])
        columns, at = self._columns[kind], starts - self._base
        columns.start.frombytes((at * MICROSECOND).tobytes())
        columns.end.frombytes(((at + lengths) * MICROSECOND).tobytes())
        self._keep_places(columns, bunch)
        if kind in _LABELLED:
            columns.label.extend([self._label(kind, event) for event in bunch])
        else:
            columns.label.extend(array.array("q", (-1,)) * len(bunch))
        if kind is Kind.LOADER:
            names = [event.name for event in bunch if event.name is not None and "Process" in event.name]
            self._modes |= {"single_process" if "SingleProcess" in name else "multi_process" for name in names}

    def _keep_places(self, columns: _Columns, bunch: list[Event]) -> None:
        """Add where the events ran, what started them, and how many bytes they moved."""
        places, thread = self._places, self._thread
        columns.thread.extend(
            [places[at] if (at := (event.pid, event.tid)) in places else thread(at) for event in bunch]
        )
        said = [event.args or _NOTHING for event in bunch]
        devices = [event.pid if args.device is None else args.device for event, args in zip(bunch, said, strict=True)]
        columns.device.extend([_whole(value) for value in devices])
        columns.correlation.extend([_whole(args.correlation) for args in said])
        columns.bytes.extend([_NAN if args.bytes is None else _size(args.bytes) for args in said])

    def _label(self, kind: Kind, event: Event) -> int:
        """Return the number of a step's name or of a collective and its group, -1 where there is none."""
        name, group, args = (event.name or "")[:NAME_CHARACTERS], "", event.args
        if kind is Kind.COMMUNICATION:
            collective = collective_of(name, None if args is None else args.collective)
            if collective is None:
                return -1
            name = collective
            if args is not None and args.ranks:
                group = f"{str(args.group)[:NAME_CHARACTERS]} {str(args.ranks)[:NAME_CHARACTERS]}"
        if len(self._labels) >= NAMES_REMEMBERED and (name, group) not in self._labels:
            return -1
        return self._labels.setdefault((name, group), len(self._labels))

    def _thread(self, where: tuple[Loose, Loose]) -> int:
        number = self._threads.setdefault((str(where[0]), str(where[1])), len(self._threads))
        if len(self._places) < NAMES_REMEMBERED:
            self._places[where] = number
        return number

    def finish(self) -> Trace:
        """Return what was kept."""
        tracks = {kind: columns.track() for kind, columns in self._columns.items()}
        processes = tuple(process for process, _ in self._threads)
        frames, instants = (
            (np.array(times) - (self._base or 0.0)) * MICROSECOND for times in (self._frames, self._instants)
        )
        labels = tuple(self._labels)
        return Trace(tracks, processes, frozenset(self._modes), self._events, labels, frames, instants)


def _whole(value: Loose) -> int:
    """Return a whole number, -1 for anything else."""
    if type(value) is int:
        return value if 0 <= value < _TOO_LARGE else -1
    try:
        found = int(value) if value is not None else -1
    except (ValueError, OverflowError):
        return -1
    return found if 0 <= found < _TOO_LARGE else -1


def _size(value: Loose) -> float:
    """Return a number of bytes, NaN for anything that cannot be one."""
    try:
        found = float(value) if value is not None else float("nan")
    except (ValueError, OverflowError):
        return float("nan")
    return found if 0.0 <= found < 1e18 else float("nan")
