"""Translations of the base: found by kind, id and field, checked, and never in the way."""

from __future__ import annotations

import pytest

from dam_expert.kb.load import load_knowledge
from dam_expert.kb.texts import load_texts, originals_of


@pytest.fixture(name="base", scope="module")
def _base():
    return load_knowledge()[0]


@pytest.fixture(name="load")
def _load(base, tmp_path):
    """Return a function that loads the texts of one file."""

    def load(content):
        folder = tmp_path / "knowledge" / "texts" / "zh"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "a.yaml").write_text(content, encoding="utf-8")
        return load_texts(base, "zh", [tmp_path / "knowledge"])

    return load


def test_a_translation_is_found_by_the_english_text(base, load):
    """A text is looked up by its original, and every text that has none is listed as missing."""
    texts, messages = load("measurements:\n  step_time:\n    title: 步时\n")
    assert (dict(texts.by_original), messages) == ({"Step time": "步时"}, [])
    assert len(texts.missing) == len(dict(originals_of(base))) - 1


def test_inner_texts(load):
    """Ways, values and parts have places of their own."""
    texts, messages = load(
        "measurements:\n  capture_state:\n    values.tiny: 少量内核，并非运行中的作业。\n"
        "budgets:\n  step_budget:\n    parts.kernel.title: 设备在计算，种类未知\n"
    )
    assert messages == []
    assert texts.by_original["Device computing, kind unknown"] == "设备在计算，种类未知"


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        pytest.param("levrs: {a: {title: x}}", "unknown-text", "no kind of entry is called 'levrs'", id="kind"),
        pytest.param("measurements: {step_tim: {title: x}}", "unknown-text", "did you mean 'step_time'?", id="id"),
        pytest.param("measurements: {step_time: {titel: x}}", "unknown-text", "did you mean 'title'?", id="field"),
        pytest.param("measurements: {step_time: {title: 3}}", "wrong-type", "a translation is a text", id="number"),
        pytest.param("measurements: [step_time]", "wrong-type", "begin with 'measurements:'", id="list"),
        pytest.param(
            "hypotheses:\n  input_wait:\n    title: 等待 30 %", "numbers-differ", "numbers are not those", id="numbers"
        ),
    ],
)
def test_wrong_translations(load, content, code, said):
    """What cannot be a translation is a message with its place, and is left out."""
    texts, messages = load(content)
    assert (dict(texts.by_place), [message.code for message in messages]) == ({}, [code])
    assert said in str(messages[0])
    assert messages[0].file == "knowledge/texts/zh/a.yaml"


@pytest.mark.parametrize("language", ["zh", "vi"])
def test_the_shipped_texts_fit_the_base(base, language):
    """Every translation that is shipped belongs to a text of the base and keeps its numbers."""
    assert load_texts(base, language)[1] == []
