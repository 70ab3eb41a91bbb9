"""The incident document, ``dam-incident/1``: what goes in.

Its values (``incident_values``), its shape (``incident_model``), how it is read (``incident_reading``) and written
(``incident_writing``), gathered here.
"""

from dam_expert.documents.answering import absence_of, folded, value_of
from dam_expert.documents.incident_model import incident_schema
from dam_expert.documents.incident_reading import incident_from
from dam_expert.documents.incident_values import (
    SCHEMA,
    Absence,
    Effect,
    Incident,
    Intervention,
    Planned,
    Target,
    Track,
    Tried,
    Vocabulary,
)
from dam_expert.documents.incident_writing import canonical

__all__ = [
    "SCHEMA",
    "Absence",
    "Effect",
    "Incident",
    "Intervention",
    "Planned",
    "Target",
    "Track",
    "Tried",
    "Vocabulary",
    "absence_of",
    "canonical",
    "folded",
    "incident_from",
    "incident_schema",
    "value_of",
]
