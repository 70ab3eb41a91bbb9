"""Explanations: why something is asked, how something was concluded, why it was not, and what would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.engine.interventions import STALE
from dam_expert.engine.proof import origin_text, step
from dam_expert.engine.waiting import open_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.diagnosis import ProofNode
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.base import Rule
    from dam_expert.reports import Glossary

_MOST_RULES = 4


def why(evaluated: Evaluated, words: Glossary, measurement: str, level: int) -> list[str]:
    """Explain a question: the rules that wait for it, what is known of them, and what the answer could change.

    Asked again, it climbs from the hypothesis to its parent, and from there to the loop of diagnosis.
    """
    base = evaluated.base
    waiting = [one for one in open_rules(evaluated) if measurement in one.lacking]
    if not waiting:
        return [
            "It was asked for by a rule of advice, or could be known at little cost; no open rule hangs on it alone."
        ]
    if level > 0:
        return _climbed(evaluated, waiting[0].hypothesis, level)
    lines = []
    for one in waiting[:_MOST_RULES]:
        rule = base.rules[one.rule]
        title = base.hypotheses[one.hypothesis].model.title
        lines.append(f"To {one.verb} '{title}': {rule.model.title} ({rule.id})")
        lines += [f"    {text}" for text in told(step(evaluated, rule, "full").conditions, words)]
    if len(waiting) > _MOST_RULES:
        lines.append(f"and {len(waiting) - _MOST_RULES} more rules")
    return lines


def _climbed(evaluated: Evaluated, hypothesis: str, level: int) -> list[str]:
    base = evaluated.base
    line = [hypothesis, *base.hypotheses[hypothesis].ancestors]
    if level <= len(line):
        model = base.hypotheses[line[level - 1]].model
        return [model.statement, f"Confirmed by: {model.confirmed_by}", f"Falsified by: {model.falsified_by}"]
    return [
        "To find the one constraint that binds: state the miss, locate the axis, test the hypothesis with a "
        "measurement that could refute it, intervene, and measure again."
    ]


def how(evaluated: Evaluated, words: Glossary, name: str) -> list[str]:
    """Tell how a hypothesis came to its status, or where a measurement's value comes from."""
    base = evaluated.base
    if name in base.measurements:
        return _how_measured(evaluated, words, name)
    pieces = [piece for piece in evaluated.standings.pieces if piece.hypothesis == name]
    lines = [f"{base.hypotheses[name].model.title}: {evaluated.standings.status[name]}"]
    for piece in pieces:
        if piece.rule not in base.rules:
            lines.append(f"  {piece.verb}: it was tried and did not help ({piece.rule})")
            continue
        rule = base.rules[piece.rule]
        lines.append(f"  {piece.verb}: {rule.model.because} ({rule.id}, {rule.place})")
        lines += [f"    {text}" for text in told(step(evaluated, rule, "full").conditions, words)]
    children = [child for child in base.hypotheses[name].children if evaluated.standings.status[child] == "confirmed"]
    lines += [f"  through its cause: {base.hypotheses[child].model.title}" for child in children]
    if not pieces and not children:
        lines.append("  no rule has spoken of it")
    return lines


def _how_measured(evaluated: Evaluated, words: Glossary, name: str) -> list[str]:
    found = [o for o in evaluated.now.observations if o.measurement == name]
    lines = [f"{evaluated.base.measurements[name].model.title}:"]
    for one in found:
        stale = f" ({STALE})" if one in evaluated.now.stale else ""
        lines.append(f"  {one.given or _shown(one.value, words, name)} from {origin_text(one)}, {one.basis}{stale}")
    rejected = [r for r in evaluated.columns.rejections if r.observation.measurement == name]
    lines += [f"  not used, {r.observation.origin}: {r.reason}" for r in rejected]
    formula = evaluated.base.measurements[name].model.formula
    if formula is not None:
        lines.append(f"  derived: {formula}")
    return lines if len(lines) > 1 else [*lines, "  nothing is known of it"]


