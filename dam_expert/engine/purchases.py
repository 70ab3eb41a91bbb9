"""Purchases: a plan that names a device of the catalogue moves every figure in which it exceeds the one in use.

A newer device is not only faster: it has more memory bandwidth and more memory as well. Which levers stand behind a
figure is knowledge (``figure`` of a lever); how far each moves is the ratio of the two devices.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.kb.base import NO_EFFECT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dam_expert.documents.incident import Incident
    from dam_expert.documents.observations import Observation
    from dam_expert.kb.base import Base
    from dam_expert.physics.hardware import Accelerator

#: What stands before the name of a device in a plan to buy it, in the languages that are understood; what says more
#: ("profile on h100") is another plan.
_BEFORE: Final = re.compile(
    "an?|the|new|some|more|other|us(?:e|ing)|go(?:ing)?|to|buy(?:ing)?|get(?:ting)?|order|rent|purchase|move|upgrade|switch"
    "|change|replace|with|by|for|we|i|want|wants|plan|plans|planning|would|like|intend|consider(?:ing)?|are|is"
    "|muốn|chúng|tôi|ta|định|nvidia|amd|intel|card|gpus?|mua|thuê|nâng|cấp|chuyển|sang|lên|đổi|thêm|dùng"
    r"|\d+x?|x\d+|one|two|four|eight"
)
#: What the name of a device is made of beside its number.
_PART: Final = re.compile(r"[a-z]*\d+[a-z0-9]*|sxm|pcie|nvl|rtx|geforce|tesla|quadro|instinct|ti|super")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")
#: A plural, of which the catalogue knows the one.
_PLURAL: Final = re.compile(r"(?<=\d)s$")


@functools.lru_cache(maxsize=4096)
def bought(base: Base, text: str) -> tuple[Accelerator, ...]:
    """Return the devices that a plan may mean which ends with the name of one; none where it names none."""
    words = _HAN.sub(" ", text).casefold().rstrip(" .!,;").split()
    while words and _BEFORE.fullmatch(words[0]):
        del words[0]
    name = _PLURAL.sub("", " ".join(words))
    found = base.catalogue.resolve(name)
    if found is not None:
        return (found,)
    if not words or not all(map(_PART.fullmatch, name.split())):
        return ()
    near = base.catalogue.nearby(name)
    return base.catalogue.parts_named(name) or tuple(each for each in base.catalogue.accelerators if each.id in near)


def moved_by(base: Base, incident: Incident, devices: tuple[Accelerator, ...]) -> dict[str, Interval | None]:
    """Return the levers that buying a device moves, each with how many times as much it is; None where unknown.

    Where it is no better than what is in use in anything, all of them are returned: that is what is to be said.
    """
    named = next((seen.value for seen in _seen(incident) if isinstance(seen.value, str)), None)
    owned = () if named is None else bought(base, named)
    ratios = {lever: _ratio(figure, devices, owned) for lever, figure in _figures(base).items()}
    least = base.constant(NO_EFFECT)
    better = {lever: ratio for lever, ratio in ratios.items() if ratio is None or ratio.hi > least}
    return better or ratios


def _seen(incident: Incident) -> Iterator[Observation]:
    return (one for one in (*incident.settings, *incident.observations) if one.measurement == "accelerator")


@functools.lru_cache(maxsize=8)
def _figures(base: Base) -> Mapping[str, str]:
    """Return by lever the figure of a device that it raises."""
    return {name: lever.model.figure for name, lever in base.levers.items() if lever.model.figure is not None}


def _ratio(figure: str, new: tuple[Accelerator, ...], old: tuple[Accelerator, ...]) -> Interval | None:
    """Return how many times the figure of the old device the new one has, over all that either may be."""
    found = [
        after / before
        for first in new
        for second in old
        for after, before in _pairs(figure, first.per_framework_device(), second.per_framework_device())
    ]
    return Interval(min(found), max(found)) if found else None


def _pairs(figure: str, new: Accelerator, old: Accelerator) -> Iterator[tuple[float, float]]:
    if figure == "peak":
        yield from ((new.peaks[each], old.peaks[each]) for each in new.peaks if old.peaks.get(each))
        return
    after, before = (
        each.bandwidth_bytes_per_s if figure == "memory_bandwidth" else each.memory_bytes for each in (new, old)
    )
    if after and before:
        yield after, before
