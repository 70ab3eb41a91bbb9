"""What a target was and what it became, or is to become: ``from 0.8 s to 2.4 s``, ``110 ms before, 180 ms now``.

>>> move_in("p99 went from 0.8 s to 2.4 s")
Move(name='p99', before='0.8 s', after='2.4 s', happened=True, rest='')
>>> move_in("步时从 180 毫秒降到 110 毫秒"), move_in("step time is 180 ms")
(Move(name='步时', before='180 毫秒', after='110 毫秒', happened=False, rest=''), None)
>>> move_in("step time was 110 ms before and is 180 ms now")
Move(name='step time', before='110 ms', after='180 ms', happened=True, rest='')
>>> move_in("a step takes 400 ms, it used to be 190 ms").before
'190 ms'
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.answering import whole_word
from dam_expert.session.speech import holds_any, spoken

if TYPE_CHECKING:
    from collections.abc import Iterable

_VALUE: Final = r"(?<![A-Za-z0-9_.,%])[~≈<>$]?\d"
#: Where a value begins: a number, perhaps hedged, that is no part of a name (p99).
VALUE: Final = re.compile(_VALUE)
_FLAGS: Final = re.IGNORECASE | re.DOTALL
_TO: Final = r"(?:down to|up to|to|lên|xuống(?: còn)?|còn|thành|đến|tới)"
_MOVES: Final = (
    re.compile(rf"(?P<name>.*?)(?<!\w)(?:from|từ)\s+(?P<before>{_VALUE}.*?)\s+{_TO}\s+(?P<after>{_VALUE}.*)", _FLAGS),
    re.compile(
        rf"(?P<name>.*?)(?:从|由)\s*(?P<before>{_VALUE}.*?)\s*[涨升降跌变掉增加减少恶化提高上下缩短拉]*(?:到|至|成|为)了?\s*"
        rf"(?P<after>{_VALUE}.*)",
        _FLAGS,
    ),
    re.compile(rf"(?P<name>.*?)(?P<before>{_VALUE}[^,;，；]*?)\s*(?:->|→|=>)\s*(?P<after>{_VALUE}.*)", _FLAGS),
)
_CLAUSES: Final = re.compile(r"[,;，；](?=\s|\D)|\s(?:and|but|nhưng|còn|và)\s|但|而")
#: What is said in brackets is a clause.
_BRACKETS: Final = re.compile(r"\s*[(（)）]\s*")
_END: Final = re.compile(r"(?:才行|就行|即可|才够|才好)$|[,;，；。)）]\s.*|[,;，；。)）].*|\.\s.*|\.$", re.DOTALL)
_MARKS: Final = " ,;:=，；：、.。(（"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """The texts of two values of one thing. ``happened``: it is told as what was, not as what is wanted."""

    name: str
    before: str
    after: str
    happened: bool
    rest: str = ""
    """What is said beside the move, in clauses of its own: what is wished may stand there."""


def move_in(text: str) -> Move | None:
    """Return the move that a text tells; None where it tells none."""
    for pattern in _MOVES:
        found = pattern.fullmatch(text.strip())
        if found is not None:
            before_it, name = _last_clause(found["name"])
            after = _END.sub("", found["after"]).strip()
            rest = f"{before_it} {found['after'][len(after) :]}".strip()
            told = text if not rest else f"{name} {found['before']} {after} {_between(found)}"
            happened = holds_any(told, spoken("answer.moved")) and not holds_any(told, spoken("answer.wanted"))
            name = _without(name, spoken("answer.moved"), spoken("answer.is"), spoken("answer.wanted"))
            name = _without(name, spoken("answer.it"))
            return Move(name=name, before=_value(found["before"]), after=_value(after), happened=happened, rest=rest)
    return _then_and_now(text) or _was_and_is(text)


def _between(found: re.Match[str]) -> str:
    """Return what stands between the two values of a move: *涨到*."""
    return found.string[found.end("before") : found.start("after")]


def _last_clause(name: str) -> tuple[str, str]:
    """Part what holds a value of its own, and stands before the clause that names what moved, from that clause."""
    pieces = _CLAUSES.split(name)
    if len(pieces) == 1 or not VALUE.search(name):
        return "", name
    return name[: name.rindex(pieces[-1])], pieces[-1]


def _then_and_now(text: str) -> Move | None:
    """Return the two values of a text that tells what was before and what is now, each in a clause of its own."""
    then = now = None
    for clause in _CLAUSES.split(text):
        if not clause or not VALUE.search(clause):
            continue
        if holds_any(clause, spoken("answer.before")):
            then = then or clause
        elif holds_any(clause, spoken("answer.after")):
            now = now or clause
    if then is None or now is None:
        return None
    marks = (spoken("answer.before"), spoken("answer.after"), spoken("answer.is"))
    first = min((then, now), key=text.index)
    return _of_clauses(then, now, marks, name=_without(first[: _start(first)], *marks))


def _was_and_is(text: str) -> Move | None:
    """Return the two values of a text whose second clause tells what the same thing was: *400 ms, used to be 190 ms*.

    That clause names nothing: *data loading was 20 ms before* is of something else.
    """
    clauses = [clause for clause in _CLAUSES.split(_BRACKETS.sub(", ", text)) if VALUE.search(clause)]
    if len(clauses) != 2:  # what it was, and what it is
        return None
    is_then = [holds_any(clause, (*spoken("answer.before"), *spoken("answer.was"))) for clause in clauses]
    if is_then[0] == is_then[1] or any(holds_any(clause, spoken("answer.wanted")) for clause in clauses):
        return None
    then, now = clauses if is_then[0] else reversed(clauses)
    marks = (spoken("answer.before"), spoken("answer.was"), spoken("answer.is"), spoken("answer.about"))
    names = {clause: _without(clause[: _start(clause)], *marks, spoken("answer.it")) for clause in (then, now)}
    if names[clauses[1]] or not names[clauses[0]]:
        return None
    return _of_clauses(then, now, marks, name=names[clauses[0]])


def _of_clauses(then: str, now: str, marks: Iterable[tuple[str, ...]], *, name: str) -> Move:
    """Return the move between the values of two clauses, each without the words that tell when it was so."""
    before, after = (_without(clause[_start(clause) :], *marks) for clause in (then, now))
    return Move(name=name, before=before, after=after, happened=True)


def _start(text: str) -> int:
    found = VALUE.search(text)
    return len(text) if found is None else found.start()


def _value(text: str) -> str:
    return text.strip(_MARKS)


def _without(text: str, *listed: tuple[str, ...]) -> str:
    """Return a text without any of the words at either of its ends."""
    said = text.strip(_MARKS)
    for word in (word for words in listed for word in words):
        bounded = whole_word(word)
        shorter = re.sub(rf"^{bounded}|{bounded}$", "", said, flags=re.IGNORECASE).strip(_MARKS)
        if shorter != said:
            return _without(shorter, *listed)
    return said
