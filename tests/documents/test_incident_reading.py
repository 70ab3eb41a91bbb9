"""Reading incident documents."""

from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_vocabulary import SmallVocabulary

from dam_expert.documents.incident import (
    Absence,
    Effect,
    Incident,
    Planned,
    Target,
    Track,
    Tried,
    incident_from,
    incident_schema,
)
from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.kb.source import read_yaml

HERE = Origin(file="job.dam.yaml")


def read(data):
    """Read plain data as the file job.dam.yaml, without lines."""
    return incident_from({"schema": "dam-incident/1", **data}, SmallVocabulary(), lambda path: HERE)


def read_text(text):
    """Read YAML with its places; return the incident and the messages as printed."""
    document, messages = read_yaml(f"schema: dam-incident/1\n{text}", file="f")
    assert messages == []
    incident, messages = incident_from(
        document.data, SmallVocabulary(), document.origin, place_of=lambda path, key: document.place(path, key=key)
    )
    return incident, [str(message) for message in messages]


def seen(measurement, value, **more):
    """Return an observation made in job.dam.yaml."""
    return Observation(**{"measurement": measurement, "value": value, "origin": HERE, "basis": Basis.REPORTED} | more)


POINT = Interval.point


@pytest.mark.parametrize(
    ("given_", "observation"),
    [
        pytest.param(
            {"accelerator_utilization": "35 %"},
            seen("accelerator_utilization", POINT(0.35), given="35 %"),
            id="short",
        ),
        pytest.param({"GPU-Util": 0.35}, seen("accelerator_utilization", POINT(0.35)), id="alias and number"),
        pytest.param({"Iter Time": 1.2}, seen("step_time", POINT(1.2)), id="spaces and case"),
        pytest.param(
            {"gpu_util": "about 30 %"},
            seen("accelerator_utilization", Interval(0.24, 0.36), given="about 30 %", basis=Basis.SAID),
            id="hedged",
        ),
        pytest.param(
            {"gpu_util": "Pegged"},
            seen("accelerator_utilization", Interval(0.95, 1.0), given="Pegged", basis=Basis.SAID),
            id="word",
        ),
        pytest.param({"step_time": [0.1, 0.4]}, seen("step_time", Interval(0.1, 0.4)), id="range"),
        pytest.param(
            {"queue_time[stage=decode, rank=3]": "40 ms"},
            seen("queue_time", POINT(0.04), given="40 ms", scope=(("rank", "3"), ("stage", "decode"))),
            id="scope in brackets",
        ),
        pytest.param(
            {"step_time": {"value": 350, "unit": "ms", "basis": "tool", "scope": {"rank": 0}, "when": "2025-03-01"}},
            seen("step_time", POINT(0.35), given="350 ms", basis=Basis.TOOL, scope=(("rank", "0"),), when="2025-03-01"),
            id="long",
        ),
        pytest.param(
            {"step_time": {"value": [100, 400], "unit": "ms"}},
            seen("step_time", Interval(0.1, 0.4), given="[100 ms, 400 ms]"),
            id="long range",
        ),
        pytest.param(
            {"step_time": {"value": "~1 s", "basis": "tool"}},
            seen("step_time", Interval(0.8, 1.2), given="~1 s", basis=Basis.SAID),
            id="a hedge is said, whoever says it",
        ),
        pytest.param(
            {"step_time": {"value": 1, "source": "chat"}},
            seen("step_time", POINT(1.0), origin=Origin(file="job.dam.yaml", detail="chat"), basis=Basis.SAID),
            id="hearsay as source",
        ),
        pytest.param(
            {"step_time": {"value": 1, "source": "train.log:12"}},
            seen("step_time", POINT(1.0), origin=Origin(file="job.dam.yaml", detail="train.log:12")),
            id="name of a file as source",
        ),
        pytest.param(
            {"step_time": {"value": 1, "source": "tool"}},
            seen("step_time", POINT(1.0), origin=Origin(file="job.dam.yaml", detail="tool")),
            id="name of a tool as source",
        ),
        pytest.param(
            {"step_time": {"value": 1, "source": {"file": "a.log", "line": 3, "tool": "t", "detail": "d"}}},
            seen("step_time", POINT(1.0), origin=Origin(file="a.log", line=3, tool="t", detail="d")),
            id="file as source",
        ),
        pytest.param(
            {"step_time": {"value": 1, "source": {"tool": "t"}}},
            seen("step_time", POINT(1.0), origin=Origin(file="job.dam.yaml", tool="t")),
            id="tool as source",
        ),
        pytest.param([{"step_time": 1}], seen("step_time", POINT(1.0)), id="list of short forms"),
        pytest.param(
            [{"measurement": "iter_time", "value": 1}], seen("step_time", POINT(1.0)), id="list of long forms"
        ),
        pytest.param([None, {"step_time": 1, "x-why": [1]}], seen("step_time", POINT(1.0)), id="empty item, free key"),
        pytest.param({"transport": "socket"}, seen("transport", "Socket", given="socket"), id="category"),
        pytest.param({"transport": "unknown"}, seen("transport", "unknown"), id="a category may be called unknown"),
        pytest.param({"amp": True}, seen("amp", "true"), id="flag"),
        pytest.param({"amp": "off"}, seen("amp", "false", given="off"), id="flag as word"),
        pytest.param({"batch_size": 32}, seen("batch_size", POINT(32.0)), id="setting with a number"),
        pytest.param({"accelerator": "A100"}, seen("accelerator", "A100"), id="setting with a word"),
        pytest.param(
            {"step_time": {"value": "-3 ms", "complaint": "no"}},
            seen("step_time", None, given="-3 ms", complaint="no"),
            id="a complaint that was made before",
        ),
    ],
)
def test_an_observation_is_read_in_every_form(given_, observation):
    """Short, long, scoped, ranges, words, lists: one observation in the canonical unit, without a message."""
    incident, messages = read({"observations": given_})
    assert (incident.observations, messages) == ((observation,), [])


