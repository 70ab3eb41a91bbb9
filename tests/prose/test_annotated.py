"""Reports with everything they state written beside them: how much is found, and how much of it is right."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from dam_expert.documents.intervals import Interval

REPORTS = [
    report
    for name in ("annotated.yaml", "annotated_more.yaml")
    for report in yaml.safe_load(Path(__file__).with_name(name).read_text(encoding="utf-8"))
]
LEAST_PRECISION, LEAST_RECALL = 0.95, 0.85
#: What the words are about, and what follows from no single statement.
TOPICS = ("suspected_", "report_topics")
#: What an attempt gave is annotated with the attempt.
OF_ATTEMPTS = "_speedup"


def agrees(value, wanted):
    """Whether an observed value is the annotated one."""
    if isinstance(value, str) or isinstance(wanted, str):
        return str(value).casefold() == str(wanted).casefold()
    low, high = wanted if isinstance(wanted, list) else (wanted, wanted)
    assert isinstance(value, Interval)
    return value.lo == pytest.approx(low) and value.hi == pytest.approx(high)


def compared(read, report):
    """Return what was found rightly, found wrongly, and missed in one report: values, attempts and what is wanted."""
    understood = read(report["text"])
    found = [each.observation for each in (*understood.settings, *understood.findings)]
    found = [each for each in found if not each.measurement.endswith(OF_ATTEMPTS)]
    stated = [(each.measurement, each.value) for each in found if not each.measurement.startswith(TOPICS)]
    wanted = dict(report["says"])
    stated += [(f"tried {each.lever}", str(each.effect)) for each in understood.tried]
    wanted |= {f"tried {lever}": effect for lever, effect in report.get("tried", {}).items()}
    target = understood.target
    if target is not None and target.wanted is not None:
        stated.append((f"wanted {target.metric}", target.wanted))
    wanted |= {f"wanted {metric}": value for metric, value in report.get("wanted", {}).items()}
    right = {name for name, value in stated if agrees(value, wanted.get(name, ""))}
    wrong = [
        (name, value) for name, value in stated if not agrees(value, wanted.get(name, "")) and name not in ALSO_RIGHT
    ]
    return right, wrong, sorted(set(wanted) - right)


#: Circumstances that the words of nearly every report state besides; right or not is a matter of taste.
ALSO_RIGHT = ("workload_kind",)


def test_precision_and_recall(read):
    """Of what is taken 95 % is stated, and of what is stated 85 % is taken, over all reports in three languages."""
    results = [compared(read, report) for report in REPORTS]
    right = sum(len(found) for found, _, _ in results)
    wrong = [(REPORTS[at]["form"], each) for at, (_, found, _) in enumerate(results) for each in found]
    missed = [(REPORTS[at]["form"], name) for at, (_, _, names) in enumerate(results) for name in names]
    assert len(REPORTS) == 51
    assert right / (right + len(wrong)) >= LEAST_PRECISION, wrong
    assert right / (right + len(missed)) >= LEAST_RECALL, missed
