"""What stands around a list of values takes their standing: headings, columns, retractions, items above and beside."""

from __future__ import annotations

import pytest

GAP = "- input gap share: 45 %\n- step time: 180 ms\n"
HEADS = {"en": "Measured", "zh": "实测", "vi": "Đo được"}
BASE = f"# Training job slow\n\n## Measured\n\n{GAP}"


OUTER = {
    "en": ["Goals", "Bob's machine", "Retracted", "Hypothetical", "Before the fix", "Old run", "Template", "Node A"],
    "zh": ["假设", "目标", "同事的机器", "已撤回", "修复前", "旧数据", "模板"],
    "vi": ["Trước khi sửa", "Mục tiêu", "Máy của đồng nghiệp", "Giả định", "Lần chạy cũ", "Mẫu"],
}


@pytest.mark.parametrize(("head", "outer"), [(HEADS[code], outer) for code in OUTER for outer in OUTER[code]])
def test_a_heading_holds_for_all_sections_below_it(confirmed, head, outer):
    """A plain heading below one that may make something else of values gives them no standing, in any shape."""
    assert confirmed(f"# Training job slow\n\n## {outer}\n\n### {head}\n\n{GAP}") == []
    assert confirmed(f"# Training job slow\n\n## {outer}\n\nWords.\n\n### X\n\n#### {head}\n\n{GAP}") == []
    assert confirmed(f"# Training job slow\n\n# {outer}\n\nWords.\n\n**{head}**\n\n{GAP}") == []
    assert confirmed(f"# Training job slow\n\n## {outer}\n\n## {head}\n\n{GAP}") == [], "nothing stands below it"


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("Measured", "Hypothetical"),
        ("Measured", "The following is wrong:"),
        ("Measured", "Goals"),
        ("Measured", "Before the fix"),
        ("Measured", "Template for reports"),
        ("Measured", "Numbers of a colleague"),
        ("实测", "假设"),
        ("实测", "以下数值有误"),
        ("实测", "目标"),
        ("Đo được", "Giả định"),
        ("Đo được", "Các số sau đây sai"),
        ("Đo được", "Trước khi sửa"),
    ],
)
def test_a_title_that_speaks_of_its_report(confirmed, head, title):
    """A title that tells what the report is, no complaint, takes the standing of all values."""
    assert confirmed(f"# {title}\n\n## {head}\n\n{GAP}") == []


@pytest.mark.parametrize(
    ("title", "heads"),
    [
        ("Training job slow", ["Measured"]),
        ("Slower than on another node", ["Measured"]),
        ("GPU utilisation lower than expected", ["Problem", "Measured"]),
        ("Training got slower than before", ["Details", "Results"]),
        ("训练比之前慢", ["问题描述", "实测"]),
        ("Huấn luyện chậm hơn trước", ["Mô tả", "Đo được"]),
    ],
)
def test_a_complaint_above_plain_headings_changes_nothing(confirmed, title, heads):
    """A title that tells what is wrong, and headings that say nothing, leave values as they are."""
    path = "\n\n".join(f"{'#' * level} {head}" for level, head in enumerate(heads, 2))
    assert "input_wait" in confirmed(f"# {title}\n\n{path}\n\n{GAP}")


def test_a_section_ends_where_the_next_begins(confirmed):
    """What a heading holds ends at the next one of its level."""
    assert "input_wait" in confirmed(f"# Slow\n\n## Goals\n\n- MFU: 50 %\n\n## Measured\n\n{GAP}")


@pytest.mark.parametrize("names", ["metric", "指标", "Chỉ số"])
@pytest.mark.parametrize(
    "head", ["goal", "target", "H100 (Bob)", "before", "what we expect", "目标", "同事的机器", "Mục tiêu", "Máy khác"]
)
def test_a_column_under_other_words_decides_nothing(confirmed, names, head):
    """Only a plainly headed column of values is what was measured."""
    rows = "| input gap share | 45 % |\n| step time | 180 ms |\n"
    assert confirmed(f"# Slow\n\n## Measured\n\n| {names} | {head} |\n| --- | --- |\n{rows}") == []
    assert confirmed(f"# Slow\n\n## Measured\n\n| {head} | value |\n| --- | --- |\n{rows}") == []


