"""Values that what stands beside them takes back: attempts that had another effect, remarks, keys that stand twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from truth.jobs import evaluated, in_block, shipped

from dam_expert.documents.incident_reading import incident_from
from dam_expert.documents.observations import Origin
from dam_expert.engine.diagnose import written
from dam_expert.kb.source import read_yaml

if TYPE_CHECKING:
    from dam_expert import Diagnosis
    from dam_expert.documents.incident import Incident

PROBED = {"more_workers_speedup": 1.4}


def read(data: object) -> Incident:
    incident, _ = incident_from(data, shipped().names, lambda _: Origin(file="a"))
    return incident


def judged(incident: Incident) -> Diagnosis:
    """Diagnose an incident, and see that a block binds the same."""
    diagnosis = written(evaluated(incident))
    assert (int(in_block([incident]).binding[0]) >= 0) == (diagnosis.binding is not None)
    return diagnosis


@pytest.mark.parametrize(
    ("effect", "status"),
    [
        ("nothing", "undetermined"),
        (1.0, "undetermined"),
        (1.3, "confirmed"),
        (None, "confirmed"),
        ("worse", "confirmed"),
    ],
)
def test_a_probe_decides_nothing_beside_an_attempt_that_had_no_effect(effect: object, status: str) -> None:
    """Both changed the same thing; that it got worse is only said."""
    attempt: dict[str, Any] = {"lever": "more_loader_workers"} | ({} if effect is None else {"effect": effect})
    diagnosis = judged(read({"id": "a", "observations": PROBED, "tried": [attempt]}))
    assert (diagnosis.status == "confirmed") == (status == "confirmed")
    contested = [each for each in diagnosis.rejected if each.measurement == "more_workers_speedup"]
    assert bool(contested) == (status != "confirmed")


def test_an_attempt_that_helped_beside_a_probe_without_effect_decides_nothing() -> None:
    """Whichever of the two is the wrong one."""
    attempt = {"lever": "more_loader_workers", "effect": 1.4}
    incident = read({"id": "a", "observations": {"more_workers_speedup": 1.0}, "tried": [attempt]})
    diagnosis = judged(incident)
    assert diagnosis.binding is None
    assert {each.id: each.status for each in diagnosis.hypotheses}["loader_parallelism"] not in ("confirmed", "refuted")


@pytest.mark.parametrize(
    ("given", "binds"),
    [
        ("on my laptop", False),
        ("from last year", False),
        ("trên máy khác", False),
        ("在另一台机器上", False),
        ("45 %", True),
        ("about 45 %", True),
        ("45 percent of the step", False),
        ("vendor says 45 %", False),
        ("5 years ago", False),
        ("5 %", False),
        (None, True),
    ],
)
def test_a_remark_in_the_place_of_the_words_takes_a_value_back(given: str | None, binds: bool) -> None:
    """What a value was given as reads as it; whatever says more, or something else, is said of it."""
    gap = {"value": "45 %"} | ({} if given is None else {"given": given})
    diagnosis = judged(read({"id": "a", "observations": {"input_gap_share": gap}}))
    assert (diagnosis.binding is not None) == binds


@pytest.mark.parametrize(
    ("source", "binds"),
    [
        ("ChatGPT", False),
        ("guess", False),
        ("my memory", False),
        ("a blog post", False),
        ("slides of the vendor", False),
        ({"detail": "my memory"}, False),
        ("PyTorch Profiler", True),
        ("nvidia-smi", True),
        ("logs/train.log:12", True),
        ({"file": "train.log"}, True),
    ],
)
def test_a_source_that_measures_nothing_makes_hearsay(source: object, binds: bool) -> None:
    """A tool or a file measures; a person, a page or a model tells."""
    gap = {"value": "45 %", "source": source}
    diagnosis = judged(read({"id": "a", "observations": {"input_gap_share": gap}}))
    assert (diagnosis.binding is not None) == binds


def test_a_remark_takes_back_a_word_as_well() -> None:
    """What was not seen here is no state of this job."""
    for given, basis in ((None, "reported"), ("device_out_of_memory", "reported"), ("on my laptop", "said")):
        state = {"value": "device_out_of_memory"} | ({} if given is None else {"given": given})
        (seen,) = read({"id": "a", "observations": {"allocation_state": state}}).observations
        assert seen.basis == basis


TWICE = [
    pytest.param("observations:\n  input_gap_share: 45 %\n  input_gap_share: 3 %\n", False, id="different"),
    pytest.param("observations:\n  input_gap_share: 3 %\n  input_gap_share: 45 %\n", False, id="the other way round"),
    pytest.param("observations:\n  input_gap_share: 45 %\n  input_gap_share: 45 %\n", True, id="the same"),
    pytest.param(
        "observations: {input_gap_share: 45 %}\nobservations: {input_gap_share: 3 %}\n", False, id="whole sections"
    ),
    pytest.param(
        "observations:\n  input_gap_share: {value: 45 %}\n  input_gap_share: {value: 3 %}\n", False, id="long forms"
    ),
    pytest.param('{"observations": {"input_gap_share": "45 %", "input_gap_share": "3 %"}}', False, id="JSON"),
    pytest.param(
        "observations:\n  kernel_share: 3 %\n  kernel_share: 9 %\n  input_gap_share: 45 %\n", True, id="another one"
    ),
]


@pytest.mark.parametrize(("text", "binds"), TWICE)
def test_of_a_key_that_stands_twice_neither_value_counts(text: str, binds: bool) -> None:
    """Unless they are the same; what stands once counts."""
    document, messages = read_yaml(text, first_counts=False)
    assert document is not None
    assert [message.code for message in messages] == ["duplicate-key"]
    assert (judged(read(document.data)).binding is not None) == binds
