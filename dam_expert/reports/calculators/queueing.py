"""A queue as a page: whether the stage keeps up, where the response goes, and what each lever would give at most."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dam_expert.reports.calculators.page import amount, part, seconds, times
from dam_expert.reports.model import Bar, Line, Section, Tone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.physics.answers.queueing import Flow, Lever, Queue


def sections(answer: Queue, working_load: float, tolerance: float) -> tuple[Section, ...]:
    """Return the page. Above ``working_load`` randomness costs much; ``tolerance`` is that of Little's law."""
    found = [_waits(answer, working_load)]
    if answer.target_s is not None:
        found.append(_target(answer, answer.target_s))
    if answer.flow is not None:
        found.append(_flow(answer.flow, tolerance))
    found.append(
        Section(
            id="levers",
            title="What each lever would give at most",
            items=tuple(Line(_lever(each), mark="-", tone=_tone(each)) for each in answer.levers),
        )
    )
    return tuple(found)


def _waits(answer: Queue, working_load: float) -> Section:
    waits = answer.waits
    load = f"Load {part(waits.load) if waits.load <= 1 else f'{waits.load:.3g}'} ({waits.model})"
    if not answer.is_stable:
        text = f"{load}: the queue grows without end, whatever its order; only load or capacity can change that."
        return Section(id="waits", title="Queue", items=(Line(text, tone=Tone.BAD),))
    state = "leaves room" if waits.load <= working_load else f"above the working load of {part(working_load)}"
    items: list[Line | Bar] = [Line(f"{load}: {state}. Most of the response is {answer.largest}.", tone=Tone.STRONG)]
    for name, value in (
        ("batch formation, first request", waits.formation_s),
        ("waiting for a server", waits.queue_s),
        ("service", waits.service_s),
    ):
        share = value / waits.response_s
        items.append(Bar(label=name, low=share, high=share, text=f"{seconds(value):>8}  {part(share):>6}"))
    items.append(Line(f"Mean response {seconds(waits.response_s)}{_p99(waits.p99_s)}."))
    return Section(id="waits", title="Queue", items=tuple(items))


def _p99(value: float | None) -> str:
    return "" if value is None else f", p99 {seconds(value)} (first come, first served)"


def _target(answer: Queue, target_s: float) -> Section:
    met = answer.waits.response_s <= target_s
    most = answer.most_arrivals_per_s or 0.0
    limit = (
        f"The mean stays within it up to {amount(most, '1/s')}."
        if most
        else "No rate of arrivals meets it: the service and the wait for a batch alone take longer."
    )
    verdict = "met" if met else "missed"
    tone = Tone.GOOD if met else Tone.BAD
    return Section(
        id="target",
        title="Target",
        items=(Line(f"A mean response of {seconds(target_s)} is {verdict}.", tone=tone), Line(limit)),
    )


def _flow(flow: Flow, tolerance: float) -> Section:
    ratio = f"Requests in the system over arrivals × response: {flow.ratio:.3g}"
    if abs(flow.ratio - 1) <= tolerance:
        text, tone = f"{ratio}; the three agree.", Tone.GOOD
    elif flow.ratio > 1:
        text, tone = f"{ratio}; the response leaves a stage out, or requests are counted that never finish.", Tone.BAD
    else:
        text, tone = (
            f"{ratio}; not all requests in the system are counted, or arrivals include rejected ones.",
            Tone.BAD,
        )
    return Section(id="flow", title="Little's law", items=(Line(text, tone=tone),))


def _tone(lever: Lever) -> Tone:
    return Tone.FAINT if times(lever.gain) == "nothing" else Tone.PLAIN


def _lever(lever: Lever) -> str:
    if math.isinf(lever.after.response_s):
        return f"{lever.id}: not enough, the queue still grows without end"
    if times(lever.gain) == "nothing":
        return f"{lever.id}: wasted, the response stays as it is"
    change = "" if math.isinf(lever.gain) else f", {times(lever.gain)}"
    return f"{lever.id}: {seconds(lever.after.response_s)}{change}{' as fast: worse' if lever.gain < 1 else ''}"


def stage_sections(found: Sequence[tuple[str, Queue]], working_load: float) -> tuple[Section, ...]:
    """Return the page of stages that a request passes one after another; means add up, percentiles do not."""
    total = sum(answer.waits.response_s for _, answer in found)
    heaviest, worst = max(found, key=lambda each: each[1].waits.response_s)
    items: list[Line | Bar] = []
    if math.isinf(total):
        items.append(Line(f"{heaviest} cannot keep up: its queue grows without end.", tone=Tone.BAD))
    else:
        text = f"Mean response {seconds(total)}, most of it at {heaviest} ({worst.largest})."
        items.append(Line(text, tone=Tone.STRONG))
    for name, answer in found:
        waits = answer.waits
        share = 0.0 if math.isinf(total) else waits.response_s / total
        remark = "" if waits.load <= working_load else ", above the working load"
        text = f"{seconds(waits.response_s)}, load {waits.load:.3g}{remark}"
        items.append(Bar(label=name, low=share, high=share, text=text))
    return (Section(id="stages", title="Queues by stage", items=tuple(items)),)
