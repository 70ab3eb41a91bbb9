"""Lays runbooks over the entries of the base, before anything is resolved, so that every guard holds for them too.

All additions come first, then each runbook's changes in their order. A target that does not exist is an error with the
nearest id; two runbooks that change the same field are one, unless ``dam.toml`` orders them.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from dam_expert._version import __version__
from dam_expert.documents.messages import Level, Message, suggestion
from dam_expert.documents.problems import unknown_key
from dam_expert.kb.entries import collect
from dam_expert.kb.entry import LOST
from dam_expert.kb.laid import Laid
from dam_expert.kb.layers import Change, Layers, Runbook
from dam_expert.kb.models import SECTIONS
from dam_expert.kb.overlay_changes import Changer, Item
from dam_expert.kb.overlay_files import HEADER, MAX_ENTRIES, read_runbook
from dam_expert.kb.overlay_hardware import SECTION as ACCELERATORS
from dam_expert.kb.overlay_hardware import Added, read_accelerators
from dam_expert.kb.overlay_models import CLOSED, VERB_MODELS, HeaderModel, ToolMappingModel
from dam_expert.kb.overlay_tools import mapping_problems
from dam_expert.kb.problems import messages_of
from dam_expert.kb.salvage import Salvaged, read

if TYPE_CHECKING:
    import datetime
    from collections.abc import Sequence

    from dam_expert.kb.layers import Source
    from dam_expert.kb.located import Located
    from dam_expert.kb.source import SourceDocument

Sections = dict[str, list["Located[Any]"]]

_RESERVED = ("tried", "hardware", "base")
_HEADER_KEYS = HeaderModel.__struct_fields__


@dataclasses.dataclass(slots=True, kw_only=True)
class _Book:
    """A runbook while it is laid: its header, its additions, and its changes verb by verb."""

    source: Source
    header: HeaderModel
    digest: str
    place: SourceDocument
    added: Sections
    broken: list[str]
    items: dict[str, list[Item]]
    mended: tuple[str, ...]
    is_on_trial: bool = False
    accelerators: list[Added] = dataclasses.field(default_factory=list)


def lay(
    sections: Sections,
    sources: Sequence[Source],
    order: Sequence[str],
    today: datetime.date,
    messages: list[Message],
) -> Laid:
    """Lay runbooks over the sections, in place. Every problem becomes a message."""
    books = [book for source in sources if (book := _read(source, sections, messages)) is not None]
    books = _in_order(books, order, messages)
    _trials(books, messages)
    for book in books:
        for section, entries in book.added.items():
            sections[section] += entries
    changer = Changer(sections, tuple(order), today, messages)
    runbooks = []
    for book in books:
        changes = _additions(book)
        changes += [] if book.is_on_trial else changer.apply(book.header.name, book.items)
        runbooks.append(_runbook(book, tuple(changes)))
    tools = tuple((book.header.name, model) for book in books for model in _tools(book, sections, messages))
    return Laid(
        layers=Layers(runbooks=tuple(runbooks), tools=tools),
        broken=tuple(name for book in books for name in book.broken),
        before=changer.before,
        accelerators=tuple(added for book in books for added in book.accelerators),
        mended=tuple(name for book in books for name in book.mended),
    )


def _trials(books: Sequence[_Book], messages: list[Message]) -> None:
    """Take the runbooks that are on trial at their word no further than that they support."""
    names = {book.header.name for book in books}
    for name in dict.fromkeys(name for book in books for name in book.source.on_trial if name not in names):
        hint = suggestion(name, names) or f"in force: {', '.join(sorted(names))}"
        text = f"there is no runbook '{name}' to be on trial"
        messages.append(Message(file="dam.toml", level=Level.ERROR, text=text, code="unknown-target", hint=hint))
    for book in books:
        book.is_on_trial = book.header.name in book.source.on_trial
        if book.is_on_trial:
            rules = book.added["rules"]
            rules[:] = [_on_trial(located, f"{book.header.name}.") for located in rules]


def _on_trial(located: Located[Any], prefix: str) -> Located[Any]:
    """Return a rule as one on trial where it would confirm anything, or refute what is not its runbook's own."""
    then = located.entry.then
    refuted = [then.refute] if isinstance(then.refute, str) else then.refute or []
    decides = then.confirm is not None or any(not name.startswith(prefix) for name in refuted)
    if located.entry.status != "stable" or not decides:
        return located
    return dataclasses.replace(located, entry=located.entry.changed(status="test"))


