"""The shape of the files of a runbook, as pydantic models; the JSON Schema for editors comes from the same models."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from dam_expert.kb.models import DottedName, Entry, Given, KnowledgeFile, Name, Sources, Text
from dam_expert.physics.hardware import Precision

#: The name of a runbook: no dot, since its ids begin with it and a dot.
RunbookName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
Language = Literal["en", "zh", "vi"]
ENGLISH: Language = "en"

#: Kinds of entry that are closed lists of the base: a runbook cannot add to them.
CLOSED = ("axes", "bottlenecks")
#: Kinds of which single entries may be disabled; everything else is used by others.
DISABLED = ("rules", "cases", "levers")


class HeaderModel(Entry):
    """What ``runbook.yaml`` says of the runbook itself."""

    name: RunbookName
    version: Annotated[str, Field(pattern=r"^\d+\.\d+(\.\d+)?$")]
    description: Text
    languages: list[Language] = Field(default_factory=lambda: [ENGLISH], min_length=1)
    requires: Annotated[str, Field(pattern=r"^>=\s*\d+\.\d+(\.\d+)?$")] | None = None
    """The oldest version of dam-expert that it works with."""


class AcceleratorModel(Entry):
    """A device that the shipped catalogue does not know: its dense peaks by precision, its memory and its rates.

    ``printed`` are the names that tools print for it; where another part prints one of them too, ``needs_memory`` makes
    the reported memory decide. What is not given is unknown: nothing similar stands in for it.
    """

    id: DottedName
    name: Text
    vendor: Text
    architecture: str = ""
    printed: list[Text] = Field(default_factory=list)
    peaks: dict[Precision, Given] = Field(default_factory=dict)
    memory: Given | None = None
    bandwidth: Given | None = None
    link: Given | None = None
    link_kind: Text | None = None
    needs_memory: bool = False
    confidence: Literal["high", "medium", "low"] = "medium"
    source: Sources
    notes: list[Text] = Field(default_factory=list)


class AddModel(KnowledgeFile):
    """New entries; their ids begin with the runbook's name and a dot."""

    accelerators: list[AcceleratorModel] = Field(default_factory=list)


class Targeted(Entry):
    """A change to something below. ``optional``: the target may be missing without an error."""

    id: DottedName
    because: Text
    optional: bool = False


class SetModel(Targeted):
    """Another value for one field; inner fields are reached by dots, as in ``values.0.value``."""

    field: Annotated[str, Field(pattern=r"^[a-z_]+(\.([a-z0-9_]+))*$")]
    to: Any


class ReplaceModel(Targeted):
    """A whole new entry under an old id; ``with`` holds everything but the id."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    entry: Annotated[dict[str, Any], Field(alias="with")]


class DisableModel(Targeted):
    """Takes a rule, case or lever out of force; after ``until`` it is back."""

    until: datetime.date | None = None


class ExceptionModel(Entry):
    """One more exception for a rule: it is held back while the symptom is true; after ``until`` it is not."""

    rule: DottedName
    symptom: Name
    because: Text
    until: datetime.date | None = None
    optional: bool = False


class ToolMappingModel(Entry):
    """How a measurement is read from a table or a metric of the team's own, without Python.

    ``csv``: ``match`` is the column that holds the values; the mean over the rows is taken. ``prometheus``: it is the
    name of a metric, with labels where only some series count (``wait_seconds{route="chat"}``); of a summary or
    histogram the mean is taken, its sum divided by its count. ``per`` is the column or label that names the members.
    """

    format: Literal["csv", "prometheus"]
    match: Annotated[str, Field(min_length=1, max_length=200)]
    measurement: Name
    unit: str
    per: Annotated[str, Field(min_length=1, max_length=80)] | None = None


class RunbookFile(Entry):
    """One file of a runbook. ``runbook.yaml`` also has the keys of the header."""

    add: AddModel | None = None
    set: list[SetModel] = Field(default_factory=list)
    replace: list[ReplaceModel] = Field(default_factory=list)
    disable: list[DisableModel] = Field(default_factory=list)
    add_exception: list[ExceptionModel] = Field(default_factory=list)
    tools: list[ToolMappingModel] = Field(default_factory=list)


class RunbookHeaderFile(RunbookFile, HeaderModel):
    """``runbook.yaml``: the header, and any of the verbs."""


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
    schema = RunbookHeaderFile.model_json_schema(by_alias=True)
    schema.pop("required", None)
    free = {"patternProperties": {"^x-": True}}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, **free, "title": "dam-expert runbook"}
