r"""The dialects of training logs: for each, what marks a line of it and where on the line each quantity stands.

Adding a dialect is adding an entry to :data:`DIALECTS`. A field is a pattern whose group ``v`` is the number and whose
group ``u``, where there is one, is its unit; ``mean`` marks a running mean since the start of the epoch.

>>> values_of("time: 0.387, data_time: 0.008, memory: 3946, loss: 1.0", _BY_NAME["openmmlab"])["data_time"]
0.008
"""

from __future__ import annotations

import dataclasses
import math
import re

N = r"(?P<v>[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|NaN|[-+]?inf|[-+]?Infinity)"
T = r"\s*(?P<u>ms|us|s|sec)?\b"
_MEAN = r"\s*[\d.]+\s*(?:m?s)?,?\s*\(\s*"

_MIB, _GIB = 2.0**20, 2.0**30
_FACTORS = {"ms": 1e-3, "us": 1e-6, "s": 1.0, "sec": 1.0}


@dataclasses.dataclass(frozen=True, slots=True)
class Field:
    """Where a quantity stands on a line; ``factor`` brings it to the canonical unit where no unit is written."""

    quantity: str
    pattern: re.Pattern[str]
    factor: float = 1.0


@dataclasses.dataclass(frozen=True, slots=True)
class Dialect:
    """One way to log. ``windowed``: a line's times are means over all steps since the line before."""

    name: str
    title: str
    words: tuple[str, ...]
    """One of these is on every line of the dialect: to look for them is ten times faster than for the mark."""
    mark: re.Pattern[str]
    fields: tuple[Field, ...]
    windowed: bool = False

    def marks(self, text: str) -> bool:
        """Whether a line is of this dialect."""
        for word in self.words:
            if word in text:
                return self.mark.search(text) is not None
        return False


def _fields(**patterns: str | tuple[str, float]) -> tuple[Field, ...]:
    found = []
    for quantity, given in patterns.items():
        pattern, factor = given if isinstance(given, tuple) else (given, 1.0)
        found.append(Field(quantity=quantity, pattern=re.compile(pattern), factor=factor))
    return tuple(found)


def _dialect(
    name: str, title: str, words: tuple[str, ...], mark: str, fields: tuple[Field, ...], *, windowed: bool = False
) -> Dialect:
    return Dialect(name=name, title=title, words=words, mark=re.compile(mark), fields=fields, windowed=windowed)


