"""``dam queue``: how long requests wait, whether a stage keeps up, and what each lever would give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dam_expert.cli import amounts, calculating, tables
from dam_expert.cli.amounts import option
from dam_expert.cli.failure import Exit
from dam_expert.cli.options import (
    examples,
    kept_runbook_option,
    language_option,
    optional_input_options,
    output_options,
)
from dam_expert.cli.tables import Column

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dam_expert.physics.answers.queueing import Queue

_COLUMNS = {
    "name": Column(amount=None, aliases=("stage",)),
    "arrivals": Column(amount=amounts.PER_SECOND, is_needed=True, aliases=("arrival_rate", "qps", "rps")),
    "service": Column(amount=amounts.SECONDS, is_needed=True, aliases=("service_time",)),
    "servers": Column(amount=amounts.NUMBER, aliases=("instances", "replicas")),
    "batch": Column(amount=amounts.NUMBER),
    "timeout": Column(amount=amounts.SECONDS),
    "arrival_variation": Column(amount=amounts.RATIO),
    "service_variation": Column(amount=amounts.RATIO),
    "target": Column(amount=amounts.SECONDS),
    "in_system": Column(amount=amounts.NUMBER),
    "response": Column(amount=amounts.SECONDS),
}
_OBSERVED = {
    "arrivals": "offered_rate",
    "service": "compute_time",
    "in_system": "concurrency",
    "response": "request_time",
}
_OPTIONS = {name: f"--{name.replace('_', '-')}" for name in _COLUMNS} | {
    "arrivals_per_s": "--arrivals",
    "service_s": "--service",
    "response_s": "--response",
    "timeout_s": "--timeout",
}


@click.command(
    epilog=examples(
        "dam queue --arrivals 60/s --service 12ms                     one server, random arrivals",
        "dam queue --arrivals 60/s --service 20ms --batch 16          20 ms for a whole batch of 16",
        "dam queue --arrivals 60/s --service 20ms --batch 16 --timeout 10ms --target 100ms",
        "dam queue --arrivals 400/s --service 12ms --servers 8 --service-variation 0.5",
        "dam queue --arrivals 60/s --service 12ms --in-system 4 --response 43ms      does Little's law hold?",
        "dam queue stages.csv                                         columns: name, and the options as names",
        "dam queue incident.dam.yaml                                  rate and stage times as observed",
    )
)
@optional_input_options
@option("--arrivals", type=amounts.PER_SECOND, help="Requests that arrive per second.")
@option("--service", type=amounts.SECONDS, help="Service time of one request, or of one whole batch.")
@option("--servers", type=amounts.WHOLE, help="Servers that take from one queue.  [default: 1]")
@option("--batch", type=amounts.WHOLE, help="Requests of a full batch.  [default: 1]")
@option("--timeout", type=amounts.SECONDS, help="Longest wait for a batch to fill; without it, until it is full.")
@option("--arrival-variation", type=amounts.RATIO, help="Deviation over mean of the gaps.  [default: 1, random]")
@option("--service-variation", type=amounts.RATIO, help="The same of the service time; 0 is constant.  [default: 1]")
@option("--target", type=amounts.SECONDS, help="Mean response wanted: adds the most arrivals that meet it.")
@option("--in-system", type=amounts.NUMBER, help="Measured number of requests waiting or in service.")
@option("--response", type=amounts.SECONDS, help="Measured mean response, for Little's law.")
@kept_runbook_option
@language_option
@output_options
def queue(
    paths: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    no_input: bool,
    language: str | None,
    form: str,
    output: str | None,
    quiet: bool,
    **given: Any,  # noqa: ANN401
) -> None:
    """Predict the waits of a stage from arrivals, service time and their variation.

    Says whether it keeps up, where the response goes (batch formation, queue, service), the most arrivals that meet a
    target, and which levers would be wasted. PATH is a table of stages, or tool outputs and incident files.
    """
    writing = calculating.Writing(form=form, output=output, language=language)
    if len(paths) == 1 and tables.is_table(paths[0], _COLUMNS):
        found = []
        for number, row in enumerate(tables.read_table(paths[0], _COLUMNS), start=1):
            with amounts.impossible({}, Exit.INVALID, f"{row.place}: "):
                found.append(
                    (row.words.get("name", f"stage {number}"), _answer(calculating.merged(row.numbers, given)))
                )
    else:
        values: Mapping[str, Any] = given
        if paths or settings:
            seen = calculating.evaluated(paths, settings, no_input=no_input, quiet=quiet)
            values = calculating.merged(given, calculating.observed(seen, _OBSERVED))
        with amounts.impossible(_OPTIONS):
            found = [("", _answer(values))]
    _write(found, writing)


def _answer(given: Mapping[str, Any]) -> Queue:
    from dam_expert.physics.answers.queueing import Stage
    from dam_expert.physics.answers.queueing import queue as solved
    from dam_expert.physics.inputs import count

    if given.get("arrivals") is None or given.get("service") is None:
        raise calculating.lacking("the arrivals or the service time", "--arrivals and --service")

    def or_usual(name: str, usual: float) -> float:
        return usual if given.get(name) is None else float(given[name])

    stage = Stage(
        arrivals_per_s=given["arrivals"],
        service_s=given["service"],
        servers=int(count("servers", or_usual("servers", 1))),
        batch=int(count("batch", or_usual("batch", 1))),
        timeout_s=given.get("timeout"),
        arrival_variation=or_usual("arrival_variation", 1.0),
        service_variation=or_usual("service_variation", 1.0),
    )
    measured = {"in_system": given.get("in_system"), "response_s": given.get("response")}
    return solved(stage, target_s=given.get("target"), **measured)


def _write(found: list[tuple[str, Queue]], writing: calculating.Writing) -> None:
    from dam_expert.reports.calculators.document import document
    from dam_expert.reports.calculators.queueing import sections, stage_sections

    limits = calculating.limits()
    load, tolerance = limits["working_load"].value, limits["flow_tolerance"].value
    if not found[0][0]:
        answer = found[0][1]
        calculating.write(
            writing, lambda: document("queue", answer), lambda words, _: sections(answer, load, tolerance, words)
        )
        return
    rows = [{"name": name, **document("queue", answer)} for name, answer in found]
    for row in rows:
        del row["schema"]
    calculating.write(
        writing, lambda: document("queue-stages", {"stages": rows}), lambda words, _: stage_sections(found, load, words)
    )
