"""What binds, how everything ranks, and the status of axes and diagnosis."""

from __future__ import annotations

import math

import pytest
from small_bases import base, measure, rule, run, seen, suspect, tools

from dam_expert.documents.incident import Track
from dam_expert.documents.intervals import Interval
from dam_expert.engine.diagnose import written

SUSPECTS = [
    suspect("gaps", part="gap"),
    suspect("slow_disk", parent="gaps", region=["machine", "data"]),
    suspect("kernels", "compute", share="kernel_share", attained="reached"),
    suspect("imprecise", "compute", parent="kernels", region=["algorithm"]),
    suspect("pauses", "host", share="pause_share", prior="common"),
    suspect("memory_short", "capacity"),
    suspect("preempted", "capacity", parent="memory_short", tracks=["time", "fit"], share="preempted_share"),
    suspect("bad_data", "quality"),
    suspect("labels", "quality", parent="bad_data"),
    suspect("fine", "none"),
]
SHARES = ("gap_share", "kernel_share", "pause_share", "preempted_share", "reached")


def made(hypotheses=SUSPECTS):
    names = [entry["id"] for entry in hypotheses]
    flags = [
        measure(f"{verb}_{name}", decides="counter")
        for name in names
        for verb in ("confirm", "refute", "support", "suggest")
    ]
    rules = [
        rule(f"{verb}.{name}", f"{verb}_{name} > clear_effect", {verb: name})
        for name in names
        for verb in ("confirm", "refute", "support", "suggest")
    ]
    return base(
        measurements=[
            *flags,
            *(measure(name, "share") for name in SHARES),
            measure("time", "duration"),
            measure("request_p99", "duration"),
            measure("loss", track="quality"),
            measure("cost", "level", unit="$", track="cost"),
        ],
        symptoms=[{"id": "killed", "title": "k", "when": "confirm_fine > 100", "track": "fit"}],
        budgets=[
            {
                "id": "b",
                "title": "b",
                "of": "step",
                "total": "time",
                "parts": [{"id": "gap", "title": "g", "share": "gap_share", "waiting": True}],
            }
        ],
        hypotheses=hypotheses,
        rules=rules,
    )


BASE = made()


def judge(*said, track="time", built=BASE, target=None, **shares):
    """Return the evaluation where rules said ``confirm gaps`` and so on."""
    observations = tools(**{text.replace(" ", "_"): 2.0 for text in said}, **shares)
    given = {"track": Track(track), "wanted": Interval.point(1)} if target is None else target
    return run(built, *observations, target=given)


def verdict(*said, **more):
    return judge(*said, **more).verdict


@pytest.mark.parametrize(
    ("said", "shares", "binding", "secondary"),
    [
        pytest.param([], {}, None, (), id="nothing is confirmed"),
        pytest.param(["confirm gaps"], {}, "gaps", (), id="one root"),
        pytest.param(["confirm slow disk"], {}, "slow_disk", (), id="a child alone binds as itself"),
        pytest.param(["confirm gaps", "confirm slow disk"], {}, "slow_disk", (), id="the deepest is named"),
        pytest.param(["confirm gaps", "refute slow disk"], {}, "gaps", (), id="not a refuted child"),
        pytest.param(
            ["confirm gaps", "confirm pauses"],
            {"gap_share": 0.3, "pause_share": 0.4},
            "pauses",
            ("gaps",),
            id="the larger recoverable share",
        ),
        pytest.param(
            ["confirm gaps", "confirm pauses"],
            {"gap_share": 0.4, "pause_share": 0.3},
            "gaps",
            ("pauses",),
            id="the other way round",
        ),
        pytest.param(
            ["confirm gaps", "confirm kernels"],
            {"gap_share": 0.2, "kernel_share": 0.8, "reached": 0.9},
            "gaps",
            ("kernels",),
            id="recoverable, not share",
        ),
        pytest.param(
            ["confirm gaps", "confirm kernels"],
            {"gap_share": 0.2, "kernel_share": 0.8, "reached": 0.5},
            "kernels",
            ("gaps",),
            id="work that could be faster",
        ),
        pytest.param(
            ["confirm gaps", "confirm kernels"],
            {"gap_share": 0.04, "kernel_share": 0.9, "reached": 0.96},
            "kernels",
            ("gaps",),
            id="all small: the largest share",
        ),
        pytest.param(
            ["confirm gaps", "confirm kernels"],
            {"gap_share": 0.2, "kernel_share": 0.8, "reached": 0.98},
            "gaps",
            ("kernels",),
            id="one small: what could be given back counts",
        ),
        pytest.param(
            ["confirm gaps", "confirm pauses"],
            {"gap_share": 0.3},
            "gaps",
            ("pauses",),
            id="an unknown share is the least",
        ),
        pytest.param(["confirm gaps", "confirm pauses"], {}, "pauses", ("gaps",), id="no shares: the prior"),
        pytest.param(
            ["confirm gaps", "confirm memory short"], {}, "gaps", ("memory_short",), id="another track is secondary"
        ),
        pytest.param(["confirm memory short"], {}, None, ("memory_short",), id="even alone"),
        pytest.param(["confirm preempted"], {}, "preempted", (), id="a child on the track of a root that is not"),
        pytest.param(
            ["confirm gaps", "confirm preempted"],
            {"gap_share": 0.2, "preempted_share": 0.4},
            "preempted",
            ("gaps",),
            id="with a share of its own",
        ),
        pytest.param(["confirm fine"], {}, None, (), id="nothing to fix does not bind"),
    ],
)
def test_what_binds(said, shares, binding, secondary):
    """Roots compete by what they could give back; within the winner the deepest confirmed descendant is named."""
    found = verdict(*said, **shares)
    assert (found.binding, found.secondary) == (binding, secondary)


