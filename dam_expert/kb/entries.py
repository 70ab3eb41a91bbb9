"""Takes the entries out of one document: each is validated by itself, so that one mistake never hides another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dam_expert.documents.problems import unknown_key
from dam_expert.kb.located import Located
from dam_expert.kb.models import ENTRY_MODELS, SECTIONS
from dam_expert.kb.shapes import MisshapenError, validated

if TYPE_CHECKING:
    from dam_expert.documents.messages import Message
    from dam_expert.kb.source import SourceDocument
    from dam_expert.language.parsing import Path


def collect(
    document: SourceDocument,
    sections: dict[str, list[Located[Any]]],
    messages: list[Message],
    at: Path = (),
    data: object = None,
) -> list[str]:
    """Validate the entries of one file and add them. Returns the ids of those that are wrong.

    A runbook has its entries under ``add``: ``at`` is then the path to them and ``data`` what stands there.
    """
    broken: list[str] = []
    data = document.data if data is None else data
    if not isinstance(data, dict):
        text = "a knowledge file is a mapping whose keys are kinds of entry"
        hint = "begin with 'rules:' or another of " + ", ".join(SECTIONS)
        messages.append(document.message(at, text=text, code="not-a-mapping", hint=hint))
        return broken
    for section, entries in data.items():
        if section not in SECTIONS:
            problem = unknown_key((section,), SECTIONS)
            place = (*at, section)
            messages.append(document.message(place, text=problem.text, code=problem.code, hint=problem.hint, key=True))
        elif not isinstance(entries, list):
            text = f"'{section}' is a list of entries"
            messages.append(document.message((*at, section), text=text, code="wrong-type"))
        else:
            for index, entry in enumerate(entries):
                if not _entry(document, (*at, section, index), entry, sections, messages) and isinstance(entry, dict):
                    broken.append(str(entry.get("id")))
    return broken


def _entry(
    document: SourceDocument,
    path: Path,
    entry: object,
    sections: dict[str, list[Located[Any]]],
    messages: list[Message],
) -> bool:
    """Validate and add one entry; say whether it could be."""
    section = str(path[-2])
    model = ENTRY_MODELS[section]
    try:
        shaped = validated(model, entry)
    except MisshapenError as error:
        messages += error.messages(document, path)
        return False
    sections[section].append(Located(shaped, document, path))
    return True
