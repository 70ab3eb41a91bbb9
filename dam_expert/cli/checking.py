"""What ``dam kb check`` and ``dam kb test`` find in the base: its messages, its tests and its cases.

As in :mod:`dam_expert.cli.pipeline`, all imports of the lower layers are inside the functions.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from dam_expert.cli import pipeline
from dam_expert.documents.messages import Level, Message, has_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dam_expert.kb.base import Base


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a check of the base found: its messages, and how many entries of each kind were loaded."""

    messages: tuple[Message, ...]
    counts: Mapping[str, int]
    runbooks: tuple[tuple[str, str], ...] = ()
    """Each runbook in force with what it changes and why it is in force."""

    @property
    def has_errors(self) -> bool:
        """Whether the base cannot be used."""
        return has_errors(self.messages)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One test with the place of what it tests, for machines."""

    name: str
    passed: bool
    place: str


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """What the tests and cases of the base gave. ``gaps`` name what none of them shows: rules and truths of leaves."""

    passed: int
    known_misses: int
    messages: tuple[Message, ...]
    coverage: float
    """The covered share of all rules and of all truths of their leaves, 0 to 1."""
    gaps: tuple[str, ...]
    outcomes: tuple[Outcome, ...] = ()

    @property
    def has_errors(self) -> bool:
        """Whether a test failed."""
        return has_errors(self.messages)

    def summary(self) -> list[str]:
        """Return the closing lines."""
        failed = sum(message.level is Level.ERROR for message in self.messages)
        moved = sum(message.code == "shipped-test-moved" for message in self.messages)
        counted = f"{self.passed} passed, {failed} failed, {self.known_misses} known misses"
        counted += f", {moved} shipped ones moved by runbooks" if moved else ""
        return [counted, f"leaf coverage {100 * self.coverage:.1f} %"]


def check_base(runbooks: Sequence[str] = (), *, tested: bool = False) -> Checked:
    """Load the base with all runbooks in force, look for what is suspicious, and keep everything that was said.

    ``tested`` runs all tests and cases besides, to name the rules that none of them makes fire.
    """
    from dam_expert.kb.lint import lint

    base, messages, written = _for_authors(runbooks)
    messages += written
    if base is None or has_errors(messages):
        messages += [] if base is None else lint(base, is_whole=False)
        return Checked(messages=tuple(sorted(messages, key=Message.sort_key)), counts={})
    from dam_expert.kb.texts import load_texts, untranslated
    from dam_expert.prose import load_vocabulary

    kinds = ("measurements", "thresholds", "symptoms", "hypotheses", "rules", "levers", "anti_patterns", "cases")
    counts = {kind: len(getattr(base, kind)) for kind in kinds}
    messages += [*lint(base), *load_vocabulary(base)[1]]
    for language in ("zh", "vi"):
        texts, found = load_texts(base, language)
        messages += [*found, *untranslated(base, texts)]
        counts[f"texts_{language}"] = len(texts.by_place)
    messages += [
        Message(file="dam_expert", level=Level.ERROR, text=fault, code="program-file")
        for fault in pipeline.report_faults()
    ]
    messages += _never_fired(base) if tested else []
    said = tuple((book.name, f"{book.summary()}, by {book.found_by}") for book in base.layers.runbooks)
    return Checked(messages=tuple(sorted(messages, key=Message.sort_key)), counts=counts, runbooks=said)


def _for_authors(runbooks: Sequence[str]) -> tuple[Base | None, list[Message], list[Message]]:
    """Return the base as far as it goes, the messages on it, and those on the tests that runbooks carry."""
    from dam_expert.kb.load import load_for_authors
    from dam_expert.kb.overlay_find import runbooks_in_force
    from dam_expert.kb.written import unreadable_cases, unreadable_facts

    if not pipeline.runbooks_are_in_force(runbooks):
        base, messages = pipeline.loaded()
        return base, messages, []
    found, problems = runbooks_in_force(runbooks, Path.cwd())
    try:
        built = load_for_authors(found.sources, found.order)
    except FileNotFoundError as error:
        return None, [Message(file="dam_expert", level=Level.ERROR, text=str(error), code="base-missing")], []
    if built.base is None:
        return None, [*problems, *built.messages], []
    shipped = ("knowledge/", "rules/")
    own = {
        section: [each for each in built.sections[section] if not each.place.startswith(shipped)]
        for section in ("rules", "cases")
    }
    written = [*unreadable_facts(own["rules"], built.base.names), *unreadable_cases(own["cases"], built.base)]
    return built.base, [*problems, *built.messages], written


def _never_fired(base: Base) -> list[Message]:
    """Return a warning for each rule that no test and no case makes fire."""
    from dam_expert.engine.cases import run_cases
    from dam_expert.engine.rule_tests import run_rule_tests

    coverage = run_rule_tests(base).coverage
    run_cases(base, coverage)
    found = []
    for name in coverage.unfired():
        file, _, line = base.rules[name].place.rpartition(":")
        text = f"no test and no case makes the rule '{name}' fire"
        hint = "add facts under which it must to its tests"
        found.append(Message(file=file, line=int(line), level=Level.WARNING, text=text, hint=hint, code="never-fired"))
    return found


def run_tests(base: Base) -> Tested:
    """Run the rules' own tests and the cases.

    A shipped test that comes out otherwise only because a runbook moved what it rests on is a warning, not a failure.
    """
    from dam_expert.engine.cases import case_messages, run_cases
    from dam_expert.engine.rule_tests import run_rule_tests

    report = run_rule_tests(base)
    cases = run_cases(base, report.coverage)
    gaps = [f"{rule}: never fires" for rule in report.coverage.unfired()]
    gaps += [
        f"{leaf.rule}: {leaf.leaf} is never {' or '.join(leaf.missing)}"
        for leaf in report.coverage.leaves()
        if leaf.missing
    ]
    moved = _moved_by_runbooks(base)
    messages = [moved(message) for message in (*report.messages, *case_messages(base, cases))]
    outcomes = [
        Outcome(name=f"{each.rule} {each.kind}[{each.number}]", passed=each.passed, place=base.rules[each.rule].place)
        for each in report.results
    ]
    outcomes += [
        Outcome(name=f"{each.case} stage {each.stage}", passed=not each.differences, place=base.places[each.case])
        for each in cases
    ]
    return Tested(
        passed=sum(each.passed for each in outcomes),
        known_misses=sum(each.kind.startswith("todo_") for each in report.results),
        messages=tuple(messages),
        coverage=report.coverage.share(),
        gaps=tuple(gaps),
        outcomes=tuple(outcomes),
    )


def _moved_by_runbooks(base: Base) -> Callable[[Message], Message]:
    """Return what turns failures of untouched shipped entries into warnings where runbooks are in force."""
    touched = {change.id for book in base.layers.runbooks for change in book.changes if change.rewrites}
    trial = tuple(f"{book.name}." for book in base.layers.runbooks if book.on_trial)
    names = (name for name in (*base.rules, *base.cases) if name not in touched or name.startswith(trial))
    shipped = {base.places[name] for name in names}

    def softened(message: Message) -> Message:
        if not base.layers.runbooks or f"{message.file}:{message.line}" not in shipped:
            return message
        text = f"{message.text} (with the runbooks in force)"
        return dataclasses.replace(message, level=Level.WARNING, text=text, code="shipped-test-moved")

    return softened
