r"""``kubectl describe pod``: what a container may use, how often it restarted, and whether the system killed it.

Limits and requests are cores (``500m`` is half of one) and bytes (``16Gi``). Exit code 137 alone may be any kill; only
the reason ``OOMKilled`` says that memory was short. Names, images, arguments and environment are not read.

>>> from dam_expert.readers.source import Source
>>> raw = b'''Name:         trainer-0
... Containers:
...   main:
...     Last State:     Terminated
...       Reason:       OOMKilled
...     Restart Count:  3
...     Limits:
...       cpu:             500m
...       memory:          16Gi
...       nvidia.com/gpu:  8'''
>>> reading = KubectlReader().read(Source.of_bytes("pod.txt", raw))
>>> [(found.measurement, found.value if isinstance(found.value, str) else found.value.lo)
...  for found in reading.observations][:3]
[('allocation_state', 'host_killed'), ('container_restarts', 3.0), ('container_cpu_limit', 0.5)]
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.content import each_line, known
from dam_expert.readers.interface import Reading, Teller

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.messages import Message
    from dam_expert.documents.observations import Observation
    from dam_expert.readers.source import Source

_POD = re.compile(r"(?m)^\W{0,3}Name:\s+\S+\s*$")
_STATE = re.compile(r"(?m)^[ \t]*(?:Restart Count|Ready|Container ID|Image ID):\s")
_PART = re.compile(
    r"(?m)^[ \t]*(?:Last )?State:[ \t]+(?:Terminated|Waiting)[ \t\r]*\n[ \t]*Reason:[ \t]+[A-Z]\w+[ \t\r]*$"
)
_SECTION = re.compile(r"(?m)^[ \t]*(?:Init )?Containers:[ \t\r]*$")
_ROW = re.compile(r"^([\w./ -]{1,60}):(?:\s+(.*))?$")
_QUANTITY = re.compile(r"^(\d+(?:\.\d+)?)(m|k|Ki|M|Mi|G|Gi|T|Ti|P|Pi|e\d{1,2})?$")
_FACTORS = {
    "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15,
    "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50,
}  # fmt: skip
_DEVICES = re.compile(r"^(?:nvidia\.com/(?:gpu|mig-\S+)|amd\.com/gpu|aws\.amazon\.com/neuron\w*|google\.com/tpu)$")
_EVENT = re.compile(r"^(?:Warning)\s+(FailedScheduling|Evicted|BackOff|Unhealthy|FailedMount|OOMKilling|Preempted)\b")
_HINTS = {
    "FailedScheduling": "no node had room: the pod waited for a place",
    "Evicted": "the node evicted the pod",
    "BackOff": "the container is started again and again",
    "Unhealthy": "probes failed",
    "FailedMount": "a volume could not be mounted",
    "OOMKilling": "the node killed for memory",
    "Preempted": "another pod took its place",
}
_OWN = frozenset({"Command", "Args", "Environment"})
_SECTIONS = _OWN | {"Limits", "Requests", "State", "Last State", "Mounts", "Ready", "Liveness", "Readiness"}
_AFTER_OWN = frozenset({"State", "Mounts", "Environment", "Args", "Conditions", "Volumes"})
_ONCE = frozenset({"Container ID", "Image", "State", "Ready", "Restart Count"})


@dataclasses.dataclass(frozen=True, slots=True)
class KubectlReader:
    """Reads the description of one pod or several."""

    tool: str = "kubectl"
    title: str = "kubectl describe pod"
    versions: str = "Kubernetes 1.2x and 1.3x"

    def recognises(self, source: Source) -> bool:
        """Whether the head has a name, containers and the state of one, or what is pasted of one: its last state."""
        return _PART.search(source.head_text) is not None or all(
            pattern.search(source.head_text) for pattern in (_POD, _SECTION, _STATE)
        )

    def read(self, source: Source) -> Reading:
        """Return limits, requests, restarts and kills of the containers."""
        tell, pods = Teller(file=source.shown, tool=self.tool), _Pods()
        messages: list[Message] = []
        for line, text in each_line(source, tell, messages):
            pods.take(line, text)
        found = tuple(pods.observations(tell))
        for event, line in pods.events.items():
            messages.append(tell.note(f"event-{event.lower()}", f"an event says: {_HINTS[event]}", line=line))
        if not found:
            text = "no container in it has limits, requests or restarts"
            messages.append(tell.warn("no-samples", text, hint="pass all that 'kubectl describe pod NAME' prints"))
        return tell.reading(observations=found, messages=tuple(messages), lines_read=pods.seen)


@dataclasses.dataclass(slots=True)
class _Container:
    """One container: quantities by section and resource, with lines."""

    values: dict[str, tuple[float, int]] = dataclasses.field(default_factory=dict)
    killed: int | None = None


@dataclasses.dataclass(slots=True)
class _Pods:
    """The state between lines: the container and section that rows belong to."""

    containers: list[_Container] = dataclasses.field(default_factory=list)
    section: str = ""
    events: dict[str, int] = dataclasses.field(default_factory=dict)
    seen: int = 0
    _within: bool = False
    _met: set[str] = dataclasses.field(default_factory=set)

    def take(self, line: int, text: str) -> None:
        self.seen += 1
        event = _EVENT.match(text)
        if event is not None:
            self.events.setdefault(event[1], line)
            return
        row = _ROW.match(text)
        if row is None:
            return
        name, value = row[1].strip(), (row[2] or "").strip()
        if self.section in _OWN and name not in _AFTER_OWN:
            return  # arguments and environment are the user's: they may look like anything
        if name in {"Containers", "Init Containers"} and not value:
            self._within = True
            self._begin()
        elif name in {"Conditions", "Volumes", "Events"} and not value:
            self._within = False
            self.section = ""
        elif self._within or (not self.containers and name in {"State", "Last State"}):
            if not self.containers:  # only a part of one container was pasted
                self._within = True
                self._begin()
            self._of_container(line, name, value)

    def _begin(self) -> None:
        self.containers.append(_Container())
        self.section, self._met = "", set()

    def _of_container(self, line: int, name: str, value: str) -> None:
        if name in _ONCE:
            if name in self._met:  # the names of containers are free: the next one shows by what comes again
                self._begin()
            self._met.add(name)
        container = self.containers[-1]
        if name in _SECTIONS:
            self.section = name
        elif name == "Reason":
            if value == "OOMKilled":
                container.killed = container.killed or line
        elif name == "Restart Count":
            self._keep(container, "restarts", known(value), line)
        elif self.section in {"Limits", "Requests"}:
            what = "devices" if _DEVICES.match(name) else f"{self.section} {name}"
            if name in {"cpu", "memory"} or what == "devices":
                self._keep(container, what, quantity(value), line)

    def _keep(self, container: _Container, what: str, value: float | None, line: int) -> None:
        if value is not None:
            container.values.setdefault(what, (value, line))

    def observations(self, tell: Teller) -> Iterator[Observation]:
        """Yield what holds for the containers, told apart by number where there are several with limits."""
        killed = next((each.killed for each in self.containers if each.killed is not None), None)
        if killed is not None:
            yield tell.observe("allocation_state", "host_killed", line=killed, detail="reason OOMKilled")
        for number, container in enumerate(self.containers):
            if "restarts" in container.values:
                value, line = container.values["restarts"]
                scope = (("process", str(number)),) if len(self.containers) > 1 else ()
                yield tell.observe(
                    "container_restarts", Interval.point(value), scope=scope, line=line, detail="restart count"
                )
        largest = self._largest()
        for measurement, what in (
            ("container_cpu_limit", "Limits cpu"),
            ("container_cpu_request", "Requests cpu"),
            ("container_memory_limit", "Limits memory"),
            ("device_count", "devices"),
        ):
            if largest is not None and what in largest.values:
                value, line = largest.values[what]
                detail = (
                    "of the container with the most devices and memory" if len(self.containers) > 1 else what.lower()
                )
                yield tell.observe(measurement, Interval.point(value), line=line, detail=detail)

    def _largest(self) -> _Container | None:
        """Return the container that does the work: side-cars have no devices and little memory."""

        def size(container: _Container) -> tuple[float, float]:
            devices, memory = container.values.get("devices"), container.values.get("Limits memory")
            return (devices or (0.0, 0))[0], (memory or (0.0, 0))[0]

        return max(self.containers, key=size, default=None)


def quantity(text: str) -> float | None:
    """Return a quantity of the cluster in cores or bytes, None for anything else.

    >>> quantity("500m"), quantity("16Gi"), quantity("1e3"), quantity("<none>")
    (0.5, 17179869184.0, 1000.0, None)
    """
    found = _QUANTITY.match(text.strip())
    if found is None:
        return None
    unit = found[2] or ""
    if unit.startswith("e"):
        return known(text.strip())
    return known(float(found[1][:40]) * _FACTORS.get(unit, 1.0))
