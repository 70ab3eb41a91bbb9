"""What runbooks change in entries below them: ``replace``, ``set``, ``add_exception``, ``disable``."""

from __future__ import annotations

import copy
import dataclasses
import json
from typing import TYPE_CHECKING, Any

import msgspec

from dam_expert.documents.messages import Level, suggestion
from dam_expert.kb.entries import REFERRED
from dam_expert.kb.entry import LOST
from dam_expert.kb.layers import Change
from dam_expert.kb.located import follows
from dam_expert.kb.models import ENTRY_MODELS
from dam_expert.kb.overlay_models import DISABLED, DisableModel, ExceptionModel, ReplaceModel, SetModel
from dam_expert.kb.salvage import Salvaged, read
from dam_expert.language.leaves import BROKEN_REFERENCE

if TYPE_CHECKING:
    import datetime
    from collections.abc import Iterator, Mapping, Sequence

    from dam_expert.documents.messages import Message
    from dam_expert.kb.entry import Entry
    from dam_expert.kb.located import Located
    from dam_expert.kb.source import SourceDocument
    from dam_expert.language.parsing import Path

#: Fields of a threshold that hold its number; whoever sets one becomes its source.
_NUMBERS = ("value", "values")
_LONGEST = 60


@dataclasses.dataclass(frozen=True, slots=True)
class Item:
    """One item under a verb, with the place where it stands."""

    model: Entry
    document: SourceDocument
    path: Path
    doubts: tuple[Path, ...] = ()
    """The paths of what is not as its author wrote it, where only a part of the item could be read."""
    renamed: tuple[tuple[Path, Path], ...] = ()

    @property
    def place(self) -> str:
        """Where it stands, as ``file:line``."""
        return f"{self.document.file}:{self.document.place(self.path)[0]}"

    def lacks(self, field: str) -> bool:
        """Whether a field is not as its author wrote it."""
        return any(path[:1] == (field,) for path in self.doubts)

    def message(self, text: str, code: str, *inside: str | int, hint: str | None = None) -> Message:
        """Return an error at a path inside the item; what only follows from a mistake in it is left out."""
        if LOST in (hint or "") or (self.doubts and follows(self.doubts, text, code, inside)):
            code = BROKEN_REFERENCE
        for meant, written in self.renamed:
            if inside[: len(meant)] == meant:
                inside = (*written, *inside[len(meant) :])
        return self.document.message((*self.path, *inside), text=text, code=code, hint=hint)


@dataclasses.dataclass(frozen=True, slots=True)
class _Read:
    """A changed entry, and what of it is not as its author wrote it."""

    entry: Any
    edits: tuple[tuple[Path, SourceDocument, Path], ...] = ()
    doubts: tuple[Path, ...] = ()


