"""All tests, and the processes that they start, keep bases in one folder of their own, away from the user's.

In the process of the tests it is 2030: what they date lies in the past, whatever the clock of the machine says.
"""

from __future__ import annotations

import datetime
import os
import tempfile

from dam_expert.engine import clock

_FOLDER = tempfile.TemporaryDirectory(prefix="dam-tests-")
os.environ["DAM_CACHE"] = _FOLDER.name
clock.present_moment = lambda: datetime.datetime(2030, 1, 1, tzinfo=datetime.UTC)
