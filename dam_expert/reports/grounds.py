"""The evidence behind the verdict: which rules, which of their conditions, with the values that these saw."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dam_expert.engine.interventions import STALE
from dam_expert.reports.pictures import Node, Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.diagnosis import Diagnosis, Evidence, HypothesisReport, ProofNode
    from dam_expert.reports.glossary import Glossary
    from dam_expert.reports.model import Quote

_STRENGTH = {"confirm": 0, "refute": 0, "support": 1, "weaken": 1, "suggest": 2}
_STRONGEST = 3


def leading(diagnosis: Diagnosis) -> HypothesisReport | None:
    """Return the binding hypothesis with evidence of its own, else the first ranked one that has any."""
    named = diagnosis.binding.hypothesis if diagnosis.binding else None
    ranked = sorted(diagnosis.hypotheses, key=lambda each: each.id != named)
    return next((each for each in ranked if each.evidence_for), None)


def strongest(hypothesis: HypothesisReport) -> list[Evidence]:
    """Return the three strongest pieces of evidence for a hypothesis."""
    return sorted(hypothesis.evidence_for, key=lambda each: _STRENGTH[each.strength])[:_STRONGEST]


def true_leaves(node: ProofNode) -> Iterator[ProofNode]:
    """Yield the comparisons under a condition that hold."""
    if node.children:
        for child in node.children:
            yield from true_leaves(child)
    elif node.truth == "true":
        yield node


def stale_names(diagnosis: Diagnosis) -> frozenset[str]:
    """Return the measurements of which a value is older than the last change that was kept."""
    return frozenset(each.measurement for each in diagnosis.observations if each.reason == STALE)


def leaf_text(leaf: ProofNode, words: Glossary, stale: frozenset[str] = frozenset()) -> str:
    """Write one comparison with the value it saw, the threshold it was held against, and where the value is from.

    A value that rests on one of the ``stale`` measurements is marked: it is none of the present.
    """
    measurement, text = seen(leaf, words)
    if leaf.threshold is not None:
        text += f" ({_limit(leaf, measurement, words)})"
    places = dict.fromkeys(each.removeprefix(measurement).partition("from ")[2] or each for each in leaf.observations)
    text = words.say("leaf.from", text=text, places=", ".join(places)) if places else text
    older = any(re.split(r" from | \[", each, maxsplit=1)[0] in stale for each in leaf.observations)
    return text + words.say("session.stale") if older else text


def leaf_quotes(leaf: ProofNode, words: Glossary) -> tuple[Quote, ...]:
    """Return what of a written comparison is not in the language of the report: the rule's words and citations."""
    sources = [] if leaf.threshold is None else leaf.threshold.source
    _, _, comparison = " ".join(leaf.text.split()).partition(" ")
    return words.quotes([*sources, comparison])


def seen(leaf: ProofNode, words: Glossary) -> tuple[str, str]:
    """Return the measurement of a comparison, which is its first word, and the comparison with the value it saw."""
    measurement, blank, comparison = " ".join(leaf.text.split()).partition(" ")
    value = "" if leaf.value is None else f" ({words.value(measurement, leaf.value)})"
    return measurement, f"{measurement}{value}{blank}{comparison}"


def _limit(leaf: ProofNode, measurement: str, words: Glossary) -> str:
    """Write the threshold of a comparison: its value, whether it decides, and its sources."""
    threshold = leaf.threshold
    if threshold is None:
        return ""
    value = words.value(measurement, threshold.value)
    grade = words.say(f"grade.{threshold.grade}")
    sources = words.say("semicolon").join(map(words.text, threshold.source))
    return words.say("leaf.sourced" if sources else "leaf.plain", value=value, grade=grade, sources=sources)


def evidence_tree(diagnosis: Diagnosis, first: HypothesisReport, words: Glossary) -> Tree:
    """Return the proof as a tree: the hypothesis, the rules that speak for it, what these saw."""
    rules = tuple(_rule_node(diagnosis, evidence, words) for evidence in strongest(first))
    title = words.text(first.title)
    root = Node(kind=first.status, text=title, note=words.say(f"standing.{first.status}"), children=rules)
    return Tree(alt=words.say("alt.tree", title=words.sentence(first.title), n=len(rules)), root=root)


def _rule_node(diagnosis: Diagnosis, evidence: Evidence, words: Glossary) -> Node:
    step = next((step for step in diagnosis.proof if step.rule == evidence.rule), None)
    leaves = () if step is None else tuple(_leaf_node(leaf, words) for leaf in true_leaves(step.conditions))
    verb = words.say(f"verb.{evidence.strength}")
    return Node(
        kind=evidence.strength, text=words.text(evidence.because), note=f"{verb} {evidence.rule}", children=leaves
    )


def _leaf_node(leaf: ProofNode, words: Glossary) -> Node:
    measurement, comparison = seen(leaf, words)
    title = words.title(measurement)
    limit = "" if leaf.threshold is None else f" ({words.value(measurement, leaf.threshold.value)})"
    value = "" if leaf.value is None else words.value(measurement, leaf.value)
    text = words.say("joined", label=title, text=value) if value else title
    return Node(kind=leaf.truth, text=text, note=" ".join(leaf.text.split()) + limit if leaf.threshold else comparison)