def test_on_the_track_of_fit_the_root_competes_with_its_children():
    """A child that costs time is also a lack of memory."""
    found = verdict("confirm memory short", "confirm gaps", track="fit")
    assert (found.binding, found.secondary) == ("memory_short", ("gaps",))


@pytest.mark.parametrize(
    ("said", "shares", "expected"),
    [
        pytest.param([], {}, "undetermined", id="nothing"),
        pytest.param(["support gaps"], {}, "supported", id="support"),
        pytest.param(["suggest gaps"], {}, "undetermined", id="a suggestion is not enough"),
        pytest.param(["support bad data"], {}, "undetermined", id="support on another track"),
        pytest.param(["confirm gaps"], {}, "confirmed", id="confirmed"),
        pytest.param(["confirm bad data"], {}, "undetermined", id="confirmed on another track"),
        pytest.param(["confirm fine"], {}, "no_fault", id="nothing to fix"),
        pytest.param(["confirm fine", "confirm gaps"], {}, "confirmed", id="something binds all the same"),
        pytest.param(["confirm gaps", "refute gaps"], {}, "conflicting", id="conflicting alone"),
        pytest.param(["confirm bad data", "refute bad data"], {}, "undetermined", id="conflicting on another track"),
        pytest.param(
            ["confirm gaps", "refute gaps", "confirm pauses"],
            {"gap_share": 0.4, "pause_share": 0.3},
            "conflicting",
            id="conflicting before a confirmed one",
        ),
        pytest.param(
            ["confirm gaps", "refute gaps", "confirm pauses"],
            {"gap_share": 0.2, "pause_share": 0.3},
            "confirmed",
            id="conflicting behind a confirmed one",
        ),
        pytest.param(
            ["confirm gaps", "refute gaps", "confirm pauses"], {}, "conflicting", id="no shares: it may be the larger"
        ),
        pytest.param(
            ["confirm pauses", "confirm preempted", "confirm gaps", "refute gaps"],
            {"pause_share": 0.4, "preempted_share": 0.1, "gap_share": 0.3},
            "confirmed",
            id="behind the strongest of two confirmed ones",
        ),
        pytest.param(
            ["confirm pauses", "confirm gaps", "refute gaps", "confirm preempted", "refute preempted"],
            {"pause_share": 0.3, "gap_share": 0.4, "preempted_share": 0.1},
            "conflicting",
            id="the strongest of two conflicting ones before a confirmed one",
        ),
        pytest.param(
            ["confirm slow disk", "refute slow disk"],
            {"gap_share": 0.4},
            "conflicting",
            id="a parent confirmed only by the disputed child",
        ),
    ],
)
def test_the_status_of_the_diagnosis(said, shares, expected):
    """In order: conflicting, confirmed, no fault, supported, undetermined."""
    assert verdict(*said, **shares).status == expected


def test_nothing_to_fix_needs_something_to_compare_with():
    """Without a target nobody can say that it is met."""
    assert verdict("confirm fine", target={"track": Track.TIME}).status == "undetermined"
    assert verdict("confirm fine", target={"metric": "time"}).status == "no_fault"


