"""What was not used or not seen, and the details of ``--explain``: the whole proof, all observations, the versions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dam_expert.reports.doubted import doubted_lines
from dam_expert.reports.grounds import leaf_quotes, leaf_text
from dam_expert.reports.model import Line, Section, Tone
from dam_expert.reports.phrasing import capital

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dam_expert.documents.diagnosis import Diagnosis, ObservationReport, ProofNode, ProofStep
    from dam_expert.reports.glossary import Glossary

_MARKS = {"true": "✓", "false": "✗", "unknown": "?"}
_TONES = {"true": Tone.PLAIN, "false": Tone.FAINT, "unknown": Tone.WARNING}
#: A message as it is printed; its hint and its code are for the terminal.
_MESSAGE: Final = re.compile(
    r"(?P<place>.+?): (?:note|warning|error): (?P<text>.*?)(?:; .*)?(?: \[[a-z0-9-]+\])?", re.DOTALL
)
#: A rule in brackets, as the engine names the one that rejects a value.
_RULE: Final = re.compile(r"[\w-]+(?:\.[\w-]+)+\)")


def rejected_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """List values that were given and are not used, each with the reason."""
    items = [
        Line(
            words.say(
                "joined", label=_observed(each, words), text=_reason(each.reason or words.say("not_used"), words)
            ),
            mark="-",
            tone=Tone.WARNING,
        )
        for each in diagnosis.rejected
    ]
    return Section(id="rejected", title=words.say("title.rejected"), items=tuple(items))


def _reason(text: str | None, words: Glossary) -> str:
    """Write why a value is not used; a rule's reason has the rule behind it in brackets."""
    if not text:
        return words.say("not_used")
    because, bracket, rule = text.rpartition(" (")
    is_rule = bracket and _RULE.fullmatch(rule)
    return f"{words.text(because)} ({rule}" if is_rule else words.text(text)


def unseen_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Say what the inputs do not show, and list inputs, or parts of them, that were not understood, each once."""
    phrases = words.wording.phrases
    keys = dict.fromkeys(f"unseen.{each.measurement}.{each.value}" for each in diagnosis.observations)
    items = [Line(phrases[key], mark="-", tone=Tone.WARNING) for key in keys if key in phrases]
    items += [_message(text, words) for text in briefly(diagnosis.unread)]
    return Section(id="unseen", title=words.say("title.unseen"), items=tuple(items))


def _message(text: str, words: Glossary) -> Line:
    """Write what a reader said of an input, in its own words where there are no others."""
    place, between, said = text.partition(": ")
    told = words.say("joined", label=place, text=words.text(said)) if between else words.text(text)
    return Line(told, mark="-", tone=Tone.WARNING, quotes=words.quotes([said or place]))


def briefly(messages: Sequence[str]) -> list[str]:
    """Return messages without level, hint and code, one line for each thing that is said, with all its places.

    >>> briefly(["a.txt: warning: the file is empty; copy it again [empty-file]", "b.txt:3: error: the file is empty"])
    ['a.txt, b.txt:3: the file is empty']
    """
    places: dict[str, list[str]] = {}
    for message in messages:
        found = _MESSAGE.fullmatch(message)
        place, text = (found["place"], found["text"]) if found else ("", message)
        places.setdefault(text, [])
        if place and place not in places[text]:
            places[text].append(place)
    return [f"{', '.join(found)}: {text}" if found else text for text, found in places.items()]


def warning_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """List what the reader of this diagnosis must know besides: values that contradict each other, and warnings."""
    items = [*doubted_lines(diagnosis, words)]
    items += [Line(capital(words.text(each)), mark="-", tone=Tone.WARNING) for each in diagnosis.warnings]
    return Section(id="warnings", title=words.say("title.warnings"), items=tuple(items))


def similar_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Name the worked cases of the base that are like this one, with what each of them teaches."""
    items = []
    for each in diagnosis.similar_cases:
        items.append(Line(f"{words.title(each)} [{each}]", mark="-"))
        if lesson := words.lesson(each):
            items.append(Line(lesson, depth=1, tone=Tone.FAINT))
    return Section(id="similar", title=words.say("title.similar"), items=tuple(items))


def _observed(each: ObservationReport, words: Glossary) -> str:
    """Write an observation with its scope and where it came from."""
    basis = words.say(f"basis.{each.basis}")
    return f"{each.measurement}{_scope(each)} = {_value(each, words)} ({basis}, {each.origin})"


def _scope(each: ObservationReport) -> str:
    return "".join(f"[{name}={member}]" for name, member in each.scope.items())


