"""``py-spy record``: samples of stacks as collapsed lines, speedscope JSON or a Chrome trace of begins and ends."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, TypeAlias

from dam_expert.documents.intervals import Interval
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
    """Return the time spent in each stack between begins and ends, per thread, and the count of odd events."""
    events = _decoded(text)
    open_frames: dict[object, list[str]] = {}
    since: dict[object, float] = {}
    samples: Samples = []
    odd = 0
    for event in events if isinstance(events, list) else []:
        if not isinstance(event, dict) or event.get("ph") not in {"B", "E"} or not _is_number(event.get("ts")):
            odd += 1
            continue
        thread, time = (str(event.get("pid")), str(event.get("tid"))), float(event["ts"])
        frames = open_frames.setdefault(thread, [])
        if frames and time > since.get(thread, time):
            samples.append((Stack(frames=tuple(frames)), time - since[thread]))
        since[thread] = time
        if event["ph"] == "B":
            place = event.get("args")
            file = place.get("filename") if isinstance(place, dict) else None
            frames.append(f"{str(event.get('name'))[:300]} ({str(file)[-300:]})")
        elif frames:
            frames.pop()
    return samples, odd if isinstance(events, list) else 1


def _is_number(value: object) -> bool:
    """Whether it is a time or a weight: a number from 0 on, neither NaN nor without bounds."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e18


def _decoded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def shares(samples: Samples, tell: Teller) -> Iterator[Observation]:
    """Yield the parts of the samples in input, in compiling and in other code of the main thread."""
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