@pytest.mark.parametrize(
    "head", ["| metric | value |", "| Metric | Measured |", "| 指标 | 数值 |", "| Chỉ số | Giá trị |"]
)
def test_a_plain_column_decides(confirmed, head):
    """One column of names beside one of values is a list of values; so is one row under names."""
    rows = "| input gap share | 45 % |\n| step time | 180 ms |\n"
    assert "input_wait" in confirmed(f"# Slow\n\n## Measured\n\n{head}\n| --- | --- |\n{rows}")
    row = "| input gap share | step time |\n| --- | --- |\n| 45 % | 180 ms |\n"
    assert "input_wait" in confirmed(f"# Slow\n\n## Measured\n\n{row}")
    named = "| input gap share | goal |\n| --- | --- |\n| 45 % | 180 ms |\n"
    assert confirmed(f"# Slow\n\n## Measured\n\n{named}") == []


@pytest.mark.parametrize(
    "words",
    [
        "The measured values above are wrong.",
        "- Correction: the measured values above are wrong.",
        "These were typos; the real input gap share is 1 %.",
        "The real input gap share is 1 %.",
        "Correction: it is 1 %.",
        "The numbers above are from a colleague.",
        "Please ignore what I wrote.",
        "None of this is from our job.",
        "Forget the numbers above.",
        "It should say 1 % instead.",
        "The above comes from a vendor.",
        "数据是编的。",
        "Số liệu lấy từ tài liệu.",
        "上面的数值是假设的。",
        "上述数据有误。",
        "更正：实际是 1 %。",
        "数字写错了。",
        "Các số trên đo trên máy khác.",
        "Số liệu ở trên không đúng.",
        "Đính chính: thực ra là 1 %.",
    ],
)
def test_what_is_taken_back_anywhere_decides_nothing(confirmed, words):
    """A sentence that takes values back holds for those before it and behind it."""
    assert confirmed(f"{BASE}\n## Notes\n\n{words}\n") == []
    assert confirmed(f"# Training job slow\n\n{words}\n\n## Measured\n\n{GAP}") == []


@pytest.mark.parametrize(
    "head",
    [
        "Measured again after the fix",
        "Measured on node B",
        "Re-measured",
        "重新测量",
        "修复后实测",
        "Đo lại sau khi sửa",
    ],
)
def test_a_second_measurement_undoes_the_first(confirmed, head):
    """Where a report measures in two states, which one holds is not known."""
    assert confirmed(f"{BASE}\n## {head}\n\n- input gap share: 1 %\n") == []


@pytest.mark.parametrize("parent", ["on Bob's machine", "Goals:", "目标：", "同事的机器", "Mục tiêu:", "máy của Bình"])
def test_an_item_holds_for_those_nested_in_it(confirmed, parent):
    """Only a parent that says nothing of its values leaves them standing."""
    nested = "".join(f"  {line}\n" for line in GAP.splitlines())
    assert confirmed(f"# Slow\n\n## Measured\n\n- {parent}\n{nested}") == []
    assert confirmed(f"# Slow\n\n## Measured\n\n- {parent}\n{GAP}") == [], "beside it"
    assert "input_wait" in confirmed(f"# Slow\n\n## Measured\n\n- Training:\n{nested}")


@pytest.mark.parametrize(
    "item",
    [
        "machine: that of Bob",
        "when: last year",
        "可信度：低",
        "độ tin cậy: thấp",
        "source: vendor manual",
        "status: retracted",
        "run: old",
        "note: old",
        "来源: 文档",
        "状态：作废",
        "备注：旧的",
        "nguồn: tài liệu",
        "trạng thái: cũ",
    ],
)
def test_an_item_on_their_origin_holds_for_its_list(confirmed, item):
    """An item that tells where values come from, or what they are worth, is no value beside them."""
    assert confirmed(f"# Slow\n\n## Measured\n\n- {item}\n{GAP}") == []
    assert confirmed(f"# Slow\n\n## Measured\n\n{GAP}- {item}\n") == []


