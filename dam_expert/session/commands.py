"""Commands of the session: everything one can say beside answering."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

from dam_expert.documents.incident import Planned, Tried
from dam_expert.documents.observations import Origin
from dam_expert.session import explaining
from dam_expert.session.answers import AnswerError, Taken, effect_of, names_like, with_value
from dam_expert.session.asking import next_question
from dam_expert.session.state import EFFECT, TARGET, Reply, State

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dam_expert.session.conversation import Conversation

HELP: Final = (
    "An answer is a value (40 %, 180 ms, 10-40 %, about 3), a word (low, idle), unknown, can't measure,",
    "not applicable, the path of a tool's output, or that output pasted between lines '<<<' and '>>>'.",
    "why                 why this is asked; again climbs to the cause and the loop",
    "how X               how a hypothesis came to its status, or where a value comes from",
    "why not X           what keeps a hypothesis or rule from holding: false, or only unknown",
    "what if X=VALUE     two verdicts side by side; nothing is changed",
    "change X VALUE      correct a value",
    "back, undo          ask the last question again; take the last change back",
    "show                facts, causes, and where the time goes",
    "plan LEVER          check a plan against what is known",
    "tried LEVER EFFECT  what was tried: helped, nothing, worse, or a factor such as 1.3x",
    "did LEVER           record an intervention; the target is asked again",
    "note TEXT           keep a remark",
    "save, quit, help",
)


def run_command(talk: Conversation, state: State, command: str, rest: str) -> tuple[State, Reply]:
    """Run a command. What cannot be done changes nothing and says what to write instead."""
    try:
        return COMMANDS[command](talk, state, rest)
    except AnswerError as error:
        return state, _again(talk, state, str(error))


def _again(talk: Conversation, state: State, *lines: str) -> Reply:
    return Reply(lines=lines, question=next_question(talk.base, state, talk.diagnosis(state)), again=True)


def _why(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    if rest.casefold().startswith("not "):
        name = _named(talk, rest[4:], [*talk.base.hypotheses, *talk.base.rules])
        return state, _again(talk, state, *explaining.why_not(talk.evaluated(state), talk.words, name))
    question = next_question(talk.base, state, talk.diagnosis(state))
    if question is None:
        return state, Reply(lines=("Nothing is asked.",))
    if question.id in (TARGET, EFFECT):
        text = "Without a target that was missed there is nothing to explain, and no way to tell whether it got better."
        return state, Reply(lines=(text,), question=question, again=True)
    lines = explaining.why(talk.evaluated(state), talk.words, question.id, state.why_level)
    return dataclasses.replace(state, why_level=state.why_level + 1), Reply(
        lines=tuple(lines), question=question, again=True
    )


def _how(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    name = _named(talk, rest, [*talk.base.hypotheses, *talk.base.measurements])
    return state, _again(talk, state, *explaining.how(talk.evaluated(state), talk.words, name))


def _what(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    said = rest.removeprefix("if ").strip()
    name, equals, value = said.partition("=")
    if not equals or not value.strip():
        raise AnswerError("write 'what if input_gap_share=40 %'")
    measurement = _named(talk, name, list(talk.base.measurements))
    imagined = dataclasses.replace(state, incident=with_value(talk.base, state.incident, measurement, value.strip()))
    return state, _again(talk, state, *explaining.differences(talk.evaluated(state), talk.evaluated(imagined)))


def _change(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    name, _, value = rest.replace("=", " ", 1).partition(" ")
    if not value.strip():
        raise AnswerError("write 'change input_gap_share 40 %'")
    measurement = _named(talk, name, list(talk.base.measurements))
    incident = with_value(talk.base, state.incident, measurement, value.strip())
    before = talk.diagnosis(state)
    changed = state.changed(turn=("change " + measurement, value.strip()), incident=incident)
    return changed, talk.after(Taken(state=changed), before)


def _back(talk: Conversation, state: State, _: str) -> tuple[State, Reply]:
    if not state.past:
        return state, _again(talk, state, "There is nothing to go back to.")
    earlier = dataclasses.replace(state.past[-1], past=state.past[:-1])
    question = next_question(talk.base, earlier, talk.diagnosis(earlier))
    return earlier, Reply(lines=("Taken back.",), question=question)


def _show(talk: Conversation, state: State, _: str) -> tuple[State, Reply]:
    notes = [f"note: {note}" for note in state.notes]
    return state, _again(talk, state, *talk.report(talk.diagnosis(state)), *notes)


def _plan(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    lever = _lever(talk, rest)
    planned = Planned(lever=lever, origin=Origin(file="session"))
    changed = state.changed(
        turn=("plan", rest),
        incident=dataclasses.replace(state.incident, planned=(*state.incident.planned, planned)),
    )
    diagnosis = talk.diagnosis(changed)
    lines = [f"{one.title}: {one.because}" for one in diagnosis.anti_patterns if one.action == lever]
    for one in diagnosis.levers:
        if one.id == lever:
            bound = (
                "" if one.ceiling is None else f", at most {one.ceiling:.3g}x" if isinstance(one.ceiling, float) else ""
            )
            lines.append(f"{one.title}: {one.effect}{bound}. {one.why}")
    return changed, _again(talk, changed, *(lines or [f"Nothing known speaks for or against '{lever}' yet."]))


def _tried(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    words = rest.split()
    if len(words) < 2:
        raise AnswerError("write 'tried more_loader_workers nothing' (or helped, worse, 1.3x)")
    lever = _lever(talk, " ".join(words[:-1]))
    tried = Tried(lever=lever, effect=effect_of(words[-1]), origin=Origin(file="session"))
    before = talk.diagnosis(state)
    incident = dataclasses.replace(state.incident, tried=(*state.incident.tried, tried))
    changed = state.changed(turn=("tried", rest), incident=incident)
    return changed, talk.after(Taken(state=changed, lines=(f"Noted: {talk.base.levers[lever].model.title}.",)), before)


def _did(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    changed = state.changed(turn=("did", rest), pending_lever=_lever(talk, rest))
    return changed, Reply(question=next_question(talk.base, changed, talk.diagnosis(changed)))


def _note(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    if not rest:
        raise AnswerError("write 'note TEXT'")
    changed = state.changed(turn=("note", rest), notes=(*state.notes, rest))
    return changed, _again(talk, changed, "Noted.")


def _save(talk: Conversation, state: State, _: str) -> tuple[State, Reply]:
    return state, _again(talk, state, "Everything is on disk after each answer.")


def _quit(_: Conversation, state: State, __: str) -> tuple[State, Reply]:
    return state, Reply(ended=True)


def _help(talk: Conversation, state: State, _: str) -> tuple[State, Reply]:
    return state, _again(talk, state, *HELP)


def _named(talk: Conversation, text: str, known: list[str]) -> str:
    resolved = talk.base.names.resolve(text)
    exact = text.strip() in known
    if resolved is not None and resolved in known and not exact:
        return resolved
    found = names_like(text, known)
    if found is None:
        raise AnswerError(f"nothing is called '{text.strip()}'")
    return found


def _lever(talk: Conversation, text: str) -> str:
    """Return the lever that a text means, by id or alias."""
    aliases = {alias.casefold(): name for name, lever in talk.base.levers.items() for alias in lever.model.aliases}
    said = text.strip().casefold()
    if said in aliases:
        return aliases[said]
    within = {name for alias, name in aliases.items() if alias in said}
    if len(within) == 1:
        return within.pop()
    return _named(talk, text, list(talk.base.levers))


COMMANDS: Final[Mapping[str, Callable[[Conversation, State, str], tuple[State, Reply]]]] = {
    "why": _why,
    "how": _how,
    "what": _what,
    "change": _change,
    "back": _back,
    "undo": _back,
    "show": _show,
    "plan": _plan,
    "tried": _tried,
    "did": _did,
    "note": _note,
    "save": _save,
    "quit": _quit,
    "exit": _quit,
    "help": _help,
}
