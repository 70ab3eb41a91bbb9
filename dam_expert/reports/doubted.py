"""What was given and cannot be believed as it stands: values that contradict each other, and what to measure again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.reports.model import Line, Tone
from dam_expert.reports.phrasing import capital

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.diagnosis import Diagnosis, ProofNode, ProofStep
    from dam_expert.reports.glossary import Glossary

_DOUBT: Final = "doubt "
_SHOWN: Final = 4


def doubted_lines(diagnosis: Diagnosis, words: Glossary) -> Iterator[Line]:
    """Yield for each rule that doubts given values which these are, why, and what to measure again.

    Values that a rule doubts and nobody gave are left out: nothing follows from them.
    """
    given = {each.measurement: each.value for each in diagnosis.observations if not each.scope}
    told: set[tuple[str, ...]] = set()
    for step in diagnosis.proof:
        doubted = [name for name in _doubted(step) if name in given]
        if not doubted:
            continue
        against = [name for name in dict.fromkeys(_seen(step.conditions)) if name in given]
        names = tuple(dict.fromkeys((*against, *doubted)))[:_SHOWN]
        if names in told:
            continue
        told.add(names)
        values = words.say("semicolon").join(
            words.say("doubted.value", title=words.title(name), value=words.value(name, given[name])) for name in names
        )
        again = words.say("semicolon").join(words.title(name) for name in doubted[:_SHOWN])
        key = "doubted.several" if len(names) > 1 else "doubted.one"
        text = words.say(key, values=values, because=capital(words.text(step.because)), again=again)
        yield Line(text, mark="-", tone=Tone.WARNING)


def _doubted(step: ProofStep) -> Iterator[str]:
    for conclusion in step.conclusions:
        if conclusion.startswith(_DOUBT):
            yield conclusion.removeprefix(_DOUBT)


def _seen(node: ProofNode) -> Iterator[str]:
    """Yield the measurements that a condition which holds was read from."""
    if node.truth != "true":
        return
    for text in node.observations:
        yield text.partition(" from ")[0].partition("[")[0]
    for child in node.children:
        yield from _seen(child)
