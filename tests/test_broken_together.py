"""Several mistakes at once: each is said in the one pass, whichever others stand beside it or in the same entry."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import pytest
from broken_runbooks import CASES, FOLDER, TODAY
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dam_expert.kb.layers import Source
from dam_expert.kb.load import load_knowledge
from dam_expert.kb.where import shipped_folders

SOUND = Path(__file__).parent / "broken" / "sound"

HEADER = {"name": "team", "version": "1.0.0", "description": "A team."}
#: One sound entry of each kind, as a runbook adds or changes it.
ENTRIES = {
    ("add", "measurements"): {
        "id": "team.wait",
        "title": "Wait",
        "kind": "duration",
        "unit": "s",
        "aliases": ["waiting"],
        "obtain": [{"how": "Look.", "effort_minutes": 1}, {"how": "Ask.", "effort_minutes": 1}],
    },
    ("add", "thresholds"): {
        "id": "team.limit",
        "title": "Limit",
        "kind": "duration",
        "unit": "s",
        "grade": "screening",
        "basis": "heuristic",
        "value": "3 s",
        "source": ["report LT-31"],
    },
    ("add", "symptoms"): {"id": "team.waits", "title": "It waits", "when": "team.wait > 2 s"},
    ("add", "hypotheses"): {
        "id": "team.cause",
        "title": "Cause",
        "bottleneck": "input",
        "parent": "input_wait",
        "statement": "It waits.",
        "confirmed_by": "A wait.",
        "falsified_by": "None.",
        "probe": "cached_speedup",
    },
    ("add", "levers"): {
        "id": "team.remedy",
        "title": "Remedy",
        "moves": "latency",
        "works_on": ["team.cause"],
        "wasted_on": ["compute"],
        "how": "Do it.",
        "verify_by": "Look.",
    },
    ("add", "rules"): {
        "id": "team.rule",
        "title": "Rule",
        "when": {"all": ["team.wait > 1 s", "step_time > 1 s", "input_gap_share > 3 %", "step_time < 9 s"]},
        "unless": ["idle_accelerator"],
        "then": {"support": "team.cause"},
        "group": "team.wait",
        "because": "It waits.",
        "source": ["report LT-31"],
        "tests": {"fires": [{"team.wait": "3 s"}], "silent": [{"step_time": "1 ms"}], "undecided": [{}]},
    },
    ("add", "accelerators"): {
        "id": "team.chip",
        "name": "Chip",
        "vendor": "team",
        "peaks": {"bf16": "100 TFLOP/s"},
        "memory": "80 GB",
        "bandwidth": "2 TB/s",
        "source": ["data sheet"],
    },
    ("set",): {"id": "low_utilization", "field": "value", "to": "20 %", "because": "Our jobs."},
    ("replace",): {
        "id": "idle_accelerator",
        "because": "Our jobs.",
        "with": {"title": "Idle", "when": "accelerator_utilization < low_utilization"},
    },
    ("disable",): {"id": "more_workers", "because": "Our jobs."},
    ("add_exception",): {"rule": "input.confirm", "symptom": "idle_accelerator", "because": "Our jobs."},
    ("tools",): {"format": "prometheus", "match": "wait", "measurement": "team.wait", "unit": "s"},
}
_MISSING = object()
#: Mistakes: what kind of entry, which field of it becomes what, and what is said of it. Those of one entry touch
#: different fields, so that none takes another away.
MISTAKES = [
    (("header",), ("version",), _MISSING, "the key 'version' is missing"),
    (("header",), ("description",), 3, "a text is expected here, not the number 3"),
    (("header",), ("languages",), ["de"], "the text 'de' is not allowed here"),
    (("header",), ("requires",), ">= 99.0", "the runbook requires dam-expert"),
    (("header",), ("descriptoin",), "x", "the key 'descriptoin' is not known"),
    (("add", "measurements"), ("title",), _MISSING, "the key 'title' is missing"),
    (("add", "measurements"), ("aliases",), ["data wait"], "the alias 'data wait' already means"),
    (("add", "measurements"), ("obtain", 0, "tool"), "profilr", "there is no tool 'profilr'"),
    (("add", "measurements"), ("obtain", 0, "effort_minutes"), _MISSING, "the key 'effort_minutes' is missing"),
    (("add", "measurements"), ("obtain", 1, "how"), _MISSING, "needs a command or how"),
    (("add", "measurements"), ("probe_of",), "more_workrs", "there is no lever 'more_workrs'"),
    (("add", "measurements"), ("quetsion",), "What?", "the key 'quetsion' is not known"),
    (("add", "thresholds"), ("source",), _MISSING, "a threshold needs a source"),
    (("add", "thresholds"), ("value",), "3 GB", "'GB' measures B, but s is expected"),
    (("add", "thresholds"), ("basis",), "gut", "the text 'gut' is not allowed here"),
    (("add", "symptoms"), ("title",), _MISSING, "the key 'title' is missing"),
    (("add", "symptoms"), ("when",), "step_tme > 2 s", "there is no measurement 'step_tme'"),
    (("add", "hypotheses"), ("statement",), _MISSING, "the key 'statement' is missing"),
    (("add", "hypotheses"), ("probe",), "cached_sped", "there is no measurement 'cached_sped'"),
    (("add", "hypotheses"), ("parent",), "input_wiat", "there is no hypothesis 'input_wiat'"),
    (("add", "levers"), ("how",), _MISSING, "the key 'how' is missing"),
    (("add", "levers"), ("works_on",), ["input_wiat"], "there is no hypothesis 'input_wiat'"),
    (("add", "levers"), ("wasted_on",), ["comput"], "there is no hypothesis 'comput'"),
    (("add", "levers"), ("ceiling",), "step_tim / 2", "there is no measurement 'step_tim'"),
    (("add", "levers"), ("moves",), "speed", "the text 'speed' is not allowed here"),
    (("add", "rules"), ("source",), _MISSING, "the key 'source' is missing"),
    (("add", "rules"), ("because",), [], "a text is expected here, not a list"),
    (("add", "rules"), ("status",), "stabel", "the text 'stabel' is not allowed here"),
    (("add", "rules"), ("when", "all", 0), "team.wiat > 1 s", "there is no measurement 'team.wiat'"),
    (("add", "rules"), ("when", "all", 1), "step_time > 1 GB", "'GB' measures B, but s is expected"),
    (("add", "rules"), ("when", "all", 2), "input_gap_share == 3", "cannot read 'input_gap_share == 3'"),
    (("add", "rules"), ("when", "all", 3), "step_tim < worth_recoverin", "there is no threshold 'worth_recoverin'"),
    (("add", "rules"), ("unless",), ["idle_acelerator"], "there is no symptom 'idle_acelerator'"),
    (("add", "rules"), ("then", "weaken"), "input_wiat", "there is no hypothesis 'input_wiat'"),
    (("add", "rules"), ("then", "supprot"), "team.cause", "the key 'supprot' is not known"),
    (("add", "rules"), ("group",), "step_tme", "there is no measurement 'step_tme'"),
    (("add", "rules"), ("tests", "silent"), _MISSING, "the rule has no test 'silent'"),
    (("add", "rules"), ("limts",), "None.", "the key 'limts' is not known"),
    (("add", "accelerators"), ("source",), _MISSING, "the key 'source' is missing"),
    (("add", "accelerators"), ("memory",), "80 W", "'W' measures W, but B is expected"),
    (("add", "accelerators"), ("bandwidth",), "1-2 TB/s", "is no single number above 0"),
    (("add", "accelerators"), ("peaks", "fp17"), "1 TFLOP/s", "the text 'fp17' is not allowed here"),
    (("set",), ("because",), _MISSING, "the key 'because' is missing"),
    (("set",), ("id",), "low_utilizaton", "there is nothing called 'low_utilizaton'"),
    (("replace",), ("because",), _MISSING, "the key 'because' is missing"),
    (("replace",), ("with", "titel"), "x", "the key 'titel' is not known"),
    (("replace",), ("with", "when"), "accelerator_utilization < low_utilizaton", "low_utilizaton"),
    (("disable",), ("until",), "soon", "a date, as in 2026-01-31, is expected here"),
    (("disable",), ("id",), "more_wrkers", "there is nothing called 'more_wrkers'"),
    (("add_exception",), ("because",), _MISSING, "the key 'because' is missing"),
    (("add_exception",), ("symptom",), "idle_acelerator", "there is no symptom 'idle_acelerator'"),
    (("add_exception",), ("rule",), "input.confrm", "there is nothing called 'input.confrm'"),
    (("tools",), ("format",), "xml", "the text 'xml' is not allowed here"),
    (("tools",), ("unit",), "GB", "the tool gives GB"),
    (("tools",), ("per",), "host", "has one value, not one per member"),
]
#: A change of a target that does not exist is not looked into further.
WITHOUT = {("set",): ("id",), ("replace",): (), ("disable",): ("id",), ("add_exception",): ("rule",)}


def planted(chosen, folder):
    """Write the sound runbook with the chosen mistakes in it."""
    document = {}
    for keys, entry in ENTRIES.items():
        at = document
        for key in keys[:-1]:
            at = at.setdefault(key, {})
        at[keys[-1]] = [copy.deepcopy(entry)]
    header = dict(HEADER)
    for kind, path, value, _ in chosen:
        at = header if kind == ("header",) else document
        for step in () if kind == ("header",) else (*kind, 0):
            at = at[step]
        for step in path[:-1]:
            at = at[step]
        if value is _MISSING:
            del at[path[-1]]
        else:
            at[path[-1]] = value
    (folder / "runbook.yaml").write_text(json.dumps(header, indent=1), encoding="utf-8")
    (folder / "more.yaml").write_text(json.dumps(document, indent=1), encoding="utf-8")


def said(folder, folders=None):
    """Return the lines that loading the runbook gives."""
    source = Source(folder=folder, shown="team", found_by="--runbook")
    _, messages = load_knowledge(folders or [SOUND], runbooks=(source,), today=TODAY)
    return [str(message) for message in messages]


def unsaid(chosen, lines):
    """Return the mistakes of which no line speaks, each needing a line of its own."""
    left = list(lines)
    missed = []
    for mistake in sorted(chosen, key=lambda each: -len(each[3])):
        line = next((line for line in left if re.search(mistake[3], line)), None)
        if line is None:
            missed.append(mistake)
        else:
            left.remove(line)
    return missed


def independent(chosen):
    """Leave out what stands in an entry whose target is unknown."""
    lost = {kind for kind, path, _, _ in chosen if WITHOUT.get(kind) == path}
    return [each for each in chosen if each[0] not in lost or WITHOUT.get(each[0]) == each[1] or each[2] is _MISSING]


def test_the_runbook_around_them_has_only_what_it_must(tmp_path):
    """Without a mistake only the tests of the rule and what refutes its cause are asked for."""
    planted([], tmp_path)
    assert said(tmp_path) == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda each: f"{'.'.join(each[0])}-{'.'.join(map(str, each[1]))}")
def test_each_is_said_alone(mistake, tmp_path):
    """Every mistake is an error of its own, and brings at most one more that it explains."""
    planted([mistake], tmp_path)
    lines = said(tmp_path)
    assert unsaid([mistake], lines) == []
    assert len(lines) == 1 + ("step_tim " in str(mistake[2]) and "<" in str(mistake[2]))


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(MISTAKES), min_size=2, max_size=14, unique_by=lambda each: each[:2]))
def test_none_hides_another(tmp_path, chosen):
    """Any of them together are all said, each by a line of its own."""
    chosen = independent(chosen)
    planted(chosen, tmp_path)
    lines = said(tmp_path)
    assert unsaid(chosen, lines) == [], "\n".join(lines)


def test_all_at_once(tmp_path):
    """All of them are said, in one pass."""
    chosen = independent(MISTAKES)
    planted(chosen, tmp_path)
    lines = said(tmp_path)
    assert unsaid(chosen, lines) == [], "\n".join(lines)


#: Cases of the corpus that say something of the whole file or the whole runbook, or whose lines name other files.
ALONE = re.compile("header_|yaml_|removed_id|old_id|tombstone|_twice|replace_and_set|other_runbook|disable_only")


def beside(cases, folder):
    """Write cases of the corpus into one runbook, each with ids of its own, and return the lines that must come."""
    (folder / "runbook.yaml").write_text(json.dumps(HEADER), encoding="utf-8")
    wanted = []
    for number, case in enumerate(cases):
        text, expected = ((FOLDER / f"{case}.{end}").read_text(encoding="utf-8") for end in ("yaml", "expected"))
        own = set(re.findall(r"\bid: (team\.\w+)", text))
        for name in own:
            text = re.sub(rf"\b{re.escape(name)}\b", f"{name}_{number}", text)
            expected = re.sub(rf"\b{re.escape(name)}\b", f"{name}_{number}", expected)
        (folder / f"more_{number}.yaml").write_text(text, encoding="utf-8")
        wanted += [line for line in expected.replace("team/more.yaml", f"team/more_{number}.yaml").splitlines() if line]
    return wanted


def apart(cases):
    """Leave out cases that change an entry which an earlier one changes."""
    taken, kept = set(), []
    for case in cases:
        text = (FOLDER / f"{case}.yaml").read_text(encoding="utf-8")
        targets = {name for name in re.findall(r"\b(?:id|rule): ([\w.]+)", text) if not name.startswith("team.")}
        if not targets & taken:
            kept.append(case)
            taken |= targets
    return kept


def core(line):
    """Return a message without its column, which a longer id moves, nor its hint, which a nearer id changes."""
    place, _, rest = re.sub(r"((?:knowledge|rules)/[\w/]+\.yaml):\d+", r"\1:N", line).partition(": ")
    return ":".join(place.split(":")[:2]), rest.partition(";")[0].partition(" [")[0]


def test_the_corpus_at_once(tmp_path):
    """All cases of the corpus that can stand side by side are said in one pass over the shipped base."""
    cases = apart([case for case in CASES if not ALONE.search(case)])
    wanted = beside(cases, tmp_path)
    got = {core(line) for line in said(tmp_path, shipped_folders())}
    missing = [line for line in wanted if core(line) not in got]
    assert missing == []
    assert len(cases) >= 40


def test_a_header_with_mistakes_hides_nothing(tmp_path):
    """Whatever is wrong with the header, what stands in the other files is said as well."""
    (tmp_path / "more.yaml").write_text(
        json.dumps({"set": [{"id": "low_utilizaton", "field": "value", "to": 1, "because": "x"}]}), encoding="utf-8"
    )
    for header in (
        "",
        "[1]",
        "name: 3",
        "name: hardware\nversion: 1\ndescription: x",
        "version: 1.0.0",
        "x: {",
        "nam: team",
    ):
        (tmp_path / "runbook.yaml").write_text(header, encoding="utf-8")
        lines = said(tmp_path)
        assert any("runbook.yaml" in line for line in lines)
        assert any("there is nothing called 'low_utilizaton'" in line for line in lines)


def test_syntax_errors_hide_only_their_entries(tmp_path):
    """Entries around those that are no YAML are checked, and so are several that are none."""
    (tmp_path / "runbook.yaml").write_text(json.dumps(HEADER), encoding="utf-8")
    good = "  - {{id: team.s{}, title: T, when: step_tme > {} s}}\n"
    bad = "  - id: team.b{}\n    title: two: colons\n    when: team.s1\n"
    text = "add:\n symptoms:\n" + "".join(good.format(n, n) + bad.format(n) for n in range(1, 4))
    (tmp_path / "more.yaml").write_text(text, encoding="utf-8")
    lines = said(tmp_path)
    assert sum("step_tme" in line for line in lines) == 3
    assert sum("a second ': ' on one line" in line for line in lines) == 3
    assert len(lines) == 6
