"""What authors wait for: loading, check, test with coverage, the example runbooks, and bounds on hostile ones.

Run ``python benchmarks/authoring.py``. Times are those of the processor, the better of two runs in one process:
start-up and what else the machine does meanwhile are left out.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from dam_expert.cli import checking
from dam_expert.kb.layers import Source
from dam_expert.kb.load import load_knowledge
from dam_expert.kb.where import shipped_folders

ROOT = Path(__file__).resolve().parent.parent
REPEATS = 2
HEADER = "name: team\nversion: 1.0.0\ndescription: d\n"
RULE = """\
    - id: team.r%d
      title: T%d
      when: kv_cache_usage > 9 %%
      then: {support: kv_space_short}
      because: b
      source: [handbook]
      tests:
        fires: [{kv_cache_usage: 10 %%}]
        silent: [{kv_cache_usage: 8 %%}]
        undecided: [{preempted_share: 1 %%}]
"""


def timed(what, call):
    best = min(_once(call) for _ in range(REPEATS))
    print(f"{what:48} {best * 1000:8.0f} ms")
    return best


def _once(call):
    begin = time.process_time()
    call()
    return time.process_time() - begin


def check():
    assert not checking.check_base().has_errors


def tests():
    base, _ = load_knowledge()
    assert not checking.run_tests(base).has_errors


def with_rules(home, count):
    folder = home / f"rules{count}"
    folder.mkdir()
    (folder / "runbook.yaml").write_text(HEADER, encoding="utf-8")
    text = "add:\n  rules:\n" + "".join(RULE % (number, number) for number in range(count))
    (folder / "more.yaml").write_text(text, encoding="utf-8")
    source = Source(folder=folder, shown="team", found_by="benchmark")
    begin = time.process_time()
    _, messages = load_knowledge(runbooks=(source,))
    seconds = time.process_time() - begin
    said = messages[0].code if messages else "loaded"
    print(f"{f'a runbook of {count} rules: {said}':48} {seconds * 1000:8.0f} ms")


def main():
    load = timed("load the shipped base", lambda: load_knowledge(shipped_folders()))
    checked = timed("dam kb check: load and check, texts included", check)
    print(f"{'check over load':48} {checked / load:8.2f} x")
    tested = timed("load, tests, cases and coverage", tests)
    print(f"{'check, tests, cases and coverage':48} {(checked - load + tested) * 1000:8.0f} ms")
    for name in ("llm_serving", "vision_training"):
        source = Source(folder=ROOT / "runbooks" / name, shown=name, found_by="benchmark")
        timed(f"load with {name}", lambda source=source: load_knowledge(runbooks=(source,)))
    with tempfile.TemporaryDirectory() as home:
        for count in (1_000, 5_000, 20_000, 100_000):
            with_rules(Path(home), count)


if __name__ == "__main__":
    main()
