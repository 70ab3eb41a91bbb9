"""What a report tells in sentences of a probe: *with random tensors it goes from 1900 to 5400 img/s*.

A sentence that names the condition of one probe (``trials`` in ``knowledge/prose``) tells its factor by itself, says
that nothing changed, or gives a value of a metric that the report gives for the job as well. In each case it is said,
and decides nothing: a sentence may leave out what else was changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.documents.intervals import Interval
from dam_expert.kb.base import probes_of_levers
from dam_expert.prose.amounts import amounts
from dam_expert.prose.comparisons import compared
from dam_expert.prose.gains import gain_of, in_place_of
from dam_expert.prose.levers import takes_off
from dam_expert.prose.variants import RATIO, told_case

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.prose.vocabulary import Vocabulary
    from dam_expert.prose.words import Mention


#: What *no change* means of a factor: a definition of the language of reports, not a finding.
_AS_BEFORE: Final = Interval(0.97, 1.03)

_LEFT_OUT: Final = frozenset({"without", "no"})


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
    if len(probes) != 1 or any(_takes_off(each, collected.vocabulary) for each in sentence):
        return None
    return next(iter(probes))


def _takes_off(statement: Statement, vocabulary: Vocabulary) -> bool:
    """Whether words beside the name of a condition take it back: then a factor is that of the way back."""
    named = vocabulary.trials.find(statement.words)
    return bool(named) and takes_off(statement, named, vocabulary)


def is_confounded(sentence: Sequence[Statement], named: Sequence[Sequence[Mention[str]]]) -> bool:
    """Whether a sentence says that something else was changed as well: *the batch was also changed*.

    ``named`` are the levers that its clauses name. That things happen at once says so only of several of them.
    """
    if not any(each.has("confounded", "at_once") for each in sentence):
        return False
    if any(each.is_question or each.is_conditional or each.has("planned") for each in sentence):
        return False
    own = [each for each in sentence if not each.has("elsewhere")]
    if any(each.has("confounded") for each in own):
        return True
    several = len({mention.meaning for levers in named for mention in levers}) > 1
    return several and any(each.has("at_once") for each in own) and any(each.has("acted", "tried") for each in own)


def _compares(sentence: Sequence[Statement]) -> bool:
    """Whether a sentence compares by itself, in words or by two numbers of one unit: both are read elsewhere."""
    for each in sentence:
        text = each.text[each.clause.start : each.clause.end]
        numbers = list(amounts(text))
        units = [found.unit for found in numbers if found.unit and not found.turned]
        if compared(text) is not None or (len(set(units)) < len(units) and not any(in_place_of(text, numbers))):
            return True
    return False


def read_gain(probe: str, sentence: Sequence[Statement], passage: Passage, collected: Collected) -> bool:
    """Take the factor that a sentence tells of a probe; False where it tells none."""
    if passage.second_hand:
        return False
    gain = None if any(map(_is_denied, sentence)) else gain_of(sentence, collected.vocabulary)
    if gain is None and (any(each.has("nothing") for each in sentence) or _is_as_before(sentence)):
        gain = (_AS_BEFORE, sentence[0].clause.start, sentence[-1].clause.end)
    if gain is None:
        return False
    value, start, end = gain
    collected.cases.append(told_case(RATIO, value, _key(probe, collected), (passage, start, end)))
    return True


def _is_as_before(sentence: Sequence[Statement]) -> bool:
    """Whether a metric is said to be the same under the condition: *synthetic data gives the same step time*."""
    same = any(each.has("compared_same") for each in sentence)
    return same and not any(_is_denied(each) or each.has("at_once") or not each.is_of_this_job for each in sentence)


def _key(probe: str, collected: Collected) -> str:
    """Return what cases call a probe: its lever, if it has one."""
    return collected.vocabulary.base.measurements[probe].model.probe_of or probe


def _is_denied(statement: Statement) -> bool:
    """Whether something is denied: what is left out (*without*, *no*) is but the condition of a probe."""
    return any(
        mark.meaning == "negation" and statement.text[mark.start : mark.end].casefold() not in _LEFT_OUT
        for mark in statement.marks
    )


def keep_values(probe: str, before: int, sentence: Sequence[Statement], passage: Passage, collected: Collected) -> None:
    """Keep the values of metrics that a sentence gave under the condition of a probe: those from ``before`` on."""
    place = (passage, sentence[0].clause.start, sentence[-1].clause.end)
    measurements = collected.vocabulary.base.measurements
    for finding in collected.findings[before:]:
        observation = finding.observation
        timed = measurements[observation.measurement].model.track == "time" and not observation.scope
        if timed and isinstance(observation.value, Interval):
            case = told_case(observation.measurement, observation.value, _key(probe, collected), place)
            collected.cases.append(case)
