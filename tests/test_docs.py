"""What the documentation shows is what happens: every command is run, every output compared."""

from __future__ import annotations

import doctest
import re

import pytest
import yaml
from documented import PAGES, ROOT, SESSION, Block, blocks, output_of, session_of

from dam_expert import load_knowledge
from dam_expert.documents.incident import incident_from
from dam_expert.documents.observations import Origin
from dam_expert.engine.situation import plans_of

#: Commands that install; ``.ci/run`` runs them in a new environment, a test must not use the network.
INSTALLING = (
    "python3 -m venv .venv && . .venv/bin/activate\npip install .\n",
    "python3 -m venv .venv && . .venv/bin/activate && pip install '.[dev]'\npytest\n",
)

SHOWN = [block for page in PAGES for block in blocks(page)]
COMMANDS = [
    pytest.param(command, output, id=f"{block.page}:{block.line}")
    for block in SHOWN
    if block.language not in ("python", SESSION)
    for command, output in block.steps()
    if command not in INSTALLING
]
EXAMPLES = [pytest.param(block, id=f"{block.page}:{block.line}") for block in SHOWN if block.language == "python"]


@pytest.mark.parametrize(("command", "output"), COMMANDS)
def test_commands(command, output):
    """A documented command succeeds, and prints what the page shows, where it shows something."""
    code, printed, said = output_of(command)
    assert (code, said) == (0, "")
    assert output in (None, printed)


@pytest.mark.parametrize("page", sorted({block.page for block in SHOWN if block.language == SESSION}))
def test_sessions(page):
    """The commands of a session, one after the other, print what the page shows."""
    for command, shown, printed in session_of(page):
        assert (command, shown) == (command, printed)


@pytest.mark.parametrize("block", EXAMPLES)
def test_python(block):
    """A documented Python session gives what the page shows."""
    session = doctest.DocTestParser().get_doctest(block.text, {}, block.page, block.page, block.line)
    assert doctest.DocTestRunner().run(session).failed == 0


def test_the_exempted_commands_are_still_documented():
    """An exemption for a command that no page shows any more is dropped."""
    shown = {command for block in SHOWN if block.language == "sh" for command, _ in block.steps()}
    assert set(INSTALLING) <= shown


def test_console_blocks_are_split_into_commands_and_outputs():
    """Each line after a dollar is a command; the lines below it are its output."""
    block = Block(page="x", line=1, language="console", text="$ a\n1\n2\n$ b\n")
    assert block.steps() == [("a", "1\n2\n"), ("b", "")]


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages(page):
    """A relative link names a file that is there."""
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text) if "://" not in link]
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []


def test_the_example_is_what_its_script_writes(tmp_path):
    """The files of the shipped example come from the script beside them, byte for byte."""
    folder = ROOT / "examples" / "starved-accelerator"
    command = (
        "python3 examples/make_starved_accelerator.py examples/starved-accelerator && cat examples/starved-accelerator/"
    )
    for name in ("profile.pt.trace.json", "nvidia-smi-dmon.txt", "iostat-x.txt"):
        assert output_of(command + name) == (0, (folder / name).read_text(encoding="utf-8"), "")
        assert (folder / name).stat().st_size < 60_000


def test_the_rule_in_the_readme_is_one_of_the_base():
    """The rule that the README shows stands in the base, with the same condition, conclusion and reason."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (shown,) = yaml.safe_load(re.search(r"```yaml\n(.*?)```", text, re.DOTALL)[1])
    rules = yaml.safe_load((ROOT / "rules" / "input.yaml").read_text(encoding="utf-8"))["rules"]
    (real,) = [rule for rule in rules if rule["id"] == shown["id"]]
    for key in ("title", "when", "then", "because", "source"):
        assert shown[key] == real[key]
    for kind, facts in shown["tests"].items():
        assert facts[0] in real["tests"][kind]


@pytest.mark.parametrize("page", PAGES)
def test_named_files_exist(page):
    """A file or folder of the checkout that a page names is there."""
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:knowledge|rules|dam_expert|tests|examples|docs)/[\w./-]*)`", text)
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_incident_file_of_the_readme_is_understood_whole():
    """The incident that README shows is read without a message, and its plan and attempt match levers."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (shown,) = [block for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL) if "dam-incident/1" in block]
    base, _ = load_knowledge()
    incident, messages = incident_from(yaml.safe_load(shown), base.names, lambda _: Origin(file="README.md"))
    plans = plans_of(base, incident, {})
    assert messages == []
    # a device that is bought has more of everything
    assert set(plans.planned) == {"faster_accelerator", "more_memory_bandwidth", "more_device_memory"}
    assert set(plans.tried) == {"more_loader_workers"}
