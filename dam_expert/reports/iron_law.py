"""The terms of the iron law as the budget gives them, and as the first lever could make them at best.

A lever with the ceiling c takes the share 1 - 1/c of the time away at most (Amdahl's law), and takes it from the part
that binds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.reports.advice import acting
from dam_expert.reports.glossary import as_interval
from dam_expert.reports.model import Line, Section, Tone
from dam_expert.reports.pictures import Segment, TermRow, Terms

if TYPE_CHECKING:
    from dam_expert.documents.diagnosis import Diagnosis, LeverAdvice
    from dam_expert.documents.intervals import Interval
    from dam_expert.reports.glossary import Glossary

#: Work on the device of which only counters could tell whether it is data movement or compute.
_DEVICE: Final = "device"
_RESIDUAL: Final = "residual"
_ORDER: Final = ("data_movement", "compute", _DEVICE, "latency", _RESIDUAL)


def iron_law_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Compare the terms now with those after the best lever, where its ceiling and the budget are known."""
    nothing = Section(id="iron_law", title="", items=())
    lever, binding = next(iter(acting(diagnosis)), None), diagnosis.binding
    gain = None if lever is None else as_interval(lever.ceiling)
    part = None if binding is None else words.parts.get(binding.hypothesis)
    now = _shares(diagnosis, words)
    if lever is None or gain is None or part is None or not now or gain.lo <= 1.0:
        return nothing
    after = _without(now, words.terms.get(part, _DEVICE), 1.0 - 1.0 / gain.mid)
    return _section(diagnosis, lever, gain, now, after, words)


def _section(
    diagnosis: Diagnosis,
    lever: LeverAdvice,
    gain: Interval,
    now: dict[str, float],
    after: dict[str, float],
    words: Glossary,
) -> Section:
    total = as_interval(diagnosis.budget.total_s if diagnosis.budget else None)
    whole = None if total is None else total.mid
    before_text = words.share(1.0) if whole is None else words.duration(whole)
    after_text = words.share(1.0 / gain.mid) if whole is None else words.duration(whole / gain.mid)
    rows = (
        _row(words.say("terms.now"), before_text, now, words),
        _row(words.say("terms.after", lever=words.sentence(lever.title)), after_text, after, words),
    )
    alt = words.say("alt.terms", lever=words.sentence(lever.title), before=before_text, after=after_text)
    lines = [
        Line(words.say("terms.row", row=row.label, total=row.text, parts=_told(row, words)), mark="-") for row in rows
    ]
    note = Line(words.say("terms.note"), tone=Tone.FAINT)
    return Section(id="iron_law", title=words.say("title.iron_law"), items=(Terms(alt=alt, rows=rows), *lines, note))


def _told(row: TermRow, words: Glossary) -> str:
    return words.say("comma").join(f"{segment.label} {segment.text}" for segment in row.segments)


def _row(label: str, text: str, shares: dict[str, float], words: Glossary) -> TermRow:
    segments = tuple(
        Segment(term=term, label=words.say(f"term.{term}"), share=shares[term], text=words.share(shares[term]))
        for term in _ORDER
        if round(shares.get(term, 0.0), 4) > 0.0
    )
    return TermRow(label=label, text=text, segments=segments)


def _shares(diagnosis: Diagnosis, words: Glossary) -> dict[str, float]:
    """Return the share of each term; nothing where the budget is contradicted or a part that binds is unknown."""
    budget = diagnosis.budget
    if budget is None or budget.contradiction is not None:
        return {}
    shares: dict[str, float] = {}
    for part in budget.parts:
        known = as_interval(part.share)
        if known is not None:
            term = words.terms.get(part.id, _DEVICE)
            shares[term] = shares.get(term, 0.0) + known.mid
    residual = as_interval(budget.residual)
    if residual is not None:
        shares[_RESIDUAL] = residual.mid
    return shares


def _without(shares: dict[str, float], term: str, recovered: float) -> dict[str, float]:
    """Take a share away from the term that binds, at most all of it."""
    return {**shares, term: max(0.0, shares.get(term, 0.0) - recovered)}
