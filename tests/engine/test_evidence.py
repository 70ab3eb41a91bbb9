"""What fired rules say of hypotheses: scores, statuses, and how both move in the tree."""

from __future__ import annotations

import pytest
from small_bases import base, fired, lever, measure, rule, run, seen, statuses, suspect, tools

from dam_expert.engine.evidence import Piece, standings

TREE = [
    suspect("root"),
    suspect("left", parent="root"),
    suspect("leaf", parent="left"),
    suspect("right", parent="root"),
    suspect("other"),
]
BASE = base(hypotheses=TREE)


def stand(*said, built=BASE):
    """Weigh pieces written as ``confirm leaf`` or ``support leaf in group``."""
    pieces = []
    for text in said:
        verb, name, *group = text.replace(" in ", " ").split()
        pieces.append(Piece(rule="r", hypothesis=name, verb=verb, group=group[0] if group else "g"))
    return standings(built, pieces)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param([], {}, id="nothing"),
        pytest.param(
            ["confirm leaf"], {"leaf": "confirmed", "left": "confirmed", "root": "confirmed"}, id="confirmation goes up"
        ),
        pytest.param(["confirm root"], {"root": "confirmed"}, id="and not down"),
        pytest.param(
            ["refute root"], dict.fromkeys(("root", "left", "leaf", "right"), "refuted"), id="refutation goes down"
        ),
        pytest.param(["refute leaf"], {"leaf": "refuted"}, id="and not up"),
        pytest.param(
            ["refute left", "refute right"],
            dict.fromkeys(("left", "leaf", "right"), "refuted"),
            id="all children refuted say nothing of the parent",
        ),
        pytest.param(["support leaf"], {"leaf": "supported"}, id="support does not move"),
        pytest.param(
            ["confirm leaf", "refute leaf"],
            {"leaf": "conflicting", "left": "confirmed", "root": "confirmed"},
            id="both of one",
        ),
        pytest.param(
            ["confirm leaf", "refute root"],
            {"leaf": "conflicting", "left": "conflicting", "root": "conflicting", "right": "refuted"},
            id="from below and from above",
        ),
        pytest.param(
            ["confirm left", "refute leaf"],
            {"leaf": "refuted", "left": "confirmed", "root": "confirmed"},
            id="another child is to blame",
        ),
        pytest.param(
            ["confirm leaf", "weaken leaf in a", "weaken leaf in b"],
            {"leaf": "confirmed", "left": "confirmed", "root": "confirmed"},
            id="weakening does not undo a confirmation",
        ),
    ],
)
def test_confirmation_goes_up_and_refutation_down(said, expected):
    """All at once, from the rules' own conclusions."""
    found = stand(*said).status
    assert {name: status for name, status in found.items() if status != "candidate"} == expected


def test_own_confirmations_are_told_apart_from_those_of_children():
    """Only they speak for an axis."""
    assert stand("confirm leaf", "confirm other").own == {"leaf", "other"}


@pytest.mark.parametrize(
    ("said", "score", "status"),
    [
        pytest.param(["suggest root"], 1, "candidate", id="a suggestion"),
        pytest.param(["support root"], 2, "supported", id="support"),
        pytest.param(["weaken root"], -2, "candidate", id="weakening"),
        pytest.param(["support root", "support root"], 2, "supported", id="one group counts once"),
        pytest.param(["suggest root", "support root"], 2, "supported", id="with its strongest"),
        pytest.param(["support root in a", "support root in b"], 4, "supported", id="two groups"),
        pytest.param(["suggest root in a", "suggest root in b"], 2, "supported", id="two suggestions"),
        pytest.param(["support root", "weaken root"], 0, "candidate", id="for and against in one group"),
        pytest.param(
            ["support root in a", "support root in b", "weaken root in a", "weaken root in a"],
            2,
            "supported",
            id="the strongest minus once",
        ),
        pytest.param(["confirm root", "support root in a"], 2, "confirmed", id="a confirmation has no points"),
        pytest.param(["refute root", "support root in a"], 2, "refuted", id="nor has a refutation"),
    ],
)
def test_scores_count_each_group_once(said, score, status):
    """Of each group the strongest plus and the strongest minus."""
    found = stand(*said)
    assert (found.score["root"], found.status["root"]) == (score, status)


MEASURES = [measure("m", decides="counter"), measure("n"), measure("k")]
SYMPTOMS = [{"id": "masked", "title": "m", "when": "n > 1"}, {"id": "second", "title": "s", "when": "k > 1"}]


def with_rule(then, *, status="stable", unless=("masked",)):
    entry = rule("r", "m > clear_effect", then, unless=list(unless), status=status)
    return base(measurements=MEASURES, symptoms=SYMPTOMS, hypotheses=[suspect("h")], rules=[entry])