def _value(each: ObservationReport, words: Glossary) -> str:
    """Write a value; as it was given where it is not one of the measurement."""
    return each.given if each.value is None and each.given else words.value(each.measurement, each.value)


def proof_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Show every fired rule: what it concluded, its conditions with values, and where each is written."""
    items = [line for step in diagnosis.proof for line in _step(step, words)]
    return Section(id="proof", title=words.say("title.proof"), items=tuple(items))


def _step(step: ProofStep, words: Glossary) -> Iterator[Line]:
    reduced = "" if step.strength == "full" else words.say("proof.reduced")
    said = words.say("joined", label=step.rule, text=", ".join(step.conclusions))
    yield Line(f"{said}{reduced}", mark="-", tone=Tone.STRONG)
    sources = words.say("semicolon").join(map(words.text, step.source))
    place = words.say("proof.place", place=step.place, stage=step.stage, sources=sources)
    yield Line(place, depth=1, tone=Tone.FAINT, quotes=words.quotes(step.source))
    yield from _tree(step.conditions, words, depth=1)
    for exception in step.unless:
        yield Line(words.say("proof.unless"), mark="-", depth=1)
        yield from _tree(exception, words, depth=2)


def _tree(node: ProofNode, words: Glossary, depth: int) -> Iterator[Line]:
    """Yield a condition and what is under it, one line each."""
    text = _joined(node, words) if node.children else leaf_text(node, words)
    if node.threshold is not None:
        text += f", {node.threshold.place}"
    decisive = words.say("proof.decisive") if node.decisive else ""
    quotes = () if node.children else leaf_quotes(node, words)
    yield Line(f"{text}{decisive}", mark=_MARKS[node.truth], depth=depth, tone=_TONES[node.truth], quotes=quotes)
    for child in node.children:
        yield from _tree(child, words, depth + 1)


def _joined(node: ProofNode, words: Glossary) -> str:
    """Write what joins conditions: ``all of``, ``any of``, ``not``; whatever else a rule says there, as it says it."""
    text = " ".join(node.text.split())
    return words.wording.phrases.get(f"proof.{text.replace(' ', '_')}", text)


def near_section(near: Sequence[tuple[str, str, str, str]], words: Glossary) -> Section:
    """List the rules that one false comparison kept from deciding."""
    items = [
        Line(words.say("near.line", rule=rule, conclusions=conclusions, leaf=leaf, value=value), mark="-")
        for rule, conclusions, leaf, value in near
    ]
    return Section(id="near", title=words.say("title.near"), items=tuple(items))


def observation_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """List all observations as they were understood, by the file and the tool they came from."""
    by_origin: dict[str, list[Line]] = {}
    for each in diagnosis.observations:
        file, line = _split(each.origin)
        tool = f" ({each.tool})" if each.tool else ""
        place = words.say("observation.line", n=line) if line else ""
        detail = words.say("observation.detail", detail=words.text(each.detail)) if each.detail else ""
        basis = words.say(f"basis.{each.basis}")
        text = f"{each.measurement}{_scope(each)} = {_value(each, words)} ({basis}{place}){detail}"
        told = Line(text, mark="-", depth=1, quotes=words.quotes([each.detail or ""]))
        by_origin.setdefault(f"{file}{tool}", []).append(told)
    items = [line for origin, lines in by_origin.items() for line in (Line(origin), *lines)]
    return Section(id="observations", title=words.say("title.observations"), items=tuple(items))


def _split(origin: str) -> tuple[str, str]:
    """Split ``file:line``; the line is empty where there is none.

    >>> _split("a:b.txt:3"), _split("a:b.txt")
    (('a:b.txt', '3'), ('a:b.txt', ''))
    """
    file, _, line = origin.rpartition(":")
    return (file, line) if file and line.isdecimal() else (origin, "")


def runbook_lines(diagnosis: Diagnosis, words: Glossary) -> Iterator[Line]:
    """Name the runbooks that the verdict rests on beside the shipped base, for the head of the report."""
    for name in diagnosis.versions.runbooks:
        yield Line(capital(words.say("versions.runbook", name=name)), tone=Tone.FAINT)


def version_section(diagnosis: Diagnosis, words: Glossary) -> Section:
    """Name the program, the knowledge and the runbooks that made this diagnosis."""
    versions = diagnosis.versions
    lines = [f"dam-expert {versions.program}", words.say("versions.knowledge", version=versions.knowledge)]
    lines += [words.say("versions.runbook", name=name) for name in versions.runbooks]
    return Section(id="versions", title=words.say("title.versions"), items=tuple(Line(text) for text in lines))
