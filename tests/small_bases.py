"""Knowledge bases of a few entries, built in tests, and incidents against them."""

from __future__ import annotations

import json
from typing import Any

from random_bases import ENGINE

from dam_expert.documents.incident import Incident, Planned, Target, Tried
from dam_expert.documents.intervals import Interval
from dam_expert.documents.messages import Message, has_errors
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.kb.base import Base
from dam_expert.kb.check import check
from dam_expert.kb.entries import collect
from dam_expert.kb.models import SECTIONS
from dam_expert.kb.resolve import resolve
from dam_expert.kb.source import read_yaml
from dam_expert.physics.hardware import Accelerator, Catalogue

ORIGIN = Origin(file="test")

BOTTLENECKS = [
    {"id": "input", "title": "Input", "region": ["data", "machine"], "term": "data_movement"},
    {"id": "memory", "title": "Memory", "region": ["data", "machine"], "term": "data_movement"},
    {"id": "compute", "title": "Compute", "region": ["machine", "algorithm"], "term": "compute"},
    {"id": "host", "title": "Host", "region": ["machine", "algorithm", "data"], "term": "latency"},
    {"id": "capacity", "title": "Capacity", "region": ["algorithm", "machine"], "term": "fit"},
    {"id": "quality", "title": "Quality", "region": ["data", "algorithm"], "term": "learning"},
    {"id": "none", "title": "None", "region": [], "term": None},
]
CATALOGUE = Catalogue(
    [
        Accelerator(
            id="fast",
            name="Fast One",
            vendor="v",
            architecture="a",
            peaks={"bf16": 1e15, "fp32": 5e14},
            memory_bytes=80e9,
            bandwidth_bytes_per_s=2e12,
        )
    ]
)


def measure(name: str, kind: str = "ratio", **more: Any) -> dict[str, Any]:
    """Return a measurement; a state lists the words red and green."""
    words = {"values": {"red": "Red.", "green": "Green."}} if kind == "category" else {}
    units = {"duration": "s", "bytes": "B", "rate": "1/s"}
    return {"id": name, "title": name, "kind": kind, "unit": units.get(kind, "1"), **words, **more}


def limit(name: str, value: Any = None, grade: str = "decisive", kind: str = "ratio", **more: Any) -> dict[str, Any]:
    """Return a threshold, with one value or with ``values``."""
    given = {} if value is None else {"value": value, "source": ["x"]}
    return {"id": name, "title": name, "kind": kind, "grade": grade, "basis": "read", **given, **more}


def part(name: str, *, waiting: bool = True) -> dict[str, Any]:
    """Return a part of a budget, with the share of its name."""
    return {"id": name, "title": name, "share": f"{name}_share", "waiting": waiting}


def suspect(name: str, bottleneck: str = "input", **more: Any) -> dict[str, Any]:
    """Return a hypothesis."""
    words = dict.fromkeys(("statement", "confirmed_by", "falsified_by"), "x")
    return {"id": name, "title": f"The {name}", "bottleneck": bottleneck, **words, **more}


def rule(name: str, when: Any, then: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a rule."""
    return {
        "id": name,
        "title": name,
        "when": when,
        "then": then,
        "because": f"{name} says so",
        "source": ["x"],
        **more,
    }


def lever(name: str, works_on: list[str], **more: Any) -> dict[str, Any]:
    """Return a lever."""
    return {"id": name, "title": name, "moves": "bytes", "works_on": works_on, "how": "x", "verify_by": "y", **more}


def _resolved(sections: dict[str, Any]) -> tuple[Base, list[Message]]:
    data = {**ENGINE, "bottlenecks": BOTTLENECKS, **sections}
    data["thresholds"] = [*ENGINE["thresholds"], *sections.get("thresholds", [])]
    document, said = read_yaml(json.dumps(data), file="base.yaml")
    assert document is not None
    found: dict[str, list[Any]] = {section: [] for section in SECTIONS}
    broken = collect(document, found, said)
    built, problems = resolve(found, "print", CATALOGUE, broken)
    return built, [*said, *problems, *check(built, found)]


def messages(**sections: Any) -> list[Message]:
    """Return everything that is said of a base."""
    return _resolved(sections)[1]


def base(**sections: Any) -> Base:
    """Return a base; what the checks of meaning say of it is left out, all else must be right."""
    built, said = _resolved(sections)
    shape = [m for m in said if m.code not in ("untested", "irrefutable", "unreachable", "not-decisive")]
    assert not has_errors(shape), "\n".join(map(str, shape))
    return built


def complaints(*codes: str, **sections: Any) -> list[str]:
    """Return the texts of what is wrong with a base, of the codes that are asked for."""
    return [m.text for m in messages(**sections) if not codes or m.code in codes]


def seen(measurement: str, value: Any, basis: str = "tool", **more: Any) -> Observation:
    """Return an observation of a number, a pair of bounds or a word."""
    if isinstance(value, tuple):
        value = Interval(*value)
    elif isinstance(value, int | float):
        value = Interval.point(value)
    scope = tuple(sorted(more.pop("scope", {}).items()))
    origin = more.pop("origin", ORIGIN)
    return Observation(measurement=measurement, value=value, basis=Basis(basis), scope=scope, origin=origin, **more)


def tools(**values: Any) -> tuple[Observation, ...]:
    """Return observations as a tool gives them, by measurement."""
    return tuple(seen(name, value) for name, value in values.items())


def incident(*observations: Observation, **more: Any) -> Incident:
    """Return an incident. ``planned`` are levers, ``tried`` maps levers to effects, ``target`` is a mapping."""
    if "planned" in more:
        more["planned"] = tuple(Planned(lever=name, origin=ORIGIN) for name in more["planned"])
    if "tried" in more:
        more["tried"] = tuple(
            Tried(lever=name, effect=Interval.point(effect) if isinstance(effect, float) else effect, origin=ORIGIN)
            for name, effect in more["tried"].items()
        )
    if "target" in more:
        more["target"] = Target(**more["target"])
    return Incident(id="i", file="test", observations=observations, **more)


def run(built: Base, *observations: Observation, **more: Any) -> Evaluated:
    """Evaluate an incident with the bit executor."""
    return evaluate(built, incident(*observations, **more), BitExecutor(built.program))


def fired(evaluated: Evaluated) -> dict[str, str]:
    """Return the rules that fired, each with its strength."""
    return {firing.rule: firing.strength.value for firing in evaluated.firings}


def statuses(evaluated: Evaluated) -> dict[str, str]:
    """Return the status of every hypothesis."""
    return dict(evaluated.standings.status)
