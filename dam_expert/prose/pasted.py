"""Pasted output inside a report: what stands between fences goes to the readers, with the lines of the report."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Final

from dam_expert.documents.observations import Basis
from dam_expert.prose.sentences import statements
from dam_expert.readers.gather import read_all
from dam_expert.readers.parts import renumbered
from dam_expert.readers.source import Source

if TYPE_CHECKING:
    from dam_expert.prose.collected import Collected
    from dam_expert.prose.passages import Passage
    from dam_expert.prose.sentences import Statement
    from dam_expert.readers.interface import Reading

MOST_BLOCKS: Final = 500
"""Outputs of one report that are read."""


def read_pasted(passage: Passage, before: Passage | None, collected: Collected) -> bool:
    """Hand a block to the readers; False where none of them knows it.

    What stands among words, which may call it anything, counts as said, and so does what others paste.
    """
    if len(collected.readings) >= MOST_BLOCKS:
        return False
    source = Source.of_bytes(collected.file, passage.text.encode("utf-8", "replace"))
    if source.empty:
        return True
    readings, _ = read_all(source)
    useful = [_placed(renumbered(reading, passage.line - 1), passage.line) for reading in readings]
    if not passage.plain or of_another_case(before, collected):
        useful = [_said(reading) for reading in useful]
    useful = [reading for reading in useful if reading.observations]
    collected.readings += useful
    for line in range(len(passage.pieces) if useful else 0):
        piece = passage.pieces[line]
        end = passage.pieces[line + 1].offset - 1 if line + 1 < len(passage.pieces) else len(passage.text)
        if end > piece.offset:
            collected.mark(passage, piece.offset, end)
    return bool(useful)


def _placed(reading: Reading, line: int) -> Reading:
    """Return a reading in which every value has a line: that of the block where the reader names none."""
    observations = tuple(
        each
        if each.origin.line is not None
        else dataclasses.replace(each, origin=dataclasses.replace(each.origin, line=line))
        for each in reading.observations
    )
    return dataclasses.replace(reading, observations=observations)


def of_another_case(before: Passage | None, collected: Collected) -> bool:
    """Whether the last words before a block speak of another case than the job as it is."""
    said: list[Statement] = [] if before is None else list(statements(before.text, collected.vocabulary))
    return bool(said) and said[-1].has("reference", "condition", "elsewhere", "case")


def _said(reading: Reading) -> Reading:
    observations = tuple(dataclasses.replace(each, basis=Basis.SAID) for each in reading.observations)
    return dataclasses.replace(reading, observations=observations)
