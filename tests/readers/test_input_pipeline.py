"""The input-pipeline page of XProf."""

from __future__ import annotations

from readers.traces import codes, values
from readers.training_texts import INPUT_PIPELINE

from dam_expert.readers.input_pipeline import InputPipelineReader
from dam_expert.readers.source import Source


def read(text: str):
    source = Source.of_bytes("input_pipeline.json", text.encode())
    assert InputPipelineReader().recognises(source)
    return InputPipelineReader().read(source)


def test_the_wait_is_weighted_by_step_time():
    """80 of 120 ms, not the mean of 75 and 50 %; the worst step is also left out; a row without values is counted."""
    reading = read(INPUT_PIPELINE)
    shares = {"input_gap_share": 0.666666667, "input_gap_recurring_share": 0.5}
    assert values(reading) == {"step_time": 0.06, "steps_captured": 2, **shares}
    assert reading.lines_not_understood == 1


def test_a_cut_file_says_so():
    """Half a table gives no values."""
    assert codes(read(INPUT_PIPELINE[:200])) == {"truncated"}
    assert codes(read('[{"cols": [{"id": "infeedTimeMs"}], "rows": []}]')) == {"no-steps"}
