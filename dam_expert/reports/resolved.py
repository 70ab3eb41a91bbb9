"""What solved it: the cause that was confirmed, what was changed, and what that gave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.documents.diagnosis import extent
from dam_expert.reports.model import Line, Section, Tone

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.engine.resolution import Worked
    from dam_expert.reports.glossary import Glossary


def resolved_section(worked: Sequence[Worked], words: Glossary) -> Section:
    """Name for each change that was kept the cause before it, the lever, and the target before and after."""
    items = tuple(line for one in worked for line in _lines(one, words))
    return Section(id="resolved", title=words.say("title.resolved"), items=items)


def _lines(one: Worked, words: Glossary) -> Iterator[Line]:
    yield Line(changed(one, words), mark="-", tone=Tone.GOOD)
    if one.cause is None:
        yield Line(words.say("resolved.no_cause"), depth=1)
        return
    hypothesis = one.then.base.hypotheses[one.cause]
    place = {"bottleneck": words.bottleneck(hypothesis.bottleneck), "region": words.region(hypothesis.region)}
    yield Line(words.say("resolved.cause", title=words.sentence(hypothesis.model.title), **place), depth=1)


def lever_title(one: Worked, words: Glossary) -> str:
    """Return what a lever that was pulled is called; as it was written where the base has none such."""
    levers = one.then.base.levers
    return words.sentence(levers[one.lever].model.title) if one.lever in levers else one.lever


def changed(one: Worked, words: Glossary) -> str:
    """Say what was changed, and what that did to the target."""
    lever = lever_title(one, words)
    before, after = (words.value(one.metric, extent(value)) for value in (one.before, one.after))
    known = {"lever": lever, "metric": words.title(one.metric), "before": before, "after": after}
    if one.gain is None:
        return words.say("resolved.changed", **known)
    gain = words.factor(extent(one.gain))
    if one.predicted is None:
        return words.say("resolved.gained", gain=gain, **known)
    return words.say("resolved.predicted", gain=gain, predicted=words.factor(one.predicted), **known)
