"""What a Python stack is doing, by the functions and files that are on it.

Frames are written ``function (file)``. Only stacks of known libraries and of functions whose name says what they do are
told apart; everything else is other Python code. The first activity that fits counts.
"""

from __future__ import annotations

import dataclasses
import re

_ACTIVITIES = (
    (
        "compile",
        r"torch/_(?:dynamo|inductor|functorch)/|triton/compiler|jax/_src/(?:compiler|pjit)|(?:^|\.)_?compile \(",
    ),
    ("input_wait", r"(?:^|\.)_try_get_data \(|(?:^|\.)_get_data \(.*dataloader\.py"),
    ("collective_wait", r"distributed_c10d\.py|(?:^|\.)(?:barrier|all_reduce|allreduce|all_gather)\w* \("),
    ("device_wait", r"(?:^|\.)synchronize \(|block_until_ready \("),
    ("checkpoint", r"torch/serialization\.py|(?:^|\.)\w*(?:save|load)_checkpoint\w* \("),
    ("logging", r"torch/utils/tensorboard/|wandb/sdk/|(?:^|\.)(?:evaluate|validate|log_metrics) \("),
    (
        "input_work",
        r"torch/utils/data/|torchvision/(?:transforms|datasets|io)/|albumentations/|webdataset/|[/(]PIL/|[/(]datasets/(?:arrow|iterable|formatting|load)"
        r"|(?:^|\.)(?:__getitem__|_?worker_loop|decode\w*|imdecode|imread|collate\w*|augment\w*|prefetch\w*"
        r"|data_?loader|loader|load_(?:image|batch|sample)\w*) \(",
    ),
)
_PATTERNS = tuple((activity, re.compile(pattern)) for activity, pattern in _ACTIVITIES)
_INPUT_THREAD = re.compile(r"load|prefetch|pin_memory|worker|decode|reader", re.IGNORECASE)
_DECODE = re.compile(
    r"(?:^|\.)(?:\w*decode\w*|imread|augment\w*|transform\w*|tokenize\w*) \(|[/(]PIL/|torchvision/transforms/"
    r"|albumentations/|librosa/|soundfile|decord/|\(av/"
)
_WORKER = re.compile(r"(?:^|\.)_worker_loop \(")
_IDLE_WORKER = re.compile(
    r"(?:^|\.)(?:get|_recv|poll|wait|select|_poll) \((?:multiprocessing/|queue\.py|selectors\.py|threading\.py)"
)


@dataclasses.dataclass(frozen=True, slots=True)
class Stack:
    """One stack from its root to its leaf, with the name of its thread where it is known."""

    frames: tuple[str, ...]
    thread: str = ""

    @property
    def main(self) -> bool:
        """Whether it is of the main thread: named so, or rooted in a module and not in the threading machinery."""
        if self.thread:
            return self.thread == "MainThread"
        return bool(self.frames) and self.frames[0].startswith("<module>")

    @property
    def activity(self) -> str:
        """What it is doing; ``python`` where its frames do not say."""
        for activity, pattern in _PATTERNS:
            if any(pattern.search(frame) for frame in self.frames):
                return activity
        return "input_work" if self.thread and _INPUT_THREAD.search(self.thread) else "python"

    @property
    def of_worker(self) -> bool:
        """Whether it is of a loader worker that is not waiting for an order."""
        if not any(_WORKER.search(frame) for frame in self.frames):
            return False
        return not _IDLE_WORKER.search(self.frames[-1])

    @property
    def decodes(self) -> bool:
        """Whether a frame decodes or augments."""
        return any(_DECODE.search(frame) for frame in self.frames)