DIALECTS: tuple[Dialect, ...] = (
    _dialect(
        "openmmlab",
        "OpenMMLab and MMEngine",
        ("time: ",),
        r"(?:Epoch|Iter)\s?(?:\(train\))?\s*(?:\[\s*\d+\])?\s*\[\s*\d+/\d+\][\s,]+(?:base_)?lr: .*\btime: ",
        _fields(
            epoch=rf"Epoch ?(?:\(train\))?\s*\[\s*{N}\]\s*\[",
            step=rf"\[\s*{N}/\d+\][\s,]+(?:base_)?lr",
            learning_rate=rf"[\s,]lr: {N}",
            step_time=rf"[\s,]time: {N}",
            data_time=rf"\bdata_time: {N}",
            memory_allocated=(rf"\bmemory: {N}", _MIB),
            loss=rf"[\s,]loss: {N}",
        ),
        windowed=True,
    ),
    _dialect(
        "yolox",
        "YOLOX",
        ("iter_time: ",),
        r"\biter_time: ?[\d.]+s?.*\bdata_time: ",
        _fields(
            epoch=rf"\bepoch: {N}/",
            step=rf"\biter: {N}/",
            memory_allocated=(rf"\bgpu mem: {N}Mb", _MIB),
            step_time=rf"\biter_time: {N}{T}",
            data_time=rf"\bdata_time: {N}{T}",
            loss=rf"\btotal_loss: {N}",
            learning_rate=rf"\blr: {N}",
        ),
        windowed=True,
    ),
    _dialect(
        "detectron2",
        "Detectron2",
        ("total_loss: ",),
        r"\biter: \d+ .*\btotal_loss: .*\btime: ",
        _fields(
            step=rf"\biter: {N}",
            loss=rf"\btotal_loss: {N}",
            step_time=rf"(?<!_)\btime: {N}",
            data_time=rf"(?<!_)\bdata_time: {N}",
            learning_rate=rf"\blr: {N}",
            memory_allocated=(rf"\bmax_mem: {N}M", _MIB),
        ),
        windowed=True,
    ),
    _dialect(
        "timm",
        "timm",
        ("Train: ",),
        r"Train: \d+ \[\s*\d+/\d+ .*\bTime: [\d.]+s",
        _fields(
            epoch=rf"Train: {N} \[",
            step=rf"Train: \d+ \[\s*{N}/",
            loss=rf"\bLoss: {N}",
            step_time=rf"\bTime: {N}{T}",
            step_time_mean=rf"\bTime: [\d.]+s[^(]*\({N}s",
            throughput=rf"\bTime: [^(]*?{N}/s",
            learning_rate=rf"\bLR: {N}",
            data_time=rf"\bData: {N}",
            data_time_mean=rf"\bData: [\d.]+ \({N}\)",
        ),
    ),
    _dialect(
        "metric_logger",
        "MetricLogger of torchvision references",
        (" data: ",),
        r"(?:Epoch|Train).*\[\s*\d+/\d+\].* time: [\d.]+\s+data: [\d.]+",
        _fields(
            epoch=rf"Epoch: \[{N}\]",
            step=rf"\[\s*{N}/\d+\]",
            loss=rf"\bloss: {N}",
            throughput=rf"\bimg/s: {N}",
            learning_rate=rf"\blr: {N}",
            step_time=rf" time: {N}",
            data_time=rf" data: {N}",
            memory_allocated=(rf"\bmax mem: {N}", _MIB),
        ),
        windowed=True,
    ),
    _dialect(
        "hrnet",
        "HRNet and what came of it",
        ("Iter:[", "Iter: ["),
        r"\bEpoch: ?\[\d+/\d+\] Iter: ?\[\d+/\d+\], Time: [\d.]+",
        _fields(
            epoch=rf"\bEpoch: ?\[{N}/",
            step=rf"\bIter: ?\[{N}/",
            step_time_mean=rf"\bTime: {N}",
            learning_rate=rf"\blr: ?\[?{N}",
            loss=rf"\bLoss: {N}",
        ),
    ),
    _dialect(
        "meters",
        "AverageMeter lines: Time last (mean) Data last (mean)",
        ("ime", "Data"),
        r"^(?!.{0,80}\b(?i:test|val|valid|validation|eval|evaluation|inference)\b ?:? ?\[)(?:"
        r".*\b[Tt]ime:?\s+[\d.]+\s*s?,?\s*\(\s*[\d.]+.*\b(?:[Dd]ata|[Ll]oss|Speed|Acc|Prec)"
        r"|.*\bData:?\s+[\d.]+s?\s*\([\d.]+s?\).*\b(?:Net|Loss|Time)\b)",
        _fields(
            epoch=rf"(?:Epoch|Train): ?\[{N}(?:/\d+)?\]",
            step=rf"\[\s*{N}/\d+\](?!\[)",
            step_time=rf"\b[Tt]ime:?\s+{N}{T}",
            step_time_mean=rf"\b[Tt]ime:?{_MEAN}{N}{T}",
            data_time=rf"\b[Dd]ata(?:[ _]?[Tt]ime)?:?\s+{N}{T}",
            data_time_mean=rf"\b[Dd]ata(?:[ _]?[Tt]ime)?:?{_MEAN}{N}{T}",
            network_time=rf"\bNet:?\s+{N}{T}",
            throughput=rf"\bSpeed:?\s+{N} samples/s",
            loss=rf"\b[Ll]oss:?\s+{N}",
            learning_rate=rf"\blr:?\s+{N}",
            memory_allocated=(rf"\bmem {N}MB", _MIB),
        ),
    ),
    _dialect(
        "megatron",
        "Megatron-LM",
        ("elapsed time per iteration",),
        r"\biteration\s+\d+/\s*\d+ \|.*elapsed time per iteration \((?:ms|s)\):",
        _fields(
            step=rf"\biteration\s+{N}/",
            samples=rf"\bconsumed samples:\s+{N}",
            step_time=rf"elapsed time per iteration \((?P<u>ms|s)\):\s+{N}",
            device_flops_rate=(rf"throughput per GPU \(TFLOP/s/GPU\):\s+{N}|\bTFLOPs:\s+(?P<w>[\d.]+)", 1e12),
            mfu=(rf"\bMFU:\s+{N}%", 0.01),
            device_token_rate=rf"tokens[/ ](?:per )?(?:gpu/second|second per gpu|gpu/sec|s/gpu)[^|]*?:\s+{N}",
            learning_rate=rf"\blearning rate:\s+{N}",
            global_batch_size=rf"\bglobal batch size:\s+{N}",
            loss=rf"\blm loss:\s+{N}",
        ),
        windowed=True,
    ),
    _dialect(
        "megatron_timers",
        "timers of Megatron-LM",
        ("batch-generator",),
        r"^\s*batch-generator \.*:? ?\(|\btime \(ms\) \|.*batch-generator:",
        _fields(data_time=(rf"batch-generator[ .]*: ?(?:\([\d.]+, )?{N}", 1e-3)),
    ),
    _dialect(
        "torchtitan",
        "torchtitan",
        ("loss:",),
        r"\bstep:\s*\d+\s+loss:\s*\S+.*\b(?:tps|wps|memory):",
        _fields(
            step=rf"\bstep:\s*{N}",
            loss=rf"\bloss:\s*{N}",
            memory_reserved=(rf"\bmemory:\s*{N}GiB", _GIB),
            memory_share=(rf"\bmemory:\s*[\d.]+GiB\({N}%", 0.01),
            device_token_rate=rf"\b(?:tps|wps):\s*{N}",
            device_flops_rate=(rf"\btflops:\s*{N}", 1e12),
            mfu=(rf"\bmfu:\s*{N}%", 0.01),
        ),
    ),
    _dialect(
        "deepspeed_timers",
        "DeepSpeed wall clock breakdown",
        ("time (ms) | ",),
        r"\btime \(ms\) \| .*(?:fwd|forward)(?:_microstep)?:",
        _fields(
            forward_time=(rf"\b(?:fwd|forward)(?:_microstep)?: {N}", 1e-3),
            backward_time=(rf"\b(?:bwd|backward)(?:_microstep)?: {N}", 1e-3),
            reduction_time=(rf"\b(?:bwd|backward)_allreduce(?:_microstep)?: {N}", 1e-3),
            update_time=(rf"\bstep(?:_microstep)?: {N}", 1e-3),
            data_time=(rf"\bbatch_input: {N}", 1e-3),
        ),
        windowed=True,
    ),
    _dialect(
        "deepspeed",
        "DeepSpeed throughput lines",
        ("SamplesPerSec=", "iter time (s):"),
        r"SamplesPerSec=|\bsteps?: \d+ loss: .*iter time \(s\):",
        _fields(
            step=rf"\bglobal_step=\s*{N}|(?:\bsteps: |\b\d+/(?=\d+, SamplesPerSec=))(?P<w>\d+)",
            throughput=rf"CurrSamplesPerSec={N}"
            r"|(?:\bsamples/sec: |\bSamplesPerSec=(?!.*CurrSamplesPerSec))(?P<w>[\d.]+)",
            memory_allocated=(rf"MaxMemAllocated={N}GB", _GIB),
            step_time=rf"iter time \(s\): {N}",
            loss=rf"\bloss: {N}",
        ),
    ),
    _dialect(
        "fairseq",
        "fairseq",
        ("ups=", 'ups": '),
        r"\bwps=[\d.]+, ups=|\"ups\": \"[\d.]+\"",
        _fields(
            step=rf"\bnum_updates=\s*{N}|\"(?:train_)?num_updates\": \"(?P<w>\d+)\"",
            step_rate=rf"\bups=\s*{N}|\"(?:train_)?ups\": \"(?P<w>[\d.]+)\"",
            loss=rf"\bloss=\s*{N}|\"(?:train_)?loss\": \"(?P<w>[\d.]+)\"",
            learning_rate=rf"\blr=\s*{N}|\"(?:train_)?lr\": \"(?P<w>[\d.e-]+)\"",
        ),
        windowed=True,
    ),
    _dialect(
        "paddle",
        "PaddlePaddle",
        ("reader_cost: ",),
        r"\b(?:avg_)?reader_cost: .*\b(?:avg_)?batch_cost: ",
        _fields(
            step=rf"\b(?:global_step|global step|iter): {N}",
            data_time=rf"\b(?:avg_)?reader_cost: {N}{T}",
            step_time=rf"\b(?:avg_)?batch_cost: {N}{T}",
            throughput=rf"\bips: {N} (?:samples|images|instance)",
            loss=rf"\bloss: {N}",
            learning_rate=rf"\blr: {N}",
        ),
        windowed=True,
    ),
    _dialect(
        "nanogpt",
        "nanoGPT and nanochat",
        ("loss",),
        r"\biter \d+: loss [\d.na]+, time [\d.]+ms|\bstep \d+(?:/\d+)?.*\bloss: [\d.]+.*\bdt: [\d.]+ms",
        _fields(
            step=rf"\b(?:iter|step) {N}",
            loss=rf"\bloss:? {N}",
            step_time=(rf"\b(?:time|dt:) {N}ms", 1e-3),
            token_rate=rf"\btok/sec: {N}",
            mfu=(rf"\bmfu:? {N}", 0.01),
        ),
    ),
    _dialect(
        "keras",
        "Keras",
        ("/step", "/batch"),
        r"\b\d+/\d+ .*\d+(?:ms|us|s)/(?:step|batch).* - loss: ",
        _fields(step_time=rf"{N}(?P<u>ms|us|s)/(?:step|batch)", loss=rf" - loss: {N}", step=rf"\b{N}/\d+ "),
    ),
    _dialect(
        "mxnet",
        "MXNet Speedometer",
        ("samples/sec",),
        r"\bBatch ?\[\d+(?:-\d+)?\]\s+Speed:? [\d.]+ samples/sec",
        _fields(step=rf"\bBatch ?\[(?:\d+-)?{N}\]", throughput=rf"\bSpeed:? {N} samples/sec"),
        windowed=True,
    ),
    _dialect(
        "verl",
        "verl",
        ("timing_s/step:",),
        r"\bstep:\d+ - .*\btiming_s/step:",
        _fields(
            step=rf"\bstep:{N}",
            step_time=rf"\btiming_s/step:{N}",
            mfu=rf"\bperf/mfu/actor:{N}",
            device_token_rate=rf"\bperf/throughput:{N}",
        ),
    ),
    _dialect(
        "composer",
        "Composer and LLM Foundry",
        ("Train throughput/", "Train loss/", "Train memory/"),
        r"\bTrain (?:throughput/\w|loss/train/total|memory/peak_allocated)[\w/]*: \S+$",
        _fields(
            step_rate=rf"\bTrain throughput/batches_per_sec: {N}$",
            throughput=rf"\bTrain throughput/samples_per_sec: {N}$",
            token_rate=rf"\bTrain throughput/tokens_per_sec: {N}$",
            device_token_rate=rf"\bTrain throughput/device/tokens_per_sec: {N}$",
            device_flops_rate=rf"\bTrain throughput/device/flops_per_sec: {N}$",
            mfu=rf"\bTrain throughput/device/mfu: {N}$",
            memory_allocated=(rf"\bTrain memory/peak_allocated_mem: {N}$", 1e9),
            loss=rf"\bTrain loss/train/total: {N}$",
        ),
    ),
    _dialect(
        "nemo",
        "NeMo",
        ("train_step_timing in s",),
        r"\btrain_step_timing in s[=:]",
        _fields(
            step=rf"\bglobal_step[=:] ?{N}",
            samples=rf"\bconsumed_samples[=:] ?{N}",
            step_time=rf"\btrain_step_timing in s[=:] ?{N}",
            device_flops_rate=(rf"\bTFLOPS_per_GPU[=:] ?{N}", 1e12),
            loss=rf"\breduced_train_loss[=:] ?{N}",
            learning_rate=rf"\blr[=:] ?{N}",
            global_batch_size=rf"\bglobal_batch_size[=:] ?{N}",
        ),
    ),
    _dialect(
        "maxtext",
        "MaxText",
        ("TFLOP/s/device:",),
        r"\bcompleted step: \d+, seconds: .*TFLOP/s/device:",
        _fields(
            step=rf"\bcompleted step: {N}",
            step_time=rf"\bseconds: {N}",
            device_flops_rate=(rf"\bTFLOP/s/device: {N}", 1e12),
            device_token_rate=rf"\bTokens/s/device: {N}",
            loss=rf"\bloss: {N}",
        ),
    ),
    _dialect(
        "tensorflow",
        "TensorFlow hooks",
        ("global_step/sec: ",),
        r"\bglobal_step/sec: [\d.]+",
        _fields(step_rate=rf"global_step/sec: {N}"),
    ),
)

_BY_NAME = {dialect.name: dialect for dialect in DIALECTS}


def values_of(text: str, dialect: Dialect) -> dict[str, float]:
    """Return the quantities on a line; what is not there or not available is left out; only a loss may be NaN."""
    values = {}
    for field in dialect.fields:
        found = field.pattern.search(text)
        if found is None:
            continue
        groups = found.groupdict()
        value = as_number(groups.get("v") or groups.get("w") or "")
        if value is not None and (field.quantity == "loss" or math.isfinite(value)):
            values[field.quantity] = value * _FACTORS.get(groups.get("u") or "", field.factor)
    return values


def as_number(text: str) -> float | None:
    """Return a number with commas between thousands, NaN and infinities included: a loss may be either.

    >>> as_number("4,376"), as_number("nan"), as_number("N/A")
    (4376.0, nan, None)
    """
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if not math.isfinite(value) or abs(value) < 1e30 else None
