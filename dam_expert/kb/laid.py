"""What laying runbooks over a base gives; apart, so that a base without any need not load what lays them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from dam_expert.kb.layers import NO_LAYERS

if TYPE_CHECKING:
    from dam_expert.documents.messages import Message
    from dam_expert.kb.layers import Layers
    from dam_expert.kb.overlay_hardware import Added


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """The result: the layers, the ids of entries that could not be read, and thresholds as they were before."""

    layers: Layers = NO_LAYERS
    broken: tuple[str, ...] = ()
    before: dict[str, Any] = dataclasses.field(default_factory=dict)
    accelerators: tuple[Added, ...] = ()
    mended: tuple[str, ...] = ()
    """Files of which all is known but the entries put aside for their syntax."""

    def blamed(self, message: Message) -> Message:
        """Return a complaint that a hypothesis cannot be refuted at the place where a runbook disables the rule."""
        if message.code != "irrefutable":
            return message
        for change in (change for book in self.layers.runbooks for change in book.changes if change.verb == "disable"):
            refuted = getattr(getattr(self.before.get(change.id), "then", None), "refute", None)
            targets = [refuted] if isinstance(refuted, str) else refuted or []
            if any(f"'{target}'" in message.text for target in targets):
                file, _, line = change.place.rpartition(":")
                hint = f"the rule '{change.id}', which did, is disabled here"
                return dataclasses.replace(message, file=file, line=int(line), column=1, hint=hint)
        return message
