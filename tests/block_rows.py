"""What a block says row by row, and the same of one incident alone, to be held against each other."""

from __future__ import annotations

from typing import Any

from dam_expert.engine.block.evaluating import DIAGNOSIS, BlockVerdict
from dam_expert.engine.block.judging import STATUS_WORDS
from dam_expert.engine.evaluate import Evaluated


def row(found: BlockVerdict, index: int, rules: list[str]) -> dict[str, Any]:
    """Return what a block says of one row; ``rules`` are the ids of the rules of its program."""
    names = found.names
    binding = int(found.binding[index])
    return {
        "status": {name: STATUS_WORDS[found.status[index, column]] for column, name in enumerate(names)},
        "score": {name: int(found.score[index, column]) for column, name in enumerate(names)},
        "diagnosis": DIAGNOSIS[found.diagnosis[index]],
        "binding": None if binding < 0 else names[binding],
        "first": [names[column] for column in found.first[index] if column >= 0],
        "fired": {
            rules[position]: strength
            for strength, which in (("full", found.full), ("reduced", found.reduced))
            for position in found.rules(which)[index]
        },
    }


def alone(evaluated: Evaluated) -> dict[str, Any]:
    """Return the same of one evaluation."""
    return {
        "status": dict(evaluated.standings.status),
        "score": dict(evaluated.standings.score),
        "diagnosis": evaluated.verdict.status,
        "binding": evaluated.verdict.binding,
        "first": list(evaluated.verdict.ranked[:4]),
        "fired": {firing.rule: firing.strength.value for firing in evaluated.firings},
    }
