"""The line protocol: a session over plain lines, for pipes and dumb terminals.

Every question ends with a line ``? ID`` and answers are one line each; a text of several lines stands between ``<<<``
and ``>>>``. What is read and written is handed in, so that a dialogue is tested as a list of strings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.reports import items_text
from dam_expert.reports.model import Line, Tone

if TYPE_CHECKING:
    from collections.abc import Callable

    from dam_expert.reports import Glossary
    from dam_expert.reports.model import Item
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
    *,
    color: bool = False,
    width: int = WIDTH,
) -> State:
    """Hold a session until it ends or no more lines come. ``read`` returns a line, or None at the end of input.

    ``save`` is called after every change and before anything more is said, so that nothing is ever lost.
    """

    def show(reply: Reply) -> None:
        text = reply_text(reply, talk.words(state), color=color, width=width)
        for line in text.splitlines():
            say(line)

    reply = talk.open(state)
    show(reply)
    while not reply.ended:
        text = answer_from(read)
        if text is None:
            break
        changed, reply = talk.answer(state, text)
        if changed.kept() != state.kept():
            save(changed)
        state = changed
        show(reply)
    return state


def answer_from(read: Callable[[], str | None]) -> str | None:
    """Return the next answer: a line, or the lines of a paste as one text; None at the end of input."""
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


def reply_text(reply: Reply, words: Glossary, *, color: bool = False, width: int = WIDTH) -> str:
    """Draw a reply in at most ``width`` columns; commands stay whole, since they are pasted.

    A question that stands as before is not asked again: its last line says which it is.
    """
    text = items_text(reply.items, color=color, width=width)
    if reply.question is None:
        return text
    if not reply.again:
        text += items_text(question_items(reply.question, words), color=color, width=width)
    return text + f"? {reply.question.id}\n"


def question_items(question: Question, words: Glossary) -> list[Item]:
    """Return a question as items: the text, how to find out, what it costs and settles, and what may be answered."""
    items: list[Item] = [Line(""), Line(question.text, tone=Tone.STRONG), *question.how]
    if question.takes:
        items.append(Line(words.say("joined", label=words.say("session.answer"), text=question.takes), tone=Tone.FAINT))
    return items
