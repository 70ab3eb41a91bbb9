"""Commands that change a session beside its answers: corrections, the way back, plans, attempts, notes, language."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import TYPE_CHECKING

from dam_expert.documents.diagnosis import extent
from dam_expert.documents.incident import Planned, Tried, folded
from dam_expert.documents.observations import Origin
from dam_expert.engine.purchases import bought
from dam_expert.engine.situation import plans_of
from dam_expert.kb.base import WASTED_ACTION
from dam_expert.reports.model import Line, Tone
from dam_expert.reports.phrasing import capital
from dam_expert.session.answers import Taken, taken_value
from dam_expert.session.errors import AnswerError
from dam_expert.session.intervening import effect_of
from dam_expert.session.naming import lever_and_rest, lever_named, measurement_named
from dam_expert.session.past import before
from dam_expert.session.prose import SESSION
from dam_expert.session.showing import standing_lines
from dam_expert.session.speech import begins_with, spoken
from dam_expert.session.state import TARGET, Reply, State
from dam_expert.session.targets import answer_target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.diagnosis import Diagnosis, LeverAdvice
    from dam_expert.engine.situation import Plans
    from dam_expert.kb.base import Base
    from dam_expert.reports import Glossary
    from dam_expert.session.conversation import Conversation

#: Turns that are no answers to a question: ``back`` goes behind them.
_BESIDE = frozenset({"plan", "tried", "did", "note", "language"})


def change(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    """Correct a value; without one, ask for it again."""
    words = talk.words(state)
    if not rest:
        raise AnswerError("session.problem.change")
    target = None if _names_measurement(talk, words, rest) else begins_with(rest, spoken("answer.target"))
    if target is not None:
        skipped = tuple(name for name in state.skipped if name != TARGET)
        asked = state.changed(turn=("change", rest), wanted=TARGET, skipped=skipped)
        if not target:
            return asked, Reply(question=talk.question(asked))
        taken = answer_target(talk, state, target, corrects=True)
        return taken.state, talk.after(taken, state)
    name, value = _name_and_value(talk, words, rest)
    if not value:
        changed = state.changed(turn=("change", rest), wanted=name)
        return changed, Reply(question=talk.question(changed))
    taken = taken_value(talk.base, words, state, name, value, turn=("change", rest))
    return taken.state, talk.after(taken, state)


def _names_measurement(talk: Conversation, words: Glossary, rest: str) -> bool:
    """Whether a correction begins with the whole name of a measurement, as *target achievement* does."""
    known = talk.base.names
    pieces = rest.partition("=")[0].split()
    said = (" ".join(pieces[:end]) for end in range(len(pieces), 0, -1))
    titles = {folded(words.title(name)) for name in talk.base.measurements}
    return any(known.resolve(name) is not None or folded(name) in titles for name in said)


def _name_and_value(talk: Conversation, words: Glossary, rest: str) -> tuple[str, str]:
    """Split at ``=``, else take the longest beginning that names a measurement. Raises AnswerError."""
    name, equals, value = rest.partition("=")
    if equals:
        return measurement_named(talk.base, words, name).id, value.strip()
    pieces = rest.split()
    for end in range(len(pieces), 0, -1):
        resolved = talk.base.names.resolve(" ".join(pieces[:end]))
        if resolved is not None:
            return resolved, " ".join(pieces[end:])
    name, _, value = rest.partition(" ")
    return measurement_named(talk.base, words, name).id, value.strip()


def undo(talk: Conversation, state: State, _: str) -> tuple[State, Reply]:
    """Take the last change back, whatever it was."""
    return _returned(talk, state, before(talk.base, state))


def back(talk: Conversation, state: State, _: str) -> tuple[State, Reply]:
    """Go back to the last question that was answered, and ask it again, in the language that is spoken by now."""
    reached: State | None = None
    turns, step = state.turns, before(talk.base, state)
    while step is not None:
        reached = step
        if not turns or turns[-1][0] not in _BESIDE:
            break
        turns, step = step.turns, before(talk.base, step)
    return _returned(talk, state, None if reached is None else dataclasses.replace(reached, language=state.language))


def _returned(talk: Conversation, state: State, earlier: State | None) -> tuple[State, Reply]:
    if earlier is None:
        return state, talk.again(state, Line(talk.words(state).say("session.no_way_back")))
    words = talk.words(earlier)
    left = {one.measurement for one in earlier.incident.observations}
    gone = list(dict.fromkeys(one.measurement for one in state.incident.observations if one.measurement not in left))
    said = words.say("session.taken_back_values", names=", ".join(gone)) if gone else words.say("session.taken_back")
    return earlier, Reply(items=(Line(said),), question=talk.question(earlier))


def plan(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    """Check what is intended against the verdict, the anti-patterns and the ceilings, and keep it."""
    words = talk.words(state)
    if not rest:
        raise AnswerError("session.problem.plan")
    rest = _without_intent(rest)
    action = rest if bought(talk.base, rest) else _planned_lever(talk, words, rest)
    planned = Planned(lever=action, origin=Origin(file=SESSION))
    others = tuple(one for one in state.incident.planned if one.lever != action)
    incident = dataclasses.replace(state.incident, planned=(*others, planned))
    changed = state.changed(turn=("plan", rest), incident=incident)
    return changed, talk.again(changed, *plan_lines(talk, changed, action, rest))


def _planned_lever(talk: Conversation, words: Glossary, text: str) -> str:
    """Return the lever that a plan means as it is written, or with its verb in English. Raises AnswerError."""
    try:
        return lever_named(talk.base, words, text, talk.vocabulary).id
    except AnswerError:
        with contextlib.suppress(AnswerError):
            return lever_named(talk.base, words, _in_english(text), talk.vocabulary).id
        raise


def plan_lines(talk: Conversation, state: State, action: str, text: str) -> Iterator[Line]:
    """Yield what a plan of the incident is understood as, and what is known for and against it."""
    words, plans = talk.words(state), talk.evaluated(state).plans
    alone = dataclasses.replace(state.incident, planned=(Planned(lever=action, origin=Origin(file=SESSION)),), tried=())
    moved = list(plans_of(talk.base, alone, {}).planned)
    if not moved:
        yield Line(words.say("session.plan.strange", action=text), tone=Tone.WARNING)
        return
    yield _understood_as(words, talk.base, plans, text, moved)
    judged = list(_judged_plan(talk.diagnosis(state), words, plans.planned[moved[0]], moved))
    titles = words.say("semicolon").join(words.sentence(talk.base.levers[lever].model.title) for lever in moved)
    yield from judged or [Line(words.say("session.plan.open", lever=titles))]


def _without_intent(text: str) -> str:
    """Return a plan without the words that say that it is one: *we want to*."""
    rest = begins_with(text, spoken("command.plan"))
    return _without_intent(rest) if rest else text


def _understood_as(words: Glossary, base: Base, plans: Plans, action: str, moved: list[str]) -> Line:
    """Say which levers a plan moves, and each how far where that is known of what is to be bought."""
    parts = []
    for lever in moved:
        title, ratio = words.sentence(base.levers[lever].model.title), plans.ratios.get(lever)
        parts.append(title if ratio is None else f"{title} ({words.factor(extent(ratio))})")
    levers = words.say("semicolon").join(parts)
    return Line(words.say("session.plan.means", action=action, levers=levers), tone=Tone.FAINT)


def _in_english(text: str) -> str:
    """Return a plan to buy something with the verb that aliases have; what is bought has one name in all languages."""
    bought = begins_with(text, spoken("answer.buys"))
    return f"buy {bought}" if bought else text


def _judged_plan(diagnosis: Diagnosis, words: Glossary, action: str, moved: list[str]) -> Iterator[Line]:
    """Yield what speaks for and against a plan; while nothing is proven it holds only if what leads is what binds."""
    advice = [one for one in diagnosis.levers if one.id in moved]
    led = diagnosis.hypotheses[0].title if diagnosis.binding is None and diagnosis.hypotheses else None
    said = set()
    for pattern in diagnosis.anti_patterns:
        told_below = led is not None and pattern.id == WASTED_ACTION and any(one.effect == "wasted" for one in advice)
        if pattern.action == action and not told_below:
            text = words.say("joined", label=words.text(pattern.title), text=words.text(pattern.because))
            said.add(pattern.because)
            yield Line(text, tone=Tone.BAD)
    for one in advice:
        if one.why not in said:
            yield Line(_judged_lever(words, one, led))


def _judged_lever(words: Glossary, one: LeverAdvice, led: str | None) -> str:
    """Say what a lever does to what binds, or to what ``led`` so far while nothing is proven."""
    places = {"lever": words.sentence(one.title)}
    if led is not None:
        places |= {"cause": words.sentence(led)}
        if one.effect == "works":
            return words.say("session.plan.works_if", **places)
        return words.say("session.plan.wasted_if", why=capital(words.text(one.why)), **places)
    places |= {"why": capital(words.text(one.why))}
    if one.ceiling is None:
        return words.say(f"session.plan.{one.effect}", **places)
    return words.say(f"session.plan.{one.effect}_ceiling", factor=words.factor(one.ceiling), **places)


def tried(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    """Note what was tried before, with what it did."""
    words = talk.words(state)
    found, effect = lever_and_rest(talk.base, words, rest, talk.vocabulary)
    attempt = Tried(lever=found.id, effect=effect_of(effect), origin=Origin(file=SESSION))
    others = tuple(one for one in state.incident.tried if one.lever != found.id)
    incident = dataclasses.replace(state.incident, tried=(*others, attempt))
    changed = state.changed(turn=("tried", rest), incident=incident)
    title = words.sentence(talk.base.levers[found.id].model.title)
    return changed, talk.after(
        Taken(state=changed, items=(Line(words.say("session.noted.tried", lever=title)),)), state
    )


def note(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    """Keep a remark."""
    if not rest:
        raise AnswerError("session.problem.note")
    changed = state.changed(turn=("note", rest), notes=(*state.notes, rest))
    return changed, talk.again(changed, Line(talk.words(state).say("session.noted.note")))


def language(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    """Go on in another language."""
    named = {name: spoken(f"language.{name}") for name in ("en", "zh", "vi")}
    chosen = next((name for name, said in named.items() if rest.casefold() in (name, *said)), None)
    if chosen is None:
        raise AnswerError("session.problem.language")
    changed = state.changed(turn=("language", chosen), language=chosen)
    return changed, Reply(question=talk.question(changed))


def save(talk: Conversation, state: State, _: str) -> tuple[State, Reply]:
    """Say that everything is kept already."""
    return state, talk.again(state, Line(talk.words(state).say("session.saved")))


def leave(talk: Conversation, state: State, _: str) -> tuple[State, Reply]:
    """End here with what can be said by now; nothing is lost."""
    if not state.turns:
        return state, Reply(ended=True)
    return state, Reply(items=tuple(standing_lines(talk, state)), ended=True)
