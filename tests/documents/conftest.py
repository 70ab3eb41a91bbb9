"""Property tests here have no deadline: a busy machine must not decide whether they pass."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("documents", deadline=None)
settings.load_profile("documents")
