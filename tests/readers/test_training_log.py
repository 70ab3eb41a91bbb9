"""Training logs: dialects, warm-up, running means, progress bars, trends, losses."""

from __future__ import annotations

import pytest
from readers.traces import codes, values
from readers.training_texts import (
    DEEPSPEED,
    DEEPSPEED_OLD,
    HF_STDOUT,
    IMAGENET,
    MEGATRON,
    MM_JSON,
    MMENGINE,
    OOM_NEW,
    OTHER_LOGS,
    TIMM,
    TORCHTITAN,
    TQDM,
    TQDM_FAST,
    lines,
)

from dam_expert.readers.source import Source
from dam_expert.readers.training_log import TrainingLogReader
from dam_expert.readers.training_log.log import TOTALS, Log
from dam_expert.readers.training_log.track import RECORDS, Record, Track


def read(text: str):
    source = Source.of_bytes("train.log", text.encode())
    assert TrainingLogReader().recognises(source)
    return TrainingLogReader().read(source)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        pytest.param(
            IMAGENET,
            {"step_time": (1.25 * 21 - 20) / 20, "input_wait_time": (0.6 * 21 - 10) / 20, "steps_captured": 20},
            id="running means since the start of the epoch are differenced",
        ),
        pytest.param(TIMM, {"step_time": 0.4, "input_wait_share": 0.25, "throughput": 700.0}, id="timm"),
        pytest.param(
            MEGATRON,
            {
                "step_time": 0.8 / 6,
                "step_time_spread": 1.5,
                "step_time_trend": 2.0,
                "device_flops_rate": 4e14,
                "global_batch_size": 256,
                "throughput": 256 / (0.8 / 6),
            },
            id="Megatron, the first iteration compiles",
        ),
        pytest.param(
            TORCHTITAN,
            {
                "device_token_rate": 4000.0,
                "mfu": 0.25,
                "device_flops_rate": 2.5e14,
                "memory_reserved": 40 * 2.0**30,
                "device_memory_total": 80 * 2.0**30,
            },
            id="torchtitan with colours, thousands commas and N/A",
        ),
        pytest.param(
            MMENGINE,
            {"step_time": 0.4, "input_wait_share": 0.25, "steps_captured": 50, "memory_allocated": 2.0**30},
            id="MMEngine; validation is passed over",
        ),
        pytest.param(
            MM_JSON, {"step_time": 0.4, "input_wait_share": 0.25, "steps_captured": 50}, id="MMEngine JSON lines"
        ),
        pytest.param(TQDM, {"step_time": (0.975, 1.025), "training_loss": 0.4}, id="tqdm, s/it, known to a second"),
        pytest.param(TQDM_FAST, {"step_time": 0.05}, id="tqdm, it/s"),
        pytest.param(
            HF_STDOUT,
            {"step_time": 0.5, "throughput": 16.0, "heldout_loss": 0.75, "learning_rate_late_share": 0.5},
            id="HF Trainer, strings and numbers",
        ),
        pytest.param(
            DEEPSPEED,
            {
                "forward_time": 0.01,
                "backward_time": 0.03,
                "reduction_time": 0.002,
                "update_time": 0.005,
                "step_time": 0.35,
            },
            id="DeepSpeed",
        ),
        pytest.param(
            DEEPSPEED_OLD,
            {"forward_time": 0.01, "reduction_time": 0.002, "throughput": 7.4, "memory_allocated": 19 * 2.0**30},
            id="DeepSpeed, older names",
        ),
        *(pytest.param(text, known, id=name) for name, (text, known) in OTHER_LOGS.items()),
    ],
)
def test_dialects(text, known):
    """Each dialect gives its step time, wait, rates and memory in canonical units."""
    reading = read(text)
    found = values(reading)
    for measurement, value in known.items():
        assert found[measurement] == pytest.approx(value, rel=1e-6), measurement
    assert reading.lines_not_understood == 0


def test_the_wait_is_divided_by_its_own_step():
    """With single values for the wait and for the rest, the step is their sum."""
    assert values(read("[1/10][20/300] Data 0.500s(0.500s) |Net 1.500s"))["input_wait_share"] == 0.25


def test_not_available_is_unknown():
    """An MFU of N/A gives no observation, never 0."""
    assert "mfu" not in values(read(TORCHTITAN.replace("25.00%", "N/A")))


