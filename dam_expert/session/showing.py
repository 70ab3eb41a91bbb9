"""Commands that show where a session stands: facts, causes and how they moved, the budget, the whole report, help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, set_cell_size

from dam_expert.documents.observations import Basis
from dam_expert.reports import build_report
from dam_expert.reports.causes import budget_section
from dam_expert.reports.model import Bar, Line, Tone
from dam_expert.reports.resolved import resolved_section
from dam_expert.reports.verdict import missed_section, verdict_section
from dam_expert.session.prose import SESSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dam_expert.documents.diagnosis import Diagnosis, HypothesisReport
    from dam_expert.documents.observations import Observation
    from dam_expert.reports import Glossary
    from dam_expert.reports.model import Item
    from dam_expert.session.conversation import Conversation
    from dam_expert.session.state import Reply, State

_FACTS: Final = 12
_CAUSES: Final = 6
_NAMED: Final = 3
#: The lines of help: what one types, and what it does.
_HELP: Final = (
    *("answer", "why", "how", "why_not", "what_if", "change", "back", "undo", "show", "report", "plan", "tried"),
    *("did", "note", "language", "save", "quit"),
)


def show(talk: Conversation, state: State, _: str) -> tuple[State, Reply]:
    """Show the facts, the causes and how they moved, and where the time goes."""
    words, diagnosis = talk.words(state), talk.diagnosis(state)
    begun = talk.diagnosis(state.past[0]) if state.past else None
    items: list[Item] = [*missed_section(diagnosis, words).items, *verdict_section(diagnosis, words).items]
    solved = resolved_section(talk.worked(state), words)
    items += _titled(solved.title, solved.items)
    items += _titled(words.say("session.title.facts"), _facts(talk, state, words))
    items += _titled(words.say("session.title.causes"), _causes(diagnosis, begun, words))
    budget = budget_section(diagnosis, words)
    items += _titled(budget.title, [item for item in budget.items if not isinstance(item, Bar) or item.low is not None])
    absent = [words.title(name) for name, _ in state.incident.answers]
    items += _titled(
        words.say("session.title.absent"), [Line(words.say("semicolon").join(absent), depth=1)] if absent else []
    )
    items += _titled(words.say("session.title.notes"), [Line(note, mark="-", depth=1) for note in state.notes])
    return state, talk.again(state, *items)


def standing_lines(talk: Conversation, state: State) -> list[Line]:
    """Return in three lines where a session stands: the verdict, what to do first, and what to measure next."""
    words = talk.words(state)
    diagnosis, asked = talk.diagnosis(state), talk.question(state).id
    # what is asked here is what is to be measured next, whether the engine or the way one came in chose it
    following = sorted(diagnosis.next_measurements, key=lambda item: item.measurement != asked)
    head = build_report(diagnosis.model_copy(update={"next_measurements": following}), words).head
    return [Line(words.say("joined", label=point.label, text=point.text)) for point in (head.verdict, *head.steps)]


def report(talk: Conversation, state: State, _: str) -> tuple[State, Reply]:
    """Show the whole report."""
    items: list[Item] = []
    worked = talk.worked(state)
    for section in build_report(talk.diagnosis(state), talk.words(state), worked=worked).sections:
        items += _titled(section.title, section.items)
    return state, talk.again(state, *items)


def help_(talk: Conversation, state: State, _: str) -> tuple[State, Reply]:
    """Show what can be said."""
    words = talk.words(state)
    rows = [(words.say(f"session.help.{name}.type"), words.say(f"session.help.{name}.does")) for name in _HELP]
    return state, talk.again(state, *pairs(rows))


def pairs(rows: Sequence[tuple[str, str]]) -> list[Line]:
    """Return two columns; wide characters take two cells, and the second is wrapped below itself."""
    width = max((cell_len(left) for left, _ in rows), default=0)
    return [Line(right, mark=set_cell_size(left, width + 1)) for left, right in rows]


def _titled(title: str, items: Iterable[Item]) -> list[Item]:
    found = list(items)
    return [Line(""), Line(title, tone=Tone.STRONG), *found] if found else []


def _facts(talk: Conversation, state: State, words: Glossary) -> Iterator[Line]:
    """Yield what is known, the latest first; what is older than an intervention is marked."""
    now = talk.evaluated(state).now
    known = [one for one in reversed(now.observations) if one.given or one.origin.file != SESSION]  # no mere topics
    known = _once(known)
    for one in known[:_FACTS]:
        value = words.observed(one)
        stale = words.say("session.stale") if one in now.stale else ""
        yield Line(f"{one.measurement} = {value} ({words.say(f'basis.{one.basis}')}){stale}", depth=1)
    if len(known) > _FACTS:
        yield Line(words.say("session.more_facts", n=len(known) - _FACTS), depth=1, tone=Tone.FAINT)


def _once(known: Iterable[Observation]) -> list[Observation]:
    """Return each fact once, though it was told more than once: as it is known best."""
    best: dict[object, Observation] = {}
    for one in known:
        key = (one.measurement, one.scope, one.value)
        if key not in best or best[key].basis is Basis.SAID:
            best[key] = one
    return list(best.values())


def _causes(diagnosis: Diagnosis, begun: Diagnosis | None, words: Glossary) -> Iterator[Line]:
    """Yield the causes that something speaks for or against, each with how it moved since the session was begun."""
    before = {one.id: one for one in begun.hypotheses} if begun is not None else {}
    spoken_of = [one for one in diagnosis.hypotheses if one.status not in ("candidate", "refuted") or one.score > 0]
    for one in spoken_of[:_CAUSES]:
        line = words.say("session.cause", title=words.sentence(one.title), standing=_standing(one, words))
        old = before.get(one.id)
        if old is not None and (old.status, old.score) != (one.status, one.score):
            line += words.say("session.was", standing=_standing(old, words))
        yield Line(line, depth=1)
    if len(spoken_of) > _CAUSES:
        yield Line(words.say("session.more_causes", n=len(spoken_of) - _CAUSES), depth=1, tone=Tone.FAINT)
    counted = {
        "refuted": sum(one.status == "refuted" for one in diagnosis.hypotheses),
        "lowered": sum(one.status == "candidate" and one.score < 0 for one in diagnosis.hypotheses),
    }
    for key, number in counted.items():
        if number:
            yield Line(words.say(f"session.count.{key}", n=number), depth=1, tone=Tone.FAINT)


def _standing(one: HypothesisReport, words: Glossary) -> str:
    status = words.say(f"standing.{one.status}")
    if one.status not in ("candidate", "supported"):
        return status
    return words.say("comma").join((status, words.say("standing.score", score=f"{one.score:+d}")))


def moved(words: Glossary, before: Diagnosis, after: Diagnosis) -> list[Line]:
    """Return what an answer moved: one line for all that is now confirmed, one for all that is ruled out, and so on."""
    old = {hypothesis.id: hypothesis.status for hypothesis in before.hypotheses}
    changed = [hypothesis for hypothesis in after.hypotheses if old[hypothesis.id] != hypothesis.status]
    tones = {"confirmed": Tone.GOOD, "conflicting": Tone.BAD}
    lines = []
    for status in ("confirmed", "conflicting", "supported", "candidate", "refuted"):
        titles = [words.sentence(one.title) for one in changed if one.status == status]
        if titles:
            more = len(titles) - _NAMED
            text = words.say("semicolon").join(titles[:_NAMED])
            text += words.say("session.and_more", n=more) if more > 0 else ""
            told = words.say("joined", label=words.say(f"session.moved.{status}"), text=text)
            lines.append(Line(told, mark="*", tone=tones.get(status, Tone.PLAIN)))
    return lines
