"""The corpus of mistakes in runbooks: one file each in ``tests/broken/runbooks``, beside what must be said of it.

A file called ``header_…`` is the ``runbook.yaml`` itself; any other lies beside a sound one. Run
``python tests/broken_runbooks.py`` to write today's messages, and read the difference before it is committed.
"""

from __future__ import annotations

import datetime
import tempfile
from pathlib import Path

from dam_expert.kb.layers import Source
from dam_expert.kb.load import load_knowledge

FOLDER = Path(__file__).resolve().parent / "broken" / "runbooks"
CASES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
TODAY = datetime.date(2026, 11, 29)
_HEADER = "name: team\nversion: 1.0.0\ndescription: A team.\n"


def messages_of(case: str) -> str:
    """Return the messages on one runbook of the corpus, one a line."""
    text = (FOLDER / f"{case}.yaml").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "team"
        folder.mkdir()
        if case.startswith("header_") and case != "header_elsewhere":
            (folder / "runbook.yaml").write_text(text, encoding="utf-8")
        else:
            (folder / "runbook.yaml").write_text(_HEADER, encoding="utf-8")
            (folder / "more.yaml").write_text(text, encoding="utf-8")
        source = Source(folder=folder, shown="team", found_by="--runbook")
        _, messages = load_knowledge(runbooks=(source,), today=TODAY)
    return "".join(f"{message}\n" for message in messages)


def main() -> None:
    """Write today's messages of every case."""
    for case in CASES:
        (FOLDER / f"{case}.expected").write_text(messages_of(case), encoding="utf-8")


if __name__ == "__main__":
    main()
