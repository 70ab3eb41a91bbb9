"""Lock files: content hashes of the base, of every runbook and of every entry in force.

A diagnosis names the hash of the base and those of the runbooks; with the lock beside it, what it rested on can be told
entry by entry.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from dam_expert.documents.messages import Level, Message
from dam_expert.kb.describe import KINDS, entries
from dam_expert.kb.diff import content_hash

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.kb.base import Base

SCHEMA: Final = "dam-lock/1"
_LARGEST: Final = 16 * 1024 * 1024


def lock_of(base: Base) -> dict[str, Any]:
    """Return the lock of a base as plain data."""
    return {
        "schema": SCHEMA,
        "knowledge": base.fingerprint,
        "runbooks": {
            book.name: {"version": book.version, "content": book.digest, "folder": book.folder}
            for book in base.layers.runbooks
        },
        "entries": {
            section: {name: content_hash(entry.as_data()) for name, entry in sorted(entries(base, section).items())}
            for section in KINDS
        },
    }


def lock_text(base: Base) -> str:
    """Return the lock as the text of its file."""
    return json.dumps(lock_of(base), indent=1, ensure_ascii=False) + "\n"


def compared(content: bytes, base: Base, file: str) -> Iterator[Message]:
    """Yield a message for everything in force that is not what a lock says."""
    locked = _read(content)
    if locked is None:
        text, hint = "this is not a lock file", "write one with: dam kb lock"
        yield Message(file=file, level=Level.ERROR, code="not-a-lock", text=text, hint=hint)
        return
    now = lock_of(base)
    for name in sorted(locked["runbooks"].keys() | now["runbooks"].keys()):
        yield from _runbook(name, locked["runbooks"].get(name), now["runbooks"].get(name), file)
    for section in KINDS:
        before, after = locked["entries"].get(section, {}), now["entries"][section]
        for name in sorted(before.keys() | after.keys()):
            if before.get(name) != after.get(name):
                what = "is new" if name not in before else "is gone" if name not in after else "has changed"
                text = f"{section}: '{name}' {what} since the lock"
                hint = "look with: dam kb diff; accept with: dam kb lock"
                yield Message(file=file, level=Level.ERROR, code="lock-differs", text=text, hint=hint)


def _runbook(name: str, before: dict[str, Any] | None, after: dict[str, Any] | None, file: str) -> Iterator[Message]:
    if before is None or after is None:
        text = f"the runbook '{name}' is {'new' if before is None else 'gone'} since the lock"
        yield Message(file=file, level=Level.ERROR, code="lock-differs", text=text)
    elif before["content"] != after["content"] and before["version"] == after["version"]:
        text = f"the runbook '{name}' has changed and is still version {after['version']}"
        hint = "raise its version"
        yield Message(file=file, level=Level.ERROR, code="same-version", text=text, hint=hint)


def _read(content: bytes) -> dict[str, Any] | None:
    """Return the data of a lock file, or None where it is none."""
    try:
        data = json.loads(content) if len(content) <= _LARGEST else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        return None
    shaped = all(isinstance(data.get(key), dict) for key in ("runbooks", "entries"))
    inner = shaped and all(isinstance(each, dict) for key in ("runbooks", "entries") for each in data[key].values())
    whole = inner and all({"content", "version"} <= each.keys() for each in data["runbooks"].values())
    return data if whole else None
