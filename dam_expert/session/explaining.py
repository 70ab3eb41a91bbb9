"""Explanations: why something is asked, how something was concluded, why it was not, and what would change."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.engine.proof import origin_text, step
from dam_expert.engine.waiting import open_rules
from dam_expert.reports.model import Line, Table, Tone
from dam_expert.reports.phrasing import capital
from dam_expert.reports.resolved import lever_title, resolved_section
from dam_expert.session.answers import named_value, value_told, with_value
from dam_expert.session.conditions import failing, told
from dam_expert.session.errors import AnswerError
from dam_expert.session.naming import thing_named
from dam_expert.session.spelling import plainly_written
from dam_expert.session.state import EFFECT, NEXT, TARGET, Reply, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.engine.waiting import OpenRule
    from dam_expert.kb.base import Rule
    from dam_expert.reports import Glossary
    from dam_expert.reports.model import Item
    from dam_expert.session.conversation import Conversation

_RULES: Final = 2
#: Between two values that are imagined: a comma inside of a value has no name behind it.
_ASSIGNMENTS: Final = re.compile(r"\s*[,，;；、]\s*(?=[^,，;；、=＝]+[=＝])")
_MOVES: Final = 5


def why(talk: Conversation, state: State, _: str) -> tuple[State, Reply]:
    """Explain the question; asked again, climb from the cause to its parents, and from there to the loop."""
    words, question = talk.words(state), talk.question(state)
    if question.id in (TARGET, EFFECT, NEXT):
        worked = talk.worked(state) if question.id == NEXT else []
        if worked:
            solved = resolved_section(worked, words).items
            return state, talk.again(state, Line(words.say("session.why.next_resolved")), *solved)
        return state, talk.again(state, Line(words.say(f"session.why.{question.id}")))
    evaluated = talk.evaluated(state)
    waiting = [one for one in open_rules(evaluated) if question.id in one.lacking]
    waiting.sort(key=lambda one: (len(one.lacking), evaluated.verdict.ranked.index(one.hypothesis)))
    if state.why_level == 0 or not waiting:
        items = list(_asked_for(talk, state, question.id, waiting))
    else:
        items = list(_climbed(evaluated, words, waiting[0].hypothesis, state.why_level))
    return dataclasses.replace(state, why_level=state.why_level + 1), talk.again(state, *items)


def _asked_for(talk: Conversation, state: State, name: str, waiting: Sequence[OpenRule]) -> Iterator[Item]:
    """Yield the goal, the rules that wait for the answer, and what each answer would change."""
    from dam_expert.session.outlook import outlook

    words, evaluated = talk.words(state), talk.evaluated(state)
    item = next((one for one in talk.diagnosis(state).next_measurements if one.measurement == name), None)
    if not waiting:
        yield Line(capital(words.text(item.why)) if item is not None and item.why else words.say("session.why.wanted"))
    else:
        title = words.sentence(evaluated.base.hypotheses[waiting[0].hypothesis].model.title)
        yield Line(words.say("session.why.goal", title=title))
    for one in waiting[:_RULES]:
        rule = evaluated.base.rules[one.rule]
        title = words.sentence(evaluated.base.hypotheses[one.hypothesis].model.title)
        text = words.say(f"session.why.{one.verb}", title=title, because=words.text(rule.model.because))
        yield Line(text, mark="-")
        yield from told(step(evaluated, rule, "full").conditions, evaluated.base, words, 1)
    if len(waiting) > _RULES:
        yield Line(words.say("session.why.more_rules", n=len(waiting) - _RULES), tone=Tone.FAINT)
    yield from outlook(talk, state, name)


def _climbed(evaluated: Evaluated, words: Glossary, hypothesis: str, level: int) -> Iterator[Item]:
    base = evaluated.base
    line = [hypothesis, *base.hypotheses[hypothesis].ancestors]
    if level > len(line):
        yield Line(words.say("session.why.loop"))
        return
    model = base.hypotheses[line[level - 1]].model
    yield Line(words.text(model.statement))
    yield Line(words.say("session.why.confirmed_by", text=words.text(model.confirmed_by)))
    yield Line(words.say("session.why.falsified_by", text=words.text(model.falsified_by)))


def how(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    """Tell how a hypothesis came to its status, or where a measurement's value comes from."""
    words = talk.words(state)
    if not rest:
        raise AnswerError("session.problem.how")
    found = thing_named(talk.base, words, rest)
    items = _understood(words, found.id, guessed=found.guessed)
    evaluated = talk.evaluated(state)
    if found.id in talk.base.measurements:
        return state, talk.again(state, *items, *_how_measured(evaluated, words, found.id))
    for one in reversed(talk.worked(state)):
        then = one.then.standings
        if evaluated.standings.status[found.id] != "confirmed" and then.status[found.id] == "confirmed":
            items.append(Line(words.say("session.how.then", lever=lever_title(one, words))))
            items += [*_how_concluded(one.then, words, found.id), *resolved_section([one], words).items]
            return state, talk.again(state, *items)
    return state, talk.again(state, *items, *_how_concluded(evaluated, words, found.id))


