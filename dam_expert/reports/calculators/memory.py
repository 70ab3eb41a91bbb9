"""The memory fit as a page: what takes the room, whether it fits, and what each lever would free at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports.calculators.page import memory, part
from dam_expert.reports.calculators.words import is_nothing, spoken
from dam_expert.reports.model import Bar, Line, Section, Tone

if TYPE_CHECKING:
    from dam_expert.physics.answers.memory import Lever, MemoryFit
    from dam_expert.reports.calculators.words import Words


def sections(answer: MemoryFit, batch_means: str, words: Words | None = None) -> tuple[Section, ...]:
    """Return the page; ``batch_means`` says what a batch is here: ``micro-batch`` or ``sequences``."""
    words = words or spoken()
    return (_fit(answer, batch_means, words), _parts(answer, words), _levers(answer, words))


def _fit(answer: MemoryFit, batch_means: str, words: Words) -> Section:
    margins, say = answer.margins, words.say
    room = memory(abs(answer.room_bytes))
    if not answer.fits:
        verdict = Line(say("memory.too_much", room=room, part=words.text(answer.largest)), tone=Tone.BAD)
    elif answer.not_counted:
        verdict = Line(say("memory.not_known", room=room), tone=Tone.WARNING)
    else:
        verdict = Line(say("memory.fits", room=room), tone=Tone.GOOD)
    capacity = memory(answer.capacity_bytes)
    items = [
        verdict,
        *(
            Line(say("memory.not_counted", part=words.text(name), options=_options(names)))
            for name, names in answer.not_counted.items()
        ),
        Line(say("memory.required", size=memory(answer.required_bytes), margin=part(margins.fragmentation))),
        Line(say("memory.usable", size=memory(answer.usable_bytes), capacity=capacity, margin=part(margins.headroom))),
    ]
    batch = words.text(batch_means)
    if answer.largest_batch == 0:
        items.append(Line(say("memory.none_fits", batch=batch)))
    elif answer.largest_batch is not None:
        items.append(Line(say("memory.largest", batch=batch, n=answer.largest_batch)))
    return Section(id="fit", title=say("memory.title"), items=tuple(items))


def _parts(answer: MemoryFit, words: Words) -> Section:
    total = sum(answer.parts.values())
    bars = [
        Bar(
            label=words.text(name),
            low=size / total,
            high=size / total,
            text=f"{memory(size):>9}  {part(size / total):>6}",
        )
        for name, size in sorted(answer.parts.items(), key=lambda item: -item[1])
    ]
    return Section(id="parts", title=words.say("memory.parts"), items=tuple(bars))


def _levers(answer: MemoryFit, words: Words) -> Section:
    fits = words.say("memory.fits_counted" if answer.not_counted else "memory.fits_after")
    lines = [Line(_lever(each, fits, words), mark="-", tone=_tone(each)) for each in answer.levers]
    return Section(id="levers", title=words.say("memory.levers"), items=tuple(lines))


def _options(names: tuple[str, ...]) -> str:
    return " ".join(f"--{name.replace('_', '-')}" for name in names)


def _tone(lever: Lever) -> Tone:
    return Tone.FAINT if is_nothing(lever.gain) else Tone.PLAIN


def _lever(lever: Lever, fits: str, words: Words) -> str:
    name = words.text(lever.id)
    if lever.of_unknown is not None:
        return words.say("memory.lever_unknown", lever=name, part=words.text(lever.of_unknown))
    if is_nothing(lever.gain):
        return words.say("memory.lever_wasted", lever=name)
    then = fits if lever.fits else words.say("memory.still_not")
    return words.say("memory.lever", lever=name, size=memory(lever.required_bytes), fits=then)
