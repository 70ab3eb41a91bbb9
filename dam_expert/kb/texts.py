"""Translations of the texts of a base: ``knowledge/texts/LANGUAGE/*.yaml``, by kind, id and field.

The English original stands in the base itself; a translation repeats its place, not its text::

    measurements:
      step_time:
        title: 步时
        obtain.1.how: 取至少 20 个热步，求各步结束之间的平均时间。

Parts of a budget are named by their id (``parts.kernel.title``), values of a category by their word
(``values.tiny``), ways to obtain a measurement by their place in the list, from 1. A text that is not translated is
shown in English. Ids and commands are not translated. Of the sources of thresholds and rules those are that are
statements of the base (``sources``, by the source itself); a citation of a document stays as it is. The notes of the
hardware catalogue stand under ``notes``, by the note itself.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from dam_expert.documents.messages import Level, Message, suggestion
from dam_expert.kb.source import SourceDocument, read_yaml
from dam_expert.kb.where import shipped_folders

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from dam_expert.kb.base import Base

_FOLDER: Final = "texts"
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
#: The fields of an entry that are texts for people, by kind.
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "axes": ("title", "role", "constraint", "optimisation"),
    "bottlenecks": ("title",),
    "tools": ("title", "note"),
    "measurements": ("title", "question"),
    "thresholds": ("title", "scope"),
    "symptoms": ("title",),
    "budgets": ("title",),
    "wholes": ("title", "because", "limits"),
    "hypotheses": ("title", "statement", "confirmed_by", "falsified_by"),
    "levers": ("title", "how", "how_elsewhere", "verify_by", "why_wasted", "effort"),
    "anti_patterns": ("title", "lesson"),
    "rules": ("title", "because", "limits"),
    "cases": ("title", "story", "lesson"),
    "entry_points": ("title",),
    "regions": ("title", "question", "note"),
    "laws": ("title", "statement", "limits"),
    "scorecard": ("title", "definition", "scope"),
}
#: What a source begins with that cites no document: it is a statement of the base, to be read in every language.
_STATEMENT: Final = re.compile(
    r"Arithmetic|Definition|Heuristic|Practitioners'|Convention|Normal distribution|Standard error|Measured with|Chosen"
    r"|Response =|Ten times|Twice|Half of|One compilation|lessons|design:|\d"
)

#: Where a text stands: kind, id, field.
Place = tuple[str, str, str]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """The translations into one language. ``by_original`` is by the English text, its line breaks made blanks."""

    language: str
    by_place: Mapping[Place, str]
    by_original: Mapping[str, str]
    missing: tuple[Place, ...]


def load_texts(base: Base, language: str, folders: list[Path] | None = None) -> tuple[Texts, list[Message]]:
    """Load the translations of a base into a language; nothing is translated where there are none.

    A translation of what is not there, or whose numbers are not those of the original, is an error and is left out.
    """
    originals = dict(originals_of(base))
    found: dict[Place, str] = {}
    messages: list[Message] = []
    own = [book.home for book in base.layers.runbooks if book.home is not None]
    overruled = _overruled(base)
    for folder in [*(folders or shipped_folders()), *own]:
        for path in sorted((folder / _FOLDER / language).glob("*.yaml")):
            if not path.resolve().is_relative_to(folder.resolve()):
                continue  # a link out of a runbook
            document, problems = read_yaml(path, file=str(path.relative_to(folder.parent)))
            messages += problems
            if document is not None:
                _collect(document, originals, found, messages, frozenset() if folder in own else overruled)
    texts = Texts(
        language=language,
        by_place=found,
        by_original={originals[place]: text for place, text in found.items()},
        missing=tuple(place for place in originals if place not in found),
    )
    return texts, sorted(messages, key=Message.sort_key)


def _overruled(base: Base) -> frozenset[tuple[str, str]]:
    """Return the entries and fields that runbooks took away or say otherwise: what was translated is not there."""
    changes = [change for book in base.layers.runbooks for change in book.changes]
    whole = {(change.id, "") for change in changes if change.verb in ("replace", "disable")}
    return frozenset(whole | {(change.id, change.field) for change in changes if change.verb == "set"})


def untranslated(base: Base, texts: Texts) -> list[Message]:
    """Return a warning for every text of a runbook that lacks a language the runbook states.

    The first language that a runbook states is that of its entries; the others are translations.
    """
    stated = {book.name for book in base.layers.runbooks if texts.language in book.languages[1:]}
    found = []
    for _, name, field in texts.missing:
        if name.partition(".")[0] in stated and name in base.places:
            file, _, line = base.places[name].rpartition(":")
            text = f"'{name}' has no {field} in the language '{texts.language}', which the runbook states"
            hint = f"translate it in {_FOLDER}/{texts.language}/, or state fewer languages"
            message = Message(
                file=file, line=int(line), level=Level.WARNING, code="missing-language", text=text, hint=hint
            )
            found.append(message)
    return found


def originals_of(base: Base) -> Iterator[tuple[Place, str]]:
    """Yield every text of a base that can be translated, with its place."""
    for kind, fields in FIELDS.items():
        for name, entry in getattr(base, kind).items():
            model = getattr(entry, "model", entry)
            for field in fields:
                text = getattr(model, field)
                if text:
                    yield (kind, name, field), flat(text)
            for field, text in _inner(kind, model):
                if text:
                    yield (kind, name, field), flat(text)
    for source in _statements(base):
        yield ("sources", source, "text"), source
    for note in dict.fromkeys(flat(text) for each in base.catalogue.accelerators for text in each.notes):
        yield ("notes", note, "text"), note


def _statements(base: Base) -> Iterator[str]:
    """Yield the sources of thresholds and rules that cite no document, each once."""
    models: list[Any] = [each.model for each in base.thresholds.values()]
    models += [value for model in models for value in model.values]
    models += [each.model for each in base.rules.values()]
    for source in dict.fromkeys(flat(text) for model in models for text in model.source):
        if _STATEMENT.match(source):
            yield source


def _inner(kind: str, model: Any) -> Iterator[tuple[str, str | None]]:  # noqa: ANN401  # one of the models
    """Yield the texts inside the lists and mappings of an entry."""
    if kind == "measurements":
        for place, way in enumerate(model.obtain, 1):
            yield f"obtain.{place}.how", way.how
            yield f"obtain.{place}.disturbs", way.disturbs
        for word, meaning in model.values.items():
            yield f"values.{word}", meaning
    elif kind == "budgets":
        for part in model.parts:
            yield f"parts.{part.id}.title", part.title


def flat(text: str) -> str:
    r"""Return a text on one line: its line breaks are layout of the file.

    >>> flat("one\n  two\n")
    'one two'
    """
    return " ".join(text.split())


def _collect(
    document: SourceDocument,
    originals: Mapping[Place, str],
    found: dict[Place, str],
    messages: list[Message],
    overruled: frozenset[tuple[str, str]],
) -> None:
    """Add the translations of one file; what is wrong is a message and is left out, as is what is overruled."""
    data = document.data
    for kind, entries in data.items() if isinstance(data, dict) else ():
        for name, fields in entries.items() if isinstance(entries, dict) else ():
            for field, text in fields.items() if isinstance(fields, dict) else ():
                place = (str(kind), str(name), str(field))
                if {(place[1], ""), place[1:]} & overruled:
                    continue
                problem = _problem(document, place, text, originals, found)
                if problem is None:
                    found[place] = flat(str(text))
                else:
                    messages.append(problem)
    if not _is_shaped(data):
        text = "a file of texts holds kinds, in these ids, in these fields with their texts"
        messages.append(document.message((), text=text, code="wrong-type", hint="begin with 'measurements:'"))


def _is_shaped(data: object) -> bool:
    return isinstance(data, dict) and all(
        isinstance(entries, dict) and all(isinstance(fields, dict) for fields in entries.values())
        for entries in data.values()
    )


def _problem(
    document: SourceDocument, place: Place, text: object, originals: Mapping[Place, str], found: Mapping[Place, str]
) -> Message | None:
    """Return what is wrong with a translation, or None."""
    if place not in originals:
        said, hint = _unknown(place, originals)
        return document.message(place, text=said, code="unknown-text", hint=hint, key=True)
    if not isinstance(text, str) or not text.strip():
        return document.message(place, text="a translation is a text", code="wrong-type")
    if place in found:
        return document.message(place, text="this text is translated twice", code="twice", level=Level.ERROR)
    if numbers(text) != numbers(originals[place]):
        return document.message(place, text="its numbers are not those of the original", code="numbers-differ")
    return None


def _unknown(place: Place, originals: Mapping[Place, str]) -> tuple[str, str | None]:
    """Say which step of a place is not there, with the nearest that is."""
    for depth, what in enumerate(("kind of entry", "entry", "text")):
        above = [known for known in originals if known[:depth] == place[:depth]]
        names = list(dict.fromkeys(known[depth] for known in above))
        if place[depth] not in names:
            return f"no {what} is called '{place[depth]}' here", suggestion(place[depth], names)
    return "there is no such text", None


def numbers(text: str) -> Counter[str]:
    """Return the numbers of a text, which no translation may change; their order may differ.

    >>> numbers("2 of 10 in 0.5 s") == numbers("0.5 s, 10, 2")
    True
    """
    return Counter(_NUMBER.findall(text))
