"""Small runbooks for tests: written into a folder, laid over the shipped base."""

from __future__ import annotations

import datetime
from pathlib import Path

from dam_expert.documents.messages import Message
from dam_expert.kb.base import Base
from dam_expert.kb.layers import Source
from dam_expert.kb.load import load_knowledge

TODAY = datetime.date(2026, 11, 29)
RULE = """\
add:
  rules:
    - id: team.slow
      title: Slow
      when: kv_cache_usage > 90 %
      then: {support: kv_space_short}
      because: It is nearly full.
      source: [the handbook of the team]
      tests:
        fires: [{kv_cache_usage: 95 %}]
        silent: [{kv_cache_usage: 85 %}]
        undecided: [{preempted_share: 1 %}]
"""


def written(home: Path, text: str = "", *, name: str = "team", version: str = "1.0.0") -> Source:
    """Write a runbook and return where it is."""
    folder = home / name
    folder.mkdir(parents=True, exist_ok=True)
    header = f"name: {name}\nversion: {version}\ndescription: A team.\n"
    (folder / "runbook.yaml").write_text(header, encoding="utf-8")
    if text:
        (folder / "more.yaml").write_text(text, encoding="utf-8")
    return Source(folder=folder, shown=name, found_by="--runbook")


def laid(*sources: Source, order: tuple[str, ...] = ()) -> tuple[Base | None, list[Message]]:
    """Load the shipped base under runbooks."""
    return load_knowledge(runbooks=sources, order=order, today=TODAY)


def sound(*sources: Source, order: tuple[str, ...] = ()) -> Base:
    """Load runbooks that have no errors."""
    base, messages = laid(*sources, order=order)
    assert base is not None, [str(message) for message in messages]
    return base
