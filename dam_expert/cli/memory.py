"""``dam memory``: whether a model fits into a device, what takes the room, and what each lever would free."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dam_expert.cli import amounts, calculating
from dam_expert.cli.amounts import option
from dam_expert.cli.options import (
    examples,
    kept_runbook_option,
    language_option,
    optional_input_options,
    output_options,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.physics.answers.memory import MemoryFit, Serving, Training

_STATES = ("adam-mixed", "adam-mixed-fp32-gradients", "adam-fp32", "adam-bf16", "adam-8bit-mixed", "sgd-momentum-fp32")
_OBSERVED = {
    "hardware": "accelerator",
    "capacity": "device_memory_total",
    "parameters": "parameters",
    "sequence": "sequence_length",
    "batch": "batch_size",
}
_OPTIONS = {
    "parameters": "--parameters",
    "stage": "--stage",
    "shards": "--shards",
    "capacity_bytes": "--capacity",
    "bits_per_weight": "--weight-bits",
    "bytes_per_element": "--cache-bits",
    "headroom": "--headroom",
    "fragmentation": "--fragmentation",
}
_WHOLE = {"sequence", "batch"}


@click.command(
    epilog=examples(
        "dam memory --parameters 7B --hardware 'NVIDIA A100-SXM4-80GB'           training states alone",
        "dam memory --parameters 7.5B --stage 3 --shards 64 --capacity 40GB      sharded as FSDP does",
        "dam memory --parameters 8.03B --layers 32 --hidden 4096 --heads 32 --sequence 8192 --capacity 80GiB",
        "dam memory --serve --parameters 8.03B --layers 32 --kv-heads 8 --head-size 128 --sequence 8192 --batch 64 \\",
        "           --capacity 80GiB                                             weights and key-value cache",
        "dam memory incident.dam.yaml                                            parameters and device as observed",
    )
)
@optional_input_options
@click.option("--serve", "is_serving", is_flag=True, help="Serving: weights and cache. Without it: training.")
@option("--parameters", type=amounts.NUMBER, help="Parameters of the model, all experts counted.")
@click.option("--hardware", metavar="NAME", help="Accelerator by the name a tool prints; see 'dam hardware'.")
@option("--capacity", type=amounts.BYTES, help="Memory of one device, in place of --hardware.")
@click.option("--states", type=click.Choice(_STATES), default="adam-mixed", show_default=True,
              help="Optimizer and precision of the training states.")  # fmt: skip
@option("--stage", type=click.IntRange(0, 3), metavar="0-3", default=0, show_default=True,
        help="Sharding stage: 1 optimizer, 2 and gradients, 3 and weights (FSDP).")  # fmt: skip
@option("--shards", type=amounts.WHOLE, default=1, show_default=True, help="Devices that share states or weights.")
@click.option("--recompute", type=click.Choice(["none", "selective", "full"]), default="none", show_default=True,
              help="Activations computed again; fused attention counts as selective.")  # fmt: skip
@option("--tensor-parallel", type=amounts.WHOLE, default=1, show_default=True, help="Devices a layer is split over.")
@click.option("--sequence-parallel", is_flag=True, help="Split the rest of a layer as well.")
@option("--layers", type=amounts.WHOLE, help="Transformer layers.")
@option("--hidden", type=amounts.WHOLE, help="Hidden size.")
@option("--heads", type=amounts.WHOLE, help="Attention heads.")
@option("--kv-heads", "kv_heads", type=amounts.WHOLE, help="Key-value heads.")
@option("--head-size", "head_size", type=amounts.WHOLE, help="Size of a head.")
@option("--vocabulary", type=amounts.WHOLE, help="Vocabulary, for the logits.")
@option("--sequence", type=amounts.WHOLE, help="Tokens of a sequence.")
@option("--batch", type=amounts.WHOLE, help="Micro-batch, or sequences served at once.  [default: 1]")
@option("--weight-bits", type=amounts.NUMBER, default=16, show_default=True, help="Bits of a served weight.")
@option("--cache-bits", type=amounts.NUMBER, default=16, show_default=True, help="Bits of a cached element.")
@option("--other", type=amounts.BYTES, default=0, help="Context, communication buffers, other processes.")
@option("--fragmentation", type=amounts.SHARE, help="Reserved beyond allocated; default from the knowledge base.")
@option("--headroom", type=amounts.SHARE, help="Share of the memory kept free; default from the knowledge base.")
@kept_runbook_option
@language_option
@output_options
def memory(
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    no_input: bool,
    language: str | None,
    form: str,
    output: str | None,
    quiet: bool,
    is_serving: bool,
    **given: Any,  # noqa: ANN401
) -> None:
    """Add up what has to fit into one device, and say what each lever would free.

    Training: weights, gradients and optimizer states by precision and sharding, activations, logits. Serving: weights
    and key-value cache. PATH are tool outputs and incident files, for what is not given.
    """
    values: Mapping[str, Any] = given
    if paths or settings:
        found = calculating.evaluated(paths, settings, no_input=no_input, quiet=quiet)
        seen = calculating.observed(found, _OBSERVED)
        values = calculating.merged(given, {name: int(v) if name in _WHOLE else v for name, v in seen.items()})
    with amounts.impossible(_OPTIONS):
        _write(values, is_serving, calculating.Writing(form=form, output=output, language=language))


def _capacity(given: Mapping[str, Any]) -> float:
    if given.get("capacity") is not None:
        return float(given["capacity"])
    if given.get("hardware") is None:
        raise calculating.lacking("the memory of the device", "--capacity or --hardware")
    accelerator = calculating.device(given["hardware"], None)
    size = accelerator.memory_usable_bytes or accelerator.memory_bytes
    if size is None:
        raise calculating.lacking(f"the memory of {accelerator.name}", "--capacity")
    return size


def _how(given: Mapping[str, Any], *, is_serving: bool) -> Training | Serving:
    from dam_expert.physics.answers.memory import Serving, Training
    from dam_expert.physics.utilization import Recompute

    if given.get("parameters") is None:
        raise calculating.lacking("the size of the model", "--parameters")
    if is_serving:
        return Serving(
            parameters=given["parameters"],
            weight_bits=given["weight_bits"],
            cache_bits=given["cache_bits"],
            shards=given["shards"],
        )
    return Training(
        parameters=given["parameters"],
        states=given["states"],
        shards=given["shards"],
        stage=given["stage"],
        recompute=Recompute(given["recompute"]),
        tensor_parallel=given["tensor_parallel"],
        sequence_parallel=given["sequence_parallel"],
    )


def _answer(given: Mapping[str, Any], *, is_serving: bool) -> MemoryFit:
    from dam_expert.physics.answers.memory import Margins, Shape, memory_fit

    limits = calculating.limits()
    usual = limits["serving_fragmentation" if is_serving else "training_fragmentation"].value
    own, headroom = given.get("fragmentation"), given.get("headroom")
    margins = Margins(
        fragmentation=usual if own is None else own,
        headroom=limits["memory_headroom"].value if headroom is None else headroom,
    )
    names = ("layers", "hidden", "heads", "kv_heads", "head_size", "vocabulary", "sequence")
    sizes = {name: given.get(name) for name in names}
    if not sizes["head_size"] and sizes["hidden"] and sizes["heads"] and sizes["hidden"] % sizes["heads"] == 0:
        sizes["head_size"] = sizes["hidden"] // sizes["heads"]
    shape = Shape(**sizes, batch=given.get("batch") or 1)
    return memory_fit(_how(given, is_serving=is_serving), shape, _capacity(given), margins, given["other"])


def _write(given: Mapping[str, Any], is_serving: bool, writing: calculating.Writing) -> None:
    from dam_expert.reports.calculators.document import document
    from dam_expert.reports.calculators.memory import sections

    answer = _answer(given, is_serving=is_serving)
    means = "sequences at once" if is_serving else "micro-batch"
    calculating.write(writing, lambda: document("memory", answer), lambda words, _: sections(answer, means, words))
