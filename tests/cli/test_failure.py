"""The one error class."""

from __future__ import annotations

import io

from dam_expert.cli.failure import Exit, Failure
from dam_expert.documents.messages import Level, Message


def test_messages_first_then_the_text():
    """Messages are printed one a line, then what it comes to, both escaped."""
    message = Message(file="a\x1b", level=Level.ERROR, text="is empty", code="empty-file")
    sink = io.StringIO()
    Failure(Exit.INVALID, "no\x07 use", [message]).show(sink)
    assert sink.getvalue() == "a\\x1b: error: is empty [empty-file]\ndam: no\\x07 use\n"


def test_exit_code():
    """It carries the exit code."""
    assert Failure(Exit.INVALID).exit_code == 3
