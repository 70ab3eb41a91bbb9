"""What stands among words decides nothing, whatever the words are."""

from __future__ import annotations

import pytest

GAP = "- input gap share: 45 %\n- step time: 900 ms\n"
OOM = (
    "```\nRuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 11.77 GiB total capacity; 9.50 GiB "
    "already allocated; 1.10 GiB free; 9.80 GiB reserved in total by PyTorch)\n```\n"
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"# Slow\n\nBob claims, wrongly:\n\n{GAP}\nMy trace shows the opposite.\n", id="a wrong claim"),
        pytest.param("# Slow\n\n## Measured\n\n- input gap share: 45 % - false, do not use\n", id="behind the value"),
        pytest.param(
            "# Slow\n\n## Measured\n\n- input gap share: 40 % (on the old cluster, now 1 %)\n", id="in brackets"
        ),
        pytest.param(
            f"# Slow on B\n\n## Node A (healthy, for comparison)\n\n{GAP}\n## Node B\n\nBusy.\n", id="a heading"
        ),
        pytest.param(
            f"# Fixed\n\nBefore the fix:\n\n{GAP}\nAfter the fix:\n\n- step time: 300 ms\n", id="before a fix"
        ),
        pytest.param("# Slow\n\n## Target values\n\n- MFU: 55 %\n- host gap share: 55 %\n", id="wished"),
        pytest.param("# Slow\n\nNext quarter we reach:\n\n- overlap speedup: 1.4\n- MFU: 60 %\n", id="planned"),
        pytest.param(f"# Slow\n\n## Measured\n\nA template, these are placeholders.\n\n{GAP}", id="a template"),
        pytest.param(f"# Slow\n\n以下是另一台机器的数据：\n\n{GAP}", id="another machine, Chinese"),
        pytest.param(f"# Slow\n\nSố liệu của máy khác:\n\n{GAP}", id="another machine, Vietnamese"),
        pytest.param(f"# Slow\n\n## Measured\n\n{GAP}- note: from another machine\n", id="a note behind them"),
        pytest.param(f"# Slow\n\n## Measured\n\n- note: of last week, before the move\n{GAP}", id="a note before them"),
        pytest.param(f"# Slow\n\n## Setup\n\n- source: a colleague\n\n## Measured\n\n{GAP}", id="a note a list before"),
        pytest.param(f"# Slow\n\n## Measured\n\n- hardware: another machine\n{GAP}", id="a value that says so"),
        pytest.param(
            f"# Slow\n\nThe numbers below are a template.\n\n## Measured\n\n{GAP}", id="pointed at from before"
        ),
        pytest.param(f"# Slow\n\nMaybe these figures are off.\n\n## Measured\n\n{GAP}", id="doubted from before"),
        pytest.param(f"# 慢\n\n## 实测\n\n- 备注：别的机器上测的\n{GAP}", id="a note, Chinese"),
        pytest.param(f"# Chậm\n\n## Số đo\n\n- ghi chú: đo trên máy khác\n{GAP}", id="a note, Vietnamese"),
        pytest.param("[10:04] ann: dram active: 90 %\n[10:05] bob: lol no that's my gaming pc\n", id="a chat"),
        pytest.param(
            f"# Slow\n\nA colleague's run died with this; ours runs fine:\n\n{OOM}", id="pasted of another job"
        ),
        pytest.param(
            f"# Slow\n\nSee:\n\n{OOM}\nThat is an old incident, please ignore it.\n", id="taken back behind it"
        ),
    ],
)
def test_values_among_words_confirm_nothing(confirmed, text):
    """Whatever is said around values (another machine, a wish, a joke), they confirm no cause."""
    assert confirmed(text) == []


def test_bare_values_under_a_plain_heading_decide(confirmed):
    """What was measured of this job, with nothing around it, is as good as in an incident file."""
    assert "input_wait" in confirmed(f"# Slow\n\nIt is slow.\n\n## Measured\n\n{GAP}")
