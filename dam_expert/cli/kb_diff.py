"""``dam kb diff``: what changed between two bases, and which verdicts move."""

from __future__ import annotations

import dataclasses

import click

from dam_expert.cli import inspecting
from dam_expert.cli.options import examples, named, output_options
from dam_expert.cli.output import emit
from dam_expert.documents.messages import printable


@click.command(
    epilog=examples(
        "dam kb diff base runbooks/llm_serving",
        "dam kb diff base runbooks/vision_training incidents/*.dam.yaml",
        "dam kb diff old/my_team new/my_team -f json",
    )
)
@click.argument("old", callback=named)
@click.argument("new", callback=named)
@click.argument("cases", nargs=-1, callback=named)
@output_options
def diff(old: str, new: str, cases: tuple[str, ...], form: str, output: str | None, quiet: bool) -> None:
    """Compare OLD with NEW: base, a runbook, or a folder with knowledge/ and rules/.

    Each of CASES is one incident, diagnosed with both; without any, the cases of the bases are. Verdicts that stay are
    counted.
    """
    before, after = inspecting.base_of(old), inspecting.base_of(new)
    found, moves = inspecting.compare(before, after, cases)
    moved = [move for move in moves if move.moves]
    data = {
        "knowledge": [dataclasses.asdict(each) for each in found],
        "verdicts": [dataclasses.asdict(each) | {"moves": each.moves} for each in moves],
    }
    lines = [line for each in found for line in each.lines()] or ["no difference in knowledge"]
    lines += [f"! {move.incident}: {move.before} → {move.after}" for move in moved]
    lines.append(f"{len(moved)} of {len(moves)} verdicts move")
    emit(form, data, lambda: "".join(f"{printable(line)}\n" for line in lines), output)
