"""Looking into a base: descriptions, differences, locks, reference pages, scaffolds."""

from __future__ import annotations

import json

import pytest
from runbook_files import RULE, sound, written

from dam_expert.kb.describe import describe, known_ids
from dam_expert.kb.diff import differences
from dam_expert.kb.docs import Block, Page, pages, to_html, to_markdown
from dam_expert.kb.load import load_knowledge
from dam_expert.kb.lock import compared, lock_text
from dam_expert.kb.scaffold import facts_for
from dam_expert.language.parsing import read_condition

CHANGED = RULE + "set: [{id: kv_usage_high, field: value, to: 85 %, because: load test}]\n"


@pytest.fixture(name="shipped", scope="module")
def _shipped():
    return load_knowledge()[0]


@pytest.fixture(name="base", scope="module")
def _base(tmp_path_factory):
    return sound(written(tmp_path_factory.mktemp("books"), CHANGED))


def test_a_description(base):
    """An entry is described with its layer, what changed it and what uses it."""
    found = describe(base, "kv_usage_high")
    assert found is not None
    assert (found.section, found.layer, found.place) == ("thresholds", "base", "team/more.yaml:13")
    assert [str(change) for _, change in found.changes] == [
        "set kv_usage_high.value: 90 % → 85 % (load test; team/more.yaml:13)"
    ]
    assert "capacity.kv.support" in found.used_by


def test_the_layer_of_what_a_runbook_adds(base):
    """What a runbook adds is its own layer."""
    found = describe(base, "team.slow")
    assert found is not None
    assert (found.layer, found.data()["title"]) == ("team", "Slow")


def test_an_unknown_id(base):
    """Nothing is described under a name that is none, and every id is known."""
    assert describe(base, "nothing") is None
    assert {"team.slow", "majority", "input_wait"} <= set(known_ids(base))


def test_differences(shipped, base):
    """Two bases differ by what was added and by the fields that changed."""
    lines = [line for each in differences(shipped, base) for line in each.lines()]
    assert lines[0] == "+ tools: team"
    assert "~ thresholds: kv_usage_high" in lines
    assert "    value: 90 % → 85 %" in lines
    assert "+ rules: team.slow" in lines
    assert differences(base, base) == []


def test_removed(shipped, base):
    """What only the old base has is removed."""
    assert [each.id for each in differences(base, shipped) if each.kind == "removed"] == ["team", "team.slow"]


def test_a_lock_holds(base):
    """A base is what its own lock says."""
    assert list(compared(lock_text(base).encode(), base, "dam.lock")) == []


def test_a_lock_names_what_differs(shipped, base):
    """Every entry and runbook that is not as locked is one line."""
    found = [str(message) for message in compared(lock_text(shipped).encode(), base, "dam.lock")]
    assert found[0] == "dam.lock: error: the runbook 'team' is new since the lock [lock-differs]"
    assert any("thresholds: 'kv_usage_high' has changed since the lock" in line for line in found)


def test_a_change_without_a_new_version(base):
    """A runbook whose content changed under one version is told to raise it."""
    locked = json.loads(lock_text(base))
    locked["runbooks"]["team"]["content"] = "0"
    found = [message.code for message in compared(json.dumps(locked).encode(), base, "dam.lock")]
    assert found == ["same-version"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"\xff",
        b"{",
        b'{"schema": "dam-lock/1"}',
        b'{"schema": "dam-lock/1", "runbooks": {"a": 1}, "entries": {}}',
        b"[" * 100_000,
    ],
)
def test_not_a_lock(base, content):
    """Anything else than a lock file is one line."""
    assert [message.code for message in compared(content, base, "dam.lock")] == ["not-a-lock"]


def test_pages(base):
    """There is an index, and a page for each rule, hypothesis and measurement; its examples are the tests."""
    made = {page.name: page for page in pages(base)}
    assert len(made) == 1 + len(base.rules) + len(base.hypotheses) + len(base.measurements)
    text = to_markdown(made["team.slow"], list(made))
    assert "## Examples: fires\n\n```yaml\n{kv_cache_usage: 95 %}\n```\n" in text
    assert "[kv\\_space\\_short](kv_space_short.md)" in to_markdown(made["index"], list(made))


def test_pages_escape_what_they_show():
    """Text from a knowledge file cannot act on a page."""
    page = Page(
        name="x", title="<script>", blocks=(Block(kind="code", text="```\n<b>"), Block(kind="text", text="<i>"))
    )
    assert "<script>" not in to_html(page, []) + to_markdown(page, []).replace("\\<", "")
    assert to_markdown(page, []).count("````") == 2


@pytest.mark.parametrize(
    ("when", "tests"),
    [
        pytest.param(
            "kv_cache_usage > 40 %",
            {"fires": [{"kv_cache_usage": "50 %"}], "silent": [{"kv_cache_usage": "30 %"}]},
            id="a limit",
        ),
        pytest.param(
            "kv_cache_usage >= 90 %",
            {"fires": [{"kv_cache_usage": "95 %"}], "silent": [{"kv_cache_usage": "67.5 %"}]},
            id="a limit near the end of the range",
        ),
        pytest.param(
            "collective_transport is socket",
            {"fires": [{"collective_transport": "socket"}], "silent": [{"collective_transport": "infiniband"}]},
            id="a word",
        ),
    ],
)
def test_generated_tests(shipped, when, tests):
    """Facts for a condition lie on both sides of its limit."""
    tree, _ = read_condition(when, shipped.names, ())
    assert tree is not None
    found = facts_for(shipped, tree)
    assert {kind: found[kind] for kind in tests} == tests
