"""Which question comes next, from the state and its diagnosis alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.documents.dimensions import units_of
from dam_expert.documents.kinds import Kind
from dam_expert.documents.literals import Wanted
from dam_expert.engine.interventions import STALE
from dam_expert.engine.next_measurement import asking_for
from dam_expert.engine.situation import target_metric
from dam_expert.reports.advice import acting, block
from dam_expert.reports.model import Line, Tone
from dam_expert.reports.phrasing import capital
from dam_expert.session.answers import absence_in
from dam_expert.session.state import EFFECT, NEXT, TARGET, Question
from dam_expert.session.targets import example_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dam_expert.documents.diagnosis import Diagnosis, NextMeasurement
    from dam_expert.kb.base import Base
    from dam_expert.reports import Glossary
    from dam_expert.reports.model import Item
    from dam_expert.session.state import State

_SETTLED_SHOWN: Final = 2


def next_question(
    base: Base, words: Glossary, state: State, diagnosis: Diagnosis, worth: Callable[[], bool] = lambda: True
) -> Question:
    """Return what to ask.

    First the effect of an intervention that is under way, then what the person wants to be asked, then the missed
    target, then the measurements of the entry point that was chosen, then what the engine would measure next. Where
    nothing is left to measure, or the target is reached, it is what comes after the verdict: reports and explanations
    are to be had until the person quits. So it is where another question is not ``worth`` asking any more.
    """
    if state.pending_lever is not None:
        return effect_question(base, words, state, state.pending_lever)
    if state.wanted == TARGET:
        return target_question(base, words, state)
    if state.wanted is not None:
        return _wanted(base, words, state.wanted, diagnosis)
    if asks_for_target(base, state):
        return target_question(base, words, state)
    if is_settled(diagnosis) and not _begins_anew(state, diagnosis):
        return after_verdict(words, diagnosis)
    item = _next_measurement(base, state, diagnosis)
    if item is None:
        return after_verdict(words, diagnosis, nothing_left=True)
    return measurement_question(base, words, item) if worth() else _unlikely(words, diagnosis)


def _unlikely(words: Glossary, diagnosis: Diagnosis) -> Question:
    """Return what is asked where what could still be measured is not expected to name a cause."""
    text = words.say("session.ask.next_unlikely", n=len(diagnosis.next_measurements))
    return Question(id=NEXT, text=text, takes=words.say("session.takes.next"))


def answered_so_far(base: Base, state: State) -> tuple[int, int]:
    """Return how many measurements were asked for and answered with a value, and how many without one."""
    given = [absence_in(base, asked, answer) for asked, answer in state.turns if asked in base.measurements]
    missing = sum(absence is not None for absence in given)
    return len(given) - missing, missing


def _next_measurement(base: Base, state: State, diagnosis: Diagnosis) -> NextMeasurement | None:
    """Return what to measure next: the entry point's own until something binds; what was told is not asked for again.

    Rules may still want more of it, such as its value on each rank: a plain answer gives none of that.
    """
    following = {item.measurement: item for item in diagnosis.next_measurements if item.measurement not in state.told}
    entry = base.entry_points.get(state.entry or "")
    for name in () if entry is None or diagnosis.binding is not None else entry.ask:
        if name in following:
            return following[name]
    return next(iter(following.values()), None)


def asks_for_target(base: Base, state: State) -> bool:
    """Whether the missed target is still to be asked for: once in words, and once in numbers where it has a metric."""
    target = state.incident.target
    if TARGET in state.skipped:
        return False
    if target is None:
        return True
    entry = base.entry_points.get(state.entry or "")
    return target.metric is None and entry is not None and entry.metric is not None


def is_settled(diagnosis: Diagnosis) -> bool:
    """Whether the diagnosis needs no further question: a cause is named, the target is met, or nothing is at fault."""
    named = diagnosis.binding is not None and diagnosis.binding.depth == "cause"
    return diagnosis.status in ("resolved", "no_fault") or (diagnosis.status == "confirmed" and named)


def _begins_anew(state: State, diagnosis: Diagnosis) -> bool:
    """Whether a change was kept since which nothing tells what still binds: what was measured before it is asked again.

    The cause that it took away is confirmed by that, and costs nothing that is known any more.
    """
    binding = diagnosis.binding
    if binding is None or binding.share is not None or not any(made.kept for made in state.incident.interventions):
        return False
    first = next((item for item in diagnosis.next_measurements if item.measurement not in state.told), None)
    return first is not None and first.why == STALE


def target_question(base: Base, words: Glossary, state: State) -> Question:
    """Return the question for the missed target: the entry points as choices, or the numbers of the chosen one."""
    entry = base.entry_points.get(state.entry or "")
    if entry is not None and entry.metric is not None and state.wanted != TARGET:
        text = words.say("session.ask.target_value", metric=words.title(entry.metric))
        example = example_of(base, entry.metric)
        return Question(id=TARGET, text=text, takes=words.say("session.takes.target_value", **example))
    choices = tuple(
        Line(words.text(point.title), mark=f"{number} ") for number, point in enumerate(base.entry_points.values(), 1)
    )
    takes = words.say("session.takes.target")
    if (
        state.wanted != TARGET and state.past and any(asked == TARGET for asked, _ in state.turns)
    ):  # the choices were shown in this sitting
        return Question(id=TARGET, text=words.say("session.ask.target_still"), takes=takes)
    return Question(id=TARGET, text=words.say("session.ask.target"), how=choices, takes=takes)


def effect_question(base: Base, words: Glossary, state: State, lever: str) -> Question:
    """Return the question for the target's value after an intervention."""
    metric = target_metric(base, state.incident)
    model = base.levers[lever].model if lever in base.levers else None
    title = lever if model is None else words.sentence(model.title)
    how = () if model is None else (Line(words.say("lever.verify", how=words.text(model.verify_by))),)
    if metric is None:
        text = words.say("session.ask.effect", lever=title)
        return Question(id=EFFECT, text=text, how=how, takes=words.say("session.takes.effect"))
    text = words.say("session.ask.effect_on", lever=title, metric=words.title(metric))
    return Question(id=EFFECT, text=text, how=how, takes=words.say("session.takes.effect_on"))


