"""Loads the hardware catalogue from ``knowledge/hardware``: one file per family, and the sources beside them.

Every problem becomes a message with its place, and everything else that is readable is still used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
import yaml

from dam_expert.documents.messages import Level, Message, closest, suggestion
from dam_expert.kb.quick import quick_data
from dam_expert.physics.hardware import Accelerator, Catalogue, Precision

if TYPE_CHECKING:
    from pathlib import Path

_Positive = Annotated[float, msgspec.Meta(gt=0)]
_Share = Annotated[float, msgspec.Meta(gt=0, le=1)]
_SOURCES = "sources.yaml"


class _Link(msgspec.Struct, forbid_unknown_fields=True):
    kind: str
    rate: _Positive | None = None


class _Pcie(msgspec.Struct, forbid_unknown_fields=True):
    generation: int
    lanes: int


class _Entry(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    id: str
    name: str
    printed: list[str]
    year: int
    architecture: str
    peaks: dict[Precision, _Positive]
    memory_bytes: _Positive | None
    bandwidth: _Positive | None
    confidence: Literal["high", "medium", "low"]
    sources: Annotated[list[str], msgspec.Meta(min_length=1)]
    memory_usable_bytes: _Positive | None = None
    link: _Link | None = None
    pcie: _Pcie | None = None
    power_limit_w: _Positive | None = None
    reference_clock_hz: _Positive | None = None
    matmul_fraction: dict[Precision, _Share] = {}
    levels: dict[Literal["l1", "l2", "l3"], _Positive] = {}
    framework_devices: Annotated[int, msgspec.Meta(ge=1)] = 1
    needs_memory: bool = False
    notes: list[str] = []


class _Refused(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    because: str


class _Range(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    lo: _Share
    hi: _Share
    source: str
    architecture: str | None = None
    note: str | None = None


class _Efficiency(msgspec.Struct, forbid_unknown_fields=True):
    bandwidth_fraction: _Range
    matmul_fraction: list[_Range]


class _Sources(msgspec.Struct, forbid_unknown_fields=True):
    sources: dict[str, str]
    efficiency: _Efficiency


class _Loader:
    """Collects entries and messages over the files of one folder."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.entries: list[tuple[str, str, int, _Entry]] = []
        self.refused: dict[str, str] = {}
        self.sources: _Sources | None = None

    def say(self, file: Path, text: str, code: str, line: int | None = None, hint: str | None = None) -> None:
        self.messages.append(
            Message(file=str(file), line=line, level=Level.ERROR, text=text, code=code, hint=hint)
        )  # fmt: skip

    def read(self, file: Path) -> tuple[Any, list[int]]:
        """Return the content, and the lines of the entries of its list of accelerators."""
        try:
            text = file.read_text(encoding="utf-8")
            quick = _quickly(text)
            if quick is not None:
                return quick
            loader = yaml.CSafeLoader(text)
            node = loader.get_single_node()
            content = None if node is None else loader.construct_document(node)
        except (OSError, UnicodeDecodeError) as problem:
            self.say(file, f"cannot be read: {type(problem).__name__}", "unreadable-file")
            return None, []
        except yaml.YAMLError as problem:
            mark = getattr(problem, "problem_mark", None)
            self.say(file, f"is not YAML: {getattr(problem, 'problem', None) or 'syntax error'}", "yaml-syntax",
                     line=mark.line + 1 if mark else None)  # fmt: skip
            return None, []
        return content, _entry_lines(node)

    def family(self, file: Path) -> None:
        content, lines = self.read(file)
        if content is None:
            return
        if not isinstance(content, dict) or not isinstance(content.get("vendor"), str):
            self.say(file, "a vendor and a list of accelerators are expected", "hardware-file", line=1)
            return
        for key in sorted(set(map(str, content)) - {"vendor", "accelerators", "refused"}):
            self.say(file, f"unknown key '{key}'", "unknown-key", line=1)
        items = content.get("accelerators") or []
        for item, line in zip(items if isinstance(items, list) else [], lines, strict=False):
            try:
                self.entries.append((str(file), content["vendor"], line, msgspec.convert(item, _Entry)))
            except msgspec.ValidationError as problem:
                self.say(file, f"accelerator {_label(item)}: {problem}", "hardware-entry", line, _hint(item))
        try:
            told = msgspec.convert(content.get("refused") or [], list[_Refused])
        except msgspec.ValidationError as problem:
            self.say(file, f"refused names: {problem}", "hardware-entry")
            return
        self.refused.update({each.name: each.because for each in told})

    def common(self, file: Path) -> None:
        content, _ = self.read(file)
        if content is None:
            return
        try:
            self.sources = msgspec.convert(content, _Sources)
        except msgspec.ValidationError as problem:
            self.say(file, str(problem), "hardware-sources", line=1)

    def catalogue(self) -> Catalogue:
        known, built = set(self.sources.sources) if self.sources else set(), []
        for file, vendor, line, entry in self.entries:
            for source in entry.sources:
                if self.sources and source not in known:
                    self.messages.append(
                        Message(file=file, line=line, level=Level.ERROR, code="unknown-source",
                                text=f"accelerator {entry.id}: no source is called '{source}'",
                                hint=suggestion(source, known))
                    )  # fmt: skip
            built.append(self.accelerator(vendor, entry))
        catalogue = Catalogue(built, self.refused)
        places = {entry.id: (file, line) for file, _, line, entry in self.entries}
        for name, ids in catalogue.shared_names().items():
            file, line = places[ids[-1]]
            self.messages.append(
                Message(file=file, line=line, level=Level.ERROR, code="shared-name",
                        text=f"the name '{name}' belongs to {' and '.join(ids)}", hint="a name means one accelerator")
            )  # fmt: skip
        return catalogue

    def accelerator(self, vendor: str, entry: _Entry) -> Accelerator:
        shares = self.sources.efficiency if self.sources else None
        usual = (
            next((r for r in shares.matmul_fraction if r.architecture == entry.architecture), None) if shares else None
        )
        return Accelerator(
            id=entry.id,
            name=entry.name,
            vendor=vendor,
            architecture=entry.architecture,
            printed=tuple(entry.printed),
            year=entry.year,
            peaks={str(key): peak for key, peak in entry.peaks.items()},
            memory_bytes=entry.memory_bytes,
            memory_usable_bytes=entry.memory_usable_bytes,
            bandwidth_bytes_per_s=entry.bandwidth,
            link_kind=entry.link.kind if entry.link else None,
            link_bytes_per_s=entry.link.rate if entry.link else None,
            pcie_generation=entry.pcie.generation if entry.pcie else None,
            pcie_lanes=entry.pcie.lanes if entry.pcie else None,
            power_limit_w=entry.power_limit_w,
            reference_clock_hz=entry.reference_clock_hz,
            matmul_measured={str(key): part for key, part in entry.matmul_fraction.items()},
            matmul_range=(usual.lo, usual.hi) if usual else None,
            bandwidth_range=(shares.bandwidth_fraction.lo, shares.bandwidth_fraction.hi) if shares else None,
            levels={str(key): rate for key, rate in entry.levels.items()},
            framework_devices=entry.framework_devices,
            needs_memory=entry.needs_memory,
            confidence=entry.confidence,
            sources=tuple(entry.sources),
            notes=tuple(entry.notes),
        )


