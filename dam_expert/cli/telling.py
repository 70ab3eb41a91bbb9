"""Messages and failures in the language that a command is asked for; documents for programs keep them in English.

Place, level and code of a message stay as they are: programs read them.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dam_expert.documents.messages import Message


def language() -> str:
    """Return the language of the command that runs; English outside of one, and of one that speaks no other."""
    from dam_expert.cli.options import report_language

    context = click.get_current_context(silent=True)
    return report_language(context.params["language"]) if context and "language" in context.params else "en"


def told(message: Message, spoken: str) -> Message:
    """Return a message in a language, as far as the program has phrases for it."""
    if spoken == "en":
        return message
    hint = None if message.hint is None else told_text(message.hint, spoken)
    return dataclasses.replace(message, text=told_text(message.text, spoken), hint=hint)


def told_text(text: str, spoken: str) -> str:
    """Return a sentence in a language, or as it is where the program has no phrase for it."""
    if spoken == "en":
        return text
    from dam_expert.reports.wording import language_named, load_wording

    wording = load_wording(language_named(spoken))

    def part(piece: str) -> str:
        return wording.retold(piece, part) or piece

    return part(text)
