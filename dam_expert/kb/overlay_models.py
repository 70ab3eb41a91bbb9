"""The shape of the files of a runbook, as frozen structs; the JSON Schema for editors comes from the same models."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from dam_expert.kb.entry import DottedName, Entry, Given, Name, Sources, Text
from dam_expert.kb.models import MODEL_MODULES, KnowledgeFile
from dam_expert.kb.shapes import shape_of
from dam_expert.physics.hardware import Precision

#: The name of a runbook: no dot, since its ids begin with it and a dot.
RunbookName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*\Z", max_length=40)]
Language = Literal["en", "zh", "vi"]
ENGLISH: Language = "en"

#: Kinds of entry that are closed lists of the base: a runbook cannot add to them.
CLOSED = ("axes", "bottlenecks")
#: Kinds of which single entries may be disabled; everything else is used by others.
DISABLED = ("rules", "cases", "levers")


class HeaderModel(Entry, frozen=True):
    """What ``runbook.yaml`` says of the runbook itself."""

    name: RunbookName
    version: Annotated[str, Meta(pattern=r"^\d+\.\d+(\.\d+)?\Z")]
    description: Text
    languages: Annotated[list[Language], Meta(min_length=1)] = msgspec.field(default_factory=lambda: [ENGLISH])
    requires: Annotated[str, Meta(pattern=r"^>=\s*\d+\.\d+(\.\d+)?\Z")] | None = None
    """The oldest version of dam-expert that it works with."""


class AcceleratorModel(Entry, frozen=True, kw_only=True):
    """A device that the shipped catalogue does not know: its dense peaks by precision, its memory and its rates.

    ``printed`` are the names that tools print for it; where another part prints one of them too, ``needs_memory`` makes
    the reported memory decide. What is not given is unknown: nothing similar stands in for it.
    """

    id: DottedName
    name: Text
    vendor: Text
    architecture: str = ""
    printed: list[Text] = msgspec.field(default_factory=list)
    peaks: dict[Precision, Given] = msgspec.field(default_factory=dict)
    memory: Given | None = None
    bandwidth: Given | None = None
    link: Given | None = None
    link_kind: Text | None = None
    needs_memory: bool = False
    confidence: Literal["high", "medium", "low"] = "medium"
    source: Sources
    notes: list[Text] = msgspec.field(default_factory=list)


class AddModel(KnowledgeFile, frozen=True):
    """New entries; their ids begin with the runbook's name and a dot."""

    accelerators: list[AcceleratorModel] = msgspec.field(default_factory=list)


class Targeted(Entry, frozen=True):
    """A change to something below. ``optional``: the target may be missing without an error."""

    id: DottedName
    because: Text
    optional: bool = False


class SetModel(Targeted, frozen=True, kw_only=True):
    """Another value for one field; inner fields are reached by dots, as in ``values.0.value``."""

    field: Annotated[str, Meta(pattern=r"^[a-z_]+(\.([a-z0-9_]+))*\Z")]
    to: Any


class ReplaceModel(Targeted, frozen=True, kw_only=True):
    """A whole new entry under an old id; ``with`` holds everything but the id."""

    entry: dict[str, Any] = msgspec.field(name="with")


class DisableModel(Targeted, frozen=True):
    """Takes a rule, case or lever out of force; after ``until`` it is back."""

    until: datetime.date | None = None


class ExceptionModel(Entry, frozen=True):
    """One more exception for a rule: it is held back while the symptom is true; after ``until`` it is not."""

    rule: DottedName
    symptom: Name
    because: Text
    until: datetime.date | None = None
    optional: bool = False


class ToolMappingModel(Entry, frozen=True):
    """How a measurement is read from a table or a metric of the team's own, without Python.

    ``csv``: ``match`` is the column that holds the values; the mean over the rows is taken. ``prometheus``: it is the
    name of a metric, with labels where only some series count (``wait_seconds{route="chat"}``); of a summary or
    histogram the mean is taken, its sum divided by its count. ``per`` is the column or label that names the members.
    """

    format: Literal["csv", "prometheus"]
    match: Annotated[str, Meta(min_length=1, max_length=200)]
    measurement: Name
    unit: str
    per: Annotated[str, Meta(min_length=1, max_length=80)] | None = None


class RunbookFile(Entry, frozen=True):
    """One file of a runbook. ``runbook.yaml`` also has the keys of the header."""

    add: AddModel | None = None
    set: list[SetModel] = msgspec.field(default_factory=list)
    replace: list[ReplaceModel] = msgspec.field(default_factory=list)
    disable: list[DisableModel] = msgspec.field(default_factory=list)
    add_exception: list[ExceptionModel] = msgspec.field(default_factory=list)
    tools: list[ToolMappingModel] = msgspec.field(default_factory=list)


#: The model of one item of each verb that takes a list.
VERB_MODELS: dict[str, type[Entry]] = {
    "set": SetModel,
    "replace": ReplaceModel,
    "disable": DisableModel,
    "add_exception": ExceptionModel,
    "tools": ToolMappingModel,
}


def runbook_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of every file of a runbook, for editors.

    All keys of the header are optional in it, since one schema serves ``runbook.yaml`` and the files beside it; keys
    that begin with ``x-`` are free.
    """
    import pydantic

    from dam_expert.kb.hover import with_hover

    both = (shape_of(RunbookFile), shape_of(HeaderModel))
    about = "``runbook.yaml``: the header, and any of the verbs."
    whole = pydantic.create_model("RunbookHeaderFile", __base__=both, __doc__=about)
    schema = with_hover(whole.model_json_schema(by_alias=True), *MODEL_MODULES, __name__)
    schema.pop("required", None)
    free = {"patternProperties": {"^x-": True}}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, **free, "title": "dam-expert runbook"}
