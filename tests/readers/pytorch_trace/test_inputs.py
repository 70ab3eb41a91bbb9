"""What counts as waiting for inputs."""

from __future__ import annotations

import pytest
from readers.traces import Trace, read, values

MS = 1000.0


def step(length: float = 100 * MS) -> Trace:
    """One step whose second half is device work."""
    return Trace().step(1, 0, length).kernels(length / 2, length / 40, 20, length / 40)


@pytest.mark.parametrize(
    "name",
    [
        "transformers/models/videomae/image_processing_videomae.py(300): preprocess",
        "transformers/image_processing_utils.py(40): __call__",
        "site-packages/torchvision/transforms/functional.py(12): resize",
        "PIL/Image.py(3000): open",
        "app/loader.py(12): read_video_pyav",
        "torch/utils/data/dataloader.py(703): __next__",
    ],
)
def test_python_frames_that_name_input_work_count(name):
    """With stacks recorded, preprocessing needs no data loader to be seen."""
    found = values(read(step().add("python_function", name, 0, 40 * MS)))
    assert found["input_wait_share"] == 0.4
    assert found["input_gap_share"] == 0.4


@pytest.mark.parametrize(
    "name",
    [
        "nn.Module: ViTModel_0",
        "transformers/models/vit/modeling_vit.py(592): forward",
        "vllm/v1/worker/gpu_model_runner.py(2814): _preprocess",
        "transformers/models/owlv2/image_processing_owlv2.py(400): post_process_object_detection",
    ],
)
def test_python_frames_of_the_model_do_not_count(name):
    """Forward Python before the first launch is host time."""
    found = values(read(step().add("python_function", name, 0, 40 * MS)))
    assert found["input_wait_share"] == 0.0


def test_frames_that_launch_kernels_do_not_count():
    """Preprocessing on the device is device work."""
    trace = step().add("python_function", "PIL/Image.py(1): open", 0, 40 * MS).kernel(20 * MS, 5)
    assert values(read(trace))["input_wait_share"] == 0.0


@pytest.mark.parametrize(
    "name",
    ["[pl][profile][_TrainingEpochLoop].train_dataloader_next", "data_loading", "get_batch", "preprocess"],
)
def test_annotations_that_name_input_work_count(name):
    """Loops that annotate their own loading are understood."""
    assert values(read(step().mark(name, 0, 30 * MS)))["input_wait_share"] == 0.3


def test_a_prefetching_thread_keeps_nobody_waiting():
    """Loader marks of another thread than the steps' are no wait."""
    assert values(read(step().loader(0, 40 * MS, tid=8)))["input_wait_share"] == 0.0


def test_overlapping_signs_are_counted_once():
    """Loader, frame and operator of the same wait are one wait."""
    trace = step().loader(0, 40 * MS).op("image::decode_jpeg", 5 * MS, 10 * MS)
    assert values(read(trace))["input_wait_share"] == 0.4


@pytest.mark.parametrize(
    ("operators", "copied_first", "share"),
    [
        pytest.param(40 * MS, True, 0.45, id="full of operators before a copy"),
        pytest.param(5 * MS, True, 0.0, id="mostly something else"),
        pytest.param(40 * MS, False, 0.0, id="no copy to the device"),
    ],
)
def test_a_long_stretch_of_operators_before_the_first_copy_counts(operators, copied_first, share):
    """Unnamed preprocessing shows as host operators without launches, ended by a copy to the device."""
    trace = step().op("aten::stack", 1 * MS, operators)
    if copied_first:
        trace.copy(46 * MS, 1 * MS, called=(45 * MS, 100))
    assert values(read(trace))["input_wait_share"] == share


def test_a_short_stretch_before_the_first_copy_is_host_time():
    """What is of the scale of launch overhead is not called input."""
    trace = step(2 * MS).op("aten::to", 0, 800).copy(810, 10, called=(800, 5))
    assert values(read(trace))["input_wait_share"] == 0.0


def test_a_wait_that_device_work_hides_gains_nothing():
    """The gap share counts only what the device idles."""
    trace = Trace().step(1, 0, 1000).loader(0, 400).kernels(0, 20, 10, 20).kernels(400, 60, 10, 60)
    found = values(read(trace))
    assert (found["input_wait_share"], found["input_gap_share"]) == (0.4, 0.2)
