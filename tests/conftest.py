"""All tests, and the processes that they start, keep bases in one folder of their own, away from the user's."""

from __future__ import annotations

import os
import tempfile

_FOLDER = tempfile.TemporaryDirectory(prefix="dam-tests-")
os.environ["DAM_CACHE"] = _FOLDER.name
