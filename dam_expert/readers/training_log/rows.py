r"""Lines of a training log that carry their own keys: dictionaries of the HF Trainer, and JSON lines.

>>> hf_row("2/16 [00:01<00:08]{'loss': '0.6972', 'learning_rate': 4.688e-05, 'epoch': '0.25'}")["loss"]
0.6972
>>> json_row('{"mode": "train", "iter": 50, "time": 0.4, "data_time": 0.01, "loss": 1.5}')["data_time"]
0.01
"""

from __future__ import annotations

import json
import math
import re

from dam_expert.readers.training_log.dialects import as_number

_ROW = re.compile(r"\{'[^{}]{1,4000}\}")
_PAIR = re.compile(r"'(\w{1,60})': '?([-+.\deE]{1,40}|nan|-?inf)'?[,}]")
_HF = {
    "loss": "loss",
    "learning_rate": "learning_rate",
    "eval_loss": "heldout_loss",
    "train_samples_per_second": "total_throughput",
    "train_steps_per_second": "total_step_rate",
    "train_runtime": "runtime",
    "train_tokens_per_second": "total_token_rate",
    "step": "step",
}
_JSON_BYTES = 16_384
_JSON = {
    "time": ("step_time", 1.0),
    "data_time": ("data_time", 1.0),
    "iter": ("step", 1.0),
    "iteration": ("step", 1.0),
    "step": ("step", 1.0),
    "epoch": ("epoch", 1.0),
    "loss": ("loss", 1.0),
    "total_loss": ("loss", 1.0),
    "lr": ("learning_rate", 1.0),
    "memory": ("memory_allocated", 2.0**20),
}


def hf_row(text: str) -> dict[str, float]:
    """Return the quantities of a line that the HF Trainer prints; version 5 writes numbers as strings."""
    found = _ROW.search(text)
    if found is None:
        return {}
    return hf_values(dict(_PAIR.findall(found[0])))


def hf_values(row: dict[str, object]) -> dict[str, float]:
    """Return the quantities in one row of the HF Trainer's history, nothing for a row of another program."""
    if not {"loss", "eval_loss", "train_runtime"} & row.keys():
        return {}
    values = {}
    for key, quantity in _HF.items():
        value = as_number(str(row[key])) if key in row and not isinstance(row[key], bool) else None
        if value is not None and (quantity == "loss" or math.isfinite(value)):
            values[quantity] = value
    return values


def json_row(text: str) -> dict[str, float]:
    """Return the quantities of one JSON line of MMEngine, MMCV or Detectron2; validation rows give nothing."""
    if not text.startswith("{") or '"data_time"' not in text or len(text) > _JSON_BYTES:
        return {}
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(row, dict) or row.get("mode", "train") != "train" or not {"loss", "total_loss"} & row.keys():
        return {}
    values = {}
    for key, (quantity, factor) in _JSON.items():
        value = as_number(str(row[key])) if isinstance(row.get(key), int | float) else None
        if value is not None and (quantity == "loss" or math.isfinite(value)):
            values[quantity] = value * factor
    return values
