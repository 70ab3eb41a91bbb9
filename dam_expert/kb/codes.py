"""What every code in brackets at the end of a message means, and what to do about it.

``docs/checks.md`` is made of this table; ``dam kb check --code CODE`` prints one entry of it.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Code(NamedTuple):
    """One code: what it means, and the next step."""

    meaning: str
    remedy: str


def help_page(code: str) -> str:
    """Return where a code is explained.

    >>> help_page("no-lever")
    'docs/checks.md#no-lever'
    """
    return f"docs/checks.md#{code}"


def as_markdown() -> str:
    """Return the whole table as a page."""
    parts = [
        "# Codes of checks\n\nEvery message of `dam kb check` and `dam kb test` ends with a code in brackets. "
        "`dam kb check --code CODE` prints its entry.\nThis page is made by `dam kb docs --codes`.\n"
    ]
    for kind, codes in _KINDS.items():
        parts.append(f"\n## {kind}\n")
        parts += [f"\n### {code}\n\n{entry.meaning}\n\n{entry.remedy}\n" for code, entry in codes.items()]
    return "".join(parts)


_FILES: Final = {
    "alias-loop": Code("A YAML alias contains itself.", "Write the value out."),
    "binary": Code("The file is not text.", "Remove it from the folder, or save it as UTF-8 YAML."),
    "control-character": Code("A character stands there that YAML does not allow.", "Remove it."),
    "duplicate-key": Code("A mapping has one key twice.", "Keep one; the message names the line of the first."),
    "empty": Code("The file holds nothing.", "Remove it, or write an entry."),
    "empty-base": Code("No folder given holds any knowledge.", "Check the paths."),
    "encoding": Code("The file is not UTF-8.", "Save it as UTF-8 without conversion."),
    "key-not-text": Code("A key is a number, a list or nothing.", "Put it in quotes."),
    "missing-key": Code("An entry lacks a key that it needs.", "Add it; the message names it."),
    "not-a-file": Code("The path is a folder, a pipe or a device.", "Name a regular file."),
    "not-a-mapping": Code("The file does not begin with keys.", "Begin it with a kind of entry, as in 'rules:'."),
    "not-allowed": Code("A value is outside of what the field allows.", "Use one of the values in the message."),
    "not-yet-checked": Code("A file cannot be read; what may follow from that waits.", "Mend that file first."),
    "number-too-large": Code("A number is larger than any computer keeps.", "Check the digits."),
    "several-documents": Code("One file holds two YAML documents.", "Use one file for each."),
    "too-deep": Code("Nesting goes deeper than the bound.", "Flatten it; give a part of a condition a symptom."),
    "too-large": Code("A file, formula, condition or runbook is larger than the bound.", "Split it."),
    "unknown-anchor": Code("A YAML alias names an anchor that comes later or never.", "Write the value out."),
    "unknown-key": Code("The key is not one of those the entry has.", "Correct the spelling; own keys begin with x-."),
    "unknown-tag": Code("A YAML tag is not one of the core ones.", "Remove it: tags run nothing here."),
    "unreadable": Code("The system does not hand the file over.", "Check its permissions."),
    "wrong-type": Code("A value has another type than the field.", "Write what the message asks for."),
    "wrong-value": Code("A value is not one that the field takes.", "Write what the message asks for."),
    "yaml-syntax": Code("The file is not YAML.", "See the place in the message; quotes help most often."),
}
_HARDWARE: Final = {
    "hardware-entry": Code("An accelerator of the catalogue cannot be read.", "Correct the field in the message."),
    "hardware-file": Code("A file of the catalogue has another shape.", "Begin it with 'accelerators:'."),
    "hardware-sources": Code("The list of sources of the catalogue cannot be read.", "Correct its entries."),
    "missing-folder": Code("The folder of the catalogue is not there.", "Check the installation."),
    "shared-name": Code("Two accelerators share a name.", "Keep the name with one of them."),
    "unknown-source": Code("A figure names a source that is not listed.", "Add it to the list of sources."),
    "unreadable-file": Code("A file of the catalogue cannot be read.", "Check its permissions."),
}
_NAMES: Final = {
    "small-words": Code(
        "A phrase of knowledge/prose is one word beside small ones that do not count (a, the, is, of).",
        "Add the word that makes it tell something, or write the one word alone.",
    ),
    "wrong-vocabulary": Code(
        "A file of knowledge/prose names what the base does not have, or has another shape.",
        "Write the id of a measurement and a value that it can have; dam_expert/prose/vocabulary.py shows the keys.",
    ),
    "ambiguous-alias": Code("One old id would mean two entries.", "Keep it with one of them."),
    "broken-reference": Code("What is named has an error of its own.", "Correct that one first."),
    "dead-alias": Code("An alias or tombstone is an id in use.", "Remove the alias."),
    "dead-replacement": Code("A deprecated rule names a replacement that does not exist.", "Correct replaced_by."),
    "dotted-id": Code("An id of the base has a dot, as only a runbook's may.", "Use underscores."),
    "duplicate-alias": Code("The alias names another measurement already.", "Keep it with one of them."),
    "duplicate-id": Code("The id is taken; ids are unique over all kinds.", "Choose another."),
    "old-id": Code("The id is that of an earlier version; it is read as the present one.", "Write the new id."),
    "removed-id": Code("The entry was removed; the message says when and why.", "Use what the message names."),
    "reserved-id": Code("The id is a word of the rule language.", "Choose another."),
    "unknown-aspect": Code("A column has .min, .max and .spread only.", "Use one of them."),
    "unknown-id": Code("Nothing is called that.", "Take the nearest id from the message, or add the entry."),
    "wrong-kind": Code("The id is of another kind than can stand here.", "Name an entry of the kind asked for."),
}
_MEANING: Final = {
    "advice-only": Code("The form asks about the verdict.", "Only flag, recommend, warn and ask rules may use it."),
    "cycle": Code("Entries refer to each other in a circle.", "Break it at one of them."),
    "engine-needs": Code("The verdict uses an entry that is missing.", "Add it with the id in the message."),
    "heuristic-decides": Code("A rule of thumb is marked as decisive.", "Make it screening, or find a source."),
    "irrefutable": Code("No rule can refute the hypothesis.", "Add a rule with then: {refute: ..}."),
    "later-stage": Code("The condition reads what is concluded only later.", "Write the condition out."),
    "mixed-stages": Code("The verbs of one rule belong to different stages.", "Make two rules."),
    "no-conclusion": Code("The rule concludes nothing.", "Add a verb under then."),
    "not-a-column": Code("The part in brackets cannot be read.", "Write [stage=decode]."),
    "not-a-condition": Code("The text is not a comparison or symptom.", "Write: measurement operator value."),
    "not-a-formula": Code("The formula cannot be read.", "Use + - * / ( ) min max over ids and numbers."),
    "not-a-quantity": Code("The value is no quantity of this kind.", "Write a number with its unit."),
    "not-a-status": Code("No hypothesis ever has this status.", "Use confirmed, supported, candidate or refuted."),
    "not-decisive": Code(
        "The rule would confirm or refute without any measurement that decides.",
        "Add a comparison of a measurement that decides with a decisive threshold to every way the body gets true.",
    ),
    "other-bottleneck": Code("A child belongs to another bottleneck than its parent.", "Move one of them."),
    "two-conclusions": Code("One rule concludes two things of the same entry.", "Make two rules."),
    "unit-mismatch": Code("The two sides have different units.", "Compare quantities of one dimension."),
    "unknown-scope": Code("The scope is not one that the measurement has.", "Take one from the message."),
    "unknown-unit": Code("The unit is not known.", "Take the nearest from the message."),
    "unknown-value": Code("The category does not have this value.", "Use one of its values."),
    "unreachable": Code("Nothing can make it matter.", "Correct the limit, write a rule, or remove it."),
    "untested": Code("A rule lacks a kind of test.", "Add fires, silent and undecided facts under tests."),
    "wrong-unit": Code("The unit does not fit the kind of the measurement.", "Write the canonical unit."),
    "weak-decides": Code("A weak measurement is declared to decide.", "Drop one of the two."),
}
_LINT: Final = {
    "contradictory": Code("The condition asks for two things that exclude each other.", "Correct a limit."),
    "no-lever": Code("Nothing can be done about the hypothesis.", "Add a lever with works_on."),
    "not-compared": Code("Too many rules conclude the same to be compared.", "Join some of them."),
    "same-rule": Code("Two rules are true together and say the same.", "Keep one of them."),
    "same-title": Code("Two rules on one hypothesis have the same title.", "Say what differs."),
    "subsumed": Code("Another rule is true whenever this one is and says the same.", "Remove it, or narrow the other."),
    "unused-measurement": Code("Nothing reads the measurement of a runbook.", "Write a rule for it, or remove it."),
    "unused-symptom": Code("Nothing uses the symptom.", "Use it or remove it."),
    "unused-threshold": Code("Nothing uses the threshold.", "Use it or remove it."),
    "vague-source": Code("The source names nothing that can be looked up.", "Name the document or the measurement."),
}
_RUNBOOKS: Final = {
    "changed-twice": Code(
        "Two changes of runbooks touch the same field.", "Remove one, or order the runbooks in dam.toml."
    ),
    "closed-list": Code("The list belongs to the base and is closed.", "Use one of its entries."),
    "id-stays": Code("A change would rename an entry.", "Leave the id; add an entry of your own instead."),
    "lapsed": Code("The date of an exception or disabling has passed.", "Remove it, or renew the date."),
    "missing-language": Code("A text lacks a language that the runbook states.", "Translate it, or state fewer."),
    "no-runbook": Code("The folder has no runbook.yaml.", "Write one with: dam kb new runbook NAME."),
    "lock-differs": Code("Something in force is not what the lock file says.", "See dam kb diff, then dam kb lock."),
    "not-a-lock": Code("The file is not a lock file.", "Write one with: dam kb lock."),
    "not-formatted": Code("The file cannot be formatted without loss.", "Format it by hand."),
    "same-version": Code("A runbook changed without a new version.", "Raise its version."),
    "not-a-metric": Code("The match is not a metric name with labels.", 'Write wait_seconds{route="chat"}.'),
    "not-disabled": Code("Only rules, cases and levers can be disabled.", "Disable the rules that use it."),
    "not-found": Code("The runbook is not where it is said to be.", "Check the path or the installed package."),
    "not-toml": Code("dam.toml cannot be read.", "Write: runbooks = ['folder']."),
    "other-namespace": Code("An id does not begin with the runbook's name and a dot.", "Prefix it."),
    "outside": Code("A link leads out of the runbook's folder; it is not followed.", "Copy the file."),
    "taken-name": Code("The runbook's name means something else already.", "Choose another name."),
    "too-many-files": Code("The runbook has more files than the bound.", "Join some of them."),
    "too-old": Code("The runbook requires a newer program.", "Upgrade dam-expert."),
    "unknown-field": Code("The entry has no such field.", "Take the nearest from the message."),
    "unknown-target": Code(
        "The change is for something that does not exist.",
        "Take the nearest id from the message, or write 'optional: true' where it may be missing.",
    ),
    "wrong-level": Code("The key belongs one level deeper, or into runbook.yaml.", "Move it as the message says."),
}
_TESTS: Final = {
    "case-differs": Code("A case gives another diagnosis than it must.", "See: dam why-not RULE INCIDENT."),
    "shipped-test-moved": Code(
        "A shipped test comes out otherwise with the runbooks in force.", "Make sure that this is meant."
    ),
    "never-fired": Code(
        "No test and no case makes the rule fire (dam kb check --tested).", "Add facts under which it must, to fires."
    ),
    "test-facts": Code("The facts of a test cannot be read.", "Correct the name or value in the message."),
    "test-failed": Code("A rule did something else than its test says.", "See the truths of its leaves."),
    "test-passes-now": Code("A known miss is gone.", "Move it from todo_ to the real tests."),
    "unbracketed": Code(
        "No test has a value close to a limit on one side.",
        "Add facts within a factor of two of the limit, one below and one above.",
    ),
}
_TEXTS: Final = {
    "numbers-differ": Code("A translation has other numbers than the original.", "Correct them."),
    "twice": Code("A text is translated twice.", "Keep one of the two."),
    "unknown-text": Code("A translation is of something that is not there.", "Take the nearest from the message."),
}
_INSTALLATION: Final = {
    "base-missing": Code("The shipped base is not there.", "Install dam-expert again."),
    "program-file": Code("A file of the program itself is missing or damaged.", "Install dam-expert again."),
    "two-incidents": Code("One call has two incident files.", "Diagnose them one by one."),
}
_KINDS: Final = {
    "Files": _FILES,
    "Names": _NAMES,
    "Meaning": _MEANING,
    "Suspicious": _LINT,
    "Runbooks": _RUNBOOKS,
    "Tests": _TESTS,
    "Translations": _TEXTS,
    "Hardware": _HARDWARE,
    "Installation": _INSTALLATION,
}

#: Every code with its meaning.
CODES: Final[dict[str, Code]] = {code: entry for codes in _KINDS.values() for code, entry in codes.items()}
