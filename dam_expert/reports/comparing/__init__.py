"""Compares what was diagnosed before a change with what was diagnosed after it.

A difference is called only where it exceeds what the target varies by itself: :mod:`.levels` finds that out, or says
that it is not known. A part of the time that shrank while the target did not improve is a local gain: no gain.

Vocabulary
    side     one or several diagnoses of the same state: several are repeats
    level    the target of a side, with the range it varies over and how that is known
    gain     a factor on the target, above 1 is better
"""

from __future__ import annotations

from dam_expert.reports.comparing.compare import compare

__all__ = ["compare"]
