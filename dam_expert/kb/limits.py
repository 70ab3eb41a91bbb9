"""The limits that calculators use, from ``knowledge/physics.yaml``: numbers with their sources, without a whole base.

A calculator must start fast and needs no rules, so this one file is read alone; ``load_knowledge`` reads and checks it
together with everything else.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from dam_expert.documents.messages import has_errors
from dam_expert.kb.entries import collect
from dam_expert.kb.models import SECTIONS
from dam_expert.kb.naming import names_of, read_threshold
from dam_expert.kb.reading import Problems
from dam_expert.kb.source import read_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from dam_expert.documents.messages import Message
    from dam_expert.kb.located import Located

_FILE = "physics.yaml"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One number in the canonical unit of its kind, what it is, and where it comes from."""

    id: str
    title: str
    value: float
    source: tuple[str, ...]
    is_heuristic: bool


def load_limits(knowledge: Path) -> tuple[Mapping[str, Limit], list[Message]]:
    """Return the limits of a knowledge folder by id, and what is wrong with its file; nothing where it has errors."""
    document, messages = read_yaml(knowledge / _FILE, file=f"{knowledge.name}/{_FILE}")
    if document is None:
        return {}, messages
    sections: dict[str, list[Located[Any]]] = {section: [] for section in SECTIONS}
    collect(document, sections, messages)
    problems = Problems()
    names = names_of(sections, ())
    found = {}
    for located in sections["thresholds"]:
        threshold = read_threshold(located, names, problems)
        if threshold is not None:
            found[threshold.name.id] = Limit(
                id=threshold.name.id,
                title=threshold.model.title,
                value=threshold.name.alternatives[0].value.mid,
                source=tuple(threshold.model.source),
                is_heuristic=threshold.model.basis == "heuristic",
            )
    messages += problems.messages
    return ({} if has_errors(messages) else found), messages
