"""Random knowledge bases and incidents for property tests: small, and rich in every construct of the language."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from dam_expert.documents.intervals import Interval
from dam_expert.documents.messages import has_errors
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.kb.base import Base
from dam_expert.kb.entries import collect
from dam_expert.kb.models import SECTIONS
from dam_expert.kb.resolve import resolve
from dam_expert.kb.source import read_yaml
from dam_expert.physics.hardware import Catalogue

NUMBERS = ["m0", "m1", "m2", "m3"]
DERIVED = ["d0", "d1"]
CATEGORIES = ["c0", "c1"]
COLOURS = ["red", "green", "blue"]
THRESHOLDS = ["t0", "t1", "t2"]
SYMPTOMS = ["s0", "s1"]
HYPOTHESES = ["h0", "h1", "h2", "h3"]
OPERATORS = ["<", "<=", ">", ">="]

ENGINE = {
    "bottlenecks": [
        {"id": "input", "title": "Input", "region": ["data", "machine"], "term": "data_movement"},
        {"id": "compute", "title": "Compute", "region": ["machine"], "term": "compute"},
    ],
    "thresholds": [
        {
            "id": name,
            "title": name,
            "kind": "ratio",
            "grade": "decisive",
            "basis": "read",
            "value": value,
            "source": ["x"],
        }
        for name, value in (("no_effect", 1.05), ("clear_effect", 1.1), ("worth_recovering", 0.05))
    ],
    "anti_patterns": [
        {"id": name, "title": name, "lesson": name} for name in ("acting_before_diagnosing", "wasted_action")
    ],
}


def numeric_leaves(names: list[str]) -> st.SearchStrategy[str]:
    operand = st.one_of(st.sampled_from([*THRESHOLDS, "ts"]), st.integers(1, 9).map(str), st.sampled_from(names))
    return st.builds(
        lambda name, how, what: f"{name} {how} {what}", st.sampled_from(names), st.sampled_from(OPERATORS), operand
    )


def word_leaves() -> st.SearchStrategy[str]:
    return st.builds(lambda name, word: f"{name} is {word}", st.sampled_from(CATEGORIES), st.sampled_from(COLOURS))


def trees(leaf: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    def joined(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        several = st.lists(inner, min_size=1, max_size=3)
        return st.one_of(
            several.map(lambda children: {"all": children}),
            several.map(lambda children: {"any": children}),
            inner.map(lambda child: {"not": child}),
            several.flatmap(lambda of: st.integers(1, len(of)).map(lambda n: {"at_least": {"n": n, "of": of}})),
        )

    return st.recursive(leaf, joined, max_leaves=5)


RAW = st.one_of(numeric_leaves([*NUMBERS, *DERIVED]), word_leaves())
LATER = st.one_of(numeric_leaves([*NUMBERS, *DERIVED]), word_leaves())
ADVISED = st.one_of(
    LATER,
    st.builds(
        lambda word, name: f"{word} {name}",
        st.sampled_from(["known", "unknown"]),
        st.sampled_from([*NUMBERS, *DERIVED]),
    ),
    st.builds(
        lambda name, status: f"{name} is {status}",
        st.sampled_from(HYPOTHESES),
        st.sampled_from(["confirmed", "supported", "candidate", "refuted"]),
    ),
)


@st.composite
def measurements(draw: st.DrawFn, kinds: tuple[str, ...]) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = [
        {"id": name, "title": name, "kind": "ratio"}
        | draw(
            st.sampled_from(
                [
                    {},
                    {"weak": True},
                    *({"decides": kind, "needs_tool": tool} for kind in kinds for tool in (False, True)),
                ]
            )
        )
        for name in NUMBERS
    ]
    entries += [
        {"id": name, "title": name, "kind": "category", "decides": draw(st.sampled_from([None, "state"]))}
        | {"values": dict.fromkeys(COLOURS, "a colour")}
        for name in CATEGORIES
    ]
    pair = st.tuples(st.sampled_from(NUMBERS), st.sampled_from("+/"), st.sampled_from(NUMBERS)).map(" ".join)
    entries += [
        {"id": name, "title": name, "kind": "ratio", "decides": "counter", "formula": draw(pair)}
        | ({"needs_tool": True} if draw(st.booleans()) else {})
        for name in DERIVED
    ]
    return [{key: value for key, value in entry.items() if value is not None} for entry in entries]


#: What a hypothesis may cost, and when it binds; numbers of the incidents lie between 0 and 10.
COSTS: list[dict[str, Any]] = [
    {},
    {"share": "m0 * 0.1"},
    {"share": "m1 * 0.05"},
    {"share": "m2 * 0.1", "attained": "m3 * 0.1"},
    {"tracks": ["fit"]},
    {"tracks": ["time", "fit"], "share": "m3 * 0.1"},
    {"term": "learning", "controlled": ["m1"]},
    {"prior": "common"},
]


@st.composite
def thresholds(draw: st.DrawFn) -> list[dict[str, Any]]:
    grade = st.sampled_from(["decisive", "screening"])
    common = {"kind": "ratio", "basis": "read"}
    entries: list[dict[str, Any]] = [
        {"id": name, "title": name, "grade": draw(grade), "value": draw(st.integers(1, 9)), "source": ["x"], **common}
        for name in THRESHOLDS
    ]
    scoped = [
        {"when": draw(trees(word_leaves())), "value": draw(st.integers(1, 9)), "source": ["x"]}
        for _ in range(draw(st.integers(1, 2)))
    ]
    if draw(st.booleans()):
        scoped.append({"value": draw(st.integers(1, 9)), "source": ["x"]})
    return [*entries, {"id": "ts", "title": "ts", "grade": draw(grade), "values": scoped, **common}]


@st.composite
def rules(draw: st.DrawFn) -> list[dict[str, Any]]:
    found = []
    for number in range(draw(st.integers(1, 7))):
        stage = draw(st.sampled_from(["sanity", "evidence", "evidence", "evidence", "advice"]))
        verbs = {
            "sanity": ["reject", "doubt"],
            "evidence": ["suggest", "support", "weaken", "refute", "confirm"],
            "advice": ["ask"],
        }[stage]
        targets = HYPOTHESES if stage == "evidence" else NUMBERS
        leaf = {"sanity": RAW, "evidence": st.one_of(LATER, st.sampled_from(SYMPTOMS)), "advice": ADVISED}[stage]
        said = draw(st.lists(st.sampled_from(verbs), min_size=1, max_size=2, unique=True))
        then = dict(zip(said, draw(st.permutations(targets)), strict=False))
        unless = draw(st.lists(st.sampled_from(SYMPTOMS), max_size=2, unique=True))
        found.append(
            {
                "id": f"r{number}",
                "title": "A rule",
                "when": draw(trees(leaf)),
                "unless": unless,
                "then": then,
                "group": draw(st.sampled_from(NUMBERS)),
                "status": draw(st.sampled_from(["stable", "stable", "stable", "test", "draft"])),
                "because": "it is drawn at random",
                "source": ["x"],
            }
        )
    return found


@st.composite
def wholes(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Draw wholes whose formulas are one name or number each."""
    return [
        {
            "id": f"w{number}",
            "title": "A whole",
            "whole": draw(st.sampled_from([*NUMBERS, "3", "9"])),
            "parts": draw(st.lists(st.sampled_from([*NUMBERS, *DERIVED]), min_size=1, max_size=3, unique=True)),
            "overlap": draw(st.booleans()),
            "because": "it is drawn at random",
            "limits": "none",
            "source": ["x"],
        }
        for number in range(draw(st.integers(0, 2)))
    ]


