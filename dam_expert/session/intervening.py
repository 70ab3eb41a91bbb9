"""The second half of the loop: an intervention, what was measured after it, and what it was worth."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import TYPE_CHECKING

from dam_expert.documents.diagnosis import extent
from dam_expert.documents.incident import Effect, Intervention, Tried
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.observations import Basis, Origin
from dam_expert.documents.quantities import QuantityError, parse_quantity
from dam_expert.engine.diagnose import written
from dam_expert.engine.situation import target_metric
from dam_expert.language.conditions import Column
from dam_expert.reports.advice import acting, following_section
from dam_expert.reports.glossary import as_interval
from dam_expert.reports.model import Line, Tone
from dam_expert.session.answers import (
    Taken,
    absence_in,
    described,
    named_value,
    noted,
    taken_in,
    taken_value,
    value_told,
)
from dam_expert.session.errors import AnswerError
from dam_expert.session.moves import move_in
from dam_expert.session.naming import choice, effect_word, is_effect, lever_named
from dam_expert.session.outputs import read_output
from dam_expert.session.prose import SESSION
from dam_expert.session.spelling import plainly_written
from dam_expert.session.state import EFFECT, NEXT, Reply, State
from dam_expert.session.written import present_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.diagnosis import Diagnosis
    from dam_expert.documents.incident import Incident
    from dam_expert.documents.observations import Observation
    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.base import Base
    from dam_expert.reports import Glossary
    from dam_expert.reports.model import Item
    from dam_expert.session.conversation import Conversation


def did(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    """Record that something was changed; what it did to the target is asked next."""
    if not rest:
        raise AnswerError("session.problem.did")
    lever = _lever(talk, state, rest)
    if state.pending_lever not in (None, lever):
        raise AnswerError("session.problem.did_pending", lever=_title(talk, state, state.pending_lever or ""))
    changed = state.changed(turn=("did", rest), pending_lever=lever)
    return changed, Reply(question=talk.question(changed))


def _title(talk: Conversation, state: State, lever: str) -> str:
    known = talk.base.levers.get(lever)
    return lever if known is None else talk.words(state).sentence(known.model.title)


def answer_next(talk: Conversation, state: State, text: str) -> Taken:
    """Take what is said after a verdict: the lever that was pulled, or something more that is known."""
    words = talk.words(state)
    given = taken_in(talk, state, text, turn=(NEXT, text))
    if given is not None:
        return given
    named = named_value(talk.base, words, text)
    if named is not None:
        return taken_value(talk.base, words, state, *named, turn=(NEXT, text))
    try:
        return Taken(state=state.changed(turn=(NEXT, text), pending_lever=_lever(talk, state, text)))
    except AnswerError:
        in_words = described(talk, state, text, turn=(NEXT, text))
        if in_words is None:
            raise
        return in_words


def _lever(talk: Conversation, state: State, text: str) -> str:
    """Return the lever that is meant: by its place in the list that was shown, or by name. Raises AnswerError."""
    shown = acting(talk.diagnosis(state))
    number = choice(text, len(shown))
    if number is not None:
        return shown[number].id
    return lever_named(talk.base, talk.words(state), text, talk.vocabulary).id


def answer_effect(talk: Conversation, state: State, text: str) -> Taken:
    """Take what an intervention did; after one that was kept, what was told before is open. Raises AnswerError."""
    taken = _answered_effect(talk, state, text)
    before, after = (sum(bool(one.kept) for one in at.incident.interventions) for at in (state, taken.state))
    return taken if after <= before else dataclasses.replace(taken, state=dataclasses.replace(taken.state, told=()))


def _answered_effect(talk: Conversation, state: State, text: str) -> Taken:
    """Record what an intervention did to the target, keep it if it helped, and judge it. Raises AnswerError.

    A tool's output taken afterwards is kept with the intervention; unless it holds the target itself, that is still
    asked for.
    """
    base, words, lever = talk.base, talk.words(state), state.pending_lever or ""
    metric = target_metric(base, state.incident)
    if absence_in(base, metric or "step_time", text) is not None:
        incident = _with_intervention(state.incident, lever, (), kept=None)
        changed = state.changed(turn=(EFFECT, text), incident=incident, pending_lever=None)
        return Taken(state=changed, items=(Line(words.say("session.effect.unknown")),))
    read = read_output(talk, words, text)
    named = None if read is not None else named_value(base, words, text)
    if read is None and named is None and metric is None and move_in(text) is not None:
        with contextlib.suppress(AnswerError):  # without a target what it was and became is a factor all the same
            return _by_words(talk, state, lever, effect_of(text), text)
    if read is None and named is None:
        named = present_value(talk, words, text, metric)
        if named is not None and metric is None:
            return _of_no_target(talk, state, lever, named, text)
    if read is None and named is None and (is_effect(text) or effect_word(text) is not None):
        return _by_words(talk, state, lever, effect_of(text), text)
    if read is not None:
        after, items = read.observations, read.items
    else:
        after, items = _told(base, words, lever, *(named or (_asked(metric), text)))
    known = metric is not None and any(o.measurement == metric and not o.scope for o in after)
    incident = _with_intervention(state.incident, lever, after, kept=True if known else None)
    changed = state.changed(turn=(EFFECT, text), incident=incident, pending_lever=None if known else lever)
    if not known:
        return Taken(state=changed, items=items)
    judged = (*_judged(talk, state, changed, lever), *_to_be_exact(talk, changed, metric or "", after))
    if _is_worse(talk, changed, lever):
        changed = dataclasses.replace(changed, incident=_with_intervention(changed.incident, lever, (), kept=False))
        judged = (*judged, Line(words.say("session.effect.undone")))
    return Taken(state=changed, items=(*items, *judged))


def _to_be_exact(talk: Conversation, state: State, metric: str, after: Sequence[Observation]) -> Iterator[Item]:
    """Say that a value which is only said settles nothing: between which ends it lies, and how to write it instead."""
    for one in after:
        vague = one.measurement == metric and one.basis is Basis.SAID and isinstance(one.value, Interval)
        if vague and talk.evaluated(state).verdict.status != "resolved":
            words = talk.words(state)
            exactly = words.say("session.effect.exactly", value=words.observed(one), metric=metric)
            yield Line(exactly, tone=Tone.WARNING)


def _of_no_target(talk: Conversation, state: State, lever: str, named: tuple[str, str], text: str) -> Taken:
    """Keep what something is after a change that no target was told before: it can be judged by nothing."""
    words = talk.words(state)
    after, items = _told(talk.base, words, lever, *named)
    incident = _with_intervention(state.incident, lever, after, kept=None)
    changed = state.changed(turn=(EFFECT, text), incident=incident, pending_lever=None)
    return Taken(state=changed, items=(*items, Line(words.say("session.effect.unknown"))))


def _asked(metric: str | None) -> str:
    """Return the metric that a bare value is one of. Raises AnswerError where the target has none."""
    if metric is None:
        raise AnswerError("session.problem.effect")
    return metric


def _told(
    base: Base, words: Glossary, lever: str, name: str, text: str
) -> tuple[tuple[Observation, ...], tuple[Item, ...]]:
    """Return a value that was measured after the change, and how it was understood."""
    told = dataclasses.replace(value_told(base, name, text), origin=Origin(file=SESSION, detail=lever))
    return (told,), (noted(told, words),)


def _by_words(talk: Conversation, state: State, lever: str, effect: Interval | Effect, text: str) -> Taken:
    """Record an effect that was told by a word or a factor; only what helped is taken to be kept."""
    helped = effect is Effect.HELPED or (not isinstance(effect, Effect) and effect.lo > 1.0)
    kept = True if helped else False if effect is Effect.WORSE else None
    attempt = Tried(lever=lever, effect=effect, origin=Origin(file=SESSION))
    incident = _with_intervention(state.incident, lever, (), kept=kept)
    incident = dataclasses.replace(incident, tried=(*incident.tried, attempt))
    changed = state.changed(turn=(EFFECT, text), incident=incident, pending_lever=None)
    return Taken(state=changed, items=tuple(_judged(talk, state, changed, lever)))


def _with_intervention(incident: Incident, lever: str, after: Sequence[Observation], *, kept: bool | None) -> Incident:
    """Return the incident with the intervention under way, as far as it is known by now."""
    others = incident.interventions
    under_way: tuple[Observation, ...] = ()
    if others and others[-1].lever == lever and (others[-1].kept is None or kept is False):
        others, under_way = others[:-1], others[-1].after
    now = {(o.measurement, o.scope) for o in after}
    earlier = tuple(o for o in under_way if (o.measurement, o.scope) not in now)
    made = Intervention(lever=lever, origin=Origin(file=SESSION), after=(*earlier, *after), kept=kept)
    return dataclasses.replace(incident, interventions=(*others, made))


def effect_of(text: str) -> Interval | Effect:
    """Return what something did to the target: a word, or a factor such as 1.3x. Raises AnswerError.

    A factor that is hedged or told in words, *twice as fast*, is no more than a word: it cannot decide.
    """
    word = effect_word(text)
    if word is not None:
        return Effect(word[0])
    try:
        factor = parse_quantity(plainly_written(text).strip().casefold(), unit="1", kind=Kind.RATIO)
    except QuantityError as error:
        raise AnswerError("session.problem.effect") from error
    if not factor.hedged:
        return factor.interval
    if factor.interval.lo <= 1.0 <= factor.interval.hi:
        return Effect.NOTHING
    return Effect.HELPED if factor.interval.lo > 1.0 else Effect.WORSE


def _is_worse(talk: Conversation, state: State, lever: str) -> bool:
    effect = talk.evaluated(state).plans.tried.get(lever)
    return effect is not None and not isinstance(effect, str) and effect.hi < 1.0


def _judged(talk: Conversation, before: State, after: State, lever: str) -> Iterator[Item]:
    """Compare the predicted with the actual gain, and say plainly where the target did not move."""
    words = talk.words(after)
    then = written(talk.evaluated(before))
    now = talk.evaluated(after)
    effect = now.plans.tried.get(lever)
    predicted = [one.ceiling for one in then.levers if one.id == lever and one.ceiling is not None]
    yield from _gained(words, effect, predicted)
    if now.verdict.status == "resolved":
        yield Line(words.say("session.effect.resolved"), tone=Tone.GOOD)
        return
    moved_locally = tuple(_local(words, then, talk.diagnosis(after), _measured_since(now)))
    yield from moved_locally
    if not _helped(talk.base, effect):
        yield Line(words.say("session.effect.local" if moved_locally else "session.effect.none"), tone=Tone.BAD)
        yield from following_section(then, words).items


def _gained(words: Glossary, effect: Interval | str | None, predicted: Sequence[object]) -> Iterator[Item]:
    if effect is None or isinstance(effect, str):
        return
    factor = words.factor(extent(effect))
    if predicted:
        known = words.factor(predicted[0])  # type: ignore[arg-type]  # an extent, as the document holds it
        yield Line(words.say("session.effect.gain_predicted", factor=factor, predicted=known))
    else:
        yield Line(words.say("session.effect.gain", factor=factor))


def _helped(base: Base, effect: Interval | str | None) -> bool:
    if effect is None or isinstance(effect, str):
        return effect is None or effect == Effect.HELPED
    return effect.hi >= base.constant("no_effect")


def _measured_since(now: Evaluated) -> frozenset[str]:
    """Return the parts of budgets that rest on nothing older than the change."""
    cells = {
        part.id: now.columns.cell(Column(part.share)) for one in now.shares.budgets for part in one.budget.model.parts
    }
    return frozenset(
        part for part, cell in cells.items() if cell is not None and not now.now.stale.intersection(cell.observations)
    )


def _local(words: Glossary, then: Diagnosis, now: Diagnosis, measured: frozenset[str]) -> Iterator[Item]:
    """Yield the parts of the time that became shorter, where both sides were measured."""
    if then.budget is None or now.budget is None:
        return
    before = {part.id: as_interval(part.seconds) for part in then.budget.parts}
    for part in now.budget.parts:
        old, new = before.get(part.id), as_interval(part.seconds)
        if part.id in measured and old is not None and new is not None and new.hi < old.lo:
            saved = {"before": words.duration(extent(old)), "after": words.duration(extent(new))}
            yield Line(words.say("session.effect.part", part=words.text(part.title), **saved))
