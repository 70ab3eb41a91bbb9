"""Pictures of the answers as SVG or PNG, drawn with matplotlib (extra ``plots``); the same answer gives the same bytes.

matplotlib is imported when a picture is drawn: without it everything else works.
"""

from __future__ import annotations

from dam_expert.reports.calculators.figures.iron_law import iron_law_figure
from dam_expert.reports.calculators.figures.letters import lettered
from dam_expert.reports.calculators.figures.roofline import roofline_figure
from dam_expert.reports.calculators.figures.scaling import scaling_figure

__all__ = ["iron_law_figure", "lettered", "roofline_figure", "scaling_figure"]
