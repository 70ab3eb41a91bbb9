"""Finds the real-world material that lies beside a checkout and is never part of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared(path: str) -> Path:
    """Return a file of the shared material; the calling test is skipped where it is absent."""
    base = Path(os.environ.get("DAM_SHARED", ROOT.parent / "shared"))
    found = base / path
    if not found.exists():
        pytest.skip(f"real files are not here: shared/{path} is not part of the project")
    return found