def test_a_share_beyond_a_whole_is_rejected():
    """A wait longer than the step is shown as rejected."""
    text = "Epoch [1][1050/29317]\tlr: 2.0e-02, time: 0.4, data_time: 0.9, memory: 1, loss: 1.0"
    (share,) = [found for found in read(text).observations if found.measurement == "input_wait_share"]
    assert (share.value, share.given) == (None, "2.25")


def losses(*numbers: object) -> str:
    return lines("iter {n}: loss {loss}, time 100.00ms, mfu 30.00%", range(len(numbers)), loss=list(numbers))


def test_the_course_of_the_loss_is_measured_and_not_judged():
    """First and last tenth, and a line through the last half; no trend is named."""
    found = values(read(losses(*[10.0 - number / 2 for number in range(20)])))
    assert found["training_loss_early"] == 9.75
    assert found["training_loss"] == 0.75
    assert found["loss_change_late"] == pytest.approx(-4.5 / 2.75)
    assert found["loss_noise_late"] == pytest.approx(0.0, abs=1e-9)
    assert "loss_trend" not in found


def test_a_loss_that_is_no_number_to_the_end_diverges():
    """NaN in all last entries is divergence by definition; a single one amid numbers is not."""
    log = "{{'loss': {loss}, 'learning_rate': 1e-05, 'epoch': 0.1}}"
    ended = lines(log, range(4), loss=[2.0, 1.0, "nan", "nan"])
    amid = lines(log, range(4), loss=[2.0, "nan", 1.5, 1.0])
    assert values(read(ended))["loss_trend"] == "diverging"
    assert "training_loss" not in values(read(ended))
    assert "loss_trend" not in values(read(amid))


def test_too_few_entries_have_no_line():
    """Fewer than sixteen entries say nothing of a trend of the loss."""
    assert "loss_change_late" not in values(read(losses(*range(1, 14))))


def test_a_failed_allocation_at_the_end_of_a_log_is_read():
    """The log and the message give their own observations, the message under the tool that is trusted more."""
    reading = read(MEGATRON + "\nTraceback (most recent call last):\n[rank3]: " + OOM_NEW)
    tools = {found.measurement: found.origin.tool for found in reading.observations}
    assert tools["step_time"] == "framework_log"
    assert tools["allocation_state"] == tools["memory_requested"] == "allocator_message"


def test_bars_of_other_work_are_not_training():
    """Loading, evaluation and downloads have bars as well."""
    loading = "Loading checkpoint shards: 100%|##########| 2/2 [00:50<00:00, 25.0s/it]"
    text = f"{loading}\nEvaluating: 9%|# | 1/10 [00:05<00:09,  5.00s/it]"
    assert not TrainingLogReader().recognises(Source.of_bytes("x", text.encode()))


def test_a_bar_without_a_rate_is_unknown():
    """The first state of a bar shows a question mark."""
    assert values(read("  0%|          | 0/1000 [00:00<?, ?it/s]")) == {}
    assert codes(read("  0%|          | 0/1000 [00:00<?, ?it/s]")) == {"no-step-time"}


def test_a_marked_line_without_values_is_counted():
    """A line of a dialect that holds nothing readable is not understood."""
    text = MEGATRON + "\n iteration 9/ 1000 | elapsed time per iteration (ms): ? |"
    reading = read(text)
    assert reading.lines_not_understood == 1
    assert codes(reading) == {"lines-not-understood"}


def test_prose_is_no_log():
    """A report in words is left to others."""
    text = b"Training takes 3 s per step and the loss is 2.0. Time was lost (1.5 hours). We saw 120/1000."
    assert not TrainingLogReader().recognises(Source.of_bytes("x", text))


def test_a_long_log_is_thinned_evenly():
    """Beyond a bound every second record is dropped, so that memory stays bounded and the whole run is covered."""
    track = Track()
    for number in range(3 * RECORDS):
        track.add(Record(line=number, values={"step_time": 1.0, "step": float(number)}))
    kept = [record.line for record in track.records]
    assert len(kept) < RECORDS
    assert kept[0] == 0
    assert kept[-1] >= 3 * RECORDS - 8


def test_bars_of_ever_new_lengths_are_not_all_remembered():
    """A log in which every bar has a length of its own takes no memory without end; the first bars keep counting."""
    log = Log()
    for total in range(2, 3 * TOTALS):
        log.take(total, f" 50%|#####     | 1/{total} [00:01<00:01,  1.00s/it]")
    log.take(9000, " 50%|#####     | 1/2 [00:01<00:01,  1.00s/it]")
    assert len(log.bars) == TOTALS
    assert len(log.bars[2]) == 2
