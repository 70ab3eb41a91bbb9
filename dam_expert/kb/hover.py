"""What editors show beside a field: the texts that the models' own docstrings hold, and those of the common fields."""

from __future__ import annotations

import ast
import inspect
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Fields that mean the same wherever they stand.
_COMMON: Final = {
    "id": "Its name, which never changes: words joined by '_'; a runbook's own begin with its name and a dot.",
    "title": "What it is, in a few words, as reports say it.",
    "source": "Where this can be looked up: documents, reports, measurements.",
    "because": "Why, in a sentence that a report can show.",
    "when": "One comparison or symptom, or a tree of all, any, not and at_least: {n, of}.",
    "unless": "Symptoms that hold the rule back.",
    "then": "What follows: a verb with an id or a list of them, as in {support: storage_bound}.",
    "status": "draft runs only in tests, test is on trial, stable is in force, deprecated warns.",
    "limits": "Where it misleads.",
    "tests": "Facts under which the rule fires, is silent, or is undecided: these are its examples as well.",
    "fires": "Facts under which the rule must fire.",
    "silent": "Facts under which the body is false, or an exception true.",
    "undecided": "Facts under which the body is unknown.",
    "todo_fires": "Facts under which it should fire and does not yet.",
    "todo_silent": "Facts under which it should be silent and is not yet.",
    "kind": "What sort of value it is; this decides which units and comparisons fit.",
    "value": "The number with its unit.",
    "grade": "screening only points somewhere; decisive may confirm or refute.",
    "basis": "Where the number comes from: read, quoted, derived, arithmetic, or heuristic, which never decides.",
    "how": "What to do, in words.",
    "command": "What to paste into a shell.",
    "effort_minutes": "How many minutes it takes.",
    "works_on": "The hypotheses that it helps with.",
    "wasted_on": "Bottlenecks or hypotheses on which it gains nothing.",
    "sets": "The settings that it changes.",
    "verify_by": "How to see that it worked.",
    "moves": "The variable of the iron law that it changes.",
    "parent": "The hypothesis that this one refines.",
    "bottleneck": "Which of the public list it belongs to.",
    "prior": "How often it is the cause: common, usual or rare.",
    "statement": "What would be the case.",
    "confirmed_by": "Which measurement would confirm it, in words.",
    "falsified_by": "Which measurement would refute it, in words.",
    "field": "The field to change; inner ones by dots, as in values.0.value.",
    "to": "The new value.",
    "with": "The whole new entry, without its id.",
    "until": "The last day on which this is in force.",
    "optional": "Whether the target may be missing.",
    "rule": "The rule that gets one more exception.",
    "symptom": "The symptom while which it is held back.",
    "format": "What is read: a table or metrics.",
    "match": "The column, or the name of the metric with its labels.",
    "measurement": "The measurement that is read.",
    "unit": "The unit of the values.",
    "name": "The name; ids of a runbook begin with it and a dot.",
    "version": "The version of the runbook, as in 1.2.0; raise it with every change.",
    "description": "What the runbook knows, in a sentence.",
    "languages": "The languages of its texts; the first is that of the entries.",
    "aliases": "Other names: earlier ids, which keep working, or words that people use.",
    "obtain": "Ways to measure it, the cheapest first.",
    "question": "How a person is asked for it.",
    "add": "New entries by kind.",
    "set": "Other values for single fields of entries below.",
    "replace": "Whole entries under their old ids.",
    "disable": "Rules, cases or levers taken out of force.",
    "add_exception": "More exceptions for rules below.",
    "tools": "The team's own tables and metrics, read without Python.",
    "reject": "Measurements that cannot be true: unknown from here on.",
    "doubt": "Measurements that count as said only.",
    "suggest": "Hypotheses that this points at (+1).",
    "support": "Hypotheses that this speaks for (+2).",
    "weaken": "Hypotheses that this speaks against (-2).",
    "refute": "Hypotheses that this excludes; the body must rest on a measurement that decides.",
    "confirm": "Hypotheses that this proves; the body must rest on a measurement that decides.",
    "flag": "Anti-patterns that this shows.",
    "recommend": "Levers to pull.",
    "warn": "Levers that would be wasted.",
    "ask": "Measurements to ask for first.",
    "decides": "How it may confirm or refute: as a share, probe, counter or state; without it, never.",
    "weak": "Whether it never decides, whatever it is compared with.",
    "needs_tool": "Whether a reported number is not enough to decide.",
    "words": "Words that stand for ranges, as in low: 0-30 %.",
    "formula": "How it follows from other measurements: + - * / ( ) min max.",
    "per": "What it is measured for each of: device, rank, disk, process, stage.",
    "combine": "How the members become one value.",
    "part": "The budget part whose time it is.",
    "tracks": "The targets it binds on: time, cost, fit, quality.",
    "track": "Which target it is about: time, cost, fit or quality.",
    "region": "Its axes, the dominant first.",
    "term": "Its term of the iron law.",
    "values": "Its words or numbers, each with what it means or where it holds.",
    "scope": "Where it holds, in words.",
    "effort": "What it costs to do.",
    "how_elsewhere": "What to do with another framework.",
    "why_wasted": "Why it gains nothing there.",
    "disturbs": "What it does to the job while it is measured.",
    "tool": "The tool that measures it.",
    "lesson": "What to learn from it, in a sentence.",
    "story": "What happened.",
    "incident": "The incident document: target, workload, environment, observations.",
    "stages": "What was known at which point, and what must follow.",
    "expect": "What the diagnosis must say; only what is given is compared.",
    "binding": "The hypothesis that binds.",
    "depth": "Whether a cause is named, or the bottleneck only.",
    "hypotheses": "Candidate causes.",
    "works": "Levers that must be said to work.",
    "wasted": "Levers that must be said to be wasted.",
    "anti_patterns": "Ways to act on the wrong axis.",
    "axes": "The three axes: data, algorithm, machine.",
    "axis": "data, algorithm or machine.",
    "since": "The day from which the id is gone.",
    "replaced_by": "What took its place.",
    "requires": "The oldest program it works with, as in '>= 0.1'.",
    "bottlenecks": "The public list of what can bind.",
    "kinds": "What values of each kind can be.",
    "measurements": "Quantities that can be observed or derived.",
    "thresholds": "Named numbers, each with its source.",
    "symptoms": "Named conditions on measurements.",
    "budgets": "How the time of a step or request is divided.",
    "wholes": "Wholes and their parts: where the parts take more than there is, none of the values decides.",
    "levers": "Interventions.",
    "rules": "What follows from what, with its tests.",
    "cases": "Worked incidents with the diagnoses they must give.",
    "tombstones": "Ids that are gone.",
    "regions": "The regions where axes meet.",
    "laws": "Laws and bounds.",
    "scorecard": "Screening signals.",
    "facts": "Statements of the appendix.",
    "entry_points": "How a guided session may begin.",
    "accelerators": "Devices that the shipped catalogue does not know.",
    "vendor": "Who makes it.",
    "architecture": "Its architecture, as the vendor calls it.",
    "printed": "The names that tools print for it.",
    "peaks": "Dense peaks by precision, as in bf16: 989 TFLOP/s.",
    "memory": "Its memory, as in 80 GB.",
    "bandwidth": "Its memory bandwidth, as in 3.35 TB/s.",
    "link": "The rate of its link to other devices.",
    "link_kind": "What the link is called.",
    "needs_memory": "Whether the reported memory tells it from another part of the same name.",
    "confidence": "How sure the figures are.",
    "notes": "What else to know.",
    "note": "What else to know.",
    "role": "What it stands for.",
    "constraint": "What it limits.",
    "optimisation": "How it is optimised.",
    "of": "What is divided: a step or a request.",
    "total": "The measurement that is the whole.",
    "whole": "The formula of the whole.",
    "statistic": "Which statistic of it.",
    "tolerance": "How far the sum may be off.",
    "parts": "Its parts, which do not overlap.",
    "share": "The measurement or formula that is its share.",
    "waiting": "Whether it is recovered whole when removed.",
    "section": "Where the appendix states it.",
    "states": "What it says.",
    "carried_by": "The entries that hold it.",
    "ids": "The entries that use it.",
    "techniques": "What works in it.",
    "definition": "How it is computed.",
    "investigate": "When to look closer.",
    "strong": "When the signal is strong.",
    "trust": "Of two sources that disagree the more trusted wins.",
}


def with_hover(schema: dict[str, Any], *modules: str) -> dict[str, Any]:
    """Return a JSON Schema whose fields say what they mean, by the docstrings of the models in the modules."""
    texts = {key: text for module in modules for key, text in _docstrings(module)}
    for name, model in (("", schema), *schema.get("$defs", {}).items()):
        for field, inner in model.get("properties", {}).items():
            text = texts.get((name, field)) or _COMMON.get(field)
            if text is not None and "description" not in inner:
                inner["description"] = text
    return schema


def _docstrings(module: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the text below each field of the classes of a module."""
    for node in ast.parse(inspect.getsource(sys.modules[module])).body:
        if isinstance(node, ast.ClassDef):
            for field, below in zip(node.body, node.body[1:], strict=False):
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and _is_text(below):
                    yield (node.name, field.target.id), " ".join(str(below.value.value).split())  # type: ignore[attr-defined]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
