"""``dam ironlaw``: which term of the iron law binds, by how much, and what each lever can give at most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dam_expert.cli import amounts, calculating
from dam_expert.cli.amounts import option
from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.options import (
    examples,
    kept_runbook_option,
    language_option,
    optional_input_options,
    output_options,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dam_expert.physics.answers.iron_law import IronLaw
    from dam_expert.reports.calculators.words import Words

_OPTIONS = {
    "bytes_moved": "--bytes",
    "bandwidth_bytes_per_s": "--bandwidth",
    "operations": "--operations",
    "peak_flops_per_s": "--peak",
    "stated_flops_per_s": "--peak",
    "efficiency": "--efficiency",
    "data_s": "--data-time",
    "compute_s": "--compute-time",
    "latency_s": "--latency",
    "measured_s": "--measured",
}


def _levers(_context: click.Context, _option: click.Parameter, given: Sequence[str]) -> tuple[tuple[str, float], ...]:
    from dam_expert.documents.kinds import Kind
    from dam_expert.physics.answers.iron_law import VARIABLES

    found = []
    for text in given:
        name, equals, factor = (each.strip() for each in text.partition("="))
        if name not in VARIABLES or not equals:
            raise Failure(Exit.USAGE, f"--lever: '{text}' is not VARIABLE=FACTOR; variables: {', '.join(VARIABLES)}")
        try:
            found.append((name, amounts.number(factor, "1", Kind.RATIO)))
        except ValueError as error:
            raise Failure(Exit.USAGE, f"--lever {name}: {amounts.said(error)}") from error
    return tuple(found)


@click.command(
    epilog=examples(
        "dam ironlaw --compute-time 60ms --data-time 40ms --latency 5ms",
        "dam ironlaw --bytes 16.06GB --operations 16TFLOP --hardware 'NVIDIA A100-SXM4-80GB' --precision bf16",
        "dam ironlaw --compute-time 60ms --data-time 40ms --lever bandwidth=2x --plot bars.svg",
        "dam ironlaw phases.csv                  columns: name, and the options as names (bytes, bandwidth, ...)",
        "dam ironlaw run/                        the exposed parts of the step that was observed",
    )
)
@optional_input_options
@option("--bytes", "bytes_moved", type=amounts.BYTES, help="Bytes moved by one step.")
@option("--bandwidth", type=amounts.BANDWIDTH, help="Bandwidth they move at; from --hardware if not given.")
@option("--data-time", "data_time", type=amounts.SECONDS, help="Time of data movement, in place of the two above.")
@option("--operations", type=amounts.OPERATIONS, help="Floating-point operations of one step.")
@option("--peak", type=amounts.FLOPS, help="Dense peak; from --hardware and --precision if not given.")
@option("--efficiency", type=amounts.SHARE, help="Reachable share of the peak; 100 % gives the lower bound.")
@option("--compute-time", "compute_time", type=amounts.SECONDS, help="Time of compute, in place of the three above.")
@option("--latency", type=amounts.SECONDS, help="Launches, synchronisation, dispatch that nothing hides.")
@option("--measured", type=amounts.SECONDS, help="Measured time of the step, to hold against the bounds.")
@click.option("--hardware", metavar="NAME", help="Accelerator by the name a tool prints; see 'dam hardware'.")
@click.option("--precision", metavar="NAME", help="Precision of the peak: bf16, fp16, tf32, fp32, fp8, ...")
@click.option("--lever", "levers", metavar="VARIABLE=FACTOR", multiple=True, callback=_levers,
              help="What if: bytes=0.5x halves the bytes, peak=2x doubles the peak; may be repeated.")  # fmt: skip
@amounts.plot_option
@kept_runbook_option
@language_option
@output_options
def ironlaw(
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    no_input: bool,
    language: str | None,
    form: str,
    output: str | None,
    quiet: bool,
    plot: str | None,
    levers: tuple[tuple[str, float], ...],
    **given: Any,  # noqa: ANN401
) -> None:
    """Split a step into the terms of the iron law: bytes / bandwidth + operations / (peak x efficiency) + latency.

    Says which term binds, the bounds with and without overlap, what removing each term would give at most, and which
    levers would be wasted. PATH is a table of phases, or tool outputs and incident files.
    """
    from dam_expert.cli import iron_law_sources as sources

    writing = calculating.Writing(form=form, output=output, plot=plot, language=language)
    if paths and sources.is_phases(paths):
        sources.write_phases(sources.phases(paths[0], _step, given), writing)
    elif paths or settings:
        if levers or any(value is not None for value in given.values()):
            raise click.UsageError("an incident is split as it was observed: give PATH or the terms, not both")
        found = calculating.evaluated(paths, settings, no_input=no_input, quiet=quiet)
        sources.write_parts(found.base, sources.step_parts(found), writing)
    else:
        with amounts.impossible(_OPTIONS):
            _write(_step(given), levers, writing)


def _step(given: dict[str, Any]) -> IronLaw:
    """Return the answer from the values of options, or of a row of a table."""
    from dam_expert.physics.answers.iron_law import iron_law
    from dam_expert.physics.iron_law import compute_time_s, data_time_s

    peak, bandwidth = given.get("peak"), given.get("bandwidth")
    if given.get("hardware") is not None:
        peak, bandwidth = _of_device(given, peak, bandwidth)
    data, compute = given.get("data_time"), given.get("compute_time")
    if given.get("bytes_moved") is not None:
        if bandwidth is None:
            raise calculating.lacking("the bandwidth", "--bandwidth or --hardware")
        data = float(data_time_s(given["bytes_moved"], bandwidth))
    if given.get("operations") is not None:
        if peak is None:
            raise calculating.lacking("the peak", "--peak, or --hardware and --precision")
        efficiency = given.get("efficiency")
        compute = float(compute_time_s(given["operations"], peak, 1.0 if efficiency is None else efficiency))
    return iron_law(data or 0.0, compute or 0.0, given.get("latency") or 0.0, given.get("measured"))


def _of_device(given: dict[str, Any], peak: float | None, bandwidth: float | None) -> tuple[float | None, float | None]:
    accelerator, precision = calculating.device(given["hardware"], None), given.get("precision")
    if precision is not None:
        peak = accelerator.peak(precision) if peak is None else accelerator.checked_peak(precision, peak)
        if peak is None:
            raise calculating.no_peak(accelerator, precision)
    return peak, accelerator.bandwidth_bytes_per_s if bandwidth is None else bandwidth


def _write(answer: IronLaw, levers: tuple[tuple[str, float], ...], writing: calculating.Writing) -> None:
    from dam_expert.physics.answers.iron_law import change
    from dam_expert.reports.calculators.document import document
    from dam_expert.reports.calculators.iron_law import sections

    changed = change(answer, levers) if levers else None

    def picture(words: Words, ending: str) -> bytes:
        from dam_expert.reports.calculators.figures import iron_law_figure

        return iron_law_figure(answer, changed, ending, words)

    calculating.write(
        writing,
        lambda: document("ironlaw", answer, change=changed),
        lambda words, _: sections(answer, changed, words),
        picture,
    )
