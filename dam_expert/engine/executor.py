"""The interface of executors: they evaluate symptoms and fire rules, nothing else.

Columns, budgets, status and verdict are one shared implementation around them. All executors must agree on every base
and incident; a property test holds them equal.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
from typing import TYPE_CHECKING, Protocol

from dam_expert.language.truth import Truth

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dam_expert.language.program import CompiledRule, Program, Stage


class Strength(enum.StrEnum):
    """How a rule fired. Reduced: an exception of a deciding rule is unknown, so that it only supports or weakens."""

    FULL = "full"
    REDUCED = "reduced"


@dataclasses.dataclass(frozen=True, slots=True)
class Firing:
    """One rule whose body is true and that no exception holds back."""

    rule: str
    strength: Strength


class Evaluation(Protocol):
    """One incident under evaluation."""

    def run(self, stage: Stage, answers: Mapping[int, Truth]) -> list[Firing]:
        """Fire the rules of a stage, given the truth of further leaf nodes. Firings are in the order of the base.

        Stages are run in their order, each once; answers of earlier stages stay.
        """

    def symptoms(self) -> dict[str, Truth]:
        """Return the truth of every symptom, after the stage of evidence."""


class Executor(Protocol):
    """Evaluates incidents against one compiled base."""

    def begin(self) -> Evaluation:
        """Begin an incident with nothing known."""


def strength_of(rule: CompiledRule, exceptions: Sequence[Truth]) -> Strength | None:
    """Return how a rule whose body is true fires, or None where an exception holds it back."""
    if Truth.TRUE in exceptions:
        return None
    return Strength.REDUCED if rule.decides and Truth.UNKNOWN in exceptions else Strength.FULL


def in_order(program: Program, firings: Mapping[str, Strength]) -> list[Firing]:
    """Return firings in the order of the base, whatever order they were found in."""
    return [Firing(rule, firings[rule]) for rule in sorted(firings, key=_places(program).__getitem__)]


@functools.lru_cache(maxsize=8)
def _places(program: Program) -> Mapping[str, int]:
    """Return the place of each rule in the base."""
    return {rule.id: place for place, rule in enumerate(program.rules)}
