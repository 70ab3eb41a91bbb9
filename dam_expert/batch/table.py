"""``diagnose_table``: an Arrow table of incidents in, an Arrow table of rows out.

A pure function of its arguments, and picklable: whatever maps functions over tables on many machines can map it. Each
process loads the knowledge once. The extra ``arrow`` brings what it needs.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from dam_expert.batch.arrow import arrow, result_batch
from dam_expert.batch.columns import table_rows
from dam_expert.batch.diagnosing import Diagnoser
from dam_expert.batch.encoding import Extra
from dam_expert.kb.load import load_knowledge
from dam_expert.kb.overlay_find import runbooks_in_force

if TYPE_CHECKING:
    import pyarrow as pa

    from dam_expert.batch.rows import Rows


def diagnose_table(
    table: pa.Table, *, runbooks: tuple[str, ...] = (), rules: bool = False, name: str = "table"
) -> pa.Table:
    """Diagnose each row of a table, whose columns are named by measurements as in ``dam batch``.

    The result has one row for each in the same order, with the columns of a compact row; ``source`` is ``name`` with
    the number of the row in this table. Raises ValueError where the runbooks cannot be used.
    """
    diagnoser = _diagnoser(runbooks)
    extra = Extra(rules=rules)
    batch = result_batch(diagnoser.base, table_rows(diagnoser, table, name), extra, _no_diagnosis)
    return arrow().Table.from_batches([batch])


@functools.lru_cache(maxsize=4)
def _diagnoser(runbooks: tuple[str, ...]) -> Diagnoser:
    found, problems = runbooks_in_force(runbooks, Path.cwd())
    base, messages = load_knowledge(runbooks=found.sources, order=found.order)
    if base is None or problems:
        raise ValueError("\n".join(map(str, [*problems, *messages])))
    return Diagnoser(base)


def _no_diagnosis(_rows: Rows, _row: int) -> bytes:
    return b"null"
