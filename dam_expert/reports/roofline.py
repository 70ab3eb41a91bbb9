"""Where the work stands under the roofline, when its intensity and the ridge of the device are known.

attainable = min(peak, intensity x bandwidth): S. Williams, A. Waterman, D. Patterson, Roofline, CACM 52(4), 2009. Rates
are shares of the peak here, so that the ridge and the intensity are all that is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.reports.glossary import as_interval
from dam_expert.reports.model import Line, Section
from dam_expert.reports.pictures import Roof

if TYPE_CHECKING:
    from dam_expert.documents.diagnosis import Diagnosis
    from dam_expert.reports.glossary import Glossary

_INTENSITY: Final = "arithmetic_intensity"
_RIDGE: Final = "ridge_intensity"
#: What may tell the reached share of the peak, the more exact one first.
_ACHIEVED: Final = ("compute_throughput_share", "mfu")


def roofline_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Draw the roof, the point under it and the gap; nothing where intensity or ridge is unknown."""
    intensity, ridge = _number(diagnosis, _INTENSITY), _number(diagnosis, _RIDGE) or _catalogued(diagnosis, words)
    if not intensity or not ridge:
        return Section(id="roofline", title="", items=())
    attainable = min(1.0, intensity / ridge)
    achieved = next((found for name in _ACHIEVED if (found := _number(diagnosis, name))), None)
    if achieved is not None and achieved > attainable:
        achieved = None  # a point above the roof belongs to another precision or memory level
    said = {
        "intensity": words.value(_INTENSITY, intensity),
        "ridge": words.value(_INTENSITY, ridge),
        "attainable": words.share(attainable),
    }
    bound = words.say("roof.memory" if intensity < ridge else "roof.compute", **said)
    items = [Line(bound)]
    gap, reached = "", words.say("roof.limit", **said)
    if achieved is not None:
        reached = words.say("roof.point", achieved=words.share(achieved))
        gap = words.say("roof.gap", factor=words.factor(attainable / achieved))
        items.append(Line(words.say("roof.achieved", achieved=words.share(achieved), gap=gap)))
    picture = Roof(
        alt=" ".join(item.text for item in items),
        ridge=ridge,
        intensity=intensity,
        achieved=achieved,
        x_label=words.say("roof.x"),
        y_label=words.say("roof.y"),
        ridge_label=words.say("roof.ridge", ridge=said["ridge"]),
        point_label=reached,
        gap_label=gap,
    )
    return Section(id="roofline", title=words.say("title.roofline"), items=(picture, *items))


def _number(diagnosis: Diagnosis, measurement: str) -> float | None:
    """Return the one positive number observed for a measurement; None where there is none, or several."""
    found = [each.value for each in diagnosis.observations if each.measurement == measurement]
    if len(found) != 1 or isinstance(found[0], str):
        return None
    value = as_interval(found[0])
    return None if value is None or value.mid <= 0.0 else value.mid


def _catalogued(diagnosis: Diagnosis, words: Glossary) -> float | None:
    settings = {each.measurement: each.value for each in diagnosis.observations if isinstance(each.value, str)}
    accelerator, precision = settings.get("accelerator"), settings.get("precision")
    return None if accelerator is None or precision is None else words.ridge(str(accelerator), str(precision))
