"""The module that imports experta: it leaves no trace, and says what is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


def python(code: str, *paths: Path, seed: str = "0") -> subprocess.CompletedProcess[str]:
    """Run a program in a process of its own, with folders before the installed packages."""
    path = ":".join(map(str, (*paths, ROOT)))
    environment = {"PYTHONPATH": path, "PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=ROOT)


def test_importing_it_leaves_no_trace():
    """Neither in collections nor on the root logger, its level included; and nothing is written."""
    code = """
import collections, logging
root = logging.getLogger()
before = (sorted(dir(collections)), root.handlers[:], root.level, root.filters[:], logging.raiseExceptions)
import dam_expert.engine._experta
after = (sorted(dir(collections)), root.handlers[:], root.level, root.filters[:], logging.raiseExceptions)
print(before == after, hasattr(collections, "Mapping"), logging.getLogger("experta").level)
"""
    done = python(code)
    assert (done.stdout, done.stderr) == ("True False 30\n", "")


def test_it_works_where_the_application_has_its_own_logging():
    """Handlers that were there before stay, and the matcher does not flood them."""
    code = """
import logging
logging.basicConfig(level=logging.DEBUG)
before = logging.getLogger().handlers[:]
import dam_expert.engine._experta as module
from dam_expert.language.program import compile_program, Stage
module.ExpertaExecutor(compile_program({}, [])).begin().run(Stage.SANITY, {})
print(before == logging.getLogger().handlers, len(before))
"""
    done = python(code)
    assert (done.stdout, done.stderr) == ("True 1\n", "")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        pytest.param(
            {"experta/__init__.py": "raise ImportError(\"No module named 'experta'\")"},
            "ImportError: the inference engine is not installed: pip install experta (No module named 'experta')",
            id="not there",
        ),
        pytest.param(
            {"frozendict.py": "raise ImportError('broken')"},
            "ImportError: experta is installed but broken: its requirements frozendict and schema are missing",
            id="a requirement is not there",
        ),
        pytest.param(
            {"experta/__init__.py": ""},
            "ImportError: experta is installed but broken: its requirements frozendict and schema are missing",
            id="something else of that name",
        ),
    ],
)
def test_a_broken_installation_says_what_is_missing(tmp_path, files, said):
    """In one sentence, and collections is as it was."""
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    code = """
import collections
try:
    import dam_expert.engine._experta
finally:
    print(hasattr(collections, "Mapping"))
"""
    done = python(code, tmp_path)
    assert done.stdout == "False\n"
    assert done.stderr.splitlines()[-1] == said


@pytest.mark.parametrize("executor", ["ExpertaExecutor", "BitExecutor"])
def test_the_hash_seed_never_shows(executor):
    """The same bytes whatever order Python keeps its sets in."""
    module = "_experta" if executor == "ExpertaExecutor" else "bit_executor"
    code = f"""
import sys
from pathlib import Path
sys.path.insert(0, "tests")
from dam_expert.documents.incident import incident_from
from dam_expert.documents.observations import Origin
from dam_expert.engine.diagnose import diagnose
from dam_expert.engine.{module} import {executor}
from dam_expert.kb.load import load_knowledge
base, messages = load_knowledge()
data = {{
    "schema": "dam-incident/1",
    "target": {{"metric": "step_time", "wanted": "0.5 s", "actual": "1 s"}},
    "observations": {{"accelerator_utilization": "35 %", "input_gap_share": "40 %", "cached_pass_speedup": 1.02}},
    "planned_actions": list(base.levers)[:3],
    "tried": [{{"lever": list(base.levers)[4], "effect": "nothing"}}],
}}
incident, _ = incident_from(data, base.names, lambda _: Origin(file="i"))
print(diagnose(base, incident, executor={executor}(base.program)).model_dump_json(by_alias=True))
"""
    texts = {python(code, seed=seed).stdout for seed in ("0", "1", "2")}
    assert len(texts) == 1
    assert texts.pop().startswith('{"schema":"dam-diagnosis/1"')
