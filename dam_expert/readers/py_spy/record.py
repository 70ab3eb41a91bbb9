"""``py-spy record``: samples of stacks as collapsed lines, speedscope JSON or a Chrome trace of begins and ends."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import inside
from dam_expert.readers.py_spy.stacks import Stack
from dam_expert.readers.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Teller

_LINE = re.compile(r"^(.+) (\d{1,12})$")
_OWNER = re.compile(r'^(?:process \d+|thread \(\w+\))(?:: ?"?([^"]{0,200}))?')
_THREAD_NAME = re.compile(r'"([^"]{1,200})"')
_PLACE = re.compile(r":\d{1,9}\)$")

Samples: TypeAlias = list[tuple[Stack, float]]


def raw_samples(text: str) -> tuple[Samples, int]:
    """Return the samples of collapsed lines ``root;…;leaf count`` and the count of lines of another shape."""
    samples: Samples = []
    odd = 0
    for raw in text.split("\n"):
        line = clean(raw)
        found = _LINE.match(line)
        if found is None:
            odd += bool(line)
            continue
        thread, frames = "", []
        for frame in found[1].split(";"):
            owner = _OWNER.match(frame)
            if owner is not None:
                thread = (owner[1] or "") if frame.startswith("thread") else thread
            else:
                frames.append(_PLACE.sub(")", frame))
        samples.append((Stack(frames=tuple(frames), thread=thread), float(found[2])))
    return samples, odd


def speedscope_samples(text: str) -> tuple[Samples, int]:
    """Return the samples of a speedscope file and the count of profiles and samples of another shape."""
    content = _decoded(text)
    shared = content.get("shared") if isinstance(content, dict) else None
    frames = shared.get("frames") if isinstance(shared, dict) else None
    profiles = content.get("profiles") if isinstance(content, dict) else None
    if not isinstance(frames, list) or not isinstance(profiles, list):
        return [], 1
    names = [f"{frame.get('name')} ({frame.get('file')})" if isinstance(frame, dict) else "" for frame in frames]
    samples: Samples = []
    odd = 0
    for profile in profiles:
        stacks = profile.get("samples") if isinstance(profile, dict) else None
        weights = profile.get("weights") if isinstance(profile, dict) else None
        if not isinstance(stacks, list) or not isinstance(weights, list):
            odd += 1
            continue
        named = _THREAD_NAME.search(str(profile.get("name"))[:500])
        for stack, weight in zip(stacks, weights, strict=False):
            if not _fits(stack, weight, len(names)):
                odd += 1
                continue
            found = Stack(frames=tuple(names[at] for at in stack), thread=named[1] if named else "")
            samples.append((found, float(weight)))
    return samples, odd


def _fits(stack: object, weight: object, names: int) -> bool:
    if not isinstance(stack, list) or not _is_number(weight):
        return False
    return all(isinstance(at, int) and 0 <= at < names for at in stack)


def chrome_samples(text: str) -> tuple[Samples, int]:
    """Return the time spent in each stack between begins and ends, per thread, and the count of odd events.

    Which stack runs is known as long as each begin and end is: from an odd one on, its thread tells nothing more, and
    no thread does where the event does not say whose it is.
    """
    events = _decoded(text)
    threads: dict[tuple[int, int], _Running] = {}
    samples: Samples = []
    if not isinstance(events, list):
        return [], 1
    for place, event in enumerate(events):
        owner = (event.get("pid"), event.get("tid")) if isinstance(event, dict) else (None, None)
        if not (isinstance(owner[0], int) and isinstance(owner[1], int)):
            return samples, len(events) - place
        thread = threads.setdefault((owner[0], owner[1]), _Running())
        if event.get("ph") != "M":
            thread.take(event, samples)
        elif event.get("name") == "thread_name":
            thread.name = str(inside(event, "args").get("name"))[:200].partition(": ")[2]
    return samples, sum(thread.odd for thread in threads.values())


@dataclasses.dataclass(slots=True)
class _Running:
    """What a thread runs, between the events of a trace."""

    name: str = ""
    frames: list[str] = dataclasses.field(default_factory=list)
    since: float = 0.0
    odd: int = 0

    def take(self, event: dict[str, object], samples: Samples) -> None:
        """Add the stack that ran until the event, and begin or end a frame."""
        time, frame = event.get("ts"), _frame(event)
        ends = event.get("ph") == "E"
        wrong = ends and (not self.frames or self.frames[-1] != frame)
        if self.odd or wrong or not (ends or event.get("ph") == "B") or not _is_number(time):
            self.odd += 1
            return
        now = float(time)
        if self.frames and now > self.since:
            samples.append((Stack(frames=tuple(self.frames), thread=self.name), now - self.since))
        self.since = now
        if ends:
            self.frames.pop()
        else:
            self.frames.append(frame)


def _frame(event: dict[str, object]) -> str:
    return f"{str(event.get('name'))[:300]} ({str(inside(event, 'args').get('filename'))[-300:]})"


def _is_number(value: object) -> TypeGuard[float]:
    """Whether it is a time or a weight: a number from 0 on, neither NaN nor without bounds."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e18


def _decoded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def shares(samples: Samples, tell: Teller, *, whole: bool) -> Iterator[Observation]:
    """Yield the parts of the samples in input, in compiling and in other code of the main thread.

    Where samples were lost, what is in none of the others may be in those: no part of them is 0.
    """
    total = sum(weight for _, weight in samples)
    if total <= 0 or not math.isfinite(total):
        return
    spent = {"input": 0.0, "compile": 0.0, "main": 0.0}
    for stack, weight in samples:
        activity = stack.activity
        if activity in {"input_work", "input_wait"}:
            spent["input"] += weight
        elif activity == "compile":
            spent["compile"] += weight
        elif stack.main:
            spent["main"] += weight
    for name, weight in spent.items():
        if not weight and not whole:
            continue
        share = Interval.point(min(weight / total, 1.0))
        yield tell.observe(f"stack_{name}_share", share, detail="part of the recorded samples")
    yield from _worker(samples, tell)


def _worker(samples: Samples, tell: Teller) -> Iterator[Observation]:
    """Yield the part of a loader worker's busy samples that decode: at least those with a frame that says so."""
    busy = [(stack, weight) for stack, weight in samples if stack.of_worker]
    total = sum(weight for _, weight in busy)
    if total <= 0:
        return
    decoding = sum(weight for stack, weight in busy if stack.decodes) / total
    detail = "busy samples of a worker; at least those whose frames name it, at most all"
    yield tell.observe("decode_share_of_worker", Interval(min(decoding, 1.0), 1.0), detail=detail)
