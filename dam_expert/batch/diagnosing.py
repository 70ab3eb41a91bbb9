"""Diagnoses what was read: plain documents many at a time, all others as incidents, each in its row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dam_expert.batch.loading import Loader
from dam_expert.batch.rows import NEXT, Rows, rows_from
from dam_expert.engine.block.evaluating import Evaluator
from dam_expert.engine.block.incidents import Sources
from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.diagnose import written
from dam_expert.engine.evaluate import evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dam_expert.batch.entries import Entry
    from dam_expert.documents.diagnosis import Diagnosis
    from dam_expert.engine.block.evaluating import BlockVerdict
    from dam_expert.engine.block.incidents import Block, Filler
    from dam_expert.engine.block.spans import Bools, Places
    from dam_expert.kb.base import Base


class Diagnoser:
    """Diagnoses blocks with one base."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self.sources = Sources(base)
        self.loader = Loader(self.sources)
        self.evaluator = Evaluator(base)
        self._executor = CountingExecutor(base.program)

    def entries(self, entries: Sequence[Entry]) -> Rows:
        """Diagnose entries as one block; those without an incident become rows without a verdict."""
        filler = self.loader.filler(len(entries))
        for row, entry in enumerate(entries):
            if entry.incident is not None:
                filler.add(row, entry.incident)
        return rows_from(
            self.verdict(filler.block()),
            ids=[entry.id for entry in entries],
            sources=[entry.source for entry in entries],
            errors={row: entry.error for row, entry in enumerate(entries) if entry.error is not None},
            diagnosed=np.array([entry.incident is not None for entry in entries], bool),
            free=[entry.free for entry in entries] if any(entry.free for entry in entries) else [],
            entry=entries.__getitem__,
        )

    def documents(
        self,
        documents: Sequence[Any],
        ids: list[str],
        sources: list[str],
        free: list[dict[str, str]],
        others: dict[int, Entry],
        again: Callable[[int], Entry],
    ) -> Rows:
        """Diagnose plain documents, with None in the rows of ``others``; ``again`` reads one the long way."""
        filler = self.loader.filler(len(documents))
        plain = [row for row in range(len(documents)) if row not in others] if others else range(len(documents))
        rows: Places = np.array(plain, np.intp)
        given = [documents[row] for row in plain] if others else documents
        odd = self.loader.load(filler, given, rows)
        return self.finished(filler, odd, rows=rows, ids=ids, sources=sources, free=free, others=others, again=again)

    def finished(
        self,
        filler: Filler,
        odd: Bools,
        *,
        ids: list[str],
        sources: list[str],
        free: list[dict[str, str]],
        others: dict[int, Entry],
        again: Callable[[int], Entry],
        rows: Places | None = None,
    ) -> Rows:
        """Read what is ``odd`` (of ``rows``, or of all) the long way, and evaluate the block."""
        strange = np.flatnonzero(odd) if rows is None else rows[odd]
        entries = others | {row: again(row) for row in strange.tolist()}
        diagnosed: Bools = np.ones(len(ids), bool)
        for row, entry in entries.items():
            ids[row], sources[row], diagnosed[row] = entry.id, entry.source, entry.incident is not None
            if free:
                free[row] = entry.free
            if entry.incident is not None:
                filler.add(row, entry.incident)
        errors = {row: entry.error for row, entry in sorted(entries.items()) if entry.error is not None}
        return rows_from(
            self.verdict(filler.block()),
            ids,
            sources,
            errors,
            diagnosed,
            free,
            entry=lambda row: entries[row] if row in entries else again(row),
        )

    def full(self, entry: Entry) -> Diagnosis | None:
        """Return the whole diagnosis of one entry; None where there is no incident in it."""
        if entry.incident is None:
            return None
        return written(evaluate(self.base, entry.incident, self._executor), entry.messages)

    def verdict(self, block: Block) -> BlockVerdict:
        """Evaluate a block as far as rows need it."""
        return self.evaluator.evaluate(block, ranked=NEXT + 1)
