"""The way from paths to a diagnosis, for the commands: every call below the command line is made here.

All imports of the lower layers are inside the functions, so that ``dam --help`` does not pay for them.
"""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.output import talk
from dam_expert.documents.messages import Message, has_errors, suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dam_expert.documents.diagnosis import Diagnosis
    from dam_expert.documents.incident import Incident
    from dam_expert.kb.base import Base
    from dam_expert.reports import Glossary

_STDIN = "-"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """The incident made of all inputs, and what was said of them on the way."""

    incident: Incident
    messages: tuple[Message, ...]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a check of the base found: its messages, and how many entries of each kind were loaded."""

    messages: tuple[Message, ...]
    counts: Mapping[str, int]

    @property
    def has_errors(self) -> bool:
        """Whether the base cannot be used."""
        return has_errors(self.messages)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """What the tests of the base gave. ``uncovered`` names each leaf that no test has seen both true and false."""

    passed: int
    known_misses: int
    failures: tuple[str, ...]
    leaves: int
    uncovered: tuple[str, ...]

    @property
    def percent(self) -> float:
        """Leaf coverage in percent; 100 for a base without leaves."""
        return 100.0 * (1 - len(self.uncovered) / self.leaves) if self.leaves else 100.0

    def summary(self) -> list[str]:
        """Return the closing lines."""
        counted = f"{self.passed} passed, {len(self.failures)} failed, {self.known_misses} known misses"
        covered = self.leaves - len(self.uncovered)
        return [counted, f"leaf coverage {self.percent:.1f} % ({covered} of {self.leaves})"]

    def as_data(self) -> dict[str, Any]:
        """Return plain data for JSON and YAML."""
        data = dataclasses.asdict(self)
        return {**data, "leaf_coverage_percent": round(self.percent, 1)}


def load_base(*, quiet: bool = False) -> Base:
    """Load the shipped base; its warnings are printed. Raises Failure with all its messages if it has errors."""
    from dam_expert.kb.load import load_knowledge

    base, messages = load_knowledge()
    if base is None:
        raise Failure(Exit.INVALID, "the knowledge base cannot be used", messages)
    talk(messages, quiet=quiet)
    return base


def understand(
    base: Base, paths: Sequence[str], settings: Sequence[tuple[str, str]], *, no_input: bool = False
) -> Understood:
    """Read all paths as one incident. Raises Failure if nothing in them can be used.

    ``settings`` are values of ``--set``; an unknown measurement or a value that cannot be one is a usage error.
    """
    from dam_expert.documents.incident import merge_incident
    from dam_expert.readers import gather

    if _STDIN in paths and no_input and sys.stdin.isatty():
        raise click.UsageError("- would wait for the keyboard, which --no-input forbids")
    gathered = gather([Path(path) for path in paths])
    incident, messages = merge_incident(gathered, settings, base.names)
    found = (*gathered.messages, *messages)
    if incident is None or not incident.observations:
        raise Failure(Exit.INVALID, "nothing in the input can be used", found)
    return Understood(incident=incident, messages=tuple(sorted(found, key=Message.sort_key)))


def diagnose(base: Base, understood: Understood) -> Diagnosis:
    """Infer what binds."""
    from dam_expert.engine import diagnose as infer

    return infer(base, understood.incident)


def glossary(base: Base) -> Glossary:
    """Return titles and units of the base's measurements, for reports."""
    from dam_expert.reports import Glossary

    measured = base.measurements.values()
    return Glossary(
        titles={each.id: each.model.title for each in measured},
        quantities={each.id: (each.model.unit, each.model.kind) for each in measured},
    )


def missed(understood: Understood) -> list[str]:
    """Return sentences on the target that was missed; none where the incident states no target."""
    target = understood.incident.target
    if target is None:
        return []
    wanted = f", wanted {target.wanted}" if target.wanted is not None else ""
    return [
        f"{target.metric} is {target.actual}{wanted}." if target.actual is not None else f"{target.metric}{wanted}."
    ]


def observation_lines(base: Base, understood: Understood) -> list[str]:
    """Return one line per observation: measurement, value, basis and place."""
    words = glossary(base)
    lines = []
    for each in understood.incident.observations:
        scope = "".join(f"[{name}={member}]" for name, member in each.scope)
        value = each.value if isinstance(each.value, str) else words.value(each.measurement, extent(each.value))
        lines.append(f"{each.measurement}{scope} = {value} ({each.basis}, {each.origin})")
    return lines


def incident_data(understood: Understood) -> dict[str, Any]:
    """Return the incident document in its canonical form, as plain data."""
    return understood.incident.as_data()


def check_base() -> Checked:
    """Load the shipped base and keep everything that was said of it."""
    from dam_expert.kb.load import load_knowledge

    base, messages = load_knowledge()
    kinds = ("measurements", "thresholds", "symptoms", "hypotheses", "rules", "levers", "anti_patterns", "cases")
    counts = {} if base is None else {kind: len(getattr(base, kind)) for kind in kinds}
    return Checked(messages=tuple(messages), counts=counts)


def schema(document: str) -> dict[str, Any]:
    """Return the JSON Schema of ``incident``, ``diagnosis`` or ``knowledge``."""
    if document == "diagnosis":
        from dam_expert.documents.diagnosis import diagnosis_schema

        return diagnosis_schema()
    if document == "incident":
        from dam_expert.documents.incident import incident_schema

        return incident_schema()
    from dam_expert.kb.models import KnowledgeFile

    found = KnowledgeFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "dam-expert knowledge", **found}
