"""Where the time goes, why the verdict is what it is, the ranked causes, and what was ruled out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports.glossary import as_interval
from dam_expert.reports.grounds import (
    evidence_tree,
    leading,
    leaf_quotes,
    leaf_text,
    stale_names,
    strongest,
    true_leaves,
)
from dam_expert.reports.model import Bar, Line, Section, Tone

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dam_expert.documents.diagnosis import Diagnosis, Evidence, Extent, HypothesisReport
    from dam_expert.reports.glossary import Glossary
    from dam_expert.reports.model import Item

_FEW = 3
_RANKED = 5
_STANDING = {
    "confirmed": Tone.GOOD,
    "conflicting": Tone.BAD,
    "supported": Tone.WARNING,
    "candidate": Tone.PLAIN,
    "refuted": Tone.FAINT,
}


def budget_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Draw the parts of the step or request that take any time, and the residual that no part explains."""
    budget = diagnosis.budget
    if budget is None:
        return Section(id="budget", title="", items=())
    what = words.say(f"statistic.{budget.statistic}", of=words.say(f"of.{budget.of}"))
    title = words.say("title.budget", what=what, total=words.duration(budget.total_s))
    if budget.contradiction is not None:
        return Section(id="budget", title=title, items=(Line(words.text(budget.contradiction), tone=Tone.BAD),))
    binds = words.parts.get(diagnosis.binding.hypothesis) if diagnosis.binding else None
    bars = [
        _bar(words.text(part.title), part.share, words, seconds=part.seconds, leads=part.id == binds)
        for part in budget.parts
        if part.share not in (0, None)
    ]
    unmeasured = words.say("semicolon").join(words.text(part.title) for part in budget.parts if part.share is None)
    residual = _bar(words.say("budget.residual"), budget.residual, words)
    items: list[Item] = [*bars, residual]
    if unmeasured:
        items.append(Line(words.say("budget.unmeasured", parts=unmeasured), tone=Tone.FAINT))
    return Section(id="budget", title=title, items=tuple(items))


def _bar(label: str, part: Extent, words: Glossary, *, seconds: Extent = None, leads: bool = False) -> Bar:
    bounds = as_interval(part)
    time = "" if seconds is None else f"  {words.duration(seconds)}"
    if bounds is None:
        return Bar(label=label, low=None, high=None, text=f"{words.say('unknown')}{time}", leads=leads)
    low, high = (min(max(end, 0.0), 1.0) for end in (bounds.lo, bounds.hi))
    return Bar(label=label, low=low, high=high, text=f"{words.share(part)}{time}", leads=leads)


def why_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Give the strongest evidence for the leading hypothesis; once the target is reached nothing leads any more."""
    first = leading(diagnosis)
    if first is None or diagnosis.status == "resolved":
        return Section(id="why", title="", items=())
    items: list[Item] = [evidence_tree(diagnosis, first, words)]
    for evidence in strongest(first):
        trial = words.say("why.on_trial") if evidence.on_trial else ""
        items.append(Line(f"{words.text(evidence.because)}{trial}", mark="-"))
        items += _grounds(diagnosis, evidence, words)
    return Section(id="why", title=words.say("title.why"), items=tuple(items))


def _grounds(diagnosis: Diagnosis, evidence: Evidence, words: Glossary) -> Iterator[Line]:
    """Yield the true conditions under a fired rule with their values, thresholds and sources."""
    step = next((step for step in diagnosis.proof if step.rule == evidence.rule), None)
    if step is None:
        text = words.say("joined", label=evidence.rule, text=", ".join(evidence.measurements))
        yield Line(text, depth=1, tone=Tone.FAINT)
        return
    for leaf in true_leaves(step.conditions):
        text = leaf_text(leaf, words, stale_names(diagnosis))
        yield Line(text, depth=1, quotes=leaf_quotes(leaf, words))
    verb = words.say(f"verb.{evidence.strength}")
    sources = words.say("semicolon").join(map(words.text, step.source))
    text = words.say("why.rule", verb=verb, rule=step.rule, sources=sources)
    yield Line(text, depth=1, tone=Tone.FAINT, quotes=words.quotes(step.source))


def ranking_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """List the causes that are left, the likeliest first, each with its standing, its cost and its ceiling.

    Candidates that nothing or more speaks against than for are only counted; if there is nothing else, that is said,
    and what speaks against a cause is shown.
    """
    alive = [each for each in diagnosis.hypotheses if each.status != "refuted"]
    likely = [each for each in alive if each.status != "candidate" or each.score > 0]
    shown = likely[:_RANKED]
    items: list[Line] = []
    if not shown:
        items.append(Line(words.say("causes.nothing")))
        weakened = {each.against[0].rule: each for each in reversed(alive) if each.against and each.score < 0}
        shown = [each for each in alive if each in weakened.values()][:_FEW]  # one for each rule
        items += [_against(each, words) for each in shown]
        return Section(id="causes", title=words.say("title.causes"), items=tuple(items))
    for place, each in enumerate(shown, start=1):
        items.append(Line(words.text(each.title), mark=f"{place}.", tone=_STANDING[each.status]))
        items.append(Line(standing(each, words), depth=1))
    if len(likely) > len(shown):
        items.append(Line(words.say("more", n=len(likely) - len(shown)), tone=Tone.FAINT))
    if len(alive) > len(likely):
        items.append(Line(words.say("causes.neutral", n=len(alive) - len(likely)), tone=Tone.FAINT))
    return Section(id="causes", title=words.say("title.causes"), items=tuple(items))


def _against(each: HypothesisReport, words: Glossary) -> Line:
    title, because = words.text(each.title), words.text(each.against[0].because)
    return Line(words.say("causes.against", title=title, because=because), mark="-", tone=Tone.FAINT)


def standing(each: HypothesisReport, words: Glossary) -> str:
    """Sum one hypothesis up in one line; what is unknown is left out."""
    where = words.say("fact.region", bottleneck=words.bottleneck(each.bottleneck), region=words.region(each.axes))
    parts = [words.say(f"standing.{each.status}"), where]
    if each.share is not None:
        parts.append(words.say("standing.share", share=words.share(each.share)))
    if each.ceiling is not None:
        parts.append(words.say("step.at_most", factor=words.factor(each.ceiling)))
    if each.status != "confirmed":
        parts.append(words.say("standing.score", score=f"{each.score:+d}"))
    return words.say("comma").join(parts)


def ruled_out_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """List what was refuted, each with the reason of the rule that did it; what went with its parent is counted."""
    refuted = {each.id: each for each in diagnosis.hypotheses if each.status == "refuted"}
    items: list[Line] = []
    for each in refuted.values():
        if each.parent in refuted:
            continue
        below = sum(1 for other in refuted.values() if each.id in _ancestors(other, refuted))
        with_it = words.wording.count("ruled_out.below", below) if below else ""
        items.append(Line(f"{words.text(each.title)}{with_it}", mark="-"))
        decided = [one for one in each.against if one.strength == "refute"] or each.against
        items += [Line(f"{words.text(one.because)} [{one.rule}]", depth=1, tone=Tone.FAINT) for one in decided[:1]]
    return Section(id="ruled_out", title=words.say("title.ruled_out"), items=tuple(items))


def _ancestors(each: HypothesisReport, known: Mapping[str, HypothesisReport]) -> Iterator[str]:
    """Yield the ids above a hypothesis, as far as they are known."""
    while each.parent is not None and each.parent in known:
        yield each.parent
        each = known[each.parent]
