"""Takes the entries out of one document: each is validated by itself, so that one mistake never hides another.

Of an entry with mistakes in its shape the rest is kept, so that what else is wrong with it is said too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dam_expert.documents.problems import unknown_key
from dam_expert.kb.entry import LOST
from dam_expert.kb.located import Located
from dam_expert.kb.models import ENTRY_MODELS, SECTIONS
from dam_expert.kb.problems import messages_of
from dam_expert.kb.salvage import Salvaged, read

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
    broken: list[str] = list(document.aside or ())
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
                if entry == LOST:
                    continue  # an entry that was put aside for its syntax
                if not _entry(document, (*at, section, index), entry, sections, messages) and isinstance(entry, dict):
                    broken.append(str(entry.get("id")))
    return broken


#: The fields without which what refers to an entry cannot be judged.
REFERRED = {
    "measurements": ("id", "kind", "unit", "values", "decides", "weak", "words", "formula"),
    "thresholds": ("id", "kind", "unit", "value", "values", "grade"),
}


def _entry(
    document: SourceDocument,
    path: Path,
    entry: object,
    sections: dict[str, list[Located[Any]]],
    messages: list[Message],
) -> bool:
    """Validate and add one entry; say whether what refers to it can be judged."""
    section = str(path[-2])
    found: Any = read(ENTRY_MODELS[section], entry, f"{LOST}{len(sections[section])}")
    if not isinstance(found, Salvaged):
        sections[section].append(Located(found, document, path))
        return True
    messages += messages_of(found.problems, document, path)
    if found.entry is not None:
        edits = tuple((meant, document, (*path, *written)) for meant, written in found.renamed)
        sections[section].append(Located(found.entry, document, path, edits, found.doubts))
    return not found.is_doubtful(*REFERRED.get(section, ("id",)))
