"""``dam hardware``: the accelerators that are known, and why a name is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dam_expert.cli import amounts, calculating, pipeline
from dam_expert.cli.amounts import option
from dam_expert.cli.failure import Exit, Failure
from dam_expert.cli.options import examples, kept_runbook_option, kept_runbooks, language_option, output_options

if TYPE_CHECKING:
    from collections.abc import Mapping


@click.command(
    epilog=examples(
        "dam hardware                                     all of them",
        "dam hardware --vendor NVIDIA",
        "dam hardware 'NVIDIA A100-SXM4-80GB'             one, by the name that a tool prints",
        "dam hardware h100-sxm5-80gb -f json              one, by its id, for programs",
        "dam hardware 'NVIDIA H20' --memory 96GiB         where two parts print one name",
    )
)
@click.argument("name", metavar="[NAME]", required=False)
@option("--memory", type=amounts.BYTES, help="Memory as the device reports it, where two parts print one name.")
@click.option("--vendor", metavar="NAME", help="List only those of a vendor.")
@kept_runbook_option
@language_option
@output_options
def hardware(
    name: str | None,
    memory: float | None,
    vendor: str | None,
    language: str | None,
    form: str,
    output: str | None,
    quiet: bool,
) -> None:
    """List the accelerators of the catalogue, or explain one: dense peaks, ridges, memory, links, sources.

    A name resolves only to exactly one entry. For any other it says why, and how to give the numbers: nothing similar
    stands in for an unknown device.
    """
    del quiet
    writing = calculating.Writing(form=form, output=output, language=language)
    if name is None:
        _write_list(vendor, writing)
    else:
        _write_entry(name, memory, writing)


def _write_list(vendor: str | None, writing: calculating.Writing) -> None:
    from dam_expert.reports.calculators.document import document
    from dam_expert.reports.calculators.hardware import list_sections

    found, _ = calculating.catalogue()
    chosen = [each for each in found.accelerators if vendor is None or each.vendor.casefold() == vendor.casefold()]
    if not chosen:
        known = ", ".join(sorted({each.vendor for each in found.accelerators}))
        raise Failure(Exit.USAGE, f"--vendor: no accelerator of '{vendor}' is known; vendors: {known}")
    calculating.write(
        writing, lambda: document("hardware", {"accelerators": chosen}), lambda words, _: list_sections(chosen, words)
    )


def _write_entry(name: str, memory: float | None, writing: calculating.Writing) -> None:
    import msgspec

    from dam_expert.reports.calculators.document import document
    from dam_expert.reports.calculators.hardware import entry_sections

    found, references = calculating.catalogue()
    entry = found.resolve(name, memory)
    if entry is None:
        raise Failure(Exit.INVALID, calculating.unknown(found, name, memory).replace("--hardware: ", "", 1))
    sources = [references.get(each, each) for each in entry.sources]
    ridges = {precision: entry.ridge(precision) for precision in entry.peaks}
    calculating.write(
        writing,
        lambda: document("hardware", msgspec.structs.replace(entry, sources=tuple(sources)), ridges=ridges),
        lambda words, _: entry_sections(entry, sources, words),
        texts=_texts,
    )


def _texts(language: str) -> Mapping[str, str]:
    """Return the notes of the catalogue in a language; the base that they belong to is read for that alone."""
    return {} if language == "en" else pipeline.texts(pipeline.load_base(kept_runbooks()), language)
