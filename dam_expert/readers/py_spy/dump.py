"""``py-spy dump``: the threads of a process at one instant, as text or JSON."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import TYPE_CHECKING

from dam_expert.readers.py_spy.stacks import Stack
from dam_expert.readers.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Teller

_THREAD = re.compile(r'^Thread (?:0x[0-9A-Fa-f]{1,16}|\d{1,20}) \(([a-z+]{1,20})\)(?:: "([^"]{0,200})")?')
_FRAME = re.compile(r"^(\S.{0,300}?) \(([^()]{1,400}):\d{1,9}\)$")


@dataclasses.dataclass(slots=True)
class Thread:
    """One thread of a dump."""

    stack: Stack
    active: bool
    holds_lock: bool
    line: int | None = None


def dumped_text(text: str) -> tuple[list[Thread], int]:
    """Return the threads of a text dump and the count of threads without a readable frame.

    Local variables, printed with ``--locals``, are passed over.
    """
    threads: list[Thread] = []
    frames: list[list[str]] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = clean(raw[:1000])
        thread, frame = _THREAD.match(line), _FRAME.match(line)
        if thread is not None:
            state, name = thread[1].split("+"), thread[2] or ""
            stack = Stack(frames=(), thread=name)
            threads.append(Thread(stack=stack, active="active" in state, holds_lock="gil" in state, line=number))
            frames.append([])
        elif frame is not None and frames:
            frames[-1].append(f"{frame[1]} ({frame[2]})")
    for found, leaf_first in zip(threads, frames, strict=True):
        found.stack = dataclasses.replace(found.stack, frames=tuple(reversed(leaf_first)))
    return threads, sum(not thread.stack.frames for thread in threads)


def dumped_json(text: str) -> tuple[list[Thread], int]:
    """Return the threads of a JSON dump and the count of entries of another shape."""
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError):
        return [], 1
    threads: list[Thread] = []
    odd = 0
    for entry in entries if isinstance(entries, list) else []:
        frames = entry.get("frames") if isinstance(entry, dict) else None
        if not isinstance(frames, list):
            odd += 1
            continue
        known = [frame for frame in frames if isinstance(frame, dict)]
        names = [f"{frame.get('name')} ({frame.get('short_filename') or frame.get('filename')})" for frame in known]
        name = entry.get("thread_name")
        main = entry.get("os_thread_id") == entry.get("pid") and entry.get("pid") is not None
        stack = Stack(frames=tuple(reversed(names)), thread="MainThread" if main else str(name or ""))
        threads.append(
            Thread(stack=stack, active=entry.get("active") is True, holds_lock=entry.get("owns_gil") is True)
        )
    return threads, odd


def instant(threads: list[Thread], tell: Teller) -> Iterator[Observation]:
    """Yield what the main thread does and who holds the lock; an idle thread in unknown code tells nothing."""
    main = next((thread for thread in threads if thread.stack.main), None)
    if main is not None and (main.active or main.stack.activity != "python"):
        detail = f"stack of the main thread, {'active' if main.active else 'idle'}, one instant"
        yield tell.observe("main_thread_state", main.stack.activity, line=main.line, detail=detail)
    holder = next((thread for thread in threads if thread.holds_lock), None)
    if holder is not None:
        activity = holder.stack.activity
        known = activity if activity in {"input_work", "compile"} else ("main" if holder.stack.main else "other")
        yield tell.observe("lock_holder", known, line=holder.line, detail="thread with the lock, one instant")
