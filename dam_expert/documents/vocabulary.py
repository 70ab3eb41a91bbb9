"""The closed public words of the project: axes, terms, bottlenecks, tracks and statuses.

They are literal types, so that the published JSON Schemas list them and a misspelt one is an error at the door.
What a bottleneck means, which region and term it has, is knowledge (``knowledge/axes.yaml``).
"""

from __future__ import annotations

from typing import Final, Literal, get_args

Axis = Literal["data", "algorithm", "machine"]
#: A variable of the iron law, or what stands beside it.
Term = Literal["data_movement", "compute", "latency", "fit", "learning"]
Bottleneck = Literal[
    "input",
    "transfer",
    "memory",
    "compute",
    "serial",
    "host",
    "queue",
    "communication",
    "capacity",
    "quality",
    "none",
]
#: What the target that was missed is about.
Track = Literal["time", "cost", "fit", "quality"]
Prior = Literal["common", "usual", "rare"]
HypothesisStatus = Literal["confirmed", "conflicting", "supported", "candidate", "refuted"]
DiagnosisStatus = Literal["resolved", "conflicting", "confirmed", "no_fault", "supported", "undetermined"]
#: What a rule may say of a hypothesis.
#: What a measurement can be taken of one by one; its values are then told apart by the member.
ScopeKey = Literal["device", "rank", "disk", "process", "stage"]
EvidenceVerb = Literal["suggest", "support", "weaken", "refute", "confirm"]

AXES: Final[tuple[Axis, ...]] = get_args(Axis)
BOTTLENECKS: Final[tuple[Bottleneck, ...]] = get_args(Bottleneck)
TRACKS: Final[tuple[Track, ...]] = get_args(Track)
#: Those on which nothing is gained in time. A met target of another one says nothing of a failure there.
APART: Final[tuple[Track, ...]] = ("fit", "quality")
SCOPES: Final[tuple[ScopeKey, ...]] = get_args(ScopeKey)
#: Those that a job consists of side by side; a stage is a part of its time.
PARTS: Final[frozenset[ScopeKey]] = frozenset(SCOPES) - {"stage"}
#: What tells apart members of several machines; alone it is another machine, which need not belong to the job.
HOSTS: Final = frozenset({"host", "node", "instance", "pod"})
HYPOTHESIS_STATUSES: Final[tuple[HypothesisStatus, ...]] = get_args(HypothesisStatus)
