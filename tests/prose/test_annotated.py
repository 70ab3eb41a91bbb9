"""Reports with everything they state written beside them: how much is found, and how much of it is right."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from dam_expert.documents.intervals import Interval

REPORTS = yaml.safe_load(Path(__file__).with_name("annotated.yaml").read_text(encoding="utf-8"))
LEAST_PRECISION, LEAST_RECALL = 0.95, 0.85
#: What the words are about, and what follows from no single statement.
TOPICS = ("suspected_", "report_topics")


def agrees(value, wanted):
    """Whether an observed value is the annotated one."""
    if isinstance(value, str) or isinstance(wanted, str):
        return str(value).casefold() == str(wanted).casefold()
    low, high = wanted if isinstance(wanted, list) else (wanted, wanted)
    assert isinstance(value, Interval)
    return value.lo == pytest.approx(low) and value.hi == pytest.approx(high)


def compared(read, report):
    """Return what was found rightly, found wrongly, and missed in one report."""
    understood = read(report["text"])
    found = [each.observation for each in (*understood.settings, *understood.findings)]
    stated = [each for each in found if not each.measurement.startswith(TOPICS)]
    wanted = report["says"]
    right = {each.measurement for each in stated if agrees(each.value, wanted.get(each.measurement, ""))}
    wrong = [
        (each.measurement, each.value)
        for each in stated
        if not agrees(each.value, wanted.get(each.measurement, "")) and each.measurement not in ALSO_RIGHT
    ]
    return right, wrong, sorted(set(wanted) - right)


#: Circumstances that the words of nearly every report state besides; right or not is a matter of taste.
ALSO_RIGHT = ("workload_kind",)


def test_precision_and_recall(read):
    """Of what is taken 95 % is stated, and of what is stated 85 % is taken, over twenty reports in three languages."""
    results = [compared(read, report) for report in REPORTS]
    right = sum(len(found) for found, _, _ in results)
    wrong = [(REPORTS[at]["form"], each) for at, (_, found, _) in enumerate(results) for each in found]
    missed = [(REPORTS[at]["form"], name) for at, (_, _, names) in enumerate(results) for name in names]
    assert len(REPORTS) == 20
    assert right / (right + len(wrong)) >= LEAST_PRECISION, wrong
    assert right / (right + len(missed)) >= LEAST_RECALL, missed
