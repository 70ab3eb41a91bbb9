"""What is remembered from one evaluation to the next: by all that it rests on, and never more than so much."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

_K = TypeVar("_K", bound="Hashable")
_T = TypeVar("_T")


def remembered(memory: dict[_K, _T], key: _K, most: int, make: Callable[[], _T]) -> _T:
    """Return what is remembered under a key, made where nothing is; a full memory is emptied first.

    >>> memory = {}
    >>> [remembered(memory, word, 2, lambda: len(memory)) for word in "abacb"], memory
    ([0, 1, 0, 0, 1], {'c': 0, 'b': 1})
    """
    if key not in memory:
        if len(memory) >= most:
            memory.clear()
        memory[key] = make()
    return memory[key]