def _understood(words: Glossary, name: str, *, guessed: bool) -> list[Item]:
    return [Line(words.say("session.taken_as", name=name), tone=Tone.FAINT)] if guessed else []


def _how_concluded(evaluated: Evaluated, words: Glossary, name: str) -> Iterator[Item]:
    base = evaluated.base
    pieces = [piece for piece in evaluated.standings.pieces if piece.hypothesis == name]
    standing = words.say(f"standing.{evaluated.standings.status[name]}")
    title = words.sentence(base.hypotheses[name].model.title)
    yield Line(words.say("joined", label=title, text=standing), tone=Tone.STRONG)
    for piece in pieces:
        verb = words.say(f"verb.{piece.verb}")
        if piece.rule not in base.rules:
            yield Line(words.say("joined", label=verb, text=words.say("said.tried")), mark="-")
            continue
        rule = base.rules[piece.rule]
        yield Line(words.say("joined", label=verb, text=words.text(rule.model.because)), mark="-")
        yield from told(step(evaluated, rule, "full").conditions, base, words, 1)
        yield Line(f"[{rule.id}, {rule.place}]", depth=1, tone=Tone.FAINT)
    children = [child for child in base.hypotheses[name].children if evaluated.standings.status[child] == "confirmed"]
    for child in children:
        yield Line(words.say("session.how.child", title=words.sentence(base.hypotheses[child].model.title)), mark="-")
    if not pieces and not children:
        yield Line(words.say("session.how.no_rule"), mark="-")


def _how_measured(evaluated: Evaluated, words: Glossary, name: str) -> Iterator[Item]:
    found = [o for o in evaluated.now.observations if o.measurement == name]
    model = evaluated.base.measurements[name].model
    yield Line(words.title(name), tone=Tone.STRONG)
    for one in found:
        stale = words.say("session.stale") if one in evaluated.now.stale else ""
        basis, value = words.say(f"basis.{one.basis}"), words.observed(one)
        yield Line(f"{value} ({basis}; {origin_text(one)}){stale}", mark="-")
    rejected = [r for r in evaluated.columns.rejections if r.observation.measurement == name]
    for one_rejected in rejected:
        place, reason = str(one_rejected.observation.origin), words.text(one_rejected.reason)
        yield Line(words.say("session.how.rejected", place=place, reason=reason), mark="-")
    if model.formula is not None:
        yield Line(words.say("session.how.formula", formula=model.formula), mark="-")
    if not found and not rejected and model.formula is None:
        yield Line(words.say("session.how.nothing"), mark="-")


