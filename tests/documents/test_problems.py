"""Failed validations in plain words."""

from __future__ import annotations

from typing import Annotated, Literal

import pydantic
import pytest

from dam_expert.documents.problems import Problem, fields_of, problems_of

FORBID = pydantic.ConfigDict(extra="forbid", strict=True)


class Leaf(pydantic.BaseModel):
    model_config = FORBID
    kind: Literal["leaf"]
    n: int


class Every(pydantic.BaseModel):
    model_config = FORBID
    kind: Literal["all"]
    of: list[Tree]


Tree = Annotated[Leaf | Every, pydantic.Field(discriminator="kind")]


class Unit(pydantic.BaseModel):
    model_config = FORBID
    value: float
    unit: str


class Rule(pydantic.BaseModel):
    model_config = FORBID
    id: str = "a"
    when: Tree | None = None
    level: Literal["high", "low"] = "low"
    then: dict[str, str | list[str]] = {}
    amount: Unit | str = ""
    tests: dict[Literal["fires", "silent"], list[dict[str, float]]] = {}
    size: Annotated[float, pydantic.Field(gt=0)] = 1.0
    word: Annotated[str, pydantic.Field(max_length=3, alias="short")] = ""

    @pydantic.field_validator("id")
    @classmethod
    def _has_no_dot(cls, value: str) -> str:
        if "." in value:
            raise ValueError("an id has no dot")
        return value


Every.model_rebuild()


def problems(data):
    """Validate against Rule and return the problems."""
    with pytest.raises(pydantic.ValidationError) as caught:
        Rule.model_validate(data)
    return problems_of(caught.value, data, fields_of(Rule))


def wrong_type(path, text):
    """Return a problem of type."""
    return Problem(path=path, code="wrong-type", text=text)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        pytest.param({"id": 3}, wrong_type(("id",), "a text is expected here, not the number 3"), id="text"),
        pytest.param({"id": None}, wrong_type(("id",), "a text is expected here, not nothing"), id="null"),
        pytest.param({"then": []}, wrong_type(("then",), "a mapping is expected here, not a list"), id="mapping"),
        pytest.param(
            {"tests": {"fires": [{"a": "b"}]}},
            wrong_type(("tests", "fires", 0, "a"), "a number is expected here, not the text 'b'"),
            id="number in a list",
        ),
        pytest.param(
            {"then": {"a": 5}},
            wrong_type(("then", "a"), "a text or a list is expected here, not the number 5"),
            id="no branch of a union fits",
        ),
        pytest.param(
            {"then": {"a": ["x", 3]}},
            wrong_type(("then", "a", 1), "a text is expected here, not the number 3"),
            id="the branch that fits is meant",
        ),
        pytest.param(
            {"amount": {"value": 1.0}},
            Problem(path=("amount",), code="missing-key", text="the key 'unit' is missing", missing="unit"),
            id="missing key in a union",
        ),
        pytest.param(
            {"when": {"kind": "all", "of": [{"kind": "leaf"}]}},
            Problem(path=("when", "of", 0), code="missing-key", text="the key 'n' is missing", missing="n"),
            id="tags of a union are no steps",
        ),
        pytest.param(
            {"when": {"n": 1}},
            Problem(path=("when",), code="missing-key", text="the key 'kind' is missing"),
            id="no tag",
        ),
        pytest.param(
            {"when": {"kind": "leef"}},
            Problem(
                path=("when", "kind"),
                code="not-allowed",
                text="the text 'leef' is not allowed here",
                hint="did you mean 'leaf'?",
            ),
            id="misspelt tag",
        ),
        pytest.param(
            {"levle": "low"},
            Problem(
                path=("levle",),
                code="unknown-key",
                text="the key 'levle' is not known",
                hint="did you mean 'level'?",
                at_key=True,
            ),
            id="misspelt key",
        ),
        pytest.param(
            {"amount": {"value": 1.0, "unit": "s", "qqq": 1}},
            Problem(
                path=("amount", "qqq"),
                code="unknown-key",
                text="the key 'qqq' is not known",
                hint="known here: unit, value",
                at_key=True,
            ),
            id="unknown key",
        ),
        pytest.param(
            {"level": "middle"},
            Problem(
                path=("level",),
                code="not-allowed",
                text="the text 'middle' is not allowed here",
                hint="allowed: high, low",
            ),
            id="word",
        ),
        pytest.param(
            {"tests": {"firs": []}},
            Problem(
                path=("tests", "firs"),
                code="not-allowed",
                text="the text 'firs' is not allowed here",
                hint="did you mean 'fires'?",
                at_key=True,
            ),
            id="word as key",
        ),
        pytest.param(
            {"size": -1.0},
            Problem(path=("size",), code="wrong-value", text="the number -1.0 must be above 0.0"),
            id="outside",
        ),
        pytest.param(
            {"short": "abcd"},
            Problem(path=("short",), code="wrong-value", text="the text 'abcd' must have at most 3 characters"),
            id="alias and length",
        ),
        pytest.param(
            {"id": "a.b"}, Problem(path=("id",), code="wrong-value", text="an id has no dot"), id="words of ours"
        ),
        pytest.param(
            [1],
            wrong_type((), "a mapping is expected here, not a list"),
            id="the whole document",
        ),
    ],
)
def test_an_error_is_said_in_plain_words(data, problem):
    """Each kind of error has its path in the data, a code, a text and, for misspelt words, the nearest known one."""
    assert problems(data) == [problem]


def test_all_problems_are_found_at_once():
    """Nothing hides behind the first error."""
    codes = [problem.code for problem in problems({"id": 3, "level": "x", "zzz": 1, "size": 0.0})]
    assert codes == ["wrong-type", "not-allowed", "wrong-value", "unknown-key"]


@pytest.mark.parametrize(
    ("path", "names"),
    [
        pytest.param((), ["id", "when", "level", "then", "amount", "tests", "size", "short"], id="top"),
        pytest.param(("amount",), ["value", "unit"], id="union"),
        pytest.param(("when",), ["kind", "n", "of"], id="both branches"),
        pytest.param(("when", "of", 0), ["kind", "n", "of"], id="in a list"),
        pytest.param(("then",), [], id="free mapping"),
        pytest.param(("then", "a"), [], id="below a free mapping"),
        pytest.param(("nothing", "there"), [], id="unknown"),
    ],
)
def test_the_keys_of_a_model_are_known_by_path(path, names):
    """Suggestions come from the model that stands at the place."""
    assert list(fields_of(Rule)(path)) == names
