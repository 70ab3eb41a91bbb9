"""What each answer to a question would change: every outcome is imagined, and what moves is said."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

from dam_expert.documents.diagnosis import extent
from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.engine.outcomes import outcomes_of
from dam_expert.reports.model import Line, Tone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.engine.outcomes import Outcome
    from dam_expert.reports import Glossary
    from dam_expert.reports.model import Item
    from dam_expert.session.conversation import Conversation
    from dam_expert.session.state import State

_SHOWN: Final = 6
_NAMED: Final = 2
_TOLD: Final = ("confirmed", "conflicting", "refuted", "supported")


def outlook(talk: Conversation, state: State, name: str) -> Iterator[Item]:
    """Yield a line for each outcome that would change something; outcomes that change the same are one."""
    words, now = talk.words(state), talk.evaluated(state)
    merged: list[tuple[Outcome, str]] = []
    for outcome in outcomes_of(now, name):
        imagined = talk.imagined(_with(state, name, outcome))
        text = _change(now, imagined, words)
        before = merged[-1] if merged else None
        if before is not None and before[1] == text and isinstance(outcome.extent, Interval):
            joined = Interval(before[0].extent.lo, outcome.extent.hi)  # type: ignore[union-attr]  # numbers all
            merged[-1] = (dataclasses.replace(outcome, extent=joined), text)
        else:
            merged.append((outcome, text))
    telling = [(outcome, text) for outcome, text in merged if text]
    if not telling:
        yield Line(words.say("session.why.alone"), tone=Tone.FAINT)
        return
    yield Line(words.say("session.why.changes"))
    for outcome, text in telling[:_SHOWN]:
        value = words.value(name, extent(outcome.extent)) if isinstance(outcome.extent, Interval) else outcome.extent
        yield Line(words.say("joined", label=value, text=text), mark="-", depth=1)


def _with(state: State, name: str, outcome: Outcome) -> State:
    """Return the state with an outcome in place of whatever is known of the measurement."""
    imagined = Observation(measurement=name, value=outcome.value, basis=Basis.TOOL, origin=Origin(file="<imagined>"))
    kept = tuple(one for one in state.incident.observations if one.measurement != name)
    return dataclasses.replace(state, incident=dataclasses.replace(state.incident, observations=(*kept, imagined)))


def _change(now: Evaluated, then: Evaluated, words: Glossary) -> str:
    """Say what one outcome would change: what it confirms, rules out and makes likely, roots before their causes."""
    parts = []
    for status in _TOLD:
        names = [
            name
            for name in then.verdict.ranked
            if then.standings.status[name] == status != now.standings.status[name]
            and not _by_parent(then, now, name, status)
        ]
        if names:
            titles = words.say("semicolon").join(
                words.sentence(now.base.hypotheses[name].model.title) for name in names[:_NAMED]
            )
            titles += words.say("session.and_more", n=len(names) - _NAMED) if len(names) > _NAMED else ""
            parts.append(words.say("session.outlook", what=words.say(f"session.moved.{status}"), titles=titles))
    return words.say("comma").join(parts)


def _by_parent(then: Evaluated, now: Evaluated, name: str, status: str) -> bool:
    """Whether a hypothesis is ruled out only with its parent, which says it all."""
    return status == "refuted" and any(
        then.standings.status[parent] == "refuted" != now.standings.status[parent]
        for parent in now.base.hypotheses[name].ancestors
    )
