"""Whether asking on is worth it: by what was answered so far, and by the belief in what is left."""

from __future__ import annotations

import dataclasses

import pytest

from dam_expert import load_knowledge
from dam_expert.documents.incident import Absence, Incident
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.engine.next_measurement import next_measurements
from dam_expert.engine.waiting import open_rules
from dam_expert.engine.worth_asking import is_worth_asking

BASE, _ = load_knowledge()
assert BASE is not None


def _evaluated(*refused: str) -> Evaluated:
    answers = tuple(sorted((name, Absence.UNKNOWN) for name in refused))
    incident = dataclasses.replace(Incident(id="x", file="x"), answers=answers)
    return evaluate(BASE, incident, BitExecutor(BASE.program))


def _worth(evaluated: Evaluated, answered: int, unanswered: int) -> bool:
    following = next_measurements(evaluated, open_rules(evaluated))
    return is_worth_asking(evaluated, following, answered=answered, unanswered=unanswered)


def test_as_long_as_all_was_answered_asking_on_is_worth_it() -> None:
    """However little is believed of what is left, nothing says that it is not known."""
    evaluated = _evaluated()
    assert _worth(evaluated, 0, 0)
    assert _worth(evaluated, 7, 0)
    assert not is_worth_asking(evaluated, [], answered=0, unanswered=0)


@pytest.mark.parametrize(("answered", "unanswered", "worth"), [(0, 1, True), (0, 200, False), (199, 200, True)])
def test_the_fewer_answers_there_were_the_less_is_asked_on(answered: int, unanswered: int, worth: bool) -> None:
    """Of the same belief, one unknown answer leaves enough; two hundred without any value leave nothing."""
    assert _worth(_evaluated(), answered, unanswered) is worth


def test_a_session_that_gets_no_answer_ends_after_some_questions() -> None:
    """What decides most is asked first; behind it, with no answer so far, too little is left."""
    refused: list[str] = []
    for count in range(60):
        evaluated = _evaluated(*refused)
        following = next_measurements(evaluated, open_rules(evaluated))
        if not is_worth_asking(evaluated, following, answered=0, unanswered=count):
            break
        refused.append(following[0].measurement)
    assert 3 <= len(refused) <= 30
