"""Conditions in plain words: every part with its truth, the value that it saw, and what it needs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.reports.model import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.diagnosis import ProofNode, ProofStep
    from dam_expert.kb.base import Base
    from dam_expert.reports import Glossary

_MARKS: Final = {"true": "✓", "false": "✗", "unknown": "?"}
_SIGNS: Final = {">=": "≥", "<=": "≤", "is": "=", "is-not": "≠"}
_AT_LEAST: Final = re.compile(r"at least (\d+) of")


def told(node: ProofNode, base: Base, words: Glossary, depth: int = 0) -> Iterator[Line]:
    """Yield a condition with the truth of every part, one a line, indented by depth.

    A symptom that is known is one line with its title; only what is unknown or decides is taken apart.
    """
    mark = _MARKS[node.truth]
    if not node.children:
        yield Line(leaf(node, words), mark=mark, depth=depth)
        return
    yield Line(_joined(node, base, words), mark=mark, depth=depth)
    for child in node.children:
        yield from told(child, base, words, depth + 1)


def _joined(node: ProofNode, base: Base, words: Glossary) -> str:
    several = _AT_LEAST.fullmatch(node.text)
    if several:
        return words.say("session.join.at_least", n=several[1])
    if node.text in ("all of", "any of", "not"):
        return words.say(f"session.join.{node.text.replace(' ', '_')}")
    symptom = base.symptoms.get(node.text)
    return node.text if symptom is None else words.sentence(symptom.title)


def leaf(node: ProofNode, words: Glossary) -> str:
    """Write one comparison: what is measured, what it is, and what is needed."""
    name, _, needed = " ".join(node.text.split()).partition(" ")
    if (
        not needed
        or name in ("known", "unknown", "planned", "binding")
        or (node.value is None and not _measured(name, words))
    ):
        return node.text
    sign, _, operand = needed.partition(" ")
    if node.threshold is not None:
        operand = words.value(name, node.threshold.value)
    needed = f"{_SIGNS.get(sign, sign)} {operand}"
    if node.value is None:
        return words.say("session.leaf.unknown", title=words.title(name), needed=needed, name=name)
    return words.say("session.leaf.known", title=words.title(name), value=words.value(name, node.value), needed=needed)


def _measured(name: str, words: Glossary) -> bool:
    return words.title(name) != name


def failing(step: ProofStep, base: Base, words: Glossary) -> Iterator[Line]:
    """Yield what keeps a rule from firing: what is false, then what is only unknown, then its exceptions."""
    for truth in ("false", "unknown"):
        for node in _leaves(step.conditions):
            if node.truth == truth:
                label = words.say(f"session.truth.{truth}")
                yield Line(words.say("joined", label=label, text=leaf(node, words)), mark=_MARKS[truth], depth=1)
    for node in step.unless:
        if node.truth != "false":
            label = words.say(f"session.exception.{node.truth}")
            yield Line(words.say("joined", label=label, text=_joined(node, base, words)), mark="!", depth=1)


def _leaves(node: ProofNode) -> Iterator[ProofNode]:
    if not node.children:
        yield node
    for child in node.children:
        yield from _leaves(child)
