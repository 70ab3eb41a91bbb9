"""A queue as a page: whether the stage keeps up, where the response goes, and what each lever would give at most."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dam_expert.reports.calculators.page import amount, part
from dam_expert.reports.calculators.words import is_nothing, spoken
from dam_expert.reports.model import Bar, Line, Section, Tone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.physics.answers.queueing import Flow, Lever, Queue
    from dam_expert.reports.calculators.words import Words


def sections(answer: Queue, working_load: float, tolerance: float, words: Words | None = None) -> tuple[Section, ...]:
    """Return the page. Above ``working_load`` randomness costs much; ``tolerance`` is that of Little's law."""
    words = words or spoken()
    found = [_waits(answer, working_load, words)]
    if answer.target_s is not None:
        found.append(_target(answer, answer.target_s, words))
    if answer.flow is not None:
        found.append(_flow(answer.flow, tolerance, words))
    levers = tuple(Line(_lever(each, words), mark="-", tone=_tone(each)) for each in answer.levers)
    found.append(Section(id="levers", title=words.say("queue.levers"), items=levers))
    return tuple(found)


def _waits(answer: Queue, working_load: float, words: Words) -> Section:
    waits, title = answer.waits, words.say("queue.title")
    share = part(waits.load) if waits.load <= 1 else f"{waits.load:.3g}"
    load = words.say("queue.load", load=share, model=waits.model)
    if not answer.is_stable:
        return Section(id="waits", title=title, items=(Line(words.say("queue.endless", load=load), tone=Tone.BAD),))
    low = waits.load <= working_load
    state = words.say("queue.room") if low else words.say("queue.above", load=part(working_load))
    most = words.say("queue.state", load=load, state=state, largest=words.text(answer.largest))
    items: list[Line | Bar] = [Line(most, tone=Tone.STRONG)]
    for name, value in (("formation", waits.formation_s), ("wait", waits.queue_s), ("service", waits.service_s)):
        of_all = value / waits.response_s
        text = f"{words.seconds(value):>8}  {part(of_all):>6}"
        items.append(Bar(label=words.say(f"queue.{name}"), low=of_all, high=of_all, text=text))
    mean = words.seconds(waits.response_s)
    if waits.p99_s is None:
        items.append(Line(words.say("queue.response", time=mean)))
    else:
        items.append(Line(words.say("queue.response_p99", time=mean, p99=words.seconds(waits.p99_s))))
    if waits.first_formation_s > waits.formation_s:
        items.append(Line(words.say("queue.first", time=words.seconds(waits.first_formation_s))))
    return Section(id="waits", title=title, items=tuple(items))


def _target(answer: Queue, target_s: float, words: Words) -> Section:
    met = answer.waits.response_s <= target_s
    least, most = answer.least_arrivals_per_s or 0.0, answer.most_arrivals_per_s or 0.0
    if not most:
        limit = words.say("queue.target.never")
    elif least:
        limit = words.say("queue.target.range", least=amount(least, "1/s"), most=amount(most, "1/s"))
    else:
        limit = words.say("queue.target.limit", rate=amount(most, "1/s"))
    verdict = words.say(f"queue.target.{'met' if met else 'missed'}", time=words.seconds(target_s))
    items = (Line(verdict, tone=Tone.GOOD if met else Tone.BAD), Line(limit))
    return Section(id="target", title=words.say("queue.target.title"), items=items)


def _flow(flow: Flow, tolerance: float, words: Words) -> Section:
    ratio = words.say("flow.ratio", ratio=f"{flow.ratio:.3g}")
    if abs(flow.ratio - 1) <= tolerance:
        key, tone = "flow.agree", Tone.GOOD
    else:
        key, tone = "flow.more" if flow.ratio > 1 else "flow.less", Tone.BAD
    return Section(id="flow", title=words.say("flow.title"), items=(Line(words.say(key, ratio=ratio), tone=tone),))


def _tone(lever: Lever) -> Tone:
    return Tone.FAINT if is_nothing(lever.gain) else Tone.PLAIN


def _lever(lever: Lever, words: Words) -> str:
    name = words.text(lever.id)
    if math.isinf(lever.after.response_s):
        return words.say("queue.lever_endless", lever=name)
    if is_nothing(lever.gain):
        return words.say("queue.lever_wasted", lever=name)
    time = words.seconds(lever.after.response_s)
    if math.isinf(lever.gain):
        return words.say("queue.lever", lever=name, time=time)
    key = "queue.lever_worse" if lever.gain < 1 else "queue.lever_gain"
    return words.say(key, lever=name, time=time, gain=words.times(lever.gain))


def stage_sections(
    found: Sequence[tuple[str, Queue]], working_load: float, words: Words | None = None
) -> tuple[Section, ...]:
    """Return the page of stages that a request passes one after another; means add up, percentiles do not."""
    words = words or spoken()
    total = sum(answer.waits.response_s for _, answer in found)
    heaviest, worst = max(found, key=lambda each: each[1].waits.response_s)
    items: list[Line | Bar] = []
    if math.isinf(total):
        items.append(Line(words.say("stages.endless", stage=heaviest), tone=Tone.BAD))
    else:
        largest = words.text(worst.largest)
        text = words.say("stages.response", time=words.seconds(total), stage=heaviest, largest=largest)
        items.append(Line(text, tone=Tone.STRONG))
    for name, answer in found:
        waits = answer.waits
        share = 0.0 if math.isinf(total) else waits.response_s / total
        key = "stages.bar" if waits.load <= working_load else "stages.bar_above"
        text = words.say(key, time=words.seconds(waits.response_s), load=f"{waits.load:.3g}")
        items.append(Bar(label=name, low=share, high=share, text=text))
    return (Section(id="stages", title=words.say("stages.title"), items=tuple(items)),)
