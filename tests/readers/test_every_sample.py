"""Every real file beside the checkout is recognised as what it is, and says what it is known to say."""

from __future__ import annotations

import csv
import math

import pytest
from readers.known_values import KNOWN
from readers.said import values
from shared_files import shared

from dam_expert.readers.gather import gather

ROUNDING = 0.006


def agrees(found: object, known: object) -> bool:
    if known is None or isinstance(known, str) or isinstance(found, str | tuple) or found is None:
        return found == known
    if isinstance(known, tuple):
        return known[0] <= found <= known[1]
    return math.isclose(found, known, rel_tol=ROUNDING, abs_tol=1e-9)


@pytest.mark.parametrize("name", [pytest.param(name, id=name) for name in KNOWN])
def test_what_a_real_file_says(name):
    """The tool is recognised, known values come out within their rounding, unknown ones are absent."""
    tool, known = KNOWN[name]
    found = gather([shared(f"samples/{name}")])
    if not tool:
        assert [message.code for message in found.messages] == ["not-recognised"]
        assert known["step"] in str(found.messages[0])
        return
    assert found.readings[0].tool == tool
    said = {key: value for reading in found.readings for key, value in values(reading).items()}
    wrong = {key: (said.get(key), value) for key, value in known.items() if not agrees(said.get(key), value)}
    assert wrong == {}
    assert said or {message.code for message in found.messages} <= {"no-values", "not-opened"}


def test_every_row_of_the_index_has_known_values():
    """No file of the index is left out, and none is made up."""
    with shared("samples/samples.tsv").open(encoding="utf-8", newline="") as rows:
        listed = [row["file"] for row in csv.DictReader(rows, delimiter="\t")]
    assert sorted(listed) == sorted(KNOWN)
