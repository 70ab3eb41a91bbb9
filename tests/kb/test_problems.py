"""Failed validations with file, line and column."""

from __future__ import annotations

import pydantic
import pytest

from dam_expert.documents.problems import fields_of, problems_of
from dam_expert.kb.problems import messages_of
from dam_expert.kb.source import read_yaml


class Rule(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", strict=True)
    id: str
    title: str
    tries: int = 1


TEXT = """\
rules:
  - id: 3
    titel: Decoding
  - id: b
    title: B
"""


def test_messages_stand_at_their_place_and_in_order():
    """Values, keys and missing keys of an entry are reported at file, line and column."""
    document, _ = read_yaml(TEXT, file="rules/a.yaml")
    entry = document.data["rules"][0]
    with pytest.raises(pydantic.ValidationError) as caught:
        Rule.model_validate(entry)
    messages = messages_of(problems_of(caught.value, entry, fields_of(Rule)), document, ("rules", 0))
    assert [str(message) for message in messages] == [
        "rules/a.yaml:2:5: error: the key 'title' is missing [missing-key]",
        "rules/a.yaml:2:9: error: a text is expected here, not the number 3 [wrong-type]",
        "rules/a.yaml:3:5: error: the key 'titel' is not known; did you mean 'title'? [unknown-key]",
    ]
