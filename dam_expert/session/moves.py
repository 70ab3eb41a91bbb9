"""What a target was and what it became, or is to become: ``from 0.8 s to 2.4 s``, ``110 ms before, 180 ms now``.

>>> move_in("p99 went from 0.8 s to 2.4 s")
Move(name='p99', before='0.8 s', after='2.4 s', happened=True)
>>> move_in("步时从 180 毫秒降到 110 毫秒"), move_in("step time is 180 ms")
(Move(name='步时', before='180 毫秒', after='110 毫秒', happened=False), None)
>>> move_in("step time was 110 ms before and is 180 ms now")
Move(name='step time', before='110 ms', after='180 ms', happened=True)
"""

from __future__ import annotations

import dataclasses
import re
from typing import Final

from dam_expert.documents.answering import is_han
from dam_expert.session.speech import holds_any, spoken

#: How a value begins; a name such as p99 holds none.
_VALUE: Final = r"(?<![A-Za-z0-9_.,%])[~≈<>$]?\d"
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
_BEGINS: Final = re.compile(_VALUE)
_END: Final = re.compile(r"(?:才行|就行|即可|才够|才好)$|[,;，；。)）]\s.*|[,;，；。)）].*|\.\s.*|\.$", re.DOTALL)
_MARKS: Final = " ,;:=，；：、.。(（"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """The texts of two values of one thing. ``happened``: it is told as what was, not as what is wanted."""

    name: str
    before: str
    after: str
    happened: bool


def move_in(text: str) -> Move | None:
    """Return the move that a text tells; None where it tells none."""
    for pattern in _MOVES:
        found = pattern.fullmatch(text.strip())
        if found is not None:
            happened = holds_any(text, spoken("answer.moved")) and not holds_any(text, spoken("answer.wanted"))
            after = _END.sub("", found["after"]).strip()
            name = _without(found["name"], spoken("answer.moved"), spoken("answer.is"), spoken("answer.wanted"))
            return Move(name=name, before=_value(found["before"]), after=_value(after), happened=happened)
    return _then_and_now(text)


def _then_and_now(text: str) -> Move | None:
    """Return the two values of a text that tells what was before and what is now, each in a clause of its own."""
    then = now = None
    for clause in _CLAUSES.split(text):
        if not clause or not _BEGINS.search(clause):
            continue
        if holds_any(clause, spoken("answer.before")):
            then = then or clause
        elif holds_any(clause, spoken("answer.after")):
            now = now or clause
    if then is None or now is None:
        return None
    marks = (spoken("answer.before"), spoken("answer.after"), spoken("answer.is"))
    values = [_value(_without(clause[_start(clause) :], *marks)) for clause in (then, now)]
    first = min((then, now), key=text.index)
    name = _without(first[: _start(first)], *marks)
    return Move(name=name, before=values[0], after=values[1], happened=True)


def _start(text: str) -> int:
    found = _BEGINS.search(text)
    return len(text) if found is None else found.start()


def _value(text: str) -> str:
    return text.strip(_MARKS)


def _without(text: str, *listed: tuple[str, ...]) -> str:
    """Return a text without any of the words at either of its ends."""
    said = text.strip(_MARKS)
    for word in (word for words in listed for word in words):
        bounded = word if is_han(word[-1]) else rf"(?<!\w){re.escape(word)}(?!\w)"
        shorter = re.sub(rf"^{bounded}|{bounded}$", "", said, flags=re.IGNORECASE).strip(_MARKS)
        if shorter != said:
            return _without(shorter, *listed)
    return said
