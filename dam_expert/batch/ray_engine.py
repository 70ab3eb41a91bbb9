"""Pieces on Ray: the same work on the processes of a cluster, or on those of this machine. Needs the extra ``ray``.

A piece is small (a path and a range), so pieces are a data set that Ray Data maps over actors, each with the knowledge
loaded once. The files must be found under the same paths on every machine.
"""

from __future__ import annotations

import os
import pickle
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from dam_expert.batch.pieces import Piece
    from dam_expert.batch.work import Done, Order
    from dam_expert.kb.base import Base


class RayMissingError(Exception):
    """The extra that runs batches on Ray is not installed."""


def done_on_ray(
    load: Callable[[], Base], order: Order, jobs: int, pieces: Iterable[Piece], *, address: str | None = None
) -> Iterator[tuple[Piece, Done]]:
    """Do pieces on a cluster (``address``) or on ``jobs`` processes here; results come in the order of the pieces."""
    try:
        import ray.data
    except ImportError as error:
        raise RayMissingError("--engine ray needs Ray: pip install 'dam-expert[ray]'") from error
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing of ours speaks to the network unasked
    given = list(pieces)
    if not given:
        return
    if address is None:
        ray.init(num_cpus=jobs + 1, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    else:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        ray.data.DataContext.get_current().execution_options.preserve_order = True
        packed = [{"piece": pickle.dumps(piece)} for piece in given]
        done = ray.data.from_items(packed, override_num_blocks=len(given)).map(
            _Actor, fn_constructor_args=(pickle.dumps((load, order)),), compute=ray.data.ActorPoolStrategy(size=jobs)
        )
        for piece, row in zip(given, done.iter_rows(), strict=True):
            yield piece, pickle.loads(row["done"])
    finally:
        ray.shutdown()


class _Actor:
    """One process of the cluster."""

    def __init__(self, made: bytes) -> None:
        from dam_expert.batch.work import Worker

        load, order = pickle.loads(made)
        self._worker = Worker(load(), order)

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        return {"done": pickle.dumps(self._worker.do(pickle.loads(row["piece"])))}
