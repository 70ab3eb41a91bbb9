"""The page on what is read is the one that the readers and the base give."""

from __future__ import annotations

import runpy

from documented import ROOT


def test_the_page_is_current():
    """``docs/readers.md`` is what its script writes today; run ``python docs/make_readers.py`` where it is not."""
    script = runpy.run_path(str(ROOT / "docs" / "make_readers.py"))
    assert script["PAGE"].read_text(encoding="utf-8") == script["page"]()