def _shown(value: object, words: Glossary, name: str) -> str:
    from dam_expert.documents.diagnosis import extent
    from dam_expert.documents.intervals import Interval

    return words.value(name, extent(value)) if isinstance(value, Interval) else str(value)


def why_not(evaluated: Evaluated, words: Glossary, name: str) -> list[str]:
    """Tell why a hypothesis is not confirmed, or why a rule did not fire: what is false, and what is only unknown."""
    base = evaluated.base
    if name in base.rules:
        return _why_not_rule(evaluated, words, base.rules[name])
    fired = {firing.rule for firing in evaluated.firings}
    rules = [rule for rule in base.rules.values() if ("confirm", name) in rule.conclusions and rule.id not in fired]
    if evaluated.standings.status[name] == "confirmed":
        return [f"It is confirmed; ask 'how {name}'."]
    refuting = [piece for piece in evaluated.standings.pieces if piece.hypothesis == name and piece.verb == "refute"]
    lines = [f"refuted by {piece.rule}: {base.rules[piece.rule].model.because}" for piece in refuting]
    for rule in rules:
        lines += _why_not_rule(evaluated, words, rule)
    return lines or ["No rule confirms it."]


def _why_not_rule(evaluated: Evaluated, words: Glossary, rule: Rule) -> list[str]:
    told_step = step(evaluated, rule, "full")
    lines = [f"{rule.id}: {rule.model.title}"]
    for truth in ("false", "unknown"):
        leaves = [leaf for leaf in _leaves(told_step.conditions) if leaf.truth == truth]
        lines += [f"  {truth}: {_leaf(leaf, words)}" for leaf in leaves]
    for exception in told_step.unless:
        if exception.truth != "false":
            lines.append(f"  exception {exception.truth}: {exception.text}")
    return lines


def _leaves(node: ProofNode) -> Iterator[ProofNode]:
    if not node.children:
        yield node
    for child in node.children:
        yield from _leaves(child)


def told(node: ProofNode, words: Glossary, depth: int = 0) -> list[str]:
    """Write a condition with the truth of every part, one a line, indented by depth."""
    mark = {"true": "+", "false": "-", "unknown": "?"}[node.truth]
    text = _leaf(node, words) if not node.children else node.text
    lines = ["  " * depth + f"{mark} {text}"]
    for child in node.children:
        lines += told(child, words, depth + 1)
    return lines


def _leaf(node: ProofNode, words: Glossary) -> str:
    name = node.text.split()[0]
    actual = "" if node.value is None else f" (is {words.value(name, node.value)})"
    needed = ""
    if node.threshold is not None:
        needed = f" [{node.threshold.id} = {words.value(name, node.threshold.value)}]"
    return f"{node.text}{actual}{needed}"


def differences(before: Evaluated, after: Evaluated) -> list[str]:
    """Tell what differs between two verdicts: the status, what binds, and every hypothesis that moved."""
    base = before.base
    lines = [f"now:  {_verdict(before)}", f"then: {_verdict(after)}"]
    for name in after.verdict.ranked:
        old, new = before.standings.status[name], after.standings.status[name]
        if old != new:
            lines.append(f"  {base.hypotheses[name].model.title}: {old} -> {new}")
        elif before.standings.score[name] != after.standings.score[name]:
            score = f"{before.standings.score[name]:+d} -> {after.standings.score[name]:+d}"
            lines.append(f"  {base.hypotheses[name].model.title}: score {score}")
    return lines if len(lines) > 2 else [*lines, "  nothing moves"]


def _verdict(evaluated: Evaluated) -> str:
    verdict = evaluated.verdict
    named = verdict.binding or verdict.leading
    title = "" if named is None else f", {evaluated.base.hypotheses[named].model.title}"
    return f"{verdict.status}{title}"
