"""Free-text incident reports: text in, observations out. No language model: aliases, numbers, phrases and topics.

Every observation carries its place, its basis (reported or said) and how it was read; what is ambiguous becomes a
question. The words are in ``knowledge/prose``.
"""

from dam_expert.prose.joining import joined_with, said_of
from dam_expert.prose.recognise import is_report
from dam_expert.prose.report import read_report
from dam_expert.prose.understood import Understanding
from dam_expert.prose.vocabulary import Vocabulary, load_vocabulary

__all__ = [
    "Understanding",
    "Vocabulary",
    "is_report",
    "joined_with",
    "load_vocabulary",
    "read_report",
    "said_of",
]