@pytest.mark.parametrize(
    ("then", "n", "strength", "expected"),
    [
        pytest.param({"confirm": "h"}, 0, "full", "confirmed", id="no exception"),
        pytest.param({"confirm": "h"}, None, "reduced", "supported", id="an unknown exception: only support"),
        pytest.param({"confirm": "h"}, 2, None, "candidate", id="an exception"),
        pytest.param({"refute": "h"}, 0, "full", "refuted", id="refuted"),
        pytest.param({"refute": "h"}, None, "reduced", "candidate", id="an unknown exception: only weakened"),
        pytest.param(
            {"support": "h"}, None, "full", "supported", id="elsewhere an unknown exception holds nothing back"
        ),
        pytest.param({"support": "h"}, 2, None, "candidate", id="but a true one does"),
    ],
)
def test_exceptions(then, n, strength, expected):
    """Of a rule that confirms or refutes all must be false; of others none may be true."""
    found = run(with_rule(then), *tools(m=2, **({} if n is None else {"n": n})))
    assert fired(found) == ({"r": strength} if strength else {})
    assert statuses(found) == {"h": expected}


def test_every_exception_must_be_false():
    """One that is unknown among false ones reduces, one that is true holds back."""
    built = with_rule({"confirm": "h"}, unless=("masked", "second"))
    strengths = [fired(run(built, *tools(m=2, n=0, **more))) for more in ({"k": 0}, {}, {"k": 2})]
    assert strengths == [{"r": "full"}, {"r": "reduced"}, {}]


def test_an_exception_is_plain_even_in_a_rule_that_confirms():
    """What somebody says is enough to hold back, or to let through."""
    built = with_rule({"confirm": "h"})
    assert fired(run(built, seen("m", 2), seen("n", 0, "said"))) == {"r": "full"}
    assert fired(run(built, seen("m", 2), seen("n", 2, "said"))) == {}


def test_a_reduced_refutation_weakens_in_the_score():
    """It becomes a piece of evidence like any other."""
    found = run(with_rule({"refute": "h"}), *tools(m=2))
    assert found.standings.score == {"h": -2}
    assert [(piece.verb, piece.on_trial) for piece in found.standings.pieces] == [("weaken", False)]


@pytest.mark.parametrize(
    ("status", "then", "expected", "verb"),
    [
        pytest.param("stable", {"confirm": "h"}, "confirmed", "confirm", id="stable"),
        pytest.param("deprecated", {"confirm": "h"}, "confirmed", "confirm", id="deprecated runs"),
        pytest.param("test", {"confirm": "h"}, "supported", "support", id="on trial it supports"),
        pytest.param("test", {"refute": "h"}, "candidate", "weaken", id="on trial it weakens"),
        pytest.param("draft", {"confirm": "h"}, "candidate", None, id="a draft does nothing"),
    ],
)
def test_the_status_of_a_rule(status, then, expected, verb):
    """A rule on trial says so."""
    found = run(with_rule(then, status=status), *tools(m=2, n=0))
    assert statuses(found) == {"h": expected}
    assert [piece.verb for piece in found.standings.pieces] == ([verb] if verb else [])
    assert all(piece.on_trial is (status == "test") for piece in found.standings.pieces)


def test_a_draft_is_nowhere_in_a_diagnosis():
    """Neither among what fired nor as something that waits for a measurement."""
    from dam_expert.engine.diagnose import written

    entry = rule("r", "m > clear_effect", {"confirm": "h"}, status="draft")
    built = base(
        measurements=[measure("m", decides="counter", obtain=[{"how": "x", "effort_minutes": 1}])],
        hypotheses=[suspect("h")],
        rules=[
            entry,
            rule("s", "m > clear_effect", {"doubt": "m"}, status="draft"),
            rule("t", "unknown m", {"ask": "m"}, status="draft"),
        ],
    )
    assert fired(run(built, *tools(m=2))) == {}
    silent = written(run(built))
    assert (silent.next_measurements, silent.exhausted, silent.hypotheses[0].open) == ([], True, [])


LEVERS = [lever("act", ["leaf"]), lever("other_act", ["root"])]


@pytest.mark.parametrize(
    ("tried", "expected"),
    [
        pytest.param({"act": "nothing"}, {"leaf": -2}, id="nothing"),
        pytest.param({"act": "worse"}, {"leaf": -2}, id="worse"),
        pytest.param({"act": 1.01}, {"leaf": -2}, id="a factor below no effect"),
        pytest.param({"act": 1.08}, {}, id="a small one"),
        pytest.param({"act": "helped"}, {}, id="helped"),
        pytest.param({"act": None}, {}, id="nobody knows"),
        pytest.param({"act": "nothing", "other_act": "nothing"}, {"leaf": -2, "root": -2}, id="each its own causes"),
    ],
)
def test_what_was_tried_in_vain_weakens_its_causes_and_no_parents(tried, expected):
    """It is evidence against what the lever works on."""
    found = run(base(hypotheses=TREE, levers=LEVERS), tried=tried)
    assert {name: score for name, score in found.standings.score.items() if score} == expected


def test_withdrawing_a_fact_withdraws_what_rested_on_it():
    """Nothing stays from one evaluation to the next."""
    built = with_rule({"confirm": "h"})
    assert [statuses(run(built, *tools(**facts)))["h"] for facts in ({"m": 2, "n": 0}, {"n": 0}, {"m": 2, "n": 0})] == [
        "confirmed",
        "candidate",
        "confirmed",
    ]
