"""Writing incident documents."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_vocabulary import SMALL, SmallVocabulary

from dam_expert.documents.incident import (
    Absence,
    Effect,
    Incident,
    Intervention,
    Planned,
    Target,
    Track,
    Tried,
    canonical,
    incident_from,
)
from dam_expert.documents.intervals import Interval
from dam_expert.documents.kinds import Kind
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.documents.units import LIMITS

HERE = Origin(file="job.dam.yaml")


def read(data):
    """Read plain data as the file job.dam.yaml, without lines."""
    return incident_from(data, SmallVocabulary(), lambda path: HERE)


def test_the_canonical_form_has_ids_and_long_observations():
    """Aliases become ids; what was written stays where it reads alike; everything absent is left out."""
    incident, _ = read(
        {
            "schema": "dam-incident/1",
            "x-note": {"b": [1]},
            "tried": [{"effect": "1.2x", "lever": "a"}, "b"],
            "observations": {
                "GPU-Util": "about 30 %",
                "queue_time[rank=1]": {"value": 40, "unit": "ms"},
                "iter time": 3,
            },
            "workload": {"samples_per_gpu": 32, "amp": {"value": True, "basis": "tool"}},
            "target": {"metric": "iter_time", "wanted": "< 200 ms"},
        }
    )
    assert json.dumps(canonical(incident, SmallVocabulary()), indent=1) == json.dumps(
        {
            "schema": "dam-incident/1",
            "id": "job",
            "target": {"metric": "step_time", "wanted": ["0 s", "0.2 s"]},
            "workload": {"batch_size": 32, "amp": {"value": "true", "basis": "tool"}},
            "observations": [
                {"measurement": "accelerator_utilization", "value": "about 30 %", "basis": "said"},
                {"measurement": "queue_time", "value": "40 ms", "basis": "reported", "scope": {"rank": "1"}},
                {"measurement": "step_time", "value": 3, "basis": "reported"},
            ],
            "tried": [{"lever": "a", "effect": 1.2}, "b"],
            "x-note": {"b": [1]},
        },
        indent=1,
    )


@pytest.mark.parametrize(
    ("seen", "written"),
    [
        pytest.param({"value": Interval(0.1, 0.4)}, {"value": [0.1, 0.4], "basis": "tool"}, id="range"),
        pytest.param({"value": Interval(3.0, float("inf"))}, {"value": [3, None], "basis": "tool"}, id="open"),
        pytest.param(
            {"value": Interval.point(1 / 3), "given": "20 s / 60", "basis": Basis.SAID},
            {"value": 1 / 3, "basis": "said", "given": "20 s / 60"},
            id="given in a form of its own",
        ),
        pytest.param(
            {"value": Interval(0.8, 1.2), "given": "~1 s"},
            {"value": [0.8, 1.2], "basis": "tool", "given": "~1 s"},
            id="a hedge in a tool's output",
        ),
        pytest.param(
            {"value": None, "given": "-1 s", "complaint": "no"},
            {"value": "-1 s", "basis": "tool", "complaint": "no"},
            id="rejected",
        ),
        pytest.param(
            {"value": Interval.point(1.0), "origin": Origin(file="a.log", line=3, tool="t")},
            {"value": 1, "basis": "tool", "source": {"file": "a.log", "line": 3, "tool": "t"}},
            id="from a tool",
        ),
    ],
)
def test_an_observation_is_written_without_loss(seen, written):
    """Exact numbers where the text would not do, and the source where it is another file."""
    observation = Observation(**{"measurement": "step_time", "origin": HERE} | seen)
    incident = Incident(id="a", file="job.dam.yaml", observations=(observation,))
    document = canonical(incident, SmallVocabulary())
    assert document["observations"] == [{"measurement": "step_time", **written}]
    assert read(document) == (incident, [])


word = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), min_size=1, max_size=12)
name = st.from_regex(r"[a-z]{1,4}", fullmatch=True)
origins = st.one_of(
    st.just(HERE),
    st.builds(Origin, file=st.just("job.dam.yaml"), tool=st.none() | word, detail=word),
    st.builds(Origin, file=st.just("a.log"), line=st.none() | st.integers(1, 99), tool=st.none() | word),
)
scopes = st.dictionaries(name, name, max_size=2).map(lambda scope: tuple(sorted(scope.items())))


def intervals(kind):
    """Return intervals that a kind can have; the open side of a quantity without limit too."""
    floor, ceiling = LIMITS[kind]
    ends = st.floats(max(floor, -1e30), min(ceiling, 1e30))
    points = ends.map(Interval.point)
    ranges = st.tuples(ends, ends).map(lambda pair: Interval(*sorted(pair)))
    bounds = ends.map(lambda end: Interval(end, ceiling))
    return points | ranges | bounds


@st.composite
def observations(draw):
    """Return an observation as a reader, a session or a file may make it."""
    measurement = draw(st.sampled_from(sorted(SMALL)))
    about = SMALL[measurement]
    given_ = draw(st.none() | word | st.sampled_from(["35 %", "about 3 s", "low", "n/a"]))
    complaint = draw(st.none() | word)
    if complaint is not None:
        value, given_ = None, given_ or "x"
    elif about.kind is Kind.FLAG:
        value = draw(st.sampled_from(["true", "false"]))
    elif about.unit is None:
        value = draw(st.sampled_from(about.categories or ("A100", "H200")))
    else:
        value = draw(intervals(about.kind))
    origin = draw(origins)
    hearsay = complaint is None and (given_ is not None or (origin.detail is not None and origin.tool is None))
    return Observation(
        measurement=measurement,
        value=value,
        origin=origin,
        basis=Basis.SAID if hearsay else draw(st.sampled_from(Basis)),
        scope=draw(scopes),
        when=draw(st.none() | st.datetimes().map(lambda moment: moment.isoformat())),
        given=None if given_ == value else given_,
        complaint=complaint,
    )


settings_ = st.lists(observations(), max_size=3, unique_by=lambda seen: (seen.measurement, seen.scope)).map(tuple)


@st.composite
def targets(draw):
    """Return a target with a known metric, an unknown one, or none."""
    metric = draw(st.sampled_from([None, "step_time", "throughput", "accelerator_utilization", "time to login"]))
    known = metric in SMALL
    values = intervals(SMALL[metric].kind if known else Kind.SETTING)
    wanted, actual = draw(st.none() | values), draw(st.none() | values)
    unit = SMALL[metric].unit if known else draw(st.sampled_from(["s", "B/s", "1"]))
    track = draw(st.sampled_from(Track))
    return Target(metric=metric, wanted=wanted, actual=actual, track=track, unit=unit if wanted or actual else None)


effects = st.none() | st.sampled_from(Effect) | intervals(Kind.RATIO)
incidents = st.builds(
    Incident,
    id=word,
    file=st.just("job.dam.yaml"),
    title=st.text(max_size=5),
    source=st.none() | word,
    target=st.none() | targets(),
    workload=settings_,
    environment=settings_,
    observations=st.lists(observations(), max_size=4).map(tuple),
    planned=st.lists(st.builds(Planned, lever=word, origin=origins), max_size=2).map(tuple),
    tried=st.lists(st.builds(Tried, lever=word, effect=effects, origin=origins), max_size=2).map(tuple),
    interventions=st.lists(
        st.builds(
            Intervention,
            lever=word,
            origin=origins,
            before=settings_,
            after=settings_,
            kept=st.none() | st.booleans(),
            when=st.none() | st.just("2025-03-01T10:00:00Z"),
        ),
        max_size=1,
    ).map(tuple),
    answers=st.dictionaries(st.sampled_from(sorted(SMALL)), st.sampled_from(Absence)).map(
        lambda answers: tuple(sorted(answers.items()))
    ),
    extras=st.sampled_from([(), (("x-a", "[1, null]"), ("x-b", '{"c": "é"}'))]),
)


@settings(max_examples=40, deadline=None)  # each is a whole document
@given(incidents)
def test_what_is_written_is_read_back(incident):
    """Writing and reading an incident gives the same incident, and writing it again the same bytes."""
    document = json.loads(json.dumps(canonical(incident, SmallVocabulary())))
    again, messages = read(document)
    assert {message.code for message in messages} <= {"unknown-metric"}
    assert again == incident
    assert json.dumps(canonical(again, SmallVocabulary())) == json.dumps(document)
