"""How many questions and minutes a session needs: played by an oracle on the cases of the base.

The oracle knows what the last stage of a case knows (and what follows from it), and answers ``unknown`` to the rest.
Who runs a tool gets everything that tool yields: one question answers all measurements of one tool.
Three ways to choose the next question are compared on the same incidents: the engine's, cheapest first, and random.
Minutes count every question that was asked, those answered ``unknown`` too; sessions that do not confirm count with
all the effort they spent.

The labelled reports take part where the shared folder is, and only those whose label holds a value to ask for.

    python benchmarks/session.py            prints the tables of benchmarks/session.md
    python benchmarks/session.py --cost     prints what a step costs alone
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import yaml

from dam_expert import load_knowledge
from dam_expert.documents.formatting import format_value
from dam_expert.documents.incident import Absence, Incident
from dam_expert.documents.observations import Basis, Observation, Origin
from dam_expert.engine import expecting
from dam_expert.engine._experta import ExpertaExecutor
from dam_expert.engine.cases import stages_of
from dam_expert.engine.counting_executor import CountingExecutor
from dam_expert.engine.evaluate import Evaluated, evaluate
from dam_expert.engine.next_measurement import effort, next_measurements
from dam_expert.engine.waiting import open_rules
from dam_expert.engine.worth_asking import is_worth_asking
from dam_expert.kb.base import Base
from dam_expert.language.conditions import Column
from dam_expert.prose import joined_with, load_vocabulary
from dam_expert.prose.report import understand_text
from dam_expert.session.conversation import Conversation
from dam_expert.session.state import State
from dam_expert.session.storing import save

SHARED = Path(os.environ.get("DAM_SHARED", Path(__file__).resolve().parent.parent.parent / "shared"))
LIMIT = 60
SEEDS = range(3)

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


def play(base: Base, game: Game, policy: Policy, *, ends_early: bool) -> Played:
    """Play one session: ask, answer what the oracle knows, until something is confirmed or nothing is left.

    ``ends_early``: also where another question could hardly name a cause, as the session itself does.
    """
    executor = CountingExecutor(base.program)
    truth = evaluate(base, game.end, executor)
    incident, answered, minutes = game.begin, 0, 0.0
    for count in range(LIMIT):
        evaluated = evaluate(base, incident, executor)
        if evaluated.verdict.binding is not None:
            found = base.hypotheses[evaluated.verdict.binding].bottleneck
            return Played(True, found not in game.right, answered, minutes)
        following = next_measurements(evaluated, open_rules(evaluated))
        names = [item.measurement for item in following]
        unanswered = count - answered
        if not names or (
            ends_early and not is_worth_asking(evaluated, following, answered=answered, unanswered=unanswered)
        ):
            break
        name = policy(evaluated, names)
        minutes += effort(evaluated, name)
        if truth.columns.cell(Column(name)) is None:
            answers = tuple(sorted({**dict(incident.answers), name: Absence.UNKNOWN}.items()))
            incident = dataclasses.replace(incident, answers=answers)
            continue
        answered += 1
        incident = with_output(base, truth, incident, name)
    return Played(False, False, answered, minutes)


def with_output(base: Base, truth: Evaluated, incident: Incident, name: str) -> Incident:
    """Return the incident with everything that the tool which yields a measurement would have told."""
    tools = {way.tool for way in base.measurements[name].model.obtain if way.tool is not None}
    told: list[Observation] = []
    for other, measurement in base.measurements.items():
        # what nobody can be asked for (how complete a capture is) comes with a tool's output
        ways = measurement.model.obtain
        together = other == name or any(way.tool in tools for way in ways) or (bool(tools) and not ways)
        if not together:
            continue
        seen = [one for one in truth.now.observations if one.measurement == other]
        cell = truth.columns.cell(Column(other))
        if seen:  # as it was observed, rank by rank: spreads are told as well
            told += [dataclasses.replace(one, basis=Basis.TOOL, origin=Origin(file="oracle")) for one in seen]
        elif cell is not None:
            told.append(
                Observation(measurement=other, value=cell.value, basis=Basis.TOOL, origin=Origin(file="oracle"))
            )
    names = {one.measurement for one in told}
    kept = tuple(o for o in incident.observations if o.measurement not in names)
    return dataclasses.replace(incident, observations=(*kept, *told))


def incidents(base: Base) -> list[Game]:
    """Return the cases that confirm at their end and not at their beginning."""
    found = []
    executor = CountingExecutor(base.program)
    for case in base.cases.values():
        stages = [incident for incident, _ in stages_of(base, case)]
        first, last = (evaluate(base, one, executor).verdict.binding for one in (stages[0], stages[-1]))
        if first is None and last is not None:
            right = frozenset({base.hypotheses[last].bottleneck})
            found.append(Game(case.id, stages[0], stages[-1], right))
    return found


@dataclasses.dataclass(frozen=True)
class Game:
    """One incident to play: as it begins, as it ends for the oracle, and the bottlenecks that are right."""

    name: str
    begin: Incident
    end: Incident
    right: frozenset[str]


def reports(base: Base, folder: Path) -> list[Game]:
    """Return the labelled reports whose label holds a value that can be asked for.

    They begin with what the report says; the oracle knows besides what the label says decided it or was seen later.
    """
    vocabulary, _ = load_vocabulary(base)
    games = []
    for label in yaml.safe_load((folder / "labels.yaml").read_text(encoding="utf-8")):
        name = label["id"]
        text = (folder / "reports" / f"{name}.md").read_text(encoding="utf-8")
        known = {**_mapping(label.get("later_observations")), **_mapping(label.get("deciding_value"))}
        told = "\n".join(f"- {key.replace('_', ' ')}: {value}" for key, value in known.items())
        report, later = (understand_text(each, name, vocabulary) for each in (text, f"## Measured\n\n{told}\n"))
        begin = joined_with(Incident(id=name, file=name), [report])
        end = joined_with(begin, [later])
        asked = {one.observation.measurement for one in (*later.settings, *later.findings)}
        if any(base.measurements[each].is_obtainable for each in asked):
            games.append(Game(name, begin, end, frozenset(label["accepts"])))
    return games


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def timed(base: Base, games: Sequence[Game]) -> Iterator[str]:
    """Yield what a step and a question cost, against one evaluation and against importing numpy, all in one run."""
    counting = CountingExecutor(base.program)
    evaluated = evaluate(base, games[0].begin, counting)
    one = _median(lambda: evaluate(base, games[0].begin, counting))
    question = _median(lambda: _anew(evaluated))
    code = "import time; t = time.perf_counter(); import numpy; print(time.perf_counter() - t)"
    started = _median(lambda: subprocess.run([sys.executable, "-c", code], check=True, capture_output=True), 5)
    yield (
        f"One evaluation by counting {one * 1e3:.1f} ms; the next question {question / one:.1f} evaluations; "
        f"starting Python and importing numpy {started * 1e3:.0f} ms.\n"
    )
    yield "| answer | steps | on the clock | of it saving | of the processor | quickest tenth | of importing numpy |"
    yield "|---|---|---|---|---|---|---|"
    steps = _steps(base, games)
    for kind in ("unknown", "value"):
        some = [step for step in steps if step.kind == kind]
        clock, saving, used = (
            statistics.median(part) * 1e3
            for part in zip(*((step.seconds, step.saving, step.processor) for step in some), strict=True)
        )
        quick = sorted(step.seconds for step in some)[len(some) // 10] * 1e3
        yield (
            f"| {kind} | {len(some)} | {clock:.1f} ms | {saving:.1f} ms | {used:.1f} ms | {quick:.1f} ms "
            f"| {clock / 1e3 / started:.3f} |"
        )


def _anew(evaluated: Evaluated) -> None:
    """Find the next question with nothing remembered of the incident."""
    expecting._latest.cache_clear()
    next_measurements(evaluated, open_rules(evaluated))


def _median(run: Callable[[], object], n: int = 15) -> float:
    return statistics.median(_seconds(run) for _ in range(n))


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


@dataclasses.dataclass(frozen=True)
class Step:
    """One answer to a measurement that was asked for: taken, evaluated in experta, replied to with the next question.

    Seconds on the clock, which count the disk and other work of the machine as well, and of the processor.
    """

    kind: str
    seconds: float
    saving: float
    processor: float


#: Sessions that begin with nothing: the entry points that go on from a step that takes too long.
ENTRIES = ("1", "2", "6")
LONGEST = 12


def _steps(base: Base, games: Sequence[Game], rounds: int = 2) -> list[Step]:
    """Time steps of sessions as the command holds them; the first round only warms up.

    Sessions from nothing answer ``unknown`` until the session would end; those on cases answer what the case knows.
    """
    talk, counting = Conversation(base, ExpertaExecutor(base.program)), CountingExecutor(base.program)
    empty = Incident(id="timed", file="timed.dam.yaml")
    made: list[Step] = []
    for number in range(1 + rounds):
        if number == 1:
            made.clear()
        for entry in ENTRIES:
            state = State(incident=empty)
            for answer in (entry, "180 ms, wanted 110 ms"):
                state, _ = talk.answer(state, answer)
            made += _session(talk, state, lambda _: "unknown")
        for game in games[::4]:
            truth = evaluate(base, game.end, counting)
            made += _session(talk, State(incident=game.begin), functools.partial(_told, truth))
    return made


def _session(talk: Conversation, state: State, answer: Callable[[str], str]) -> Iterator[Step]:
    """Answer what is asked and time it, until no measurement is asked for any more."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "timed.dam.yaml"
        for _ in range(LONGEST):
            asked = talk.question(state).id
            if asked not in talk.base.measurements:
                return
            text = answer(asked)
            start, processor = time.perf_counter(), time.process_time()
            changed, _ = talk.answer(state, text)
            replied = time.perf_counter()
            save(talk.base, changed, path)
            end, used = time.perf_counter(), time.process_time() - processor
            if changed is state:  # not taken as it was written
                changed, _ = talk.answer(state, "unknown")
            else:
                yield Step("unknown" if text == "unknown" else "value", end - start, end - replied, used)
            state = changed


