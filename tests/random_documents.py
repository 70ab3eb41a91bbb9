"""Random incident documents on a base, in every form that a document may take; the same seed, the same ones."""

from __future__ import annotations

import random
from typing import Any

from dam_expert.kb.base import Base, Measurement


class Documents:
    """Draws documents. ``rich``: scopes, long forms, hedges, targets, plans, attempts and interventions as well."""

    def __init__(self, base: Base, seed: int) -> None:
        self.base = base
        self.random = random.Random(seed)
        self.measurements = list(base.measurements.values())
        self.levers = list(base.levers)
        self.rates = [m for m in self.measurements if not m.name.is_word]

    def plain(self, number: int, least: int = 15, most: int = 30) -> dict[str, Any]:
        """Draw a canonical document: bare numbers and words, one value a measurement."""
        count = self.random.randint(least, most)
        return {
            "schema": "dam-incident/1",
            "id": f"incident-{number}",
            "observations": {m.id: self.value(m) for m in self.random.sample(self.measurements, count)},
        }

    def rich(self, number: int) -> dict[str, Any]:
        """Draw a document in which anything may stand."""
        document = self.plain(number, 0, 25)
        values = document["observations"]
        for name in list(values):
            if self.random.random() < 0.4:
                values[name] = self.other(self.base.measurements[name], values[name])
        for m in self.random.sample(self.rates, self.random.randint(0, 3)):
            key = self.random.choice([m.model.per or "stage", "rank", "phase"])
            for member in range(self.random.randint(1, 3)):
                values[f"{m.id}[{key}={member}]"] = self.value(m)
        if self.random.random() < 0.5:
            document["target"] = self.target()
        if self.random.random() < 0.3:
            document["planned_actions"] = self.random.sample(self.levers, 2)
        if self.random.random() < 0.3:
            effects = [1.0, 1.3, "2x", "helped", "nothing", "worse", None]
            document["tried"] = [
                {"lever": lever, "effect": self.random.choice(effects)} for lever in self.random.sample(self.levers, 2)
            ]
        if self.random.random() < 0.15:
            document["interventions"] = [self.intervention()]
        if self.random.random() < 0.1:
            values[self.random.choice(["no_such_thing", "input gap", "loss["])] = 3
        if self.random.random() < 0.2:
            document["environment"] = {"accelerator": self.random.choice(["H100", "a100-sxm4-80gb", "MI300X", "x"])}
        return document

    def value(self, m: Measurement) -> Any:
        """Draw a value that the measurement can have."""
        if m.name.is_word:
            if str(m.model.kind) == "flag":
                return self.random.choice(["true", "false"])
            return self.random.choice(sorted(m.name.listed) or ["H100", "bf16", "pytorch", "something"])
        low, high = (0.0, 10.0) if m.range is None else (m.range.lo, m.range.hi)
        low, high = max(low, -50.0), min(high, 1e3)
        if str(m.model.kind) == "share":
            high = min(high, 1.0)
        return round(self.random.uniform(low, high), self.random.choice([1, 3, 6]))

    def other(self, m: Measurement, value: Any) -> Any:
        """Draw another way to give it, or something that cannot be one."""
        if m.name.is_word:
            long: list[Any] = [{"value": value, "basis": "said"}, value.upper(), "unknown", None, "N/A", 3]
            long += [self.told(value)]
            return self.random.choice(long)
        higher = value + abs(self.value(m))
        return self.random.choice(
            [
                {"value": value, "basis": self.random.choice(["tool", "said", "reported"])},
                [value, higher],
                f"{value}",
                f"about {value}",
                f"> {value}",
                "low",
                "unknown",
                -1e30,
                {"value": value, "when": self.random.choice(["2026-01-02T03:04:05Z", "2031-01-02T03:04:05Z"])},
                [{"value": value, "basis": "tool"}, {"value": higher, "basis": "tool"}],
                {"value": value, "source": {"file": "x.txt", "tool": "nvidia_dmon"}, "basis": "tool"},
                self.told(value),
            ]
        )

    def told(self, value: Any) -> dict[str, Any]:
        """Draw what may stand beside a value: the words it was given in, a remark, and who said it."""
        given = self.random.choice([None, "on my laptop", "5 years ago", f"vendor says {value}", f"{value}"])
        source: Any = self.random.choice([None, "ChatGPT", "train.log", {"detail": "my memory"}, {"file": "a.log"}])
        long = {"value": value, "given": given, "source": source}
        return {key: each for key, each in long.items() if each is not None}

    def target(self) -> dict[str, Any]:
        """Draw a target."""
        m = self.random.choice(self.rates)
        named = self.random.choice([m.id, "p99 latency", "step_time", None])
        drawn = {
            "metric": named,
            "wanted": self.random.choice([self.value(m), None]),
            "actual": self.random.choice([self.value(m), None]),
            "track": self.random.choice(["time", "cost", "fit", "quality", None, None]),
        }
        return {key: value for key, value in drawn.items() if value is not None}

    def intervention(self) -> dict[str, Any]:
        """Draw an intervention."""
        chosen = self.random.sample(self.rates, 2)
        return {
            "lever": self.random.choice(self.levers),
            "kept": self.random.choice([True, False]),
            "before": {"step_time": 2.0},
            "after": {"step_time": 1.0} | {m.id: self.value(m) for m in chosen},
        }
