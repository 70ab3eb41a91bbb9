"""How many questions and minutes a session needs: played by an oracle on the cases of the base.

The oracle knows what the last stage of a case knows (and what follows from it), and answers ``unknown`` to the rest.
Who runs a tool gets everything that tool yields: one question answers all measurements of one tool.
Three ways to choose the next question are compared on the same incidents: the engine's, cheapest first, and random.
Minutes count every question that was asked, those answered ``unknown`` too; sessions that do not confirm count with
all the effort they spent.

    python benchmarks/session.py            prints the table of benchmarks/session.md
"""

from __future__ import annotations

import dataclasses
import random
import statistics
import time
from collections.abc import Callable, Sequence

from dam_expert import load_knowledge
from dam_expert.documents.incident import Absence, Incident
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.engine._experta import ExpertaExecutor
from dam_expert.engine.bit_executor import BitExecutor
from dam_expert.engine.cases import stages_of
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.engine.next_measurement import effort, next_measurements
from dam_expert.engine.waiting import open_rules
from dam_expert.kb.base import Base
from dam_expert.language.conditions import Column

LIMIT = 60
SEEDS = range(5)

Policy = Callable[[Evaluated, Sequence[str]], str]


@dataclasses.dataclass(frozen=True)
class Played:
    """One session that came to its end."""

    confirmed: bool
    wrong: bool
    answered: int
    minutes: float


def engine_order(_: Evaluated, names: Sequence[str]) -> str:
    return names[0]


def cheapest_first(evaluated: Evaluated, names: Sequence[str]) -> str:
    return min(names, key=lambda name: (effort(evaluated, name), name))


def at_random(seed: int) -> Policy:
    chooser = random.Random(seed)
    return lambda _, names: chooser.choice(sorted(names))


def play(base: Base, begin: Incident, end: Incident, policy: Policy) -> Played:
    """Play one session: ask, answer from the end of the case, until something is confirmed or nothing is left."""
    executor = BitExecutor(base.program)
    truth = evaluate(base, end, executor)
    wanted = None if truth.verdict.binding is None else base.hypotheses[truth.verdict.binding].bottleneck
    incident, answered, minutes = begin, 0, 0.0
    for _ in range(LIMIT):
        evaluated = evaluate(base, incident, executor)
        if evaluated.verdict.binding is not None:
            found = base.hypotheses[evaluated.verdict.binding].bottleneck
            return Played(True, found != wanted, answered, minutes)
        names = [item.measurement for item in next_measurements(evaluated, open_rules(evaluated))]
        if not names:
            break
        name = policy(evaluated, names)
        minutes += effort(evaluated, name)
        cell = truth.columns.cell(Column(name))
        if cell is None:
            answers = tuple(sorted({**dict(incident.answers), name: Absence.UNKNOWN}.items()))
            incident = dataclasses.replace(incident, answers=answers)
            continue
        answered += 1
        incident = with_output(base, truth, incident, name)
    return Played(False, False, answered, minutes)


def with_output(base: Base, truth: Evaluated, incident: Incident, name: str) -> Incident:
    """Return the incident with everything that the tool which yields a measurement would have told."""
    tools = {way.tool for way in base.measurements[name].model.obtain if way.tool is not None}
    told = []
    for other, measurement in base.measurements.items():
        cell = truth.columns.cell(Column(other))
        # what nobody can be asked for (how complete a capture is) comes with a tool's output
        ways = measurement.model.obtain
        together = other == name or any(way.tool in tools for way in ways) or (bool(tools) and not ways)
        if cell is not None and together:
            told.append(
                Observation(measurement=other, value=cell.value, basis=Basis.TOOL, origin=Origin(file="oracle"))
            )
    names = {one.measurement for one in told}
    kept = tuple(o for o in incident.observations if o.measurement not in names)
    return dataclasses.replace(incident, observations=(*kept, *told))


def incidents(base: Base) -> list[tuple[str, Incident, Incident]]:
    """Return the cases that confirm at their end and not at their beginning, with both incidents."""
    found = []
    executor = BitExecutor(base.program)
    for case in base.cases.values():
        stages = [incident for incident, _ in stages_of(base, case)]
        first, last = (evaluate(base, one, executor).verdict.binding for one in (stages[0], stages[-1]))
        if first is None and last is not None:
            found.append((case.id, stages[0], stages[-1]))
    return found


def timed(base: Base) -> str:
    """Return the cost of a step and of a question against one evaluation, and against importing numpy, in one run."""
    import subprocess
    import sys

    case = next(iter(base.cases.values()))
    incident = next(stages_of(base, case))[0]
    bits, experta = BitExecutor(base.program), ExpertaExecutor(base.program)

    def median(run: Callable[[], object], n: int = 15) -> float:
        times = []
        for _ in range(n):
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    evaluated = evaluate(base, incident, bits)
    one = median(lambda: evaluate(base, incident, bits))
    question = median(lambda: next_measurements(evaluated, open_rules(evaluated)))
    step = median(lambda: evaluate(base, incident, experta))
    code = "import time; t = time.perf_counter(); import numpy; print(time.perf_counter() - t)"
    numpy = median(lambda: subprocess.run([sys.executable, "-c", code], check=True, capture_output=True), 5)
    return (
        f"one evaluation {one * 1e3:.1f} ms; next question {question / one:.1f} evaluations; "
        f"experta step {step * 1e3:.1f} ms, {step / numpy:.3f} of starting Python with numpy"
    )


def main() -> None:
    base, _ = load_knowledge()
    assert base is not None
    games = incidents(base)
    policies: list[tuple[str, list[Policy]]] = [
        ("engine", [engine_order]),
        ("cheapest first", [cheapest_first]),
        ("random", [at_random(seed) for seed in SEEDS]),
    ]
    print(f"{len(games)} cases: {', '.join(name for name, _, _ in games)}\n")
    print("| choice | confirmed | wrong | median answered questions | minutes a session |")
    print("|---|---|---|---|---|")
    for title, several in policies:
        played = [play(base, begin, end, policy) for policy in several for _, begin, end in games]
        done = [one for one in played if one.confirmed]
        median = statistics.median(one.answered for one in done) if done else float("nan")
        minutes = statistics.mean(one.minutes for one in played)
        wrong = sum(one.wrong for one in played)
        print(f"| {title} | {len(done)} of {len(played)} | {wrong} | {median:g} | {minutes:.1f} |")
    print(f"\n{timed(base)}")


if __name__ == "__main__":
    main()
