"""Small pieces of wording that several sections share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def prose(text: str) -> str:
    r"""Return a text of the base as one paragraph; its line breaks are layout of the YAML file.

    >>> prose("Workers decode\n  on the CPU.\n")
    'Workers decode on the CPU.'
    """
    return re.sub(r"[ \n]+", " ", text).strip()


def region(axes: Sequence[str]) -> str:
    """Name a region, the dominant axis first.

    >>> region(["data", "machine"]), region(["data"]), region([])
    ('data, with machine', 'data', 'no axis')
    """
    if not axes:
        return "no axis"
    return f"{axes[0]}, with {' and '.join(axes[1:])}" if len(axes) > 1 else axes[0]


def minutes(effort: float) -> str:
    """Write an effort.

    >>> minutes(0.5), minutes(1), minutes(90)
    ('under a minute', '1 minute', '1.5 hours')
    """
    if effort < 1:
        return "under a minute"
    if effort < 60:
        return "1 minute" if effort == 1 else f"{effort:.3g} minutes"
    hours = effort / 60
    return "1 hour" if hours == 1 else f"{hours:.3g} hours"


def capital(text: str) -> str:
    """Return a text that begins with a capital; ids in it keep theirs."""
    return text[:1].upper() + text[1:]
