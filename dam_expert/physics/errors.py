"""The error of every calculator; apart, so that who only names it need not load numpy."""

from __future__ import annotations


class PhysicsError(ValueError):
    """A value that cannot be: which argument, what is wrong with it, and the likely reason."""

    def __init__(self, argument: str, text: str, likely: str) -> None:
        super().__init__(f"{argument}: {text}; {likely}")
        self.argument = argument
        self.text = text
        self.likely = likely
