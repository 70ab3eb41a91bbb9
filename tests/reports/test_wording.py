"""The program's own phrases: the same keys and places in every language, and no number changed by one."""

from __future__ import annotations

import re

import pytest
from sample_diagnoses import CONFIRMED, UNDETERMINED, glossary_in

from dam_expert.reports import build_report, to_text
from dam_expert.reports.wording import GROUPS, LANGUAGES, load_wording

#: What no language changes: numbers with their units, ids with a dot or an underscore, file names.
_KEPT = re.compile(r"\d+(?:\.\d+)?(?: ?(?:%|×|ms))?|\b\w+(?:[._]\w+)+\b")


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_phrase_with_the_same_places(language, group):
    """No phrase is missing, left over or empty, and each is filled with the same values."""
    phrases, english = (load_wording(each, group).phrases for each in (language, "en"))
    assert list(phrases) == list(english)
    assert [key for key, text in phrases.items() if not isinstance(text, str) or not text.strip(" ")] == []
    places = {key: sorted(re.findall(r"\{(\w+)\}", text)) for key, text in phrases.items()}
    assert places == {key: sorted(re.findall(r"\{(\w+)\}", text)) for key, text in english.items()}


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("language", ["zh", "vi"])
def test_phrases_are_translated(language, group):
    """What is the same as in English is a word that the language uses too, or holds no word at all."""
    english = load_wording("en", group).phrases
    same = {key for key, text in load_wording(language, group).phrases.items() if text == english[key]}
    wordless = {key for key, text in english.items() if not re.sub(r"\{\w+\}", "", text).strip(" :;,.()[]—")}
    assert same - wordless <= {
        "bottleneck.host",
        "roof.ridge",
        "said.memory.logits",
        "said.memory.micro_batch",
        "scaling.law",
    }


@pytest.mark.parametrize("language", ["zh", "vi"])
@pytest.mark.parametrize("diagnosis", [CONFIRMED, UNDETERMINED])
def test_the_language_changes_no_number_and_no_id(language, diagnosis):
    """Numbers and ids stand in the same order, whatever the language."""
    texts = [
        to_text(build_report(diagnosis, glossary_in(each)), explain=True, width=10_000) for each in ("en", language)
    ]
    kept = [sorted(_KEPT.findall(text)) for text in texts]
    assert kept[0] == kept[1]


def test_sentences_of_the_engine_are_told_again():
    """A sentence that the engine wrote in English is recognised, and what it names is translated as well."""
    wording = load_wording("zh")
    told = wording.retold("it could decide: A; B", {"A": "甲", "B": "乙"}.__getitem__)
    assert (told, wording.retold("something else", str)) == ("它可以判定：甲；乙", None)


def test_a_text_without_a_translation_stays_english():
    """What nobody has translated is shown as it is, never left out."""
    assert glossary_in("vi").text("A faster\n  accelerator") == "A faster accelerator"