def test_several_values_of_one_measurement_are_several_observations():
    """A list of long forms keeps its order."""
    incident, _ = read({"observations": {"recompiles": [{"value": 3, "when": "2025-01-01"}, {"value": 5}]}})
    assert [(found.value.lo, found.when) for found in incident.observations] == [(3.0, "2025-01-01"), (5.0, None)]


@pytest.mark.parametrize(
    ("written", "absence"),
    [
        *[pytest.param(word, Absence.UNKNOWN, id=repr(word)) for word in (None, "", "N/A", "[N/A]", "n.a.", "-", "?")],
        pytest.param("[Not Supported]", Absence.UNKNOWN, id="not supported"),
        pytest.param("not available", Absence.UNKNOWN, id="not available"),
        pytest.param("cannot_measure", Absence.CANNOT_MEASURE, id="cannot measure"),
        pytest.param("Not applicable", Absence.NOT_APPLICABLE, id="not applicable"),
    ],
)
def test_not_available_is_unknown_and_never_zero(written, absence):
    """The many spellings of a missing value give an answer, not an observation."""
    incident, messages = read({"observations": {"step_time": written}})
    assert (incident.observations, incident.answers, messages) == ((), (("step_time", absence),), [])


def test_a_missing_value_of_one_scope_is_noted():
    """One rank without a value says nothing of the others."""
    incident, messages = read_text("observations: {'step_time[rank=3]': n/a}")
    assert (incident.observations, incident.answers) == ((), ())
    assert messages == ["f:2:37: note: 'step_time' has no value for rank=3 [no-value]"]


def test_the_rest_of_an_incident_is_read():
    """Target, settings, plans, trials, interventions, answers and free keys have their places."""
    incident, messages = read(
        {
            "id": "one",
            "title": "Training crawls",
            "source": "ticket 7",
            "x-note": {"b": 1},
            "target": {"metric": "samples per second", "wanted": "> 3k samples/s", "actual": 1200, "track": "cost"},
            "workload": {"samples_per_gpu": 32},
            "environment": {"gpu": "A100"},
            "planned_actions": ["buy more", {"lever": "pin_memory"}, None],
            "tried": ["a", {"lever": "b", "effect": "1.2x"}, {"lever": "c", "effect": "Nothing"}],
            "interventions": [
                {"lever": "d", "before": 1200, "after": {"step_time": 1}, "kept": True, "when": "2025-03-01T10:00:00Z"}
            ],
            "answers": {"iter time": "cannot_measure"},
        }
    )
    assert messages == []
    (intervention,) = incident.interventions
    assert (intervention.before, intervention.after) == (
        (seen("throughput", POINT(1200.0)),),
        (seen("step_time", POINT(1.0)),),
    )
    assert (intervention.kept, intervention.when) == (True, "2025-03-01T10:00:00Z")
    assert incident == Incident(
        id="one",
        file="job.dam.yaml",
        title="Training crawls",
        source="ticket 7",
        target=Target(
            metric="throughput",
            wanted=Interval(3000.0, float("inf")),
            actual=POINT(1200.0),
            track=Track.COST,
            unit="1/s",
        ),
        workload=(seen("batch_size", POINT(32.0)),),
        environment=(seen("accelerator", "A100"),),
        planned=(Planned(lever="buy more", origin=HERE), Planned(lever="pin_memory", origin=HERE)),
        tried=(
            Tried(lever="a", effect=None, origin=HERE),
            Tried(lever="b", effect=POINT(1.2), origin=HERE),
            Tried(lever="c", effect=Effect.NOTHING, origin=HERE),
        ),
        interventions=(intervention,),
        answers=(("step_time", Absence.CANNOT_MEASURE),),
        extras=(("x-note", '{"b": 1}'),),
    )
    assert [setting.measurement for setting in incident.settings] == ["batch_size", "accelerator"]


