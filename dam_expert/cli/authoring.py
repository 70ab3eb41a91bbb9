"""The way from a base to what its authors ask of it; every call below the command line is made here or in pipeline.

All imports of the lower layers are inside the functions, so that ``dam --help`` does not pay for them.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import click

from dam_expert.cli import pipeline
from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.output import emit, say, write_file
from dam_expert.documents.messages import printable, suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from dam_expert.cli.pipeline import Understood
    from dam_expert.engine.why import Obstacle, Why
    from dam_expert.kb.base import Base
    from dam_expert.kb.entry import Entry
    from dam_expert.language.conditions import Tree


def explain_rule(base: Base, understood: Understood, name: str) -> Why:
    """Return why a rule fired or not. Raises UsageError for an unknown rule, with the nearest id."""
    from dam_expert.engine.why import explain

    rule = base.current(name)
    if rule not in base.rules:
        hint = suggestion(name, base.rules) or "list them with: dam kb show rules"
        raise click.UsageError(f"there is no rule '{name}'; {hint}")
    return explain(base, understood.incident, rule)


def emit_why(
    base: Base, understood: Understood, name: str, form: str, output: str | None, language: str = "en"
) -> None:
    """Write why a rule fired or not, as text or as data. Raises UsageError for an unknown rule."""
    from dam_expert.reports.why import why_lines

    explained = explain_rule(base, understood, name)

    def text() -> str:
        return "".join(f"{printable(line)}\n" for line in why_lines(explained, pipeline.glossary(base, language)))

    emit(form, why_data(explained) if form != "text" else {}, text, output)


def why_data(why: Why) -> dict[str, Any]:
    """Return the explanation as plain data."""
    return {
        "rule": why.rule,
        "title": why.title,
        "outcome": why.outcome,
        "status": why.status,
        "conclusions": list(why.step.conclusions),
        "place": why.step.place,
        "false": [_obstacle_data(each) for each in why.obstacles if not each.is_unknown],
        "unknown": [_obstacle_data(each) for each in why.obstacles if each.is_unknown],
        "single_changes": [{"what": each.what, "now": each.now, "to": each.to} for each in why.changes],
        "conditions": why.step.conditions.model_dump(mode="json"),
        "unless": [node.model_dump(mode="json") for node in why.step.unless],
    }


def _obstacle_data(each: Obstacle) -> dict[str, Any]:
    return {
        "leaf": each.leaf.text,
        "part": each.part,
        "value": each.leaf.value,
        "needed": "true" if each.wanted else "false",
        "threshold": None if each.leaf.threshold is None else each.leaf.threshold.model_dump(mode="json"),
        "observations": list(each.leaf.observations),
        "reason": each.reason,
    }


def near_misses(base: Base, understood: Understood) -> list[tuple[str, str, str, str]]:
    """Return the rules that one comparison kept from deciding, for ``--explain``."""
    from dam_expert.engine.counting_executor import CountingExecutor
    from dam_expert.engine.evaluate import evaluate
    from dam_expert.engine.why import near_misses as found

    evaluated = evaluate(base, understood.incident, CountingExecutor(base.program))
    return [(miss.rule, ", ".join(miss.conclusions), miss.leaf, str(miss.value)) for miss in found(evaluated)]


def tell_eased(base: Base) -> None:
    """Say on stderr which changes of runbooks make the base quicker to confirm, whatever else is quiet."""
    for sentence in base.layers.eased():
        say(f"mind: {sentence}")


def write_runbook(folder: Path, name: str, description: str) -> None:
    """Write a new runbook into a folder that holds none. Raises Failure where it cannot be one."""
    from dam_expert.kb.overlay_files import HEADER
    from dam_expert.kb.overlay_models import HeaderModel
    from dam_expert.kb.scaffold import SCHEMA_FILE, runbook_text

    _validated(HeaderModel, {"name": name, "version": "0.1.0", "description": description})
    _create(folder / HEADER, runbook_text(name, description))
    _create(folder / SCHEMA_FILE, json.dumps(pipeline.schema("runbook"), indent=2) + "\n")
    say(f"next: dam kb new rule {name}.SOMETHING --runbook {folder}")


def write_rule(
    base: Base,
    folder: Path,
    name: str,
    conditions: Sequence[str],
    conclusion: str,
    *,
    title: str,
    because: str,
    source: str,
) -> None:
    """Write a new rule with its tests. Raises UsageError for a condition or conclusion that cannot be read."""
    from dam_expert.kb.scaffold import NewRule, facts_for, rule_text

    own_id(base, folder, name)
    tree = read_comparisons(base, conditions)
    verb, target = read_conclusion(base, conclusion)
    rule = NewRule(
        id=name, title=title, when=tuple(conditions), verb=verb, target=target, because=because, source=source
    )
    path = folder / f"{name.partition('.')[2].replace('.', '_')}.yaml"
    _create(path, rule_text(rule, facts_for(base, tree)))
    say(f"next: dam kb check --runbook {folder}; dam kb test --runbook {folder}")


def read_comparisons(base: Base, conditions: Sequence[str]) -> Tree:
    """Return the conjunction of comparisons. Raises UsageError with the nearest name for what cannot be read."""
    from dam_expert.language.parsing import read_condition

    tree, complaints = read_condition({"all": list(conditions)}, base.names, (), advice=True)
    if tree is None:
        raise click.UsageError(
            "; ".join(f"--when: {each.text}{'; ' + each.hint if each.hint else ''}" for each in complaints)
        )
    return tree


def read_conclusion(base: Base, conclusion: str) -> tuple[str, str]:
    """Return the verb and the id of ``VERB=ID``. Raises UsageError with the nearest id of the kind the verb takes."""
    from dam_expert.kb.resolve import VERB_ROLES
    from dam_expert.language.names import Role

    verb, target, *_ = [*re.split(r"\s*[=:\s]\s*", conclusion.strip(), maxsplit=1), ""]
    if not target or verb not in VERB_ROLES:
        hint = suggestion(verb, VERB_ROLES) or f"one of {', '.join(VERB_ROLES)}"
        raise click.UsageError(f"--then: '{conclusion}' is not VERB=ID; {hint}")
    kinds: dict[Role | None, tuple[str, Mapping[str, object]]] = {
        Role.HYPOTHESIS: ("hypotheses", base.hypotheses),
        Role.MEASUREMENT: ("measurements", base.measurements),
        Role.LEVER: ("levers", base.levers),
        None: ("anti_patterns", base.anti_patterns),
    }
    kind, known = kinds[VERB_ROLES[verb]]
    if target not in known:
        hint = suggestion(target, known) or f"list them with: dam kb show {kind}"
        raise click.UsageError(f"--then: '{target}' is none of the {kind.replace('_', '-')}; {hint}")
    return verb, target


def write_case(base: Base, folder: Path, name: str, understood: Understood) -> None:
    """Write the case of a decided incident. Raises Failure where nothing is confirmed."""
    import yaml

    from dam_expert.engine.recorded import UndecidedError, case_of
    from dam_expert.kb.scaffold import MODELINE

    own_id(base, folder, name)
    try:
        data = case_of(base, understood.incident, name)
    except UndecidedError as error:
        raise Failure(Exit.INVALID, str(error)) from error
    text = yaml.safe_dump({"add": {"cases": [data]}}, sort_keys=False, allow_unicode=True, width=110)
    _create(folder / f"{name.partition('.')[2].replace('.', '_')}.yaml", MODELINE + text)
    say(f"next: write its story and lesson, then: dam kb test --runbook {folder}")


def own_id(base: Base, folder: Path, name: str) -> None:
    """Raise UsageError for an id that does not belong to the runbook in a folder, or is taken."""
    from dam_expert.kb.overlay_find import shown

    owner = next((book.name for book in base.layers.runbooks if book.folder == shown(folder)), None)
    if owner is None or not name.startswith(f"{owner}."):
        raise click.UsageError(f"the id must begin with '{owner or 'the runbook'}.': '{name}'")
    if name in base.places:
        raise click.UsageError(f"'{name}' exists already at {base.places[name]}")


def _validated(model: type[Entry], data: dict[str, Any]) -> None:
    """Raise UsageError where data is not of a model."""
    from dam_expert.kb.shapes import MisshapenError, validated

    try:
        validated(model, data)
    except MisshapenError as error:
        problems = error.problems(data)
        raise click.UsageError(
            "; ".join(
                f"{'.'.join(map(str, each.path))}: {each.text}" + (f"; {each.hint}" if each.hint else "")
                for each in problems
            )
        ) from error


def _create(path: Path, text: str) -> None:
    """Write a new file and say so. Raises Failure where there is one, or it cannot be written."""
    if os.path.lexists(path):
        raise Failure(Exit.USAGE, f"{path} exists already")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(Exit.USAGE, f"cannot write {path}: {error.strerror or error}") from error
    write_file(path, text.encode())
    say(f"wrote {path}")
