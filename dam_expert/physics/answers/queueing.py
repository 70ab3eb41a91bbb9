"""How long requests wait at a stage, whether it can keep up, and what each lever would give at most.

Source beside those of :mod:`dam_expert.physics.queueing`: A. Allen, Probability, Statistics and Queueing Theory, 1990
(the wait at several servers scaled by both variations, Allen and Cunneen).
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from dam_expert.physics import queueing as theory
from dam_expert.physics.errors import PhysicsError
from dam_expert.physics.inputs import count, nonnegative, positive, refuse

_SCAN, _HALVINGS = 200, 50
_MOST_SERVERS = 10_000  # a bound on the work, not on what is reasonable


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage: arrivals per second, the service time of one request or batch, and how both vary.

    Variations are standard deviation over mean: 1 random (Poisson, exponential), 0 constant. With a batch above 1 the
    service time is that of the whole batch, and ``timeout_s`` is how long the first request waits for it to fill.
    """

    arrivals_per_s: float
    service_s: float
    servers: int = 1
    batch: int = 1
    timeout_s: float | None = None
    arrival_variation: float = 1.0
    service_variation: float = 1.0

    @property
    def is_random(self) -> bool:
        """Whether arrivals and service are those of M/M/c, for which percentiles are known."""
        return self.arrival_variation == 1 and self.service_variation == 1


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """The mean times of a stage in seconds; infinite where it cannot keep up. ``p99_s`` None where no theory has it.

    ``formation_s`` is the mean wait until a batch is full or times out, ``first_formation_s`` that of the request that
    opens it, ``queue_s`` that for a free server. The response is formation, queue and service.
    """

    load: float
    model: str
    formation_s: float
    first_formation_s: float
    queue_s: float
    service_s: float
    response_s: float
    p99_s: float | None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Lever:
    """A change of the stage, its waits after it, and the factor on the mean response; infinite from an endless one."""

    id: str
    after: Waits
    gain: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Little's law over three measured values: ``ratio`` is in_system / (arrivals x response), 1 where they agree."""

    in_system: float
    response_s: float
    ratio: float


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """A stage, its waits, the largest of their parts, and the levers, the best first.

    ``most_arrivals_per_s`` is the highest rate whose mean response still meets ``target_s``, 0 where none does, and
    ``least_arrivals_per_s`` the lowest from which on all do: batches fill slowly where little arrives. None without a
    target.
    """

    stage: Stage
    waits: Waits
    largest: str
    levers: tuple[Lever, ...]
    target_s: float | None
    most_arrivals_per_s: float | None
    least_arrivals_per_s: float | None
    flow: Flow | None

    @property
    def is_stable(self) -> bool:
        """Whether the stage can keep up with its arrivals."""
        return self.waits.load < 1


def waits(stage: Stage) -> Waits:
    """Return the waits of a stage. Q3 of the appendix: 60 requests per second of 12 ms at one server.

    >>> found = waits(Stage(arrivals_per_s=60, service_s=0.012))
    >>> found.model, round(found.load, 2), round(found.response_s * 1e3, 1)
    ('M/M/1', 0.72, 42.9)

    In batches of 16 that take 20 ms, without a timeout, the first request waits 250 ms for the others, and the mean one
    half of that.

    >>> found = waits(Stage(arrivals_per_s=60, service_s=0.020, batch=16))
    >>> round(found.load, 3), found.first_formation_s, found.formation_s
    (0.075, 0.25, 0.125)
    """
    rate, batch = float(positive("arrivals", stage.arrivals_per_s)), float(count("batch", stage.batch))
    service, servers = float(positive("service", stage.service_s)), float(count("servers", stage.servers))
    formation = float(theory.batch_wait_mean_s(rate, batch, stage.timeout_s))
    # A batch that times out holds what has arrived by then, and is taken to last as long as a full one.
    size = batch if stage.timeout_s is None else min(batch, 1 + rate * stage.timeout_s)
    batches = rate / size
    queue, model = _queue(batches, service, servers, stage, size)
    response = formation + queue + service
    return Waits(
        load=float(theory.utilization(batches, service, servers)),
        model=model,
        formation_s=formation,
        first_formation_s=float(theory.batch_wait_first_s(rate, batch, stage.timeout_s)),
        queue_s=queue,
        service_s=service,
        response_s=response,
        p99_s=_p99(rate, service) if model == "M/M/1" and batch == 1 and math.isfinite(response) else None,
    )


def _p99(rate: float, service: float) -> float:
    return float(theory.mm1_percentile_s(rate, service, 0.99))