class Changer:
    """Changes entries in place, and remembers who changed what."""

    def __init__(
        self,
        sections: dict[str, list[Located[Any]]],
        order: tuple[str, ...],
        today: datetime.date,
        messages: list[Message],
    ) -> None:
        self._sections = sections
        self._order = order
        self._today = today
        self._messages = messages
        self._found = {
            located.entry.id: (section, index)
            for section, entries in sections.items()
            for index, located in enumerate(entries)
        }
        self._old = {
            alias: located.entry.id
            for entries in sections.values()
            for located in entries
            for alias in getattr(located.entry, "aliases", ())
        } | {x.entry.id: x.entry.replaced_by for x in sections["tombstones"] if x.entry.replaced_by is not None}
        self._by: dict[tuple[str, str], tuple[str, Item]] = {}
        self.before: dict[str, Any] = {}
        """The entries as they were before the first change, by id."""

    def apply(self, runbook: str, items: Mapping[str, Sequence[Item]]) -> list[Change]:
        """Apply the changes of one runbook and return them."""
        done: list[Change] = []
        for verb, change in (
            ("replace", self._replace),
            ("set", self._set),
            ("add_exception", self._add_exception),
            ("disable", self._disable),
        ):
            for item in items[verb]:
                done += change(runbook, item)
        return done

    def _replace(self, runbook: str, item: Item) -> Iterator[Change]:
        model = item.model
        assert isinstance(model, ReplaceModel)
        target = self._target(item, model.id, "id", optional=model.optional)
        if target is None:
            return
        claimed = self._claim(runbook, item, target, "*")
        section, located = self._at(target)
        if "id" in model.entry:
            self._messages.append(item.message("the id of an entry stays", "id-stays", "with", "id"))
        if item.lacks("with"):
            return
        data = {**model.entry, "id": target}
        entry = self._valid(item, section, data, ("with",), ("with",))
        if entry is None or not claimed:
            return
        self._keep(target, located)
        edits = (((), item.document, (*item.path, "with")), *entry.edits)
        self._put(target, dataclasses.replace(located, entry=entry.entry, edits=edits, doubts=entry.doubts))
        yield Change(verb="replace", id=target, section=section, place=item.place, because=model.because)

    def _set(self, runbook: str, item: Item) -> Iterator[Change]:
        model = item.model
        assert isinstance(model, SetModel)
        target = self._target(item, model.id, "id", optional=model.optional)
        if target is None or item.lacks("field"):
            return
        claimed = self._claim(runbook, item, target, model.field)
        section, located = self._at(target)
        steps = _steps(model.field)
        data = located.entry.as_written()
        fields = ENTRY_MODELS[section].__struct_fields__
        if steps[0] not in fields:
            hint = suggestion(str(steps[0]), fields) or f"it has {', '.join(fields)}"
            self._messages.append(
                item.message(f"'{target}' has no field '{steps[0]}'", "unknown-field", "field", hint=hint)
            )
            return
        if steps[0] == "id":
            hint = "add an entry of your own, or give the entry an alias"
            self._messages.append(item.message("the id of an entry stays", "id-stays", "field", hint=hint))
            return
        outer = _outer(data, steps)
        if outer is None:
            hint = _reached(data, steps)
            self._messages.append(
                item.message(f"'{target}' has no '{model.field}'", "unknown-field", "field", hint=hint)
            )
            return
        if item.lacks("to"):
            return
        before = copy.deepcopy(_inner(outer, steps[-1]))
        outer[steps[-1]] = model.to
        edits: tuple[tuple[Path, SourceDocument, Path], ...] = ((steps, item.document, (*item.path, "to")),)
        if section == "thresholds" and steps[0] in _NUMBERS:
            _name_source(outer, steps, f"runbook {runbook}: {model.because}")
        entry = self._valid(item, section, data, steps, ("to",))
        if entry is None or not claimed:
            return
        self._keep(target, located)
        changed = (*located.edits, *edits, *entry.edits)
        doubts = (*located.doubts, *entry.doubts)
        self._put(target, dataclasses.replace(located, entry=entry.entry, edits=changed, doubts=doubts))
        yield Change(
            verb="set",
            id=target,
            section=section,
            place=item.place,
            field=model.field,
            before=_text(before),
            after=_text(model.to),
            because=model.because,
        )

    def _add_exception(self, runbook: str, item: Item) -> Iterator[Change]:
        model = item.model
        assert isinstance(model, ExceptionModel)
        target = self._target(item, model.rule, "rule", optional=model.optional, section="rules")
        if target is None or item.lacks("symptom"):
            return
        section, located = self._at(target)
        change = Change(
            verb="add_exception",
            id=target,
            section=section,
            place=item.place,
            field="unless",
            after=model.symptom,
            because=model.because,
        )
        if self._has_lapsed(item, model.until, f"the exception of '{target}'"):
            yield msgspec.structs.replace(change, verb="lapsed")
            return
        unless = [*located.entry.unless, model.symptom]
        edit = (("unless", len(unless) - 1), item.document, (*item.path, "symptom"))
        entry = located.entry.changed(unless=unless)
        self._keep(target, located)
        self._put(target, dataclasses.replace(located, entry=entry, edits=(*located.edits, edit)))
        yield change

    def _disable(self, runbook: str, item: Item) -> Iterator[Change]:
        model = item.model
        assert isinstance(model, DisableModel)
        target = self._target(item, model.id, "id", optional=model.optional)
        if target is None:
            return
        section, located = self._at(target)
        if section not in DISABLED:
            text = f"'{target}' is one of the {section.replace('_', ' ')}: only {_listed(DISABLED)} can be disabled"
            self._messages.append(item.message(text, "not-disabled", "id", hint="disable the rules that use it"))
            return
        change = Change(verb="disable", id=target, section=section, place=item.place, because=model.because)
        if self._has_lapsed(item, model.until, f"disabling '{target}'"):
            yield msgspec.structs.replace(change, verb="lapsed")
            return
        if not self._claim(runbook, item, target, "*"):
            return
        self._keep(target, located)
        self._sections[section] = [x for x in self._sections[section] if x.entry.id != target]
        self._release_probes(target)
        self._found = {x.entry.id: (name, i) for name, entries in self._sections.items() for i, x in enumerate(entries)}
        yield change

    def _release_probes(self, lever: str) -> None:
        """Let measurements stand on their own that were the probe of a lever which is not offered any more."""
        for position, located in enumerate(self._sections["measurements"]):
            if located.entry.probe_of == lever:
                entry = located.entry.changed(probe_of=None)
                self._sections["measurements"][position] = dataclasses.replace(located, entry=entry)

    def _target(self, item: Item, name: str, field: str, *, optional: bool, section: str | None = None) -> str | None:
        """Return the id that a change is meant for; say what is wrong with it, with the nearest id."""
        target = name if name in self._found else self._old.get(name, name)
        if target in self._found and (section is None or self._found[target][0] == section):
            if target != name:
                text, hint = f"'{name}' is called '{target}'", "write the new id"
                message = item.message(text, "old-id", field, hint=hint)
                self._messages.append(dataclasses.replace(message, level=Level.WARNING))
            return target
        if optional:
            return None
        if target in self._found:
            what = self._found[target][0].replace("_", " ")
            self._messages.append(item.message(f"'{name}' is one of the {what}, not a rule", "wrong-kind", field))
            return None
        names = [known for known, (kind, _) in self._found.items() if section in (None, kind)]
        hint = suggestion(name, names) or "write 'optional: true' if it may be missing"
        self._messages.append(item.message(f"there is nothing called '{name}'", "unknown-target", field, hint=hint))
        return None

    def _claim(self, runbook: str, item: Item, target: str, field: str) -> bool:
        """Note who changes a field; a second one must be ordered after the first by ``dam.toml``."""
        for (name, part), (other, earlier) in self._by.items():
            if name != target or not _overlap(part, field):
                continue
            if other == runbook:
                text = f"'{target}' is changed already at {earlier.place}"
                self._messages.append(item.message(text, "changed-twice", "id"))
                return False
            if other != runbook and not {runbook, other} <= set(self._order):
                text = f"'{target}' is changed by the runbook '{other}' as well, at {earlier.place}"
                hint = f"order them in dam.toml: order = ['{other}', '{runbook}']"
                self._messages.append(item.message(text, "changed-twice", "id", hint=hint))
                return False
        self._by[target, field] = (runbook, item)
        return True

    def _has_lapsed(self, item: Item, until: datetime.date | None, what: str) -> bool:
        if until is None or until >= self._today:
            return False
        text = f"{what} lapsed on {until.isoformat()} and is no longer in force"
        message = item.message(text, "lapsed", "until", hint="remove it, or renew the date")
        self._messages.append(dataclasses.replace(message, level=Level.WARNING))
        return True

    def _valid(self, item: Item, section: str, data: dict[str, Any], at: Path, shown: Path) -> _Read | None:
        """Validate a changed entry; problems inside the changed part are said where the runbook writes it."""
        found: Any = read(ENTRY_MODELS[section], data)
        if not isinstance(found, Salvaged):
            return _Read(found)
        for problem in found.problems:
            inside = problem.path if at == ("with",) else problem.path[len(at) :]
            place = (*item.path, *shown, *inside)
            hint = problem.hint
            if at == ("with",) and problem.missing is not None and len(problem.path) == 0:
                hint = "a replacement is a whole entry; 'set' changes one field"
            message = item.document.message(
                place, code=problem.code, text=problem.text, hint=hint, key=problem.at_key and bool(inside)
            )
            self._messages.append(message)
        if found.entry is None or (section in REFERRED and found.doubts):
            return None  # what refers to it would be judged by what stands in for a mistake
        depth = 0 if at == ("with",) else len(at)
        edits = tuple(
            (meant, item.document, (*item.path, *shown, *written[depth:])) for meant, written in found.renamed
        )
        return _Read(found.entry, edits, found.doubts)

    def _at(self, target: str) -> tuple[str, Located[Any]]:
        section, index = self._found[target]
        return section, self._sections[section][index]

    def _put(self, target: str, located: Located[Any]) -> None:
        section, index = self._found[target]
        self._sections[section][index] = located

    def _keep(self, target: str, located: Located[Any]) -> None:
        self.before.setdefault(target, located.entry)


