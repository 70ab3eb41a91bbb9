"""Builds the report of a comparison: the same model, so that every format and language can write it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Literal

from dam_expert.reports.build import labels, present
from dam_expert.reports.glossary import Glossary, as_interval
from dam_expert.reports.model import Head, Line, Point, Report, Section, Table, Tone
from dam_expert.reports.phrasing import capital
from dam_expert.reports.pictures import Segment, TermRow, Terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dam_expert.documents.comparison import (
        Comparison,
        HypothesisChange,
        LevelReport,
        MetricReport,
        PartChange,
        SideReport,
    )
    from dam_expert.documents.diagnosis import Extent
    from dam_expert.reports.model import Item

_TONES = {
    "better": Tone.GOOD,
    "worse": Tone.BAD,
    "same": Tone.WARNING,
    "unclear": Tone.WARNING,
    "incomparable": Tone.WARNING,
}
_ACTUAL = {"unclear": "compare.actual.unclear", "incomparable": "compare.actual.incomparable"}
_MOVED = 8
_SETTINGS = 3
#: Standings that say something; between ruled out and open a hypothesis also moves where less was measured.
_TELLING = {"confirmed", "conflicting", "supported"}


def build_comparison(comparison: Comparison, glossary: Glossary | None = None) -> Report:
    """Build the report model of a comparison. ``glossary`` gives names and units, and chooses the language."""
    words = glossary or Glossary()
    sections = (
        _verdict_section(comparison, words),
        _target_section(comparison, words),
        _gain_section(comparison, words),
        _budget_section(comparison, words),
        _hypotheses_section(comparison, words),
        _settings_section(comparison, words),
        _sides_section(comparison, words),
    )
    named = dataclasses.replace(labels(words), name=words.say("compare.name"))
    return Report(labels=named, head=_head(comparison, words), sections=present(sections), details=())


def _head(comparison: Comparison, words: Glossary) -> Head:
    gain = _together((line.text for line in _gain(comparison, words)), words)
    other_work = comparison.outcome == "incomparable" and comparison.metric is not None
    return Head(
        about=comparison.after.title or comparison.before.title or "",
        verdict=Point(label=words.say(f"compare.label.{comparison.outcome}"), text=_verdict(comparison, words)),
        claim=_claim(comparison, words),
        tone=_TONES[comparison.outcome],
        detail=_verdict(comparison, words) if other_work else _beside(comparison, words),
        facts=tuple(_facts(comparison, words)),
        steps=(
            Point(label=words.say("compare.title.gain"), text=gain, aside=_together(_local(comparison, words), words)),
            Point(label=words.say("compare.now"), text=_state(comparison.after, words)),
        ),
    )


def _claim(comparison: Comparison, words: Glossary) -> str:
    """Return the verdict in the fewest words."""
    metric = comparison.metric
    if metric is None:
        return capital(words.say("compare.verdict.incomparable").rstrip(".。"))
    return words.say(f"compare.claim.{comparison.outcome}", metric=words.title(metric.metric))


def _facts(comparison: Comparison, words: Glossary) -> Iterator[Point]:
    metric = comparison.metric
    if metric is not None:
        yield Point(label=words.say("compare.head.before"), text=words.value(metric.metric, metric.before.value))
        yield Point(label=words.say("compare.head.after"), text=words.value(metric.metric, metric.after.value))
        if comparison.outcome != "incomparable":
            yield Point(label=words.say("compare.head.gain"), text=words.factor(metric.gain))


def _verdict(comparison: Comparison, words: Glossary) -> str:
    metric = comparison.metric
    if metric is None:
        return words.say("compare.verdict.incomparable")
    noise = words.say("comma").join(
        words.share(side.noise) for side in (metric.before, metric.after) if side.noise is not None
    )
    key = f"compare.verdict.{comparison.outcome}"
    if comparison.outcome == "incomparable":
        key = "compare.verdict.other_work"
    if comparison.outcome == "unclear" and "steps" in (metric.before.source, metric.after.source) and noise:
        key = "compare.verdict.unclear_steps"
    said = words.say(
        key,
        metric=words.title(metric.metric),
        before=words.value(metric.metric, metric.before.value),
        after=words.value(metric.metric, metric.after.value),
        factor=words.factor(metric.gain),
        noise=noise,
        settings=_settings(comparison, words),
    )
    if comparison.outcome == "incomparable":
        return said
    beside = _beside(comparison, words)
    return _together([said, beside], words) if beside else said


def _beside(comparison: Comparison, words: Glossary) -> str:
    """Say whether the target is met now, and what else differs: without either a verdict would mislead."""
    metric, more = comparison.metric, []
    after = None if metric is None else _reached(metric, metric.after)
    if metric is not None and after is not None:
        value = words.value(metric.metric, metric.wanted)
        key = f"{after}_after_{_reached(metric, metric.before)}" if after == "missed" else after
        more.append(words.say(f"compare.{key}", value=value))
    if comparison.settings:
        more.append(words.say("compare.differs", settings=_settings(comparison, words)))
    return _together(more, words)


def _reached(metric: MetricReport, level: LevelReport) -> Literal["met", "missed", "straddled"] | None:
    """Say whether a side is wholly on one side of the target; None where there is no target to be met."""
    value, wanted = as_interval(level.value), as_interval(metric.wanted)
    if value is None or wanted is None:
        return None
    if value.lo >= wanted.lo if metric.higher_is_better else value.hi <= wanted.hi:
        return "met"
    return "missed" if (value.hi < wanted.lo if metric.higher_is_better else value.lo > wanted.hi) else "straddled"


def _settings(comparison: Comparison, words: Glossary) -> str:
    """Name the settings that differ, with both values; the first of many."""
    named = words.say("semicolon").join(
        f"{words.title(each.measurement)} {words.value(each.measurement, each.before)}"
        f" → {words.value(each.measurement, each.after)}"
        for each in comparison.settings[:_SETTINGS]
    )
    left = len(comparison.settings) - _SETTINGS
    return words.say("course.more", named=named, n=left) if left > 0 else named


def _together(sentences: Iterable[str], words: Glossary) -> str:
    """Put sentences behind each other."""
    said = ""
    for each in sentences:
        said = words.say("sentences", first=said, more=each) if said else each
    return said


def _noise(comparison: Comparison, words: Glossary) -> str:
    """Say what the target varies by itself and how that is known, or what would tell."""
    metric = comparison.metric
    if metric is None:
        return ""
    before, after = metric.before, metric.after
    if before.noise is None or after.noise is None:
        return words.say("compare.noise.needed")
    if comparison.outcome == "unclear" and "steps" in (before.source, after.source):
        return words.say("compare.noise.needed")
    source = before.source if before.source == after.source else "mixed"
    text = words.say(f"compare.noise.{source}", before=words.share(before.noise), after=words.share(after.noise))
    if metric.chance is None:
        return text
    return f"{text} {words.say('compare.chance', share=words.share(metric.chance))}"


def _local(comparison: Comparison, words: Glossary) -> Iterator[str]:
    metric = words.title(comparison.metric.metric) if comparison.metric else ""
    parts = {each.id for each in comparison.local_gains if each.kind == "part"}
    for each in comparison.local_gains:
        if each.kind == "cause" and words.parts.get(each.id) in parts:
            continue  # the same once more
        if each.kind == "part":
            saved = words.duration(each.saved_s)
            what = words.say("compare.local.part", part=words.text(each.title), saved=saved, metric=metric)
        else:
            what = words.say("compare.local.cause", title=words.sentence(each.title), metric=metric)
        yield words.say("compare.local_gain", what=what)
    if comparison.local_gains:
        yield from _instead(comparison, words)


def _instead(comparison: Comparison, words: Glossary) -> Iterator[str]:
    """Name the part of the budget that took most of what another one no longer takes."""
    saved = sum(each.saved_s or 0.0 for each in comparison.local_gains)
    grown = []
    for part in comparison.budget.parts if comparison.budget is not None else ():
        first, second = as_interval(part.before_s), as_interval(part.after_s)
        if first is not None and second is not None and second.lo > first.hi:
            grown.append((second.mid - first.mid, part.title))
    more, title = max(grown, default=(0.0, ""))
    if saved and more >= saved / 2:
        yield words.say("compare.instead", part=words.text(title), more=words.duration(more))


def _verdict_section(comparison: Comparison, words: Glossary) -> Section:
    label = words.say(f"compare.label.{comparison.outcome}")
    sentence = words.say("joined", label=label, text=_verdict(comparison, words))
    noise = _noise(comparison, words)
    items: list[Item] = [Line(sentence, tone=_TONES[comparison.outcome]), *([Line(noise)] if noise else [])]
    items += [Line(text, tone=Tone.BAD) for text in _local(comparison, words)]
    return Section(id="verdict", title=words.say("compare.title.verdict"), items=tuple(items))


def _target_section(comparison: Comparison, words: Glossary) -> Section:
    metric = comparison.metric
    rows: list[tuple[str, ...]] = []
    if metric is not None:
        values = (words.value(metric.metric, side.value) for side in (metric.before, metric.after))
        gain = "" if comparison.outcome == "incomparable" else words.factor(metric.gain)
        rows.append((words.title(metric.metric), *values, gain))
        if metric.wanted is not None:
            wanted = words.value(metric.metric, metric.wanted)
            rows.append((words.say("compare.row.wanted"), wanted, wanted, ""))
    header = tuple(words.say(f"compare.head.{name}") for name in ("metric", "before", "after", "gain"))
    return _table("target", words.say("compare.title.target"), header, rows)


def _table(
    name: str, title: str, header: tuple[str, ...], rows: list[tuple[str, ...]], tones: tuple[Tone, ...] = ()
) -> Section:
    if not rows:
        return Section(id=name, title=title, items=())
    table = Table(header=header, rows=tuple(rows), tones=tones or (Tone.PLAIN,) * len(rows))
    return Section(id=name, title=title, items=(table,))


def _gain(comparison: Comparison, words: Glossary) -> list[Line]:
    """Return what was predicted and what came of it."""
    prediction, metric = comparison.prediction, comparison.metric
    lines = []
    if prediction is None:
        lines.append(Line(words.say("compare.predicted.none")))
    else:
        key = "compare.predicted_lever" if prediction.lever else "compare.predicted"
        title = words.sentence(prediction.title)
        lines.append(Line(words.say(key, factor=words.factor(prediction.ceiling), title=title)))
    if metric is not None:
        key = _ACTUAL.get(comparison.outcome, "compare.actual")
        lines.append(Line(words.say(key, factor=words.factor(metric.gain))))
    if prediction is not None and prediction.exceeded:
        lines.append(Line(words.say("compare.exceeded"), tone=Tone.WARNING))
    elif prediction is not None and prediction.reached is not None:
        lines.append(Line(words.say("compare.reached", share=words.share(prediction.reached))))
    return lines


def _gain_section(comparison: Comparison, words: Glossary) -> Section:
    return Section(id="gain", title=words.say("compare.title.gain"), items=tuple(_gain(comparison, words)))


def _budget_section(comparison: Comparison, words: Glossary) -> Section:
    title, budget = words.say("compare.title.budget"), comparison.budget
    if budget is None:
        return Section(id="budget", title=title, items=())
    header = tuple(words.say(f"compare.head.{name}") for name in ("part", "before", "after", "change"))
    rows: list[tuple[str, ...]] = [(words.say("compare.row.total"), *_seconds(budget.before_s, budget.after_s, words))]
    rows += [row for part in budget.parts if (row := _part(part, words)) is not None]
    residuals = (words.share(budget.before_residual), words.share(budget.after_residual), "")
    rows.append((words.say("compare.row.residual"), *residuals))
    tones = (Tone.STRONG, *(Tone.PLAIN for _ in rows[1:]))
    table = Table(header=header, rows=tuple(rows), tones=tones)
    picture = _picture(comparison, words)
    return Section(id="budget", title=title, items=(table,) if picture is None else (picture, table))


def _part(part: PartChange, words: Glossary) -> tuple[str, ...] | None:
    """Return the row of a part: in seconds, or as shares where no total is known; None where nothing is to be told."""
    sides = ((part.before_s, part.before_share), (part.after_s, part.after_share))
    if all(share is None and seconds is None for seconds, share in sides) or part.before_share == part.after_share == 0:
        return None
    if any(seconds is None and share is not None for seconds, share in sides):
        return (words.text(part.title), *(words.share(share) for _, share in sides), "")
    return (words.text(part.title), *_seconds(part.before_s, part.after_s, words))


def _seconds(before: Extent, after: Extent, words: Glossary) -> tuple[str, str, str]:
    """Return both times and their difference; nothing where one is unknown."""
    first, second = as_interval(before), as_interval(after)
    change = ""
    if first is not None and second is not None:
        difference = second.mid - first.mid
        sign = "+" if difference > 0 else "−" if difference < 0 else ""
        change = f"{sign}{words.duration(abs(difference))}"
    return words.duration(before), words.duration(after), change


def _picture(comparison: Comparison, words: Glossary) -> Terms | None:
    """Draw both budgets to one scale; None where a total is unknown."""
    budget = comparison.budget
    before = None if budget is None else as_interval(budget.before_s)
    after = None if budget is None else as_interval(budget.after_s)
    if budget is None or before is None or after is None or not max(before.mid, after.mid):
        return None
    longest = max(before.mid, after.mid)
    rows = []
    for side, total in (("before", before), ("after", after)):
        segments = []
        for part in budget.parts:
            seconds = as_interval(part.before_s if side == "before" else part.after_s)
            if seconds is not None and seconds.mid > 0:
                term, label = words.terms.get(part.id, "device"), words.text(part.title)
                text = words.duration(seconds.mid)
                segments.append(Segment(term=term, label=label, share=seconds.mid / longest, text=text))
        label = words.say(f"compare.head.{side}")
        rows.append(TermRow(label=label, text=words.duration(total.mid), segments=tuple(segments)))
    alt = words.say("compare.alt.budget", before=rows[0].text, after=rows[1].text)
    return Terms(alt=alt, rows=tuple(rows))


def _hypotheses_section(comparison: Comparison, words: Glossary) -> Section:
    telling = [each for each in comparison.hypotheses if {each.before, each.after} & _TELLING]
    header = tuple(words.say(f"compare.head.{name}") for name in ("hypothesis", "before", "after"))
    rows: list[tuple[str, ...]] = [
        (words.text(each.title), _stood(each, words, before=True), _stood(each, words, before=False))
        for each in telling[:_MOVED]
    ]
    section = _table("hypotheses", words.say("compare.title.hypotheses"), header, rows)
    more = len(comparison.hypotheses) - len(telling[:_MOVED])
    if more <= 0:
        return section
    return dataclasses.replace(section, items=(*section.items, Line(words.say("more", n=more), tone=Tone.FAINT)))


def _stood(change: HypothesisChange, words: Glossary, *, before: bool) -> str:
    """Write the standing of one side, with its share where it is known."""
    status, share = (change.before, change.before_share) if before else (change.after, change.after_share)
    if status is None:
        return words.say("compare.gone")
    text = words.say(f"standing.{status}")
    if share is not None:
        return words.say("comma").join((text, words.share(share)))
    other = change.after_share if before else change.before_share
    return text if other is None else words.say("comma").join((text, words.say("compare.unmeasured")))


def _settings_section(comparison: Comparison, words: Glossary) -> Section:
    header = tuple(words.say(f"compare.head.{name}") for name in ("setting", "before", "after"))
    rows: list[tuple[str, ...]] = [
        (words.title(each.measurement), *(words.value(each.measurement, value) for value in (each.before, each.after)))
        for each in comparison.settings
    ]
    section = _table("settings", words.say("compare.title.changed"), header, rows)
    if not rows:
        return section
    return dataclasses.replace(section, items=(*section.items, Line(words.say("compare.settings"))))


def _sides_section(comparison: Comparison, words: Glossary) -> Section:
    items = [
        Line(words.say("joined", label=words.say(f"compare.head.{name}"), text=_state(side, words)), mark="-")
        for name, side in (("before", comparison.before), ("after", comparison.after))
    ]
    return Section(id="sides", title=words.say("compare.title.reports"), items=tuple(items))


def _state(side: SideReport, words: Glossary) -> str:
    """Say what was diagnosed on one side, and from how many runs."""
    status = words.say(f"status.{side.status}")
    known = side.claim and side.status in ("confirmed", "supported", "conflicting", "no_fault")
    text = words.say("joined", label=status, text=words.sentence(side.claim)) if known else status
    runs = words.wording.count("compare.runs", side.runs) if side.runs > 1 else ""
    return f"{text}{runs}"
