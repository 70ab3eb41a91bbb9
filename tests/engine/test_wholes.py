"""Wholes that their parts exceed: what decides nothing then, and what does not matter."""

from __future__ import annotations

import pytest
from random_bases import ENGINE, resolved

from dam_expert.documents.incident import Incident
from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.block.evaluating import Evaluator
from dam_expert.engine.block.incidents import block_of
from dam_expert.engine.block.words import unpacked
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.kb.models import SECTIONS
from dam_expert.language.conditions import Column

TIMES = ("step", "forward", "backward")
SHARES = ("gap", "wait", "busy")
HOW = {"confirmed_by": "x", "falsified_by": "x"}
WHOLES = [
    {"id": "stages", "unit": "s", "whole": "step", "parts": ["forward", "backward", "wait * step"]},
    {"id": "each", "whole": "busy + 0.05", "overlap": True, "parts": ["gap", "wait"], "tolerance": "0 %"},
]
BASE = resolved(
    {
        **{section: [] for section in SECTIONS},
        **ENGINE,
        "measurements": [
            *({"id": name, "title": name, "kind": "duration", "unit": "s"} for name in TIMES),
            *({"id": name, "title": name, "kind": "share", "decides": "share"} for name in SHARES),
        ],
        "hypotheses": [{"id": "h", "bottleneck": "input", **dict.fromkeys(("title", "statement"), "x"), **HOW}],
        "wholes": [{"title": "w", "because": "it is too much", "limits": "none", "source": ["x"], **w} for w in WHOLES],
    }
)


def seen(**values: float | tuple[float, float]) -> Incident:
    origin = Origin(file="f")
    ends = {name: value if isinstance(value, tuple) else (value, value) for name, value in values.items()}
    told = [
        Observation(measurement=name, value=Interval(*end), basis=Basis.TOOL, origin=origin)
        for name, end in ends.items()
    ]
    return Incident(id="i", file="f", observations=tuple(told))


def evaluated(incident: Incident) -> Evaluated:
    return evaluate(BASE, incident, BitExecutor(BASE.program))


CASES = [
    pytest.param({"step": 1.0, "forward": 0.4, "backward": 0.6}, {}, id="as much as the whole"),
    pytest.param({"step": 1.0, "forward": 0.5, "backward": 0.59}, {}, id="within the tolerance"),
    pytest.param(
        {"step": 1.0, "forward": 0.5, "backward": 0.61},
        {"step": "stages", "forward": "stages", "backward": "stages"},
        id="more than the whole",
    ),
    pytest.param({"step": 1.0, "forward": 1.2}, {"step": "stages", "forward": "stages"}, id="one part is enough"),
    pytest.param({"step": 1.0, "forward": 0.8}, {}, id="unknown parts are nothing"),
    pytest.param({"forward": 0.8, "backward": 0.8}, {}, id="no whole"),
    pytest.param({"step": (0.5, 2.0), "forward": 1.5}, {}, id="the whole may be larger"),
    pytest.param({"step": 1.0, "forward": (0.1, 9.0)}, {}, id="the part may be smaller"),
    pytest.param(
        {"step": 1.0, "forward": 0.4, "backward": 0.4, "wait": 0.4},
        {"step": "stages", "forward": "stages", "backward": "stages", "wait": "stages"},
        id="a part that is a product",
    ),
    pytest.param({"busy": 0.3, "gap": 0.3, "wait": 0.3}, {}, id="parts that may overlap"),
    pytest.param(
        {"busy": 0.3, "gap": 0.5, "wait": 0.1}, {"busy": "each", "gap": "each"}, id="only the part that exceeds"
    ),
    pytest.param({"busy": 0.3, "gap": 0.34}, {}, id="the constant in the whole counts"),
    pytest.param({"busy": 0.3, "gap": 0.36}, {"busy": "each", "gap": "each"}, id="beyond the constant"),
]


@pytest.mark.parametrize(("values", "expected"), CASES)
def test_what_exceeds_its_whole_is_doubted(values: dict[str, float | tuple[float, float]], expected: object) -> None:
    """With the whole it belongs to; the block doubts the same."""
    incident = seen(**values)
    found = evaluated(incident)
    assert found.beyond == expected
    cells = {name: found.columns.cell(Column(name)) for name in values}
    columns = {name: cell is not None and cell.decisive for name, cell in cells.items()}
    assert columns == {name: name not in found.beyond for name in values}
    known = Evaluator(BASE).evaluate(block_of(BASE, [incident])).fired.known
    assert {name: bool(known.decisive(Column(name)).any()) for name in values} == columns


def test_rows_of_a_block_do_not_touch_one_another() -> None:
    """A whole that is exceeded in one row is doubted there alone."""
    rows = [seen(step=1.0, forward=1.2), seen(step=1.0, forward=0.5), seen(forward=9.0), seen(step=1.0, forward=1.3)]
    known = Evaluator(BASE).evaluate(block_of(BASE, rows)).fired.known
    words = known.decisive(Column("forward"))
    assert unpacked(words, len(rows)).tolist() == [False, True, True, False]
