"""Finds the constraint that binds in a machine-learning system: data, algorithm or machine.

What binds is named only once a measurement that could have refuted it has confirmed it; until then the diagnosis
says which measurement would decide. The same as the command ``dam``, as a library:

>>> from dam_expert import load_knowledge
>>> base, problems = load_knowledge()
>>> sorted(base.axes)
['algorithm', 'data', 'machine']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dam_expert._version import __version__

if TYPE_CHECKING:
    from dam_expert.batch.many import diagnose_many
    from dam_expert.documents.diagnosis import Diagnosis
    from dam_expert.documents.incident import Incident
    from dam_expert.engine.diagnose import diagnose
    from dam_expert.kb.load import load_knowledge

__all__ = ["Diagnosis", "Incident", "__version__", "diagnose", "diagnose_many", "load_knowledge"]

_HOMES = {
    "Diagnosis": "dam_expert.documents.diagnosis",
    "Incident": "dam_expert.documents.incident",
    "diagnose": "dam_expert.engine.diagnose",
    "diagnose_many": "dam_expert.batch.many",
    "load_knowledge": "dam_expert.kb.load",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Import a public name when it is first used: ``dam --help`` must not pay for it."""
    if name not in _HOMES:
        raise AttributeError(f"module 'dam_expert' has no attribute '{name}'")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