def why_not(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    """Tell why a hypothesis is not confirmed, or why a rule did not fire: what is false, and what is only unknown."""
    words, evaluated, base = talk.words(state), talk.evaluated(state), talk.base
    if not rest:
        raise AnswerError("session.problem.why_not")
    found = thing_named(base, words, rest, rules=True)
    items = _understood(words, found.id, guessed=found.guessed)
    if found.id in base.rules:
        return state, talk.again(state, *items, *_unfired(evaluated, words, base.rules[found.id]))
    return state, talk.again(state, *items, *_unconfirmed(evaluated, words, found.id))


def _unconfirmed(evaluated: Evaluated, words: Glossary, name: str) -> Iterator[Item]:
    base = evaluated.base
    if evaluated.standings.status[name] == "confirmed":
        yield Line(words.say("session.why_not.is_confirmed", name=name))
        return
    for piece in evaluated.standings.pieces:
        if piece.hypothesis == name and piece.verb == "refute":
            because = words.text(base.rules[piece.rule].model.because)
            yield Line(words.say("session.why_not.refuted", because=because, rule=piece.rule), mark="-")
    fired = {firing.rule for firing in evaluated.firings}
    rules = [rule for rule in base.rules.values() if ("confirm", name) in rule.conclusions and rule.id not in fired]
    for rule in rules:
        yield from _unfired(evaluated, words, rule)
    if not rules:
        yield Line(words.say("session.why_not.no_rule"))


def _unfired(evaluated: Evaluated, words: Glossary, rule: Rule) -> Iterator[Item]:
    yield Line(f"{words.sentence(rule.model.title)} [{rule.id}]", mark="-")
    yield from failing(step(evaluated, rule, "full"), evaluated.base, words)


def what_if(talk: Conversation, state: State, rest: str) -> tuple[State, Reply]:
    """Show two verdicts side by side: as it is, and as it would be; nothing is changed."""
    words, imagined = talk.words(state), state.incident
    for part in _ASSIGNMENTS.split(plainly_written(rest)):
        named = named_value(talk.base, words, part)
        if named is None:
            raise AnswerError("session.problem.what_if")
        imagined = with_value(imagined, value_told(talk.base, *named))
    then = talk.imagined(dataclasses.replace(state, incident=imagined))
    return state, talk.again(state, *_beside(words, talk.evaluated(state), then))


def _beside(words: Glossary, now: Evaluated, then: Evaluated) -> Iterator[Item]:
    rows = (
        (words.say("title.verdict"), *(words.say(f"status.{one.verdict.status}") for one in (now, then))),
        (words.say("session.what_if.cause"), _leading(now, words), _leading(then, words)),
    )
    header = ("", words.say("session.what_if.now"), words.say("session.what_if.then"))
    yield Table(header=header, rows=rows, tones=(Tone.PLAIN, Tone.STRONG))
    moves = list(_moves(now, then, words))
    yield from (Line(move, mark="*") for move in moves[:_MOVES])
    if len(moves) > _MOVES:
        yield Line(words.say("session.more_causes", n=len(moves) - _MOVES), tone=Tone.FAINT)
    if not moves:
        yield Line(words.say("session.what_if.nothing"), mark="*")


def _leading(evaluated: Evaluated, words: Glossary) -> str:
    named = evaluated.verdict.binding or evaluated.verdict.leading
    return "-" if named is None else words.sentence(evaluated.base.hypotheses[named].model.title)


def _moves(before: Evaluated, after: Evaluated, words: Glossary) -> Iterator[str]:
    for name in after.verdict.ranked:
        title = words.sentence(before.base.hypotheses[name].model.title)
        old, new = before.standings.status[name], after.standings.status[name]
        if old != new:
            text = f"{words.say(f'standing.{old}')} → {words.say(f'standing.{new}')}"
            yield words.say("joined", label=title, text=text)
        elif before.standings.score[name] != after.standings.score[name]:
            score = f"{before.standings.score[name]:+d} → {after.standings.score[name]:+d}"
            yield words.say("joined", label=title, text=words.say("standing.score", score=score))