def _told(truth: Evaluated, name: str) -> str:
    """Return what the end of a case knows of a measurement, as a person would write it; else ``unknown``."""
    cell = truth.columns.cell(Column(name))
    if cell is None:
        return "unknown"
    model = truth.base.measurements[name].model
    return cell.value if isinstance(cell.value, str) else format_value(cell.value, unit=model.unit, kind=model.kind)


HEAD = "| choice | confirmed | wrong | median answered questions | minutes a session |\n|---|---|---|---|---|"
POLICIES: list[tuple[str, list[Policy]]] = [
    ("cheapest first", [cheapest_first]),
    ("random", [at_random(seed) for seed in SEEDS]),
]


def table(base: Base, games: Sequence[Game], most: int | None) -> Iterator[str]:
    """Yield the rows of one table, and under it what the engine's choice saves.

    The other choices ask many more questions: they are played on the first ``most`` incidents only, and compared with
    the engine on these. They know no better than to ask on; how they do with the engine's ending is shown as well, and
    how the engine does without it.
    """
    yield HEAD
    engine = [play(base, game, engine_order, ends_early=True) for game in games]
    yield _row("engine", engine)
    yield _row("engine, asking on", [play(base, game, engine_order, ends_early=False) for game in games])
    some = games[:most]
    ours = statistics.mean(one.minutes for one in engine[: len(some)])
    saved = []
    for title, several in POLICIES:
        for ends_early, name in ((False, title), (True, f"{title}, ending as the engine does")):
            played = [play(base, game, policy, ends_early=ends_early) for policy in several for game in some]
            yield _row(name, played)
            less = 1 - ours / statistics.mean(one.minutes for one in played)
            saved.append(f"{100 * abs(less):.0f} % {'less' if less >= 0 else 'more'} than {name}")
    yield ""
    yield f"Effort of the engine on the same {len(some)} incidents: {', '.join(saved)}."


