"""The deciding measurements of the hypotheses as people write them, each beside a first report.

Of each hypothesis a file of ``tests/prose/deciding`` holds a report and what decides it in four forms: ``said``,
a sentence of a thread; ``values`` and ``after``, what a label gives as names with values, with both sides or only the
later one; ``found``, a finding in words. They were written before the words of the vocabulary were read. Half of them,
by the hash of their name, was looked at while mechanisms were mended, and half was held back.
"""

from __future__ import annotations

import dataclasses
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent / "prose" / "deciding"
FORMS = ("said", "values", "after", "found")
_HASHED = {"values": "key"}


@dataclasses.dataclass(frozen=True)
class Deciding:
    """A report with a deciding measurement of a hypothesis in one form."""

    hypothesis: str
    form: str
    text: str

    @property
    def held_back(self) -> bool:
        name = f"{self.hypothesis}/{_HASHED.get(self.form, self.form)}"
        return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 0


def deciding_texts() -> Iterator[Deciding]:
    """Yield every text of the set."""
    for path in sorted(FOLDER.glob("*.yaml")):
        for entry in yaml.safe_load(path.read_text(encoding="utf-8")):
            for form in FORMS:
                yield Deciding(entry["hypothesis"], form, _report(entry) + _decided(entry, form))


def _report(entry: dict[str, Any]) -> str:
    return f"# {entry['title']}\n\n{entry['report']}\n## Measured\n\n{_items(entry['measured'])}"


def _decided(entry: dict[str, Any], form: str) -> str:
    """Return what is added to the report; names with values as ``benchmarks/incidents.py`` adds those of a label."""
    if form in ("said", "found"):
        return f"\n## Tried since\n\n{entry[form]}\n"
    values = _items({name.replace("_", " "): value for name, value in entry[form].items()})
    name = entry["deciding"]
    return f"\n## Tried since\n\n{name[:1].upper()}{name[1:]}.\n\n{values}\n## Measured\n\n{values}"


def _items(values: dict[str, Any]) -> str:
    return "".join(f"- {name}: {value}\n" for name, value in values.items())
