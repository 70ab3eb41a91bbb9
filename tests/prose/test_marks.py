"""A report shown with what was understood of it."""

from __future__ import annotations

from dam_expert.reports import Glossary
from dam_expert.reports.marks import marked_report

REPORT = "# Slow\n\nGPU utilisation is 35 % today.\nHello everybody.\n\n- TPS: 12\n"


def test_what_was_understood_is_marked(read):
    """Understood words stand between brackets, what was taken below them, questions too; the end counts the lines."""
    lines = list(marked_report(read(REPORT), Glossary()))
    assert "    3 | ⟦GPU utilisation is 35 %⟧ today." in lines
    assert "      > accelerator_utilization = 0.35 (said; name and number in a sentence)" in lines
    assert "    4 | Hello everybody." in lines
    assert any("question: TPS may be" in line for line in lines)
    assert lines[-1] == "      2 of 4 lines gave something"


def test_every_line_is_shown_once(read):
    """Each line that holds text appears, in its order, with its number."""
    shown = [int(line[:5]) for line in marked_report(read(REPORT), Glossary()) if line[5:8] == " | "]
    assert shown == [1, 3, 4, 6]
