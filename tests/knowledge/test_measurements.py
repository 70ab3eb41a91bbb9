"""Every measurement of the base can be had and named: how to obtain it, by which question, in three languages."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from knowledge.rows import base

from dam_expert.documents.kinds import Kind
from dam_expert.kb.base import Measurement
from dam_expert.prose.words import significant, tokens

#: What only the words of a report weigh: a name beside a number would make a measured share the weight of a topic.
_WITHOUT_NAMES = "knowledge/measurements/said.yaml"

_FIGURE = re.compile(r"the figure to look at is (\w+)\.")

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_VIETNAMESE = re.compile(r"[àáảãạăằắẳẵặâầấẩẫậèéẻẽẹêềếểễệìíỉĩịòóỏõọôồốổỗộơờớởỡợùúủũụưừứửữựỳýỷỹỵđ]", re.IGNORECASE)

#: What begins a line that a shell runs; anything else is a line of Python for the job itself.
_SHELL = re.compile(r"^(?!with |from )(?:[A-Z_]+=\S+ )*(?:sudo |\./)?[a-z][\w./+-]*(?: |$|;)")

#: What begins a command that records a running job or takes its counters.
_RECORDS = re.compile(r"^(?:ncu (?!--import)|nsys profile |(?:with )?torch\.profiler\.profile\(|dcgmi dmon -e 10\d\d)")


def complete() -> list[Measurement]:
    """Return every measurement of the base, in order of id."""
    return [each for _, each in sorted(base().measurements.items())]


def spoken_of() -> list[Measurement]:
    """Return those that people name and are asked for: all but the weights of words, which nobody can state."""
    return [each for each in complete() if each.place.rpartition(":")[0] != _WITHOUT_NAMES]


def test_the_weights_of_words_have_no_names() -> None:
    """Where a report gives a number beside such a name, it is a figure of the job and no weight of a topic."""
    weights = [each for each in complete() if each.place.rpartition(":")[0] == _WITHOUT_NAMES]
    assert len(weights) > 40
    assert [each.id for each in weights if each.model.aliases or each.model.question is not None] == []


def test_the_weights_of_words_send_to_a_figure() -> None:
    """What a report only hints at becomes evidence by another measurement, which its instruction names."""
    weights = [each for each in complete() if each.place.rpartition(":")[0] == _WITHOUT_NAMES]
    named = {each.id: _FIGURE.search(each.model.obtain[0].how or "") for each in weights if each.id != "report_topics"}
    assert [
        name for name, found in named.items() if found is None or not base().measurements[found[1]].model.obtain
    ] == []


def language(name: str) -> str:
    """Return the language whose letters a name has; without letters of its own it is English."""
    return "zh" if _CHINESE.search(name) else "vi" if _VIETNAMESE.search(name) else "en"


def test_every_measurement_says_how_to_obtain_it() -> None:
    """What no formula gives, a person can measure: there is a command or an instruction, with its minutes."""
    lacking = [each.id for each in complete() if each.formula is None and not each.model.obtain]
    assert lacking == []


def test_what_can_be_obtained_can_be_asked_for() -> None:
    """A question stands in the base, so that it is asked in the person's language and not made up of a title."""
    assert [each.id for each in spoken_of() if each.model.obtain and each.model.question is None] == []


@pytest.mark.parametrize("wanted", ["en", "zh", "vi"])
def test_every_measurement_has_a_name_in_every_language(wanted: str) -> None:
    """Reports are written in three languages; the id alone is no name in any of them."""
    assert [each.id for each in spoken_of() if wanted not in map(language, each.model.aliases)] == []


def test_recording_is_said_to_disturb() -> None:
    """What slows the job, replays its kernels or takes the counters away says so beside its command."""
    ways = [(each.id, way) for each in complete() for way in each.model.obtain if _RECORDS.match(way.command or "")]
    assert len(ways) > 30
    assert [(name, way.command) for name, way in ways if way.disturbs is None] == []


def test_the_shell_can_read_its_commands(tmp_path: Path) -> None:
    """Quotes, brackets and loops of every command close: a line that is pasted must do something."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs bash")
    broken = {}
    for each in complete():
        for way in each.model.obtain:
            if way.command is not None and _SHELL.match(way.command):
                script = tmp_path / "command.sh"
                script.write_text(way.command + "\n", encoding="utf-8")
                run = subprocess.run([bash, "-n", script], capture_output=True, text=True, check=False)
                if run.returncode:
                    broken[each.id] = run.stderr
    assert broken == {}


def test_no_name_is_a_single_small_word() -> None:
    """A name made of words that say nothing would be found in any sentence; a rate is the head of a column as well."""
    names = [(each.id, name) for each in complete() for name in each.model.aliases if name != "it/s"]
    empty = [(measurement, name) for measurement, name in names if not significant(tokens(name))]
    assert empty == []


def test_no_two_measurements_share_a_name() -> None:
    """As prose is read, a name of a number, word or setting means one measurement of these files."""
    meanings: dict[tuple[str, ...], set[str]] = {}
    for each in complete():
        if each.model.kind is not Kind.FLAG:
            for name in (each.id.replace("_", " "), *each.model.aliases):
                meanings.setdefault(tuple(token.word for token in significant(tokens(name))), set()).add(each.id)
    assert {" ".join(words): found for words, found in meanings.items() if len(found) > 1} == {}
