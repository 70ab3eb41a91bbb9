"""What readers note beside values is told in Chinese and Vietnamese, whatever reader writes it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import dam_expert.readers
from dam_expert.reports.wording import load_wording

READERS = Path(dam_expert.readers.__file__).parent
#: Names of programs and fields, and places alone: nothing in them is of a language.
NAMES = {"train_batch_size", "X", "X: X", "X, X", "X; X", "mean of X"}


def written(node: ast.expr) -> list[str]:
    """Return the texts that an expression may be, with X for what is filled in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return ["".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)]
    if isinstance(node, ast.IfExp):
        return [*written(node.body), *written(node.orelse)]
    return []


def notes() -> list[str]:
    """Return every note that a reader writes beside a value."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(READERS.rglob("*.py"))]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    values = [each.value for call in calls for each in call.keywords if each.arg == "detail"]
    return sorted({text for value in values for text in written(value) if text} - NAMES)


@pytest.mark.parametrize("language", ["zh", "vi"])
def test_every_note_is_told(language: str) -> None:
    wording = load_wording(language)  # type: ignore[arg-type]  # one of the languages
    found = notes()
    assert len(found) > 40
    assert [text for text in found if wording.retold(text, str) in (None, text)] == []


@pytest.mark.parametrize("language", ["zh", "vi"])
def test_phrases_of_readers_hold_no_english(language: str) -> None:
    phrases = load_wording(language, "readers").phrases  # type: ignore[arg-type]  # one of the languages
    english = re.compile(r"(?<![\w'-])(?:the|of|is|are|with|from|which|no|not)(?![\w'-])")
    assert [text for text in phrases.values() if english.search(re.sub(r"'[^']*'", "", text))] == []


def test_numbers_stay() -> None:
    assert load_wording("vi").retold("mean of 12 kernels", str) == "trung bình của 12 kernel"
