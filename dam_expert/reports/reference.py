"""The glossary of a base in a language: what reports need to know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports.glossary import Glossary
from dam_expert.reports.wording import load_wording

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.kb.base import Base
    from dam_expert.reports.wording import Language

_NO_TEXTS: Mapping[str, str] = {}


def glossary_of(base: Base, language: Language = "en", translations: Mapping[str, str] = _NO_TEXTS) -> Glossary:
    """Return titles, units, parts and terms of a base; ``translations`` are its texts by their English original."""
    measured = base.measurements.values()

    def ridge(accelerator: str, precision: str) -> float | None:
        known = base.catalogue.resolve(accelerator)
        return None if known is None else known.per_framework_device().ridge(precision)

    return Glossary(
        titles={each.id: each.model.title for each in measured} | {each.id: each.title for each in base.cases.values()},
        lessons={each.id: each.lesson for each in base.cases.values()},
        quantities={each.id: (each.model.unit, each.model.kind) for each in measured},
        parts={each.id: each.part for each in base.hypotheses.values() if each.part is not None},
        terms=_terms(base),
        ridge=ridge,
        wording=load_wording(language),
        translations=translations,
    )


def _terms(base: Base) -> dict[str, str]:
    """Return the term of each part of a budget on which all hypotheses that are this part agree."""
    found: dict[str, set[str]] = {}
    for hypothesis in base.hypotheses.values():
        if hypothesis.part is not None and hypothesis.term is not None:
            found.setdefault(hypothesis.part, set()).add(hypothesis.term)
    return {part: next(iter(terms)) for part, terms in found.items() if len(terms) == 1}
