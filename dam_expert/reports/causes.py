"""Where the time goes, why the verdict is what it is, the ranked causes, and what was ruled out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports.glossary import Glossary, as_interval, duration, factor, share
from dam_expert.reports.model import Bar, Line, Section, Tone
from dam_expert.reports.wording import prose, region

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dam_expert.documents.diagnosis import Diagnosis, Evidence, Extent, HypothesisReport, ProofNode

_STRENGTH = {"confirm": 0, "refute": 0, "support": 1, "weaken": 1, "suggest": 2}
_STRONGEST = 3
_RANKED = 5
_STANDING = {
    "confirmed": Tone.GOOD,
    "conflicting": Tone.BAD,
    "supported": Tone.WARNING,
    "candidate": Tone.PLAIN,
    "refuted": Tone.FAINT,
}


def budget_section(diagnosis: Diagnosis) -> Section:
    """Draw the parts of the step or request that take any time, and the residual that no part explains."""
    budget = diagnosis.budget
    if budget is None:
        return Section(id="budget", title="Where the time goes", items=())
    title = f"Where the time goes ({budget.statistic} {budget.of}: {duration(budget.total_s)})"
    if budget.contradiction is not None:
        return Section(id="budget", title=title, items=(Line(budget.contradiction, tone=Tone.BAD),))
    bars = [_bar(prose(part.title), part.share, part.seconds) for part in budget.parts if part.share != 0]
    return Section(id="budget", title=title, items=(*bars, _bar("residual (explained by no part)", budget.residual)))


def _bar(label: str, part: Extent, seconds: Extent = None) -> Bar:
    bounds = as_interval(part)
    time = "" if seconds is None else f"  {duration(seconds)}"
    if bounds is None:
        return Bar(label=label, low=None, high=None, text=f"unknown{time}")
    low, high = (min(max(end, 0.0), 1.0) for end in (bounds.lo, bounds.hi))
    return Bar(label=label, low=low, high=high, text=f"{share(part)}{time}")


def why_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Give the strongest evidence for the leading hypothesis: reasons, values and thresholds."""
    leading = _leading(diagnosis)
    if leading is None:
        return Section(id="why", title="Why", items=())
    items: list[Line] = []
    for evidence in sorted(leading.evidence_for, key=lambda each: _STRENGTH[each.strength])[:_STRONGEST]:
        trial = " (rule on trial)" if evidence.on_trial else ""
        items.append(Line(f"{prose(evidence.because)}{trial}", mark="-"))
        items += _grounds(diagnosis, evidence, words)
    return Section(id="why", title="Why", items=tuple(items))


def _leading(diagnosis: Diagnosis) -> HypothesisReport | None:
    """Return the binding hypothesis with evidence of its own, else the first ranked one that has any."""
    named = diagnosis.binding.hypothesis if diagnosis.binding else None
    ranked = sorted(diagnosis.hypotheses, key=lambda each: each.id != named)
    return next((each for each in ranked if each.evidence_for), None)


def _grounds(diagnosis: Diagnosis, evidence: Evidence, words: Glossary) -> Iterator[Line]:
    """Yield the true conditions under a fired rule with their values, thresholds and sources."""
    step = next((step for step in diagnosis.proof if step.rule == evidence.rule), None)
    if step is None:
        yield Line(f"{evidence.rule}: {', '.join(evidence.measurements)}", depth=1, tone=Tone.FAINT)
        return
    for leaf in _true_leaves(step.conditions):
        yield Line(leaf_text(leaf, words), depth=1)
    yield Line(f"{evidence.strength}: {step.rule}; {'; '.join(map(prose, step.source))}", depth=1, tone=Tone.FAINT)


def _true_leaves(node: ProofNode) -> Iterator[ProofNode]:
    if node.children:
        for child in node.children:
            yield from _true_leaves(child)
    elif node.truth == "true":
        yield node


def leaf_text(leaf: ProofNode, words: Glossary) -> str:
    """Write one comparison with the value it saw and the threshold it was held against.

    The measurement is the first word of the comparison, as the rule language has it.
    """
    measurement, blank, comparison = prose(leaf.text).partition(" ")
    text = measurement if leaf.value is None else f"{measurement} ({words.value(measurement, leaf.value)})"
    text += blank + comparison
    if leaf.threshold is not None:
        origin = "; ".join(map(prose, leaf.threshold.source))
        limit = words.value(measurement, leaf.threshold.value)
        text += f" ({limit}, {leaf.threshold.grade}{': ' if origin else ''}{origin})"
    places = [each.removeprefix(measurement).partition("from ")[2] or each for each in leaf.observations]
    return text + (f"; from {', '.join(places)}" if places else "")


def ranking_section(diagnosis: Diagnosis) -> Section:
    """List the causes that are left, the likeliest first, each with its standing, its cost and its ceiling.

    Candidates that more speaks against than for are counted; if there is nothing else, the first are shown.
    """
    alive = [each for each in diagnosis.hypotheses if each.status != "refuted"]
    likely = [each for each in alive if each.status != "candidate" or each.score > 0]
    shown = likely[:_RANKED] or alive[:_STRONGEST]
    items: list[Line] = []
    for place, each in enumerate(shown, start=1):
        items.append(Line(prose(each.title), mark=f"{place}.", tone=_STANDING[each.status]))
        items.append(Line(_standing(each), depth=1))
    if len(alive) > len(shown):
        items.append(Line(f"and {len(alive) - len(shown)} more; --format json lists them all", tone=Tone.FAINT))
    return Section(id="causes", title="Ranked causes", items=tuple(items))


def _standing(each: HypothesisReport) -> str:
    """Sum one hypothesis up in one line; what is unknown is left out."""
    parts = [each.status, f"{each.bottleneck} ({region(each.axes)})"]
    if each.share is not None:
        parts.append(f"share {share(each.share)}")
    if each.ceiling is not None:
        parts.append(f"at most {factor(each.ceiling)}")
    if each.status != "confirmed":
        parts.append(f"score {each.score:+d}")
    return ", ".join(parts)


def ruled_out_section(diagnosis: Diagnosis) -> Section:
    """List what was refuted, each with the reason of the rule that did it; what went with its parent is counted."""
    refuted = {each.id: each for each in diagnosis.hypotheses if each.status == "refuted"}
    items: list[Line] = []
    for each in refuted.values():
        if each.parent in refuted:
            continue
        below = sum(1 for other in refuted.values() if each.id in _ancestors(other, refuted))
        with_it = f" (and {below} finer cause{'s' if below > 1 else ''} of it)" if below else ""
        items.append(Line(f"{prose(each.title)}{with_it}", mark="-"))
        strongest = sorted(each.against, key=lambda one: _STRENGTH[one.strength])[:1]
        items += [Line(f"{prose(one.because)} [{one.rule}]", depth=1, tone=Tone.FAINT) for one in strongest]
    return Section(id="ruled_out", title="Ruled out", items=tuple(items))


def _ancestors(each: HypothesisReport, known: Mapping[str, HypothesisReport]) -> Iterator[str]:
    """Yield the ids above a hypothesis, as far as they are known."""
    while each.parent is not None and each.parent in known:
        yield each.parent
        each = known[each.parent]
