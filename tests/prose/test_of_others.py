"""A number or an option of others, of another time, of a plan or of a file that is not used is nothing of this job."""

from __future__ import annotations

import pytest

GAP = "- input gap share: 45 %\n- step time: 180 ms\n"


@pytest.mark.parametrize(
    "words",
    [
        "Anna told me that on her job the GPU utilisation sits at 12 %.",
        "My office mate's diffusion job has a GPU utilisation of 12 %.",
        "Tuan's BERT run has a GPU utilisation of 12 %.",
        "My laptop with the 3060 shows a GPU utilisation of 12 %.",
        "Our second site has a GPU utilisation of 12 %.",
        "Last Friday's job had a GPU utilisation of 12 %.",
        "In run 41 the GPU utilisation was 12 %.",
        "In their paper, Li et al. report a GPU utilisation of 12 %.",
        "Oh sure, and my toaster has a GPU utilisation of 12 %.",
        "小王的任务 GPU 利用率 12%。",
        "上一次实验里 GPU 利用率 12%。",
        "我在自己的工作站上测得 GPU 利用率 12%。",
        "呵呵，GPU 利用率 12%，你信吗？",
        "Job của anh Tuấn có mức dùng GPU 12 %.",
        "Mei-Ling is at 12 % GPU utilisation. Mine: 600 ms per step.",
        "The guy from facilities swears the GPUs run at 12 % utilisation.",
        "My boss dreams of 12 % GPU utilisation.",
        "It'd be great to see 12 % GPU utilisation one day.",
        "群里有人说他的 GPU 利用率只有 12%。",
        "老机房那台的 GPU 利用率是 12%。",
        "年初 GPU 利用率只有 12%，换了硬盘之后好了。",
        "The tenant next to us keeps his cards at 12 % GPU utilisation.",
        "GPU utilisation was 12 % under the old scheduler and nobody measured again.",
        "A smoke test with 10 steps gave a GPU utilisation of 12 %.",
        "The canary replica shows a GPU utilisation of 12 %.",
        "Say we had a GPU utilisation of 12 %. What then?",
        "Google's blog suggests 12 % GPU utilisation.",
        "Bên đối tác có mức dùng GPU 12 %.",
        "Theo lời anh Nam thì mức dùng GPU là 12 %.",
        "Hồi đầu năm mức dùng GPU chỉ 12 %, thay ổ đĩa xong thì hết.",
        "Trên máy dev mức dùng GPU là 12 %.",
        "Tài liệu có viết: mức dùng GPU là 12 %.",
    ],
)
def test_numbers_of_others(values, words):
    """Whose a job, machine or text is stands in a possessive or beside it; no list holds all names."""
    assert "accelerator_utilization" not in values(f"# Training slow\n\n{words} Step time is 2 s.\n")


@pytest.mark.parametrize(
    "words",
    [
        "The GPU's utilisation is 12 %.",
        "Today's run has a GPU utilisation of 12 %.",
        "On our own job the GPU utilisation is 12 %.",
        "Since last week's run the GPU utilisation is 12 %.",
        "Our customers' jobs show a GPU utilisation of 12 %.",
        "GPU utilisation is 12 %. Mine is a plain DDP setup.",
        "We use Meta's Llama model, and GPU utilisation is 12 %.",
        "Two weeks ago we moved to H100s; GPU utilisation is now 12 %.",
        "We set batch_size=16 as in the paper, GPU utilisation is 12 %.",
        "Until the first checkpoint GPU utilisation is 12 %.",
        "上周升级驱动后，GPU 利用率 12%。",
        "Từ đầu năm mức dùng GPU là 12 %.",
        "The model's training shows a GPU utilisation of 12 %.",
        "我们的任务 GPU 利用率 12%。",
        "Job của chúng tôi có mức dùng GPU 12 %.",
    ],
)
def test_numbers_of_this_job_stay(values, words):
    """A possessive of the job itself, of its parts or of today names nobody else."""
    assert values(f"# Training slow\n\n{words}\n")["accelerator_utilization"][0] == pytest.approx(0.12)


