"""Mistakes that authors of knowledge make: each is told at its place, in plain words, with what to do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dam_expert.documents.messages import Message
from dam_expert.engine.cases import case_messages, run_cases
from dam_expert.engine.rule_tests import run_rule_tests
from dam_expert.kb.load import load_knowledge

BROKEN = Path(__file__).parent / "broken"
SOUND = BROKEN / "sound"


def problems(folder: Path) -> list[Message]:
    """Return what ``dam kb check`` and ``dam kb test`` say of a base."""
    base, messages = load_knowledge([folder])
    if base is None:
        return messages
    return [*messages, *run_rule_tests(base).messages, *case_messages(base, run_cases(base))]


def lines(messages: list[Message], folder: Path) -> list[str]:
    """Return messages without the name of the folder, nor that of the file that all of them are about."""
    return [str(message).replace(f"{folder.name}/", "").removeprefix("mistake.yaml:").strip() for message in messages]


def test_the_base_around_the_mistakes_is_sound():
    """What the mistakes are added to has none of its own."""
    assert problems(SOUND) == []


@pytest.mark.parametrize("mistake", sorted(BROKEN.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_mistake_is_told_at_its_place(mistake, tmp_path):
    """A file with a mistake gives exactly the expected lines, and no traceback."""
    shutil.copytree(SOUND, tmp_path, dirs_exist_ok=True)
    shutil.copy(mistake, tmp_path / "mistake.yaml")
    expected = mistake.with_suffix(".expected").read_text(encoding="utf-8").splitlines()
    assert lines(problems(tmp_path), tmp_path) == expected


def test_every_mistake_is_told_by_an_error_or_warning():
    """No file of the corpus passes silently, and there are enough of them."""
    told = [path.read_text(encoding="utf-8") for path in BROKEN.glob("*.expected")]
    assert len(told) >= 60
    assert all("error: " in text or "warning: " in text for text in told)
