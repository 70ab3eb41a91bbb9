"""The line protocol: a session over plain lines, for pipes and dumb terminals.

Every question ends with a line ``? ID`` and answers are one line each; a text of several lines stands between ``<<<``
and ``>>>``. What is read and written is handed in, so that a dialogue is tested as a list of strings.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from dam_expert.documents.messages import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dam_expert.session.conversation import Conversation
    from dam_expert.session.state import Question, Reply, State

PASTE_BEGINS: Final = "<<<"
PASTE_ENDS: Final = ">>>"
#: A paste is bounded: longer output is given as a file.
MAX_PASTE: Final = 16 * 1024 * 1024
WIDTH: Final = 80


def converse(
    talk: Conversation,
    state: State,
    read: Callable[[], str | None],
    say: Callable[[str], None],
    save: Callable[[State], None],
) -> State:
    """Hold a session until it ends or no more lines come. ``read`` returns a line, or None at the end of input.

    ``save`` is called after every change and before anything more is said, so that nothing is ever lost.
    """
    reply = talk.open(state)
    _show(reply, say)
    while not reply.ended:
        text = _answer(read)
        if text is None:
            break
        changed, reply = talk.answer(state, text)
        if changed.kept() != state.kept():
            save(changed)
        state = changed
        _show(reply, say)
    return state


def _answer(read: Callable[[], str | None]) -> str | None:
    line = read()
    if line is None or line.strip() != PASTE_BEGINS:
        return line
    pasted: list[str] = []
    size = 0
    while (line := read()) is not None and line.strip() != PASTE_ENDS:
        size += len(line)
        if size <= MAX_PASTE:
            pasted.append(line)
    return "\n".join(pasted) + "\n"


def _show(reply: Reply, say: Callable[[str], None]) -> None:
    for line in reply.lines:
        _say(line, say)
    if reply.question is not None:
        shown = question_lines(reply.question)
        for line in ("", reply.question.text, f"? {reply.question.id}") if reply.again else shown:
            _say(line, say)


def _say(line: str, say: Callable[[str], None]) -> None:
    """Say a line in at most 80 columns; commands stay whole, since they are pasted."""
    text = printable(line)
    if len(text) <= WIDTH or text.lstrip().startswith("$"):
        say(text)
        return
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    for part in textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False):
        say(part)


def question_lines(question: Question) -> Iterator[str]:
    """Yield a question as lines: the text, how to find out, what it costs and settles, and its id last."""
    yield ""
    yield question.text
    for way in question.how:
        yield f"  {way}"
    if question.minutes is not None:
        disturbs = f"; disturbs: {question.disturbs}" if question.disturbs else ""
        yield f"  {question.minutes:g} minutes{disturbs}"
    if question.settles:
        shown = "; ".join(question.settles[:3])
        more = f" and {len(question.settles) - 3} more" if len(question.settles) > 3 else ""
        yield f"  could settle: {shown}{more}"
    yield f"? {question.id}"