def test_an_incident_without_id_is_named_after_its_file():
    """The name before the first dot is the id."""
    assert read({})[0] == Incident(id="job", file="job.dam.yaml")


def test_a_metric_that_is_not_known_keeps_its_own_unit():
    """The target is then shown, not reasoned about."""
    incident, messages = read_text("target: {metric: p99 of login, wanted: '< 200 ms', actual: 0.9 s}")
    assert incident.target == Target(
        metric="p99 of login", wanted=Interval(-float("inf"), 0.2), actual=POINT(0.9), unit="s"
    )
    assert messages == [
        "f:2:18: warning: no measurement is called 'p99 of login', so the target is only shown [unknown-metric]"
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "observatons: {}",
            "2:1: error: the key 'observatons' is not known; did you mean 'observations'? [unknown-key]",
            id="key",
        ),
        pytest.param(
            "target: {wnted: 3}",
            "2:10: error: the key 'wnted' is not known; did you mean 'wanted'? [unknown-key]",
            id="key of the target",
        ),
        pytest.param(
            "target: {track: speed}",
            "2:17: error: the text 'speed' is not allowed here; allowed: time, cost, fit, quality [not-allowed]",
            id="track",
        ),
        pytest.param("id: 3", "2:5: error: a text is expected here, not the number 3 [wrong-type]", id="id"),
        pytest.param(
            "planned_actions: buy",
            "2:18: error: a list is expected here, not the text 'buy' [wrong-type]",
            id="plan",
        ),
        pytest.param("tried: [{effect: 1}]", "2:9: error: the key 'lever' is missing [missing-key]", id="lever"),
        pytest.param(
            "tried: [{lever: a, effect: lots}]",
            "2:28: error: 'lots' is not a quantity; write a factor such as '1.2x', or one of: helped, "
            "nothing, worse [wrong-value]",
            id="effect",
        ),
        pytest.param(
            "observations: {step_tim: 3}",
            "2:16: error: no measurement is called 'step_tim'; did you mean 'step_time'? [unknown-measurement]",
            id="measurement",
        ),
        pytest.param(
            "workload: {btch_size: 3}",
            "2:12: error: no measurement is called 'btch_size'; did you mean 'batch_size'? [unknown-measurement]",
            id="setting",
        ),
        pytest.param(
            "answers: {step_tim: unknown}",
            "2:11: error: no measurement is called 'step_tim'; did you mean 'step_time'? [unknown-measurement]",
            id="answer",
        ),
        pytest.param(
            "answers: {step_time: maybe}",
            "2:22: error: the text 'maybe' is not allowed here; allowed: unknown, cannot_measure, "
            "not_applicable [not-allowed]",
            id="kind of answer",
        ),
        pytest.param(
            "observations: [{value: 3}]",
            "2:16: error: the key 'measurement' is missing [missing-key]",
            id="nameless",
        ),
        pytest.param(
            "observations: {step_time: {value: 3, unt: s}}",
            "2:38: error: the key 'unt' is not known; did you mean 'unit'? [unknown-key]",
            id="key of a long form",
        ),
        pytest.param(
            "observations: [{measurement: step_time, basis: guess}]",
            "2:48: error: the text 'guess' is not allowed here; allowed: tool, reported, said [not-allowed]",
            id="basis in a list",
        ),
        pytest.param(
            "observations: {step_time: {value: 3, basis: guess}}",
            "2:45: error: the text 'guess' is not allowed here; allowed: tool, reported, said [not-allowed]",
            id="basis",
        ),
        pytest.param(
            "observations: {'step_time[3]': 3}",
            "2:16: error: the scope of 'step_time[3]' cannot be read; write 'step_time[stage=decode, "
            "rank=3]' [wrong-scope]",
            id="scope",
        ),
        pytest.param(
            "observations: {step_time: {value: 3, when: noon}}",
            "2:44: error: 'noon' is not a time; write '2025-03-01T14:30:00Z' [wrong-value]",
            id="time",
        ),
        pytest.param(
            "workload: {batch_size: 3, samples_per_gpu: 4}",
            "2:11: error: the setting 'batch_size' is given twice [duplicate-setting]",
            id="twice",
        ),
        pytest.param(
            "interventions: [{lever: a, before: 3}]",
            "2:36: error: it is not said what this value measures; write '{step_time: 0.9 s}', or name "
            "a metric under target [no-metric]",
            id="no metric",
        ),
        pytest.param(
            "target: {metric: step_time, wanted: 3 GB}",
            "2:37: error: 'GB' measures B, but s is expected; write for example '12 ms' [wrong-value]",
            id="unit of the target",
        ),
    ],
)
def test_a_mistake_is_one_message_at_its_place(text, said):
    """Each mistake is said once, at line and column, with what to write."""
    assert read_text(text)[1] == [f"f:{said}"]


