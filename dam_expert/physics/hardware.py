"""The hardware catalogue as values: what an accelerator can do at most, and which printed name means which one.

A name resolves only if it is exactly one that a tool prints, or the name or id of an entry. A MIG slice, a laptop part,
a Super, Ti or D variant, a virtual GPU or an unknown device is never taken for something similar.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from dam_expert.physics.errors import PhysicsError

if TYPE_CHECKING:
    from collections.abc import Iterable

#: The precisions that a peak can be of.
Precision: TypeAlias = Literal[
    "fp64", "fp64_tensor", "fp32", "fp32_matrix", "tf32", "fp16", "bf16", "fp8", "fp4", "int8", "int4"
]

#: Reported memory over the size on the label: drivers keep up to about 7 % for error correction and firmware.
_REPORTED_OVER_LABEL = (0.90, 1.02)
#: Structured sparsity at most doubles a printed rate; rounding on data sheets moves the ratio by a few per cent.
_SPARSE_RATIO = (1.9, 2.1)
_ABOVE_ROUNDING = 1.02


class Accelerator(msgspec.Struct, frozen=True, array_like=True, gc=False, kw_only=True):
    """One accelerator. None means not published, not supported or disputed.

    Peaks are dense operations per second by precision, at the clock the vendor states them for. Link and PCIe rates
    are those of one direction. Where a framework counts several devices per chip, ``framework_devices`` says how many
    and :meth:`per_framework_device` gives the values of one.
    """

    id: str
    name: str
    vendor: str
    architecture: str
    printed: tuple[str, ...] = ()
    year: int | None = None
    peaks: Mapping[str, float] = msgspec.field(default_factory=dict)
    memory_bytes: float | None = None
    memory_usable_bytes: float | None = None
    bandwidth_bytes_per_s: float | None = None
    link_kind: str | None = None
    link_bytes_per_s: float | None = None
    pcie_generation: int | None = None
    pcie_lanes: int | None = None
    power_limit_w: float | None = None
    reference_clock_hz: float | None = None
    matmul_measured: Mapping[str, float] = msgspec.field(default_factory=dict)
    """Best dense matrix product found, as a share of the peak, by precision."""
    matmul_range: tuple[float, float] | None = None
    """The usual range of that share for the architecture."""
    bandwidth_range: tuple[float, float] | None = None
    """The share of the memory bandwidth that kernels reach in practice."""
    levels: Mapping[str, float] = msgspec.field(default_factory=dict)
    """Bandwidth of the caches in B/s by level (l1 summed over the chip), where the vendor publishes it."""
    framework_devices: int = 1
    needs_memory: bool = False
    """Whether another part prints the same name, so that only the memory tells which one it is."""
    confidence: str = "medium"
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def peak(self, precision: str) -> float | None:
        """Return the dense peak of a precision, or None where it is not known. No precision stands in for another."""
        return self.peaks.get(precision)

    def ridge(self, precision: str) -> float | None:
        """Return peak / memory bandwidth in FLOP/byte, or None where either is not known."""
        peak = self.peak(precision)
        return None if peak is None or self.bandwidth_bytes_per_s is None else peak / self.bandwidth_bytes_per_s

    def checked_peak(self, precision: str, stated_flops_per_s: float) -> float:
        """Return a peak that somebody states for this device, if it can be a dense one.

        About twice the catalogued peak is a rate with structured sparsity, more than the peak a mistake: both are
        errors. Without a catalogued peak the stated one is returned as it is.
        """
        from dam_expert.physics.inputs import positive

        stated, dense = float(positive("stated_flops_per_s", stated_flops_per_s)), self.peak(precision)
        if dense is None or stated <= dense * _ABOVE_ROUNDING:
            return stated
        sparse = _SPARSE_RATIO[0] <= stated / dense <= _SPARSE_RATIO[1]
        raise PhysicsError(
            "stated_flops_per_s",
            f"{stated:g} is {stated / dense:.3g} times the dense {precision} peak of {self.name}, {dense:g}",
            "a rate with structured sparsity used as dense: halve it" if sparse
            else "the peak of another precision, of several devices, or with fp16 accumulation?",
        )  # fmt: skip

    def per_framework_device(self) -> Accelerator:
        """Return the values of what a framework calls one device: a core or a half, where the chip holds several."""
        n = self.framework_devices
        if n == 1:
            return self

        def part(value: float | None) -> float | None:
            return None if value is None else value / n

        return msgspec.structs.replace(
            self,
            peaks={precision: peak / n for precision, peak in self.peaks.items()},
            memory_bytes=part(self.memory_bytes),
            memory_usable_bytes=part(self.memory_usable_bytes),
            bandwidth_bytes_per_s=part(self.bandwidth_bytes_per_s),
            link_bytes_per_s=part(self.link_bytes_per_s),
            levels={level: rate / n for level, rate in self.levels.items()},
            power_limit_w=part(self.power_limit_w),
            framework_devices=1,
        )


_SPACES = re.compile(r"\s+")
#: Cloud TPU types carry the size of the slice: v4-32, v5litepod-8.
_TPU_SLICE = re.compile(r"^(v\d+[a-z]*)-\d+$")
_A_DIGIT = re.compile(r"\d")
_SUFFIX = re.compile(r"[ -]?(super|ti|d|lhr|lc|max-q)$")
_TELLING = (
    (re.compile(r"^$"), "no name was printed"),
    (re.compile(r"\bmig\b|\b\d+g\.\d+gb"), "a MIG slice has only a part of the units and the memory of its device"),
    (re.compile(r"laptop|max-q|mobile|notebook"), "a laptop part is slower than the desktop part of the same number"),
    (re.compile(r"(\.\.\.|…)$"), "the table cuts the name off; 'nvidia-smi -L' prints all of it"),
    (re.compile(r"^(grid|vgpu)\b|-\d+[abcq](me)?$"), "a virtual GPU has a share of its device that no name tells"),
    (re.compile(r"^(gfx[0-9a-f]+|0x[0-9a-f]+|[0-9a-f]{4}:[0-9a-f]{4})$"), "this numbers a chip, not a product"),
)  # fmt: skip
#: A word that numbers a part: letters first, then a digit (h100, mi300x, trn2), so that 80gb and 1 are none.
_PART_NUMBER = re.compile(r"^[a-z]+[0-9][a-z0-9]*$")
_GIVE = "give its dense peak and memory bandwidth with --set, or add it to a runbook"


def normalized(name: str) -> str:
    """Return a device name in the form in which names are compared: case, spaces and the size of a TPU slice dropped.

    >>> normalized(" NVIDIA  A100-SXM4-80GB "), normalized("v5litepod-8")
    ('nvidia a100-sxm4-80gb', 'v5litepod')
    """
    plain = _SPACES.sub(" ", name).strip().casefold()
    return _TPU_SLICE.sub(r"\1", plain)


def _letters(name: str) -> str:
    """Return the letters and digits of a name alone, since people leave out and add spaces and dashes."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _words(name: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]+", name.casefold()))