@pytest.mark.parametrize(
    ("said", "shares", "expected"),
    [
        pytest.param(["support gaps"], {}, "gaps", id="the first if supported"),
        pytest.param(["suggest gaps"], {}, None, id="not a mere candidate"),
        pytest.param(["support gaps", "confirm pauses"], {}, "pauses", id="the binding one"),
        pytest.param(["support memory short"], {}, None, id="not one of another track"),
        pytest.param(["support gaps", "support pauses"], {}, "pauses", id="of equals the more common"),
        pytest.param(["support gaps", "support pauses"], {"gap_share": 0.06}, "gaps", id="a share worth recovering"),
        pytest.param(
            ["support gaps", "support pauses"], {"gap_share": 0.04}, "pauses", id="a share too small to count"
        ),
        pytest.param(
            ["support gaps", "suggest gaps", "support pauses"], {"pause_share": 0.5}, "gaps", id="score before share"
        ),
    ],
)
def test_what_leads(said, shares, expected):
    """The binding hypothesis, or else the first if it is supported."""
    assert verdict(*said, **shares).leading == expected


def test_the_rank():
    """Track, status, recoverable share of the confirmed, score of the others, prior, id."""
    found = verdict(
        "confirm gaps",
        "confirm pauses",
        "support kernels",
        "refute imprecise",
        "confirm bad data",
        gap_share=0.3,
        pause_share=0.4,
    )
    assert found.ranked == (
        "pauses",
        "gaps",
        "kernels",
        "slow_disk",
        "fine",
        "preempted",
        "imprecise",
        "bad_data",
        "labels",
        "memory_short",
    )


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param([], ("candidate", "candidate", "candidate"), id="nothing"),
        pytest.param(["confirm gaps"], ("confirmed", "candidate", "candidate"), id="its dominant axis only"),
        pytest.param(
            ["confirm slow disk"],
            ("candidate", "candidate", "confirmed"),
            id="a child speaks for its own axis, not for that of its parent",
        ),
        pytest.param(
            ["confirm slow disk", "support gaps"],
            ("supported", "candidate", "confirmed"),
            id="the parent by its own evidence",
        ),
        pytest.param(
            ["confirm slow disk", "refute gaps", "refute bad data"],
            ("refuted", "candidate", "conflicting"),
            id="a parent refuted by its own rule",
        ),
        pytest.param(["confirm imprecise"], ("candidate", "confirmed", "candidate"), id="algorithm"),
        pytest.param(
            ["confirm bad data"], ("candidate", "candidate", "candidate"), id="the root of quality speaks for none"
        ),
        pytest.param(["confirm labels"], ("confirmed", "candidate", "candidate"), id="its children do"),
        pytest.param(
            ["refute gaps", "refute bad data"], ("refuted", "candidate", "candidate"), id="all of an axis refuted"
        ),
        pytest.param(
            ["confirm gaps", "refute gaps", "confirm labels"],
            ("confirmed", "candidate", "candidate"),
            id="confirmed before conflicting",
        ),
        pytest.param(
            ["confirm gaps", "refute gaps", "support labels"],
            ("conflicting", "candidate", "candidate"),
            id="conflicting before supported",
        ),
    ],
)
def test_axes(said, expected):
    """The best status of the hypotheses in which an axis is dominant; only own rules confirm one."""
    axes = verdict(*said).axes
    assert tuple(axes[axis][0] for axis in ("data", "algorithm", "machine")) == expected


def test_an_axis_names_the_hypothesis_that_speaks_for_it():
    """The first in rank of those with the best status, with its share."""
    report = written(judge("confirm gaps", gap_share=0.3)).axes[0]
    assert (report.axis, report.status, report.hypothesis, report.share) == ("data", "confirmed", "gaps", 0.3)


@pytest.mark.parametrize(
    ("target", "observations", "expected"),
    [
        pytest.param(None, [], "time", id="nothing is known"),
        pytest.param({"track": Track.COST, "metric": "loss"}, [], "cost", id="as given"),
        pytest.param({"metric": "loss"}, [], "quality", id="that of the metric"),
        pytest.param({"metric": "Cost"}, [], "cost", id="the metric by another spelling"),
        pytest.param({"metric": "time"}, [seen("confirm_fine", 200)], "fit", id="a symptom, where the metric has none"),
        pytest.param({"metric": "loss"}, [seen("confirm_fine", 200)], "quality", id="the metric before a symptom"),
        pytest.param({"metric": "happiness"}, [], "time", id="a metric that the base does not know"),
        pytest.param(None, [seen("confirm_fine", 2)], "time", id="a symptom that is absent"),
    ],
)
def test_the_track(target, observations, expected):
    """As given, else from the metric, else from symptoms, else time."""
    found = run(BASE, *observations, **({} if target is None else {"target": target}))
    assert found.situation.track == expected


