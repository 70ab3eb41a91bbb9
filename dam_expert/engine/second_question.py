"""The second question: about the next cause that is likely too, so that two questions tell causes apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dam_expert.engine.columns import bare

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dam_expert.engine.evaluate import Evaluated

#: So much less may speak for a cause than for the leading one to be asked about second.
_NEARLY: Final = 2
#: With fewer questions there is nothing to choose from.
_LEAST: Final = 3


def varied(evaluated: Evaluated, ordered: list[str], decides: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the questions with the second one about the next cause that is likely too, unless one binds already.

    Two questions of one cause tell mostly the same; where another is nearly as likely, its probe tells them apart.
    Where none is, the second one too is of the leading cause or of a finer one.
    """
    verdict = evaluated.verdict
    leading = verdict.leading
    if leading is None or verdict.binding is not None or len(ordered) < _LEAST:
        return ordered
    own = evaluated.base.hypotheses[leading].model.probe
    aside = 1 if own in ordered[1:] and _tries(evaluated, own) else _NEARLY
    for name in _likely(evaluated, leading, aside):
        probe = evaluated.base.hypotheses[name].model.probe
        if probe in ordered[:2]:
            return ordered
        if probe in ordered and _is_open(evaluated, probe):
            return _second(probe, ordered)
    finer = (
        name for name in ordered[1:] if leading in _causes_above(evaluated, decides[name]) and _is_open(evaluated, name)
    )
    return _second(next(finer, ordered[1]), ordered)


def _tries(evaluated: Evaluated, name: str) -> bool:
    """Whether a measurement changes one thing and is open: then it settles the leading cause by itself."""
    return evaluated.base.measurements[name].model.decides == "probe" and _is_open(evaluated, name)


def _likely(evaluated: Evaluated, leading: str, aside: int) -> list[str]:
    """Return the supported causes for which at most so much less speaks as for the leading one; none holds that."""
    standings = evaluated.standings
    above = {leading, *evaluated.base.hypotheses[leading].ancestors}
    low, least = standings.score[leading] - _NEARLY, standings.score[leading] - aside
    return [
        name
        for name in evaluated.verdict.ranked
        if name not in above and standings.status[name] == "supported"
        if standings.score[name] >= (low if leading in evaluated.base.hypotheses[name].ancestors else least)
    ]


def _is_open(evaluated: Evaluated, name: str) -> bool:
    """Whether nothing is known of a measurement, not even said."""
    return evaluated.columns.cell(bare(name)) is None


def _second(name: str, ordered: Sequence[str]) -> list[str]:
    return [ordered[0], name, *(each for each in ordered[1:] if each != name)]


def _causes_above(evaluated: Evaluated, decides: Sequence[str]) -> set[str]:
    """Return some causes with all those that they are finer causes of."""
    return {one for name in decides for one in (name, *evaluated.base.hypotheses[name].ancestors)}
