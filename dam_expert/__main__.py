"""``python -m dam_expert`` is the command ``dam``."""

from __future__ import annotations

from dam_expert.cli import main

if __name__ == "__main__":
    main()
