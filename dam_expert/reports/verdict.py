"""What is read first: the verdict in one sentence, how sure it is, what was missed, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports.advice import acting, block, is_open
from dam_expert.reports.details import runbook_lines
from dam_expert.reports.model import Head, Line, Point, Quote, Section, Tone
from dam_expert.reports.phrasing import capital, is_python

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.diagnosis import Binding, Diagnosis, HypothesisReport
    from dam_expert.reports.glossary import Glossary

_TONES = {
    "confirmed": Tone.GOOD,
    "no_fault": Tone.GOOD,
    "resolved": Tone.GOOD,
    "supported": Tone.WARNING,
    "undetermined": Tone.WARNING,
    "conflicting": Tone.BAD,
}


def head(diagnosis: Diagnosis, words: Glossary) -> Head:
    """Return the verdict with its weight, what to do first and what to measure next."""
    claim, verdict = _verdict(diagnosis, words)
    return Head(
        about=diagnosis.incident.title or "",
        verdict=verdict,
        claim=claim,
        tone=_TONES[diagnosis.status],
        detail=_detail(diagnosis, words),
        facts=tuple(_facts(diagnosis, words)),
        steps=(_first(diagnosis, words), _measure(diagnosis, words)),
        warnings=tuple(
            words.say(
                "head.tried" if each.tried else "head.planned",
                action=each.action,
                title=words.sentence(each.title),
                because=capital(words.text(each.because)),
            )
            for each in diagnosis.anti_patterns
        ),
    )


def _detail(diagnosis: Diagnosis, words: Glossary) -> str:
    """Say where it lies, as far as that is known while nothing binds."""
    first = _leading(diagnosis)
    if diagnosis.binding is not None or first is None or not first.axes:
        return ""
    known = {"bottleneck": words.bottleneck(first.bottleneck), "region": words.region(first.axes)}
    if diagnosis.status in ("supported", "conflicting"):
        return words.say("fact.region", **known)
    if diagnosis.status == "undetermined" and first.score > 0:
        return words.say("verdict.nearest", title=words.sentence(first.title), **known)
    return ""


def verdict_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Say what binds and how sure that is, and what a fix of it could gain at most."""
    _, verdict = _verdict(diagnosis, words)
    sentence = words.say("joined", label=verdict.label, text=verdict.text)
    items = [Line(sentence, tone=_TONES[diagnosis.status])]
    if diagnosis.binding is not None and diagnosis.status != "resolved":  # what was removed gains no more
        items.append(Line(_weight(diagnosis.binding, words)))
        if is_open(diagnosis):
            items.append(Line(words.say("verdict.open")))
    if diagnosis.exhausted:
        items.append(Line(words.say("verdict.exhausted")))
    items += runbook_lines(diagnosis, words)
    return Section(id="verdict", title=words.say("title.verdict"), items=tuple(items))


def _verdict(diagnosis: Diagnosis, words: Glossary) -> tuple[str, Point]:
    """Return the verdict in the fewest words, and as a sentence behind its status."""
    status, label = diagnosis.status, words.say(f"status.{diagnosis.status}")
    first = _innocent(diagnosis) if diagnosis.status == "no_fault" else _leading(diagnosis)
    if status == "confirmed" and diagnosis.binding is not None:
        binding = diagnosis.binding
        title, name = words.sentence(binding.title), words.bottleneck(binding.bottleneck)
        text = words.say("verdict.confirmed", bottleneck=name, region=words.region(binding.axes), title=title)
        return title, Point(label=label, text=text)
    if status in ("no_fault", "conflicting", "supported") and first is not None:
        title, name = words.sentence(first.title), words.bottleneck(first.bottleneck)
        key = f"verdict.{status}" if first.axes or status != "supported" else "verdict.supported_nowhere"
        region = words.region(first.axes)
        return title, Point(label=label, text=words.say(key, title=title, bottleneck=name, region=region))
    if status in ("no_fault", "resolved"):
        text = words.say(f"verdict.{status}_plain")
        return capital(text).rstrip(".。"), Point(label=label, text=text)
    claim = words.say("verdict.undetermined")
    if not diagnosis.next_measurements:
        return capital(claim), Point(label=label, text=words.say("verdict.undetermined_plain"))
    missing = words.title(diagnosis.next_measurements[0].measurement)
    return capital(claim), Point(label=label, text=words.say("verdict.undetermined_missing", missing=missing))


def _leading(diagnosis: Diagnosis) -> HypothesisReport | None:
    """Return the hypothesis that the verdict speaks of: the first ranked one."""
    return diagnosis.hypotheses[0] if diagnosis.hypotheses else None


