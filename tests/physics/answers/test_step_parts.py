"""Parts of an observed step."""

from __future__ import annotations

from dam_expert.physics.answers.step_parts import part


def test_only_waiting_has_a_gain():
    """Removing a wait gives the ceiling of its share, a range for a range; work on the device has none here."""
    assert part("wait", ["latency"], (0.2, 0.5), waits=True).gain == (1.25, 2.0)
    assert part("work", ["compute"], (0.2, 0.5), waits=False).gain is None