def _row(title: str, played: Sequence[Played]) -> str:
    done = [one for one in played if one.confirmed]
    median = f"{statistics.median(one.answered for one in done):g}" if done else "-"
    minutes = statistics.mean(one.minutes for one in played)
    return f"| {title} | {len(done)} of {len(played)} | {sum(one.wrong for one in played)} | {median} | {minutes:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--baselines", type=int, help="play the other choices on the first N incidents only")
    parser.add_argument("--cost", action="store_true", help="measure what a step costs, play nothing")
    arguments = parser.parse_args()
    most = arguments.baselines
    base, _ = load_knowledge()
    assert base is not None
    cases = incidents(base)
    if arguments.cost:
        print_cost(base, cases)
        return
    print(f"\n## Cases\n\n{len(cases)} cases: {', '.join(game.name for game in cases)}\n", flush=True)
    for line in table(base, cases, most):
        print(line, flush=True)
    folder = SHARED / "incidents"
    if folder.is_dir():
        found = reports(base, folder)
        print(f"\n## Labelled reports\n\n{len(found)} reports whose label holds a value to ask for\n", flush=True)
        for line in table(base, found, most):
            print(line, flush=True)
    print_cost(base, cases)


def print_cost(base: Base, cases: Sequence[Game]) -> None:
    print("\n## Cost\n")
    for line in timed(base, cases):
        print(line, flush=True)


if __name__ == "__main__":
    main()
