"""Writes docs/appendix.md: every fact of the D-A-M appendix with the entries that carry it, and a command per section.

Run ``python docs/make_appendix.py > docs/appendix.md`` after a change to ``knowledge/facts.yaml`` or
``docs/appendix.yaml``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from dam_expert import load_knowledge
from dam_expert.kb.models import SECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.kb.base import Base

INTRODUCTION = """\
# The appendix at work

The appendix on the Data-Algorithm-Machine taxonomy is encoded in the knowledge base: each of its statements is carried
by entries that argue with it. This page is generated; a test fails when a statement has none. Thresholds that come
from the appendix are screening signals, as it says itself: what decides has a source of its own.
"""

WALK = Path(__file__).with_name("appendix.yaml")


def walk() -> list[dict[str, str]]:
    """Return the sections in order: section, title, shows, command."""
    sections: list[dict[str, str]] = yaml.safe_load(WALK.read_text(encoding="utf-8"))["sections"]
    return sections


def page(base: Base) -> str:
    """Return the whole page."""
    lines = [INTRODUCTION]
    for each in walk():
        lines.append(f"## {each['title']}\n\n{each['shows']}\n\n```sh\n{each['command']}\n```\n")
        lines.extend(_facts(base, each["section"]))
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def _facts(base: Base, section: str) -> Iterator[str]:
    yield "| fact | the appendix says | carried by |\n|---|---|---|"
    for fact in base.facts.values():
        if fact.section == section:
            yield f"| {fact.number} | {fact.states} | {'; '.join(_carriers(base, fact.carried_by))} |"


def _carriers(base: Base, ids: list[str]) -> Iterator[str]:
    """Group the ids by their kind, in the order of the kinds."""
    for kind in SECTIONS:
        found = [f"`{name}`" for name in ids if name in getattr(base, kind, ())]
        if found:
            yield f"{kind.replace('_', ' ')}: {', '.join(found)}"


def main() -> None:
    """Print the page."""
    base, messages = load_knowledge()
    if base is None:
        sys.exit("\n".join(str(message) for message in messages))
    sys.stdout.write(page(base))


if __name__ == "__main__":
    main()