def _quickly(text: str) -> tuple[dict[str, Any], list[int]] | None:
    """Return what :meth:`_Loader.read` does, for a file in which nothing needs a closer look."""
    try:
        found = quick_data(yaml.CSafeLoader(text).get_event)
    except yaml.YAMLError:
        return None
    if found is None:
        return None
    content, starts = found
    items = content.get("accelerators")
    lines = [line for (section, _), (line, _) in starts.items() if section == "accelerators"]
    return (content, lines) if not isinstance(items, list) or len(items) == len(lines) else None


def _entry_lines(node: yaml.Node | None) -> list[int]:
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if key.value == "accelerators" and isinstance(value, yaml.SequenceNode):
            return [item.start_mark.line + 1 for item in value.value]
    return []


def _label(item: object) -> str:
    return str(item.get("id", "without id")) if isinstance(item, dict) else "that is not a mapping"


def _hint(item: object) -> str | None:
    if not isinstance(item, dict):
        return None
    fields = _Entry.__struct_fields__
    wrong = next((str(key) for key in item if key not in fields), None)
    near = closest(wrong, fields) if wrong else None
    return f"did you mean '{near}'?" if near else None


def load_hardware(folder: Path) -> tuple[Catalogue, list[Message]]:
    """Return the catalogue of ``folder``, the hardware folder of the knowledge base, and what is wrong with its files.

    An entry with an error is left out; the others are used. A folder that does not exist gives an empty catalogue and
    one message.
    """
    loader = _Loader()
    if not folder.is_dir():
        loader.say(
            folder, "the hardware catalogue is missing", "missing-folder", hint="is the knowledge folder complete?"
        )
        return Catalogue([]), loader.messages
    loader.common(folder / _SOURCES)
    for file in sorted(folder.glob("*.yaml")):
        if file.name != _SOURCES:
            loader.family(file)
    return loader.catalogue(), sorted(loader.messages, key=Message.sort_key)


def load_sources(folder: Path) -> dict[str, str]:
    """Return the full references of the catalogue's sources by their short names; nothing where they cannot be read."""
    loader = _Loader()
    loader.common(folder / _SOURCES)
    return dict(loader.sources.sources) if loader.sources else {}