def after_verdict(words: Glossary, diagnosis: Diagnosis, *, nothing_left: bool = False) -> Question:
    """Return what is asked once a cause is named, or nothing is left to ask for: what was changed."""
    if diagnosis.status in ("resolved", "no_fault"):
        return Question(id=NEXT, text=words.say("session.ask.next_done"), takes=words.say("session.takes.next_done"))
    key = "exhausted" if nothing_left or diagnosis.exhausted else "confirmed" if acting(diagnosis) else "no_lever"
    return Question(id=NEXT, text=words.say(f"session.ask.next_{key}"), takes=words.say("session.takes.next"))


def _wanted(base: Base, words: Glossary, name: str, diagnosis: Diagnosis) -> Question:
    """Return the question for a measurement that the person asked for, whether or not it would decide anything."""
    for item in diagnosis.next_measurements:
        if item.measurement == name:
            return measurement_question(base, words, item)
    model = base.measurements[name].model
    return measurement_question(base, words, asking_for(model, model.obtain))


def measurement_question(base: Base, words: Glossary, item: NextMeasurement) -> Question:
    """Return the question for one measurement, with every way to find out."""
    return Question(
        id=item.measurement,
        text=words.text(item.question),
        how=(*_choices(base, words, item.measurement), *_ways(base, words, item)),
        takes=_takes(base, words, item.measurement),
    )


def _choices(base: Base, words: Glossary, name: str) -> Iterator[Line]:
    """Yield the words that may be answered, each with what it means."""
    meanings = base.measurements[name].model.values if base.names.categories(name) else {}
    for number, word in enumerate(meanings, 1):
        told = words.say("joined", label=word, text=words.sentence(meanings[word]))
        yield Line(told, mark=f"{number} ")


def _ways(base: Base, words: Glossary, item: NextMeasurement) -> Iterator[Item]:
    """Yield the commands to paste, then what they cost, then what the answer could settle."""
    for command in item.commands:
        if command.command is not None:
            yield block(command.command)
        if command.how is not None:
            yield Line(words.text(command.how))
    cost = words.minutes(item.effort_minutes)
    if item.disturbs:
        cost = words.say("session.cost", effort=cost, disturbs=words.text(item.disturbs))
    yield Line(capital(cost), tone=Tone.FAINT)
    if item.decides:
        roots_first = sorted(item.decides, key=lambda name: len(base.hypotheses[name].ancestors))[:_SETTLED_SHOWN]
        titles = words.say("semicolon").join(words.sentence(base.hypotheses[name].model.title) for name in roots_first)
        more = len(item.decides) - _SETTLED_SHOWN
        key = "session.settles_more" if more > 0 else "session.settles"
        yield Line(
            words.say(key, titles=titles, n=more) if more > 0 else words.say(key, titles=titles), tone=Tone.FAINT
        )
    elif item.why:
        yield Line(capital(words.text(item.why)), tone=Tone.FAINT)


def _takes(base: Base, words: Glossary, name: str) -> str:
    """Say what may be answered: an example of its kind, or the words it may be."""
    kind = base.names.kind(name)
    if base.names.categories(name):
        return words.say("session.takes.words")
    if kind is Kind.FLAG:
        return words.say("session.takes.flag")
    if base.names.unit(name) is None:
        return words.say("session.takes.text")
    unit = base.names.unit(name) or "1"
    example = _EXAMPLES.get(kind) or Wanted(name=unit, unit=units_of(unit)[0], kind=kind).example
    return words.say("session.takes.value", example=example)


#: How a value of a kind is usually written.
_EXAMPLES: Final = {
    Kind.SHARE: "35 %, 20-40 %",
    Kind.DURATION: "180 ms, 150-200 ms",
    Kind.RATIO: "1.3x",
    Kind.BYTES: "12 GiB",
    Kind.COUNT: "4",
}