@pytest.mark.parametrize(
    ("target", "share", "expected"),
    [
        pytest.param({"metric": "time"}, 0.5, 2.0, id="a share"),
        pytest.param({"metric": "time"}, (0.2, 0.5), (1.25, 2.0), id="a range"),
        pytest.param({"metric": "time"}, (0.5, 1.0), (2.0, None), id="perhaps everything"),
        pytest.param({"metric": "time"}, 1.0, None, id="everything: no bound"),
        pytest.param({"metric": "time"}, None, None, id="unknown"),
        pytest.param({"metric": "request_p99"}, 0.5, None, id="a percentile by id"),
        pytest.param({"metric": "p99.9 of the latency"}, 0.5, None, id="a percentile in words"),
        pytest.param({"metric": "TTFT P95"}, 0.5, None, id="in capitals"),
        pytest.param({"metric": "top99 accuracy"}, 0.5, 2.0, id="not a percentile"),
    ],
)
def test_ceilings(target, share, expected):
    """1 / (1 - recoverable), a factor of the target's time; of a percentile means tell nothing."""
    shares = {} if share is None else {"gap_share": Interval(*share) if isinstance(share, tuple) else share}
    observations = [
        *tools(confirm_gaps=2.0),
        *(seen(name, (value.lo, value.hi) if isinstance(value, Interval) else value) for name, value in shares.items()),
    ]
    document = written(run(BASE, *observations, target={**target, "track": Track.TIME}))
    assert document.binding.ceiling == expected
    assert {report.id: report.ceiling for report in document.hypotheses}["gaps"] == expected


def test_fit_and_learning_have_no_ceiling():
    """Nothing gets faster by a factor when it fits."""
    found = judge("confirm preempted", "confirm labels", track="fit", preempted_share=0.5)
    assert found.shares.recoverable["preempted"] == Interval.point(0.5)
    assert found.judge.ceiling("preempted") is None


def test_no_infinity_in_the_document():
    """JSON has none."""
    text = written(judge("confirm gaps", gap_share=1.0)).model_dump_json()
    assert "Infinity" not in text
    assert not math.isinf(written(judge("confirm gaps", gap_share=1.0)).binding.share)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param("confirm gaps", "bottleneck", id="a root with children"),
        pytest.param("confirm slow disk", "cause", id="a child"),
        pytest.param("confirm pauses", "cause", id="a root without children is its own cause"),
    ],
)
def test_depth(said, expected):
    """Where only the root is confirmed, its children are still to be told apart."""
    assert written(judge(said)).binding.depth == expected


def test_a_confirming_probe_gives_the_share():
    """1 - 1/r where none is measured, also for the parents; a measured share stays."""
    built = base(
        measurements=[measure("probe", decides="probe"), measure("pause_share", "share")],
        hypotheses=[
            suspect("root"),
            suspect("child", parent="root"),
            suspect("pauses", "host", share="pause_share"),
            suspect("bad", "quality"),
        ],
        rules=[
            rule("a", {"not": "probe <= clear_effect"}, {"confirm": "child"}),
            rule("b", "probe > clear_effect", {"confirm": ["pauses", "bad"]}),
        ],
    )
    shares = run(built, *tools(probe=1.25, pause_share=0.3)).shares
    assert {name: value.lo for name, value in shares.share.items()} == pytest.approx(
        {"pauses": 0.3, "root": 0.2, "child": 0.2}
    )
    assert shares.recoverable["root"].lo == pytest.approx(0.2)
    assert run(built, *tools(probe=1.02)).shares.share == {}


def test_a_root_without_a_share_competes_with_its_largest_confirmed_member():
    """What has no share of its own weighs as much as the largest of what is confirmed under it, not as the smallest."""
    suspects = [
        suspect("gaps", part="gap"),
        suspect("stalls", "host"),
        suspect("long", "host", parent="stalls", share="kernel_share"),
        suspect("short", "host", parent="stalls", share="pause_share"),
        suspect("fine", "none"),
    ]
    said = ("confirm gaps", "confirm long", "confirm short")
    found = judge(*said, built=made(suspects), kernel_share=0.3, pause_share=0.1, gap_share=0.2)
    assert found.verdict.binding == "long"
    assert (
        judge(*said, built=made(suspects), kernel_share=0.3, pause_share=0.1, gap_share=0.35).verdict.binding == "gaps"
    )
    unknown = judge("confirm gaps", "confirm stalls", built=made(suspects), gap_share=0.2)
    assert unknown.verdict.binding == "gaps"