def _queue(rate: float, service: float, servers: float, stage: Stage, size: float) -> tuple[float, str]:
    """Return the mean wait for a server and the model that gives it; the simplest that fits the variations."""
    arrivals, varies = stage.arrival_variation, stage.service_variation
    if stage.batch > 1:  # batches arrive more evenly than requests: gaps of k requests vary by 1 / sqrt(k)
        arrivals = arrivals / math.sqrt(size)
    if servers > 1:
        wait = float(theory.mmc_wait_s(rate, service, servers))
        factor = (float(nonnegative("arrival_variation", arrivals)) ** 2 + varies**2) / 2
        random = stage.is_random and stage.batch == 1
        return (wait, f"M/M/{servers:g}") if random else (_scaled(wait, factor), f"G/G/{servers:g}, Allen-Cunneen")
    if stage.batch == 1 and stage.arrival_variation == 1:
        name = {1.0: "M/M/1", 0.0: "M/D/1"}.get(varies, "M/G/1")
        return float(theory.mg1_wait_s(rate, service, varies)), name
    return _kingman(rate, service, arrivals, varies), "G/G/1, Kingman"


def _scaled(wait: float, factor: float) -> float:
    return wait * factor if factor else (math.inf if math.isinf(wait) else 0.0)


def _kingman(rate: float, service: float, arrivals: float, varies: float) -> float:
    wait = float(theory.kingman_wait_s(rate, service, arrivals, varies))
    return math.inf if math.isnan(wait) else wait


def _levers(stage: Stage, before: Waits) -> tuple[Lever, ...]:
    changed = {
        "half the service time": dataclasses.replace(stage, service_s=stage.service_s / 2),
        "one more server": dataclasses.replace(stage, servers=stage.servers + 1),
        "half the arrivals": dataclasses.replace(stage, arrivals_per_s=stage.arrivals_per_s / 2),
        "constant service time": dataclasses.replace(stage, service_variation=0.0),
    }
    if stage.batch > 1:
        shorter = stage.service_s if stage.timeout_s is None else stage.timeout_s / 2
        name = "a batching timeout of one service time" if stage.timeout_s is None else "half the batching timeout"
        changed[name] = dataclasses.replace(stage, timeout_s=shorter)
    found = []
    for name, each in changed.items():
        after = waits(each)
        both_endless = math.isinf(before.response_s) and math.isinf(after.response_s)
        gain = 1.0 if both_endless else before.response_s / after.response_s
        found.append(Lever(id=name, after=after, gain=gain))
    return tuple(sorted(found, key=lambda lever: (-lever.gain, lever.after.response_s, lever.id)))


def _arrivals_that_meet(stage: Stage, target_s: float) -> tuple[float, float]:
    """Return the lowest and the highest rate that meet the target, (0, 0) where none does.

    Scanned: the response falls with the rate where batches fill slowly, and rises again towards full load.
    """
    full = stage.servers * stage.batch / stage.service_s

    def meets(rate: float) -> bool:
        return waits(dataclasses.replace(stage, arrivals_per_s=rate)).response_s <= target_s

    def edge(inside: float, outside: float) -> float:
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if meets(middle) else (inside, middle)
        return inside

    steps = [step for step in range(1, _SCAN + 1) if meets(full * step / _SCAN)]
    if not steps:
        return (0.0, 0.0)
    most = edge(full * steps[-1] / _SCAN, full * (steps[-1] + 1) / _SCAN)
    least = (
        0.0 if meets(full / _SCAN / _SCAN) else edge(full * steps[0] / _SCAN, full * (steps[0] - 1) / _SCAN or 1e-12)
    )
    return (least, most)


def queue(
    stage: Stage, *, target_s: float | None = None, in_system: float | None = None, response_s: float | None = None
) -> Queue:
    """Return the answer for a stage. ``in_system`` and ``response_s`` are measured values to hold Little's law against.

    >>> queue(Stage(arrivals_per_s=400, service_s=0.012)).is_stable
    False
    """
    refuse("servers", np.asarray(stage.servers), np.asarray(stage.servers > _MOST_SERVERS),
           f"{{value}} are more than {_MOST_SERVERS}", "so large a pool is not one queue")  # fmt: skip
    for name, value in (("arrival_variation", stage.arrival_variation), ("service_variation", stage.service_variation)):
        nonnegative(name, value)
    if stage.timeout_s is not None:
        nonnegative("timeout", stage.timeout_s)
    if (in_system is None) != (response_s is None):
        raise PhysicsError("in_system", "Little's law needs both", "give the number in the system and the response")
    before = waits(stage)
    parts = {"batch formation": before.formation_s, "waiting for a server": before.queue_s, "service": before.service_s}
    flow = None
    if in_system is not None and response_s is not None:
        ratio = float(theory.littles_law_ratio(in_system, stage.arrivals_per_s, response_s))
        flow = Flow(in_system=in_system, response_s=response_s, ratio=ratio)
    least = most = None
    if target_s is not None:
        least, most = _arrivals_that_meet(stage, float(positive("target", target_s)))
    return Queue(
        stage=stage,
        waits=before,
        largest=max(parts, key=lambda name: parts[name]),
        levers=_levers(stage, before),
        target_s=target_s,
        most_arrivals_per_s=most,
        least_arrivals_per_s=least,
        flow=flow,
    )
