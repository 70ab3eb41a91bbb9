"""Operations of transformers per token, and the share of the peak they reach: MFU and HFU.

MFU counts the operations that the model needs; HFU also those that the hardware repeats (activation recomputation).

Sources: J. Kaplan et al., 2020 (six operations per parameter and token); A. Chowdhery et al., PaLM, 2022, appendix B
(attention, MFU); V. Korthikanti et al., Reducing Activation Recomputation, 2022, and D. Narayanan et al., 2021
(recomputation, exact GPT count). Conventions: parameters are those of matrix products, active ones for a mixture of
experts; attention is counted in full, causal or not; grouped key-value heads change nothing.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from dam_expert.physics.errors import PhysicsError
from dam_expert.physics.inputs import Array, count, nonnegative, positive, refuse

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class Recompute(enum.StrEnum):
    """How many activations are computed again in the backward pass."""

    NONE = "none"
    SELECTIVE = "selective"
    """The attention core only."""
    FULL = "full"
    """The whole forward pass."""


def attention_flops_per_token(layers: ArrayLike, heads: ArrayLike, head_size: ArrayLike, sequence: ArrayLike) -> Array:
    """Return the forward attention operations of one token, scores and values: 4 x layers x heads x size x tokens."""
    width = count("heads", heads) * count("head_size", head_size)
    return 4 * count("layers", layers) * width * count("sequence", sequence)


def training_flops_per_token(parameters: ArrayLike, attention_flops: ArrayLike = 0.0) -> Array:
    """Return the model operations of one training token: 6 per parameter, and attention forward and twice backward.

    Llama-3-8B at 8192 tokens:

    >>> round(float(training_flops_per_token(8.03e9, attention_flops_per_token(32, 32, 128, 8192))) / 1e9, 2)
    61.06
    """
    return 6 * positive("parameters", parameters) + 3 * nonnegative("attention_flops", attention_flops)


def hardware_flops_per_token(
    parameters: ArrayLike, attention_flops: ArrayLike = 0.0, recompute: Recompute = Recompute.NONE
) -> Array:
    """Return the operations that the hardware executes for one training token, recomputation included.

    Full recomputation repeats the forward pass (8 per parameter), selective the attention core. Korthikanti et al.
    count selective recomputation as a second full attention term, so their HFU is about a point higher.

    >>> float(hardware_flops_per_token(1e9, recompute=Recompute.FULL) / training_flops_per_token(1e9))
    1.3333333333333333
    """
    model = training_flops_per_token(parameters, attention_flops)
    attended = nonnegative("attention_flops", attention_flops)
    if recompute is Recompute.FULL:
        return model + 2 * positive("parameters", parameters) + attended
    return model + attended if recompute is Recompute.SELECTIVE else model


def inference_flops_per_token(parameters: ArrayLike, attention_flops: ArrayLike = 0.0) -> Array:
    """Return the operations of one token forward: 2 per parameter, and attention over its context."""
    return 2 * positive("parameters", parameters) + nonnegative("attention_flops", attention_flops)


def adapter_training_flops_per_token(parameters: ArrayLike, attention_flops: ArrayLike = 0.0) -> Array:
    """Return the operations of one token when the base is frozen (LoRA): forward and input gradients, 4 per parameter.

    Weight gradients of the frozen base are not formed; those of the adapters are neglected.
    """
    return 4 * positive("parameters", parameters) + 3 * nonnegative("attention_flops", attention_flops)


def gpt_training_flops(
    *, batch: ArrayLike, sequence: ArrayLike, layers: ArrayLike, hidden: ArrayLike, vocabulary: ArrayLike
) -> Array:
    """Return the model operations of one iteration of a GPT with a 4 h feed-forward.

    72 B s l h^2 (1 + s / (6 h) + V / (12 l h)): Narayanan et al. 2021, section 5.1.
    """
    b, s, layer = count("batch", batch), count("sequence", sequence), count("layers", layers)
    h, v = count("hidden", hidden), count("vocabulary", vocabulary)
    return 72 * b * s * layer * h**2 * (1 + s / (6 * h) + v / (12 * layer * h))


def attention_share(parameters: ArrayLike, attention_flops: ArrayLike) -> Array:
    """Return the share of attention in the training operations of a token.

    >>> round(float(attention_share(8.03e9, attention_flops_per_token(32, 32, 128, 8192))), 3)
    0.211
    """
    return 3 * nonnegative("attention_flops", attention_flops) / training_flops_per_token(parameters, attention_flops)


def _utilization(name: str, rate: Array, devices: ArrayLike, peak_flops_per_s: ArrayLike | None) -> Array:
    if peak_flops_per_s is None:
        raise PhysicsError("peak_flops_per_s", f"{name} without a stated peak", "give the dense peak of the precision")
    share = rate / (count("devices", devices) * positive("peak_flops_per_s", peak_flops_per_s))
    refuse(name, share, share > 1, "{value} is above 1",
           "a peak of another precision or of the ordinary cores, parameters of inactive experts counted, "
           "a global token rate with the devices of one node, or a count of devices that is too small?")  # fmt: skip
    return share


def mfu(model_flops: ArrayLike, seconds: ArrayLike, devices: ArrayLike, peak_flops_per_s: ArrayLike | None) -> Array:
    """Return model operations / (seconds x devices x peak). Above 1 is an error; no peak stands in for a missing one.

    Llama 3 405B reports 430 TFLOP/s on each H100:

    >>> round(float(mfu(430e12, 1, 1, 989.4e12)), 3)
    0.435
    """
    rate = nonnegative("model_flops", model_flops) / positive("seconds", seconds)
    return _utilization("mfu", rate, devices, peak_flops_per_s)


def mfu_from_tokens(
    tokens_per_s: ArrayLike, flops_per_token: ArrayLike, devices: ArrayLike, peak_flops_per_s: ArrayLike | None
) -> Array:
    """Return MFU from the token rate of all devices together."""
    rate = nonnegative("tokens_per_s", tokens_per_s) * positive("flops_per_token", flops_per_token)
    return _utilization("mfu", rate, devices, peak_flops_per_s)


def hfu(hardware_flops: ArrayLike, seconds: ArrayLike, devices: ArrayLike, peak_flops_per_s: ArrayLike | None) -> Array:
    """Return executed operations / (seconds x devices x peak), as :func:`mfu` with recomputation counted."""
    rate = nonnegative("hardware_flops", hardware_flops) / positive("seconds", seconds)
    return _utilization("hfu", rate, devices, peak_flops_per_s)


def effective_peak_flops_per_s(
    peak_flops_per_s: ArrayLike, clock_hz: ArrayLike, reference_clock_hz: ArrayLike
) -> Array:
    """Return the peak at the clock that was observed under load: peak x clock / the clock the peak is stated for.

    >>> float(effective_peak_flops_per_s(312e12, 705e6, 1410e6))
    156000000000000.0
    """
    ratio = positive("clock_hz", clock_hz) / positive("reference_clock_hz", reference_clock_hz)
    return positive("peak_flops_per_s", peak_flops_per_s) * ratio
