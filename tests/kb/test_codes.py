"""Every code of a message is explained, and the page of codes is the table."""

from __future__ import annotations

import ast

import pytest
from shared_files import ROOT

from dam_expert.kb.codes import CODES, as_markdown


def _used() -> set[str]:
    """Return the texts that are given as ``code=`` anywhere in reading and checking a base."""
    package = ROOT / "dam_expert"
    files = [*package.glob("kb/*.py"), *package.glob("language/*.py"), package / "documents" / "problems.py"]
    files += [package / "engine" / name for name in ("rule_tests.py", "cases.py")]
    return {
        word.value.value
        for file in files
        for word in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(word, ast.keyword) and word.arg == "code" and isinstance(word.value, ast.Constant)
    }


def test_every_code_is_explained():
    """A code that a message can carry stands in the table."""
    assert sorted(_used() - CODES.keys()) == []


@pytest.mark.parametrize("code", CODES)
def test_an_entry_says_what_to_do(code):
    """Meaning and remedy are sentences."""
    assert all(text.endswith(".") and not text[0].islower() for text in CODES[code][1:])


def test_the_page_is_current():
    """docs/checks.md is what ``dam kb docs --codes`` writes."""
    assert (ROOT / "docs" / "checks.md").read_text(encoding="utf-8") == as_markdown()