@pytest.mark.parametrize(
    "words",
    [
        "Anna told me that on her job num_workers=0 was to blame.",
        "Next sprint we go to num_workers=0.",
        "The PyTorch tuning guide says: set num_workers=0.",
        "Should I use num_workers=0 or num_workers=8?",
        "下个月准备把 num_workers 调到 0。",
        "以前 num_workers=0，后来已经改掉了。",
        "小王的任务 num_workers=0。",
        "On Thursday ops will set num_workers=0.",
        "教程推荐 num_workers=0。",
        "Hướng dẫn khuyên đặt num_workers=0.",
        "num_workers=0 会不会很慢？",
        "Trong đề xuất có num_workers=0 nhưng chưa làm.",
        "Tuần sau chúng tôi sẽ đặt num_workers=0.",
        "Hồi trước num_workers=0, nay đã sửa rồi.",
    ],
)
def test_options_that_the_job_does_not_have(values, words):
    """An option in a sentence is read as the sentence is: planned, asked for, of others, or of an earlier state."""
    assert "dataloader_workers" not in values(f"# Training slow\n\n{words}\n\nStep time is 2 s.\n")


@pytest.mark.parametrize(
    "words",
    ["We train with num_workers=4.", "With num_workers=4 it is slow, any idea?", "Why is it slow with num_workers=4?"],
)
def test_options_of_the_job_stay(values, words):
    """So is one that the job has, even in a question."""
    assert values(f"# Training slow\n\n{words}\n")["dataloader_workers"] == (4, "reported")


@pytest.mark.parametrize(
    "words",
    [
        "The repo ships this file, which we do not use:",
        "The old launch script (deleted meanwhile) had:",
        "config.bak (not loaded by anything):",
        "README excerpt:",
        "旧的备份配置（不加载）：",
        "下面这个配置是示例，没有用到：",
        "Tệp cấu hình mẫu dưới đây không được dùng:",
    ],
)
def test_blocks_that_are_not_used(values, words):
    """What heads a block may say that the job does not run with it."""
    block = "```yaml\nnum_workers: 0\n```\n"
    assert "dataloader_workers" not in values(f"# Training slow\n\n{words}\n\n{block}")
    assert values(f"# Training slow\n\nOur config:\n\n{block}")["dataloader_workers"] == (0, "reported")


def test_lines_that_are_commented_out(values):
    """They are no settings; behind the prompt of a root shell stands a command."""
    assert "dataloader_workers" not in values(
        "# Training slow\n\n```python\n# loader = DataLoader(d, num_workers=0)\n```\n"
    )
    assert "dataloader_workers" in values("# Training slow\n\n```\n# python train.py --num-workers 4\n```\n")


@pytest.mark.parametrize("words", ["论文表 2：", "Table 3 of the Switch paper, for example:"])
def test_tables_of_others(values, words):
    """A table, or a quotation, is of what its heading words say."""
    table = "| metric | value |\n| --- | --- |\n| GPU utilization | 12 % |\n"
    assert "accelerator_utilization" not in values(f"# Training slow\n\n{words}\n\n{table}")
    assert "accelerator_utilization" in values(f"# Training slow\n\nOurs:\n\n{table}")


def test_hours_are_no_count(values):
    """Hours that are paid for count no devices."""
    assert "device_count" not in values("# Training slow\n\nThe invoice lists 4200 GPU hours.\n")
    assert values("# Training slow\n\nWe train on 8 GPUs.\n")["device_count"][0] == 8


@pytest.mark.parametrize(
    "title",
    [
        "Copy of ticket 8121 for training purposes",
        "Training slow at our partner's site",
        "Slow: Tuan's BERT run",
        "Screenshot from the Contoso webinar: training slow",
    ],
)
def test_titles_of_others(confirmed, title):
    """A title that names a copy, or what is somebody else's, takes the standing of all values."""
    assert confirmed(f"# {title}\n\n## Measured\n\n{GAP}") == []


@pytest.mark.parametrize(
    "words",
    [
        "Word is that the input gap share in this building is 45 %.",
        "The previous run on this node had the same gaps.",
        "Kim's job had input gaps like these.",
    ],
)
def test_sentences_of_others_take_standing(confirmed, words):
    """A sentence of others may be what the values are of; one of the job leaves them standing."""
    assert confirmed(f"# Training slow\n\n{words}\n\n## Measured\n\n{GAP}") == []
    assert "input_wait" in confirmed(f"# Training slow\n\nThe job waits.\n\n## Measured\n\n{GAP}")