def _runbook(book: _Book, changes: tuple[Change, ...]) -> Runbook:
    header = book.header
    return Runbook(
        name=header.name,
        version=header.version,
        description=header.description,
        languages=tuple(header.languages),
        digest=book.digest,
        folder=book.source.shown,
        found_by=book.source.found_by,
        home=book.source.folder,
        on_trial=book.is_on_trial,
        changes=changes,
    )


def _additions(book: _Book) -> list[Change]:
    entries = [(section, located) for section, added in book.added.items() for located in added]
    entries += [(ACCELERATORS, located) for located, _ in book.accelerators]
    return [
        Change(verb="add", id=located.entry.id, section=section, place=located.place) for section, located in entries
    ]


def _in_order(books: list[_Book], order: Sequence[str], messages: list[Message]) -> list[_Book]:
    """Sort the runbooks that ``dam.toml`` orders among each other; a name is used once."""
    seen: dict[str, _Book] = {}
    for book in books:
        other = seen.setdefault(book.header.name, book)
        if other is not book:
            text = f"a runbook is already called '{book.header.name}': {other.source.shown}"
            messages.append(book.place.message(("name",), text=text, code="duplicate-id"))
    ranks = {name: rank for rank, name in enumerate(order)}
    return sorted(seen.values(), key=lambda book: ranks.get(book.header.name, -1))


def _read(source: Source, base: Sections, messages: list[Message]) -> _Book | None:
    """Read one runbook; None where nothing in it can be used. What is wrong with its header hides nothing below it."""
    files = read_runbook(source, messages)
    header = _header(files.header, base, messages) if files.header is not None else None
    place = files.header or next(iter(files.documents), None)
    if place is None:
        return None
    if header is None:
        header = HeaderModel(name=_name_used(files.documents), version="0.0", description=LOST)
    book = _Book(
        source=source,
        header=header,
        digest=files.digest,
        place=place,
        added={section: [] for section in SECTIONS},
        broken=[],
        items={verb: [] for verb in VERB_MODELS},
        mended=tuple(each.file for each in files.documents if each.aside is not None),
    )
    count = sum(map(_entries_in, files.documents))
    if count > MAX_ENTRIES:
        text = f"a runbook has at most {MAX_ENTRIES} entries, this one has {count}"
        messages.append(place.message((), text=text, code="too-large", hint="split it"))
        return None
    for document in files.documents:
        _take(book, document, messages, is_header=document is files.header)
    return book


def _entries_in(document: SourceDocument) -> int:
    """Return how many entries and changes a file holds, without looking at any."""
    data = document.data if isinstance(document.data, dict) else {}
    added = data.get("add")
    lists = [*(data.get(verb) for verb in VERB_MODELS), *(added.values() if isinstance(added, dict) else ())]
    return sum(len(each) for each in lists if isinstance(each, list))


def _header(document: SourceDocument, base: Sections, messages: list[Message]) -> HeaderModel | None:
    """Validate the header of a runbook, and what it requires. None where its name cannot be used."""
    data = document.data
    if not isinstance(data, dict):
        messages.append(document.message((), text=f"{HEADER} is a mapping", code="not-a-mapping"))
        return None
    header = read(HeaderModel, {key: data[key] for key in _HEADER_KEYS if key in data})
    nameless = False
    if isinstance(header, Salvaged):
        messages += messages_of(header.problems, document, ())
        nameless = header.is_doubtful("name")
        if header.entry is None:
            return None
        header = header.entry
    taken = {located.entry.id for entries in base.values() for located in entries}
    if header.name in taken or header.name in _RESERVED:
        text = f"'{header.name}' already means something in the base"
        messages.append(document.message(("name",), text=text, code="taken-name", hint="choose another name"))
        return None
    if header.requires is not None and _version(header.requires) > _version(__version__):
        text = f"the runbook requires dam-expert {header.requires}, this is {__version__}"
        messages.append(document.message(("requires",), text=text, code="too-old", hint="upgrade dam-expert"))
    return None if nameless else header


def _name_used(documents: Sequence[SourceDocument]) -> str:
    """Return the name that the ids of a runbook without a usable one begin with most often."""
    names: Counter[str] = Counter()
    for document in documents:
        for entries in (document.data_at(("add",)) or {}).values() if isinstance(document.data, dict) else ():
            for entry in entries if isinstance(entries, list) else ():
                name, dot, _ = str(entry.get("id") if isinstance(entry, dict) else "").partition(".")
                names[name if dot else ""] += 1
    return max(names, key=lambda name: (names[name], name), default="") or LOST


