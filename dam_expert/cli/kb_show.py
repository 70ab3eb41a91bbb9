"""``dam kb show``: an entry as it is in force, all of a kind, or the layers and what each of them changes."""

from __future__ import annotations

import click

from dam_expert.cli import inspecting, pipeline
from dam_expert.cli.options import examples, output_options, runbook_option
from dam_expert.cli.output import emit
from dam_expert.documents.messages import printable


@click.command(
    epilog=examples(
        "dam kb show input.decode.confirm",
        "dam kb show hypotheses",
        "dam kb show --effective --runbook runbooks/llm_serving",
    )
)
@click.argument("name", metavar="[ID|KIND]", required=False)
@click.option("--effective", is_flag=True, help="Show the layers in force and everything that each changes.")
@runbook_option
@output_options
def show(
    name: str | None, effective: bool, runbooks: tuple[str, ...], form: str, output: str | None, quiet: bool
) -> None:
    """Show the entry ID as it is in force, with its layer and what uses it; or all entries of a KIND."""
    from dam_expert.kb.describe import KINDS

    base = pipeline.load_base(runbooks)
    if name is None or effective:
        data, lines = inspecting.layers_data(base), list(inspecting.layers_lines(base))
        if name is not None:
            data["entry"] = inspecting.description_data(inspecting.described(base, name))
            lines += ["", *inspecting.description_lines(inspecting.described(base, name))]
    elif name in KINDS:
        rows = inspecting.kind_rows(base, name)
        data, lines = {name: rows}, [f"{row['id']}  {row['title']} ({row['layer']})" for row in rows]
    else:
        found = inspecting.described(base, name)
        data, lines = inspecting.description_data(found), list(inspecting.description_lines(found))
    emit(form, data, lambda: "".join(f"{printable(line)}\n" for line in lines), output)
