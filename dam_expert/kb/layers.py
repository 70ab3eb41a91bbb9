"""What lies over the shipped base: which runbooks are in force, and everything that each of them changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from pathlib import Path

    from dam_expert.kb.overlay_models import ToolMappingModel

SHIPPED = "base"
"""The name of the layer that is shipped."""


MEANING = ("when", "unless", "then", "status", "tests", "stages", "incident")
"""Fields of rules and cases that hold what they conclude and from what, not how it is told."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a runbook does to the layers below it.

    ``eases`` tells, where it is not empty, how the change makes the base quicker to confirm or slower to refute; such
    changes are shown in every report.
    """

    verb: str
    """``add``, ``set``, ``replace``, ``disable``, ``add_exception``, or ``lapsed`` where its date has passed."""
    id: str
    section: str
    place: str
    field: str = ""
    before: str = ""
    after: str = ""
    because: str = ""
    eases: str = ""

    @property
    def why(self) -> tuple[str, str]:
        """The reason, which additions need not give, and the place."""
        return (self.because, self.place)

    @property
    def rewrites(self) -> bool:
        """Whether the entry means something else now, so that its tests are the runbook's to keep."""
        return self.verb in ("add", "replace") or (self.verb == "set" and self.field.split(".")[0] in MEANING)

    def __str__(self) -> str:
        """Return the change in one line, as ``dam kb show`` prints it.

        >>> print(Change(verb="set", id="few_cores", section="thresholds", place="a.yaml:3", field="value",
        ...              before="2", after="4", because="our hosts are busy"))
        set few_cores.value: 2 → 4 (our hosts are busy; a.yaml:3)
        """
        field = f".{self.field}" if self.field else ""
        moved = f": {self.before} → {self.after}" if self.before or self.after else ""
        return f"{self.verb} {self.id}{field}{moved} ({'; '.join(filter(None, self.why))})"


class Runbook(msgspec.Struct, frozen=True, kw_only=True):
    """One runbook in force. ``digest`` is a hash of its files; ``found_by`` says why it is in force."""

    name: str
    version: str
    description: str
    languages: tuple[str, ...]
    digest: str
    folder: str
    found_by: str
    home: Path | None = None
    """The folder itself, for its translations."""
    changes: tuple[Change, ...] = ()
    readings: tuple[str, ...] = ()
    """A sentence for each declared reading by which a measurement of the base that decides is filled."""
    on_trial: bool = False
    """Whether what it adds only supports, and what it would change below is left as it is."""

    def summary(self) -> str:
        """Return name, version, hash and what it changes, as a diagnosis and ``dam doctor`` name it.

        >>> Runbook(name="llm", version="1.0", description="", languages=("en",), digest="0f0f", folder="llm",
        ...         found_by="--runbook").summary()
        'llm 1.0 (0f0f; changes nothing)'
        """
        counted: dict[str, int] = {}
        for change in self.changes:
            what = _PAST[change.verb]
            counted[what] = counted.get(what, 0) + 1
        said = ", ".join(f"{count} {what}" for what, count in counted.items())
        trial = "; on trial" if self.on_trial else ""
        return f"{self.name} {self.version} ({self.digest}; {said or 'changes nothing'}{trial})"


_PAST = {
    "add": "added",
    "set": "set",
    "replace": "replaced",
    "disable": "disabled",
    "add_exception": "exceptions added",
    "lapsed": "lapsed",
}


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A runbook to be loaded: its folder, how it is shown, and what asked for it."""

    folder: Path
    shown: str
    found_by: str
    on_trial: tuple[str, ...] = ()
    """The names of runbooks that ``dam.toml`` lays over on trial."""


class Layers(msgspec.Struct, frozen=True, kw_only=True):
    """Everything over the shipped base, as part of a loaded base."""

    runbooks: tuple[Runbook, ...] = ()
    tools: tuple[tuple[str, ToolMappingModel], ...] = ()
    """Declared readings of a team's own tables and metrics, each with the name of its runbook."""

    def eased(self) -> list[str]:
        """Return a sentence for every change that makes confirming easier or refuting harder."""
        changed = [
            f"runbook {runbook.name} {runbook.version}: {change.eases} ({'; '.join(filter(None, change.why))})"
            for runbook in self.runbooks
            for change in runbook.changes
            if change.eases
        ]
        read = [f"runbook {book.name} {book.version}: {said}" for book in self.runbooks for said in book.readings]
        return [*changed, *read]

    def of(self, name: str) -> list[tuple[str, Change]]:
        """Return the changes to one entry, each with its runbook, in the order in which they were laid."""
        return [(book.name, change) for book in self.runbooks for change in book.changes if change.id == name]


NO_LAYERS = Layers()
