"""What many short lines cost: asking the readers grows with the text, not with its square."""

from __future__ import annotations

import re

import pytest

from dam_expert.readers import amd_smi, kubectl
from dam_expert.readers.ncu import reader as ncu
from dam_expert.readers.serving import load

PATTERNS = [amd_smi._TEXT, amd_smi._SECTION, kubectl._STATE, kubectl._SECTION, ncu._TEXT, ncu._TABLE, load._WRK]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_line_start_takes_no_line_ends(pattern: re.Pattern[str]) -> None:
    """White space before a heading ends with its line, so no blank line is tried from every line before it."""
    text = pattern.pattern
    assert not text.startswith((r"(?m)^\s*", r"(?m)^\W*"))
    assert pattern.search("\n" * 65536 + "{\n" * 32768) is None
