"""Every sentence that a part of the program can say of its inputs is told in Chinese and Vietnamese.

The sentences are found in the source (``spoken_texts``), so that a new one in English only is a failure by itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from spoken_texts import sentences

import dam_expert
from dam_expert.reports.wording import LANGUAGES, load_wording

PACKAGE: Final = Path(dam_expert.__file__).parent
#: What speaks of a person's inputs. Checks of rules and runbooks speak to authors, in the language of the documents.
SPEAKING: Final = (
    *("readers", "engine/clock.py", "engine/claims.py", "engine/columns.py", "engine/identity.py", "engine/reached.py"),
    *("prose/collected.py", "prose/comparisons.py", "prose/hardware.py", "prose/labelled.py", "prose/numbers.py"),
    *("prose/passages.py", "prose/report.py", "prose/twice.py", "prose/unclear.py", "prose/variants.py"),
    *("prose/wholes.py", "batch/reading.py", "batch/planning.py", "batch/tables.py", "batch/output.py"),
    *("documents/incident_reading.py", "documents/observation_reading.py", "documents/files.py"),
)
#: Names of columns, counters and programs, as tools print them, and pieces that stand in a longer sentence.
KEPT: Final = frozenset(
    {"accelerator core", "task type", "op name", "task duration(us)", "communication(not overlapped)"}
    | {"out of memory", "memory summary", "Mean duration (s)", "Avg generation throughput", " it/s, Epoch"}
    | {"%a %b %d %H:%M:%S %Y", "dump text", "locust text", "locust history", "locust, no values", "target metric"}
    | {"compute input", "compute infer", "compute output", "request rate", " and X more"}
    | {"MetricLogger of torchvision references", "HRNet and what came of it", "timers of Megatron-LM"}
    | {"AverageMeter lines: Time last (mean) Data last (mean)", "DeepSpeed wall clock breakdown"}
    | {"DeepSpeed throughput lines", "nanoGPT and nanochat", "elapsed time per iteration", "iter time (s):"}
    | {
        "train_step_timing in s",
        r"iter time \(s\): X",
        "Callable[[Base, Sequence[str]], tuple[Incident, Sequence[Message]]]",
    }
)
PIECES: Final = frozenset(
    {"is dated in the future, so that it counts as not made yet", "the change 'X' X"}
    | {"the outputs are of different devices, and which is the job's nobody knows: measure again on one"}
    | {"this line is not JSON: X [syntax]"}
)


def spoken() -> list[str]:
    """Return the sentences of all parts that speak, without what is kept."""
    paths = [PACKAGE / each for each in SPEAKING]
    modules = [one for path in paths for one in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    found = dict.fromkeys(text for module in modules for text in sentences(module))
    # half of a command that is written in two lines is no sentence of its own
    return [
        text
        for text in found
        if text not in KEPT | PIECES and not text.endswith(",") and "--format=csv -l 1'" not in text
    ]


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_every_sentence_is_told(language: str) -> None:
    wording = load_wording(language)  # type: ignore[arg-type]  # one of the languages
    found = spoken()
    assert len(found) > 400
    untold = [text for text in found if wording.retold(text.removeprefix(", "), str) in (None, text)]
    assert untold == []


def test_a_new_sentence_is_found(tmp_path: Path) -> None:
    """The search sees texts and filled texts, and neither patterns nor docstrings nor keys."""
    module = tmp_path / "new.py"
    module.write_text(
        '"""It is not said here."""\nimport re\n'
        'def tell(n):\n    re.search("not said either", n)\n'
        '    return f"{n} lines lack a name", {"the key of": "an empty box"}\n'
    )
    assert list(sentences(module)) == ["X lines lack a name", "an empty box"]


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("mean over 3 of 5 steps, warm-up set aside", "5 步中 3 步的平均，不计预热"),
        (
            "host in launch calls, mean over 3 of 5 steps, warm-up set aside",
            "主机在启动调用中，5 步中 3 步的平均，不计预热",
        ),
        ("mean over 3 steps, one sample", "3 步的平均，一个采样"),
        ("mean of 1,234 samples", "1,234 个采样的平均"),
        ("mean of what nobody knows", None),
        ("one sample, of what nobody knows", None),
    ],
)
def test_pieces_are_told_each_or_not_at_all(sentence: str, told: str | None) -> None:
    """A number takes in no words; what says most of a sentence tells it; half a translation is none."""
    assert load_wording("zh").retold(sentence, str) == told


@pytest.mark.parametrize("path", sorted((PACKAGE / "reports" / "wording").rglob("*.yaml")), ids=lambda path: path.name)
def test_no_phrase_is_written_twice(path: Path) -> None:
    """Of two phrases of one key YAML keeps the last, and the other would never be said."""
    keys = [line.partition(":")[0] for line in path.read_text(encoding="utf-8").splitlines() if line[:1].isalpha()]
    assert len(keys) == len(set(keys))
