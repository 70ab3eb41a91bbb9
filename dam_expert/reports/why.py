"""Why a rule fired or not, in lines: its conditions, what stands in its way, and what would turn it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports.grounds import leaf_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.diagnosis import ProofNode
    from dam_expert.engine.why import Obstacle, Why
    from dam_expert.reports.glossary import Glossary

_MARKS = {"true": "✓", "false": "✗", "unknown": "?"}


def why_lines(why: Why, words: Glossary) -> Iterator[str]:
    """Yield the explanation, one line after the other. Conditions stay in the language of rules, ids as they are."""
    yield words.say(f"why.{why.outcome}", rule=why.rule)
    if why.status != "stable":
        yield f"  {words.say('why.status', status=why.status)}"
    conclusions = ", ".join(why.step.conclusions)
    yield f"  {words.say('why.about', title=words.text(why.title), conclusions=conclusions, place=why.step.place)}"
    yield ""
    yield words.say("why.conditions")
    yield from _tree(why.step.conditions, words, 1)
    for exception in why.step.unless:
        yield f"  {words.say('why.unless')}"
        yield from _tree(exception, words, 2)
    for title, unknown in (("why.false", False), ("why.unknown", True)):
        found = [each for each in why.obstacles if each.is_unknown is unknown]
        if found:
            yield ""
            yield words.say(title)
            for each in found:
                yield from _obstacle(each, words)
    yield ""
    yield from _changes(why, words)


def _tree(node: ProofNode, words: Glossary, depth: int) -> Iterator[str]:
    text = node.text if node.children else leaf_text(node, words)
    yield f"{'  ' * depth}{_MARKS[node.truth]} {text}"
    for child in node.children:
        yield from _tree(child, words, depth + 1)


def _obstacle(each: Obstacle, words: Glossary) -> Iterator[str]:
    column = each.leaf.text.split(" ")[0]
    actual = words.say("why.not_measured") if each.leaf.value is None else words.value(column, each.leaf.value)
    needed = each.leaf.text if each.wanted else words.say("why.negated", leaf=each.leaf.text)
    if each.leaf.threshold is not None:
        needed = words.say("why.limit", needed=needed, limit=words.value(column, each.leaf.threshold.value))
    where = "" if each.part == "when" else words.say("why.exception")
    yield f"  {words.say('why.obstacle', column=column, actual=actual, needed=needed)}{where}"
    if each.reason:
        yield f"    {words.say('why.reason', reason=words.text(each.reason))}"
    if each.leaf.observations:
        places = ", ".join(_observed(text, words) for text in each.leaf.observations)
        yield f"    {words.say('why.from', places=places)}"


def _observed(text: str, words: Glossary) -> str:
    """Write what was observed and where; the engine says ``measurement [scope] from file:line (tool)``."""
    measurement, between, place = text.partition(" from ")
    return words.say("why.observed", measurement=measurement, place=place) if between else text


def _changes(why: Why, words: Glossary) -> Iterator[str]:
    key = "why.stopped_by" if why.outcome == "fires" else "why.fired_by"
    if not why.changes:
        yield words.say(f"{key}_none")
        return
    yield words.say(key)
    for each in why.changes:
        now = words.say("why.not_measured") if not each.now else words.text(each.now)
        yield f"  {words.say('joined', label=words.text(each.what), text=f'{now} → {words.text(each.to)}')}"
