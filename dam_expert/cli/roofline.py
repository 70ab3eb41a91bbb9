"""``dam roofline``: where kernels lie under the roofs of a device, and what closing each gap is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dam_expert.cli import amounts, calculating, tables
from dam_expert.cli.amounts import option
from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.options import (
    examples,
    kept_runbook_option,
    language_option,
    optional_input_options,
    output_options,
)
from dam_expert.cli.tables import Column

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dam_expert.cli.shapes import Shape
    from dam_expert.physics.answers.roofline import Expected, Kernel, Roof, Roofline
    from dam_expert.physics.hardware import Accelerator
    from dam_expert.reports.calculators.words import Words

_COLUMNS = {
    "name": Column(amount=None, aliases=("kernel",)),
    "operations": Column(amount=amounts.OPERATIONS, is_needed=True, aliases=("flops", "flop")),
    "bytes": Column(amount=amounts.BYTES, is_needed=True, aliases=("bytes_moved", "dram_bytes")),
    "time": Column(amount=amounts.SECONDS, is_needed=True, aliases=("duration",)),
    "precision": Column(amount=None, aliases=("dtype",)),
    "l1": Column(amount=amounts.BYTES, aliases=("l1_bytes",)),
    "l2": Column(amount=amounts.BYTES, aliases=("l2_bytes",)),
    "l3": Column(amount=amounts.BYTES, aliases=("l3_bytes",)),
}
_LEVELS = ("l1", "l2", "l3")
_OBSERVED = {
    "hardware": "accelerator",
    "memory": "device_memory_total",
    "precision": "precision",
    "intensity": "arithmetic_intensity",
    "mfu": "mfu",
}
_OPTIONS = {
    "operations": "--operations",
    "bytes": "--bytes",
    "time": "--time",
    "intensity": "--intensity",
    "achieved_flops_per_s": "--achieved",
    "peak_flops_per_s": "--peak",
    "bandwidth_bytes_per_s": "--bandwidth",
    "stated_flops_per_s": "--peak",
    **{level: f"--level {level}" for level in ("l1", "l2", "l3")},
}


def _named_amounts(kind: amounts.Amount) -> Callable[..., dict[str, float]]:
    """Return the callback that reads LEVEL=AMOUNT of an option that may be given several times."""

    def read(_context: click.Context, option: click.Parameter, given: Sequence[str]) -> dict[str, float]:
        found: dict[str, float] = {}
        for text in given:
            name, _, value = text.partition("=")
            if name not in _LEVELS:
                raise Failure(
                    Exit.USAGE, f"{option.opts[-1]}: '{text}' does not begin with one of {', '.join(_LEVELS)} and '='"
                )
            found[name] = kind.convert(value, option, None)
        return found

    return read


@click.command(
    epilog=examples(
        "dam roofline --hardware 'NVIDIA A100-SXM4-80GB' --precision bf16",
        "dam roofline --hardware h100-sxm5-80gb --precision bf16 --operations 16GFLOP --bytes 16GB --time 6ms",
        "dam roofline --peak 312TFLOP/s --bandwidth 2.039TB/s --intensity 40 --achieved 60TFLOP/s",
        "dam roofline --hardware h100-sxm5-80gb --dtype bf16 --gemm 8192x8192x8192 --time 1.6ms",
        "dam roofline --hardware h100-sxm5-80gb --dtype bf16 --decode parameters=8.03B,batch=16,context=8192",
        "dam roofline --hardware a100-sxm4-80gb --dtype bf16 --attention heads=32,kv_heads=8,queries=1,keys=8192",
        "dam roofline kernels.csv --hardware h100-sxm5-80gb --precision bf16 --plot roofline.svg",
        "dam roofline run/                       accelerator, precision, intensity and MFU as observed",
    )
)
@optional_input_options
@click.option("--hardware", metavar="NAME", help="Accelerator by the name a tool prints; see 'dam hardware'.")
@option("--memory", type=amounts.BYTES, help="Its memory, where two parts print one name.")
@click.option("--precision", "--dtype", metavar="NAME", help="Precision of the kernels: bf16, fp16, tf32, fp32, fp8.")
@option("--peak", type=amounts.FLOPS, help="Dense peak, where the device is not known.")
@option("--bandwidth", type=amounts.BANDWIDTH, help="Memory bandwidth, where the device is not known.")
@option("--operations", type=amounts.OPERATIONS, help="Operations of one kernel or step.")
@option("--bytes", "bytes_moved", type=amounts.BYTES, help="Bytes it moved at the memory.")
@option("--time", "time_s", type=amounts.SECONDS, help="Its time.")
@option("--intensity", type=amounts.INTENSITY, help="FLOP/byte, in place of operations and bytes.")
@option("--achieved", type=amounts.FLOPS, help="Its rate, in place of operations and time.")
@click.option("--gemm", metavar="MxNxK", help="The shape of a matrix product, in place of operations and bytes.")
@click.option("--attention", metavar="SIZES", help="heads=,queries=,keys= of an attention; batch=, kv_heads=, head=.")
@click.option(
    "--convolution", metavar="SIZES", help="in=,out=,height=,width= of a convolution; batch=, kernel=, stride=."
)
@click.option(
    "--decode", metavar="SIZES", help="parameters= of a decoding step; batch=, context=, kv_bytes= per token."
)
@click.option(
    "--level",
    "levels",
    metavar="NAME=RATE",
    multiple=True,
    callback=_named_amounts(amounts.BANDWIDTH),
    help="Bandwidth of a cache: l1, l2 or l3; the catalogue has some.",
)
@click.option(
    "--level-bytes",
    metavar="NAME=BYTES",
    multiple=True,
    callback=_named_amounts(amounts.BYTES),
    help="Bytes that the kernel moved at a cache.",
)
@amounts.plot_option
@kept_runbook_option
@language_option
@output_options
def roofline(
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    no_input: bool,
    language: str | None,
    form: str,
    output: str | None,
    quiet: bool,
    plot: str | None,
    **given: Any,  # noqa: ANN401
) -> None:
    """Draw the roofs of a device and the kernels under them: attainable = min(peak, intensity x bandwidth).

    Says for each kernel which roof is above it, its gap, what closing the gap is worth by its share of the time, and
    what would be wasted. PATH is a table of kernels (columns name, operations, bytes, time, precision), or tool
    outputs and incident files.
    """
    rows: list[tables.Row] = []
    if len(paths) == 1 and tables.is_table(paths[0], _COLUMNS):
        rows = tables.read_table(paths[0], _COLUMNS)
    elif paths or settings:
        found = calculating.evaluated(paths, settings, no_input=no_input, quiet=quiet)
        given = calculating.merged(given, calculating.observed(found, _OBSERVED))
    answer = _answer(given, rows)
    _write(answer, calculating.Writing(form=form, output=output, plot=plot, language=language))


def _answer(given: Mapping[str, Any], rows: Sequence[tables.Row]) -> Roofline:
    from dam_expert.physics.answers.roofline import roofline as under_roofs

    place = f"{rows[0].place.rpartition(':')[0]}: " if rows else ""
    with amounts.impossible(_OPTIONS, Exit.INVALID if rows else Exit.USAGE, place):
        named = sorted({row.words["precision"] for row in rows if "precision" in row.words})
        device, bandwidth, peaks, levels = _roofs(given, named)
        found = _shape(given, peaks[0])
        given = given if found is None else {**given, **_work(found)}
        foreseen = [] if found is None or given.get("time_s") else [_foreseen(found, bandwidth, peaks[0])]
        kernels = [_row_kernel(row, given) for row in rows] or ([] if foreseen else _own_kernel(given, peaks))
        for row, kernel in zip(rows, kernels, strict=False):
            with amounts.impossible(_OPTIONS, Exit.INVALID, f"{row.place}: {kernel.name}: "):
                under_roofs(device, bandwidth, peaks, [kernel], levels=levels)
        return under_roofs(device, bandwidth, peaks, kernels, levels=levels, expecting=foreseen)


def _shape(given: Mapping[str, Any], peak: Roof) -> Shape | None:
    """Return the kernel that was given by its shape, if one was. Raises Failure for several, or without a size."""
    from dam_expert.cli.shapes import OPTIONS, shape_of
    from dam_expert.physics.intensity import BYTES_PER_ELEMENT

    kinds = [kind for kind in OPTIONS if given.get(kind) is not None]
    if not kinds:
        return None
    if len(kinds) > 1:
        raise Failure(Exit.USAGE, f"--{kinds[0]} and --{kinds[1]}: one shape at a time; a table takes many kernels")
    size = BYTES_PER_ELEMENT.get(peak.name)
    if size is None:
        raise calculating.lacking("the size of an element", f"--dtype, one of {', '.join(BYTES_PER_ELEMENT)}")
    return shape_of(kinds[0], given[kinds[0]], size)


def _work(found: Shape) -> dict[str, Any]:
    return {
        "operations": float(found.work.operations),
        "bytes_moved": float(found.work.bytes_moved),
        "name": found.name,
    }


def _foreseen(found: Shape, bandwidth: Roof, peak: Roof) -> Expected:
    from dam_expert.physics.answers.roofline import expected

    return expected(found.name, float(found.work.operations), float(found.work.bytes_moved), bandwidth, peak)


def _roofs(given: Mapping[str, Any], precisions: Sequence[str]) -> tuple[str, Roof, list[Roof], list[Roof]]:
    """Return the name of the device, its memory roof, the peaks of all precisions in use, and its caches."""
    from dam_expert.physics.answers.roofline import Roof

    own, caches = given.get("precision"), given.get("levels") or {}
    wanted = list(dict.fromkeys([*([own] if own else []), *precisions]))
    name, bandwidth, peak = given.get("hardware"), given.get("bandwidth"), given.get("peak")
    if name is None:
        if bandwidth is None or peak is None:
            raise calculating.lacking("the roofs", "--hardware and --precision, or --peak and --bandwidth")
        stated = Roof(name=own or "stated", rate=peak, source="as stated, dense")
        levels = [Roof(name=level, rate=rate, source="as stated") for level, rate in caches.items()]
        return "the stated device", Roof(name="memory", rate=bandwidth, source="as stated"), [stated], levels
    accelerator = calculating.device(name, given.get("memory"))
    source = f"catalogue: {accelerator.name}"
    if not wanted:
        raise calculating.lacking("the precision", f"--precision, one of {', '.join(accelerator.peaks)}")
    usual = accelerator.bandwidth_range if bandwidth is None else None
    bandwidth = bandwidth or accelerator.bandwidth_bytes_per_s
    if bandwidth is None:
        raise calculating.lacking(f"the memory bandwidth of {accelerator.name}", "--bandwidth")
    peaks = []
    for precision in wanted:
        known = accelerator.peak(precision)
        stated_peak = accelerator.checked_peak(precision, peak) if peak is not None and precision == own else known
        if stated_peak is None:
            raise calculating.no_peak(accelerator, precision)
        is_own = stated_peak == known
        good = _good(accelerator, precision) if is_own else None
        peaks.append(Roof(name=precision, rate=stated_peak, source=source if is_own else "as stated", reached=good))
    rates = {**accelerator.levels, **caches}
    levels = [
        Roof(name=level, rate=rate, source="as stated" if level in caches else source) for level, rate in rates.items()
    ]
    return accelerator.name, Roof(name="memory", rate=bandwidth, source=source, reached=usual), peaks, levels


def _good(accelerator: Accelerator, precision: str) -> tuple[float, float] | None:
    """Return the range of the shares of the peak that the best matrix products reach, None where it is not known."""
    if precision not in {"bf16", "fp16"}:
        return None  # the range of an architecture was measured in 16 bit
    return accelerator.matmul_range


def _row_kernel(row: tables.Row, given: Mapping[str, Any]) -> Kernel:
    from dam_expert.physics.answers.roofline import kernel

    name = row.words.get("name", f"line {row.place.rpartition(':')[2]}")
    precision = row.words.get("precision") or given.get("precision") or "stated"
    with amounts.impossible(_OPTIONS, Exit.INVALID, f"{row.place}: {name}: "):
        caches = {level: row.numbers[level] for level in _LEVELS if level in row.numbers}
        return kernel(name, precision, row.numbers["operations"], row.numbers["bytes"], row.numbers["time"], caches)


def _own_kernel(given: Mapping[str, Any], peaks: Sequence[Roof]) -> list[Kernel]:
    """Return the kernel of the options or of the incident, if there is one."""
    from dam_expert.physics.answers.roofline import Kernel, kernel

    precision = peaks[0].name
    work, moved, time = given.get("operations"), given.get("bytes_moved"), given.get("time_s")
    if work is not None and moved is not None and time is not None:
        return [kernel(given.get("name", "kernel"), precision, work, moved, time, given.get("level_bytes"))]
    intensity, rate = given.get("intensity"), given.get("achieved")
    if rate is None and given.get("mfu") is not None:
        rate = given["mfu"] * peaks[0].rate
    if rate is None and work is not None and time:
        rate = work / time
    if intensity is None and work is not None and moved:
        intensity = work / moved
    if intensity is not None and rate is not None:
        name = "kernel" if "mfu" not in given else "the whole step, from its MFU"
        return [Kernel(name=name, intensity=intensity, achieved_flops_per_s=rate, precision=precision)]
    if any(given.get(name) is not None for name in ("operations", "bytes_moved", "time_s", "intensity", "achieved")):
        raise calculating.lacking("the kernel", "--operations, --bytes and --time, or --intensity and --achieved")
    return []


def _write(answer: Roofline, writing: calculating.Writing) -> None:
    from dam_expert.reports.calculators.document import document
    from dam_expert.reports.calculators.roofline import sections

    near = calculating.limits()["near_the_roof"]

    def picture(words: Words, ending: str) -> bytes:
        from dam_expert.reports.calculators.figures import roofline_figure

        return roofline_figure(answer, ending, words)

    calculating.write(
        writing,
        lambda: document("roofline", answer, near_the_roof=near),
        lambda words, width: sections(answer, near.value, width - 2, words),
        picture,
    )
