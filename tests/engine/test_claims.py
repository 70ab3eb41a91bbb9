"""What probes claim of a budget, and when it is more than the whole."""

from __future__ import annotations

import pytest
from small_bases import base, measure, part, rule, seen, suspect

from dam_expert.engine.claims import overclaimed, probes_of_parts
from dam_expert.engine.columns import Columns


def budget(name, of, *parts):
    return {"id": name, "title": name, "of": of, "total": f"{name}_time", "parts": list(parts)}


BASE = base(
    measurements=[
        measure("step_time", "duration"),
        measure("request_time", "duration"),
        *(measure(f"{name}_share", "share") for name in ("gap", "copy", "kernel", "queue")),
        *(
            measure(name, decides="probe")
            for name in ("no_gap", "no_copy", "no_queue", "either", "drafted", "on_trial", "slower", "less_waste")
        ),
    ],
    budgets=[
        budget("step", "step", part("gap"), part("copy"), part("kernel", waiting=False)),
        budget("request", "request", part("queue")),
    ],
    hypotheses=[
        suspect("gaps", part="gap"),
        suspect("copies", "host", part="copy"),
        suspect("queues", "host", part="queue"),
        suspect("waste", "compute"),
    ],
    rules=[
        rule("r_gap", "no_gap > clear_effect", {"confirm": "gaps"}),
        rule("r_copy", "no_copy > clear_effect", {"confirm": "copies"}),
        rule("r_queue", "no_queue > clear_effect", {"confirm": "queues"}),
        rule("r_either_gap", "either > clear_effect", {"confirm": "gaps"}),
        rule("r_either_copy", "either > clear_effect", {"confirm": "copies"}),
        rule("r_drafted", "drafted > clear_effect", {"confirm": "gaps"}, status="draft"),
        rule("r_on_trial", "on_trial > clear_effect", {"confirm": "gaps"}, status="test"),
        rule("r_slower", "slower < clear_effect", {"confirm": "gaps"}),
        rule("r_waste", "less_waste > clear_effect", {"confirm": "waste"}),
        rule("r_supports", "no_gap > clear_effect", {"support": "copies"}),
        rule("r_refutes", "no_copy > clear_effect", {"refute": "gaps"}),
    ],
)


def claimed(**values):
    return overclaimed(BASE, Columns(BASE, tuple(seen(name, value) for name, value in values.items()), {}))


def test_a_probe_is_of_the_part_that_each_of_its_confirmed_suspects_is():
    """Rules in force alone count, which confirm by a gain: not drafts, supports, refutations and losses."""
    assert probes_of_parts(BASE) == {"step": {"gap_share": ("no_gap",), "copy_share": ("no_copy",), "kernel_share": ()}}


@pytest.mark.parametrize(
    ("values", "found"),
    [
        pytest.param({"no_gap": 2.0, "copy_share": 0.8}, {"no_gap", "copy_share"}, id="half and 80 %"),
        pytest.param({"no_gap": 2.0, "copy_share": 0.4}, set(), id="half and 40 %"),
        pytest.param({"no_gap": 2.0, "no_copy": 4.0}, {"no_gap", "no_copy"}, id="half and three quarters"),
        pytest.param({"no_gap": 1.6, "no_copy": 1.6}, set(), id="37 % twice"),
        pytest.param({"no_gap": 2.0, "gap_share": 0.6, "copy_share": 0.3}, set(), id="the measured part says more"),
        pytest.param({"no_gap": 2.0, "copy_share": (0.3, 0.9)}, set(), id="the low end is possible"),
        pytest.param({"no_gap": (1.5, 9.0), "copy_share": 0.5}, set(), id="the lower gain is possible"),
        pytest.param({"no_gap": 1.01, "copy_share": 1.0}, set(), id="no clear gain claims nothing"),
        pytest.param({"either": 2.0, "copy_share": 0.8}, set(), id="of two parts"),
        pytest.param({"drafted": 2.0, "copy_share": 0.8}, set(), id="of a draft"),
        pytest.param({"less_waste": 2.0, "copy_share": 0.8}, set(), id="of no part"),
        pytest.param({"no_queue": 2.0, "queue_share": 0.1}, set(), id="parts of a request may lie in each other"),
        pytest.param({"gap_share": 0.8, "copy_share": 0.8}, set(), id="without a probe it is no claim"),
        pytest.param(
            {"no_gap": 4.0, "kernel_share": 0.7}, set(), id="more than the work leaves is another contradiction"
        ),
        pytest.param(
            {"no_gap": 2.0, "kernel_share": 0.4, "copy_share": 0.3},
            {"no_gap", "kernel_share", "copy_share"},
            id="120 % with the work",
        ),
    ],
)
def test_claims_and_parts_are_at_most_the_whole(values, found):
    """Beyond it, none of them decides: neither the probes nor the measured parts."""
    assert claimed(**values) == found
