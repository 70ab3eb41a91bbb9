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
class TestOutcome:
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
