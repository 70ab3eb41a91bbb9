"""What the appendix teaches beside rules: regions, laws, scorecard and facts, each bound to entries that carry it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dam_expert.documents.messages import suggestion
from dam_expert.kb.base import ScorecardRow
from dam_expert.kb.naming import expect
from dam_expert.language.conditions import Symptom, leaves
from dam_expert.language.names import Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dam_expert.kb.appendix_models import ScorecardModel
    from dam_expert.kb.base import BaseNames
    from dam_expert.kb.located import Located
    from dam_expert.kb.reading import Problems
    from dam_expert.language.conditions import Tree

_Reference = tuple[str, tuple[str | int, ...]]


def check_references(sections: Mapping[str, Sequence[Located[Any]]], problems: Problems) -> None:
    """Say of every region, law and fact which of the ids it names does not exist."""
    known = [located.entry.id for entries in sections.values() for located in entries]
    there = frozenset(known)
    for section in ("regions", "laws", "facts"):
        for located in sections[section]:
            for name, inside in _references(section, located.entry):
                if name not in there:
                    hint = suggestion(name, known)
                    problems.say(located, f"nothing has the id '{name}'", "unknown-id", *inside, hint=hint)


def _references(section: str, entry: Any) -> Iterator[_Reference]:  # noqa: ANN401  # one of three models
    if section == "regions":
        for index, technique in enumerate(entry.techniques):
            for place, name in enumerate(technique.ids):
                yield name, ("techniques", index, "ids", place)
    else:
        field = "ids" if section == "laws" else "carried_by"
        for place, name in enumerate(getattr(entry, field)):
            yield name, (field, place)


def scorecard_rows(
    entries: Sequence[Located[ScorecardModel]], names: BaseNames, problems: Problems
) -> dict[str, ScorecardRow]:
    """Read the conditions of the scorecard; a row with a mistake in it is said and left out."""
    rows = {}
    for located in entries:
        model = located.entry
        known = expect(located, model.measurement, Role.MEASUREMENT, names, problems, "measurement")
        investigate = problems.condition(located, model.investigate, names, "investigate")
        strong = problems.condition(located, model.strong, names, "strong")
        if _named_symptoms(located, {"investigate": investigate, "strong": strong}, problems):
            continue
        if known and investigate is not None and strong is not None:
            rows[model.id] = ScorecardRow(model=model, investigate=investigate, strong=strong, place=located.place)
    return rows


def _named_symptoms(located: Located[ScorecardModel], trees: Mapping[str, Tree | None], problems: Problems) -> bool:
    """Say where a condition of the scorecard names a symptom: it is read where symptoms are not kept."""
    found = False
    for field, tree in trees.items():
        for leaf in leaves(tree) if tree is not None else ():
            if isinstance(leaf, Symptom):
                text = f"the scorecard reads measurements only, not the symptom '{leaf.id}'"
                problems.say(located, text, "later-stage", field, hint="write its condition out")
                found = True
    return found