def _steps(field: str) -> tuple[str | int, ...]:
    """Split a field into its steps.

    >>> _steps("values.0.value")
    ('values', 0, 'value')
    """
    return tuple(int(step) if step.isdecimal() and len(step) < 9 else step for step in field.split("."))


def _outer(data: Any, steps: Path) -> Any:  # noqa: ANN401
    """Return what holds the last step, or None where the path leaves the entry."""
    for step in steps[:-1]:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    last = steps[-1]
    if isinstance(data, list):
        return data if isinstance(last, int) and last < len(data) else None
    return data if isinstance(data, dict) and isinstance(last, str) else None


def _reached(data: Any, steps: Path) -> str:  # noqa: ANN401
    """Return what stands where the steps leave an entry."""
    for depth, step in enumerate(steps):
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            here = ".".join(map(str, steps[:depth]))
            if isinstance(data, dict):
                return f"'{here}' has {', '.join(map(str, data)) or 'nothing'}"
            return f"'{here}' is {_text(data)}" if not isinstance(data, list) else f"'{here}' has {len(data)} items"
    return "set what holds it"


def _inner(outer: Any, step: Any) -> Any:  # noqa: ANN401
    return outer[step] if isinstance(outer, list) else outer.get(step)


def _name_source(outer: Any, steps: Path, source: str) -> None:  # noqa: ANN401
    """Make the runbook the source of a number that it sets: the old source never said it."""
    if steps[-1] == "value" and isinstance(outer, dict):
        outer["source"] = [source]


def _overlap(one: str, other: str) -> bool:
    """Whether two fields touch: equal, or one inside the other.

    >>> _overlap("values", "values.0.value"), _overlap("value", "values"), _overlap("*", "title")
    (True, False, True)
    """
    if "*" in (one, other):
        return True
    short, long = sorted((one.split("."), other.split(".")), key=len)
    return long[: len(short)] == short


def _text(value: object) -> str:
    """Write a value in one short line."""
    if value is None:
        return "nothing"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
