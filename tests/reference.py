"""The slow, obvious reference: evaluates a base as it stands in YAML, sharing no code with the program.

It reads the plain data of rules and the plain values of an incident, and says which symptoms hold and which rules
fire, with Kleene's logic written out. Executors must agree with it on every base and incident.

A value is ``(lo, hi, basis)`` or ``(word, basis)``; an incident is a mapping of measurement to value.
"""

from __future__ import annotations

from typing import Any

TRUE, UNKNOWN, FALSE = "true", "unknown", "false"
OPPOSITE = {TRUE: FALSE, FALSE: TRUE, UNKNOWN: UNKNOWN}
SANITY = ("reject", "doubt")
EVIDENCE = ("suggest", "support", "weaken", "refute", "confirm")
ADVICE = ("flag", "recommend", "warn", "ask")


class Reference:
    """One incident against one base, stage by stage."""

    def __init__(self, base: dict[str, list[dict[str, Any]]], incident: dict[str, tuple[Any, ...]]) -> None:
        self.base = base
        self.measurements = {entry["id"]: entry for entry in base["measurements"]}
        self.thresholds = {entry["id"]: entry for entry in base["thresholds"]}
        self.observed = dict(incident)
        self.values = dict(incident)
        self.statuses: dict[str, str] = {}
        self.contested: set[str] = set()
        self.symptoms: dict[str, str] = {}
        self.fired: dict[str, str] = {}
        self.run()

    def run(self) -> None:
        self.derive(set())
        for rule in self.rules(SANITY):
            self.fire(rule, strict=False)
        fired = [rule for rule in self.rules(SANITY) if rule["id"] in self.fired]
        doubted = {name for rule in fired for name in named(rule, "doubt")}
        rejected = {name for rule in fired for name in named(rule, "reject")}
        self.believe(doubted, rejected)
        beyond = self.beyond()
        if beyond:
            self.believe(doubted | beyond, rejected)
        for symptom in self.base["symptoms"]:
            self.symptoms[symptom["id"]] = self.tree(symptom["when"], strict=False)
        for rule in self.rules(EVIDENCE):
            self.fire(rule, strict=bool(named(rule, "confirm") or named(rule, "refute")))
        self.judge()
        for rule in self.rules(ADVICE):
            self.fire(rule, strict=False)

    def rules(self, verbs: tuple[str, ...]) -> list[dict[str, Any]]:
        rules = [rule for rule in self.base["rules"] if rule.get("status") != "draft"]
        return [rule for rule in rules if any(verb in rule["then"] for verb in verbs)]

    def fire(self, rule: dict[str, Any], *, strict: bool) -> None:
        if self.tree(rule["when"], strict=strict) != TRUE:
            return
        exceptions = [self.tree(name, strict=False) for name in rule.get("unless", [])]
        if TRUE in exceptions:
            return
        self.fired[rule["id"]] = "reduced" if strict and UNKNOWN in exceptions else "full"

    def believe(self, doubted: set[str], rejected: set[str]) -> None:
        """Take what was observed as it is believed, and derive the rest from it."""
        self.contested = set()
        self.values = {
            name: (*value[:-1], "said") if name in doubted else value
            for name, value in self.observed.items()
            if name not in rejected
        }
        self.derive(doubted)

    def beyond(self) -> set[str]:
        """Return what belongs to a whole that its parts exceed, with what derived measurements are made of."""
        found: set[str] = set()
        for entry in self.base["wholes"]:
            least = {part: self.values[part][0] for part in entry["parts"] if part in self.values}
            if entry["whole"] in self.measurements:
                if entry["whole"] not in self.values:
                    continue
                room = self.values[entry["whole"]][1] * 1.1
            else:
                room = float(entry["whole"]) * 1.1
            taking = {part: low for part, low in least.items() if low > 0}
            if entry["overlap"]:
                taking = {part: low for part, low in taking.items() if low > room}
            if sum(taking.values()) > room:
                found |= {entry["whole"], *taking}
        for name in found & self.measurements.keys():
            found |= set(self.measurements[name].get("formula", "").split())
        return found & self.measurements.keys()

    def derive(self, doubted: set[str]) -> None:
        """Compute derived measurements, which the generator writes as ``a + b`` or ``a / b`` over observed ones."""
        for name, entry in self.measurements.items():
            if "formula" not in entry:
                continue
            first, sign, second = entry["formula"].split()
            if first not in self.values or second not in self.values:
                continue
            (a, b, x), (c, d, y) = self.values[first], self.values[second]
            basis = next(basis for basis in ("said", "reported", "tool") if basis in (x, y))
            if sign == "+":
                made = (a + c, b + d, basis)
            elif c > 0:
                made = (a / d, b / c, basis)
            else:
                continue
            if name in doubted:
                made = (*made[:-1], "said")
            if name not in self.values:
                self.values[name] = made
            elif self.apart(name, made) and (basis == "tool" or self.values[name][-1] != "tool"):
                self.contested |= {name} if made[-1] != "said" and self.solid(first) and self.solid(second) else set()

    def apart(self, name: str, made: Any) -> bool:
        """Whether an observed value is further from the formula's than a tenth of the larger one."""
        low, high, _ = self.values[name]
        return max(low - made[1], made[0] - high) > 0.1 * max(low, high, made[0], made[1])

    def tree(self, tree: Any, *, strict: bool) -> str:
        if isinstance(tree, str):
            return self.leaf(tree, strict=strict)
        ((key, inside),) = tree.items()
        if key == "not":
            return OPPOSITE[self.tree(inside, strict=strict)]
        children = [self.tree(child, strict=strict) for child in (inside["of"] if key == "at_least" else inside)]
        needed = {"all": len(children), "any": 1}.get(key) or inside["n"]
        if children.count(TRUE) >= needed:
            return TRUE
        return UNKNOWN if children.count(TRUE) + children.count(UNKNOWN) >= needed else FALSE

    def leaf(self, text: str, *, strict: bool) -> str:
        symptom = next((entry for entry in self.base["symptoms"] if entry["id"] == text), None)
        if symptom is not None:
            return self.tree(symptom["when"], strict=strict)
        words = text.split()
        if words[0] in ("known", "unknown"):
            return TRUE if (words[1] in self.values) == (words[0] == "known") else FALSE
        if words[0] in self.statuses:
            return TRUE if self.statuses[words[0]] == words[2] else FALSE
        name, operator, operand = words[0], words[1], words[2]
        if name not in self.values:
            return UNKNOWN
        value = self.values[name]
        truth = self.compare(value, operator, operand)
        solid = self.solid(name) and (operand not in self.values or self.solid(operand))
        return UNKNOWN if strict and not solid and self.decides(name, operand) else truth

    def solid(self, name: str) -> bool:
        """Whether a value may carry a decision: well enough known, and not made of one that is not."""
        measurement, basis = self.measurements[name], self.values[name][-1]
        if (
            name in self.contested
            or measurement.get("weak")
            or basis == "said"
            or (basis == "reported" and measurement.get("needs_tool"))
        ):
            return False
        if "formula" not in measurement or name in self.observed:
            return True
        first, _, second = measurement["formula"].split()
        return self.solid(first) and self.solid(second)

    def decides(self, name: str, operand: str) -> bool:
        kind = self.measurements[name].get("decides")
        if kind is None or self.measurements.get(operand, {}).get("weak"):
            return False
        if operand in self.thresholds:
            return self.thresholds[operand]["grade"] == "decisive" and kind != "state"
        return operand in self.measurements or kind == "state"

    def compare(self, value: tuple[Any, ...], operator: str, operand: str) -> str:
        if operator == "is":
            return TRUE if value[0] == operand else FALSE
        if operand in self.measurements:
            if operand not in self.values:
                return UNKNOWN
            limits = [self.values[operand][:2]]
        elif operand in self.thresholds:
            limits = self.limits(self.thresholds[operand])
        else:
            limits = [(float(operand), float(operand))]
        answers = {inside(value[0], value[1], operator, low, high) for low, high in limits}
        return answers.pop() if len(answers) == 1 else UNKNOWN

    def limits(self, threshold: dict[str, Any]) -> list[tuple[float, float]]:
        """All values that a threshold may have; none at all where perhaps no scope holds, which makes it unknown."""
        if "value" in threshold:
            return [(threshold["value"], threshold["value"])]
        possible = []
        for alternative in threshold["values"]:
            truth = self.tree(alternative["when"], strict=False) if "when" in alternative else TRUE
            if truth != FALSE:
                possible.append((alternative["value"], alternative["value"]))
            if truth == TRUE:
                return possible
        return []

    def judge(self) -> None:
        parents = {entry["id"]: entry.get("parent") for entry in self.base["hypotheses"]}

        def above(name: str) -> list[str]:
            return [parents[name], *above(parents[name])] if parents[name] else []

        confirmed, refuted, groups = set(), set(), {}
        for rule in self.rules(EVIDENCE):
            if rule["id"] not in self.fired:
                continue
            soft = self.fired[rule["id"]] == "reduced" or rule.get("status") == "test"
            for verb in EVIDENCE:
                for name in named(rule, verb):
                    points = {"suggest": 1, "support": 2, "weaken": -2}.get(verb, 0)
                    if verb == "confirm" and not soft:
                        confirmed |= {name, *above(name)}
                    elif verb == "refute" and not soft:
                        refuted |= {other for other in parents if other == name or name in above(other)}
                    elif verb in ("confirm", "refute"):
                        points = 2 if verb == "confirm" else -2
                    groups.setdefault(name, {}).setdefault(rule["group"], []).append(points)
        for name in parents:
            both = (name in confirmed, name in refuted)
            score = sum(max([0, *points]) + min([0, *points]) for points in groups.get(name, {}).values())
            self.statuses[name] = {
                (True, True): "conflicting",
                (True, False): "confirmed",
                (False, True): "refuted",
            }.get(both, "supported" if score >= 2 else "candidate")


def named(rule: dict[str, Any], verb: str) -> list[str]:
    ids = rule["then"].get(verb, [])
    return [ids] if isinstance(ids, str) else ids


def inside(low: float, high: float, operator: str, least: float, most: float) -> str:
    """Compare every value of one range with every value of another."""
    import operator as operators

    how = {"<": operators.lt, "<=": operators.le, ">": operators.gt, ">=": operators.ge}[operator]
    answers = {how(a, b) for a in (low, high) for b in (least, most)}
    return UNKNOWN if len(answers) == 2 else TRUE if answers.pop() else FALSE