def _telling_words(accelerator: Accelerator) -> set[str]:
    """Return the words of an accelerator's names that mix letters and digits and are no size of memory."""
    names = (accelerator.id, accelerator.name, *accelerator.printed)
    return {word for name in names for word in _words(name) if _PART_NUMBER.match(word)}


class Catalogue:
    """The accelerators known, by the names that tools print."""

    def __init__(self, accelerators: Iterable[Accelerator], refused: Mapping[str, str] | None = None) -> None:
        self._accelerators = tuple(accelerators)
        self._refused = {normalized(name): because for name, because in (refused or {}).items()}
        self._named: dict[str, list[Accelerator]] = {}
        for accelerator in self._accelerators:
            for name in {normalized(each) for each in (accelerator.id, accelerator.name, *accelerator.printed)}:
                self._named.setdefault(name, []).append(accelerator)

    @property
    def accelerators(self) -> tuple[Accelerator, ...]:
        """All entries, in the order in which they were loaded."""
        return self._accelerators

    def joined(self, more: Iterable[Accelerator]) -> Catalogue:
        """Return a catalogue that has other entries too. A name that was refused is theirs where they print it."""
        return Catalogue((*self._accelerators, *more), self._refused)

    @property
    def refused(self) -> Mapping[str, str]:
        """Names that are no entry on purpose, each with the reason."""
        return self._refused

    def shared_names(self) -> Mapping[str, tuple[str, ...]]:
        """Return the names that more than one entry claims, with the ids that do: mistakes of the catalogue."""
        return {name: tuple(each.id for each in found) for name, found in self._named.items() if len(found) > 1}

    def resolve(self, name: str, memory_bytes: float | None = None) -> Accelerator | None:
        """Return the one accelerator that the name means, or None: unknown, and never something similar.

        Memory as reported by the device, where it is known, must agree; where two parts print one name it is needed.
        """
        found = [each for each in self._named.get(normalized(name), ()) if self._agrees(each, name, memory_bytes)]
        return found[0] if len(found) == 1 else None

    def vendor_of(self, name: str) -> str | None:
        """Return the maker that a device name tells even where it does not say which part it is, or None.

        The maker's own name counts first, then a word that only this maker's names have, like ``mi300x``.

        >>> catalogue = Catalogue([Accelerator(id="mi300x", name="AMD Instinct MI300X", vendor="AMD", architecture="")])
        >>> catalogue.vendor_of("8x MI300X"), catalogue.vendor_of("something")
        ('AMD', None)
        """
        words = _words(name)
        by_maker = {each.vendor for each in self._accelerators if each.vendor.casefold() in words}
        by_word = {each for word in words for each in self._makers.get(word, ())}
        found = by_maker or by_word
        return found.pop() if len(found) == 1 else None

    @functools.cached_property
    def _makers(self) -> Mapping[str, set[str]]:
        """The makers of which a word of a device name tells."""
        found: dict[str, set[str]] = {}
        for each in self._accelerators:
            for word in _telling_words(each):
                found.setdefault(word, set()).add(each.vendor)
        return found

    def parts_named(self, name: str) -> tuple[Accelerator, ...]:
        """Return every part that a part number may mean, as in *an H100*, of which there are several.

        >>> parts = [Accelerator(id=f"h100-{kind}", name=f"H100 {kind}", vendor="", architecture="") for kind in "ab"]
        >>> [each.id for each in Catalogue(parts).parts_named("H100")]
        ['h100-a', 'h100-b']
        """
        words = _words(name)
        found = tuple(each for each in self._accelerators if words & _telling_words(each))
        exact = tuple(each for each in found if words <= _words(" ".join((each.id, each.name, *each.printed))))
        return exact or found

    @staticmethod
    def _agrees(accelerator: Accelerator, name: str, memory_bytes: float | None) -> bool:
        if memory_bytes is None:
            own = normalized(name) in (normalized(accelerator.id), normalized(accelerator.name))
            return own or not accelerator.needs_memory
        if accelerator.memory_bytes is None:
            return True
        low, high = _REPORTED_OVER_LABEL
        return low <= memory_bytes / accelerator.memory_bytes <= high

    def why_not(self, name: str, memory_bytes: float | None = None) -> str | None:
        """Return why a name does not resolve and what to do about it, or None if it resolves.

        >>> print(Catalogue([]).why_not("NVIDIA A100-SXM4-80GB MIG 1g.10gb"))  # doctest: +ELLIPSIS
        'NVIDIA A100-SXM4-80GB MIG 1g.10gb' is not in the catalogue: a MIG slice has only a part ...
        """
        if self.resolve(name, memory_bytes) is not None:
            return None
        plain = normalized(name)
        if plain in self._named:
            return f"{name!r} does not say which part it is: {self._memory_reason(plain, memory_bytes)}; {_GIVE}"
        near = self.nearby(name)
        reason = self._reason(plain)
        if near:
            reason = f"{reason or 'no entry has exactly this name'}; entries to choose from: {', '.join(near)}"
        return f"{name!r} is not in the catalogue: {reason or 'nothing is known of it'}; {_GIVE}"

    def nearby(self, name: str) -> tuple[str, ...]:
        """Return the ids of the entries that a person may mean who typed this, to choose from: none stands in for it.

        >>> card = Accelerator(id="rtx-4090", name="GeForce RTX 4090", vendor="NVIDIA", architecture="Ada")
        >>> catalogue = Catalogue([card])
        >>> catalogue.nearby("rtx4090"), catalogue.nearby("4090"), catalogue.nearby("rtx 3090")
        (('rtx-4090',), ('rtx-4090',), ())
        """
        typed = _letters(name)
        if not _A_DIGIT.search(typed):
            return ()
        return tuple(
            each.id
            for each in self._accelerators
            if any(typed in _letters(own) for own in (each.id, each.name, *each.printed))
        )

    def _memory_reason(self, plain: str, memory_bytes: float | None) -> str:
        if memory_bytes is None:
            return "parts with different memory print it, and the memory was not given"
        labels = ", ".join(f"{each.name}: {each.memory_bytes or 0:.0f} B" for each in self._named[plain])
        return f"its memory is {memory_bytes:.0f} B, which is not that of {labels}"

    def _reason(self, plain: str) -> str | None:
        if plain in self._refused:
            return self._refused[plain]
        told = next((reason for pattern, reason in _TELLING if pattern.search(plain)), None)
        if told is not None:
            return told
        base = _SUFFIX.sub("", plain)
        if base != plain and base in self._named:
            return f"it is a different part from {self._named[base][0].name}"
        similar = sorted(each.name for each in self._accelerators if plain and self._contains(each, plain))
        return f"it could be {', '.join(similar)}: the full printed name tells" if similar else None

    @staticmethod
    def _contains(accelerator: Accelerator, plain: str) -> bool:
        known = set(re.split(r"[ -]", normalized(accelerator.name)))
        return set(re.split(r"[ -]", plain)) <= known
