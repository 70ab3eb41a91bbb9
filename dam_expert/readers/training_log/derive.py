"""From the records of a training log to observations: step time, wait for input, rates, memory, loss."""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import TYPE_CHECKING

from dam_expert.documents.intervals import Interval
from dam_expert.readers.series import checked
from dam_expert.readers.training_log.loss import loss_observations, rate_observations
from dam_expert.readers.training_log.track import Mean, Track, by_step, drift, entries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dam_expert.documents.observations import Observation
    from dam_expert.readers.interface import Teller
    from dam_expert.readers.training_log.log import Log
    from dam_expert.readers.training_log.progress import Bar

CLOCK = 1.0
"""Progress bars show whole seconds: between two states the time is known to one second."""

PRECISE = 10.0
"""Seconds between two states of a bar beyond which the clock's error is below that of the rate that it shows."""

_MEANS = {
    "throughput": "throughput",
    "token_rate": "token_rate",
    "device_token_rate": "device_token_rate",
    "device_flops_rate": "device_flops_rate",
    "mfu": "mfu",
    "forward_time": "forward_time",
    "backward_time": "backward_time",
    "reduction_time": "reduction_time",
    "update_time": "update_time",
}
_RATES = ("throughput", "token_rate", "device_token_rate")
_NOTES = {
    "mfu": "against the peak in the program's own table",
    "device_flops_rate": "model operations as the program counts them, 2 per multiply-accumulate",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Derivation:
    """Says what a log tells, through one teller."""

    log: Log
    tell: Teller

    def observations(self) -> Iterator[Observation]:
        """Yield everything that the log tells."""
        if self.log.tracks:
            yield self.tell.observe("workload_kind", "training", line=self._first(), detail="lines of a training loop")
        yield from self._times()
        yield from self._drift()
        yield from self._rates()
        yield from self._memory()
        yield from self._learning()

    def _first(self) -> int:
        return min(track.records[0].line for track in self.log.tracks.values())

    def _said(self, measurement: str, mean: Mean, value: float | None = None) -> Observation:
        note = f"; {_NOTES[measurement]}" if measurement in _NOTES else ""
        number = mean.value if value is None else value
        return checked(self.tell, measurement, number, (), mean.line, mean.detail + note)

    def _times(self) -> Iterator[Observation]:
        step, wait = self._step(), self._wait()
        if step is not None:
            yield self._said("step_time", step)
            if math.isfinite(step.steps):
                yield self._said("steps_captured", step, step.steps)
        elif (bar := self._bar()) is not None:
            yield bar
        elif (track := self.log.track("total_step_rate")) is not None:
            last = track.having("total_step_rate")[-1]
            if last.values["total_step_rate"] > 0:
                time = Interval.point(1.0 / last.values["total_step_rate"])
                detail = "steps per second of the whole run, warm-up, evaluation and checkpoints included"
                yield self.tell.observe("step_time", time, line=last.line, detail=detail)
        if wait is not None:
            yield self._said("input_wait_time", wait)
            if step is not None and step.value > 0:
                yield self._said("input_wait_share", wait, wait.value / step.value)

    def _step(self) -> Mean | None:
        """Return the mean step time of the track that logs it."""
        log = self.log
        track = log.track("step_time_mean")
        if track is not None and (mean := track.unrolled("step_time_mean")) is not None:
            return mean
        if (track := log.track("network_time", "data_time")) and not track.having("step_time"):
            both = track.mean("network_time"), self._wait()
            if both[0] is not None and both[1] is not None:
                return dataclasses.replace(both[0], value=both[0].value + both[1].value)
        if (track := log.track("step_time")) is not None:
            return track.mean("step_time")
        if (track := log.track("step_rate")) is not None:
            return _inverse(track, "step_rate")
        return None

    def _wait(self) -> Mean | None:
        """Return the mean wait for input, over the same records as the step time where one line holds both."""
        log = self.log
        track = log.track("data_time_mean")
        if track is not None and (mean := track.unrolled("data_time_mean")) is not None:
            return mean
        track = log.track("data_time", "step_time") or log.track("data_time")
        return None if track is None else track.mean("data_time")

    def _bar(self) -> Observation | None:
        """Return the step time that the progress bar with the most states shows, as an interval of its clock."""
        states = max(self.log.bars.values(), key=len, default=[])
        taken = spent = 0.0
        for (_, before), (_, after) in itertools.pairwise(states):
            if after.done > before.done and after.elapsed >= before.elapsed:
                taken += after.done - before.done
                spent += after.elapsed - before.elapsed
        shown = [bar.seconds for _, bar in states if bar.seconds is not None and math.isfinite(bar.seconds)]
        if spent >= PRECISE and taken:
            parts = 1 + sum(after.done <= before.done for (_, before), (_, after) in itertools.pairwise(states))
            value = Interval(max(spent - parts * CLOCK, 0.0) / taken, (spent + parts * CLOCK) / taken)
            detail = f"{taken:g} steps of a progress bar in {spent:g} s"
        elif shown:
            value = Interval.point(sorted(shown)[len(shown) // 2])
            detail = f"median of the smoothed rate in {len(shown)} states of a progress bar"
        else:
            return None
        return self.tell.observe("step_time", value, line=states[0][0], detail=detail)

    def _drift(self) -> Iterator[Observation]:
        """Yield how step times change over the run, and how far the longest stands out where every step is logged."""
        log = self.log
        if (track := log.track("step_time")) is not None:
            found = track.warm("step_time")
            steps, times = by_step(found, "step_time")
            yield from self._ratio(drift(times), found[0].line, "mean of the last third over that of the first")
            single = all(after - before == 1 for before, after in itertools.pairwise(steps))
            middle = sum(times) / len(times)
            if single and len(times) >= 6 and middle > 0:
                detail = f"longest of {len(times)} steps over their mean"
                spread = Interval.point(max(times) / middle)
                yield self.tell.observe("step_time_spread", spread, line=found[0].line, detail=detail)
            return
        for quantity in _RATES:
            if (track := log.track(quantity)) is not None:
                found = track.warm(quantity)
                slowed = drift([1 / rate for rate in by_step(found, quantity)[1] if rate > 0])
                yield from self._ratio(slowed, found[0].line, f"from {quantity}, last third against the first")
                return

    def _ratio(self, value: float | None, line: int, detail: str) -> Iterator[Observation]:
        if value is not None and math.isfinite(value):
            yield self.tell.observe("step_time_trend", Interval.point(value), line=line, detail=detail)

    def _rates(self) -> Iterator[Observation]:
        log = self.log
        for quantity, measurement in _MEANS.items():
            mean = track.mean(quantity) if (track := log.track(quantity)) is not None else None
            if mean is not None:
                yield self._said(measurement, mean)
        for quantity, measurement in (("total_throughput", "throughput"), ("total_token_rate", "token_rate")):
            if log.track(measurement) is not None or (track := log.track(quantity)) is None:
                continue
            last = track.having(quantity)[-1]
            yield checked(self.tell, measurement, last.values[quantity], (), last.line, "mean of the whole run")
        if (track := log.track("global_batch_size", "step_time")) is not None:
            batch, time = track.having("global_batch_size")[-1], track.mean("step_time")
            size = Interval.point(batch.values["global_batch_size"])
            yield self.tell.observe("global_batch_size", size, line=batch.line, detail="last in the log")
            if time is not None and time.value > 0 and log.track("throughput") is None:
                yield self._said("throughput", time, batch.values["global_batch_size"] / time.value)

    def _memory(self) -> Iterator[Observation]:
        for quantity in ("memory_allocated", "memory_reserved"):
            if (track := self.log.track(quantity)) is not None:
                top = max(track.having(quantity), key=lambda record: record.values[quantity])
                yield checked(self.tell, quantity, top.values[quantity], (), top.line, "largest peak in the log")
        if (track := self.log.track("memory_reserved", "memory_share")) is not None:
            top = max(track.having("memory_reserved", "memory_share"), key=lambda record: record.values["memory_share"])
            if top.values["memory_share"] > 0:
                total = top.values["memory_reserved"] / top.values["memory_share"]
                yield checked(self.tell, "device_memory_total", total, (), top.line, "reserved over its share")

    def _learning(self) -> Iterator[Observation]:
        log = self.log
        if (track := log.track("loss")) is not None:
            yield from loss_observations([(each.line, each.values["loss"]) for each in track.having("loss")], self.tell)
        elif (states := _bars_with_loss(log)) is not None:
            yield from loss_observations(states, self.tell)
        if (track := log.track("learning_rate")) is not None:
            pairs = [(each.line, each.values["learning_rate"]) for each in track.having("learning_rate")]
            yield from rate_observations(pairs, self.tell)
        if (track := log.track("heldout_loss")) is not None:
            last = track.having("heldout_loss")[-1]
            if math.isfinite(last.values["heldout_loss"]):
                point = Interval.point(last.values["heldout_loss"])
                yield self.tell.observe("heldout_loss", point, line=last.line, detail="last evaluation")


def _bars_with_loss(log: Log) -> list[tuple[int | None, float]] | None:
    states: list[tuple[int, Bar]] = max(log.bars.values(), key=len, default=[])
    losses: list[tuple[int | None, float]] = [(line, bar.loss) for line, bar in states if bar.loss is not None]
    return losses or None


def _inverse(track: Track, quantity: str) -> Mean | None:
    """Return the mean time behind a rate: windows of as many steps each, so the mean of the reciprocals."""
    found = [record for record in track.warm(quantity) if record.values[quantity] > 0]
    if not found:
        return None
    times = [1.0 / record.values[quantity] for record in found]
    detail = f"reciprocal of the steps per second in {entries(len(found))}"
    return Mean(value=sum(times) / len(times), steps=track.steps(quantity, found), line=found[0].line, detail=detail)
