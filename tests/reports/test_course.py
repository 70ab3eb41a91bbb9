"""How the causes fared over a session: lines and a picture that say the same, in three languages."""

from __future__ import annotations

import pytest
from sample_diagnoses import glossary_in

from dam_expert.documents.intervals import Interval
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.engine.course import Moment
from dam_expert.reports.course import course_section
from dam_expert.reports.html.course import course
from dam_expert.reports.pictures import Course, Trace

CAUSES = {"decode": "Decoding limits.", "storage": "Storage limits.", "hidden": "Never believed."}


def seen(value: float) -> tuple[Observation, ...]:
    point = Interval.point(value)
    return (Observation(measurement="step_time", value=point, origin=Origin(file="session"), basis=Basis.REPORTED),)


MOMENTS = [
    Moment(seen=(), belief={"decode": 0.3, "storage": 0.3, "hidden": 0.0}, leading=None),
    Moment(seen=seen(1.0), belief={"decode": 0.4, "storage": 0.4, "hidden": 0.0}, leading=None),
    Moment(seen=seen(2.0), belief={"decode": 0.9, "storage": 0.1, "hidden": 0.0}, leading="decode"),
]


@pytest.mark.parametrize("language", ["en", "zh", "vi"])
def test_lines_say_what_came_in_and_what_was_believed_most(language):
    """Each step has its line and the cause that was believed most, causes that are level together."""
    section = course_section(MOMENTS, CAUSES, glossary_in(language))
    picture, *lines = section.items
    assert [line.mark for line in lines] == ["1.", "", "2.", ""]
    between = "；" if language == "zh" else "; "
    assert f"Decoding limits{between}Storage limits" in lines[1].text
    assert "Decoding limits" in lines[3].text
    assert "90 %" in lines[3].text
    assert lines[3].text in picture.alt
    assert [trace.shares[-1] for trace in picture.traces][:2] == [0.9, 0.1]
    assert [trace.leads for trace in picture.traces] == [True, False, False]


def test_a_single_step_has_no_course():
    """What came in at once neither rose nor fell."""
    assert course_section(MOMENTS[:2], CAUSES, glossary_in("en")).items == ()


def test_the_picture_escapes_names_and_keeps_lines_inside():
    """A hostile name is text, the lines stay within the picture, and every line is named."""
    figure = Course(
        alt="<b>", starts="before", axis="belief", traces=(Trace(label="<script>", shares=(0.0, 1.0, 0.5), leads=True),)
    )
    drawn = str(course(figure, 340))
    assert "<script>" not in drawn
    assert "&lt;script&gt;" in drawn
    points = [tuple(map(float, pair.split(","))) for pair in drawn.split('points="')[1].split('"')[0].split()]
    assert len(points) == 3
    assert all(0 <= x <= 340 and 0 <= y <= 230 for x, y in points)
