"""What is said not to be so, off, wished for or over is no fact, wherever the word that says it stands."""

from __future__ import annotations

import pytest

HEAD = "# Slow\n\n"


@pytest.mark.parametrize(
    ("sentence", "measurement"),
    [
        ("没有看到抢占（preemption）。", "preempted_reported"),
        ("日志里没有出现过抢占 (preemption)。", "preempted_reported"),
        ("There is no eviction (preemption).", "preempted_reported"),
        ("Không có hiện tượng chiếm quyền (preemption).", "preempted_reported"),
        ("Preemption was not observed.", "preempted_reported"),
        ("Preemption never happens.", "preempted_reported"),
        ("preemption 没有发生。", "preempted_reported"),
        ("Preemption không xảy ra.", "preempted_reported"),
        ("torch.compile 也没开。", "compiler_named"),
        ("torch.compile 没有启用。", "compiler_named"),
        ("torch.compile 是关着的。", "compiler_named"),
        ("torch.compile isn't enabled.", "compiler_named"),
        ("torch.compile is currently off.", "compiler_named"),
        ("torch.compile was never used.", "compiler_named"),
        ("We train with torch.compile disabled.", "compiler_named"),
        ("torch.compile chưa bật.", "compiler_named"),
        ("torch.compile đang tắt.", "compiler_named"),
        ("torch.compile thì không dùng.", "compiler_named"),
    ],
)
def test_what_is_absent_is_denied(values, sentence, measurement):
    """In front, in a bracket that says it again, or behind."""
    assert values(HEAD + sentence)[measurement][0] == "false"


@pytest.mark.parametrize(
    "sentence",
    [
        "The log shows preemption.",
        "Not slow at first, then preemption.",
        "It is not fast (preemption all the time).",
        "日志里有抢占（preemption）。",
        "Có preemption liên tục.",
    ],
)
def test_what_is_there_is_stated(values, sentence):
    """A negation of something else leaves it as it is."""
    assert values(HEAD + sentence)["preempted_reported"][0] == "true"


@pytest.mark.parametrize("sentence", ["We turned torch.compile on, no effect.", "开了 torch.compile 没用。"])
def test_what_gave_nothing_is_in_use(values, sentence):
    """That it was of no use does not say that it was not used."""
    assert values(HEAD + sentence)["compiler_named"][0] == "true"