@pytest.mark.parametrize(
    "text",
    [
        f"# Slow\n\n<details><summary>Old run</summary>\n\n## Measured\n\n{GAP}\n</details>\n",
        f"# Slow\n\n<details>\n<summary>旧数据</summary>\n\n## 实测\n\n{GAP}\n</details>\n",
        f"# Slow\n\n---------- Forwarded message ---------\n\n## Measured\n\n{GAP}",
        f"# Slow\n\n转发的邮件：\n\n## 实测\n\n{GAP}",
        f"# Chậm\n\nThư được chuyển tiếp:\n\n## Đo được\n\n{GAP}",
        f"---\nkind: template\n---\n\n# Slow\n\n## Measured\n\n{GAP}",
        f"---\nkind: example\nauthor: a\n---\n\n# Slow\n\n## Measured\n\n{GAP}",
        f"---\n类型: 模板\nauthor: a\n---\n\n# 慢\n\n## 实测\n\n{GAP}",
        f"---\nloại: ví dụ\nauthor: a\n---\n\n# Chậm\n\n## Đo được\n\n{GAP}",
        "# Slow\n\n## Measured\n\n- [ ] input gap share: 45 %\n- [ ] step time: 180 ms\n",
        "# Slow\n\n## Measured\n\n- input gap share: +45 %\n- step time: 180 ms\n",
        "# Slow\n\n## Measured\n\n| metric | value |\n| --- | --- |\n| input gap share | +45 % |\n",
    ],
)
def test_what_is_folded_forwarded_to_do_or_a_change(confirmed, text):
    """Old runs folded away, what others wrote, forms, things to do and changes are no measurement of this job."""
    assert confirmed(text) == []


def test_what_is_done_and_what_follows_a_fold_stands(confirmed):
    """A checked item is a value, and a fold ends."""
    assert "input_wait" in confirmed("# Slow\n\n## Measured\n\n- [x] input gap share: 45 %\n- step time: 180 ms\n")
    fold = "<details><summary>Log</summary>\n\nNothing.\n\n</details>\n"
    assert "input_wait" in confirmed(f"# Slow\n\n{fold}\n## Measured\n\n{GAP}")


@pytest.mark.parametrize("words", ["on Bob's machine", "同事的机器上", "trên máy của Bình"])
def test_a_value_that_goes_on_in_words_is_said(confirmed, words):
    """A line that continues an item may take back its value."""
    assert confirmed(f"# Slow\n\n## Measured\n\n- step time: 180 ms\n- input gap share: 45 %\n  {words}\n") == []


def test_common_words_take_nothing_back(confirmed):
    """Wrong labels, real images, limits and wishes of the reporter say nothing against the values."""
    words = "Real images, not synthetic. We see incorrect labels. Usage never goes above 40 %. We would like advice."
    assert "input_wait" in confirmed(f"# Wrong results and slow\n\n{words}\n\n## Measured\n\n{GAP}")


MAIL = "From: a@b.c\nTo: d@e.f\nSubject: {subject}\nDate: today\n\n"


@pytest.mark.parametrize(
    "text",
    [
        MAIL.format(subject="Fwd: Training job slow") + f"## Measured\n\n{GAP}",
        MAIL.format(subject="FW: Training job slow") + f"See below.\n\n## Measured\n\n{GAP}",
        MAIL.format(subject="转发：训练慢") + f"## 实测\n\n{GAP}",
        MAIL.format(subject="Chuyển tiếp: huấn luyện chậm") + f"## Đo được\n\n{GAP}",
        MAIL.format(subject="Training job slow")
        + f"From: bob\nSent: Monday\nTo: ann\nSubject: his job\n\n## Measured\n\n{GAP}",
        f"# Slow\n\n**From:** Bob\n**Sent:** Monday\n**To:** Ann\n\n## Measured\n\n{GAP}",
        f"# 慢\n\n发件人: 小王\n发送时间: 周一\n收件人: 小李\n\n## 实测\n\n{GAP}",
        f"# Chậm\n\nTừ: Bình\nGửi: thứ hai\nĐến: An\n\n## Đo được\n\n{GAP}",
        '{"title": "Slow", "user": {"login": "a"}, "body": "From: b\\nSent: c\\nTo: a\\n\\n## Measured\\n\\n'
        + GAP.replace("\n", "\\n")
        + '"}',
    ],
)
def test_a_forwarded_mail_without_marks(confirmed, text):
    """Below the headers of a mail, or in one that is forwarded, somebody else may speak."""
    assert confirmed(text) == []


