"""The pieces of which a reference page is made."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A piece of a page: ``heading``, ``text``, ``code`` in a language, or ``links`` to other pages by id."""

    kind: str
    text: str = ""
    links: tuple[tuple[str, str], ...] = ()
    language: str = "yaml"