def _version(text: str) -> tuple[int, ...]:
    numbers = re.findall(r"\d{1,9}", text)
    return (*map(int, numbers[:3]), 0, 0)[:3]


def _take(book: _Book, document: SourceDocument, messages: list[Message], *, is_header: bool) -> None:
    """Sort the verbs of one file; an unknown key is an error with the nearest one."""
    data = document.data
    if not isinstance(data, dict):
        if is_header:
            return  # it has been said
        text = "a runbook file is a mapping whose keys are verbs"
        messages.append(document.message((), text=text, code="not-a-mapping", hint=f"as {_keys(is_header)}"))
        return
    known = (*_HEADER_KEYS, "add", *VERB_MODELS) if is_header else ("add", *VERB_MODELS)
    for key, value in data.items():
        if key == "add":
            _add(book, document, value, messages)
        elif key in VERB_MODELS:
            book.items[key] += _items(document, key, value, messages)
        elif key not in known and not key.startswith("x-"):
            messages.append(_strange(document, key, known))


def _strange(document: SourceDocument, key: str, known: Sequence[str]) -> Message:
    """Say what is wrong with a key: perhaps it only stands at the wrong level."""
    if key in (*SECTIONS, ACCELERATORS):
        text, hint = f"'{key}' stands under a verb in a runbook", f"write: add: {{{key}: [..]}}"
        return document.message((key,), text=text, code="wrong-level", hint=hint, key=True)
    if key in _HEADER_KEYS:
        text = f"'{key}' belongs into {HEADER}"
        return document.message((key,), text=text, code="wrong-level", key=True)
    problem = unknown_key((key,), known)
    hint = problem.hint or f"one of {', '.join(known)}"
    return document.message((key,), text=problem.text, code=problem.code, hint=hint, key=True)


def _keys(is_header: bool) -> str:
    return "name, version, description" if is_header else "add, set, replace, disable, add_exception or tools"


def _add(book: _Book, document: SourceDocument, value: object, messages: list[Message]) -> None:
    """Validate what a file adds. Ids must begin with the runbook's name; closed lists stay closed."""
    if not isinstance(value, dict):
        hint = "write: add: {rules: [..]}"
        messages.append(document.message(("add",), text="'add' is a mapping of kinds", code="wrong-type", hint=hint))
        return
    prefix = f"{book.header.name}."
    if ACCELERATORS in value:
        book.accelerators += read_accelerators(document, value[ACCELERATORS], prefix, messages)
    elsewhere = (*CLOSED, ACCELERATORS)
    open_sections = {section: entries for section, entries in value.items() if section not in elsewhere}
    for section in value.keys() & set(CLOSED):
        text = f"the {section} are a closed list: a runbook cannot add to it"
        messages.append(document.message(("add", section), text=text, code="closed-list", key=True))
    book.broken += collect(document, book.added, messages, ("add",), open_sections)
    for section, entries in book.added.items():
        for located in entries:
            if located.document is document and prefix != f"{LOST}." and not located.entry.id.startswith(prefix):
                text = f"the id '{located.entry.id}' must begin with '{prefix}'"
                hint = f"write '{prefix}{located.entry.id}'"
                messages.append(located.message(text, "other-namespace", "id", hint=hint))
            if located.document is document and section == "budgets":
                messages.append(located.message("budgets belong to the base", "closed-list", "id"))


def _items(document: SourceDocument, verb: str, value: object, messages: list[Message]) -> list[Item]:
    """Validate the items of one verb; one that is wrong does not hide the others."""
    if not isinstance(value, list):
        messages.append(document.message((verb,), text=f"'{verb}' is a list", code="wrong-type"))
        return []
    items = []
    for index, item in enumerate(value):
        if item == LOST:
            continue  # put aside for its syntax
        found = read(VERB_MODELS[verb], item)
        if not isinstance(found, Salvaged):
            items.append(Item(found, document, (verb, index)))
            continue
        messages += messages_of(found.problems, document, (verb, index))
        if found.entry is not None:
            items.append(Item(found.entry, document, (verb, index), found.doubts, found.renamed))
    return items


def _tools(book: _Book, sections: Sections, messages: list[Message]) -> list[ToolMappingModel]:
    """Check that every declared reading names a measurement whose values have its unit."""
    measurements = {located.entry.id: located.entry for located in sections["measurements"]}
    good = []
    for item in book.items["tools"]:
        assert isinstance(item.model, ToolMappingModel)
        problems = list(mapping_problems(item.model, measurements))
        if not problems:
            good.append(item.model)
        messages += [item.message(each.text, each.code, each.field, hint=each.hint) for each in problems]
    return good
