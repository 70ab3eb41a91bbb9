"""How the causes rose and fell over a session: a picture, and lines that say the same step by step."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from dam_expert.reports.model import Line, Section, Tone
from dam_expert.reports.pictures import Course, Trace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dam_expert.documents.observations import Observation
    from dam_expert.engine.course import Moment
    from dam_expert.reports.glossary import Glossary

_DRAWN: Final = 5
_NAMED: Final = 2
_VISIBLE: Final = 0.005
_HALF: Final = 0.5


def course_section(
    moments: Sequence[Moment],
    causes: Mapping[str, str],
    words: Glossary,
    levers: Mapping[str, str] = MappingProxyType({}),
) -> Section:
    """Draw how the causes fared that were believed most at any time; nothing where nothing came in step by step.

    ``causes`` and ``levers`` are the titles of hypotheses and levers by id.
    """
    if len(moments) < 3:
        return Section(id="course", title="", items=())
    title = {name: words.sentence(text) for name, text in causes.items()}
    stands_out = _standing_out(moments)
    traces = tuple(
        Trace(
            label=title.get(name, name),
            shares=tuple(moment.belief.get(name, 0.0) for moment in moments),
            leads=name == stands_out,
        )
        for name in _drawn(moments)
    )
    lines: list[Line] = []
    for number, moment in enumerate(moments[1:], 1):
        lines.append(Line(_happened(moment, levers, words), mark=f"{number}."))
        lines.append(Line(_first(moment.belief, title, words), depth=1, tone=Tone.FAINT))
    alt = words.say("course.alt", n=len(moments) - 1, cause=lines[-1].text)
    picture = Course(alt=alt, starts=words.say("course.start"), axis=words.say("course.axis"), traces=traces)
    return Section(id="course", title=words.say("title.course"), items=(picture, *lines))


def _drawn(moments: Sequence[Moment]) -> list[str]:
    """Return the causes to draw, in the order in which they end."""
    highest: dict[str, float] = {}
    for moment in moments:
        for name, share in moment.belief.items():
            highest[name] = max(highest.get(name, 0.0), share)
    chosen = sorted(highest, key=lambda name: (-highest[name], name))[:_DRAWN]
    last = moments[-1].belief
    return sorted(chosen, key=lambda name: (-last.get(name, 0.0), -highest[name], name))


def _most(belief: Mapping[str, float]) -> str | None:
    return min(belief, key=lambda name: (-belief[name], name)) if any(belief.values()) else None


def _standing_out(moments: Sequence[Moment]) -> str | None:
    """Return the cause that most is believed of at the end; once nothing is, the one that ever was believed most."""
    last = _most(moments[-1].belief)
    if last is None or moments[-1].belief[last] >= _HALF:
        return last
    peaks: dict[str, float] = {}
    for moment in moments:
        for name, share in moment.belief.items():
            peaks[name] = max(peaks.get(name, 0.0), share)
    highest = _most(peaks)
    return highest if highest is not None and peaks[highest] >= _HALF else last


def _happened(moment: Moment, levers: Mapping[str, str], words: Glossary) -> str:
    """Write what a step was: what came in, or what was changed and measured after it."""
    seen = _said(moment.seen, words)
    if moment.lever is None:
        return seen
    lever = words.sentence(levers.get(moment.lever, moment.lever))
    return words.say("course.changed" if seen else "course.changed_only", lever=lever, seen=seen)


def _first(belief: Mapping[str, float], title: Mapping[str, str], words: Glossary) -> str:
    """Return the cause that is believed most after a step, and how much; several that are level are no one cause."""
    name = _most(belief)
    level = [other for other in belief if name is not None and abs(belief[other] - belief[name]) < _VISIBLE]
    if name is None or len(level) > _DRAWN:
        return words.say("course.none")
    named = words.say("semicolon").join(title.get(each, each) for each in sorted(level)[:_NAMED])
    more = len(level) - _NAMED
    named = words.say("course.more", named=named, n=more) if more > 0 else named
    return words.say("course.belief", cause=named, share=words.share(round(belief[name], 3)))


def _said(seen: Sequence[Observation], words: Glossary) -> str:
    """Write what came in with a step: the first values, and how many more there are."""
    values = [
        words.say("joined", label=words.title(each.measurement), text=words.observed(each))
        for each in seen
        if each.value is not None
    ]
    named = words.say("semicolon").join(values[:_NAMED])
    return words.say("course.more", named=named, n=len(values) - _NAMED) if len(values) > _NAMED else named
