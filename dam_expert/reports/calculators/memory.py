"""The memory fit as a page: what takes the room, whether it fits, and what each lever would free at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports.calculators.page import memory, part, times
from dam_expert.reports.model import Bar, Line, Section, Tone

if TYPE_CHECKING:
    from dam_expert.physics.answers.memory import Lever, MemoryFit


def sections(answer: MemoryFit, batch_means: str) -> tuple[Section, ...]:
    """Return the page; ``batch_means`` says what a batch is here: ``micro-batch`` or ``sequences``."""
    return (_fit(answer, batch_means), _parts(answer), _levers(answer))


def _fit(answer: MemoryFit, batch_means: str) -> Section:
    margins = answer.margins
    room = memory(abs(answer.room_bytes))
    if not answer.fits:
        verdict = Line(f"Does not fit: {room} too much, most of it {answer.largest}.", tone=Tone.BAD)
    elif answer.not_counted:
        verdict = Line(f"Not known: what is counted leaves {room}, but not all is counted.", tone=Tone.WARNING)
    else:
        verdict = Line(f"Fits, with {room} to spare.", tone=Tone.GOOD)
    items = [
        verdict,
        *(Line(f"Not counted: {name}; give {_options(names)}.") for name, names in answer.not_counted.items()),
        Line(f"Required {memory(answer.required_bytes)}, {part(margins.fragmentation)} of fragmentation included."),
        Line(
            f"Usable {memory(answer.usable_bytes)} of {memory(answer.capacity_bytes)}, with {part(margins.headroom)} "
            "kept free."
        ),
    ]
    if answer.largest_batch == 0:
        items.append(Line(f"Not even one fits ({batch_means})."))
    elif answer.largest_batch is not None:
        items.append(Line(f"Largest batch that fits ({batch_means}): {answer.largest_batch}."))
    return Section(id="fit", title="Memory of one device", items=tuple(items))


def _parts(answer: MemoryFit) -> Section:
    total = sum(answer.parts.values())
    bars = [
        Bar(label=name, low=size / total, high=size / total, text=f"{memory(size):>9}  {part(size / total):>6}")
        for name, size in sorted(answer.parts.items(), key=lambda item: -item[1])
    ]
    return Section(id="parts", title="What takes the room", items=tuple(bars))


def _levers(answer: MemoryFit) -> Section:
    fits = "fits as far as counted" if answer.not_counted else "fits"
    lines = [Line(_lever(each, fits), mark="-", tone=_tone(each)) for each in answer.levers]
    return Section(id="levers", title="What each lever would do alone", items=tuple(lines))


def _options(names: tuple[str, ...]) -> str:
    return " ".join(f"--{name.replace('_', '-')}" for name in names)


def _tone(lever: Lever) -> Tone:
    return Tone.FAINT if times(lever.gain) == "nothing" else Tone.PLAIN


def _lever(lever: Lever, fits: str) -> str:
    if lever.of_unknown is not None:
        return f"{lever.id}: not known, {lever.of_unknown} not counted"
    if times(lever.gain) == "nothing":
        return f"{lever.id}: wasted, it frees next to nothing"
    return f"{lever.id}: {memory(lever.required_bytes)}, {fits if lever.fits else 'still does not fit'}"
