"""Messages in the formats that machines read: SARIF 2.1.0 for code hosts, workflow commands of GitHub, JUnit XML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from dam_expert.documents.messages import Level, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dam_expert.documents.messages import Message

FORMATS: Final = ("text", "json", "yaml", "sarif", "github", "junit")
_SARIF_LEVELS: Final = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "note"}
_GITHUB_LEVELS: Final = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def said(message: Message) -> str:
    """Return text and hint of a message in one line."""
    return printable(message.text if message.hint is None else f"{message.text}; {message.hint}")


def sarif(messages: Sequence[Message]) -> dict[str, Any]:
    """Return a SARIF 2.1.0 log: one run, a rule for each code, a result for each message."""
    from dam_expert._version import __version__
    from dam_expert.kb.codes import CODES, help_page

    codes = sorted({message.code for message in messages})
    rules = []
    for code in codes:
        known = CODES.get(code)
        rule: dict[str, Any] = {"id": code}
        if known is not None:
            rule |= {
                "shortDescription": {"text": known.meaning},
                "help": {"text": f"{known.remedy} ({help_page(code)})"},
            }
        rules.append(rule)
    driver = {"name": "dam-expert", "version": __version__, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": [_result(each, codes) for each in messages]}],
    }


def _result(message: Message, codes: Sequence[str]) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(message.file)}}
    if message.line is not None:
        location["region"] = {"startLine": message.line, "startColumn": message.column or 1}
    return {
        "ruleId": message.code,
        "ruleIndex": codes.index(message.code),
        "level": _SARIF_LEVELS[message.level],
        "message": {"text": said(message)},
        "locations": [{"physicalLocation": location}],
    }


def github(messages: Iterable[Message]) -> str:
    r"""Return workflow commands, which GitHub shows beside the lines of a change.

    >>> from dam_expert.documents.messages import Message
    >>> github([Message(file="a.yaml", line=3, column=5, level=Level.ERROR, code="unknown-id", text="no 'x'")])
    "::error file=a.yaml,line=3,col=5,title=unknown-id::no 'x'\n"
    """
    rows = []
    for message in messages:
        places = {"file": message.file, "line": message.line, "col": message.column, "title": message.code}
        shown = ",".join(f"{name}={_property(str(value))}" for name, value in places.items() if value is not None)
        rows.append(f"::{_GITHUB_LEVELS[message.level]} {shown}::{_data(said(message))}\n")
    return "".join(rows)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def junit(suite: str, outcomes: Iterable[tuple[str, str, Sequence[Message]]]) -> str:
    """Return JUnit XML: one test case for each (name, class name, failures), with the failures inside."""
    from xml.etree import ElementTree as Tree

    root = Tree.Element("testsuites")
    group = Tree.SubElement(root, "testsuite", name=suite)
    count = failed = 0
    for name, owner, failures in outcomes:
        case = Tree.SubElement(group, "testcase", name=printable(name), classname=printable(owner))
        count += 1
        failed += bool(failures)
        for failure in failures:
            inner = Tree.SubElement(case, "failure", message=said(failure), type=failure.code)
            inner.text = str(failure)
    group.set("tests", str(count))
    group.set("failures", str(failed))
    Tree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Tree.tostring(root, encoding="unicode") + "\n"
