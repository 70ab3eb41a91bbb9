"""Whole reports, letter by letter, in every format and language."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

_SPEC = importlib.util.spec_from_file_location("golden_files", Path(__file__).with_name("golden_files.py"))
golden_files = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(golden_files)

EXPECTED = golden_files.golden()


@pytest.mark.parametrize("name", EXPECTED)
def test_report(name):
    """A report is the golden file of its format and language."""
    assert (golden_files.FOLDER / name).read_text(encoding="utf-8") == EXPECTED[name]


def test_no_golden_file_is_left_over():
    """Every golden file is one that is compared."""
    assert {path.name for path in golden_files.FOLDER.iterdir()} == set(EXPECTED)
