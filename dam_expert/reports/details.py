"""What was not used, and the details of ``--explain``: the whole proof, all observations, the versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dam_expert.reports.causes import leaf_text
from dam_expert.reports.model import Line, Section, Tone
from dam_expert.reports.wording import prose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.diagnosis import Diagnosis, ObservationReport, ProofNode, ProofStep
    from dam_expert.reports.glossary import Glossary

_MARKS = {"true": "✓", "false": "✗", "unknown": "?"}
_TONES = {"true": Tone.PLAIN, "false": Tone.FAINT, "unknown": Tone.WARNING}


def rejected_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """List values that were given and are not used, each with the reason."""
    items = [
        Line(f"{_observed(each, words)}: {each.reason or 'not used'}", mark="-", tone=Tone.WARNING)
        for each in diagnosis.rejected
    ]
    return Section(id="rejected", title="Not used", items=tuple(items))


def unread_section(diagnosis: Diagnosis) -> Section:
    """List inputs, or parts of them, that were not understood."""
    items = [Line(each, mark="-", tone=Tone.WARNING) for each in diagnosis.unread]
    return Section(id="unread", title="Not read", items=tuple(items))


def warning_section(diagnosis: Diagnosis) -> Section:
    """List what the reader of this diagnosis must know besides."""
    items = [Line(each, mark="-", tone=Tone.WARNING) for each in diagnosis.warnings]
    return Section(id="warnings", title="Mind", items=tuple(items))


def _observed(each: ObservationReport, words: Glossary) -> str:
    """Write an observation with its scope and where it came from."""
    return f"{each.measurement}{_scope(each)} = {_value(each, words)} ({each.basis}, {each.origin})"


def _scope(each: ObservationReport) -> str:
    return "".join(f"[{name}={member}]" for name, member in each.scope.items())


def _value(each: ObservationReport, words: Glossary) -> str:
    """Write a value; as it was given where it is not one of the measurement."""
    return each.given if each.value is None and each.given else words.value(each.measurement, each.value)


def proof_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Show every fired rule: what it concluded, its conditions with values, and where each is written."""
    items = [line for step in diagnosis.proof for line in _step(step, words)]
    return Section(id="proof", title="Proof", items=tuple(items))


def _step(step: ProofStep, words: Glossary) -> Iterator[Line]:
    reduced = "" if step.strength == "full" else " (reduced: an exception is unknown)"
    yield Line(f"{step.rule}: {', '.join(step.conclusions)}{reduced}", mark="-", tone=Tone.STRONG)
    yield Line(f"{step.place}, stage {step.stage}; {'; '.join(map(prose, step.source))}", depth=1, tone=Tone.FAINT)
    yield from _tree(step.conditions, words, depth=1)
    for exception in step.unless:
        yield Line("unless", depth=1)
        yield from _tree(exception, words, depth=2)


def _tree(node: ProofNode, words: Glossary, depth: int) -> Iterator[Line]:
    """Yield a condition and what is under it, one line each."""
    text = prose(node.text) if node.children else leaf_text(node, words)
    if node.threshold is not None:
        text += f", {node.threshold.place}"
    decisive = " [decisive]" if node.decisive else ""
    yield Line(f"{text}{decisive}", mark=_MARKS[node.truth], depth=depth, tone=_TONES[node.truth])
    for child in node.children:
        yield from _tree(child, words, depth + 1)


def near_section(near: Sequence[str]) -> Section:
    """List the rules that one false comparison kept from deciding."""
    return Section(id="near", title="Near misses", items=tuple(Line(text, mark="-") for text in near))


def observation_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """List all observations as they were understood, by the file and the tool they came from."""
    by_origin: dict[str, list[Line]] = {}
    for each in diagnosis.observations:
        file, line = _split(each.origin)
        tool = f" ({each.tool})" if each.tool else ""
        place = f", line {line}" if line else ""
        detail = f": {each.detail}" if each.detail else ""
        text = f"{each.measurement}{_scope(each)} = {_value(each, words)} ({each.basis}{place}){detail}"
        by_origin.setdefault(f"{file}{tool}", []).append(Line(text, mark="-", depth=1))
    items = [line for origin, lines in by_origin.items() for line in (Line(origin), *lines)]
    return Section(id="observations", title="Observations", items=tuple(items))


def _split(origin: str) -> tuple[str, str]:
    """Split ``file:line``; the line is empty where there is none.

    >>> _split("a:b.txt:3"), _split("a:b.txt")
    (('a:b.txt', '3'), ('a:b.txt', ''))
    """
    file, _, line = origin.rpartition(":")
    return (file, line) if file and line.isdecimal() else (origin, "")


def runbook_lines(diagnosis: Diagnosis) -> Iterator[Line]:
    """Name the runbooks that the verdict rests on beside the shipped base, for the head of the report."""
    for name in diagnosis.versions.runbooks:
        yield Line(f"With runbook {name}", tone=Tone.FAINT)


def version_section(diagnosis: Diagnosis) -> Section:
    """Name the program, the knowledge and the runbooks that made this diagnosis."""
    versions = diagnosis.versions
    lines = [f"dam-expert {versions.program}", f"knowledge {versions.knowledge}"]
    lines += [f"runbook {name}" for name in versions.runbooks]
    return Section(id="versions", title="Versions", items=tuple(Line(text) for text in lines))