@st.composite
def bases(draw: st.DrawFn, *, rich: bool = False) -> dict[str, list[dict[str, Any]]]:
    """Draw a base as plain data, as it would stand in YAML.

    A rich one has what the reference does not judge: probes, shares, tracks and bottlenecks that differ.
    """
    parents = {"h1": draw(st.sampled_from([None, "h0"])), "h2": draw(st.sampled_from([None, "h0", "h1"]))}
    hypotheses = [
        {"id": name, "title": name, "bottleneck": "input", "statement": "x", "confirmed_by": "x", "falsified_by": "x"}
        | ({"parent": parents[name]} if parents.get(name) else {})
        | (draw(st.sampled_from(COSTS)) if rich else {})
        for name in HYPOTHESES
    ]
    kinds = ("counter", "probe") if rich else ("counter",)
    return {
        **{section: [] for section in SECTIONS},
        **ENGINE,
        "measurements": draw(measurements(kinds)),
        "thresholds": [*ENGINE["thresholds"], *draw(thresholds())],
        "symptoms": [{"id": name, "title": name, "when": draw(trees(LATER))} for name in SYMPTOMS],
        "hypotheses": hypotheses,
        "rules": draw(rules()),
        "wholes": draw(wholes()),
    }


@st.composite
def incidents(draw: st.DrawFn) -> dict[str, tuple[Any, ...]]:
    """Draw what is observed: ``(lo, hi, basis)`` of numbers, ``(word, basis)`` of categories."""
    basis = st.sampled_from(["tool", "reported", "said"])
    found: dict[str, tuple[Any, ...]] = {}
    for name in draw(st.lists(st.sampled_from([*NUMBERS, DERIVED[0]]), unique=True)):
        low = draw(st.integers(0, 10))
        found[name] = (float(low), float(low + draw(st.sampled_from([0, 0, 0, 2, 5]))), draw(basis))
    for name in draw(st.lists(st.sampled_from(CATEGORIES), unique=True)):
        found[name] = (draw(st.sampled_from(COLOURS)), draw(basis))
    return found


def resolved(data: dict[str, list[dict[str, Any]]]) -> Base:
    """Resolve plain data as the loader does; guards of meaning are left out, since random rules break them."""
    document, messages = read_yaml(json.dumps(data), file="random.yaml")
    assert document is not None
    sections: dict[str, list[Any]] = {section: [] for section in SECTIONS}
    collect(document, sections, messages)
    base, found = resolve(sections, "random", Catalogue(()))
    assert not has_errors([*messages, *found]), "\n".join(map(str, [*messages, *found]))
    return base


def observations(incident: dict[str, tuple[Any, ...]]) -> tuple[Observation, ...]:
    """Return a drawn incident as observations."""
    origin = Origin(file="random")
    return tuple(
        Observation(
            measurement=name,
            value=Interval(value[0], value[1]) if len(value) == 3 else value[0],
            basis=Basis(value[-1]),
            origin=origin,
        )
        for name, value in incident.items()
    )
