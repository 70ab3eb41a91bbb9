"""Which lever is meant by what people say of plans, attempts and changes, in three languages."""

from __future__ import annotations

import pytest
from session.dialogue import STEP, base, conversation, dialogue

from dam_expert.documents.incident import Effect
from dam_expert.session.errors import AnswerError
from dam_expert.session.naming import lever_named


@pytest.mark.parametrize(
    ("text", "lever"),
    [
        ("OMP_NUM_THREADS=1", "limit_worker_threads"),  # what the lever itself says to set
        ("set OMP_NUM_THREADS=1 in the workers", "limit_worker_threads"),
        ("OMP_NUM_THREADS=16", "match_threads_to_cores"),
        ("买更多GPU", "more_accelerators"),
        ("再买 4 张卡", "more_accelerators"),
        ("mua thêm GPU", "more_accelerators"),
        ("tăng worker", "more_loader_workers"),
        ("把 max_num_seqs 调大", "raise_admission_limit"),
        ("lower max_num_seqs", "fewer_sequences"),
    ],
)
def test_a_lever_is_named_as_in_a_report(text: str, lever: str) -> None:
    assert lever_named(base(), conversation().words(dialogue()[0]), text, conversation().vocabulary).id == lever


@pytest.mark.parametrize(
    ("text", "lever", "effect"),
    [
        ("tried 把 max_num_seqs 调大：没用", "raise_admission_limit", Effect.NOTHING),
        ("试过增加worker没用", "more_loader_workers", Effect.NOTHING),
        ("试过 增加 worker，没有改善", "more_loader_workers", Effect.NOTHING),
        ("试过 锁页内存：变慢", "pin_batches", Effect.WORSE),
        ("đã thử tăng worker: không cải thiện", "more_loader_workers", Effect.NOTHING),
        ("đã thử tăng worker không cải thiện", "more_loader_workers", Effect.NOTHING),
        ("tried more workers: no improvement", "more_loader_workers", Effect.NOTHING),
        ("tried more workers - it helped", "more_loader_workers", Effect.HELPED),
        ("tried more workers: twice as fast", "more_loader_workers", Effect.HELPED),
    ],
)
def test_what_was_tried_and_what_it_did(text: str, lever: str, effect: Effect) -> None:
    state, said, _ = dialogue(STEP, text)
    assert [(one.lever, one.effect) for one in state.incident.tried] == [(lever, effect)], said[-4:]


@pytest.mark.parametrize("text", ["计划 买更多GPU", "dự định mua thêm GPU", "plan buy 4 more GPUs", "计划 再买 4 张卡"])
def test_a_plan_is_understood_in_each_language(text: str) -> None:
    state, _, _ = dialogue(STEP, text)
    assert [one.lever for one in state.incident.planned] == ["more_accelerators"]


def test_what_is_not_understood_is_named_as_it_was_written() -> None:
    for text in ("计划 买更多咖啡", "dự định mua cà phê"):
        _, said, _ = dialogue(STEP, text)
        assert not any("buy" in line for line in said[-2:])


def test_a_thing_like_some_is_answered_with_their_levers() -> None:
    """More of *concurrency* is the clients' or the server's: it is asked, not guessed."""
    words = conversation().words(dialogue()[0])
    with pytest.raises(AnswerError) as raised:
        lever_named(base(), words, "增加并发", conversation().vocabulary)
    assert "raise_admission_limit" in raised.value.told(words)