def _innocent(diagnosis: Diagnosis) -> HypothesisReport | None:
    """Return the first confirmed hypothesis that says that nothing is wrong; what else is confirmed does not bind."""
    found = (each for each in diagnosis.hypotheses if each.bottleneck == "none" and each.status == "confirmed")
    return next(found, _leading(diagnosis))


def _weight(binding: Binding, words: Glossary) -> str:
    """Say how much of the time it costs and what removing it would gain."""
    if binding.share is not None and binding.ceiling is not None:
        return words.say("weight.both", share=words.share(binding.share), factor=words.factor(binding.ceiling))
    if binding.share is not None:
        return words.say("weight.share", share=words.share(binding.share))
    if binding.ceiling is not None:
        return words.say("weight.ceiling", factor=words.factor(binding.ceiling))
    return words.say("weight.unknown")


def _facts(diagnosis: Diagnosis, words: Glossary) -> Iterator[Point]:
    """Yield the few numbers that tell a stranger how much it is about."""
    binding, target = diagnosis.binding, diagnosis.target
    if binding is not None:
        where = words.say(
            "fact.region", bottleneck=words.bottleneck(binding.bottleneck), region=words.region(binding.axes)
        )
        yield Point(label=words.say("fact.binds"), text=where)
        if binding.share is not None:
            yield Point(label=words.say("fact.costs"), text=words.share(binding.share))
        if binding.ceiling is not None:
            yield Point(label=words.say("fact.gain"), text=words.factor(binding.ceiling))
    if target is not None and target.actual is not None:
        actual = words.value(target.metric, target.actual)
        wanted = words.say("fact.wanted", value=words.value(target.metric, target.wanted)) if target.wanted else ""
        yield Point(label=words.title(target.metric), text=f"{actual}{wanted}")


def missed_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Name the incident and the target it missed."""
    title = diagnosis.incident.title
    items = [Line(title, tone=Tone.STRONG, quotes=(Quote(title, ""),))] if title else []
    items.append(Line(_missed(diagnosis, words)))
    title = "title.wanted" if _is_met(diagnosis) else "title.missed"
    return Section(id="missed", title=words.say(title), items=tuple(items))


def _is_met(diagnosis: Diagnosis) -> bool:
    """Whether the target is met for certain, so that nothing was missed."""
    target = diagnosis.target
    if target is None:
        return False
    actual, wanted = (ends if isinstance(ends, tuple) else (ends, ends) for ends in (target.actual, target.wanted))
    reached, aim = (actual[0], wanted[1]) if target.higher_is_better else (wanted[0], actual[1])
    return reached is not None and aim is not None and reached >= aim


def _missed(diagnosis: Diagnosis, words: Glossary) -> str:
    target = diagnosis.target
    if target is None or (target.actual is None and target.wanted is None):
        return words.say("missed.nothing", track=words.say(f"track.{diagnosis.track}"))
    known = {
        name: words.value(target.metric, value)
        for name, value in (("actual", target.actual), ("wanted", target.wanted))
        if value is not None
    }
    return words.say(f"missed.{'_'.join(known)}", metric=words.title(target.metric), **known)


def _first(diagnosis: Diagnosis, words: Glossary) -> Point:
    """Say what to do first: the lever with the highest ceiling, if one is known to work."""
    works, label = acting(diagnosis), words.say("step.first")
    if works and diagnosis.status != "no_fault":
        known = works[0].ceiling is not None
        gain = words.say("step.at_most", factor=words.factor(works[0].ceiling)) if known else words.say("step.no_gain")
        if works[0].effort:
            gain = words.say("comma").join((gain, words.text(works[0].effort)))
        confirmed = "step.open" if is_open(diagnosis) else "step.lever"
        proven = confirmed if diagnosis.status == "confirmed" else "step.unproven"
        return Point(label=label, text=words.say(proven, lever=words.sentence(works[0].title), gain=gain))
    if diagnosis.status in ("resolved", "no_fault"):
        return Point(label=label, text=words.say("step.nothing"))
    return Point(label=label, text=words.say("step.find_cause" if diagnosis.binding else "step.measure_first"))


def _measure(diagnosis: Diagnosis, words: Glossary) -> Point:
    """Say what to measure next, with the way to do it."""
    label = words.say("step.measure")
    if not diagnosis.next_measurements:
        return Point(label=label, text=words.say("step.no_more"))
    step = diagnosis.next_measurements[0]
    name = words.title(step.measurement)
    way = next(iter(step.commands), None)
    in_words = way is not None and way.command is not None and is_python(way.command) and way.how is not None
    if way is not None and way.command and not in_words:  # a program to be written is told in words up here
        return Point(label=label, text=name, code=block(way.command))
    return Point(label=label, text=name, note=words.text(way.how or "") if way is not None else "")
