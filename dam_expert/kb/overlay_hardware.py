"""Accelerators that a runbook adds to the hardware catalogue: a team's own part, or one that is not catalogued yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from dam_expert.documents.kinds import Kind
from dam_expert.documents.quantities import QuantityError, parse_quantity
from dam_expert.kb.entry import LOST
from dam_expert.kb.located import Located
from dam_expert.kb.overlay_models import AcceleratorModel
from dam_expert.kb.problems import messages_of
from dam_expert.kb.salvage import Salvaged, read
from dam_expert.physics.hardware import Accelerator, Catalogue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.documents.messages import Message
    from dam_expert.kb.entry import Given
    from dam_expert.kb.source import SourceDocument

SECTION = "accelerators"

Added: TypeAlias = "tuple[Located[AcceleratorModel], Accelerator]"
"""An entry with its place, and what it is in the catalogue."""

#: The figures of an entry: what they are called in the catalogue, their unit, and their kind.
_FIGURES = {
    "memory": ("memory_bytes", "B", Kind.BYTES),
    "bandwidth": ("bandwidth_bytes_per_s", "B/s", Kind.RATE),
    "link": ("link_bytes_per_s", "B/s", Kind.RATE),
}


def read_accelerators(document: SourceDocument, value: object, prefix: str, messages: list[Message]) -> list[Added]:
    """Read the entries of one file. One with an error is left out with a message, and the others are used.

    Quantities are written with their units (``80 GB``, ``989 TFLOP/s``); a range is refused, since a roof is one
    number. Ids begin with ``prefix``, the runbook's name and a dot.
    """
    if not isinstance(value, list):
        text = f"'{SECTION}' is a list of entries"
        messages.append(document.message(("add", SECTION), text=text, code="wrong-type"))
        return []
    found = []
    for index, item in enumerate(value):
        path = ("add", SECTION, index)
        if item == LOST:
            continue  # put aside for its syntax
        shaped = read(AcceleratorModel, item)
        if isinstance(shaped, Salvaged):
            messages += messages_of(shaped.problems, document, path)
            if shaped.entry is None:
                continue
            edits = tuple((meant, document, (*path, *written)) for meant, written in shaped.renamed)
            entry = Located(shaped.entry, document, path, edits, shaped.doubts)
        else:
            entry = Located(shaped, document, path)
        if not entry.entry.id.startswith(prefix):
            text = f"the id '{entry.entry.id}' must begin with '{prefix}'"
            messages.append(entry.message(text, "other-namespace", "id", hint=f"write '{prefix}{entry.entry.id}'"))
        figures = _figures(entry, messages)
        if figures is not None:
            found.append((entry, _accelerator(entry.entry, figures)))
    return found


def with_accelerators(catalogue: Catalogue, added: Sequence[Added], messages: list[Message]) -> Catalogue:
    """Return the catalogue with what runbooks add; a name that another part has already is an error."""
    grown = catalogue.joined(accelerator for _, accelerator in added)
    own = {accelerator.id: entry for entry, accelerator in added}
    for name, ids in grown.shared_names().items():
        for each in ids:
            if each in own:
                others = " and ".join(other for other in ids if other != each) or "an entry before it"
                text, hint = f"the name '{name}' belongs to {others} already", "a name means one accelerator"
                messages.append(own[each].message(text, "shared-name", "printed", hint=hint))
    return grown


def _figures(entry: Located[AcceleratorModel], messages: list[Message]) -> dict[str, Any] | None:
    """Return the figures in the units of the catalogue, or None where one cannot be read."""
    model = entry.entry
    before = len(messages)
    figures: dict[str, Any] = {}
    for field, (name, unit, kind) in _FIGURES.items():
        given = getattr(model, field)
        if given is not None:
            figures[name] = _figure(entry, given, unit, kind, messages, field)
    figures["peaks"] = {
        str(precision): _figure(entry, given, "FLOP/s", Kind.RATE, messages, "peaks", precision)
        for precision, given in model.peaks.items()
    }
    return figures if len(messages) == before else None


def _figure(
    entry: Located[AcceleratorModel], given: Given, unit: str, kind: Kind, messages: list[Message], *at: str
) -> float | None:
    try:
        interval = parse_quantity(given, unit=unit, kind=kind).interval
    except QuantityError as error:
        messages.append(entry.message(error.text, "not-a-quantity", *at, hint=error.hint))
        return None
    if not interval.is_point or interval.lo <= 0:
        hint = "write one number above 0: the dense peak, the nominal rate"
        messages.append(entry.message(f"'{given}' is no single number above 0", "not-a-quantity", *at, hint=hint))
        return None
    return interval.lo


def _accelerator(model: AcceleratorModel, figures: dict[str, Any]) -> Accelerator:
    return Accelerator(
        id=model.id,
        name=model.name,
        vendor=model.vendor,
        architecture=model.architecture,
        printed=tuple(model.printed),
        link_kind=model.link_kind,
        needs_memory=model.needs_memory,
        confidence=model.confidence,
        sources=tuple(model.source),
        notes=tuple(model.notes),
        **{**figures, "peaks": dict(figures["peaks"])},
    )
