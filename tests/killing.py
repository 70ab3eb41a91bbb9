"""Does something in child processes, each killed before another one of the calls that change the disk."""

from __future__ import annotations

import fcntl
import os
import pathlib
import signal
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

#: Where every way to change the disk begins; what is written is written in thirds, to be killed amid them as well.
CALLS = (
    *((os, name) for name in ("open", "write", "fsync", "fchmod", "fchown", "rename", "replace", "unlink", "mkdir")),
    *((pathlib.Path, name) for name in ("open", "replace", "rename", "unlink", "mkdir", "write_bytes", "write_text")),
    (fcntl, "flock"),
)


def killed_at_every_write(action: Callable[[], Any], check: Callable[[str], None]) -> list[str]:
    """Kill ``action`` before each of its calls in turn, and ``check`` what is left; return the calls by name."""
    calls = _calls(action)
    for stop, name in enumerate(calls):
        end, _ = _child(action, stop)
        assert os.WTERMSIG(end) == signal.SIGKILL, f"not killed before call {stop}, {name}"
        check(f"killed before call {stop}, {name}")
    return calls


def _calls(action: Callable[[], Any]) -> list[str]:
    end, calls = _child(action, None)
    assert end == 0, f"the action itself fails: {end}"
    return calls


def _child(action: Callable[[], Any], stop: int | None) -> tuple[int, list[str]]:
    """Run in a child that dies before its call number ``stop``; return how it ended, and its calls if it lived."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads are those of libraries, and idle
        child = os.fork()
    if child == 0:
        code = 1
        try:
            real = os.write
            calls = _watched(stop)
            action()
            real(writing, " ".join(calls).encode())
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as told:
        calls = told.read().split()
    return os.waitpid(child, 0)[1], calls


def _watched(stop: int | None) -> list[str]:
    calls: list[str] = []

    def watch(owner: Any, name: str) -> None:
        real = getattr(owner, name)

        def call(*given: Any, **named: Any) -> Any:
            if len(calls) == stop:
                os.kill(os.getpid(), signal.SIGKILL)
            calls.append(f"{owner.__name__}.{name}")
            if name == "write":
                return real(given[0], given[1][: max(len(given[1]) // 3, 1)])
            return real(*given, **named)

        setattr(owner, name, call)

    for owner, name in CALLS:
        watch(owner, name)
    return calls
