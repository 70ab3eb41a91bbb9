"""Words that the pages choose by the numbers."""

from __future__ import annotations

import pytest

from dam_expert.physics.answers.iron_law import iron_law
from dam_expert.physics.answers.queueing import Stage, queue
from dam_expert.physics.answers.roofline import Roof, kernel, roofline
from dam_expert.physics.answers.scaling import plan
from dam_expert.reports.calculators import iron_law as iron_law_page
from dam_expert.reports.calculators import queueing as queue_page
from dam_expert.reports.calculators import roofline as roofline_page
from dam_expert.reports.calculators import scaling as scaling_page


def texts(sections):
    return [item.text for section in sections for item in section.items]


BINDING = [
    pytest.param(
        (0.06, 0.06, 0.0), "Data movement binds together with an equal term: 50 % of the sum each.", id="equal"
    ),
    pytest.param((0.0, 0.0, 0.01), "Latency binds: 100 % of the sum, the only term.", id="alone"),
    pytest.param((0.03, 0.06, 0.0), "Compute binds: 66.7 % of the sum, 2× the next term.", id="ahead"),
]


@pytest.mark.parametrize(("terms", "sentence"), BINDING)
def test_the_binding_term(terms, sentence):
    """The sentence says which term binds, and by how much."""
    assert iron_law_page.binds(iron_law(*terms)) == sentence


def test_unexplained_time():
    """Time beyond the sum of the terms is called out with the reasons it may have."""
    said = texts(iron_law_page.sections(iron_law(0.04, 0.06, 0.0, 0.2)))
    assert any(text.startswith("100 ms (50 %) lie beyond the sum of the terms: waits") for text in said)


def test_on_the_roof():
    """A kernel on its roof is told what can help and what is wasted there."""
    answer = roofline(
        "A100",
        Roof(name="memory", rate=2e12, source="x"),
        [Roof(name="bf16", rate=312e12, source="x")],
        [kernel("add", "bf16", 1e12, 6e12, 3.2)],
    )
    said = texts(roofline_page.sections(answer, 0.8))
    assert any(text.endswith("or more bandwidth can help; a higher peak is wasted.") for text in said)


FLOWS = [
    pytest.param(3.0, "the three agree", id="agree"),
    pytest.param(6.0, "the response leaves a stage out", id="above"),
    pytest.param(1.0, "not all requests in the system are counted", id="below"),
]


@pytest.mark.parametrize(("in_system", "words"), FLOWS)
def test_littles_law(in_system, words):
    """Measured figures that do not agree are told the likely reason."""
    answer = queue(Stage(arrivals_per_s=60, service_s=0.012), in_system=in_system, response_s=0.05)
    assert any(words in text for text in texts_of_lines(queue_page.sections(answer, 0.7, 0.1)))


def texts_of_lines(sections):
    return [item.text for section in sections for item in section.items if hasattr(item, "text")]


PLANS = [
    pytest.param(1e11, "Starved of data: 7.14 % of the rule", id="starved"),
    pytest.param(1.4e12, "Near the compute optimum.", id="near"),
    pytest.param(15e12, "Far past the rule: a choice that makes inference cheap", id="past"),
]


@pytest.mark.parametrize(("tokens", "words"), PLANS)
def test_tokens_per_parameter(tokens, words):
    """Far too few tokens are starvation, far more a choice."""
    assert any(text.startswith(words) for text in texts(scaling_page.plan_sections(plan(70e9, tokens, None), 0.5)))
