"""What the calculator commands share: limits, devices, values from an incident, and writing the answer."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dam_expert.cli import pipeline
from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.options import kept_runbooks, report_language
from dam_expert.cli.output import emit, talk, text_width, use_color, write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dam_expert.engine.evaluate import Evaluated
    from dam_expert.kb.limits import Limit
    from dam_expert.physics.hardware import Accelerator, Catalogue
    from dam_expert.reports.calculators.words import Words
    from dam_expert.reports.model import Section

PICTURES = (".svg", ".png")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """Where and how an answer is written: the options that every command has."""

    form: str
    output: str | None
    plot: str | None = None
    language: str | None = None

    @property
    def spoken(self) -> str:
        """The language asked for, else that of the locale."""
        return report_language(self.language)


def limits() -> Mapping[str, Limit]:
    """Return the limits of the shipped base by id. Raises Failure where they cannot be read."""
    from dam_expert.kb.limits import load_limits

    found, messages = load_limits(_knowledge())
    if not found:
        raise Failure(Exit.INVALID, "the limits of the calculators cannot be used", messages)
    return found


def catalogue() -> tuple[Catalogue, Mapping[str, str]]:
    """Return the hardware catalogue, and the full references of its sources by their short names.

    The whole base is loaded only where a runbook is in force, which may add devices.
    """
    from dam_expert.documents.messages import has_errors
    from dam_expert.kb.hardware import load_hardware, load_sources

    folder = _knowledge() / "hardware"
    if pipeline.runbooks_are_in_force(kept_runbooks()):
        return pipeline.load_base(kept_runbooks()).catalogue, load_sources(folder)
    found, messages = load_hardware(folder)
    if has_errors(messages):
        raise Failure(Exit.INVALID, "the hardware catalogue cannot be used", messages)
    return found, load_sources(folder)


def _knowledge() -> Path:
    from dam_expert.kb.where import shipped_folders

    try:
        return shipped_folders(("knowledge",))[0]
    except FileNotFoundError as error:
        raise Failure(Exit.INVALID, str(error)) from error


def device(name: str, memory: float | None) -> Accelerator:
    """Return the accelerator of that name, as a framework counts devices. Raises Failure with why it is unknown."""
    found, _ = catalogue()
    accelerator = found.resolve(name, memory)
    if accelerator is None:
        raise Failure(Exit.INVALID, unknown(found, name, memory))
    return accelerator.per_framework_device()


def unknown(found: Catalogue, name: str, memory: float | None) -> str:
    """Return why a name does not resolve, and how a calculator takes the numbers instead."""
    why = (found.why_not(name, memory) or "").partition("; give its")[0]
    return (
        f"--hardware: {why}; give --peak and --bandwidth in its place (roofline, ironlaw), --capacity "
        "(memory), or add it to a runbook; 'dam hardware' lists the known ones"
    )


def no_peak(accelerator: Accelerator, precision: str) -> Failure:
    """Return the end of a command where a device has no dense peak of the precision."""
    known = ", ".join(accelerator.peaks)
    text = f"--precision: no dense {precision} peak of {accelerator.name} is known; known: {known}; or give --peak"
    return Failure(Exit.USAGE, text)


def evaluated(paths: Sequence[str], settings: Sequence[tuple[str, str]], *, no_input: bool, quiet: bool) -> Evaluated:
    """Read paths as one incident and evaluate it: values, derived values and budgets. What was not read is said."""
    from dam_expert.engine._experta import ExpertaExecutor
    from dam_expert.engine.evaluate import evaluate

    base = pipeline.load_base(kept_runbooks())
    understood = pipeline.understand(base, paths, settings, no_input=no_input)
    talk(understood.messages, quiet=quiet)
    return evaluate(base, understood.incident, ExpertaExecutor(base.program))


def observed(found: Evaluated, wanted: Mapping[str, str]) -> dict[str, Any]:
    """Return values by our name for them, from the measurements they come from; unknown ones are left out.

    A range stands for its middle; a value that is open on one side is unknown here.
    """
    from dam_expert.documents.intervals import Interval
    from dam_expert.language.conditions import Column

    values: dict[str, Any] = {}
    for name, measurement in wanted.items():
        cell = found.columns.cell(Column(measurement)) if measurement in found.base.measurements else None
        if cell is None:
            continue
        if not isinstance(cell.value, Interval):
            values[name] = cell.value
        elif math.isfinite(cell.value.lo) and math.isfinite(cell.value.hi):
            values[name] = cell.value.mid
    return values


def merged(given: Mapping[str, Any], seen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of options, and for those that were not given what was observed."""
    return {**seen, **{name: value for name, value in given.items() if value is not None}}


def lacking(what: str, options: str) -> click.ClickException:
    """Return the end of a command that has too little to answer."""
    return Failure(Exit.USAGE, f"too little to answer, {what} missing; give {options}")


def write(
    writing: Writing,
    data: Callable[[], Mapping[str, Any]],
    page: Callable[[Words, int], Sequence[Section]],
    picture: Callable[[Words, str], bytes] | None = None,
    texts: Callable[[str], Mapping[str, str]] | None = None,
) -> None:
    """Write the answer; the picture first, since a page that says all is well must not precede a failure.

    ``data``, ``page`` (of words and a width) and ``picture`` (of words and a file ending) are only called where they
    are wanted. ``texts`` gives the texts of the base in a language by their English original, where a page has any.
    """
    if writing.plot is not None and picture is not None:
        _draw(writing.plot, picture, writing.spoken)

    def text() -> str:
        from dam_expert.reports.calculators.page import draw
        from dam_expert.reports.calculators.words import spoken

        width, words = text_width(writing.output), spoken(writing.spoken, texts(writing.spoken) if texts else {})
        return draw(page(words, width), color=use_color(writing.output), width=width)

    emit(writing.form, data() if writing.form != "text" else {}, text, writing.output)


def _draw(file: str, picture: Callable[[Words, str], bytes], language: str) -> None:
    ending = Path(file).suffix.lower()
    if ending not in PICTURES:
        raise Failure(Exit.USAGE, f"--plot: '{file}' does not end in .svg or .png")
    try:
        from dam_expert.reports.calculators.figures import lettered
        from dam_expert.reports.calculators.words import spoken

        with lettered(spoken(language)) as words:
            content = picture(words, ending.removeprefix("."))
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        text = "--plot needs matplotlib, which is not installed: pip install 'dam-expert[plots]'"
        raise Failure(Exit.USAGE, text) from error
    write_file(Path(file), content)