@pytest.mark.parametrize(
    ("text", "complaint", "said"),
    [
        pytest.param(
            "gpu_util: 35",
            "35 has two readings as a share: 35 % or a factor of 35",
            "2:26: error: accelerator_utilization: 35 has two readings as a share: 35 % or a factor of "
            "35; write '35 %', or a share between 0 and 1 [wrong-value]",
            id="two readings",
        ),
        pytest.param(
            "gpu_util: 140 %",
            "'140 %' is above 100 %, which a share cannot be",
            "2:26: warning: accelerator_utilization: '140 %' is above 100 %, which a share cannot be "
            "[impossible-value]",
            id="impossible",
        ),
        pytest.param(
            "amp: maybe",
            "'maybe' is neither true nor false",
            "2:21: error: amp: 'maybe' is neither true nor false; write 'true' or 'false' [wrong-value]",
            id="flag",
        ),
        pytest.param(
            "transport: pigeon",
            "'pigeon' is not a value of transport",
            "2:27: error: transport: 'pigeon' is not a value of transport; allowed: IB, RoCE, Socket, "
            "unknown [wrong-value]",
            id="category",
        ),
        pytest.param(
            "transport: [IB, RoCE]",
            "'[IB, RoCE]' is not a value of transport",
            "2:27: error: transport: '[IB, RoCE]' is not a value of transport; allowed: IB, RoCE, "
            "Socket, unknown [wrong-value]",
            id="words",
        ),
    ],
)
def test_a_value_that_cannot_be_stays_with_its_complaint(text, complaint, said):
    """It is shown under rejected: no value, what was given, and why."""
    incident, messages = read_text(f"observations: {{{text}}}")
    (found,) = incident.observations
    assert (found.value, found.complaint, messages) == (None, complaint, [f"f:{said}"])
    assert found.given.strip("[]").split(",")[0] in text


def test_all_problems_are_said_and_the_rest_is_used():
    """A document with many mistakes still gives what is right in it, in its order."""
    incident, messages = read_text(
        "title: [x]\nobservations:\n  step_time: {value: 1, colour: red}\n  gpu_util: 35 %\n  recompiles: {}\n"
        "  queue_time: {a: {b: c}}\ntried:\n- {lever: [x]}\n- {lever: y, effect: zz}\nanswers: [1]\n"
    )
    assert [message.split(":")[1] for message in messages] == ["2", "4", "7", "9", "10", "11"]
    assert [found.measurement for found in incident.observations] == ["step_time", "accelerator_utilization"]
    assert incident.tried == (Tried(lever="y", effect=None, origin=Origin(file="f", line=10)),)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        pytest.param([], "job: error: a mapping is expected here, not a list [wrong-type]", id="list"),
        pytest.param(None, "job: error: a mapping is expected here, not nothing [wrong-type]", id="nothing"),
        pytest.param({}, "job: error: the key 'schema' is missing [missing-key]", id="no schema"),
        pytest.param(
            {"schema": "dam-incident/2"},
            "job: error: the text 'dam-incident/2' is not allowed here; did you mean 'dam-incident/1'? [not-allowed]",
            id="other version",
        ),
        pytest.param(
            {"schema": "dam-incident/1", 1: 2}, "job: error: Keys should be strings [wrong-value]", id="key not text"
        ),
    ],
)
def test_what_is_no_incident_is_said(data, said):
    """Anything but a mapping with the right schema is one message, and an incident without content."""
    incident, messages = incident_from(data, SmallVocabulary(), lambda path: Origin(file="job"))
    assert (incident, [str(message) for message in messages]) == (Incident(id="job", file="job"), [said])


nested = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.sampled_from(["35 %", "n/a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["value", "unit", "lever", "effect", "measurement", "step_time", "gpu_util[a=b]", "x-a", "zz"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=10,
)
KEYS = ["schema", "id", "target", "workload", "environment", "observations", "planned_actions", "tried", "answers"]


@given(st.dictionaries(st.sampled_from([*KEYS, "interventions", "title"]), nested, max_size=5))
def test_no_document_raises(data):
    """Whatever stands in a file, reading gives an incident and messages."""
    incident, _ = incident_from(data, SmallVocabulary(), lambda path: HERE)
    assert incident.file == "job.dam.yaml"


def test_the_schema_is_a_json_schema():
    """Editors check incident files with it: right ones pass, misspelt keys fail, free keys are free."""
    schema = incident_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    right = {"schema": "dam-incident/1", "x-a": 1, "observations": {"step_time": {"value": 3, "unit": "s"}}}
    assert check.is_valid(right)
    assert not check.is_valid({**right, "observatons": {}})
