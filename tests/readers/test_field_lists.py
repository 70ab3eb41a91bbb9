"""Lists of fields that hold no values."""

from __future__ import annotations

import pytest
from readers.readings import codes, reading


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ('List of valid properties to query for the switch "--query-gpu":\n\n"timestamp"\nThe time\n', "nvidia-smi"),
        ("DCGM_FI_DEV_APP_MEM_CLOCK\nDCGM_FI_PROF_SM_ACTIVE\n", "dcgmi dmon"),
    ],
)
def test_a_list_of_fields_is_answered_with_the_command(text, command):
    """It is recognised, has no values, and says what to run."""
    found = reading(text)
    assert not found.observations
    assert codes(found) == {"no-values"}
    assert command in (found.messages[0].hint or "")