def test_a_mail_of_the_reporter_stands(confirmed):
    """A mail that is not forwarded is the reporter's own."""
    assert "input_wait" in confirmed(MAIL.format(subject="Re: Training job slow") + f"## Measured\n\n{GAP}")


@pytest.mark.parametrize(
    ("title", "head"),
    [
        ("Bob's machine", "Measured"),
        ("Slow on Bob's old laptop", "Measured"),
        ("The numbers of Alice", "Measured"),
        ("Yesterday's run", "Measured"),
        ("Node A", "Measured"),
        ("小王的机器", "实测"),
        ("服务器 B", "实测"),
        ("Máy của Bình", "Đo được"),
        ("Máy chủ B", "Đo được"),
    ],
)
def test_a_title_that_names_a_place(confirmed, title, head):
    """A title that tells whose values follow, and no complaint, leaves open whether they are of the job."""
    assert confirmed(f"# {title}\n\n## {head}\n\n{GAP}") == []


@pytest.mark.parametrize(
    ("title", "head"),
    [
        ("Training slow on the new server", "Measured"),
        ("Our node is slow", "Measured"),
        ("The server's GPU utilisation is low", "Measured"),
        ("我们的机器训练慢", "实测"),
        ("Máy của chúng tôi huấn luyện chậm", "Đo được"),
    ],
)
def test_a_complaint_about_ones_own_place(confirmed, title, head):
    """A complaint stays one where it names the machine it is about."""
    assert "input_wait" in confirmed(f"# {title}\n\n## {head}\n\n{GAP}")


@pytest.mark.parametrize(
    "block",
    [
        "```\nNOTE: the numbers above are wrong, please ignore them\n```\n",
        "```text\nstep 1 done\nthe measured values are from another machine\n```\n",
        "```\n上面的数值是编的，不要使用这些数字\n```\n",
        "```\nCác số liệu ở trên không đúng và được đo trên máy khác\n```\n",
        "| remark | the values above are wrong and made up |\n| --- | --- |\n| x | y |\n",
    ],
)
def test_values_taken_back_between_fences(confirmed, block):
    """A sentence that takes values back may stand anywhere, also in what looks like output or a table."""
    assert confirmed(f"{BASE}\n{block}") == []
    assert confirmed(f"# Training job slow\n\n{block}\n## Measured\n\n{GAP}") == []


def test_a_log_takes_nothing_back(confirmed):
    """Output that warns, or calls something wrong, is no remark on the values of the report."""
    log = "```\nWARNING: wrong tokenizer for this model, results may be poor\nUpdate: 5 packages are out of date\n```\n"
    assert "input_wait" in confirmed(f"{BASE}\n{log}")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Measured", "Measured"),
        ("Measured", "Results"),
        ("实测", "测量结果"),
        ("Đo được", "Kết quả đo"),
        ("Environment", "Setup"),
    ],
)
def test_two_sections_that_differ_are_not_mixed(confirmed, read, first, second):
    """Where two sections give one measurement two values, nothing decides, and it is asked which holds."""
    text = f"# Training job slow\n\n## {first}\n\n{GAP}\n## {second}\n\n- step time: 80 ms\n"
    assert confirmed(text) == []
    assert [each.text.partition(":")[0] for each in read(text).questions] == ["step_time"]
    worded = f"# Training job slow\n\n## {first}\n\n{GAP}\n## {second}\n\nAfter a change:\n\n- step time: 80 ms\n"
    assert confirmed(worded) == []


def test_two_sections_that_agree_stand(confirmed, read):
    """The same value again, or other measurements, contradict nothing."""
    text = f"{BASE}\n## Results\n\n- step time: 180 ms\n- batch size: 8\n"
    assert "input_wait" in confirmed(text)
    assert not read(text).questions
