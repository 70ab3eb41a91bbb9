"""What a report tells in sentences of a probe: *with random tensors it goes from 1900 to 5400 img/s*.

A sentence that names the condition of one probe (``trials`` in ``knowledge/prose``) tells its factor by itself, says
that nothing changed, or gives a value of a metric that the report gives for the job as well. In each case it is said,
and decides nothing: a sentence may leave out what else was changed.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis
from dam_expert.kb.base import probes_of_levers
from dam_expert.prose.amounts import amounts
from dam_expert.prose.comparisons import compared
from dam_expert.prose.gains import gain_of, in_place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.understood import Finding


#: What *no change* means of a factor: a definition of the language of reports, not a finding.
_AS_BEFORE: Final = Interval(0.97, 1.03)

_OFF: Final = re.compile(
    r"disabl\w*(?P<set>\s?[=:]\s?(?:1|true|on|yes)\b)?|\b(?:turn|turned|turning|switch\w*)\s(?:\w+\s){0,3}off\b|\bremov\w+"
    r"|\bwithout\b|关闭|关掉|禁用|去掉|\b(?:tắt|bỏ)\b",
    re.IGNORECASE,
)
_LEFT_OUT: Final = frozenset({"without", "no"})


@dataclasses.dataclass(frozen=True, slots=True)
class Experiment:
    """A value of a metric under the condition of a probe, and where the report gives it."""

    probe: str
    finding: Finding
    passage: Passage
    place: tuple[int, int]


def probe_of(sentence: Sequence[Statement], applied: frozenset[frozenset[str]], collected: Collected) -> str | None:
    """Return the one probe whose condition a sentence names, out of what it applies; None for a guess or several.

    What is applied may be named twice, and a lever stands for the one probe of it.
    """
    if not applied or any(each.has("hedge", "planned") for each in sentence) or _compares(sentence):
        return None
    keys = frozenset.intersection(*applied)
    measurements = collected.vocabulary.base.measurements
    of_levers = probes_of_levers(collected.vocabulary.base)
    probes = {name for key in keys for name in ((key,) if key in measurements else of_levers.get(key, ()))}
    if len(probes) != 1 or any(_takes_off(each, collected) for each in sentence):
        return None
    return next(iter(probes))


def _compares(sentence: Sequence[Statement]) -> bool:
    """Whether a sentence compares by itself, in words or by two numbers of one unit: both are read elsewhere."""
    for each in sentence:
        text = each.text[each.clause.start : each.clause.end]
        numbers = list(amounts(text))
        units = [found.unit for found in numbers if found.unit and not found.turned]
        if compared(text) is not None or (len(set(units)) < len(units) and not any(in_place_of(text, numbers))):
            return True
    return False


def _takes_off(statement: Statement, collected: Collected) -> bool:
    """Whether words beside the name of a condition take it back: then a factor is that of the way back."""
    named = collected.vocabulary.trials.find(statement.words)
    clause = statement.clause
    return bool(named) and any(
        not any(each.start <= found.start() < each.end for each in named) or found["set"]
        for found in _OFF.finditer(statement.text, clause.start, clause.end)
    )


def read_gain(probe: str, sentence: Sequence[Statement], passage: Passage, collected: Collected) -> bool:
    """Take the factor that a sentence tells of a probe; False where it tells none."""
    if passage.second_hand:
        return False
    gain = None if any(map(_is_denied, sentence)) else gain_of(sentence, collected.vocabulary)
    if gain is None and any(each.has("nothing") for each in sentence):
        gain = (_AS_BEFORE, sentence[0].clause.start, sentence[-1].clause.end)
    if gain is None:
        return False
    value, start, end = gain
    said = dataclasses.replace(passage, plain=False)
    collected.state(said, start, end, probe, value, Basis.SAID, "what it gained, in a sentence")
    return True


def _is_denied(statement: Statement) -> bool:
    """Whether something is denied: what is left out (*without*, *no*) is but the condition of a probe."""
    return any(
        mark.meaning == "negation" and statement.text[mark.start : mark.end].casefold() not in _LEFT_OUT
        for mark in statement.marks
    )


def keep_values(probe: str, before: int, sentence: Sequence[Statement], passage: Passage, collected: Collected) -> None:
    """Remember the values of metrics that a sentence gave under the condition of a probe: those from ``before`` on."""
    place = (sentence[0].clause.start, sentence[-1].clause.end)
    measurements = collected.vocabulary.base.measurements
    for finding in collected.findings[before:]:
        if measurements[finding.observation.measurement].model.track == "time" and not finding.observation.scope:
            collected.experiments.append(Experiment(probe, finding, passage, place))


def take_experiments(collected: Collected) -> None:
    """Compare what metrics were under the condition of a probe with their one value for the job, and take the ratio.

    A probe for which the report gives two ratios that differ is left open.
    """
    found: dict[str, list[tuple[Interval, Experiment]]] = {}
    for each in collected.experiments:
        ratio = _ratio(each, collected)
        if ratio is not None:
            found.setdefault(each.probe, []).append((ratio, each))
    known = {each.observation.measurement for each in collected.findings}
    for probe, ratios in found.items():
        if probe in known or len({ratio for ratio, _ in ratios}) != 1:
            continue
        ratio, experiment = ratios[0]
        said = dataclasses.replace(experiment.passage, plain=False)
        collected.state(said, *experiment.place, probe, ratio, Basis.SAID, "ratio of two cases")


def _ratio(experiment: Experiment, collected: Collected) -> Interval | None:
    """Return by which factor a metric was better than it is for the job; None where that has no value, or several."""
    name = experiment.finding.observation.measurement
    others = [
        each.observation.value
        for each in collected.findings
        if each.observation.measurement == name and not each.observation.scope and not each.tentative
    ]
    value = experiment.finding.observation.value
    if len(others) != 1 or not isinstance(others[0], Interval) or not isinstance(value, Interval):
        return None
    plain = others[0]
    if min(plain.lo, value.lo) <= 0.0:
        return None
    return collected.vocabulary.base.measurements[name].improvement(plain, value)
