"""What was tried or is planned, and what it changed: a lever of the base beside a word for its effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.documents.incident import Effect, Planned, Tried

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement

_EFFECTS = {"nothing": Effect.NOTHING, "worse": Effect.WORSE, "helped": Effect.HELPED}
_COMPARED = {
    "compared_same": Effect.NOTHING,
    "compared_worse": Effect.WORSE,
    "compared_better": Effect.HELPED,
}


def read_attempts(sentence: Sequence[Statement], passage: Passage, collected: Collected) -> None:
    """Take the levers of one sentence with their effect, or as planned; a question or a condition states neither."""
    if any(each.is_question for each in sentence):
        return
    levers = [(each, mention) for each in sentence for mention in collected.vocabulary.levers.find(each.words)]
    if not levers:
        return
    effect = _effect(sentence)
    known = {each.lever for each in collected.tried} | {each.lever for each in collected.planned}
    for statement, mention in levers:
        origin = collected.origin(passage, mention.start)
        if mention.meaning in known or statement.is_conditional or statement.has("elsewhere"):
            continue
        if effect is not None:
            collected.tried.append(Tried(lever=mention.meaning, effect=effect, origin=origin))
        elif any(each.has("planned") for each in sentence):
            collected.planned.append(Planned(lever=mention.meaning, origin=origin))
        else:
            continue
        known.add(mention.meaning)
        collected.mark(passage, mention.start, mention.end)


def _effect(sentence: Sequence[Statement]) -> Effect | None:
    """Return the effect that a sentence states: the longest of its marks counts, and a negated help is none."""
    effects = {**_EFFECTS, **_COMPARED} if any(each.has("tried") for each in sentence) else _EFFECTS
    best: tuple[int, Effect] | None = None
    for statement in sentence:
        for mention in statement.marks:
            effect = effects.get(mention.meaning)
            if effect is None:
                continue
            if effect is Effect.HELPED and statement.negated(mention.first):
                effect = Effect.NOTHING
            size = mention.after - mention.first
            if best is None or size > best[0]:
                best = (size, effect)
    return None if best is None else best[1]
