"""Shares, tracks and what binds of a block are those of each incident alone."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from block_rows import alone, row
from small_bases import base, incident, limit, measure, part, rule, suspect, tools

from dam_expert.documents.incident import Incident
from dam_expert.documents.incident import Track as Stated
from dam_expert.documents.intervals import Interval
from dam_expert.documents.vocabulary import TRACKS
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.block.evaluating import BlockVerdict, evaluate_block
from dam_expert.engine.block.incidents import block_of
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.kb.base import Base


def both_ways(built: Base, given: list[Incident]) -> tuple[BlockVerdict, list[Evaluated]]:
    """Return incidents as one block and one by one, which have to come to the same."""
    rules = [each.id for each in built.program.rules]
    executor = BitExecutor(built.program)
    one_by_one = [evaluate(built, each, executor) for each in given]
    found = evaluate_block(built, block_of(built, given))
    for place, expected in enumerate(one_by_one):
        assert row(found, place, rules) == alone(expected), given[place]
        assert TRACKS[found.track[place]] == expected.situation.track, given[place]
        assert found.fired.beside_target[place] == expected.situation.beside_target, given[place]
        for kind in ("share", "recoverable"):
            assert spans_of(found, kind, place) == spans_alone(expected, kind), given[place]
    return found, one_by_one


def spans_of(found: BlockVerdict, kind: str, place: int) -> dict[str, Any]:
    """Return by hypothesis what a block says of its share in one row."""
    spans = getattr(found.fired.shares, kind)
    at = {name: span.at(np.array([place]), len(found.binding)) for name, span in spans.items()}
    return {name: pytest.approx((lo[0], hi[0])) for name, (lo, hi) in at.items() if not np.isnan(lo[0])}


def spans_alone(evaluated: Evaluated, kind: str) -> dict[str, tuple[float, float]]:
    return {name: (span.lo, span.hi) for name, span in getattr(evaluated.shares, kind).items() if span is not None}


COSTS = base(
    measurements=[
        measure("time", "duration"),
        *(measure(f"{name}_share", "share") for name in ("gap", "kernel", "pause")),
        measure("reached"),
        *(measure(name, decides="probe") for name in ("no_gap", "smaller", "cleaner", "idle", "rerun")),
    ],
    budgets=[
        {
            "id": "step",
            "title": "s",
            "of": "step",
            "total": "time",
            "parts": [part("gap"), part("kernel", waiting=False)],
        }
    ],
    hypotheses=[
        suspect("gaps", part="gap"),
        suspect("slow_disk", parent="gaps"),
        suspect("pauses", "host", share="pause_share"),
        suspect("kernels", "compute", part="kernel"),
        suspect("imprecise", "compute", parent="kernels", attained="reached"),
        suspect("work", "compute", share="pause_share"),
        suspect("traffic", "memory", share="pause_share"),
        suspect("cramped", "capacity", tracks=["time", "fit"]),
        suspect("mislabelled", "quality", tracks=["time", "quality"]),
        suspect("probed", "host"),
        suspect("probed_work", "compute"),
        suspect("supported", "host"),
        suspect("proposed", "host"),
    ],
    rules=[
        rule("r_gap", "no_gap > clear_effect", {"confirm": "slow_disk"}),
        rule("r_cramped", "smaller > clear_effect", {"confirm": "cramped"}),
        rule("r_mislabelled", "cleaner > clear_effect", {"confirm": "mislabelled"}),
        rule("r_probed", "idle > clear_effect", {"confirm": "probed", "support": "supported"}),
        rule("r_probed_work", "rerun > clear_effect", {"confirm": "probed_work"}),
        rule("r_supported", "rerun > clear_effect", {"support": "supported"}),
        rule("r_on_trial", "rerun > clear_effect", {"confirm": "proposed"}, status="test"),
    ],
)


def test_what_each_hypothesis_costs_and_gives_back() -> None:
    """Waiting gives back all of its share, work only what its rate leaves, and what is measured stands before probes.

    A probe gives a share to what it confirms, but not to what costs memory or quality and no time.
    """
    said: list[dict[str, Any]] = [
        {},
        {"gap_share": 0.2},
        {"kernel_share": 0.5},
        {"kernel_share": 0.5, "reached": 0.6},
        {"pause_share": 0.3},
        {"gap_share": (0.2, 0.4), "kernel_share": (0.5, 0.6), "pause_share": 0.1, "reached": (0.2, 0.4)},
        {"no_gap": 2},
        {"no_gap": 2, "gap_share": 0.5},
        {"smaller": 2, "cleaner": 3},
        {"idle": 1.5, "rerun": 1.25},
        {"idle": (1.5, 2), "rerun": 1.0},
        {"gap_share": 0.8, "kernel_share": 0.7},
    ]
    found, one_by_one = both_ways(COSTS, [incident(*tools(**each)) for each in said])
    given = [(set(each.shares.share), set(each.shares.recoverable)) for each in one_by_one]
    assert given[2] == ({"kernels", "imprecise"}, set())
    assert given[4] == ({"pauses", "work", "traffic"}, {"pauses"})
    assert given[8] == (set(), set())
    assert given[9] == ({"probed", "probed_work"}, {"probed", "probed_work"})
    assert found.fired.shares.share.keys().isdisjoint({"cramped", "mislabelled", "supported", "proposed"})


TOLD = base(
    measurements=[
        measure("time", "duration", track="time"),
        *(measure(f"{track}_seen", decides="counter") for track in TRACKS),
        measure("sound", decides="counter"),
        measure("again", decides="counter"),
    ],
    thresholds=[limit("bar", 1)],
    symptoms=[
        *(
            {"id": f"s_{track}", "title": track, "when": f"{track}_seen > 1", "track": track}
            for track in reversed(TRACKS)
        ),
        {"id": "untold", "title": "No track", "when": "again > 1"},
        {"id": "s_again", "title": "Again", "when": "again > 1", "track": "fit"},
    ],
    hypotheses=[
        suspect("fine", "none", settles=True),
        *(suspect(f"h_{track}", tracks=[track]) for track in TRACKS),
    ],
    rules=[
        rule("r_fine", "sound > bar", {"confirm": "fine"}),
        *(rule(f"r_{track}", f"{track}_seen > bar", {"confirm": f"h_{track}"}) for track in TRACKS),
    ],
)


@pytest.mark.parametrize("stated", [None, *Stated], ids=str)
@pytest.mark.parametrize("actual", [None, 1.0, 3.0], ids=["nothing reached", "met", "missed"])
def test_the_track_is_stated_or_told_by_symptoms(stated: Stated | None, actual: float | None) -> None:
    """Beside a target that is met, or of which nothing is missed, a symptom may tell of a failure on another track."""
    target = {"metric": "time", "wanted": Interval.point(2), "track": stated}
    if actual is not None:
        target["actual"] = Interval.point(actual)
    given = []
    for told in itertools.chain.from_iterable(itertools.combinations(TRACKS, count) for count in range(3)):
        for sound in (0, 2):
            seen = {f"{track}_seen": 2 for track in told} | {"sound": sound}
            given += [incident(*tools(**seen)), incident(*tools(**seen), target=target)]
            given += [incident(*tools(**seen, again=2), target=target), incident(*tools(**seen, again=2))]
    _, one_by_one = both_ways(TOLD, given)
    assert len({each.situation.track for each in one_by_one}) == len(TRACKS)


def test_a_share_of_just_what_is_worth_recovering_competes() -> None:
    """Where one root gives back enough, roots go by what they give back, whatever they cost; else by cost."""
    built = base(
        measurements=[measure(name, "share") for name in ("wait_share", "work_share")]
        + [measure(name, decides="counter") for name in ("waits", "works")],
        thresholds=[limit("bar", 1)],
        hypotheses=[suspect("waiting", share="wait_share"), suspect("working", "compute", share="work_share")],
        rules=[
            rule("r_waits", "waits > bar", {"confirm": "waiting"}),
            rule("r_works", "works > bar", {"confirm": "working"}),
        ],
    )
    shares = [0.04, 0.05, 0.06]
    given = [incident(*tools(waits=2, works=2, wait_share=share, work_share=0.9)) for share in shares]
    _, one_by_one = both_ways(built, given)
    assert [each.verdict.binding for each in one_by_one] == ["working", "waiting", "waiting"]
    for each in given:
        both_ways(built, [each])


def test_a_base_that_suspects_nothing() -> None:
    """Nothing binds, and nothing is ranked."""
    built = base(measurements=[measure("a")])
    found, _ = both_ways(built, [incident(), incident(*tools(a=2))])
    assert found.binding.tolist() == [-1, -1]
